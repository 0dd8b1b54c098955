"""How long does an editor wait for the verdicts on 500 quotations, and after a keystroke?
`python benchmarks/editor.py CORPUS`.

A real client opens the manuscript in `pagequote lsp`, and then types a letter at a time: half of them within
quotations, half between them. The time is from the message with the new text to its diagnostics; the
processor's is that of the server's process alone.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from cases import draw_cases
from lsprotocol import types
from manuscripts import MANUSCRIPTS, text_of
from pygls.lsp.client import LanguageClient
from tables import markdown_table, measured_on

import lookup

_COUNT = 500
_KEYSTROKES = 100
_PAUSE = 0.1
"""Seconds between two keystrokes, of somebody who types fast."""


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    corpus = parser.parse_args().corpus
    cases = draw_cases(corpus, _COUNT)
    with lookup.open(corpus) as opened:
        pages = [opened.quote(case.key, case.words).matches[0].page for case in cases]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, write in MANUSCRIPTS:
            text = text_of(cases, pages, write)
            rows.append(
                asyncio.run(_session(Path(folder) / name, text, corpus, [case.words for case in cases]))
            )
    columns = ["manuscript", "wrong", "first diagnostics, s", "of processor", "after a change, ms: median",
    "p95",
               "of processor: median", "p95", "memory, MB"]  # fmt: skip
    print(markdown_table(columns, rows))
    papers = len({case.key for case in cases})
    print(f"\n{_COUNT} quotations of {papers} papers, {_KEYSTROKES} keystrokes; {measured_on()}")


async def _session(path: Path, text: str, corpus: Path, words: list[str]) -> list[str]:
    client: Any = LanguageClient("benchmark", "1")
    said = asyncio.Queue[types.PublishDiagnosticsParams]()
    client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(said.put_nowait))
    begun = time.perf_counter()
    await client.start_io(str(Path(sys.executable).with_name("pagequote")), "lsp", "--corpus", str(corpus))
    server = client._server  # noqa: SLF001  # pygls names it nowhere else
    await client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
    client.initialized(types.InitializedParams())
    document = types.TextDocumentItem(path.as_uri(), "", 0, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    wrong = len((await said.get()).diagnostics)
    first, first_processor = time.perf_counter() - begun, _processor(server.pid)
    rng, waits, processor = random.Random(1), [], []
    for version in range(1, _KEYSTROKES + 1):
        at = text.find(rng.choice(words)) + 10 if version % 2 else rng.randrange(len(text) // 400) * 400
        text = f"{text[:at]}x{text[at:]}"
        await asyncio.sleep(_PAUSE)
        before, begun = _processor(server.pid), time.perf_counter()
        named = types.VersionedTextDocumentIdentifier(version, path.as_uri())
        change = types.TextDocumentContentChangeWholeDocument(text)
        client.text_document_did_change(types.DidChangeTextDocumentParams(named, [change]))
        while (await said.get()).version != version:
            pass
        waits.append(1000 * (time.perf_counter() - begun))
        processor.append(1000 * (_processor(server.pid) - before))
    memory = next(
        line for line in Path(f"/proc/{server.pid}/status").read_text().splitlines() if "VmHWM" in line
    )
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return [
        path.name, str(wrong), f"{first:.2f}", f"{first_processor:.2f}", f"{median(waits):.0f}",
        f"{quantiles(waits, n=20)[-1]:.0f}", f"{median(processor):.0f}",
        f"{quantiles(processor, n=20)[-1]:.0f}",
        f"{int(memory.split()[1]) / 1024:.0f}",
    ]  # fmt: skip


def _processor(pid: int) -> float:
    """The seconds of processor that a process has taken, to its clock's hundredth."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


if __name__ == "__main__":
    main()
