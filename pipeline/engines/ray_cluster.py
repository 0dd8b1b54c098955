"""The connection to a Ray cluster, or a cluster for one build; and the check that its nodes are alike."""

import logging
import os
import secrets
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import ray
import ray.exceptions
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from lookup.errors import BuildError
from pipeline.engines import ray_tasks
from pipeline.extractor import EXTRACTOR
from pipeline.ocr.tesseract import Ocr

_OBJECTS = 256 << 20
"""Bytes of shared memory of our own cluster: the names of a million PDFs take 150 MB; the rest goes to the
disk."""

_REACH_WITHIN = 20.0  # Seconds within which a cluster has to answer.

_GONE = (
    ray.exceptions.NodeDiedError,
    ray.exceptions.TaskUnschedulableError,
    ray.exceptions.WorkerCrashedError,
)

_QUIET = {"log_to_driver": False, "logging_level": logging.ERROR}


@contextmanager
def connected(address: str | None, processors: int | None) -> Iterator[None]:
    """Connect to Ray at `address`, else at $RAY_ADDRESS, else start a cluster with so many processors.

    A cluster that was started ends afterwards, and leaves nothing behind. Raises BuildError where Ray fails.
    """
    address = address or os.environ.get("RAY_ADDRESS") or "local"
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    with _begun(processors) if address == "local" else _reached(address):
        yield


def nodes() -> list[dict[str, Any]]:
    """Return the nodes that have processors, as Ray describes them."""
    return [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]


def has(node: dict[str, Any], resource: str) -> int:
    """Return the number of whole units of the `resource` ("CPU", "GPU") of the `node`."""
    return int(node["Resources"].get(resource, 0))


def check_alike(work: Path, ocr: Ocr) -> dict[str, ray_tasks.Machine]:
    """Return a description of each node, by its id.

    Raises BuildError without a node, or where one has another extractor or Tesseract, or does not see `work`.
    A node that is lost meanwhile is left out: others do its work.
    """
    ask = ray.remote(num_cpus=0)(ray_tasks.machine)
    asked = {
        node["NodeID"]: ask.options(
            scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
        ).remote(work, ocr)
        for node in nodes()
    }
    if not asked:
        raise BuildError("The Ray cluster has no processors. Add nodes to it (`ray start`).")
    where = {node["NodeID"]: node["NodeManagerAddress"] for node in ray.nodes()}
    machines: dict[str, ray_tasks.Machine] = {}
    for node, answer in asked.items():
        try:
            machines[node] = ray.get(answer)
        except _GONE:
            continue
        _check(machines[node], where[node], work, ocr)
    return machines


def _check(machine: ray_tasks.Machine, where: str, work: Path, ocr: Ocr) -> None:
    if not machine.shares_work:
        raise BuildError(f"The node {where} does not see {str(work)!r}. Put --work where all nodes see it.")
    for what, theirs, ours in (
        ("extractor", machine.extractor, EXTRACTOR),
        ("Tesseract", machine.ocr, ocr.stamp),
    ):
        if theirs != ours:
            raise BuildError(
                f"The node {where} has another {what}: {theirs or 'none'}, not {ours or 'none'}. "
                "Install the same on all."
            )


@contextmanager
def _reached(address: str) -> Iterator[None]:
    """Connect to the Ray at `address`, which keeps running afterwards."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    with ExitStack() as stack:
        stack.callback(ray.shutdown)
        try:
            if port.isdigit():
                # Ray itself would try for many minutes where nothing answers, and then end the process.
                socket.create_connection((host, int(port)), _REACH_WITHIN).close()
            ray.init(address=address, **_QUIET)
        except Exception as error:  # Ray's errors have no common class
            raise BuildError(
                f"There is no Ray cluster at {address!r} ({error}). Start it, or leave --address out."
            ) from error
        yield


@contextmanager
def _begun(processors: int | None) -> Iterator[None]:
    """Start a Ray on this machine, and end it afterwards."""
    # For Ray's sockets and logs; a socket's path has 107 characters at most.
    folder = tempfile.TemporaryDirectory(prefix="pagequote-", ignore_cleanup_errors=True)
    with folder as path, _secret_of_our_own(), ExitStack() as stack:
        stack.callback(ray.shutdown)
        try:
            ray.init(
                address="local",
                num_cpus=processors,
                include_dashboard=False,
                _temp_dir=path,
                object_store_memory=_OBJECTS,
                **_QUIET,
            )
        except Exception as error:  # Ray's errors have no common class
            raise BuildError(
                f"Ray did not start on this machine ({error}). Solve that, or build without --engine ray."
            ) from error
        yield


@contextmanager
def _secret_of_our_own() -> Iterator[None]:
    """Let nobody else on this machine into a Ray that is started within, unless the user has set a token.

    Ray asks for a token by default, and would write its own to the home folder.
    """
    if {"RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"} & os.environ.keys():
        yield
        return
    os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    try:
        yield
    finally:
        del os.environ["RAY_AUTH_TOKEN"]
