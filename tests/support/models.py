"""A tiny BERT in sentence-transformers' layout, with random weights, and a slow textbook BERT to check graphs
against.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from math import erf
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

HIDDEN = 16
CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": HIDDEN,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": 64,
    "vocab_size": 256,
}


@contextmanager
def models_in(folder: Path) -> Iterator[None]:
    """Let the models in `folder` be those that the user keeps."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAGEQUOTE_MODELS", str(folder))
        yield


def tiny_model(folder: Path, *, pooling: str = "mean", prompts: dict[str, str] | None = None) -> Path:
    """Write the model into `folder`: it knows letters, digits and some signs, each a token."""
    (folder / "1_Pooling").mkdir(parents=True)
    _write_tokenizer(folder / "tokenizer.json")
    modules = [("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")]
    said = {
        "modules.json": [
            {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
            for i, (path, kind) in enumerate(modules)
        ],
        "config.json": CONFIG,
        "sentence_bert_config.json": {"max_seq_length": 48, "do_lower_case": False},
        "config_sentence_transformers.json": {"prompts": prompts or {}},
        "1_Pooling/config.json": {
            "pooling_mode_mean_tokens": pooling == "mean",
            "pooling_mode_cls_token": pooling == "cls",
            "pooling_mode_max_tokens": pooling == "max",
        },
    }
    for name, value in said.items():
        (folder / name).write_text(json.dumps(value))
    save_file(_weights(np.random.default_rng(5)), folder / "model.safetensors")
    return folder


def tiny_sparse_model(folder: Path) -> Path:
    """Write a sparse model of the same weights into `folder`, named as older checkpoints have them."""
    tiny_model(folder)
    kinds = ("MLMTransformer", "SpladePooling")
    modules = [{"path": "", "type": f"sentence_transformers.sparse_encoder.models.{kind}"} for kind in kinds]
    (folder / "modules.json").write_text(json.dumps(modules))
    weights = load_file(folder / "model.safetensors")
    named = {
        "bert." + name.replace("Norm.weight", "Norm.gamma").replace("Norm.bias", "Norm.beta"): value
        for name, value in weights.items()
    }
    random = np.random.default_rng(6)
    for name, shape in {
        "transform.dense.weight": (HIDDEN, HIDDEN),
        "transform.dense.bias": (HIDDEN,),
        "transform.LayerNorm.beta": (HIDDEN,),
        "bias": (256,),
    }.items():
        named[f"cls.predictions.{name}"] = random.normal(0, 0.1, shape).astype(np.float32)
    named["cls.predictions.transform.LayerNorm.gamma"] = np.ones(HIDDEN, np.float32)
    save_file(named, folder / "model.safetensors")
    return folder


def sparse_reference(folder: Path, text: str, max_tokens: int) -> np.ndarray:
    """The weights of all words for a text, by the formulas of the papers, in double precision."""
    weights = {
        name.removeprefix("bert.").replace("gamma", "weight").replace("beta", "bias"): value.astype(
            np.float64
        )
        for name, value in load_file(folder / "model.safetensors").items()
    }
    config = json.loads((folder / "config.json").read_bytes())
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    tokens = _forward(weights, config, tokenizer.encode(text).ids)
    head = "cls.predictions.transform"
    x = _gelu(tokens @ weights[f"{head}.dense.weight"].T + weights[f"{head}.dense.bias"])
    centred = x - x.mean(axis=1, keepdims=True)
    x = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + config["layer_norm_eps"])
    x = x * weights[f"{head}.LayerNorm.weight"] + weights[f"{head}.LayerNorm.bias"]
    words = x @ weights["embeddings.word_embeddings.weight"].T + weights["cls.predictions.bias"]
    found: np.ndarray = np.log1p(np.maximum(words, 0)).max(axis=0)
    return found


