"""The command that adds one paper."""

from contextlib import nullcontext
from pathlib import Path

import click

from lookup.release.current import beside, default_corpus
from pagequote.cli import build_options, options
from pagequote.cli.parameters import argument, option, taking


@click.command
@taking
def add(
    file: Path | None = argument(type=options.PLACE),
    key: str | None = option(
        "The key of the paper.  [default: that of the library's entry for FILE, else the file's name]"
    ),
    bibliographies: tuple[Path, ...] = build_options.BIB,
    remove: str | None = option(
        "Remove a paper that was added, instead.", metavar="KEY", shell_complete=options.complete_keys
    ),
    model: str | None = option(
        "The model that makes vectors of its sentences.  [default: the model of the other vectors]"
    ),
    work: Path | None = build_options.WORK,
    deadline: float = build_options.DEADLINE,
    ocr_language: str | None = build_options.OCR_LANGUAGE,
    wait: float = build_options.WAIT,
    as_json: bool = options.AS_JSON,
    corpus: Path | None = options.CORPUS,
) -> None:
    """Add the PDF FILE to the corpus now: read it, and publish a release with it.

    It stays: the work folder keeps a copy of it (`added`), and every build includes it, until the library of
    that build has the same file. Adding it again with --bib updates its metadata.

    Exit status: 0 the paper is in the corpus, 2 it is not.

    \b
    Examples:
      pagequote add Downloads/1-s2.0-main.pdf --key feng2022
      pagequote add feng2022.pdf --bib library.bib
      pagequote add --remove feng2022
    """
    added = file is not None or key is not None
    options.refuse(
        (remove is not None and added, "--remove takes no FILE and no --key."),
        (remove is None and file is None, "Missing argument 'FILE'."),
    )
    from pipeline.engines.local import Local

    with Local(1).begun() if file else nullcontext() as engine:  # all else loads beside its process
        from pipeline.builds.add_paper import add_paper, remove_paper
        from pipeline.ocr.tesseract import find_ocr
        from pipeline.records import leave_out_pandas
        from pipeline.work.outcomes import Limits
        from pipeline.work.state import last_language
        from retrieval.embedding.model import find_model

        corpus = options.named_corpus(corpus) or default_corpus()
        work = work or beside(corpus, "work")
        encoder = find_model(model) if model else None
        leave_out_pandas()
        if remove is not None:
            done = remove_paper(remove, work, corpus, encoder, wait)
        else:
            assert file is not None
            limits, ocr = Limits(deadline), find_ocr("auto", ocr_language or last_language(work))
            done = add_paper(file, key, bibliographies, work, corpus, limits, ocr, encoder, wait, engine)
    release = done.published.release.name if done.published else None
    held = done.published is not None and done.published.held
    waits = ", and held: the change waits for `pagequote releases use`" if held else ""
    told = f"{done.outcome} {done.key}: {release} is current{waits}"
    told = told if release else f"{done.key} is in the corpus already, with the same content"
    said = {"key": done.key, "outcome": done.outcome, "release": release}
    options.say(said, [told], as_json=as_json)
