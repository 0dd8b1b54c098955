"""Words that deny, weaken or turn round a statement, and when leaving them out does so."""

import re
from collections.abc import Callable

from lookup.results.difference import Difference
from lookup.text.regex import regex

_DENIALS = {
    "English": r"not(?!\s+only\b) no(?!\.\s?\d|\s+(?:less|more)\s+than\b) never none nor neither cannot"
    r" without hardly scarcely barely rarely seldom nothing nobody nowhere [^\W\d_]+n't",
    "German": r"nicht kein\w{0,2} keineswegs nie niemals ohne weder",
    "Dutch": "niet geen zonder nooit",
    "Portuguese and Spanish": r"não nunca jamais nenhuma? ningun[oa]? tampoco",
    "Russian, Ukrainian, Bulgarian": "не ни ні без нет немає нельзя никогда ніколи никога",
    "Polish, Czech, Slovak": r"nie bez ani nigdy není nejsou nikdy žádn\w+ nikoliv?",
    "Greek": r"δεν μην? οχι χωρις ποτε κανενα\w* ουτε δεν όχι χωρίς ποτέ ούτε",
    "Turkish": r"değil\w* yok\w* asla hiçbir",
    "Hungarian and Finnish": "nincs\\w* soha nélkül eivät emme ette älä ilman",
    "Vietnamese and Indonesian": "không chưa chẳng tidak bukan tanpa belum",
    "Scandinavian": "aldrig aldri uden uten utan ingen inget ingenting ikkje",
    "Romanian and Catalan": "fără niciodată nimic nicio niciun",
    "Arabic": r"[وف]?(?:لا|لم|لن|ليس|ليست|غير) [وف]?ب?دون",
    "Persian and Urdu": "نه نیست نبود بدون نہیں",
    "Hebrew": "לא אין אינו אינה אינם אינן בלי ללא",
    "Hindi, Bengali, Tamil": "नहीं मत बिना নয় নেই ছাড়া அல்ல இல்லை",
    "Korean": r"않\w* 못\w* 안 없\w* 아니\w*",
}
"""Words that deny what they stand beside, in folded text; what else they mean is rare."""

_DENIALS_ELSEWHERE = (
    r"(?:ne|n'|pas|point|jamais|aucune?|guère|nul(?:le)?|sans|ni|no|sin|non|mai|senza|né|sem|nem|ikke|inte|ej"
    r"|nu|ei|en)"
)
"""The same in French, Spanish, Italian and others, whose words mean something else in English: Ni, sin."""

_UNSPACED = (
    r"(?:ไม่|มิได้|ไร้|从未|從未|缺乏|缺少|难以|難以|拒绝|拒絕|无法|無法|没有|沒有"
    r"|不能|不会|不會|不是|不|未|没|沒)"
)
"""The same before the words that they deny, in scripts without spaces."""

_BEFORE_ENGLISH = (
    r"fail(?:s|ed|ing)?\s+to unable\s+to unlikely\s+to (?:lack|absence)\s+of"
    r" (?:none|half|neither)\s+of(?:\s+(?:the|these|those|its|our|their))? rather\s+than instead\s+of"
    r" (?<!\ba\s)few prevent(?:s|ed|ing)? inhibit(?:s|ed|ing)? whether (?<!\d\s)may might could less"
    r" no\s+longer"
)
_AFTER_ENGLISH = r"only if unless except in\s+the\s+absence\s+of in\s+(?:none|no|neither)\b fail(?:s|ed|ing)?"
"""What else turns a quote round that begins right after it, or ends right before."""


def any_of(*words: str) -> str:
    """Return a pattern for any of the words, or patterns of words, between spaces."""
    return "|".join(" ".join(words).split())


NEGATION = regex(rf"\b(?:{any_of(*_DENIALS.values())})\b")
"""A negation in folded text; "not only", "no more than" and "no. 5" are not negations."""

NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "anti", "a")
"""Prefixes that turn a word into its opposite: "significant", "insignificant"."""

_NEGATIVE = regex(r"(?:un(?!der|i|til)|in|im|il|ir|non|dis)([^\W\d_]{4,})")

_BEFORE = regex(rf"(?:\b(?:{any_of(*_DENIALS.values(), _BEFORE_ENGLISH)})\s|{_UNSPACED})$")
_AFTER = regex(rf"\s(?:{any_of(*_DENIALS.values(), _AFTER_ENGLISH)})\b|n?'t\b|とは言え(?:ない|ません)")
_BEFORE_ELSEWHERE = regex(rf"\b{_DENIALS_ELSEWHERE}\s?$")
_AFTER_ELSEWHERE = regex(rf"\s{_DENIALS_ELSEWHERE}\b")
"""What stands right before and after a quote and turns its meaning round."""

_HEDGES = {
    "English": r"(?<!\d\s)may(?!,?\s\d) might could perhaps possibly probably presumably only"
    r" (?<!\ba\s)little less fewer (?<!\ba\s)(?<!\bfirst\s)(?<!\blast\s)few",
    "German": r"könnten? möglicherweise vielleicht vermutlich wahrscheinlich nur",
    "French": r"peut-être pourrai\w+ probablement éventuellement seulement",
    "Spanish": r"quizás? podrían? probablemente posiblemente solo sólo",
    "Portuguese": r"talvez poderiam? provavelmente possivelmente apenas",
}
"""Words that weaken what they stand beside, in folded text."""

_REVERSALS = {
    "English": r"fail(?:s|ed|ing)? unable inability unlikely unlike prevent(?:s|ed|ing)? inhibit(?:s|ed|ing)?"
    r" suppress(?:es|ed|ing)? abolish(?:es|ed)? absent absence lack(?:s|ed|ing)? rather\s+than instead\s+of"
    r" other\s+than except no\s+longer contrary (?:(?<=\bthe\s)|(?<=\ban\s)|^)(?:opposite|reverse)"
    r" (?:opposite|reverse)(?=\s+(?:of|to)\b|$) falsely wrongly incorrectly erroneously"
    r" untrue false refut\w+ reject(?:s|ed) disprov\w+ contradict\w* den(?:y|ies|ied) avoid(?:s|ed)"
    r" whether hypothesi[sz]e[sd]? speculat\w+ supposed(?:ly)? suppos(?:es?|ing) alleg\w+ purport\w*"
    r" claim(?:s|ed)? seemingly apparently unclear unknown uncertain unproven doubt\w* questionable",
    "German": r"statt anstelle außer verhinder\w+ hemmt\w* fehl(?:t|en|te|ten) unmöglich gegenteil falsch ob"
    r" angeblich hypothese fraglich",
    "French": r"pas sans aucune? sauf empêch\w+ absence contraire faux hypothèse prétendu\w*",
    "Spanish": r"sin ningún tampoco salvo excepto impid\w+ ausencia falta contrario falso hipótesis"
    r" supuest\w+",
    "Portuguese": r"sem nem exceto impede\w* ausência falta contrário falso hipótese supost\w+",
}
"""Words that turn round what they govern, or say it only of what somebody holds, in folded text."""


TURNING = regex(rf"\b(?:(?P<hedge>{any_of(*_HEDGES.values())})|{any_of(*_REVERSALS.values())})\b")
"""A word in folded text that weakens what is said or turns it round without a negation."""

_TURNING_IN_ENGLISH = regex(any_of(_HEDGES["English"], _REVERSALS["English"]))

_ENGLISH = regex(r"\b(?:the|of|and|were|with|that|is|are|by)\b")
"""Words by which a text is English: in it "sem" is a microscope, and not the Portuguese "without"."""

_PORTUGUESE = regex(r"\b(?:não|das|uma|em|são|pelo|pela|ao|com|ou)\b")
"""Words by which a text is Portuguese, in which "no" is "in the"."""

