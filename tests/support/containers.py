"""Manuscripts that quote in every form that writers use, each of one quotation with its citation.

In a form, `{}` is where the words stand. The words are printed in KEY, on PAGE; the wrong ones differ in one.
"""

from collections.abc import Iterator
from typing import NamedTuple

KEY, PAGE, OTHER_PAGE = "lindqvist2019", "1650", "1652"
RIGHT = "people prefer to work by day"
WRONG = "people prefer to work by night"
SECOND = "a temperature response that was fitted to daytime data"


class Container(NamedTuple):
    """A manuscript: its suffix, its text, and whether what it quotes is printed."""

    suffix: str
    text: str
    right: bool


_PAIRS = '“” „“ „” ”” «» »« »» “„ 《》 「」 『』 〝〟 ″″ ＂＂ ""'.split()

_SCOPES = (
    f'They say "{{}}", and speak of "{SECOND}" [@{KEY}, p. {PAGE}].',
    'Of field work they say "{}" when they describe it (Lindqvist et al. 2019, 1650).',
    f'It holds that "{{}}" and that "{SECOND}" [@{KEY}, p. {PAGE}] was used.',
    f'Six: "{{}}", and "{SECOND}" [@{KEY}].',
    f'"{{}}," they write, "and {SECOND}" [@{KEY}].',
    'Of this they say "{}" when they describe it.[^1]\n\n[^1]: Lindqvist et al. 2019, 1650.',
    '"{}." That is their start.[^1]\n\n[^1]: Lindqvist et al. 2019, 1650.',
    f"She writes: “{{}}\n\n“so that it is done by day” [@{KEY}].",
    f'"{{}}\n\n"so that it is done by day" [@{KEY}].',
    f"«{{}}\n\n«so that it is done by day» [@{KEY}].",
    f"He has “{{}} [@{KEY}].",
    f"@{KEY} says what I hold, too: that of all workers “{{}}”.",
)

_MARKDOWN = (
    f"<blockquote>{{}}</blockquote> [@{KEY}]",
    f"<blockquote>\n{{}}\n\n[@{KEY}]\n</blockquote>",
    f"<blockquote>\n\n{{}}\n\n</blockquote>\n\n[@{KEY}]",
    f'<blockquote cite="a">\n<p>{{}}</p>\n<cite>[@{KEY}]</cite>\n</blockquote>',
    f"They say <q>{{}}</q> [@{KEY}].",
    f"They say &ldquo;{{}}&rdquo; [@{KEY}].",
    f"They say &quot;{{}}&quot; [@{KEY}].",
    f"They say &laquo;{{}}&raquo; [@{KEY}].",
    f"They say &#8220;{{}}&#8221; [@{KEY}].",
    f"They say ``{{}}'' [@{KEY}].",
    f"They say ``{{}}´´ [@{KEY}].",
    f"They say \\enquote{{{{}}}} \\cite[1650]{{{KEY}}}.",
    f"They say \\say{{{{}}}} \\parencite{{{KEY}}}.",
    f'They say \\"{{}}\\" [@{KEY}].',
    f"::: epigraph\n{{}} [@{KEY}]\n:::",
    f"::: {{.epigraph}}\n\n{{}}\n\n[@{KEY}]\n\n:::",
    f"::: {{.blockquote}}\n{{}}\n\n[@{KEY}]\n:::",
    f":::{{epigraph}}\n{{}}\n\n-- [@{KEY}]\n:::",
    f"```{{epigraph}}\n{{}}\n\n-- [@{KEY}]\n```",
    f"```{{pull-quote}}\n{{}} [@{KEY}]\n```",
    f"{{% quote {KEY} %}} {{}} {{% endquote %}}",
    f"{{% blockquote %}}\n{{}}\n{{% endblockquote %}}\n\n{{% cite {KEY} %}}",
    f"They say <foo>{{}}</foo> [@{KEY}].",
    f"<PullQuote>{{}}</PullQuote> [@{KEY}]",
    f"They say \\foo{{{{}}}} [@{KEY}].",
    f"::: mine\n{{}} [@{KEY}]\n:::",
    f"They say “{{}}” {{cite}}`{KEY}`.",
    f"<div>\n“{{}}” [@{KEY}]\n</div>",
    f"> {{}}\n\n[@{KEY}]",
    f"> {{}}\n>\n> --- @{KEY}",
    f"“{{}}” {{>>check<<}}[@{KEY}]",
    f"“{{==}}{{}}==}}” [@{KEY}]".replace("{==}", "{=="),
    f"“=={{}}==” %%note%% [@{KEY}]",
    f"“{{}}{{-- and night--}}” [@{KEY}]",
    f"“{{}}<del> and night</del>” [@{KEY}]",
    f"“{{}}[-- and night ]” [@{KEY}]",
    f"- “{{}}” [@{KEY}]",
    f"| a | b |\n| - | - |\n| “{{}}” | [@{KEY}] |",
)

FORMS = {
    ".md": (
        *(f"They hold that {pair[0]}{{}}{pair[1]} [@{KEY}]." for pair in _PAIRS),
        *_SCOPES,
        *_MARKDOWN,
    ),
    ".tex": tuple(rf"They hold that {pair[0]}{{}}{pair[1]} \cite{{{KEY}}}." for pair in _PAIRS),
    ".typ": tuple(f"They hold that {pair[0]}{{}}{pair[1]} @{KEY}." for pair in _PAIRS),
}


def containers() -> Iterator[Container]:
    """Yield each form with the printed words, and with one word changed."""
    for suffix, forms in FORMS.items():
        for form in forms:
            yield Container(suffix, form.replace("{}", RIGHT), right="so that it" not in form)
            yield Container(suffix, form.replace("{}", WRONG), right=False)
