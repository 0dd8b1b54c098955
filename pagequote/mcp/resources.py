"""Papers and their pages as resources, such as `pagequote://papers/KEY/pages/PAGE`."""

from mcp import types
from mcp.shared.uri_template import UriTemplate

from lookup.corpus import Corpus
from lookup.errors import QueryError
from pagequote.calls.fitting import as_json
from pagequote.calls.paper_calls import get_page, get_paper, list_papers
from pagequote.calls.registry import Call

_JSON = "application/json"

_LISTED = 50  # Resources on a page of their list.

_PAPERS = "pagequote://papers"

_RESOURCES = (
    (UriTemplate.parse(f"{_PAPERS}{{?offset}}"), Call(list_papers), "papers", "The papers, by key."),
    (
        UriTemplate.parse(f"{_PAPERS}/{{key}}{{?offset}}"),
        Call(get_paper),
        "paper",
        "A paper: its title, authors and headings, with their pages.",
    ),
    (
        UriTemplate.parse(f"{_PAPERS}/{{key}}/pages/{{page}}{{?offset}}"),
        Call(get_page),
        "page",
        "The text of a page, quoted from the document. The page of the PDF is meant, counted from 1.",
    ),
)
"""Each address, the call that answers it, its name and its description."""

TEMPLATES = tuple(
    types.ResourceTemplate(uri_template=str(template), name=name, description=description, mime_type=_JSON)
    for template, _, name, description in _RESOURCES
)
"""The addresses of resources, as a client lists them."""


def list_resources(corpus: Corpus, cursor: str | None) -> types.ListResourcesResult:
    """Return a page of the list of papers. Raise QueryError for a cursor that no list returned."""
    if cursor is not None and not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
        raise QueryError("Unknown cursor. Give the one that the list before returned, or none.")
    offset = int(cursor or 0)
    found = corpus.papers(limit=_LISTED + 1, offset=offset)
    every = types.Resource(uri=_PAPERS, name="papers", description="The papers, by key.", mime_type=_JSON)
    listed = [] if offset else [every]
    for paper in found[:_LISTED]:
        uri = _RESOURCES[1][0].expand({"key": paper.key})
        listed.append(types.Resource(uri=uri, name=paper.key, title=paper.title, mime_type=_JSON))
    following = str(offset + _LISTED) if len(found) > _LISTED else None
    return types.ListResourcesResult(resources=listed, next_cursor=following)


def read_resource(corpus: Corpus, chars: int, uri: str) -> types.ReadResourceResult:
    """Return the content of a resource, as JSON. Raise PageQuoteError."""
    for template, call, _, _ in _RESOURCES:
        if (values := template.match(uri)) is not None:
            text = as_json(call.answer(corpus, chars, values, lenient=True))
            return types.ReadResourceResult(
                contents=[types.TextResourceContents(uri=uri, text=text, mime_type=_JSON)]
            )
    shown = ", ".join(str(template) for template, *_ in _RESOURCES)
    raise QueryError(f"There is no resource at this address. Available: {shown}.")
