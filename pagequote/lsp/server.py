"""The language server: an editor's requests, answered with what `pagequote.check` and a corpus say."""

import asyncio
import hashlib
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import JsonRPCNotification, RPCRequest
from pygls.uris import to_fs_path

import lookup
from lookup.corpus import Corpus
from lookup.errors import PageQuoteError
from lookup.storage.object_path import ObjectPath
from lookup.text.printable import on_one_line
from pagequote.check.configuration import Configuration, read_configuration
from pagequote.check.judge import Finding
from pagequote.check.kept import write_baseline
from pagequote.check.manuscript import SUFFIXES
from pagequote.check.report import strip_picture
from pagequote.lsp.completion import Typed, completions
from pagequote.lsp.draft import (
    ACCEPT,
    OPEN,
    Draft,
    EditedDraft,
    Positions,
    actions,
    diagnostic,
    draft,
    failure,
    hover,
)
from pipeline.files.drawn_page import Draw

T = TypeVar("T")

_SUFFIX = {
    "latex": ".tex",
    "tex": ".tex",
    "markdown": ".md",
    "quarto": ".qmd",
    "rmd": ".rmd",
    "typst": ".typ",
    "org": ".org",
    "restructuredtext": ".rst",
}
"""The suffix of a document that has no name yet, by what editors call its language."""


@dataclass
class _Opened:
    """A document that an editor has open: its settings, and its newest version that was judged."""

    path: Path
    draft: Draft | None = None
    configuration: Configuration = field(default_factory=Configuration)
    version: int | None = None
    publishing: asyncio.Task[None] | None = None


