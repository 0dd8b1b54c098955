"""`pagequote lsp` as editors meet it: pygls's own client and a real process."""

import asyncio
import io
import json
import re
from pathlib import Path

import pymupdf
import pytest

pytest.importorskip("pygls")

from lsprotocol import types
from pygls.uris import to_fs_path
from pygls.workspace import PositionCodec

from lookup.errors import QueryError
from pagequote.check.configuration import read_configuration
from pagequote.lsp.draft import Positions
from pagequote.lsp.server import QuoteServer, serve
from tests.support.editors import SERVER, editing
from tests.support.forked import forked_command
from tests.support.project import ROOT

KEY = "okafor2021"
QUOTE = "A flooded sheet does betray itself."
SETTINGS = '[check]\nbaseline = "known.json"\n'
NEAR = "It is the *day* that makes the difference"

DRAFTS = {
    "paper.md": f'Work: "{QUOTE}" [@{KEY}, p. 3]. 😀\n\nMore: "{NEAR}" [@ilmarinen2023, p. 212].\n',
    "paper.qmd": f'Work: "{QUOTE}" [@{KEY}, p. 3]. 😀\n\nMore: "{NEAR}" [@ilmarinen2023, p. 212].\n',
    "paper.tex": rf"Work: \enquote{{{QUOTE}}} \cite[3]{{{KEY}}}. 😀"
    "\n\n"
    r"More: \enquote{It is the \emph{day} that makes the difference} \cite[212]{ilmarinen2023}."
    "\n",
    "paper.typ": f'Work: "{QUOTE}" @{KEY}[p. 3]. 😀\n\nMore: "{NEAR}" @ilmarinen2023[p. 212].\n',
}


@pytest.fixture(scope="module")
def forked(tmp_path_factory):
    """The command, where it need not be a process that has imported nothing."""
    with forked_command(tmp_path_factory.mktemp("bin"), SERVER) as folder:
        yield folder / "pagequote"


def edited(text: str, action: types.CodeAction) -> str:
    """Return a text with the edits of an action."""
    assert action.edit
    assert action.edit.changes
    (edits,) = action.edit.changes.values()
    positions = Positions(text, PositionCodec())
    for edit in sorted(edits, key=lambda one: one.range.start.line, reverse=True):
        start, end = positions.offset(edit.range.start), positions.offset(edit.range.end)
        text = text[:start] + edit.new_text + text[end:]
    return text


async def offered(editor, uri, where):
    document = types.TextDocumentIdentifier(uri)
    params = types.CodeActionParams(document, where, types.CodeActionContext([]))
    return {one.title: one for one in await editor.text_document_code_action_async(params)}


@pytest.mark.system
@pytest.mark.parametrize("name", DRAFTS)
def test_each_wrong_quotation_is_underlined_explained_and_mended(corpus_path, tmp_path, forked, name):
    async def session():
        async with editing(corpus_path, tmp_path, command=forked) as editor:
            text = DRAFTS[name]
            uri = editor.open(tmp_path / name, text)
            page, near = await editor.diagnostics(uri)
            assert (page.code, near.code) == ("wrong-page", "near")
            assert page.message == f"verbatim, {KEY}, given page 3, but on page 4"
            assert "[-day-]{+night+}" in near.message
            assert (page.range.start.line, near.range.start.line) == (0, 2)

            actions = await offered(editor, uri, page.range)
            text = edited(text, actions["Correct the page: 4"])
            editor.change(uri, text)
            (near,) = await editor.diagnostics(uri)
            actions = await offered(editor, uri, near.range)
            (words,) = (one for title, one in actions.items() if title.startswith("Use the printed words"))
            text = edited(text, words)
            editor.change(uri, text)
            assert await editor.diagnostics(uri) == []
            assert "night" in text
            assert "p. 212" in text or "[212]" in text

    asyncio.run(session())


@pytest.mark.long
@pytest.mark.system
def test_over_a_quotation_its_sentence_its_page_and_the_strip_of_print_are_shown(corpus_path, tmp_path):
    async def session():
        async with editing(corpus_path, tmp_path) as editor:
            uri = editor.open(
                tmp_path / "a.md", '😀 "people prefer to work by day" [@lindqvist2019, p. 1650]'
            )
            assert await editor.diagnostics(uri) == []
            document, over = types.TextDocumentIdentifier(uri), types.Position(0, 8)
            hover = await editor.text_document_hover_async(types.HoverParams(document, over))
            told = hover.contents.value
            assert hover.range.start.character == 3  # the emoji counts two
            assert "> Most measurements of gas exchange" in told
            assert "**people prefer to work by day.**" in told
            assert "page 1650, right (the printed number)" in told
            picture = Path(str(to_fs_path(told.rpartition("(")[2].rstrip(")"))))
            drawn = pymupdf.Pixmap(picture.read_bytes())
            assert drawn.width > 3 * drawn.height  # the strip of print, not the page
            (link,) = await editor.text_document_document_link_async(types.DocumentLinkParams(document))
            (place,) = await editor.text_document_definition_async(types.DefinitionParams(document, over))
            assert link.target == place.uri
            assert link.target.endswith("lindqvist2019.pdf#page=1")
            beside = types.HoverParams(document, types.Position(0, 0))
            assert await editor.text_document_hover_async(beside) is None
        assert not picture.exists()
        async with editing(corpus_path, tmp_path, markdown=False) as editor:
            uri = editor.open(tmp_path / "a.md", '"people prefer to work by day" [@lindqvist2019]')
            hover = await editor.text_document_hover_async(types.HoverParams(document, over))
            assert "people prefer to work by day" in hover.contents.value
            assert "*" not in hover.contents.value

    asyncio.run(session())


