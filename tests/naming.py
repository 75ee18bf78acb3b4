"""Compare a text by what it names: its numbers, ids, labels and orders, not the words around them."""

import re

WORD = r"(?<![\w-])(?<!\w\.){}(?![\w-]|\.\w)"


class Naming:
    """Equal each text that names these, in this order: `Naming("TA.2", 3)` equals "in TA.2, roll 3 dice"."""

    def __init__(self, *named: str | int) -> None:
        self.named = named
        self.pattern = re.compile(".*?".join(WORD.format(re.escape(str(one))) for one in named), re.DOTALL)

    def __eq__(self, text: object) -> bool:
        return isinstance(text, str) and self.pattern.search(text) is not None

    def __hash__(self) -> int:
        return hash(self.named)

    def __repr__(self) -> str:
        return f"Naming{self.named}"
