"""Writes the shards of a release, side by side where `each` does so, and the manifest of the whole."""

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from lookup.release.current import SHARDS, shard_folder
from pipeline.files.atomic import TEMPORARY, remove, remove_unfinished, rename
from pipeline.publish.checksums import Proven, read_proven, write_checksums
from pipeline.publish.content import ReleaseSpec, Versions, content_of, left_rows
from pipeline.publish.write_release import Before, describe, write_manifest, write_release
from pipeline.work.tasks import Each


@dataclass(frozen=True)
class ShardTask:
    """A shard to write into a release in `folder`."""

    folder: Path
    name: str
    shard: int
    versions: Versions
    work: Path
    spec: ReleaseSpec
    corpus: Path
    before: Before | None


def write_shards(
    folder: Path,
    name: str,
    spec: ReleaseSpec,
    versions: Sequence[Versions],
    work: Path,
    corpus: Path,
    before: Before | None,
    each: Each,
) -> tuple[dict[str, Any], Proven]:
    """Write the shards of a release into `folder`; return its manifest, and what is proven of its files.

    `versions` are by shard. A shard that holds what it held `before` is linked.
    """
    (folder / SHARDS).mkdir()
    shared = before.shards if before and before.release.shards == spec.shards else None
    manifests: dict[int, Mapping[str, Any]] = {}
    tasks = []
    for number, links in enumerate(versions):
        same = shared[number] if shared else None
        if same and same.whole and same.release.manifest["fingerprint"] == spec.fingerprint_of(number, links):
            shutil.copytree(same.release.folder, shard_folder(folder, number), copy_function=os.link)
            manifests[number] = same.release.manifest
        else:
            here = folder.resolve(), name, number, links, work.resolve(), spec
            tasks.append(ShardTask(*here, corpus.resolve(), same))
    proven: dict[str, str] = {}
    for task, (written, now) in zip(tasks, each(_write_shard, tasks), strict=True):
        manifests[task.shard] = written
        proven |= now
    remove_unfinished(folder / SHARDS, folder)
    parts = [manifests[number] for number in range(spec.shards)]
    manifest = describe(
        name,
        spec,
        spec.fingerprint,
        rows=_summed([one["rows"] for one in parts]),
        search=_summed([one["search"] for one in parts]),
        shards=[{"rows": one["rows"]} for one in parts],
    )
    write_manifest(folder, manifest)
    return manifest, proven


def _write_shard(task: ShardTask) -> tuple[dict[str, Any], Proven]:
    """Write a shard, in whatever process, and as often as its task is given out."""
    proven = read_proven(task.corpus)
    unfinished = task.folder / SHARDS / f"{TEMPORARY}{uuid4().hex}"
    unfinished.mkdir()
    rows = left_rows(task.work)
    content = content_of(rows, task.spec, task.versions, task.shard)
    manifest = write_release(unfinished, task.name, content, task.work, task.before)
    now = write_checksums(unfinished, proven)
    final = shard_folder(task.folder, task.shard)
    remove(final, task.folder)  # of a task whose answer was lost
    rename(unfinished, final, task.folder)
    return manifest, now


def _summed(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the sums of what is counted; the rest is the same in all."""
    return {
        name: sum(one[name] for one in parts) if isinstance(value, int) else value
        for name, value in parts[0].items()
    }
