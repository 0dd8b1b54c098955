"""The reading room of a folder: it offers to read the PDFs, reads them beside it, and opens once it can."""

import asyncio
import hashlib
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from threading import Lock, Thread

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from lookup.errors import PageQuoteError, SourceError
from lookup.release.current import CURRENT, beside, current_folder
from lookup.results.answer import counted, short
from lookup.storage.untrusted_files import read_file
from lookup.text.printable import on_one_line
from pagequote.serving.server_settings import LOCAL_NAMES
from pagequote.web.app import guards
from pagequote.web.room import STATIC, page_templates
from pipeline.files.atomic import write_atomically
from pipeline.files.known_contents import names_of_contents
from pipeline.processes.operating_system import file_name

DATA_VARIABLE = "XDG_DATA_HOME"
"""Names the folder of the user's data, in which the corpora of folders are."""

_STEPS = (5, 50, 500)
"""PDFs that are read and published before all others, so that something can be quoted within seconds."""

_A_SECOND = 3
"""PDFs that two processors read in a second, by which the time is estimated: 57 papers of ten pages took
14.4 s."""


def _changed(path: Path) -> int:
    return path.stat().st_mtime_ns


def corpus_of_folder(folder: Path) -> Path:
    """Return where the corpus of a folder is: among the data of the user, by the folder's name and path."""
    data = Path(os.environ.get(DATA_VARIABLE) or Path.home() / ".local" / "share")
    resolved = folder.resolve()
    digest = hashlib.sha256(os.fsencode(resolved)).hexdigest()[:8]
    return data / "pagequote" / f"{resolved.name or 'root'}-{digest}" / "corpus"


class FolderReading:
    """The PDFs of a folder, and the builds that read them, in processes of their own."""

    def __init__(self, folder: Path, corpus: Path) -> None:
        self.folder, self.corpus = folder, corpus
        self._lock = Lock()
        self._process: subprocess.Popen[str] | None = None
        self._thread: Thread | None = None
        self._begun: Sequence[tuple[str, int, int]] | None = None
        self._closed = False
        self._failure = ""
        self._before: Path | None = None  # The release that there was before the build that runs.

    def offer(self) -> str:
        """Return what there is to read: how many PDFs, how large, and for how long it will take."""
        seen = self._seen()
        size = max(1, sum(bytes_ for _, bytes_, _ in seen) / 1e6)
        minutes = len(seen) / _A_SECOND / 60
        if not seen:
            return ""
        time = f"{minutes:.0f} minutes" if minutes >= 1.5 else "a minute"
        return f"{counted(len(seen), 'PDF')}, {size:,.0f} MB: about {time} to read, and more for scans"

    @property
    def can_be_opened(self) -> bool:
        """Whether there is a release to read."""
        return (self.corpus / CURRENT).exists()

    @property
    def is_reading(self) -> bool:
        """Whether a build runs."""
        return self._thread is not None and self._thread.is_alive()

    def progress(self) -> tuple[int, int]:
        """Return how many PDFs of the folder have been read, by all builds, and how many there are."""
        total = len(self._seen())
        return min(len(self._records()), total), total

    def _records(self) -> list[Path]:
        """Return the files of what has been read, the last one last."""
        extracted = beside(self.corpus, "work") / "extracted"
        newest = max(extracted.iterdir(), key=_changed) if extracted.is_dir() else extracted
        return sorted(newest.glob("*/*.arrow"), key=_changed)

    def status(self) -> str:
        """Return a line on the reading for a page; "" where there is nothing to report."""
        if self.is_reading:
            done, total = self.progress()
            if done < total:
                names = names_of_contents(beside(self.corpus, "work"))
                shas = [one.name.partition(".")[0] for one in self._records()[-1:]]  # before what OCR read it
                read = [short(on_one_line(Path(names[one]).name), 100) for one in shas if one in names]
                last = "".join(f" The last one was {name}." for name in read)
                return f"Reading the folder: {done} of {counted(total, 'PDF')}.{last}"
            if self._published() == self._before:
                return "The folder is read. All its papers can be quoted in a moment."
            return "The folder is read. Meaning follows, for searches by topic."
        return self._failure

    def _published(self) -> Path | None:
        return current_folder(self.corpus) if self.can_be_opened else None

    def begin(self) -> None:
        """Read what is new in the folder, unless a build runs or nothing changed since the last one."""
        with self._lock:
            seen = self._seen()
            if self._closed or self.is_reading or not seen or seen == self._begun:
                return
            self._begun, self._failure = seen, ""
            self._thread = Thread(target=self._read, args=(seen,), daemon=True)
            self._thread.start()

    def add(self, name: str, pdf: bytes) -> str:
        """Write a PDF into the folder, and return its name there: another one if the name is taken.

        A PDF that is there already, in whatever folder below, is not written again. Raise SourceError for
        what is no PDF, and where the folder cannot be written.
        """
        if b"%PDF-" not in pdf[:1024]:
            raise SourceError(f"{name!r} is no PDF. Drop PDFs, or put other documents into the folder.")
        for there, size, _ in self._seen():
            if size == len(pdf) and read_file(Path(there)) == pdf:
                return Path(there).name
        stem = file_name(Path(name).stem)
        names = (f"{stem}{f'-{number}' if number else ''}.pdf" for number in (0, *range(2, 10_000)))
        taken = {one.name.casefold() for one in self.folder.iterdir()}  # another system may read the folder
        path = self.folder / next(one for one in names if one.casefold() not in taken)
        try:
            write_atomically(path, pdf, path.parent)
        except OSError as error:
            raise SourceError(f"{str(path)!r} cannot be written ({error.strerror}).") from error
        return path.name

    def close(self) -> None:
        """End the build. What it has read is kept, and the next one goes on from there."""
        with self._lock:
            self._closed = True
            process, thread = self._process, self._thread
        if process is not None:
            process.terminate()
        if thread is not None:
            thread.join()

    def _seen(self) -> list[tuple[str, int, int]]:
        """Return path, bytes and time of change of each PDF in the folder and below, by path."""
        found = []
        for top, folders, names in os.walk(self.folder):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                if name.lower().endswith(".pdf") and not name.startswith("."):
                    path = os.path.join(top, name)  # noqa: PTH118  # of many thousand
                    try:
                        stat = os.stat(path)  # noqa: PTH116
                    except OSError:
                        continue  # removed meanwhile
                    found.append((path, stat.st_size, stat.st_mtime_ns))
        return found

    def _read(self, seen: Sequence[tuple[str, int, int]]) -> None:
        steps = () if self.can_be_opened else [step for step in _STEPS if len(seen) > 2 * step]
        for step in steps:
            self._build([path for path, *_ in seen[:step]])
        self._build([str(self.folder)])

    def _build(self, sources: Sequence[str]) -> None:
        command = [sys.executable, "-m", "pagequote", "build", *sources, "--quiet", "--max-gone", "100%"]
        command += ["--corpus", str(self.corpus), "--wait", "60"]
        self._before = self._published()
        with self._lock:
            if self._closed:
                return
            self._failure = ""  # of the first PDFs alone, if they could not be read
            self._process = subprocess.Popen(  # noqa: S603  # our own command
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
            )
        _, errors = self._process.communicate()
        if self._process.returncode not in (0, 3) and not self._closed:
            self._failure = short(on_one_line(errors.strip().splitlines()[-1] if errors.strip() else ""), 300)


