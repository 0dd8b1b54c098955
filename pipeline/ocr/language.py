"""Whether Tesseract was asked to read the language that a document has, by the words that it reads."""

from collections.abc import Sequence

from pipeline.cleaning.clean import word_list
from pipeline.ocr.recognised_lines import Seen
from pipeline.ocr.tesseract import GET_SECOND_READER
from pipeline.ocr.two_readings import CONFIDENT, confidence, known_share, texts
from retrieval.raw_text.cleaning import vocabulary

_LISTED = {
    "eng": ("en", "English"),
    "deu": ("de", "German"),
    "spa": ("es", "Spanish"),
    "fra": ("fr", "French"),
    "ita": ("it", "Italian"),
    "nld": ("nl", "Dutch"),
    "por": ("pt", "Portuguese"),
}
"""Tesseract's names of the languages that have a list of words, ours, and the English ones."""

_FITS, _STRANGE = 0.5, 0.35
"""Shares of the letters in words of a list: of one that fits, at least, and where none fits, at most. Read as
English, the first pages of 11 documents in English have .86 to .99 in its list, poor scans among them, one
half in French .64; one in German has .13, in its own .84, one in French .34 and .98; 10 in languages without
a list, of 5 scripts, have .01 to .29 in each."""

_FEWEST = 50  # Words that tell a language, at least.
_SURE = 60.0  # Percent: Tesseract's mean confidence is below 43 where it takes one script for another.


def wrong_language(words: Sequence[Seen], asked: str, *, twice: bool) -> str:
    """Return what to say where these words are not of the languages `asked` for ("eng", "eng+deu"), else ''.

    Where they were read `twice`, the second reader, which needs no language, has mended what it could.
    """
    lines = texts(words)
    if sum(vocabulary(lines).values()) < _FEWEST:
        return ""
    listed = [name for name in asked.split("+") if name in _LISTED]
    fits = {name: known_share(lines, word_list(_LISTED[name][0])) for name in listed}
    if any(fit >= _FITS for fit in fits.values()):
        return ""
    fits |= {name: known_share(lines, word_list(code)) for name, (code, _) in _LISTED.items()}
    best = max(fits, key=lambda name: fits[name])
    if fits[best] >= _FITS:
        say = f"The scans look {_LISTED[best][1]} and were read as {asked}"
        return "" if twice else f"{say}: build with --ocr-language {asked}+{best}."
    sure = confidence(words)
    if fits[best] > _STRANGE or sure >= (CONFIDENT if listed else _SURE):
        return ""
    return (
        f"The scans were read as {asked}, with a confidence of {sure:.0f} %, and have few words of it: "
        "name their language by --ocr-language (apt-cache search tesseract-ocr lists them)"
        + ("." if twice else f", or get the second reader for poor scans: {GET_SECOND_READER}; build again.")
    )
