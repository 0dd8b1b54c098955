"""An open corpus may be shared by threads, asyncio and pickle; after a fork the child opens it anew."""

import asyncio
import copy
import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import lookup
from tests.support.waiting import PATIENCE

NIGHT = "lindqvist2019"
RUNS = [
    (NIGHT, "fitted to daytime data"),
    (NIGHT, "people prefer to work by day"),
    (NIGHT, "words that nobody prints in a paper"),
    ("okafor2021", "A flooded sheet does betray itself."),
]


def _asked(corpus):
    return [corpus.verify(words, key) for key, words in RUNS]


def test_eight_threads_have_the_answers_of_one(corpus_path, corpus):
    right = _asked(corpus)
    with lookup.open(corpus_path) as shared, ThreadPoolExecutor(8) as threads:
        asked = [threads.submit(_asked, shared) for _ in range(40)]
        assert all(one.result() == right for one in asked)


def test_a_hundred_calls_of_asyncio_have_the_answers_of_one(corpus):
    async def ask():
        return await asyncio.gather(*(corpus.averify(words, key) for _ in range(25) for key, words in RUNS))

    assert asyncio.run(ask()) == _asked(corpus) * 25


@pytest.mark.parametrize("copied", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy, copy.copy])
def test_a_copy_is_a_corpus_of_its_own(corpus_path, copied):
    with lookup.open(corpus_path) as first:
        right = _asked(first)
        second = copied(first)
        assert _asked(second) == right
        second.close()
        assert _asked(first) == right


_FORKED = """
import json, os, sys, threading, lookup
corpus = lookup.open(sys.argv[1])
runs = json.load(sys.stdin)
def ask(one):
    return [one.verify(words, key).verdict for key, words in runs]
said = [ask(corpus)]
threads = [threading.Thread(target=lambda: said.append(ask(corpus))) for _ in range(4)]
for one in threads:
    one.start()
for one in threads:
    one.join()
reading, writing = os.pipe()
child = os.fork()
if not child:
    with os.fdopen(writing, "w") as pipe:
        json.dump(ask(lookup.open(sys.argv[1])), pipe)
    os._exit(0)
os.close(writing)
with os.fdopen(reading) as pipe:
    said.append(json.load(pipe))
said.append(ask(corpus))
print(json.dumps([said, os.waitpid(child, 0)[1]]))
"""


@pytest.mark.system
def test_a_fork_that_opens_the_corpus_anew_answers_as_its_parent_does(corpus_path, corpus):
    """The parent had threads that asked, and asks on."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", _FORKED, corpus_path],
        input=json.dumps(RUNS),
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    right = [one.verdict for one in _asked(corpus)]
    assert json.loads(done.stdout) == [[right] * 7, 0]
    assert "verbatim" in right
