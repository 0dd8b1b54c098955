"""A paragraph as it goes into a release, whether a page or markup gave it."""

from dataclasses import dataclass

from pipeline.cleaning.clean import CleanText
from pipeline.layout.sections import SectionHeading


@dataclass(frozen=True)
class FinishedParagraph:
    """A paragraph's kind, whether no reader sees it, its text with its printed lines, and its section.

    `anchor` is its place in the markup that gave its text; None where the page did. `hidden_by` is what hides
    it, as `PrintedParagraph` says it.
    """

    kind: str
    hidden: bool
    clean: CleanText
    section: SectionHeading
    anchor: str | None = None
    hidden_by: str | None = None

    @property
    def page(self) -> int:
        """The page on which it begins; 0 where no page prints it."""
        return self.clean.lines[0].line.page if self.clean.lines else 0

    @property
    def page_end(self) -> int:
        """The page on which it ends; 0 where no page prints it."""
        return max((one.line.page for one in self.clean.lines), default=0)
