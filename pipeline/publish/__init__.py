"""Extractions and vectors to the files of a release, checked before readers see them."""
