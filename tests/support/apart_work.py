"""Work for a process of its own, in a module that loads nothing: such a process imports what it is in."""


def greedy():
    return b"x" * (256 << 20)


def wrong():
    raise ZeroDivisionError


class Unknown:
    """What no answer is made of."""
