"""Builds within the test's own process, which say what they read: a pool of workers for each would take seconds."""

from dataclasses import replace

from pipeline.build.stages import build
from pipeline.build.survey import Request
from pipeline.engines.workers import Limits, _extract_file, _Scanned
from tests.support.pdfs import pdf


class Library:
    """A folder of PDFs, its corpus, and the names of the files that builds read, in their order."""

    def __init__(self, root, monkeypatch):
        self.root, self.pdfs = root, root / "pdfs"
        self.work, self.corpus = root / "work", root / "corpus"
        self.read = []
        self.pdfs.mkdir()
        monkeypatch.setattr("pipeline.engines.local.extract_all", self._extract_all)

    def add(self, name, text):
        """Write the PDF `name` whose third page, the first that is body, prints `text`."""
        path = self.pdfs / f"{name}.pdf"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pdf("Front", "Matter", text))
        return path

    def build(self, *bibliographies, model=None, limits=None, **options):
        """Build; what was extracted, what was published. `read` then has the files that this build read."""
        self.read.clear()
        others = {name: options.pop(name) for name in ("ocr", "wait") if name in options}
        return build(
            [self.pdfs], list(bibliographies), self.work, self.corpus, 1, limits or Limits(), model,
            request=Request(**options), **others,
        )  # fmt: skip

    def _extract_all(self, sources, work, ocr, workers, limits):
        for source in sources:
            self.read.append(source.path.stem)
            outcome = _extract_file(source, work, ocr, limits)
            if isinstance(outcome, _Scanned):
                outcome = _extract_file(source, work, replace(ocr, granted=outcome.pages), limits)
            yield outcome
