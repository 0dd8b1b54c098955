"""Extractions and vectors to the files of a release, checked before readers see them.

`content`, with `paper_versions`, tells what each shard is to hold, and makes its rows of papers.
`write_shards` has each shard written by `write_release`: `parts` of the papers, whose Parquet files it writes
or links, then `write_database`, `vector_files` and `search_index`, then `checks`, and last `checksums`.
"""
