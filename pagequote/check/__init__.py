"""Manuscripts: every quotation judged against its source, as a linter does."""

from pagequote.check.judge import Finding, judge
from pagequote.check.latex_macros import Vocabulary
from pagequote.check.manuscript import Manuscript, read_manuscripts

__all__ = ["Finding", "Manuscript", "Vocabulary", "judge", "read_manuscripts"]
