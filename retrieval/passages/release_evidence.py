"""What tells the nearest passages of an open release, each part made and loaded when first used."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from lookup.errors import SearchError
from lookup.papers.library import Library
from lookup.release.checked_files import MappedFiles

if TYPE_CHECKING:
    from retrieval.embedding.sentence_vectors import SentenceVectors
    from retrieval.embedding.weighted_words import WeightedWords
    from retrieval.scoring.lexical_index import LexicalIndex


class ReleaseEvidence:
    """The vectors, weighted words and stems of a release. Safe to share between threads."""

    def __init__(self, library: Library, mapped: MappedFiles | None) -> None:
        self.library = library
        self._mapped = mapped

    @cached_property
    def vectors(self) -> "SentenceVectors":
        """The vectors of the release's sentences."""
        from retrieval.embedding.sentence_vectors import SentenceVectors

        return SentenceVectors(self.library.database, self._mapped)

    @cached_property
    def expanded(self) -> "WeightedWords":
        """The weighted words of its paragraphs, in its index of words."""
        from retrieval.embedding.weighted_words import WeightedWords

        return WeightedWords(self.library.index)

    def stems(self, key: str) -> Mapping[int, str]:
        """Return the stems of each paragraph of a paper; none where there is no index of words."""
        try:
            return self.lexical.stems_of_paper(key)
        except SearchError:
            return {}

    @cached_property
    def lexical(self) -> "LexicalIndex":
        """Their stems, in the same index."""
        from retrieval.scoring.lexical_index import LexicalIndex

        return LexicalIndex(self.library.index)
