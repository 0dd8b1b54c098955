"""An editor: pygls's own client, and a real process of `pagequote lsp`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.support.project import PAGEQUOTE
from tests.support.waiting import PATIENCE

SERVER = (
    "pagequote.cli.servers",
    "lookup.corpus",
    "pagequote.lsp.server",
    "pagequote.check.markdown",
    "pagequote.check.latex",
)
"""What the command imports to serve an editor, for forks of a process that has done that."""


class Editor(LanguageClient):
    """A client that keeps the newest diagnostics of each document."""

    def __init__(self) -> None:
        super().__init__("editor", "1")
        self.versions: dict[str, int] = {}
        self.said: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.shown: asyncio.Queue[str] = asyncio.Queue()
        self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self.said.put_nowait))
        self.feature(types.WINDOW_SHOW_MESSAGE)(lambda params: self.shown.put_nowait(params.message))

    def open(self, path: Path, text: str | None = None, language: str = "") -> str:
        """Open a document. Return its address."""
        uri, text = path.as_uri(), path.read_text(encoding="utf-8") if text is None else text
        self.versions[uri] = 1
        document = types.TextDocumentItem(uri, language, 1, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(document))
        return uri

    def change(self, uri: str, text: str) -> None:
        """Send a new version of a document."""
        self.versions[uri] += 1
        document = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    async def diagnostics(self, uri: str) -> list[types.Diagnostic]:
        """Return the diagnostics of the newest version."""
        while True:
            said = await asyncio.wait_for(self.said.get(), PATIENCE)
            if said.uri == uri and said.version in (None, self.versions[uri]):
                return list(said.diagnostics)


@asynccontextmanager
async def editing(
    corpus: Path, folder: Path, *, command: Path = PAGEQUOTE, markdown: bool = True
) -> AsyncIterator[Any]:
    """An editor with a server over the corpus, which is asked to end, and ends."""
    editor = Editor()
    await editor.start_io(str(command), "lsp", "--corpus", str(corpus))
    kinds = [types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText]
    hover = types.HoverClientCapabilities(content_format=kinds)
    capabilities = types.ClientCapabilities(text_document=types.TextDocumentClientCapabilities(hover=hover))
    await editor.initialize_async(types.InitializeParams(capabilities, root_uri=folder.as_uri()))
    editor.initialized(types.InitializedParams())
    try:
        yield editor
    finally:
        await editor.shutdown_async(None)
        editor.exit(None)
        await editor.stop()
