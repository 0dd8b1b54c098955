"""XML that may be hostile, and what all formats ask of its elements."""

import html
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lxml import etree

from pipeline.office.archive import MOST_BYTES, Archive, DocumentError, opened_archive
from pipeline.pdf.opening import UnreadableError


@contextmanager
def opened(data: bytes, name: str) -> Iterator[Archive]:
    """Open an archive. Raise UnreadableError if it is none, or what is read of it is damaged or locked."""
    try:
        with opened_archive(data) as archive:
            yield archive
    except DocumentError as error:
        raise damaged(name, str(error)) from error


def read_xml(data: bytes, name: str) -> Any:
    """Return the root element of an XML text; no entity is expanded, and nothing else is read.

    Raise UnreadableError for what is no XML, is too large, or defines entities, which hide files and bombs.
    """
    check_size(data, name)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise damaged(name, str(error)) from error
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise damaged(name, "it defines entities of its own, which are not read")
    return root


def check_size(data: bytes, name: str) -> None:
    """Raise UnreadableError for more bytes than any document has, or more attributes than any element."""
    if len(data) > MOST_BYTES:
        raise damaged(name, f"it has over {MOST_BYTES >> 20} MiB, the limit")
    if any(one.partition(b">")[0].count(b"=") > _MOST_ATTRIBUTES for one in data.split(b"<")):
        raise damaged(name, f"an element has over {_MOST_ATTRIBUTES:,} attributes, the limit")


_MOST_ATTRIBUTES = (
    10_000  # Of an element; libxml2 takes 0.4 s for them, and four times that for twice as many.
)


def damaged(name: str, cause: str) -> UnreadableError:
    """Return the error for a source, or a part of it, that cannot be read."""
    return UnreadableError("damaged", f"The {name} cannot be read: {cause}. Fetch it again, or repair it.")


def local_name(element: Any) -> str:
    """Return an element's name without its namespace; '' for comments, instructions and entities."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def entity_text(node: Any) -> str:
    """Return what a named character stands for; '' for other nodes that are no elements."""
    return html.unescape(node.text) if node.tag is etree.Entity else ""


def attribute(element: Any, name: str) -> str:
    """Return an attribute, whatever its namespace; '' without it."""
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def children(element: Any, *names: str) -> Iterator[Any]:
    """Yield the child elements, those with these names if any are given; none of None."""
    within = () if element is None else element
    return (child for child in within if (name := local_name(child)) and (not names or name in names))


def child(element: Any, *names: str) -> Any:
    """Return the first child with one of these names, None without one."""
    return next(children(element, *names), None)


def descendants(element: Any, *names: str) -> Iterator[Any]:
    """Yield the elements with these names within the element, in document order; none within None."""
    return (one for one in (() if element is None else element.iter()) if local_name(one) in names)


class Anchors:
    """The places of a document's elements, by XPointer's element() scheme; `before` names the file."""

    def __init__(self, before: str = "") -> None:
        self._before = before
        self._numbers: dict[Any, dict[Any, int]] = {}

    def of(self, element: Any) -> str:
        """Return "s2" for the element with this id, "s2/3" for its third child, "/1/2" without any id."""
        steps: list[str] = []
        while not (named := attribute(element, "id")):
            above = element.getparent()
            if above is None:
                return f"{self._before}/" + "/".join(["1", *reversed(steps)])
            if above not in self._numbers:  # counted once: thousands of paragraphs may stand side by side
                self._numbers[above] = {one: number for number, one in enumerate(children(above), 1)}
            steps.append(str(self._numbers[above][element]))
            element = above
        return self._before + "/".join([named, *reversed(steps)])
