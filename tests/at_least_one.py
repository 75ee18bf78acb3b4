"""Iterate over things, and fail if there are none, because a loop without iterations checks nothing."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def at_least_one(things: Iterable[T]) -> Iterator[T]:
    """Yield these things in turn.

    Raises:
        AssertionError: At the end, if there were no things.
    """
    number = 0
    for one in things:
        number += 1
        yield one
    assert number, "there is nothing here to look at"
