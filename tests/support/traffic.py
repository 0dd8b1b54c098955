"""What is asked of object storage."""

from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from objectstore import objects


def asked_for(call):
    """The requests that a call makes of object storage, the bytes that it fetches and sends; its result."""
    asked = SimpleNamespace(requests=0, fetched=0, sent=0)
    of_storage = objects._storage

    def counted(obstore, name):
        def made(store, *given, **named):
            asked.requests += 1
            answer = getattr(obstore, name)(store, *given, **named)
            if name == "get":
                data = bytes(answer.bytes())
                answer = SimpleNamespace(bytes=lambda: data)
                asked.fetched += len(data)
            elif name in ("get_range", "get_ranges"):
                asked.fetched += sum(map(len, [answer] if name == "get_range" else answer))
            elif name == "put":
                asked.sent += given[1].stat().st_size if isinstance(given[1], Path) else len(given[1])
            return answer

        return made

    @contextmanager
    def storage(path):
        names = ("head", "get", "get_range", "get_ranges", "put", "list", "delete")
        with of_storage(path) as (obstore, store):
            asking = {name: counted(obstore, name) for name in names}
            yield SimpleNamespace(exceptions=obstore.exceptions, **asking), store

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(objects, "_storage", storage)
        result = call()
    return asked, result