class QuoteServer(LanguageServer):
    """Judges the open documents over the corpus that `corpus_at` opens: the one named, else the default.

    `draw` makes pictures of pages; `show` opens the PDF of a paper at a page, where the server runs.
    """

    def __init__(
        self,
        corpus_at: Callable[[Path | None], Corpus],
        show: Callable[[Corpus, str, int], None],
        draw: Draw | None = None,
        config: Path | None = None,
    ) -> None:
        # Whole documents: pygls applies partial changes by lines of its own, of which a form feed ends one.
        sync = types.TextDocumentSyncKind.Full
        super().__init__("pagequote", lookup.__version__, sync, protocol_cls=_Protocol)
        self._corpus_at = corpus_at
        self._show = show
        self._draw = draw
        self._config = config
        self._trusted: list[Path] = []
        self._opened: dict[str, _Opened] = {}
        self._judging = ThreadPoolExecutor(1)
        self._pictures = TemporaryDirectory(prefix="pagequote-")

    def opened(self, params: types.DidOpenTextDocumentParams | types.DidSaveTextDocumentParams) -> None:
        """Judge a document that was opened or saved; its settings are read again. Leave others alone.

        One that is saved and not open is left alone: pygls would read whatever its path names.
        """
        if params.text_document.uri not in self.workspace.text_documents:
            return
        document = self.workspace.get_text_document(params.text_document.uri)
        path = Path(to_fs_path(document.uri) or document.path)
        if path.suffix.lower() not in SUFFIXES:
            path = path.with_suffix(_SUFFIX.get(document.language_id or "", path.suffix))
        if path.suffix.lower() in SUFFIXES:
            before = self._opened.get(document.uri)
            self._opened[document.uri] = now = _Opened(path, before.draft if before else None)
            try:
                now.configuration = read_configuration(self._config, path, self._trusted)
            except PageQuoteError as error:
                self._say(document.uri, [failure(str(error))])
                return
            self._judge(document.uri)

    def begun(self, params: types.InitializeParams) -> None:
        """Keep the folders of which the editor says that their settings may reach out of them."""
        given = params.initialization_options
        named = given.get("trustedFolders") if isinstance(given, dict) else None
        folders = named if isinstance(named, list) else []
        self._trusted = [Path(one).expanduser() for one in folders if isinstance(one, str)]

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """Judge the newest version of a document."""
        self._judge(params.text_document.uri)

    def _judge(self, uri: str) -> None:
        """Judge a document, and all versions of it that come meanwhile up to the newest."""
        known = self._opened.get(uri)
        if known is not None and (known.publishing is None or known.publishing.done()):
            known.publishing = asyncio.get_running_loop().create_task(self._publish(uri))

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """Forget a document."""
        uri = params.text_document.uri
        if self._opened.pop(uri, None):
            self._say(uri, [])

    async def _publish(self, uri: str) -> None:
        said = None
        while uri in self._opened and said != self.workspace.get_text_document(uri).version:
            said = self.workspace.get_text_document(uri).version
            try:
                document = await self.document(uri)
            except PageQuoteError as error:
                self._say(uri, [failure(str(error))], said)
                continue
            if document is not None and uri in self._opened:
                wrong = [diagnostic(one, document.positions) for one in document.draft.wrong]
                self._say(uri, wrong, said)

    def _say(self, uri: str, diagnostics: list[types.Diagnostic], of: int | None = None) -> None:
        params = types.PublishDiagnosticsParams(uri, diagnostics, of)
        self.text_document_publish_diagnostics(params)

    async def document(self, uri: str) -> EditedDraft | None:
        """Return the newest version of an open document, judged, None if it is none. Raise PageQuoteError."""
        known = self._opened.get(uri)
        if known is None:
            return None
        text = self.workspace.get_text_document(uri)
        if known.draft is None or known.version != text.version:
            number, source = text.version, text.source
            settings, before = known.configuration, known.draft
            known.draft = await self._in_thread(
                lambda: draft(known.path, source, self._corpus_at(settings.corpus), settings, before)
            )
            known.version = number
        positions = Positions(known.draft.manuscript.source, text.position_codec)
        return EditedDraft(uri, known.draft, positions, self.corpus(uri))

    async def _in_thread(self, call: Callable[[], T]) -> T:
        """Return what `call` returns, one call after the other, while messages are read."""
        return await asyncio.get_running_loop().run_in_executor(self._judging, call)

    def corpus(self, uri: str) -> Corpus:
        """Return the corpus by which a document is judged. Raise PageQuoteError."""
        known = self._opened.get(uri)
        return self._corpus_at(known.configuration.corpus if known else None)

    async def hover(self, params: types.HoverParams) -> types.Hover | None:
        """Return what is known of the quotation under the cursor."""
        document = await self.document(params.text_document.uri)
        if document is None:
            return None
        at = document.positions.offset(params.position)
        finding = next(iter(document.draft.at(at, at)), None)
        if finding is None:
            return None
        corpus = document.corpus
        picture = await asyncio.to_thread(self._picture, corpus, finding)
        capabilities = self.client_capabilities.text_document
        kinds = (capabilities and capabilities.hover and capabilities.hover.content_format) or ()
        markdown = types.MarkupKind.Markdown in kinds
        pdf = address(corpus, finding.key) if finding.page is not None else ""
        text = hover(finding, pdf, picture, markdown=markdown)
        kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
        quotation = finding.quotation
        return types.Hover(
            types.MarkupContent(kind, text), document.positions.range(quotation.start, quotation.end)
        )

    def _picture(self, corpus: Corpus, finding: Finding) -> Path | None:
        """Return a file with the strip of print that has the words, marked; None if it cannot be drawn."""
        match = finding.match
        if self._draw is None or match is None:
            return None
        shown = (corpus.original(match.key).sha256, match.boxes)
        file = Path(self._pictures.name) / f"{hashlib.sha256(repr(shown).encode()).hexdigest()}.png"
        if not file.exists():
            strip = strip_picture(corpus, match, self._draw)
            if strip is None:
                return None
            file.write_bytes(strip.png)
        return file

    async def actions(self, params: types.CodeActionParams) -> list[types.CodeAction | types.Command]:
        """Return what can be done about the quotations in a range."""
        document = await self.document(params.text_document.uri)
        if document is None:
            return []
        start, end = map(document.positions.offset, (params.range.start, params.range.end))
        return await self._in_thread(lambda: [*actions(document, start, end)])

    async def completions(self, params: types.CompletionParams) -> types.CompletionList:
        """Return the keys or printed words that go on with what is typed."""
        uri = params.text_document.uri
        known, items = self._opened.get(uri), []
        if known is not None:
            text = self.workspace.get_text_document(uri)
            source = text.source
            positions = Positions(source, text.position_codec)
            with suppress(PageQuoteError):  # the diagnostics say what is wrong
                typed = Typed(source, positions.offset(params.position), positions)
                markup, vocabulary = SUFFIXES[known.path.suffix.lower()], known.configuration.vocabulary
                items = await self._in_thread(
                    partial(completions, self.corpus(uri), typed, markup, vocabulary)
                )
        return types.CompletionList(is_incomplete=True, items=items)

    async def definition(self, params: types.DefinitionParams) -> list[types.Location]:
        """Return the PDF, at the page that prints the quotation under the cursor."""
        document = await self.document(params.text_document.uri)
        if document is None:
            return []
        at = document.positions.offset(params.position)
        nowhere = types.Range(types.Position(0, 0), types.Position(0, 0))
        found = [one for one in document.draft.at(at, at) if one.page is not None]
        pdfs = [(address(document.corpus, one.key), one.page) for one in found]
        return [types.Location(f"{pdf}#page={page}", nowhere) for pdf, page in pdfs if pdf]

    async def links(self, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        """Return a link for each quotation that is printed, to its page."""
        document = await self.document(params.text_document.uri)
        if document is None:
            return []
        found = [one for one in document.draft.findings if one.page is not None]
        pdfs = await self._in_thread(lambda: {one.key: address(document.corpus, one.key) for one in found})
        return [
            types.DocumentLink(
                document.positions.range(one.quotation.start, one.quotation.end),
                f"{pdfs[one.key]}#page={one.page}",
                f"Page {one.page} of {one.key}",
            )
            for one in found
            if pdfs[one.key]
        ]

    async def accept(self, uri: str, start: int) -> None:
        """Take the finding on the quotation at `start` into the baseline."""
        document = await self.document(uri)
        for finding in document.draft.wrong if document else ():
            baseline = document.draft.judged_by[1].baseline if document else None
            if finding.quotation.start == start and baseline is not None:
                write_baseline(baseline, [finding], beside=True)
        if uri in self._opened:
            self._opened[uri].version = None
            self._judge(uri)

    async def open_page(self, uri: str, key: str, page: int) -> None:
        """Open the PDF of a paper at a page, or tell why not."""
        try:
            await asyncio.to_thread(self._show, self.corpus(uri), key, page)
        except PageQuoteError as error:
            message = types.ShowMessageParams(types.MessageType.Warning, str(error))
            self.window_show_message(message)

    def shutdown(self) -> None:
        """End the threads, and remove the pictures."""
        self._judging.shutdown(wait=False, cancel_futures=True)
        self._pictures.cleanup()
        super().shutdown()


_IGNORED = "$/ignored"  # A notification that means nothing, in place of what is no message.


class _Protocol(LanguageServerProtocol):
    """Answers each request under its id, also one whose parameters are none, or that comes too late."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return the message, or one that means nothing where it has been refused."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and isinstance(number := data.get("id"), int | str):
                self._send_response(number, error=error.to_response_error())
            return JsonRPCNotification(_IGNORED, self.VERSION, None)

    def handle_message(self, message: Any) -> None:
        """Answer a message; a request after `shutdown` is an error."""
        if self._shutdown and isinstance(message, RPCRequest):
            error = JsonRpcInvalidRequest("the server was shut down")
            self._send_response(message.id, error=error.to_response_error())
        else:
            super().handle_message(message)


def address(corpus: Corpus, key: str) -> str:
    """Return the address of the PDF of a paper; '' if it is on no disk."""
    place = corpus.original(key).place
    return "" if isinstance(place, ObjectPath) else place.as_uri()


def in_a_sentence(record: logging.LogRecord) -> bool:
    """Leave of an error that the editor gets as an answer its sentence, without the traceback; keep all."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(record.msg, str) and record.msg.startswith("Unable to deserialize message"):
        record.msg, record.args = "pagequote: The editor sent a message with parameters that are none.", ()
    if isinstance(error, JsonRpcException):
        record.msg, record.args, record.exc_info = f"pagequote: {on_one_line(str(error))}", (), None
    return True


def serve(server: QuoteServer) -> None:
    """Serve one editor over standard input and output, until it leaves."""
    logging.getLogger("pygls.protocol.json_rpc").addFilter(in_a_sentence)
    triggers = types.CompletionOptions(["@", "{", ",", "<", " "])
    for name, answer, options in (
        (types.INITIALIZE, server.begun, None),
        (types.TEXT_DOCUMENT_DID_OPEN, server.opened, None),
        (types.TEXT_DOCUMENT_DID_SAVE, server.opened, None),
        (types.TEXT_DOCUMENT_DID_CHANGE, server.changed, None),
        (types.TEXT_DOCUMENT_DID_CLOSE, server.closed, None),
        (types.TEXT_DOCUMENT_HOVER, server.hover, None),
        (types.TEXT_DOCUMENT_CODE_ACTION, server.actions, None),
        (types.TEXT_DOCUMENT_COMPLETION, server.completions, triggers),
        (types.TEXT_DOCUMENT_DEFINITION, server.definition, None),
        (types.TEXT_DOCUMENT_DOCUMENT_LINK, server.links, None),
    ):
        server.feature(name, options)(partial(answer))  # pygls writes attributes on it
    server.command(ACCEPT)(partial(server.accept))
    server.command(OPEN)(partial(server.open_page))
    server.start_io()
