"""Org drafts, written as Markdown of the same length, so that each place in the source stays what it is.

Only what quotes, cites, notes and hides text is translated; code and comments become spaces.
"""

import re

from pagequote.check.manuscript import Manuscript
from pagequote.check.markdown import read_markdown
from pagequote.check.running_text import NO_BREAK, STRUCK, spaces


def in_place(found: re.Match[str], group: str) -> str:
    """Return what a group matched, where it stands, with spaces around it."""
    start, end = found.span(group)
    return NO_BREAK * (start - found.start()) + found[group] + NO_BREAK * (found.end() - end)


def between(found: re.Match[str], group: str, mark: str) -> str:
    """Return the same between two marks, which take the place of what stands right beside it."""
    text = in_place(found, group)
    start, end = (at - found.start() for at in found.span(group))
    return f"{text[: start - 1]}{mark}{text[start:end]}{mark}{text[end + 1 :]}"


def fitted(text: str, found: re.Match[str]) -> str:
    """Return a text with spaces before it, as long as what it stands for."""
    return text.rjust(len(found[0]), NO_BREAK)


_ORG = re.compile(
    r"^[ \t]*+#\+begin_(?P<code>src|example|comment)\b(?:(?!#\+begin_).)*?#\+end_(?P=code)\b"
    r"|^[ \t]*+(?P<raw>#\+(?:begin|end)_export)\b[^\r\n]*+"
    r"|^[ \t]*+#\+begin(?:_|:[ \t]*+)(?P<begins>[\w-]++)[^\r\n]*+"
    r"|^[ \t]*+(?P<ends>#\+end(?:_[\w-]++|:)|:end:)"
    r"|^[ \t]*+:(?!properties:|logbook:)(?P<drawer>[\w-]++):[ \t]*+\r?$(?=[^\r\n]*+[\r\n](?!:))"
    r"|^[ \t]*+#\+attr_\w++:[ \t]*+:class[ \t]++(?P<classed>[\w-]++)[^\r\n]*+"
    r"|^[ \t]*+#\+(?:caption|title|subtitle|latex|html)(?:\[[^\]\r\n]*+\])?:(?P<said>)"
    r"|^[ \t]*+(?P<unseen>#(?:[ \t]|\+\w++:|\r?$)[^\r\n]*+|:[\w-]++:[^\r\n]*+|:[ \t][^\r\n]*+)"
    r"|@@[\w-]++:(?P<inserted>[^@]*+)@@|(?P<opens>\\ldquo\b(?:\{\})?)|(?P<closes>\\rdquo\b(?:\{\})?)"
    r"|^(?P<stars>\*++)(?=[ \t])|^(?P<indent>[ \t]++)(?![-+*\d\s])"
    r"|(?P<code_span>(?<![\w=~])(?P<mark>[=~])(?P<verbatim>\S(?:[^\r\n]{0,200}?\S)?)(?P=mark)(?![\w=~]))"
    r"|(?<![\w/:.<])/(?P<slanted>\S(?:[^/\r\n]*\S)?)/(?![\w/])"
    r"|(?<![^\s\-({'\"])\+(?P<struck>\S(?:[^+\r\n]*\S)?)\+(?![\w+])"
    r"|\[fn:(?P<label>[\w-]*+)(?::(?P<inline>)|\](?P<defines>[ \t])?)"
    r"|\[\[(?P<link>(?:[\w-]{0,20}?cite[\w*-]{0,20}+):[^\[\]]++)\](?:\[(?P<note>[^\[\]]*+)\])?\]"
    r"|\[\[[^\[\]]++\]\[(?P<text>[^\[\]]++)\]\]"
    r"|(?<![\w@:\[-])(?P<bare>[\w-]{0,20}?cite[\w*-]{0,20}+:&?)(?=\w)",
    re.MULTILINE | re.IGNORECASE | re.DOTALL,
)


_CITES = re.compile(r"[\w-]{0,20}?cite[\w*-]{0,20}+:", re.IGNORECASE)


_INCLUDED = re.compile(r"(?im:^#\+include:[ \t]*+\"?([^\"\s]++))")


def read(source: str, *_: object) -> Manuscript:
    """Return the quotations of an Org source: citations of Org and org-ref, notes, quotations, code."""
    return read_markdown(_ORG.sub(_of_org, source), _INCLUDED.findall(source))


def _of_org(found: re.Match[str]) -> str:
    kind = found.lastgroup or ""
    text = found[0]
    if kind in _LINES:
        return _LINES[kind].format(found[kind].lower()).ljust(len(text))[: len(text)]
    if kind == "stars":
        return "#" * min(6, len(text)) + " " * (len(text) - 6)
    if kind in ("indent", "said"):
        return NO_BREAK * len(text)
    for name, mark in (("verbatim", "`"), ("slanted", "*"), ("struck", STRUCK)):
        if found[name]:
            return f"{mark}{found[name]}{mark}"
    if found["label"] is not None:
        return _note_of_org(found)
    if found["link"]:
        keys = _CITES.sub(lambda one: fitted("@", one), found["link"]).replace("@&", " @").replace("&", "@")
        note = f", {found['note']}" if found["note"] else ""
        return fitted(f"[{keys}{note}]", found)
    if kind in ("text", "inserted"):
        return in_place(found, kind)
    sign = {"bare": "@", "opens": "“", "closes": "”"}.get(kind)
    return fitted(sign, found) if sign else spaces(text)


_LINES = {"begins": "::: {}", "drawer": "::: {}", "ends": ":::", "classed": "{{.{}}}"}
"""What lines of Org are in Markdown, by their groups."""


def _note_of_org(found: re.Match[str]) -> str:
    if found["inline"] is not None:
        return fitted("^[", found)
    begins = not found.start() or found.string[found.start() - 1] == "\n"
    return f"[^{found['label']}]{':' if begins and found['defines'] else ''}".ljust(len(found[0]))
