"""Sixty ways to write the page of a citation: `{}` is the page. They were written before what reads them."""

PAGES = (
    "{}", "p. {}", "p {}", "p.{}", "P. {}", "pp. {}", "page {}", "Page {}", "pages {}", "pg. {}", "pgs. {}",
    "at {}", "at p. {}", "{} (italics mine)", "{} (emphasis added)", "p. {}, emphasis in original",
    "{}n3", "{} n. 3", "{}, note 3", "{}fn3", "{}a", "{} sq.", "{} sqq.", "{}f.", "{}ff.", "{} ff",
    "{} et passim",
    "{} passim", "{}/{next}", "{}-{next}", "{}–{next}", "{}--{next}", "{}, {next}", "{} and {next}",
    "{} & {next}",
    "2:{}", "vol. 2, p. {}", "II, {}", "Bd. 2, S. {}", "ch. 3, p. {}", "p. [{}]", "[{}]", "pp. {}-{short}",
    "S. {}", "S.{}", "Seite {}", "s. {}", "pag. {}", "pág. {}", "p. {} sgg.", "str. {}", "blz. {}",
    "с. {}", "стр. {}",
    "第{}页", "{}頁", "side {}", "see {}", "here {}", "cf. p. {}, my translation",
)  # fmt: skip
"""Forms of a page."""

NO_PAGE = ("ch. 3", "sec. 4", "§ 12", "fig. 2", "chap. IV", "emphasis mine", "n. 3", "vol. 2")
"""What gives a place that is no page, or none: nothing can be compared, and nothing is not understood."""

IN_TEN_LANGUAGES = {
    "en": ("page", "pp.", "chapter", "fig.", "line", "vol.", "footnote", "sec.", "verse"),
    "de": (
        "Seite",
        "S.",
        "Kapitel",
        "Abb.",
        "Zeile",
        "Bd.",
        "Fußnote",
        "Abschnitt",
        "Vers",
        "Spalte",
        "Buch",
    ),
    "fr": ("page", "p.", "chapitre", "colonne", "ligne", "tome", "numéro", "partie", "livre", "paragraphe"),
    "es": (
        "página",
        "págs.",
        "capítulo",
        "columna",
        "línea",
        "párrafo",
        "número",
        "parte",
        "sección",
        "verso",
    ),
    "it": ("pagina", "pagg.", "capitolo", "colonna", "riga", "paragrafo", "numero", "parte", "sezione"),
    "pt": ("página", "pp.", "capítulo", "coluna", "linha", "parágrafo", "número", "parte", "seção", "livro"),
    "nl": ("pagina", "blz.", "hoofdstuk", "kolom", "regel", "paragraaf", "nummer", "deel", "boek", "noot"),
    "pl": ("strona", "ss.", "rozdział", "rys.", "wiersz", "przypis", "numer", "część", "tom", "księga"),
    "cs": ("strana", "s.", "kapitola", "obrázek", "řádek", "pozn.", "číslo", "odstavec", "díl", "svazek"),
    "sv": ("sida", "s.", "kapitel", "figur", "rad", "not", "nummer", "stycke", "avsnitt", "vers", "bok"),
}
"""How the locales of CSL name a page (the first two), and what else a number may count."""

NOT_UNDERSTOOD = ("{}x", "{}.{}.{}", "loc {}", "q{}", "{}°", "#{}")
"""A number that may be a page, in a form that no reader knows: never right in silence."""
