"""Find the stretches of a text that are source code, and their language."""

import re
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from retrieval.snippets.brackets import BRACKET

_FENCE = re.compile(
    r"^(?P<fence>```++|~~~++)[ \t]*+(?P<info>[\w+#.-]*+)[^\n`]*+\n(?P<code>.*?)(?:^(?P=fence)[ \t]*+$|\Z)",
    re.MULTILINE | re.DOTALL,
)
BLANK_LINES = re.compile(r"\n(?:[ \t\r]*\n)+")
_LONGEST_LINE = 200  # Characters; a longer line counts as prose.

_LOOKED_AT = 4000
"""Characters of code by which its language is found: more take milliseconds, and seldom change the answer."""

_CODE_LINE = re.compile(
    r".*[;{}]\s*\Z"
    r"|\s*(?:def|class|func|fn|function|struct|enum|impl|trait|interface|type|namespace|template|package|import|from|use|using|return"
    r"|pub|public|private|protected|static|const|let|var|export|async|if|elif|else|for|while|try|except|with|switch|case|match)\b"
    r".*[:{(\[,;)]\s*\Z"
    r"|\s*(?:import [\w.]+|from [\w.]+ import .+|package [\w.]+|use [\w:]+.*|return\b.*"
    r"|#include\b.*|#define\b.*|#\[.*\]|@[\w.]+(?:\(.*\))?)\s*\Z"
    r"|\s*[\w.\[\]\"'*&, ]+ (?:[-+*/|&%]|:)?= ?\S.*"
    r"|\s*[\w.:>-]+\(.*\)\s*\Z"
    r"|\s*[)\]}]+[,;]?\s*\Z"
)
_NEITHER = re.compile(r"\s*\Z|\s+\S|\s*(?://|#|/\*|\*|\"\"\"|''')")
"""Blank and indented lines and comments, which stand in code and in prose."""

_SIGNS: dict[str, tuple[str, ...]] = {
    "python": (
        r"^\s*(?:async )?def \w+\(.*",
        r"^\s*class \w+(?:\(.*\))?:",
        r"^(?:from [\w.]+ )?import [\w., ]+$",
        r"\bself\.",
        r"\belif\b",
        r"\b(?:None|True|False)\b",
        r"\"\"\"",
    ),
    "javascript": (
        r"\b(?:const|let|var) [\w{\[][^:\n]*=",
        r"=>",
        r"\bfunction\b",
        r"===|!==",
        r"\brequire\(",
        r"\bconsole\.",
        r"^export\b",
        r"^import .* from ['\"]",
    ),
    "typescript": (
        r"\b(?:const|let|var) [\w{\[]",
        r"=>",
        r"[\w)]\??: (?:string|number|boolean|void|any|unknown|readonly)\b",
        r"^(?:export )?interface \w+",
        r"^(?:export )?type \w+.* =",
        r"\bPromise<",
        r"\b(?:readonly|keyof)\b",
        r"^import .* from ['\"]",
        r"^export\b",
    ),
    "go": (
        r"^package \w+$",
        r"^func [\w(]",
        r":=",
        r"^type \w+ (?:struct|interface)\b",
        r"\bchan\b",
        r"\bfmt\.",
        r"\bnil\b",
    ),
    "java": (
        r"\bpublic (?:static |final |abstract )*(?:class|interface|enum|record|void|[A-Z]\w*)\b",
        r"^import java",
        r"\bSystem\.out\b",
        r"@Override\b",
        r"\bprivate (?:static |final )*\w+(?:<.*>)? \w+",
        r"\bnew [A-Z]\w*[<(]",
        r"^package [\w.]+;",
    ),
    "c": (
        r"^#\s*include\b",
        r"^#\s*(?:define|ifdef|ifndef)\b",
        (
            r"^(?:static )?(?:const )?(?:unsigned )?(?:int|char|void|long|double|float|size_t|struct \w+)"
            r"[ *]+\w+\("
        ),
        r"\w->\w",
        r"\b(?:printf|malloc|sizeof|free)\(",
        r"\bNULL\b",
        r"\btypedef\b",
        r"^struct \w+ \{",
    ),
    "cpp": (
        r"^#\s*include <\w+>",
        r"\bstd::",
        r"\btemplate\s*<",
        r"^\s*(?:class|namespace) \w+.*[{\s]$",
        r"\bnullptr\b",
        r"\w::\w",
        r"\b(?:public|private):$",
        r"\b(?:virtual|constexpr|noexcept|auto)\b",
        r"\w->\w",
    ),
    "rust": (
        r"\bfn \w+",
        r"\blet (?:mut )?\w+",
        r"^\s*impl\b",
        r"\bpub (?:fn|struct|enum|mod|trait)\b",
        r"&(?:mut )?self\b",
        r"^use [\w:]+",
        r"#\[\w+",
        r"\w!\(",
        r"\) -> ",
    ),
}
"""Patterns of a language's lines. The language with the most different matches is taken."""