READING = "/reading"  # Where the reading is begun (POST), and how far it is (GET); a PDF is put below it.

_LARGEST_PDF = 512 << 20
"""Bytes of a PDF that is put into the folder by a browser; it is in memory for a moment."""


class FolderRoom:
    """An ASGI app: the reading room that `make_room` makes once there is a release, and the offer before.

    New PDFs of the folder are looked for with each visit of the first page.
    """

    def __init__(
        self,
        reading: FolderReading,
        make_room: Callable[[], Starlette],
        names: Iterable[str] = LOCAL_NAMES,
    ) -> None:
        self._reading = reading
        self._make_room = make_room
        self._room: Starlette | None = None
        self._making = asyncio.Lock()
        self._open = AsyncExitStack()
        self._templates = page_templates()
        self._door = Starlette(
            routes=[
                Route(READING, lambda _: JSONResponse(self._state()), methods=["GET"]),
                Route(READING, self._begin, methods=["POST"], max_body_size=0),
                Route(f"{READING}/{{name}}", self._add, methods=["PUT"], max_body_size=_LARGEST_PDF),
                Mount("/static", StaticFiles(directory=STATIC)),
                Route("/{rest:path}", self._offer, methods=["GET"]),
            ],
            middleware=guards(names),
            lifespan=self._lifespan,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request by the room, or by the door before there is one."""
        app = self._door
        if scope["type"] == "http" and not f"{scope['path']}/".startswith(f"{READING}/"):
            async with self._making:  # one room, however many requests come first
                if self._room is None and self._reading.can_be_opened:
                    room = await run_in_threadpool(self._make_room)
                    room.state.room.reading, room.state.room.adds = self._reading.status, READING
                    await self._open.enter_async_context(room.router.lifespan_context(room))
                    self._room = room
            app = self._room or self._door
            if app is not self._door and scope["path"] == "/":
                await run_in_threadpool(self._reading.begin)
        await app(scope, receive, send)

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        async with self._open:
            yield

    def _offer(self, request: Request) -> Response:
        if request.url.path != "/":
            return RedirectResponse("/", 303)
        values = {"offer": self._reading.offer(), "kept": self._reading.corpus, "reading": READING}
        values |= self._state()
        return HTMLResponse(self._templates.get_template("folder.html").render(values))

    def _begin(self, _: Request) -> Response:
        self._reading.begin()
        return RedirectResponse("/", 303)

    async def _add(self, request: Request) -> Response:
        try:
            name = await run_in_threadpool(
                self._reading.add, request.path_params["name"], await request.body()
            )
        except PageQuoteError as error:
            return JSONResponse({"error": str(error)}, 400)
        self._reading.begin()
        return JSONResponse({"name": name}, 201)

    def _state(self) -> dict[str, object]:
        done, total = self._reading.progress()
        return {
            "is_reading": self._reading.is_reading,
            "can_be_opened": self._reading.can_be_opened,
            "done": done,
            "total": total,
            "status": self._reading.status(),
        }
