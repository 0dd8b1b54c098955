"""Find the sentences of a paper that are nearest to a query in meaning."""

import logging

from lookup.embedding.sentence_vectors import SentenceVectors
from lookup.errors import ModelError, QueryError
from lookup.papers.library import Library
from lookup.snippet.extractor import extract_snippet
from lookup.text.sentences import sentence_spans

_log = logging.getLogger(__name__)


def paper_excerpt(library: Library, vectors: SentenceVectors, key: str, query: str, max_chars: int) -> str:
    """See `Corpus.excerpt`."""
    if not query.strip():
        raise QueryError("The query is empty. Say what the excerpt is to be about.")
    if max_chars < 1:
        raise QueryError(f"max_chars must be at least 1, got {max_chars}.")
    paper = library.paper(key)
    try:
        nearest = vectors.nearest(key, query)
    except ModelError as error:
        _log.warning("No excerpt of %r by meaning, taking one by words: %s", key, error)
        nearest = {}
    if not nearest:
        return extract_snippet("\n\n".join(library.texts(key)), query, max_chars)
    best = max(nearest, key=lambda number: (nearest[number].similarity, -number))
    text, _ = paper.read(paper.paragraphs[best])
    return _around(text, nearest[best].sentence, query, max_chars)


def _around(text: str, sentence: int, query: str, room: int) -> str:
    """Return the sentence of `text` with this number, and those after and before it that fit."""
    spans = sentence_spans(text)
    start, end = spans[sentence]
    if end - start > room:
        return extract_snippet(text[start:end], query, room)
    for _, further in spans[sentence + 1 :]:
        if further - start > room:
            break
        end = further
    for earlier, _ in reversed(spans[:sentence]):
        if end - earlier > room:
            break
        start = earlier
    return text[start:end]
