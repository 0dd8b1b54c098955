"""What a check comes to: how many quotations are right, wrong or not judged, and whether all is well."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lookup.results.answer import counted
from pagequote.check.judge import Finding


class Summary(NamedTuple):
    """Counts of quotations. Those with a remark are printed as quoted; `uncited` ones are not judged."""

    right: int
    wrong: int
    remarks: int
    unjudged: int
    uncited: int
    known: int = 0

    @classmethod
    def of(cls, findings: Iterable[Finding], known: int = 0) -> "Summary":
        """Return the counts of findings; so many more are `known` by a baseline."""
        every = list(findings)
        unjudged = [one for one in every if not one.judged and one.level == "warning"]
        return cls(
            right=sum(one.level == "ok" for one in every),
            wrong=sum(one.level == "error" for one in every),
            remarks=sum(one.level == "warning" for one in every) - len(unjudged),
            unjudged=len(unjudged),
            uncited=sum(not one.quotation.keys for one in unjudged),
            known=known,
        )

    @property
    def all(self) -> int:
        """Return the number of quotations."""
        return self.right + self.wrong + self.remarks + self.unjudged + self.known

    def __str__(self) -> str:
        parts = [f"{self.right} right", f"{self.wrong} wrong"]
        parts += [f"{self.remarks} with a remark"] if self.remarks else []
        if self.unjudged:
            some = "" if self.uncited == self.unjudged else f"{self.uncited} with "
            why = f" ({some}no citation that can be read)" if self.uncited else ""
            parts.append(f"{self.unjudged} not judged{why}")
        parts += [f"{self.known} known"] if self.known else []
        return f"{counted(self.all, 'quotation')}: {', '.join(parts)}" if self.all else "0 quotations"


def all_is_well(findings: Sequence[Finding]) -> bool:
    """Return whether nothing is wrong, and in each file that quotes something was judged, or is pinned.

    A file that cites and quotes nothing is well beside others in which something was judged.
    """
    quoting = {one.manuscript.path for one in findings if one.quoted}
    judged = {one.manuscript.path for one in findings if one.judged or one.pinned}
    return (
        quoting == judged
        and bool(judged or not findings)
        and not any(one.level == "error" for one in findings)
    )
