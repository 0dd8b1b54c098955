"""The XML of word processors, told element by element, each with its place; no entity, no other file."""

from xml.parsers import expat

from pipeline.office.archive import DocumentError

_DEEPEST = 250  # Elements within one another; more is an attack: word processors write some 30.

_PREFIXES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m",
    "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing": "wp",
    "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing": "wp",
    "urn:oasis:names:tc:opendocument:xmlns:text:1.0": "text",
    "urn:oasis:names:tc:opendocument:xmlns:table:1.0": "table",
    "urn:oasis:names:tc:opendocument:xmlns:office:1.0": "office",
    "urn:oasis:names:tc:opendocument:xmlns:script:1.0": "script",
    "urn:oasis:names:tc:opendocument:xmlns:style:1.0": "style",
    "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0": "fo",
    "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0": "draw",
}
"""Names of elements are given with these prefixes, whatever ones a file uses."""


class XmlReader:
    """What is told about an XML text, in order; it leaves all out. Places are offsets in the source."""

    def start(self, name: str, attributes: dict[str, str], at: int) -> None:
        """Take the beginning of an element, whose tag begins at `at`."""

    def end(self, name: str, at: int) -> None:
        """Take the end of an element, whose last tag begins at `at`."""

    def text(self, text: str, start: int, end: int) -> None:
        """Take characters, which the source writes as `source[start:end]`: as they are, or as one entity."""


def read_xml(source: str, begin: int, reader: XmlReader) -> None:
    """Tell `reader` all of an XML text that begins at `begin` of the document's source, in linear time.

    Raise ExpatError for what is no XML, DocumentError for elements too deep within one another, and for a
    document type, which may hide files and bombs.
    """
    content = source.encode()
    parser = expat.ParserCreate("utf-8", " ")
    parser.buffer_text = False
    done_bytes, done_characters, depth = 0, 0, 0

    def here() -> int:
        nonlocal done_bytes, done_characters
        at = parser.CurrentByteIndex
        done_characters += len(content[done_bytes:at].decode())
        done_bytes = at
        return begin + done_characters

    def text(data: str) -> None:
        at = here()
        entity = source.startswith("&", at - begin)
        end = begin + source.index(";", at - begin) + 1 if entity else at + len(data)
        reader.text(data, at, end)

    def refuse(*_: object) -> None:
        raise DocumentError("its XML has a document type, which word processors do not write")

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise DocumentError(f"its XML has over {_DEEPEST} elements within one another")
        reader.start(_short(name), {_short(key): value for key, value in attributes.items()}, here())

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        reader.end(_short(name), here())

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse
    parser.Parse(content, True)  # noqa: FBT003  # takes it by place


def _short(name: str) -> str:
    space, _, local = name.rpartition(" ")
    return f"{_PREFIXES.get(space, '')}:{local}" if space else local


class Steps:
    """Where in an XML text a reader is, by XPointer's element() scheme; `before` names the file."""

    def __init__(self, before: str = "") -> None:
        self._before = before
        self._steps: list[str | int] = []
        self._children = [0]

    def enter(self, attributes: dict[str, str]) -> None:
        """Go into the next element."""
        self._children[-1] += 1
        self._children.append(0)
        named = next((value for key, value in attributes.items() if key.rpartition(":")[2] == "id"), "")
        self._steps.append(named or self._children[-2])

    def leave(self) -> None:
        """Go out of the element."""
        self._steps.pop()
        self._children.pop()

    def anchor(self) -> str:
        """Return "s2" in the element with this id, "s2/3" in its third child, "/1/2" without any id."""
        named = [at for at, step in enumerate(self._steps) if isinstance(step, str)]
        steps = self._steps[named[-1] :] if named else ["", *self._steps]
        return self._before + "/".join(map(str, steps))
