"""A match as a W3C Web Annotation (https://www.w3.org/TR/annotation-model/)."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lookup.results.quote_answer import Box, Match

_CONTEXT = "http://www.w3.org/ns/anno.jsonld"
_PDF = "http://tools.ietf.org/rfc/rfc8118"
_AREA = "http://www.w3.org/TR/media-frags/"

_AROUND = 32  # Characters of a prefix or a suffix, if the match's text has them; Hypothesis writes as many.


def annotation(match: "Match") -> dict[str, Any]:
    """Return the match as a highlighting annotation on its paper, as JSON has it.

    The quote is selected by its words with those before and after it, by its place in the document text, and
    by page and area of each printed line. Pages count from 1; an area is x,y,width,height in points from the
    upper left corner.
    """
    start, end = match.span
    return {
        "@context": _CONTEXT,
        "type": "Annotation",
        "motivation": "highlighting",
        "target": {
            "source": match.key,
            "selector": [
                {
                    "type": "TextQuoteSelector",
                    "exact": match.quote,
                    "prefix": match.text[max(0, start - _AROUND) : start],
                    "suffix": match.text[end : end + _AROUND],
                },
                {"type": "TextPositionSelector", "start": match.cursor, "end": match.cursor + end - start},
                *map(_area, match.boxes),
            ],
        },
    }


def _area(box: "Box") -> dict[str, Any]:
    width, height = round(box.x1 - box.x0, 1), round(box.y1 - box.y0, 1)
    return {
        "type": "FragmentSelector",
        "conformsTo": _PDF,
        "value": f"page={box.page}",
        "refinedBy": {
            "type": "FragmentSelector",
            "conformsTo": _AREA,
            "value": f"xywh={box.x0},{box.y0},{width},{height}",
        },
    }
