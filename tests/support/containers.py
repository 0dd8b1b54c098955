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
    f"They say [{{}}]{{.quote}} [@{KEY}].",
    f'They say <span class="quote">{{}}</span> [@{KEY}].',
    f"<p class='epigraph'>{{}}</p> [@{KEY}]",
    f"They say ❝{{}}❞ [@{KEY}].",
    f"| a | b |\n| - | - |\n| “{{}}” | [@{KEY}] |",
    f"> **Note**\n> “{{}}” [@{KEY}]",
    f"“{{}}” <cite>@{KEY}</cite>",
    f"!!! quote\n    {{}} [@{KEY}]",
    f"~~~quote\n{{}} [@{KEY}]\n~~~",
    f"“{{}}”.[^1]\n\n[^1]: @{KEY}",
    *(
        f"{opens}{{}} [@{KEY}]{closes}"
        for opens, closes in (
            ("<aside>", "</aside>"),
            ("<details>", "</details>"),
            ("<center>", "</center>"),
            ("<div class='mine'>", "</div>"),
            ("<p class=mine>", "</p>"),
            ("> [!mine] ", ""),
            ("> [!mine] Title\n> ", ""),
            ("::: center\n", "\n:::"),
            ("!!! mine\n    ", ""),
            ("{% mine %} ", " {% endmine %}"),
            ("term\n: ", ""),
            ("<dl><dt>a</dt><dd>", "</dd></dl>"),
            ("[", "]{.mine}"),
        )
    ),
    f"<aside>\n\n{{}}\n\n</aside>\n\n[@{KEY}]",
    "Text.[^1]\n\n[^1]: “{}” (Lindqvist et al. 2019, 1650).",
    "Text.[^1]\n\n[^1]: They say “{}” (Lindqvist et al. 2019, 1650) and more.",
)

_LATEX = (
    f"\\citequote{{{KEY}}}{{{{}}}}",
    "Text.\\footnote{{``{}'' (Lindqvist et al. 2019, 1650).}}".replace("{{", "{").replace("}}", "}"),
    *(
        f"{opens}{{}}{closes} \\cite{{{KEY}}}"
        for opens, closes in (
            ("\\enquote{", "}"),
            ("\\say{", "}"),
            ("\\frquote{", "}"),
            ("\\textquote{", "}"),
            ("\\glqq ", "\\grqq"),
            ("{\\glqq}", "{\\grqq}"),
            ("\\glq ", "\\grq"),
            ("\\og ", "\\fg"),
            ("\\flqq ", "\\frqq"),
            ("<<", ">>"),
            (",,", "''"),
            ("``", "''"),
            ("``", "´´"),
            ('"`', "\"'"),
            ("\\lq\\lq ", "\\rq\\rq"),
            ("\\textquotedbl ", "\\textquotedbl"),
            ("\\textquotedblleft ", "\\textquotedblright"),
            ("\\begin{quote}", "\\end{quote}"),
            ("\\begin{verse}", "\\end{verse}"),
            ("\\begin{mine}", "\\end{mine}"),
            ("{\\quote ", "}"),
            ("\\mine{", "}"),
            ("\\mine[a]{", "}"),
            ("\\mine{a}{", "}"),
            ("\\begin{center}", "\\end{center}"),
            ("\\begin{minipage}{3cm}", "\\end{minipage}"),
            ("\\begin{description}\\item[a] ", "\\end{description}"),
            ("\\let\\qq\\enquote \\qq{", "}"),
            ("\\newcommand{\\qq}[1]{\\enquote{#1}} \\qq{", "}"),
            ("\\newcommand{\\qq}[1]{``#1''} \\qq{", "}"),
            ("\\def\\qq#1{\\enquote{#1}} \\qq{", "}"),
            ("``", "\n\n``so that it is done by day''"),
        )
    ),
    f"\\newcommand{{\\ok}}[1]{{\\enquote{{#1}} (\\cite[1650]{{{KEY}}})}} \\ok{{{{}}}}",
    f"\\newcommand{{\\zit}}[3]{{\\enquote{{#3}}\\footcite[#2]{{#1}}}} \\zit{{{KEY}}}{{1650}}{{{{}}}}",
    f"\\NewDocumentCommand{{\\zit}}{{m m}}{{\\enquote{{#2}} \\cite{{#1}}}} \\zit{{{KEY}}}{{{{}}}}",
    f"\\epigraph{{{{}}}}{{\\cite{{{KEY}}}}}",
    "\\epigraph{{}}{Lindqvist et al. (2019, 1650)}",
    f"\\dictum[\\cite{{{KEY}}}]{{{{}}}}",
    f"\\blockquote{{{{}}.\\cite{{{KEY}}}\\relax}}",
    f"\\begin{{quote}}{{}}\\sourceatright{{\\cite{{{KEY}}}}}\\end{{quote}}",
    *(
        f"\\enquote{{{{}}}} \\{name}[1650]{{{KEY}}}"
        for name in ("citeA", "citepalias", "sidecite", "apacite")
    ),
    f"\\enquote{{{{}}}} \\volcite{{2}}[1650]{{{KEY}}}",
    f"\\enquote{{{{}}}} (\\cite{{{KEY}}}, p.~1650)",
    f"\\citeauthor{{{KEY}}} (\\citeyear{{{KEY}}}, 1650) writes \\enquote{{{{}}}}.",
    f"\\enquote{{{{}}}}, and \\enquote{{{SECOND}}} \\cite{{{KEY}}}",
)

