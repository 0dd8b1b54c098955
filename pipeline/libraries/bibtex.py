"""Reads a BibTeX or BibLaTeX file: the files of its entries, and their metadata."""

import io
import logging
import os
import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, TypeVar

from bibtexparser import model
from bibtexparser.entrypoint import parse_string
from bibtexparser.library import Library
from bibtexparser.middlewares import LatexDecodingMiddleware
from bibtexparser.middlewares.names import parse_single_name_into_parts, split_multiple_persons_names

from lookup.errors import SourceError
from lookup.storage.object_path import ObjectPath
from lookup.storage.untrusted_files import read_file
from pipeline.files.expansion import Expansion
from pipeline.formats import IN_LIBRARIES, LARGEST_LIBRARY
from pipeline.libraries.entries import (
    Bibliography,
    LibraryEntry,
    Metadata,
    arxiv_in,
    collected,
    file_named,
    normal_key,
    normalised_doi,
    year_in,
)

VENUES = ("journal", "journaltitle", "booktitle", "publisher")
"""Fields with the venue of a paper; the first that has a value counts."""

PDF_TYPES = frozenset({"pdf", "application/pdf"})
"""The types of a PDF in `description:path:type`, in lower case."""


_ARXIV = ("eprint", "url", "doi", *VENUES)  # Fields that may name the paper's identifier at arXiv.

_READ = frozenset(
    {"file", "author", "year", "date", "title", "abstract", "archiveprefix", "eprinttype", *_ARXIV}
)


def read_bibliography(path: Path) -> Bibliography:
    """Return the entries of the .bib at `path`; relative file names are taken from its folder.

    A broken entry, a second entry with the same key, or an unreadable field is left out, and is a problem
    with file, line, entry and cause. Raises SourceError where the file as a whole cannot be read.
    """
    path = path.absolute()
    text = _text(path)
    strings = _Strings({}, Expansion(len(text)))
    found: list[tuple[str, LibraryEntry | None, list[str]]] = []
    with ExitStack() as after:
        for logger in _LOGGERS:  # broken entries are returned as problems
            after.callback(setattr, logger, "disabled", logger.disabled)
            logger.disabled = True
        for block in parse_string(text, parse_stack=[]).blocks:
            causes: list[str] = []
            entry = _entry(block, strings, path.parent, causes)
            found.append((f"{path}, line {(block.start_line or 0) + 1}, {_name(block)}", entry, causes))
    return collected(found)


def _text(path: Path) -> str:
    try:
        text = io.TextIOWrapper(io.BytesIO(read_file(path, LARGEST_LIBRARY)), encoding="utf-8-sig").read()
    except (OSError, ValueError) as error:
        cause = error.strerror if isinstance(error, OSError) else error
        step = "Check the path and its permissions, and that it is UTF-8 text."
        raise SourceError(f"The bibliography {str(path)!r} cannot be read ({cause}). {step}") from error
    if "\0" in text:
        raise SourceError(f"The bibliography {str(path)!r} holds null characters. Save it as UTF-8 text.")
    return text


_LOGGERS = [logging.getLogger(name) for name in ("bibtexparser.splitter", "pylatexenc.latexwalker")]


def _name(block: model.Block) -> str:
    """Return the block's name in a problem: "@article 'feng2022'"."""
    match = re.match(r"@(\w*)\s*[{(]([^,=}\n]*)", block.raw or "")
    return f"@{match[1]} {match[2].strip()!r}" if match else "a block"


def _entry(block: model.Block, strings: "_Strings", folder: Path, causes: list[str]) -> LibraryEntry | None:
    """Return the block's entry, if it is one; add an @string to `strings`, and problems to `causes`."""
    if isinstance(block, model.ParsingFailedBlock):
        if block.ignore_error_block is None:
            causes.append(str(getattr(block.error, "abort_reason", block.error)).strip().rstrip("."))
            return None
        # A key or a field is there twice: the code below reports it.
        block = block.ignore_error_block
    if isinstance(block, model.String):
        strings.values.update(_values([model.Field(block.key, block.value)], strings, causes))
    if not isinstance(block, model.Entry):
        return None
    fields = _values([field for field in block.fields if field.key.lower() in _READ], strings, causes)
    key = normal_key(block.key)
    files = _files(fields.get("file", ""), folder)
    archive = fields.get("archiveprefix") or fields.get("eprinttype") or ""  # `eprint` has no mark of its own
    arxiv = arxiv_in(f"{archive}:" + " ".join(fields.get(name, "") for name in _ARXIV))
    return LibraryEntry(key, files, _metadata(fields, causes), arxiv)