async def proposed(editor, path, before, after="", language=""):
    """Return what is proposed between `before` and `after`, and the text with the first of it."""
    uri, text = path.as_uri(), before + after
    if uri in editor.versions:
        editor.change(uri, text)
    else:
        editor.open(path, text, language)
    positions = Positions(text, PositionCodec())
    cursor = positions.position(len(before))
    params = types.CompletionParams(types.TextDocumentIdentifier(uri), cursor)
    items = (await editor.text_document_completion_async(params)).items
    if items:
        edits = [items[0].text_edit, *(items[0].additional_text_edits or ())]
        for edit in sorted(edits, key=lambda one: one.range.start.character, reverse=True):
            start, end = positions.offset(edit.range.start), positions.offset(edit.range.end)
            text = text[:start] + edit.new_text + text[end:]
    return [item.label for item in items], text


@pytest.mark.system
def test_keys_and_printed_sentences_are_proposed_as_they_are_typed(corpus_path, tmp_path, forked):
    async def session():
        async with editing(corpus_path, tmp_path, command=forked) as editor:
            md, tex, typ = (tmp_path / f"a.{suffix}" for suffix in ("md", "tex", "typ"))
            keys, text = await proposed(editor, md, "As [@lind", "]")
            assert (keys, text) == (["lindqvist2019"], "As [@lindqvist2019]")
            assert (await proposed(editor, md, "someone@lind"))[0] == []
            assert (await proposed(editor, tex, r"\cite[3]{lindqvist2019,oka", "}"))[0][0] == KEY
            assert (await proposed(editor, tex, r"\textcquote{oka"))[0][0] == KEY
            assert (await proposed(editor, tex, r"\emph{oka"))[0] == []
            assert (await proposed(editor, typ, "#cite(<oka", ">)"))[0][0] == KEY

            printed = QUOTE.rstrip(".")
            assert (await proposed(editor, md, 'He says "A flooded'))[0] == []  # in too many papers
            _, text = await proposed(editor, md, 'He says "A flooded sheet does be')
            assert text == f'He says "{printed}" [@{KEY}, p. 4]'
            _, text = await proposed(editor, md, 'He says "A flooded sheet does ', '"')
            assert text == f'He says "{printed}" [@{KEY}, p. 4]'
            _, text = await proposed(editor, md, 'He says "A flooded sheet does ', f'" [@{KEY}]')
            assert text == f'He says "{printed}" [@{KEY}]'
            _, text = await proposed(editor, tex, r"\textcquote[4]{okafor2021}{A flooded sheet does ", "}")
            assert text == rf"\textcquote[4]{{okafor2021}}{{{printed}}}"
            _, text = await proposed(editor, tex, "``A flooded sheet does ", "")
            assert text == rf"``{printed}'' \cite[4]{{{KEY}}}"
            _, text = await proposed(editor, typ, "“A flooded sheet does ", "”")
            assert text == f"“{printed}” #cite(<{KEY}>, supplement: [p. 4])"
            _, text = await proposed(
                editor, tmp_path / "new", 'He says "A flooded sheet does ', "", "markdown"
            )
            assert KEY in text

    asyncio.run(session())


@pytest.mark.system
def test_a_finding_taken_into_the_baseline_is_shown_no_more(corpus_path, tmp_path, forked):
    (tmp_path / "pagequote.toml").write_text(SETTINGS)
    (tmp_path / "paper.md").write_text(DRAFTS["paper.md"])

    async def session():
        async with editing(corpus_path, tmp_path, command=forked) as editor:
            uri = editor.open(tmp_path / "paper.md", DRAFTS["paper.md"])
            page, near = await editor.diagnostics(uri)
            accept = (await offered(editor, uri, page.range))["Take this finding into the baseline"]
            params = types.ExecuteCommandParams(accept.command, accept.arguments)
            await editor.workspace_execute_command_async(params)
            assert await editor.diagnostics(uri) == [near]
        (known,) = json.loads((tmp_path / "known.json").read_text())["known"]
        assert (known["file"], known["key"], known["page"]) == ("paper.md", KEY, "3")

    asyncio.run(session())


