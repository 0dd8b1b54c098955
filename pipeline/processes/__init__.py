"""Processes that can be killed, and what operating systems do otherwise."""
