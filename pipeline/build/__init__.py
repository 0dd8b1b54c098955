"""The stages of a build: survey, extract, embed, publish; and what a build would do."""