_DIRECTIONS = regex(
    r"\b(?:increas\w+|decreas\w+|reduc\w+|enhanc\w+|rais\w+|lower\w*|higher|greater|smaller|more|worse\w*|better"
    r"|improv\w+|declin\w+|elevat\w+|diminish\w+|attenuat\w+|loss|gain|before|after|above|below|positive\w*"
    r"|negative\w*)\b"
)
"""A word in folded text that says in which direction something goes."""

_BARE = 3
"""Words under an ellipsis that are left out for what one of them says: a direction counts there. Honest ones
leave out more: of 646 ends and beginnings of sentences the shortest had 6 words between them (0022)."""

_CLAUSE_END = regex(
    r"[.;:!?,()](?!\d)|\b(?:and|but|or|so|because|which|that|who|whom|whose|while|whereas|although|though"
    r"|when|where|if|since|as|than|unless|until|und|oder|aber|dass|weil|et|mais|qui|que|y|e|ou|mas|pero)\b"
)
_STOPS = (".", "!", "?", ";", ":")  # What ends a clause: a negation after it is of the next.

_WEAK = frozenset("may might could whether few less".split())
"""Words that weaken what follows, where they end what is cut off."""

_LONGEST_NEGATION = 24
"""Characters beside a quote that are looked at for a negation: "in the absence of " has 18."""

_FEW_WORDS = 8
"""Words under an ellipsis that are one clause, whatever commas they hold:
"is, under no circumstances, permitted"."""

_NEXT_TO = 2
"""Words that may stand between a negation and the quoted words that it governs: "not yet fully" effective.
The rule was set on ends and beginnings of sentences (docs/decisions/0011)."""


def cut_negations(before: str, quoted: str, after: str) -> list[str]:
    """Return the negations that a quote cuts off, by the folded print before and after it.

    "was" ends right before the "not" of "was not seen"; "seen" begins right after it.
    """
    before = before[-_LONGEST_NEGATION:]
    after = "" if quoted.endswith(_STOPS) else after[:_LONGEST_NEGATION]
    found = [_BEFORE.search(before), _AFTER.match(after)]
    if not _ENGLISH.search(f"{before} {quoted} {after}"):
        found += [_BEFORE_ELSEWHERE.search(before), _AFTER_ELSEWHERE.match(after)]
    words = dict.fromkeys(match.group().strip() for match in found if match)
    if quoted[:1].isdigit():  # a day or a year after the month
        words.pop("may", None)
    return [word for word in words if word != "no" or not _in_portuguese(f"{before} {quoted} {after}")]


def kind_of(word: str) -> str:
    """Return what a word does that a quote cuts off: "may" and "less" are hedges, others deny."""
    return "hedge" if word in _WEAK else "negation"


def _in_portuguese(text: str) -> bool:
    return not _ENGLISH.search(text) and bool(_PORTUGUESE.search(text))


_CONDITION = regex(
    r"^\W*(?:only )?(?:if|unless|assuming|(?:provided|providing) that)\b|^,\s?(?:only )?provid(?:ed|ing)\b"
    r"|\b(?:if|unless|provided that)\W*$"
)
_SEEMS = regex(
    r"\b(?:seem(?:s|ed)?|appear(?:s|ed)?|tend(?:s|ed)?)(?:\sto)?(?:\sbe)?\W*$"
    r"|^\W*(?:seem(?:s|ed)?|appear(?:s|ed)?|tend(?:s|ed)?)\b(?!\s(?:in|on|at|from|after|before|within)\b)"
    r"|\b(?:thought|believed|suggest(?:s|ed|ing)?|assumed)(?:\s(?:to(?:\sbe)?|that))?\W*$"
    r"|\bconsidered\sto(?:\sbe)?\W*$"
)
_ABOUT = regex(
    r"\b(?:almost|approximately|about|nearly|roughly|around|at (?:least|most)|up to|(?:more|less|fewer) than)"
    r"\W*$"
)
"""Conditions and hedges next to the quoted words, and what makes a number that follows another one."""