def reference(folder: Path, texts: list[str], max_tokens: int, pooling: str = "mean") -> np.ndarray:
    """The vectors of `texts` by the formulas of the papers, one text at a time, in double precision."""
    weights = {
        name: value.astype(np.float64) for name, value in load_file(folder / "model.safetensors").items()
    }
    config = json.loads((folder / "config.json").read_bytes())
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    vectors = []
    for text in texts:
        tokens = _forward(weights, config, tokenizer.encode(text).ids)
        pooled = tokens.mean(axis=0) if pooling == "mean" else tokens[0]
        vectors.append(pooled / np.sqrt((pooled**2).sum()))
    return np.array(vectors)


_gelu = np.vectorize(lambda x: 0.5 * x * (1 + erf(x / 2**0.5)))


def _forward(w, config, ids):
    def dense(name, x):
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def normalised(name, x):
        centred = x - x.mean(axis=1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axis=1, keepdims=True) + config["layer_norm_eps"])
        return centred / deviation * w[f"{name}.weight"] + w[f"{name}.bias"]

    parts = ("word_embeddings", "position_embeddings", "token_type_embeddings")
    places = (ids, range(len(ids)), [0] * len(ids))
    x = sum(w[f"embeddings.{part}.weight"][list(at)] for part, at in zip(parts, places, strict=True))
    x = normalised("embeddings.LayerNorm", x)
    size = config["hidden_size"] // config["num_attention_heads"]
    for number in range(config["num_hidden_layers"]):
        name = f"encoder.layer.{number}"
        query, key, value = (dense(f"{name}.attention.self.{part}", x) for part in ("query", "key", "value"))
        heads = []
        for head in range(config["num_attention_heads"]):
            at = slice(head * size, (head + 1) * size)
            scores = query[:, at] @ key[:, at].T / size**0.5
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            heads.append(shares / shares.sum(axis=1, keepdims=True) @ value[:, at])
        attended = dense(f"{name}.attention.output.dense", np.concatenate(heads, axis=1))
        x = normalised(f"{name}.attention.output.LayerNorm", attended + x)
        wide = _gelu(dense(f"{name}.intermediate.dense", x))
        x = normalised(f"{name}.output.LayerNorm", dense(f"{name}.output.dense", wide) + x)
    return x


def _write_tokenizer(path: Path) -> None:
    letters = [chr(code) for code in range(33, 127)]
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *(f"##{letter}" for letter in letters)]
    tokenizer = Tokenizer(models.WordPiece({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair=None, special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    # As many models are shipped, the default among them: padded and cut to a length of their own.
    tokenizer.enable_padding(length=24)
    tokenizer.enable_truncation(24)
    tokenizer.save(str(path))


def _weights(random: np.random.Generator) -> dict[str, np.ndarray]:
    hidden, wide = HIDDEN, 32
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (256, hidden),
        "embeddings.position_embeddings.weight": (64, hidden),
        "embeddings.token_type_embeddings.weight": (2, hidden),
        "embeddings.LayerNorm.weight": (hidden,),
        "embeddings.LayerNorm.bias": (hidden,),
    }
    for number in range(2):
        layer = f"encoder.layer.{number}"
        sizes = {
            "attention.self.query": (hidden, hidden),
            "attention.self.key": (hidden, hidden),
            "attention.self.value": (hidden, hidden),
            "attention.output.dense": (hidden, hidden),
            "attention.output.LayerNorm": (hidden,),
            "intermediate.dense": (wide, hidden),
            "output.dense": (hidden, wide),
            "output.LayerNorm": (hidden,),
        }
        for name, size in sizes.items():
            shapes[f"{layer}.{name}.weight"] = size
            shapes[f"{layer}.{name}.bias"] = size[:1]
    # Such that texts differ: the sublayers say little beside the words, and norms leave lengths alone.
    weights = {name: random.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes.items()}
    weights["embeddings.word_embeddings.weight"] *= 10
    for name in weights:
        if name.endswith("LayerNorm.weight"):
            weights[name] += 1
    return weights
