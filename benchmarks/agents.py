"""What do agents pay for the tools and for ten usual answers? `python benchmarks/agents.py CORPUS`.

The answers are those of `pagequote mcp` on its standard output; four characters are counted as a token.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from cases import Case, draw_cases
from tables import markdown_table, measured_on

_CHARACTERS_A_TOKEN = 4
_CHANGED = "turnips"
_TOPIC = "how long do antibodies stay in the blood after birth"

Asked = tuple[str, dict[str, Any]]


def _misquoted(words: str) -> str:
    first, *rest = words.split()
    return " ".join([first, _CHANGED, *rest[1:]])


def _checked(cases: list[Case]) -> Asked:
    return "check_quotes", {"quotes": [{"key": case.key, "quote": case.words} for case in cases]}


def ten_answers(cases: list[Case]) -> dict[str, Asked]:
    """Return ten usual calls by what they are."""
    one = cases[0]
    bad = [Case(case.key, _misquoted(case.words)) for case in cases[1:10]]
    return {
        "`get_quote`, verbatim": ("get_quote", {"key": one.key, "query": one.words}),
        "`get_quote`, near": ("get_quote", {"key": one.key, "query": _misquoted(one.words)}),
        "`get_quote`, related": ("get_quote", {"key": one.key, "query": f"{_TOPIC} {one.words[:40]}"}),
        "`check_quotes`, one": _checked([one]),
        "`check_quotes`, ten, nine of them near": _checked([one, *bad]),
        "`search`": ("search", {"query": _TOPIC}),
        "keywords (`find`)": ("find", {"query": "antibodies blood"}),
        "a phrase (`find`)": ("find", {"query": one.words, "mode": "phrase"}),
        "`list_papers`": ("list_papers", {"query": one.key}),
        "`get_page`": ("get_page", {"key": one.key, "page": 2}),
    }


class Server:
    """A process that serves agents, as their clients start it."""

    def __init__(self, corpus: Path) -> None:
        command = [sys.executable, "-m", "pagequote", "mcp", "--corpus", str(corpus)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        about = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "", "version": ""},
        }
        self.ask("initialize", about)

    def ask(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """Return the result of a request. An answer that says that it failed ends the benchmark."""
        assert self._process.stdin
        assert self._process.stdout
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        print(json.dumps(request), file=self._process.stdin, flush=True)
        reply = json.loads(self._process.stdout.readline())
        if "result" not in reply or reply["result"].get("isError"):
            raise SystemExit(f"{parameters} was answered by {reply}")
        result: dict[str, Any] = reply["result"]
        return result

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()


def tokens(corpus: Path) -> dict[str, int]:
    """Return the tokens of the list of tools, of ten answers, and of each of these."""
    server = Server(corpus)
    try:
        tools = server.ask("tools/list", {})["tools"]
        listed = json.dumps(tools, ensure_ascii=False, separators=(",", ":"))
        counts = {"list of tools": len(listed) // _CHARACTERS_A_TOKEN}
        for what, (name, arguments) in ten_answers(draw_cases(corpus, 200)).items():
            answer = server.ask("tools/call", {"name": name, "arguments": arguments})
            counts[what] = len(answer["content"][0]["text"]) // _CHARACTERS_A_TOKEN
    finally:
        server.end()
    return counts | {"ten answers together": sum(list(counts.values())[1:])}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    rows = [[what, f"{count:,}"] for what, count in tokens(parser.parse_args().corpus).items()]
    print(f"{markdown_table(['', 'tokens'], rows)}\n\n{measured_on()}")


if __name__ == "__main__":
    main()
