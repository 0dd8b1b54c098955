"""The reading room of a folder: before anything is read it offers to do so, and opens once something is."""

from asyncio import Lock
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from lookup.errors import PageQuoteError
from pagequote.serving.server_settings import LOCAL_NAMES
from pagequote.web.app import guards
from pagequote.web.folder_reading import FolderReading
from pagequote.web.room import STATIC, page_templates

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
        self._making = Lock()
        self._open = AsyncExitStack()
        self._templates = page_templates()
        self._door = Starlette(
            routes=[
                Route(READING, self._progress, methods=["GET"]),
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

    def _progress(self, _: Request) -> Response:
        return JSONResponse(self._state())

    def _state(self) -> dict[str, object]:
        done, total = self._reading.progress()
        return {
            "is_reading": self._reading.is_reading,
            "can_be_opened": self._reading.can_be_opened,
            "done": done,
            "total": total,
            "status": self._reading.status(),
        }
