"""The commands that write a corpus or draw its pages.

Each file has the commands of its name; `build` has extract, embed and publish as well, `releases` rollback,
diff and gc, and `pictures` inspect and show.
"""
