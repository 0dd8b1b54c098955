"""Has any measure fallen? `python benchmarks/gate.py [--quick] [--only MEASURE ...] [--update]`.

It builds the shared corpora with the code that is here, runs the scripts that score them, and compares their
figures with the floors in `floors.toml`. Exit status: 0 no floor is undercut, or there are no shared corpora;
1 one is, or a measure could not be taken; 2 some floors are of another corpus (0 with --quick).
"""

import argparse
import ast
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gate_figures import ChangedTableError
from gate_floors import Figures, Judgement, Section, judged, read_floors, shown, written_floors
from gate_measures import CORPORA, MEASURES, Corpus, Measure
from tables import markdown_table

import lookup
from retrieval.embedding.model import MODELS_VARIABLE

ROOT = Path(__file__).resolve().parent.parent

_EVERY = 10
"""The quick part takes the first of each so many documents, in the order of their paths."""


class GateError(Exception):
    """A measure could not be taken; the message says why."""


class Gate:
    """The shared corpora, and what is built of them below `build`: of all documents, or of a tenth."""

    def __init__(self, shared: Path, build: Path, *, tenth: bool) -> None:
        self._shared, self._tenth = shared, tenth
        self._build = build / ("tenth" if tenth else "whole")
        if tenth:  # its figures are those without a model, whether one is here or not
            os.environ[MODELS_VARIABLE] = str(self._build / "models")

    def has_any(self) -> bool:
        """Whether one of the shared corpora is here."""
        return any(self._sources(corpus) for corpus in CORPORA.values())

    def lacks(self, measure: Measure) -> list[str]:
        """The corpora of the measure that are not here."""
        return [name for name in measure.corpora if not self._sources(CORPORA[name])]

    def digests(self, measure: Measure) -> dict[str, str]:
        """A digest of each corpus of the measure, and of its script with the modules next to it."""
        of = {name: self._digest(CORPORA[name]) for name in measure.corpora}
        if measure.ours:
            return of
        scripts = _with_imports(self._folder_of(measure) / measure.script)
        return of | {measure.script: _digest((path.name, path) for path in scripts)}

    def runs(self, measure: Measure) -> tuple[str, ...]:
        """What its script is run with here; nothing where there is nothing to measure."""
        runs = measure.tenth if self._tenth else measure.runs
        return runs if not measure.call or hasattr(lookup, measure.call) else ()

    def figures(self, measure: Measure) -> Figures:
        """What the script of the measure prints. Raise GateError, or ChangedTableError."""
        names = {"shared": str(self._shared)}
        built = [self.built(name) for name in measure.corpora if CORPORA[name].built]
        if built:
            names |= {part: str(built[0] / part) for part in ("corpus", "truth", "sources")}
        folder = self._folder_of(measure)
        printed = []
        for run in self.runs(measure):
            arguments = [word.format_map(names) for word in shlex.split(run)]
            printed.append(_run((sys.executable, str(folder / measure.script), *arguments), folder))
        return measure.read(printed)

    def built(self, name: str) -> Path:
        """The folder with the corpus as it is now, its sources and its truth; built unless it is there.

        Vectors are kept while the code that makes them is the same: a sentence has the vector that it had.
        """
        corpus, folder = CORPORA[name], self._build / name
        made_of = {
            "sources": self._digest(corpus),
            "code": _digest_of_code("lookup", "retrieval", "pipeline", "pagequote"),
            "vectors": _digest_of_code("retrieval/embedding", "lookup/text", "pipeline/embedding"),
        }
        note = folder / "made_of.json"
        before = json.loads(note.read_text()) if note.exists() else {}
        if before == made_of:
            return folder
        note.unlink(missing_ok=True)
        work = "work/extracted" if before.get("vectors") == made_of["vectors"] else "work"
        for old in ("corpus", "sources", "truth", work):
            _remove(folder / old)
        self._lay_out(corpus, folder)
        _say(f"{name}: building a corpus of {len(self._sources(corpus))} sources")
        # Articles in markup are sources where a pattern names their suffix.
        suffixes = sorted({source.suffix for source in self._sources(corpus)})
        sources = [str(folder / "sources" / "**" / f"*{suffix}") for suffix in suffixes]
        where = ["--corpus", str(folder / "corpus"), "--work", str(folder / "work"), "--keys", "file"]
        where += [] if corpus.model else ["--model", "none"]
        _run((sys.executable, "-m", "pagequote", "build", *sources, *where, "--quiet"), ROOT)
        if corpus.model and not any((folder / "corpus").glob("releases/*/vectors.npy")):
            raise GateError(f"{name} was built without vectors: first run `pagequote model get`.")
        note.write_text(json.dumps(made_of))
        return folder

    def _lay_out(self, corpus: Corpus, folder: Path) -> None:
        """Copy the sources alone into `sources`, away from the truth; link what has both into `truth`."""
        origin = self._shared / corpus.folder
        for source in self._sources(corpus):
            copy = folder / "sources" / source.relative_to(origin)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
            if self._tenth:
                linked = folder / "truth" / source.parent.relative_to(origin)
                linked.parent.mkdir(parents=True, exist_ok=True)
                linked.symlink_to(source.parent)
        if not self._tenth:
            (folder / "truth").symlink_to(origin)

    def _sources(self, corpus: Corpus) -> list[Path]:
        every = sorted((self._shared / corpus.folder).glob(corpus.sources))
        return every[::_EVERY] if self._tenth and corpus.built else every

    def _digest(self, corpus: Corpus) -> str:
        """Of the sources, and of what says the truth about them."""
        origin = self._shared / corpus.folder
        sources = self._sources(corpus)
        truth = {
            path for source in sources if source.parent != origin for path in source.parent.glob("truth.*")
        }
        files = sorted({*sources, *truth, *origin.glob("*.jsonl")})
        return _digest((str(path.relative_to(origin)), path) for path in files)

    def _folder_of(self, measure: Measure) -> Path:
        return ROOT / "benchmarks" if measure.ours else self._shared.parent / "bench"


