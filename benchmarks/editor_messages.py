"""Does the language server stand what an editor sends? `python benchmarks/editor_messages.py CORPUS`.

A server over the sample corpus gets 1,200 messages, drawn by `--seed`: whole new versions of drafts in four
languages, hovers, completions, actions, links, places out of the text, documents that were never opened. It
may map `--memory` MiB. Each request has to be answered, with a result or an error of the protocol; the last
version of each draft is judged; and the server's memory after the last third must be that after the second.
"""

import argparse
import asyncio
import os
import random
import shutil
import stat
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from doors import used
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from tables import markdown_table, measured_on

from tests.support.editors import editing

_GROWS = 1.1  # How many times the memory after two thirds it may have at the end.
_WRONG = "“It is the day that makes the difference”"
_DRAFTS = {
    "a.md": _WRONG + " [@ilmarinen2023, p. 212]. ",
    "b.tex": r"\enquote{It is the day that makes the difference} \cite[212]{ilmarinen2023}. ",
    "c.typ": '"It is the day that makes the difference" @ilmarinen2023[p. 212]. ',
    "d.qmd": _WRONG + " [@nobody2001]. ",
}


def limited(folder: Path, memory: int) -> Path:
    """Write the command, which may map so many MiB, and keeps the number of its process beside it."""
    command = folder / "pagequote"
    shell = shutil.which("sh")
    command.write_text(
        f"#!{shell}\necho $$ > {folder}/pid\nulimit -v {memory << 10}\n"
        f'exec {sys.executable} -m pagequote "$@"\n'
    )
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    return command


async def one_message(client: Any, uris: list[str], rng: random.Random) -> str:
    """Send a message; return how it ended."""
    uri = rng.choice([*uris, "file:///never/opened.md"])
    place = types.Position(rng.choice([0, 0, 1, 10**6]), rng.choice([0, 5, 40, 10**9]))
    document = types.TextDocumentIdentifier(uri)
    everywhere = types.Range(types.Position(0, 0), types.Position(9, 0))
    kind = rng.choice(["change", "change", "hover", "complete", "act", "link", "define", "unknown command"])
    asked = {
        "hover": lambda: client.text_document_hover_async(types.HoverParams(document, place)),
        "complete": lambda: client.text_document_completion_async(types.CompletionParams(document, place)),
        "act": lambda: client.text_document_code_action_async(
            types.CodeActionParams(document, everywhere, types.CodeActionContext([]))
        ),
        "link": lambda: client.text_document_document_link_async(types.DocumentLinkParams(document)),
        "define": lambda: client.text_document_definition_async(types.DefinitionParams(document, place)),
        "unknown command": lambda: client.workspace_execute_command_async(
            types.ExecuteCommandParams("pagequote.nothing", ["a", 1])
        ),
    }
    if kind == "change":
        if uri in uris:
            draft = _DRAFTS[uri.rpartition("/")[2]]
            client.change(uri, draft * rng.choice([0, 1, 2, 30]) + "\x00\ud7ff😀" * rng.choice([0, 1]))
        return kind
    try:
        await asyncio.wait_for(asked[kind](), 600)
    except JsonRpcException:
        return f"{kind}: an error of the protocol"
    return kind


async def session(corpus: Path, messages: int, seed: int, memory: int) -> tuple[Counter[str], list[int], int]:
    """Return how the messages ended, the server's memory after each third, and judged drafts at the end."""
    rng = random.Random(seed)
    ended: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = limited(folder, memory)
        async with editing(corpus, folder, command=command) as editor:
            pid = int((folder / "pid").read_text())
            uris = [editor.open(folder / draft, text) for draft, text in _DRAFTS.items()]
            held = []
            for number in range(messages):
                ended[await one_message(editor, uris, rng)] += 1
                if (number + 1) % (messages // 3) == 0:
                    held.append(used(pid)[0])
            judged = 0
            for uri in uris:
                editor.change(uri, _DRAFTS[uri.rpartition("/")[2]])
                judged += len(await editor.diagnostics(uri)) == 1
    return ended, held, judged


def main() -> None:
    """Print what became of the messages."""
    parser = argparse.ArgumentParser(description="Send an editor's messages by chance.")
    parser.add_argument("corpus", type=Path, help="the sample corpus, as `make demo` leaves it")
    parser.add_argument("--messages", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", type=int, default=2048, help="MiB that the server may map")
    asked = parser.parse_args()
    os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parents[1])
    ended, held, judged = asyncio.run(
        session(asked.corpus.resolve(), asked.messages, asked.seed, asked.memory)
    )
    print(
        markdown_table(["message", "sent and answered"], [[how, str(n)] for how, n in sorted(ended.items())])
    )
    shown = ", ".join(map(str, held))
    print(
        f"\n{ended.total()} messages; MiB after each third: {shown}, of {asked.memory} that it may map; ",
        end="",
    )
    print(f"{judged} of {len(_DRAFTS)} drafts judged at the end. Seed {asked.seed}; {measured_on()}")
    sys.exit(judged != len(_DRAFTS) or held[-1] > _GROWS * held[-2])


if __name__ == "__main__":
    main()
