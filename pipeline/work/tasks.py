"""How tasks are done: one after the other, or side by side by what an engine gives instead."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

Task = TypeVar("Task")
Done = TypeVar("Done")


class Each(Protocol):
    """Does tasks in any order."""

    def __call__(self, function: Callable[[Task], Done], tasks: Sequence[Task], /) -> Sequence[Done]:
        """Return what the function of a module returns for each task, which it may get several times."""


def one_by_one(function: Callable[[Task], Done], tasks: Sequence[Task], /) -> list[Done]:
    """Do the tasks in this process; see Each."""
    return [function(task) for task in tasks]
