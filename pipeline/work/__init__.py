"""The work folder, which keeps results between builds, by the content of the files.

`outcomes` are what reading a PDF can give; `extraction_cache` keeps them; `state` goes from one stage to the
next, with `summaries` of them; `tasks` says how work is given out; `journal` has a line for each build, and
the figures of each stage; `progress` and `machine_errors` report to people.
"""
