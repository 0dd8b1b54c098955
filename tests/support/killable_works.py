"""Work for processes that can be killed."""

import os
import sys
import threading
from enum import Enum

from lookup.errors import UnknownKeyError


class Colour(Enum):
    RED = 1


def refuse():
    raise UnknownKeyError("nobody", [])


def full():
    raise MemoryError


def unfit():
    return threading.Lock()


def colour():
    return Colour.RED


class Running:
    """What would run a command where it is read."""

    def __reduce__(self):
        return os.system, ("true",)


def broken():
    return Running()


def printed():
    os.write(1, b"printed by a library\n")
    return sys.stdin.read()
