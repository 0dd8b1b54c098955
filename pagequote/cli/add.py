"""The command that adds one paper."""

from contextlib import nullcontext
from pathlib import Path

import click

from lookup.release.current import beside, default_corpus
from pagequote.cli.options import PLACE, complete_keys, corpus_option, echo_json, json_option, named_corpus
from pagequote.cli.printing import echo


@click.command
@click.argument("file", required=False, type=PLACE)
@click.option(
    "--key",
    help="The key of the paper.  [default: that of the library's entry for FILE, else the file's name]",
)
@click.option(
    "--bib",
    "bibliographies",
    multiple=True,
    type=PLACE,
    help="A .bib, CSL JSON file or Zotero data folder that says what the paper is.",
)
@click.option(
    "--remove", metavar="KEY", shell_complete=complete_keys, help="Remove a paper that was added, instead."
)
@click.option(
    "--model",
    help="The model that makes vectors of its sentences.  [default: the model of the other vectors]",
)
@click.option(
    "--work",
    type=click.Path(path_type=Path),
    help="The work folder of the corpus.  [default: work, beside the corpus]",
)
@click.option(
    "--deadline",
    type=click.FloatRange(min=0.1),
    default=120.0,
    show_default=True,
    help="Seconds that reading may take.",
)
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=0.0,
    metavar="SECONDS",
    help="How long to wait for a build to end.  [default: not at all]",
)
@json_option
@corpus_option
def add(
    file: Path | None,
    key: str | None,
    bibliographies: tuple[Path, ...],
    remove: str | None,
    model: str | None,
    work: Path | None,
    deadline: float,
    wait: float,
    as_json: bool,
    corpus: Path | None,
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
    if remove is not None and (file is not None or key is not None):
        raise click.UsageError("--remove takes no FILE and no --key.")
    if remove is None and file is None:
        raise click.UsageError("Missing argument 'FILE'.")
    from pipeline.engines.local import Local

    with Local(1).begun() if file else nullcontext() as engine:  # all else loads beside its process
        from lookup.embedding.model import find_model
        from pipeline.builds.add_paper import add_paper, remove_paper
        from pipeline.ocr.tesseract import find_ocr
        from pipeline.records import leave_out_pandas
        from pipeline.work.outcomes import Limits

        corpus = named_corpus(corpus) or default_corpus()
        work = work or beside(corpus, "work")
        encoder = find_model(model) if model else None
        leave_out_pandas()
        if remove is not None:
            done = remove_paper(remove, work, corpus, encoder, wait)
        else:
            assert file is not None
            limits, ocr = Limits(deadline), find_ocr("auto", "eng")
            done = add_paper(file, key, bibliographies, work, corpus, limits, ocr, encoder, wait, engine)
    release = done.published.release.name if done.published else None
    if as_json:
        echo_json({"key": done.key, "outcome": done.outcome, "release": release})
    elif release is None:
        echo(f"{done.key} is in the corpus already, with the same content")
    else:
        echo(f"{done.outcome} {done.key}: {release} is current")
