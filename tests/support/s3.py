"""A real S3 server for the tests, and buckets in it."""

import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pipeline.storage import object_corpus
from tests.support.waiting import PATIENCE, wait_until

SERVER = Path(sys.executable).with_name("moto_server")


@contextmanager
def s3_server(log: Path) -> Iterator[Mapping[str, str]]:
    """moto's server on a free port; the environment in which its clients run. It is gone afterwards."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with log.open("w") as output:
        server = subprocess.Popen(
            [str(SERVER), "--host", "127.0.0.1", "--port", str(port)], stdout=output, stderr=output
        )
    try:
        wait_until(lambda: answers(port, server, log))
        yield {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
        }
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE)


def answers(port: int, server: "subprocess.Popen[bytes]", log: Path) -> bool:
    """Return whether the server takes connections at this port. Fail once it has ended."""
    assert server.poll() is None, log.read_text()
    try:
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
    except OSError:
        return False
    return True


def make_bucket(name: str, environment: Mapping[str, str]) -> None:
    """A bucket in the server of this environment."""
    request = urllib.request.Request(f"{environment['AWS_ENDPOINT_URL']}/{name}", method="PUT")
    urllib.request.urlopen(request).close()


GONE = "the network is gone"


@contextmanager
def sending_fails(monkeypatch, at):
    """Have each write to object storage fail whose name ends so, with the error GONE."""

    def failing(whole):
        def write(path, *content):
            if path.name.endswith(at):
                raise OSError(5, GONE)
            return whole(path, *content)

        return write

    with monkeypatch.context() as broken:
        for name in ("write_object", "replace_object"):
            broken.setattr(object_corpus, name, failing(getattr(object_corpus, name)))
        yield