LANGUAGES = tuple(_SIGNS)
_NAMES = {
    "py": "python",
    "python3": "python",
    "js": "javascript",
    "jsx": "javascript",
    "mjs": "javascript",
    "ts": "typescript",
    "golang": "go",
    "h": "c",
    "c++": "cpp",
    "cc": "cpp",
    "cxx": "cpp",
    "hpp": "cpp",
    "rs": "rust",
}


class Region(NamedTuple):
    """A stretch of a text that is code, or prose.

    `language` of code is None if it is unknown; `code` is the span of the code in a fenced block, None if all
    is code.
    """

    start: int
    end: int
    is_code: bool
    language: str | None = None
    code: tuple[int, int] | None = None


def regions_of(text: str, language: str | None = None) -> list[Region]:
    """Return the stretches of code and prose, which cover `text`; with a `language` all of it is code."""
    if language is not None:
        return [Region(0, len(text), is_code=True, language=_NAMES.get(language, language))]
    regions = []
    at = 0
    for match in _FENCE.finditer(text) if "```" in text or "~~~" in text else ():
        regions += _unfenced(text, at, match.start())
        named = match["info"].lower()
        known = _NAMES.get(named, named)
        spoken = known if known in LANGUAGES else None
        # A bracket in the line of the fence may pair with one of the code, which then cannot stand by itself.
        inner = None if BRACKET.search(text, match.start(), match.start("code")) else match.span("code")
        regions.append(Region(*match.span(), is_code=True, language=spoken, code=inner))
        at = match.end()
    return regions + _unfenced(text, at, len(text))


def language_of(code: str) -> str | None:
    """Return the language with the most matches at the beginning of the code; None without any match."""
    beginning = code[:_LOOKED_AT]
    signs = {name: sum(bool(sign.search(beginning)) for sign in _signs(name)) for name in LANGUAGES}
    best = max(LANGUAGES, key=lambda name: signs[name])
    return best if signs[best] else None


@cache
def _signs(language: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(sign, re.MULTILINE) for sign in _SIGNS[language])


def _unfenced(text: str, start: int, end: int) -> list[Region]:
    """Return the stretch as one region of code or prose, or as paragraphs of code and the prose between."""
    if start == end:
        return []
    code, prose = _lines(text[start:end])
    if code < 2:
        return [Region(start, end, is_code=False)]
    if code > prose:
        return [Region(start, end, is_code=True, language=language_of(text[start:end]))]
    regions: list[Region] = []
    for first, last in _paragraphs(text, start, end):
        code, prose = _lines(text[first:last])
        is_code = code >= 2 and code > prose
        if regions and regions[-1].is_code == is_code:
            regions[-1] = Region(regions[-1].start, last, is_code)
        else:
            regions.append(Region(first, last, is_code))
    return [
        Region(
            one.start, one.end, one.is_code, language_of(text[one.start : one.end]) if one.is_code else None
        )
        for one in regions
    ]


def _lines(text: str) -> tuple[int, int]:
    """Return the number of lines of code, and of prose."""
    code = prose = 0
    for line in text.splitlines():
        if len(line) > _LONGEST_LINE:
            prose += 1
        elif _CODE_LINE.match(line):
            code += 1
        elif not _NEITHER.match(line):
            prose += 1
    return code, prose


def _paragraphs(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return spans that end where blank lines do, and cover the stretch."""
    borders = [start, *(match.end() for match in BLANK_LINES.finditer(text, start, end)), end]
    return [(a, z) for a, z in pairwise(borders) if a < z]