@pytest.mark.system
def test_what_cannot_be_judged_is_said_in_the_document(tmp_path, forked):
    async def session():
        async with editing(tmp_path / "none", tmp_path, command=forked) as editor:
            (said,) = await editor.diagnostics(editor.open(tmp_path / "a.md", "A draft."))
            assert "none" in said.message
            (tmp_path / "pagequote.toml").write_text("[check]\nturnips = 1\n")
            (said,) = await editor.diagnostics(editor.open(tmp_path / "b.md", "A draft."))
            assert "turnips" in said.message
            editor.text_document_did_close(
                types.DidCloseTextDocumentParams(
                    types.TextDocumentIdentifier(editor.open(tmp_path / "c.txt", ""))
                )
            )

    asyncio.run(session())


@pytest.mark.long
@pytest.mark.system
def test_the_session_in_the_guide_is_what_happens(corpus_path, tmp_path):
    """The page shows what is sent (>) and what comes back (<), as this client and this server say it."""
    said: list[str] = []

    async def shown(editor, uri):
        found = await editor.diagnostics(uri)
        said.extend(f"< line {one.range.start.line + 1}, {one.code}: {one.message}" for one in found)
        said.extend([] if found else ["< nothing is wrong"])
        return found

    async def session():
        async with editing(corpus_path, tmp_path) as editor:
            text = f'The ice is honest: "{QUOTE}" [@{KEY}, p. 3]\n'
            said.append(f"> open draft.md: {text.strip()}")
            uri = editor.open(tmp_path / "draft.md", text)
            (wrong,) = await shown(editor, uri)
            said.append("> what can be done?")
            actions = await offered(editor, uri, wrong.range)
            said.extend(f"< {title}" for title in actions)
            text = edited(text, actions["Correct the page: 4"])
            said.append(f"> the first of them: {text.strip()}")
            editor.change(uri, text)
            await shown(editor, uri)
            said.append("> what is under the cursor?")
            document, over = types.TextDocumentIdentifier(uri), types.Position(0, 24)
            hover = await editor.text_document_hover_async(types.HoverParams(document, over))
            said.extend(
                f"< {line}" for line in hover.contents.value.splitlines() if line and "file:" not in line
            )
            said.append('> type: And yet "people prefer to')
            labels, after = await proposed(editor, tmp_path / "draft.md", f'{text}And yet "people prefer to ')
            said.extend(f"< {label}" for label in labels)
            said.append(f"> take it: {after.splitlines()[-1]}")
            editor.change(uri, after)
            await shown(editor, uri)

    asyncio.run(session())
    page = (ROOT / "docs/guides/editors.md").read_text(encoding="utf-8")
    assert said == page.partition("## One session")[2].split("```")[1].splitlines()[1:]


def answers_to(monkeypatch, *messages):
    """Return what the server answers to these messages, by their ids."""
    bodies = [
        one if isinstance(one, bytes) else json.dumps({"jsonrpc": "2.0", **one}).encode() for one in messages
    ]
    sent = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)
    answers = io.BytesIO()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(sent)))
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(answers))
    monkeypatch.setattr(answers, "close", lambda: None, raising=False)
    serve(QuoteServer(lambda _: pytest.fail("no document"), lambda *_: None))
    found = re.findall(rb"\r\n\r\n(\{.*?\})(?=Content-Length|$)", answers.getvalue(), re.DOTALL)
    said = [json.loads(one) for one in found]
    return {one["id"]: one for one in said if "id" in one}


INITIALIZE = {"id": 1, "method": "initialize", "params": {"capabilities": {}}}


def completion(number, uri, line=0):
    document = {"textDocument": {"uri": uri}, "position": {"line": line, "character": 0}}
    return {"id": number, "method": "textDocument/completion", "params": document}


@pytest.mark.parametrize("line", [-1, 2**31, 10**400])
def test_a_request_with_parameters_that_are_none_is_answered_under_its_id(monkeypatch, line):
    answers = answers_to(
        monkeypatch, INITIALIZE, completion(2, "file:///a.md", line), completion(3, "file:///a.md")
    )
    assert answers[2]["error"]["code"] == -32602
    assert "result" in answers[3]


@pytest.mark.long
def test_settings_that_come_with_a_document_reach_out_only_from_trusted_folders(tmp_path):
    (tmp_path / "sent").mkdir()
    (tmp_path / "sent/pagequote.toml").write_text('[check]\ncorpus = "s3://elsewhere/corpus"\n')
    document = tmp_path / "sent/draft.md"
    with pytest.raises(QueryError, match="not in its folder"):
        read_configuration(None, document, [tmp_path / "other"])
    assert str(read_configuration(None, document, [tmp_path]).corpus) == "s3://elsewhere/corpus"
