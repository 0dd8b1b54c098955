"""Boilerplate that nobody quotes: keywords, licences, dates, how to write to the authors."""

import re

from pipeline.layout.headings import any_of
from pipeline.layout.line_features import line_says
from pipeline.layout.paragraph_features import paragraph_says

_BEGINS = re.compile(
    r"""\W*(?:
        # how to cite, history
        (?:article\s?)?(?:citation|history|info)\s*:  |  article\s?(?:info|history)
        |  open\s+access\s+citation  |  open\s+access$
        |  (?:please\s+)?(?:how\s+to\s+)?cite\s+(?:this|as)\b  |  to\s+cite\s+this\b
        |  recommended\s+citation\b  |  c[oó]mo\s+citar\b
        # dates
        |  (?:received|submitted|revised|accepted|recibido|aceptado|recebido|aceito|published(?:\s+online)?)
            (?: \s*:
                |  \s+(?:on\s+)?\d
                |  \s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)
                |  \s+in\s+(?:revised|final)\b )
        # editors
        |  (?:academic\s+|handling\s+|associate\s+)?editors?\s*:
        |  (?:edited|reviewed|communicated|handled)\s+by\b
        # rights
        |  ©  |  copyright\s*(?:©|\(c\)|:|\d)  |  all\s+rights\s+reserved\b  |  licen[cs]e\s+statement\b
        |  this\s+(?:is\s+an\s+open|work\s+is\s+licensed|article\s+is\s+licensed|open\s+access)\b
        |  (?:\d{4}\s+)?(?:published\s+by\b|the\s+authors?\.\s)
        |  publisher['’]?s\s+note\b  |  springer\s+nature\s+remains\b
        # addresses
        |  (?:[*†‡§¹]|\d|[a-c]\s)?\s*(?:address\s+)?(?:for\s+)?correspond(?:ence|ing\s+authors?)
            \s*(?:[:*(]|to\b|should\b|address|author|and\s+re|may\b)
        |  to\s+whom\s+correspondence\b  |  e-?mail\s*:  |  orcid\b  |  present\s+address\b
        # links
        |  electronic\s+supplementary\s+material\b  |  the\s+online\s+version\s+contains\b
        |  \(continued\s+(?:on|from)\s+(?:the\s+)?(?:next|previous)\s+page\)$  |  downloaded\s+from\b
        |  doi\s*(?::|10\.)  |  e?-?issn\b  |  https?://  |  www\.
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_KEYWORDS = re.compile(any_of("keywords") + r"\s?(?:[:.—–-]|$)", re.IGNORECASE)
_KEYWORDS_UNMARKED = re.compile(any_of("keywords") + r"\b.*[^.]$", re.IGNORECASE)
"""Without a colon they must not be a sentence: "Keywords were chosen by two of us."."""

_LICENCE = (
    "creative commons",
    "open access article",
    "open-access article",
    "licensee",
    "exclusive licence",
    "exclusive license",
    "all rights reserved",
    "distributed under the terms",
    "jurisdictional claims",
    "permits unrestricted",
    "the online version of this article",
    "authors contributed equally",
    "have contributed equally",
)
_LICENCE_WITHIN = 300  # flat
"""Characters at the beginning of a paragraph in which a licence is named."""

_BELOW_CAPTION = re.compile(r"(?:https?://|doi:\s*10\.)\S+$|(?i:abbreviations?|notes?)\s*:")


def _is_front(text: str) -> bool:
    head = text[:_LICENCE_WITHIN].lower()
    return (
        _BEGINS.match(text) is not None
        or _KEYWORDS.match(text) is not None
        or _KEYWORDS_UNMARKED.match(text) is not None
        or any(map(head.__contains__, _LICENCE))
    )


line_stands_for_itself = line_says("stands for itself", _is_front)
"""Whether a line begins keywords or lines of a licence."""


begins_keywords = line_says("keywords", _KEYWORDS.match)
"""Whether a line begins keywords."""

is_front = paragraph_says("front", _is_front)
"""Whether a paragraph is about the publication: keywords, citation, licence, dates, addresses."""

begins_below_caption = line_says("below a caption", _BELOW_CAPTION.match)
"""Whether a line below a caption is not of it: the address of a figure, or the first word of notes."""