_TYPST = (
    f"#quote(block: true)[{{}}] @{KEY}",
    f"#quote(block: true, attribution: <{KEY}>)[{{}}]",
    f"#quote(block: true, attribution: [@{KEY}])[{{}}]",
    f"#quote(block: true, attribution: cite(<{KEY}>, supplement: [p. 1650]))[{{}}]",
    "#quote(block: true, attribution: [Lindqvist et al. (2019, p. 1650)])[{}]",
    f'#quote("{{}}") @{KEY}',
    f"#quote(quotes: true, [{{}}], attribution: [@{KEY}])",
    f"#let q = quote(block: true, attribution: <{KEY}>)[{{}}]\n#q",
    f'#table(["{{}}" @{KEY}])',
    f'#table(columns: 2, ["{{}}"], [@{KEY}])',
    f'#figure(caption: ["{{}}" @{KEY}], image("a.png"))',
    f'#if true ["{{}}" @{KEY}]',
    f"#blockquote[{{}}] @{KEY}",
    f"#epigraph[{{}}][@{KEY}]",
    f"#mine[{{}}] @{KEY}",
    f"#align(center)[{{}} @{KEY}]",
    f"/ term: {{}} @{KEY}",
    f"#block(inset: 1em)[{{}}] @{KEY}",
    f'#mine("{{}}") @{KEY}',
    f"#mine(<{KEY}>)[{{}}]",
    f'"{{}}" #cite(<{KEY}>, supplement: "p. 1650")',
    f'"{{}}" #cite(label("{KEY}"), supplement: [1650])',
    f'"{{}}" (@{KEY}, p. 1650)',
    f'#cite(<{KEY}>, form: "author") (#cite(<{KEY}>, form: "year"), p. 1650) writes "{{}}".',
    f'"{{}}", and "{SECOND}" @{KEY}',
    f'"{{}}\n\n"so that it is done by day" @{KEY}',
    f'#footnote["{{}}" @{KEY}]',
    f"#{{ quote[{{}}] }} @{KEY}",
)

_ORG = (
    f'They say "{{}}" [cite:@{KEY} p. 1650].',
    f"They say “{{}}” [cite/t:see @{KEY} p. 1650; @nobody1999].",
    f'[cite/t:@{KEY}] says "{{}}".',
    f"#+begin_quote\n{{}} [cite:@{KEY}]\n#+end_quote",
    f"#+BEGIN_QUOTE\n{{}}\n#+END_QUOTE\n\n[cite:@{KEY}]",
    f"#+begin_verse\n{{}}\n[cite:@{KEY}]\n#+end_verse",
    f'"{{}}" cite:{KEY}',
    f'"{{}}" citep:&{KEY}',
    f'"{{}}" [[citep:&{KEY}]]',
    f'"{{}}" [[cite:{KEY}][p. 1650]]',
    '"{}"[fn:1]\n\n[fn:1] Lindqvist et al. 2019, 1650.',
    f'"{{}}"[fn:: See [cite:@{KEY} p. 1650].]',
    f'"{{}}"[fn:a]\n\n* Notes\n\n[fn:a] [cite:@{KEY} p. 1650]',
    f'* Heading\n** TODO "{{}}" [cite:@{KEY}]',
    f'- "{{}}" [cite:@{KEY}]\n  and more',
    f'  Text set in: "{{}}" [cite:@{KEY}].',
    f'    Text set in: "{{}}" [cite:@{KEY}].',
    f'| "{{}}" | [cite:@{KEY}] |',
    f'/"{{}}"/ [cite:@{KEY}]',
    f'*"{{}}"* [cite:@{KEY}]',
    f'"{{}}" \\cite[1650]{{{KEY}}}',
    f"#+begin_quote\n/{{}}/\n--- [cite:@{KEY}]\n#+end_quote",
    f"#+begin_mine\n{{}} [cite:@{KEY}]\n#+end_mine",
    f"#+begin_center\n{{}} [cite:@{KEY}]\n#+end_center",
    f"“{{}} +so that it is done by day+” [cite:@{KEY}]",
    f"#+caption: “{{}}” [cite:@{KEY}]\n[[file:a.png]]",
    f"# a comment\n“{{}}” [cite:@{KEY}]",
)

