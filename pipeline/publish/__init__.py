"""Extractions and vectors to the files of a release, checked before readers see them.

`publish` cuts the papers into `parts`, whose Parquet files it writes or links; `summaries` and
`paper_versions` give the rows of papers. Then come `write_database`, `vector_files` and `search_index`, then
`checks`, and last `checksums`.
"""
