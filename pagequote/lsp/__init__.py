"""Quotations judged while they are written: the Language Server Protocol, as editors speak it."""