class _Strings(NamedTuple):
    """The @strings of a file, and how many more characters they may stand for."""

    values: dict[str, str]
    room: Expansion


def _values(fields: list[model.Field], strings: _Strings, causes: list[str]) -> dict[str, str]:
    """Return the fields by lower-case name, braces, @strings and `#` resolved; of two, the first."""
    values: dict[str, str] = {}
    for field in fields:
        name = field.key.lower()
        pieces = [_piece(piece.strip(), strings.values) for piece in _pieces(field.value)]
        if name in values:
            causes.append(f"{name!r} is there twice; the first one counts")
        elif None in pieces:
            causes.append(f"{name!r} is left out: not in braces, nor a number, nor an @string defined above")
        elif not strings.room.takes(max(0, sum(map(len, filter(None, pieces))) - len(field.value))):
            causes.append(f"{name!r} is left out: {strings.room.full}")
        else:
            values[name] = "".join(piece for piece in pieces if piece is not None)
    return values


def _pieces(value: str) -> list[str]:
    """Cut `value` at each `#` outside of braces and quotation marks; a backslash escapes."""
    cuts, depth, quoted = [-1], 0, False
    for match in re.finditer(r'(?<!\\)[{}"#]', value):
        mark = match.group()
        if mark in "{}":
            depth = max(0, depth + (1 if mark == "{" else -1))
        elif not depth and mark == '"':
            quoted = not quoted
        elif not depth and not quoted:
            cuts.append(match.start())
    return [value[cut + 1 : end] for cut, end in zip(cuts, [*cuts[1:], len(value)], strict=True)]


def _piece(piece: str, strings: Mapping[str, str]) -> str | None:
    if len(piece) > 1 and piece[0] + piece[-1] in {"{}", '""'}:
        return piece[1:-1]
    return piece if piece.isdigit() else strings.get(piece.lower())


def _metadata(fields: Mapping[str, str], causes: list[str]) -> Metadata:
    def read(name: str, reading: Callable[[str], _Value]) -> _Value | None:
        try:
            return reading(fields.get(name, "")) or None
        except ValueError as error:
            causes.append(f"{name!r} is left out: it cannot be read as LaTeX ({error})")
            return None

    return Metadata(
        title=read("title", _plain),
        authors=read("author", _authors) or (),
        year=read("year", year_in) or read("date", year_in),
        # A DOI is no prose ('--' is no dash in it), but some programs escape it all the same.
        doi=read("doi", lambda doi: normalised_doi(_plain(doi) if "\\" in doi else re.sub(r"[{}]", "", doi))),
        venue=next(filter(None, (read(name, _plain) for name in VENUES)), None),
        abstract=read("abstract", _plain),
    )


_Value = TypeVar("_Value")


def _authors(latex: str) -> tuple[str, ...]:
    names = split_multiple_persons_names(" ".join(latex.split()))
    return tuple(filter(None, (_author(name) for name in names if name.lower() != "others")))


def _author(latex: str) -> str:
    """Return 'Family, Given, Jr.' for a name in BibTeX's forms or biblatex's `family=..., given=...`."""
    if re.match(r"\w+\s*=", latex):
        pairs = (part.partition("=") for part in latex.split(","))
        named = {name.strip(): value.strip() for name, _, value in pairs}
        family = f"{named.get('prefix', '')} {named.get('family', '')}"
        parts = [family, named.get("given", ""), named.get("suffix", "")]
    else:
        name = parse_single_name_into_parts(latex, strict=False)
        parts = [" ".join(words) for words in (name.von + name.last, name.first, name.jr)]
    return ", ".join(filter(None, map(_plain, parts)))


_MARKUP = re.compile(r"[\\{}$~]|``|''|--|[?!]`")
"""Without one of these, LaTeX is plain text: decoding takes 1 ms per 200 characters, and most abstracts need
none."""

