"""The plan of a build: what it would do, and why."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.builds.extract_sources import failures_of
from pipeline.builds.survey import BuildSettings, Survey, survey
from pipeline.embedding.last_embedding import last_model
from pipeline.embedding.pending import lacking
from pipeline.embedding.vector_cache import VectorCache
from pipeline.publish.publish import would_publish
from pipeline.releases.history import held_release
from pipeline.sources.source import Source
from pipeline.storage.object_corpus import shards_of, staging
from pipeline.work.state import state_of
from retrieval.embedding.model import Model

BECAUSE = {
    "new": "no build has read these bytes",
    "changed": "its bytes are others than those of the last build",
    "extractor": "it was read by another version of the extractor",
    "text": "the XML that gives its text is new, gone or another",
    "ocr": "it was read with other OCR",
    "retry": "it failed, and is tried again",
    "lost": "what was read of it is not in the work folder any more",
    "force": "--force reads everything",
}
"""The reasons of survey.Survey.reason, as sentences."""

_PUBLISHES = {
    True: "a new release",
    False: "nothing, the current release is this",
    None: "a new release, unless what is read changes nothing",
}


@dataclass(frozen=True)
class Plan:
    """What a build would do. `sentences` and `to_embed` count the sentences of PDFs that were read before.

    `publishes` is None where it depends on PDFs that are still to be read.
    """

    survey: Survey
    model: str | None
    model_before: str | None
    sentences: int
    to_embed: int
    publishes: bool | None
    keeps_vectors: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return each file and each stage, for JSON."""
        found = self.survey
        return {
            "files": [
                {
                    "key": one.key,
                    "path": str(one.path),
                    "sha256": one.sha256,
                    "change": change,
                    "was": was or None,
                    "read": found.reason(one) or None,
                }
                for one, change, was in self._changes()
            ],
            "gone": [{"key": row["key"], "path": row["path"]} for row in found.gone],
            "rejected": [
                {"path": str(one.path), "key": one.key, "reason": one.reason} for one in found.named.rejected
            ],
            "known_failures": [
                {"path": str(one.path), "key": one.key, "reason": failed.reason}
                for one in found.named.sources
                if (failed := found.failed.get(one.sha256))
            ],
            "same_bytes": [list(keys) for keys in found.same_bytes],
            "extract": {
                "files": len(found.to_read),
                "bytes": sum(source.bytes for source in found.to_read),
                "because": dict(sorted(self._why().items())),
            },
            "embed": {
                "model": self.model,
                "model_before": self.model_before,
                "sentences": self.sentences,
                "new": self.to_embed,
                "files_to_read_first": len(found.to_read) if self.model else 0,
            },
            "publish": {"new_release": self.publishes},
        }

    def lines(self) -> Iterator[str]:
        """Yield the plan as text: each file that changed or has to be read, then each stage."""
        found = self.survey
        for one, change, was in self._changes():
            why = found.reason(one)
            if change != "unchanged" or why:
                read = f"; to be read: {BECAUSE[why]}" if why else "; not read again"
                yield f"{one.key}: {change}{f' (was {was})' if was else ''}{read}"
        yield from (f"{row['key']}: gone ({row['path']})" for row in found.gone)
        later = "matched by what the PDFs print, once they are read"
        for refused in found.named.rejected:
            waits = refused.reason == "no PDF" and found.to_read
            yield f"{refused.key or refused.path}: {later if waits else f'left out: {refused.reason}'}"
        yield from (f"the same file under several keys: {', '.join(keys)}" for keys in found.same_bytes)
        to_read = found.to_read
        because = ", ".join(f"{count} {why}" for why, count in sorted(self._why().items()))
        known = f"; {len(found.failed)} known to fail (--retry-failures)" if found.failed else ""
        size = sum(source.bytes for source in to_read) / 1e6
        what = f"{len(to_read)} PDFs, {size:.1f} MB ({because})" if to_read else "nothing"
        yield f"extract: {what}, of {len(found.named.sources)} sources{known}"
        yield self._embed_line()
        yield f"publish: {_PUBLISHES[self.publishes]}"

    def _changes(self) -> Iterator[tuple[Source, str, str]]:
        return ((one, *self.survey.changes[str(one.path)]) for one in self.survey.named.sources)

    def _why(self) -> Counter[str]:
        return Counter(map(self.survey.reason, self.survey.to_read))

    def _embed_line(self) -> str:
        if self.model is None:
            stay = "stay" if self.keeps_vectors else "are left out"
            before = f"; the vectors of {self.model_before} {stay}" if self.model_before else ""
            return f"embed: nothing, there is no model{before}"
        other = (
            f"new model, it was {self.model_before}: " if self.model_before not in (None, self.model) else ""
        )
        more = " and those of the PDFs to be read" if self.survey.to_read else ""
        return f"embed: {other}{self.to_embed} sentences{more} ({self.model})"


def plan_build(
    settings: BuildSettings, corpus: Path, model: Model | None, *, keep_vectors: bool = False
) -> Plan:
    """Return what `build` would do with the same arguments; write nothing."""
    work = settings.work
    found = survey(settings)
    state = state_of(found.named.sources, found.records, failures_of(found))
    before = last_model(work).model
    sentences = to_embed = 0
    if model is not None:
        cache = VectorCache(work, model.id, model.dimensions, mend=False)
        _, missing, counts = lacking(state.sources, work, cache)
        sentences, to_embed = counts.sentences, len(missing)
    publishes: bool | None = None
    if held_release(staging(corpus, work)):
        publishes = False
    elif settings.force:
        publishes = True
    elif not found.to_read:
        publishes = would_publish(
            state,
            model.id if model else before if keep_vectors else None,
            work,
            staging(corpus, work),
            shards_of(corpus, work, settings.shards),
        )
    model_id = model.id if model else None
    return Plan(found, model_id, before, sentences, to_embed, publishes, keep_vectors)