def _run(call: Sequence[str], folder: Path) -> str:
    """What the call prints, with the modules of this checkout."""
    paths = filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise GateError(f"{shlex.join(call)} failed:\n{done.stderr[-3000:]}")
    return done.stdout


def _remove(path: Path) -> None:
    if path.is_symlink():
        path.unlink()
    shutil.rmtree(path, ignore_errors=True)


def _digest(files: Iterable[tuple[str, Path]]) -> str:
    digest = hashlib.sha256()
    for name, path in files:
        digest.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]


def _digest_of_code(*folders: str) -> str:
    paths = (path for folder in folders for path in sorted((ROOT / folder).rglob("*")))
    code = (path for path in paths if path.is_file() and "__pycache__" not in path.parts)
    return _digest((str(path.relative_to(ROOT)), path) for path in code)


def _with_imports(script: Path) -> list[Path]:
    """The script and the modules next to it that it imports, and those that they import."""
    found, left = {script}, [script]
    while left:
        for node in ast.walk(ast.parse(left.pop().read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            new = {script.with_name(f"{name}.py") for name in names} - found
            found |= {path for path in new if path.exists()}
            left += [path for path in new if path.exists()]
    return sorted(found)


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def measured(gate: Gate, names: Sequence[str], jobs: int) -> tuple[dict[str, Figures], list[str]]:
    """The figures of each measure that can be taken here, and what went wrong with the others."""
    faults: list[str] = []
    figures: dict[str, Figures] = {}
    corpora = dict.fromkeys(corpus for name in names for corpus in MEASURES[name].corpora)
    failed = set()
    for corpus in corpora:
        try:
            if CORPORA[corpus].built:
                gate.built(corpus)
        except GateError as error:
            faults.append(str(error))
            failed.add(corpus)

    def take(name: str) -> None:
        try:
            figures[name] = gate.figures(MEASURES[name])
            _say(f"{name}: measured")
        except (GateError, ChangedTableError) as error:
            faults.append(f"{name}: {error}")

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(take, [name for name in names if not failed & set(MEASURES[name].corpora)]))
    return {name: figures[name] for name in names if name in figures}, faults


def report(judgements: Mapping[str, Judgement]) -> str:
    """A table of the figures that are not at their floor, and a line a measure."""
    rows, lines = [], []
    for name, judgement in judgements.items():
        moved = [row for row in judgement.rows if row.state != "held"]
        rows += [
            [name, row.name, row.figure, shown(row.floor), shown(row.now), row.state]
            for row in sorted(moved, key=lambda row: row.rose)
        ]
        rose, undercut = (sum(getattr(row, of) for row in judgement.rows) for of in ("rose", "undercut"))
        counts = f"{len(judgement.rows)} figures, {rose} rose, {undercut} undercut" if judgement.rows else ""
        lines.append(f"{name}: {'; '.join(filter(None, [counts, judgement.message]))}")
    table = markdown_table(["measure", "class", "figure", "floor", "now", ""], rows)
    return "\n".join([table, "", *lines] if rows else lines)


def _commit() -> str:
    """The last commit that changed the packages, with a "+" where they differ from it now."""

    def git(*words: str) -> str:
        call = ("git", "-C", str(ROOT), *words)
        return subprocess.run(call, capture_output=True, text=True, check=False).stdout.strip()

    packages = ("lookup", "retrieval", "pipeline", "pagequote")
    last = git("log", "-1", "--format=%h", "--abbrev=8", "--", *packages)
    return (last or "unknown") + "+" * bool(git("status", "--porcelain", *packages))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare all measures with their floors.")
    parser.add_argument(
        "--quick", action="store_true", help="a tenth of the corpora, without a model: a minute"
    )
    parser.add_argument("--only", nargs="+", default=list(MEASURES), choices=MEASURES, metavar="MEASURE")
    parser.add_argument("--update", action="store_true", help="write higher figures as floors")
    parser.add_argument("--because", default="", metavar="WHY", help="with --update: lower floors too")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "corpus", metavar="FOLDER")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "gate", metavar="FOLDER")
    parser.add_argument("--floors", type=Path, default=ROOT / "benchmarks" / "floors.toml", metavar="FILE")
    parser.add_argument("--jobs", type=int, default=2, help="measures that are taken at the same time")
    asked = parser.parse_args()
    if asked.because and not asked.update:
        parser.error("--because needs --update.")
    return asked