_COMPARED = regex(
    r"\b(?:than|compar(?:ed|ison) (?:with|to)|relative to|versus|vs|as opposed to|als|im vergleich (?:zu|mit)"
    r"|par rapport à|que le[s]?|comparado con)\b"
)
"""What joins the two sides of a comparison, in folded text."""

_DEGREE = regex(r"\b(?:too|poorly|insufficiently|inadequately|incompletely|hardly|zu|trop|demasiado)\W*$")
"""What turns the quality round that follows."""

_NUMBER_JOINED = regex(r"\d[\d.,]*\s?(?:to|and|or|-|bis|und|oder|à|et|ou|a|y|o|e)\s?$")
"""A number that is joined to what follows: of "21 to 25" the 25 is one end."""


def _parted(left_out: str, after: str) -> list[Difference]:
    """Return what the words left out begin and `after` ends: a comparison, a degree, a row of numbers."""
    compared = _COMPARED.finditer(left_out) if after else ()
    found = [
        Difference("comparison", "", match.group())
        for match in compared
        if not _CLAUSE_END.search(left_out, match.end())
    ]
    if match := _DEGREE.search(left_out):
        found.append(Difference("hedge", "", match.group().strip()))
    if after[:1].isdigit() and (match := _NUMBER_JOINED.search(left_out)):
        found.append(Difference("number", "", match.group().strip()))
    return found


def negative(word: str, is_word: Callable[[str], bool]) -> bool:
    """Return whether a folded word is another one with a prefix that turns it into its opposite."""
    found = _NEGATIVE.fullmatch(word)
    return found is not None and (is_word(found[1]) or (word[0] == "u" and word.endswith(("ed", "able"))))


def _beside(left_out: str, after: str) -> list[re.Match[str]]:
    """Return what conditions or weakens the words next to those left out, of which `after` follow."""
    found = [_CONDITION.search(left_out), _SEEMS.search(left_out)]
    found += [_ABOUT.search(left_out)] if after.lstrip()[:1].isdigit() else []
    return [match for match in found if match]


def dropped_denials(left_out: str, quoted: str, quoted_after: str = "") -> list[Difference]:
    """Return what denies, weakens or turns round the folded words `quoted` on either side of those left out.

    `quoted_after` are those after them.

    A word does so if it stands next to them, if little else is left out, or if no clause ends between it and
    the words on both sides. A clause that is left out as a whole does not change the rest. A hedge weakens
    only what it stands beside, and a direction counts where hardly another word is left out.
    """
    words = len(left_out.split())
    few = words <= _FEW_WORDS
    bare = _DIRECTIONS.finditer(left_out) if words <= _BARE else ()
    found = [Difference("comparison", "", match.group()) for match in bare]
    found += [Difference("hedge", "", match.group().strip()) for match in _beside(left_out, quoted_after)]
    found += _parted(left_out, quoted_after.lstrip())
    english = _ENGLISH.search(f"{quoted} {left_out}")
    for kind, pattern in (("negation", NEGATION), ("hedge", TURNING)):
        for match in pattern.finditer(left_out):
            if english and kind == "hedge" and not _TURNING_IN_ENGLISH.fullmatch(match.group()):
                continue
            if not few and match.group() == "no" and _in_portuguese(f"{quoted} {left_out}"):
                continue
            before, after = left_out[: match.start()], left_out[match.end() :]
            away = min(len(before.split()), len(after.split()))
            if kind == "hedge" and match["hedge"]:
                governs = away == 0
            else:
                within = not _CLAUSE_END.search(before) and not _CLAUSE_END.search(after)
                governs = away <= _NEXT_TO or within
            if few or governs:
                found.append(Difference(kind, "", match.group()))
    return found