_LOST = re.compile(r"(?<!\\)[%&]|\\-|\\text(?:less|greater|bar|underscore)(?![A-Za-z])|\\href\s*\{[^{}]*\}")
_INSTEAD = {
    "%": r"\%",
    "&": r"\&",
    r"\textless": "<",
    r"\textgreater": ">",
    r"\textbar": "|",
    r"\textunderscore": "_",
}
"""Replacements for what the decoder drops or cannot read; all else in _LOST is removed. In a .bib, '%' begins
no comment."""

_DECODER = LatexDecodingMiddleware(keep_math_mode=False)


def _plain(latex: str) -> str:
    """Return the characters that the LaTeX prints, spaces collapsed; raise ValueError if it is not valid."""
    if _MARKUP.search(latex):
        latex = _LOST.sub(lambda match: _INSTEAD.get(match.group(), ""), latex)
        block = _DECODER.transform_entry(model.Entry("misc", "", [model.Field("text", latex)]), Library())
        if not isinstance(block, model.Entry):
            raise ValueError(str(getattr(block, "error", block)))
        latex = block["text"]
    return " ".join(latex.split())


def _files(value: str, folder: Path) -> tuple[Path, ...]:
    r"""Return the PDFs that a `file` field names, each once.

    Items are separated by `;`, each a path or `description:path:type` (JabRef, Zotero, Better BibTeX); a
    backslash escapes one of `\:;{}`. Nothing here is LaTeX: `_`, `%`, `~` and other backslashes belong to the
    name.
    """
    named = (_file(_bare(item)) for item in _parted(_bare(value), ";"))
    return tuple(dict.fromkeys(_path(name, folder) for name in named if name))


def plain_name(name: str) -> str:
    r"""Return a file's name without LaTeX (Mendeley writes `a{\_}b`, `C$\backslash$:/x`, `{\"{u}}.pdf`)."""
    bare = name.replace(r"$\backslash$", "\\").replace("\\:", ":")
    bare = re.sub(r"\{\\([_&%#$])\}|\\([_&%#$])", lambda match: match[1] or match[2], bare)
    if "{\\" not in bare:
        return bare
    try:
        return _plain(bare)
    except ValueError:
        return name


def _path(name: str, folder: Path) -> Path:
    """Return the path of a name; where only another reading of it leads to a file, the path of that.

    Another reading is the name without LaTeX, or with the slash at its beginning that Mendeley leaves out.
    """
    as_written = file_named(name, folder)
    if isinstance(as_written, ObjectPath) or os.path.exists(as_written):  # noqa: PTH110  # it never raises
        return as_written
    plain = plain_name(name)
    others = (file_named(plain, folder), Path(f"/{name}"), Path(f"/{plain}"))
    return next((path for path in others if os.path.isfile(path)), as_written)  # noqa: PTH113


def _file(item: str) -> str:
    """Return the path in an item of a `file` field; '' where it is no file of a paper."""
    parts = _parted(item, ":")
    name, kind = item, ""
    if len(parts) > 2 and not parts[-1].lower().endswith(IN_LIBRARIES):
        # More than three parts: the colon of a drive, or of a name, has no backslash.
        name, kind = _bare(":".join(parts[1:-1])), parts[-1].strip().lower()
    name = re.sub(rf"\\({_PROTECTED})", r"\1", name)
    return name if name.lower().endswith(IN_LIBRARIES) or kind in PDF_TYPES else ""


_PROTECTED = r"[\\:;{}]"


def _parted(text: str, separator: str) -> list[str]:
    """Cut `text` at each `separator` that no backslash protects."""
    parts = [""]
    for token in re.findall(rf"\\{_PROTECTED}|.", text, re.DOTALL):
        if token == separator:
            parts.append("")
        else:
            parts[-1] += token
    return parts


def _bare(text: str) -> str:
    """Return `text` without the spaces and braces around the whole."""
    text = text.strip(" \t\n")
    whole = re.fullmatch(r"\{((?:\\.|[^\\{}])*)\}", text, re.DOTALL)
    return whole[1].strip(" \t\n") if whole else text