def main() -> None:
    asked = _arguments()
    gate = Gate(asked.shared, asked.build, tenth=asked.quick)
    absent = {name: gate.lacks(MEASURES[name]) for name in asked.only}
    if not gate.has_any():
        _say(
            f"No shared corpora in {str(asked.shared)!r} (--shared names their folder): nothing is compared."
        )
        return
    for name, lacking in absent.items():
        if lacking:
            _say(f"{name}: {' and '.join(lacking)} not in {str(asked.shared)!r}: not compared")
    names = [name for name, lacking in absent.items() if not lacking and gate.runs(MEASURES[name])]
    figures, faults = measured(gate, names, asked.jobs)
    parts = read_floors(asked.floors)
    sections = parts.setdefault("tenth" if asked.quick else "whole", {})
    judgements = {}
    commit = _commit()
    for name in figures:
        measure = MEASURES[name]
        judgements[name] = judged(
            sections.get(name, Section(tolerance=measure.tolerance)),
            gate.digests(measure),
            figures[name],
            commit,
            update=asked.update,
            because=asked.because,
            may_lack_classes=measure.may_lack_classes,
        )
        if judgements[name].section.classes:
            sections[name] = judgements[name].section
    if asked.update:
        asked.floors.write_text(written_floors(parts), encoding="utf-8")
    print(report(judgements), *faults, sep="\n")
    print(f"{sum(os.times()[:4]):.0f} seconds of processor")
    statuses = {judgement.status for judgement in judgements.values()}
    sys.exit(1 if faults or 1 in statuses else 2 if 2 in statuses and not asked.quick else 0)


if __name__ == "__main__":
    main()
