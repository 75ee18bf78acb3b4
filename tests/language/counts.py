"""Count the smells of each room, and keep the counts as ceilings that may only fall."""

from collections import Counter
from pathlib import Path

from tests.language.patterns import patterns
from tests.language.structure import faults
from tests.language.texts import FOR_USERS, Text, texts

Key = tuple[str, str, str]
"""A room, `text` that users read or `code`, and the name of the smell."""

TABLE = Path(__file__).with_name("counts.tsv")


def counted() -> Counter[Key]:
    """Return the current counts."""
    found: Counter[Key] = Counter()
    groups: dict[tuple[str, str], list[str]] = {}
    for text in texts():
        readers = readers_of(text)
        found.update((text.room, readers, name) for name in faults(text))
        words = text.words.replace("_", " ") if text.kind == "test" else text.words
        groups.setdefault((text.room, readers), []).append(words)
    for (room, readers), words_of_group in groups.items():
        together = "\n\0\n".join(words_of_group)
        for pattern in patterns():
            if number := sum(1 for _ in pattern.hits(together)):
                found[room, readers, pattern.name] = number
    return found


def readers_of(text: Text) -> str:
    """Return `text` if users read a text, otherwise `code`."""
    return "text" if text.kind in FOR_USERS and text.room != "tests" else "code"


def ceilings() -> dict[Key, int]:
    """Return the ceilings of the table."""
    rows = (line.split("\t") for line in TABLE.read_text("utf-8").splitlines()[1:])
    return {(room, readers, name): int(number) for room, readers, name, number in rows}


def lowered(old: dict[Key, int], now: Counter[Key]) -> dict[Key, int]:
    """Return the ceilings, lowered to the current counts; no ceiling is raised."""
    return {key: min(ceiling, now[key]) for key, ceiling in old.items() if now[key]}


def write(table: dict[Key, int]) -> None:
    """Write the ceilings, sorted."""
    rows = ["\t".join((*key, str(number))) for key, number in sorted(table.items())]
    TABLE.write_text("\n".join(["room\treaders\tsmell\tceiling", *rows]) + "\n", "utf-8")
