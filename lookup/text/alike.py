"""Characters that stand for others within words: what writers and printers take for one letter.

Folding keeps them, so that releases stay as they are; where letters are compared they are one.
"""

import re

_RADICALS = (
    "⺁⺂⺃⺄⺅⺆⺇⺈⺉⺊⺋⺌⺍⺎⺏⺐⺑⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺪⺫⺬⺭⺮"
    "⺯⺰⺱⺲⺳⺴⺵⺶⺷⺸⺹⺺⺻⺼⺽⺾⺿⻀⻁⻂⻃⻄⻅⻆⻇⻈⻉⻊⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻕⻖⻗⻘⻙⻚"
    "⻛⻜⻝⻞⻟⻠⻡⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲"
)
_IDEOGRAPHS = (
    "厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑彐忄心扌攵旡日月歺民氵氺灬爫爫丬牛犭王𤴔目示礻𥫗"
    "糹纟罓罒㓁冗𦉫羊𦍌𦍋耂肀聿肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页"
    "风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀"
)
"""CJK radicals, of which some fonts make a text, and the ideographs that Unicode says they are (Unicode 14,
EquivalentUnifiedIdeograph); those that NFKC replaces are left out."""

_ZEROS = "٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀႐០᠐᥆᧐᪀᪐᭐᮰᱀᱐꘠꣐꤀꧐꧰꩐꯰"
_DIGITS = {ord(zero) + digit: str(digit) for zero in _ZEROS for digit in range(10)}

_LETTERS = {ord(one): other for one, other in zip("ёşţيكı", "еșțیکi", strict=True)}
"""ё is е where a text puts no points, ş and ţ are the cedillas of old fonts, ي and ك the Arabic letters of
Persian keyboards. The Turkish ı is an i in capitals."""

_MARKS = {
    ord(one): other
    for one, other in zip("ʻ‹›׳「」『』״־،؛؟、。।॥۔", "''''" + '"' * 5 + "-,;?,....", strict=True)
}
"""Quotation marks, the hyphen of Hebrew, and commas and stops of other scripts; the ʻokina is typed as a
quotation mark."""

_ALIKE = {ord(one): other for one, other in zip(_RADICALS, _IDEOGRAPHS, strict=True)}
_ALIKE |= _LETTERS | _DIGITS | _MARKS
_HAS_ALIKE = re.compile(f"[{re.escape(''.join(map(chr, _ALIKE)))}]")

OTHER_DIGIT = f"[{''.join(map(chr, _DIGITS))}]"
"""A digit of another script, as a pattern."""


DOT = "\u0307"  # That of İ, which folding sets apart from the i.


def alike(folded: str) -> str:
    """Return folded text with one character for those that are alike; as long as it was."""
    return folded if folded.isascii() or not _HAS_ALIKE.search(folded) else folded.translate(_ALIKE)


def of_its_script(digit: str, text: str) -> bool:
    """Return whether a text has letters of the script of a digit, whose digits it may have."""
    block = range(ord(digit) & ~0x7F, (ord(digit) | 0x7F) + 1)
    return any(ord(char) in block and char.isalpha() for char in text)
