"""The commands that write a corpus or draw its pages."""
