"""Choose the examples that `umpire orders TITLE ORDER` shows from recorded games: python -m tests.order_examples

An order that is in no recorded game keeps its current line of the file.
"""

from collections.abc import Collection, Iterator
from typing import Any

import msgspec

from tests.face.desk import (
    FOLDER,
    TABLE,
    arguments_of,
    lines_in,
    open_ledger,
    short_form,
)
from tests.face.domain import (
    ANYTIME_ORDERS,
    COVERS,
    REFEREE,
    REFEREE_ORDERS,
    SEQUENCE_ORDERS,
    Title,
    known_to,
)
from tests.face.testing import folder_of, titles
from umpire_ledger.ledger import replay_log

COMMON = {order.tag() for order in (*ANYTIME_ORDERS, *COVERS, *REFEREE_ORDERS, *SEQUENCE_ORDERS)}
LONGEST = 90


def with_units(title: Title, *folders: str) -> Iterator[tuple[dict[str, Any], Collection[str]]]:
    """Yield every order of the title's recorded games as it was given, with the units in the game at that time."""
    for file in sorted(file for one in folders for file in (folder_of(title.id) / one).glob("*.jsonl")):
        with open_ledger(":memory:", create=True) as ledger, file.open("rb") as stream:
            game = replay_log.read_into(ledger, stream)
            first = 0
            for record in ledger.records(game):
                first = record.position if record.prior is not None else first
                if record.cause and record.position > 1:
                    order: dict[str, Any] = msgspec.json.decode(bytes(record.cause))
                    kept = {name: one for name, one in order.items() if name not in ("again", "entered_by", "id")}
                    yield kept, known_to(ledger.state(game, first - 1), REFEREE).units


def recorded(title: Title, *folders: str) -> Iterator[dict[str, Any]]:
    """Yield every order of the title's recorded games as it was given."""
    return (raw for raw, _ in with_units(title, *folders))


def worth(title: Title, raw: dict[str, Any]) -> tuple[bool, int, int]:
    """Return the rank of an example: first whether it is short enough, then many arguments, then shortness."""
    length = len(short_form(title, raw))
    given = sum(one.name in raw for one in arguments_of(title.every_order[raw["order"]]))
    return (length <= LONGEST, given, -length)


def chosen(title: Title) -> dict[str, dict[str, Any]]:
    """Return the best example of every order that was given in a recorded game."""
    found: dict[str, dict[str, Any]] = {}
    for raw in recorded(title, "replays"):
        name = raw.get("order", "")
        if name in title.every_order and (name not in found or worth(title, raw) > worth(title, found[name])):
            found[name] = raw
    return found


def write(name: str, examples: dict[str, dict[str, Any]]) -> None:
    """Write one line for each order, sorted by name."""
    lines = [msgspec.json.encode(examples[one]).decode() for one in sorted(examples)]
    (FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    for title in titles():
        best = chosen(title)
        kept = {name: raw for name, raw in lines_in(title.id).items() if name in title.every_order}
        write(title.id, {**kept, **{name: raw for name, raw in best.items() if name not in COMMON}})
    assert set(lines_in(TABLE)) <= COMMON


if __name__ == "__main__":
    main()
