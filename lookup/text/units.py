"""Units of measurement, as folded text has them."""

from lookup.text.regex import regex

UNITS = frozenset(
    """
    fm pm nm μm µm um mm cm dm m km ng μg µg ug mg g kg t pg fl pl nl μl µl ul ml dl l nmol μmol µmol mmol mol
    pm nm mm fs ps ns μs µs ms s sec second seconds min minute minutes h hr hrs hour hours d day days wk week
    weeks month months yr year years hz khz mhz ghz pa kpa mpa gpa bar mbar v mv kv a ma μa w mw kw mw gw j kj
    mj cal kcal ev mev kev k c f n kn da kda ppm ppb percent percentage permille % ‰ ° $ € £ celsius
    fahrenheit kelvin rpm bp kb mb gb u iu
    """.split()
)


WORDS_TOO = frozenset(
    """
    second seconds min minute minutes hour hours day days week weeks month months year years bar sec ms u
    """.split()
)
"""Units that are also words of running text."""

UNITS_ALONE = UNITS - frozenset("a d k n t u".split())
"""Those that stand for little else after a number, unlike "step 4a", "12 t cells" and "3 n"."""

_SYMBOLS = sorted((unit for unit in UNITS - WORDS_TOO if unit.isalpha()), key=len, reverse=True)
_PRODUCT = regex(rf"(?:{'|'.join(_SYMBOLS)}){{1,4}}")


def is_unit(word: str) -> bool:
    """Return whether a folded word is a unit, or a product of units without spaces, such as mahg or ks."""
    return word in UNITS or _PRODUCT.fullmatch(word) is not None