_REST = (
    f'They say "{{}}" :cite:`{KEY}`.',
    f'They say "{{}}" :cite:p:`{KEY}`.',
    f"They say “{{}}” :cite:p:`{{see}}{KEY}{{p. 1650}}`.",
    f"They say “{{}}” :footcite:p:`{KEY}`.",
    f"They say “{{}}” :cite:p:`{KEY},nobody1999`.",
    f":cite:t:`{KEY}` say “{{}}”.",
    f"“{{}}” [{KEY}]_",
    "“{}” [1]_\n\n.. [1] Lindqvist et al. 2019, 1650.",
    f"“{{}}” [#]_\n\n.. [#] :cite:p:`{KEY}`",
    f"“{{}}” [#n]_\n\n.. [#n] See :cite:p:`{KEY}`.",
    f"Text.\n\n   {{}}\n\n   -- :cite:`{KEY}`\n\nMore.",
    f"Text.\n\n    {{}} :cite:`{KEY}`\n\nMore.",
    f"Text.\n\n        {{}} :cite:`{KEY}`\n\nMore.",
    f".. epigraph::\n\n   {{}}\n\n   -- :cite:`{KEY}`",
    f".. pull-quote::\n\n   {{}} :cite:`{KEY}`",
    f".. pull-quote:: {{}} :cite:`{KEY}`",
    f".. mine::\n\n   {{}} :cite:`{KEY}`",
    f".. mine:: {{}} :cite:`{KEY}`",
    f"term\n   {{}} :cite:`{KEY}`",
    f".. container:: mine\n\n   {{}} :cite:`{KEY}`",
    f".. sidebar:: Title\n\n   {{}}\n\n   :cite:`{KEY}`",
    f":mine:`{{}}` :cite:`{KEY}`",
    f"“{{}} :del:`so that it is done by day`” :cite:`{KEY}`",
    f".. note::\n\n   “{{}}” :cite:`{KEY}`",
    f".. note:: “{{}}” :cite:`{KEY}`",
    f".. figure:: a.png\n\n   “{{}}” :cite:`{KEY}`",
    f"- “{{}}” :cite:`{KEY}`",
    f"- item\n\n  “{{}}” :cite:`{KEY}`",
    f"- item\n\n      {{}} :cite:`{KEY}`",
    f"*“{{}}”* :cite:`{KEY}`",
    f"``x`` “{{}}” :cite:`{KEY}`",
    f"`“{{}}” <http://a.b/c>`_ :cite:`{KEY}`",
    f"term\n   “{{}}” :cite:`{KEY}`",
    f":field: “{{}}” :cite:`{KEY}`",
    f"| “{{}}” :cite:`{KEY}`\n| more",
)

FORMS = {
    ".md": (
        *(f"They hold that {pair[0]}{{}}{pair[1]} [@{KEY}]." for pair in _PAIRS),
        *_SCOPES,
        *_MARKDOWN,
    ),
    ".tex": (*(rf"They hold that {pair[0]}{{}}{pair[1]} \cite{{{KEY}}}." for pair in _PAIRS), *_LATEX),
    ".org": _ORG,
    ".rst": _REST,
    ".typ": (*(f"They hold that {pair[0]}{{}}{pair[1]} @{KEY}." for pair in _PAIRS), *_TYPST),
}


HIDDEN = (
    (".org", f'#+begin_src md\n"{RIGHT}" [@{KEY}]\n#+end_src'),
    (".org", f'# "{RIGHT}" [cite:@{KEY}]'),
    (".org", f'="{RIGHT}"= [cite:@{KEY}]'),
    (".org", f': "{RIGHT}" [cite:@{KEY}]'),
    (".rst", f'.. code::\n\n   "{RIGHT}" :cite:`{KEY}`'),
    (".rst", f'.. "{RIGHT}" :cite:`{KEY}`'),
    (".rst", f'Code::\n\n   "{RIGHT}" :cite:`{KEY}`\n\nText.'),
)
"""Code and comments, which quote nothing."""


def containers() -> Iterator[Container]:
    """Yield each form with the printed words, and with one word changed."""
    for suffix, forms in FORMS.items():
        for form in forms:
            yield Container(suffix, form.replace("{}", RIGHT), right="so that it" not in form)
            yield Container(suffix, form.replace("{}", WRONG), right=False)
