"""Manuscripts: every quotation judged against its source, as a linter does."""

from lookup.check.judge import Finding, judge
from lookup.check.latex_macros import Vocabulary
from lookup.check.manuscript import Manuscript, read_manuscripts

__all__ = ["Finding", "Manuscript", "Vocabulary", "judge", "read_manuscripts"]
