"""Builds within the process of the test: a pool of workers for each would take seconds.

A report takes half of the time of a small build, and few tests look at one: those use the
fixture `reports`.
"""

import shutil
from contextlib import contextmanager
from dataclasses import replace

import pytest
from click.testing import CliRunner

import lookup
from pagequote.cli.commands import pagequote
from pipeline.builds.stages import build as build_stages
from pipeline.builds.survey import BuildSettings
from pipeline.engines.local import Local
from pipeline.engines.workers import extract_file, outcome_of
from pipeline.ocr.tesseract import NO_OCR
from pipeline.publish import publish
from pipeline.publish.checksums import _PROVEN, stamp
from pipeline.work.outcomes import Limits
from tests.support.pdfs import pdf

_write_report = publish.write_report  # type: ignore[attr-defined]


@contextmanager
def without_reports():
    """Publish releases without a report."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publish, "write_report", lambda *_, **__: None)
        yield


@contextmanager
def with_reports():
    """Publish them with a report, within `without_reports`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publish, "write_report", _write_report)
        yield


class InProcess(Local):
    """An engine that reads PDFs in this process. `read` lists the names of the files in the order of
    reading.
    """

    def __init__(self):
        super().__init__(workers=1)
        self.read = []

    @contextmanager
    def begun(self):
        yield self  # there is no process to start

    def extract(self, sources, work, ocr, limits):
        for source in sources:
            self.read.append(source.path.stem)
            read = extract_file(source, work, ocr, limits)
            if isinstance(read, int):
                read = extract_file(source, work, replace(ocr, granted=read), limits)
            yield outcome_of(source, read)


def build(
    sources,
    root,
    bibliographies=(),
    model=None,
    *,
    corpus=None,
    work=None,
    ocr=NO_OCR,
    limits=None,
    wait=0.0,
    engine=None,
    at_once=False,
    **request,
):
    """Build `sources` into the corpus in the folder `root`. Return what was extracted and what was
    published.
    """
    settings = BuildSettings(
        sources, bibliographies, work or root / "work", limits or Limits(), ocr, **request
    )
    here = corpus or root / "corpus"
    built = build_stages(settings, here, engine or InProcess(), model, wait, at_once=at_once)
    assert not built[0].in_lines, "a rule of the layout has failed: see the detail in `failures`"
    return built


@contextmanager
def corpus_of(root, files, *, sources=None, **options):
    """The corpus, open, of files that are written into `root`, by name; `sources` are those that count."""
    for name, data in files.items():
        (root / name).write_bytes(data)
    build([root / name for name in sources or files], root, **options)
    with lookup.open(root / "corpus") as corpus:
        yield corpus


def damage(path, at=0.5, flip=255):
    """Change the byte that is so far in a file, by share or by number: in place, for all that share it."""
    data = bytearray(path.read_bytes())
    data[int(at * len(data)) if at < 1 else int(at)] ^= flip
    with path.open("r+b") as file:
        file.write(data)


class Library:
    """A folder of PDFs, of which one is about each of some animals, and its corpus. `read` lists the names of
    the files that the last build read.
    """

    def __init__(self, root, *animals):
        self.root, self.pdfs = root, root / "pdfs"
        self.work, self.corpus = root / "work", root / "corpus"
        self.engine = InProcess()
        self.read = self.engine.read
        self.pdfs.mkdir(parents=True)
        for name in animals:
            self.add(name, f"A paper about one {name}. Nobody minded.")

    def add(self, name, text):
        """Write the PDF `name` whose third page, the first that is body, prints `text`."""
        path = self.pdfs / f"{name}.pdf"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pdf("Front", "Matter", text))
        return path

    def build(self, *bibliographies, model=None, **options):
        """Build. Return what was extracted and what was published."""
        self.read.clear()
        return build([self.pdfs], self.root, bibliographies, model, engine=self.engine, **options)

    def run(self, *arguments):
        """Run the command on the corpus. Return what Click's runner does."""
        return CliRunner().invoke(pagequote, [*arguments, "--corpus", str(self.corpus)])

    def keep(self):
        """Return a function that brings the library back to what it is now, at the same place."""
        read = list(self.read)
        copy = self.root.with_name(f"{self.root.name}-kept")
        shutil.copytree(self.root, copy, symlinks=True)
        stamps = {path.relative_to(self.root): stamp(path.stat()) for path in self.corpus.rglob("*")}

        def again():
            self.read[:] = read
            shutil.rmtree(self.root)
            shutil.copytree(copy, self.root, symlinks=True)
            # A build knows the files that it wrote by their numbers, which are others now.
            known = (self.corpus / _PROVEN).read_text()
            for path, before in stamps.items():
                known = known.replace(f'"{before}"', f'"{stamp((self.root / path).stat())}"')
            (self.corpus / _PROVEN).write_text(known)

        return again


def built_once(made):
    """Return two fixtures: a library after its first build with what brings it back, and the library so.

    `made` makes the library in a folder; it is built once for all tests of a file.
    """

    @pytest.fixture(scope="module")
    def first(tmp_path_factory):
        library = made(tmp_path_factory.mktemp("first"))
        library.build()
        return library, library.keep()

    return first, brought_back("first")


def brought_back(name):
    """Return a fixture: the library of the fixture `name`, as it was when that kept it."""

    @pytest.fixture
    def kept(request):
        library, again = request.getfixturevalue(name)
        again()
        return library

    return kept
