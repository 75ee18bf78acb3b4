"""Compare texts by the numbers, ids, labels and orders that they name, not by the words around them."""

import re

WORD = r"(?<![\w-])(?<!\w\.){}(?![\w-]|\.\w)"


class Naming(str):
    """A string equal to each text that names the same things in the same order.

    `Naming("TA.2", 3)` equals "in TA.2, roll 3 dice". It is a string, so that a field of a compared event or refusal
    may contain it.
    """

    __slots__ = ("pattern",)

    def __new__(cls, *named: str | int) -> "Naming":
        self = super().__new__(cls, " … ".join(map(str, named)))
        self.pattern = re.compile(".*?".join(WORD.format(re.escape(str(one))) for one in named), re.DOTALL)
        return self

    def __eq__(self, text: object) -> bool:
        return isinstance(text, str) and self.pattern.search(text) is not None

    def __ne__(self, text: object) -> bool:
        return not self == text

    __hash__ = str.__hash__
