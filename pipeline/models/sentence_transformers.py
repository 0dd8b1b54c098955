"""Reads from a folder in sentence-transformers' layout how its model is used."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lookup.errors import ModelError
from lookup.storage.untrusted_files import MOST_JSON, read_file
from pipeline.models.bert_graph import POOLINGS
from retrieval.embedding.model import TERMS_POOLING

FILES = (
    "modules.json",
    "config.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "tokenizer_config.json",
    "1_Pooling/config.json",
)
"""The files that are read, if they exist."""

_MODULES = {"Transformer", "Pooling", "Normalize"}
_SPARSE_MODULES = {"MLMTransformer", "SpladePooling"}


@dataclass(frozen=True)
class Settings:
    """The pooling, the prefixes of queries and documents, the token limit, and config.json."""

    pooling: str
    query_prefix: str
    document_prefix: str
    max_tokens: int
    config: dict[str, Any]


def read_settings(folder: Path) -> Settings:
    """Return the settings of the model in `folder`; raise ModelError where it needs something unsupported."""
    modules = _read(folder, "modules.json", [])
    if not isinstance(modules, list) or not modules:
        raise ModelError(
            f"{str(folder)!r} is not a sentence-transformers model: it has no modules.json. "
            "Name a folder that has one."
        )
    kinds = {str(module["type"]).rpartition(".")[2]: str(module["path"]) for module in modules}
    sparse = set(kinds) == _SPARSE_MODULES
    if unknown := sorted(set(kinds) - _MODULES) if not sparse else []:
        raise ModelError(
            f"The model in {str(folder)!r} has a module {unknown[0]!r}; "
            f"only {', '.join(sorted(_MODULES))} are supported."
        )
    transformer = _read(folder, "sentence_bert_config.json", {})
    if transformer.get("do_lower_case"):
        raise ModelError(
            f"The model in {str(folder)!r} needs texts in lower case, and its tokenizer does not make them."
        )
    config = _read(folder, "config.json", {})
    limits = (
        transformer.get("max_seq_length"),
        config.get("max_position_embeddings"),
        _read(folder, "tokenizer_config.json", {}).get("model_max_length"),
    )
    prompts = _read(folder, "config_sentence_transformers.json", {})
    named = prompts.get("prompts") or {}
    usual = named.get(prompts.get("default_prompt_name") or "", "")
    return Settings(
        pooling=TERMS_POOLING if sparse else _pooling(folder, kinds.get("Pooling", "1_Pooling")),
        query_prefix=named.get("query") or usual,
        document_prefix=named.get("document") or named.get("passage") or usual,
        max_tokens=min((int(limit) for limit in limits if limit), default=512),
        config=config,
    )


def _pooling(folder: Path, path: str) -> str:
    config = _read(folder, f"{path}/config.json", {})
    modes = {name for name, value in config.items() if name.startswith("pooling_mode_") and value is True}
    for pooling, mode in zip(POOLINGS, ("pooling_mode_mean_tokens", "pooling_mode_cls_token"), strict=True):
        if modes == {mode}:
            return pooling
    raise ModelError(
        f"The model in {str(folder)!r} pools by {', '.join(sorted(modes)) or 'an unknown mode'}; "
        "only the mean of the tokens and the first token are supported."
    )


def _read(folder: Path, name: str, otherwise: Any) -> Any:
    try:
        return json.loads(read_file(folder / name, MOST_JSON))
    except FileNotFoundError:
        return otherwise
    except (OSError, ValueError) as error:
        raise ModelError(f"{str(folder / name)!r} is not JSON ({error}). Get the model again.") from error
