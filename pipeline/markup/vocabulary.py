"""What the elements of JATS and HTML are: one table for each, read by the same walker."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class MarkupVocabulary:
    """The roles of elements, by name; one without a role is part of a line of text.

    A role is a kind of paragraphs, or

    - `block`: a paragraph, or a holder of some, of the kind that is around it,
    - `heading`, `label`: the head of what is around it, and what is printed before its first words,
    - `line end`, `struck` and `silent`: text that is struck out, or printed nowhere or elsewhere.
    """

    roles: Mapping[str, str]
    lines: frozenset[str]
    """Blocks of one line of text."""

    rows: frozenset[str]
    """Blocks with all text within them, whose blocks and fields are parted by spaces."""

    floats: frozenset[str]
    """Blocks that the line around them runs past; they are read after it."""

    captioned: frozenset[str] = frozenset()
    """Blocks whose heading, label and caption are printed as one caption."""

    nested: bool = True
    """Whether a section ends with the element that its heading is in; else by the level of another one."""


def _roles(table: str) -> dict[str, str]:
    """Return the role of each name in a table with a role and its names on a line."""
    rows = (line.partition(":") for line in table.strip().splitlines())
    return {name: role.strip() for role, _, names in rows for name in names.split()}


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


JATS = MarkupVocabulary(
    _roles("""
        silent: abstract-type alt-text alt-title annotation front front-stub graphic index-term inline-graphic
        silent: long-desc media object-id permissions sec-meta tex-math
        heading: title
        label: label
        line end: break
        struck: strike
        block: abstract ack app app-group array attrib back bio body boxed-text disp-formula-group fig-group
        block: caption floats-group fn-group glossary notes p ref-list sec sig-block speech statement
        block: supplementary-material table-wrap-group tbody td term tfoot th thead trans-abstract
        body: def verse-line
        quote: disp-quote verse-group
        list: list def-list list-item def-item
        footnote: fn table-wrap-foot
        formula: disp-formula
        code: code preformat
        caption: fig
        table: table table-wrap tr
        reference: ref
    """),
    lines=_names("p disp-formula code preformat"),
    rows=_names("tr def-item ref"),
    floats=_names("""
        boxed-text fig fig-group fn supplementary-material table-wrap table-wrap-group
    """),
    captioned=_names("fig fig-group supplementary-material table-wrap table-wrap-group"),
)

HTML = MarkupVocabulary(
    _roles("""
        silent: audio button canvas dialog embed footer head iframe input math-alt nav noscript object script
        silent: select style svg template textarea video
        heading: h1 h2 h3 h4 h5 h6
        line end: br
        struck: del s strike
        block: address article aside body center details div dl fieldset figure header hr html main menu ol p
        block: section summary table tbody td tfoot th thead ul
        quote: blockquote
        list: li dt dd
        code: pre
        caption: caption figcaption
        table: tr
    """),
    lines=frozenset(),
    rows=frozenset({"tr"}),
    floats=frozenset(),
    nested=False,
)

FIELDS = _names("citation element-citation mfrac mixed-citation mtr name nlm-citation person-group")
"""Elements whose children are parted by spaces where no text stands between them."""
