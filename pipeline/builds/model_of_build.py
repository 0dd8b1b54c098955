"""The model of a build that names none: that of the vectors there are, else one that is on this machine."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from lookup.embedding.model import CARD, DEFAULT_MODEL, Model, models_folders, read_model
from lookup.errors import ModelError
from pipeline.embedding.last_embedding import stored_model

NONE = "none"  # Names no model: there are to be no vectors.


@dataclass(frozen=True)
class ModelOfBuild:
    """The model, or whether the vectors that there are stay without it; `why` says what a user can do.

    `can_get` is whether nothing but the default model is missing.
    """

    model: Model | None
    keeps: bool = False
    why: str = ""
    can_get: bool = False


def installed(made_by: str | None = None, *, sparse: bool = False) -> Model | None:
    """Return the model of this id on this machine; without an id the default one, else the first by name.

    A model of vectors, or one that is `sparse`.
    """
    cards = [card for folder in models_folders() for card in sorted(folder.glob(f"*/{CARD}"))]
    cards.sort(key=lambda card: card.parent.name != DEFAULT_MODEL)
    for card in cards:
        try:
            model = read_model(card.parent)
        except ModelError:
            continue  # damaged: as if it were not there
        if made_by in (None, model.id) and model.sparse == sparse:
            return model
    return None


def model_of_build(work: Path) -> ModelOfBuild:
    """Return the model for the next build in `work`, which names none."""
    before = stored_model(work)
    lacking = [name for name in ("onnxruntime", "tokenizers") if find_spec(name) is None]
    model = None if lacking else installed(before)
    if model is not None:
        return ModelOfBuild(model)
    name = before.rpartition("@")[0] if before else ""
    get = "pagequote model get" if name in ("", DEFAULT_MODEL) else f"pagequote model get {name}"
    todo = f"Install {' and '.join(lacking)}" if lacking else f"Run `{get}`"
    if before:
        said = f"the model of the vectors, {before}, is not on this machine: they stay, new papers get none"
        return ModelOfBuild(None, keeps=True, why=f"{said}. {todo}, or give --model.")
    why = f"no vectors, so no search by meaning. {todo} once; builds make them then."
    return ModelOfBuild(None, why=why, can_get=not lacking)
