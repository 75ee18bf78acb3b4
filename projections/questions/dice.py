"""List the rolls of a game, with all details, as a seat may see them."""

import msgspec

from umpire_ledger.projections.tables.dialect import Tables
from umpire_ledger.projections.tables.views_file import SEEN

_decode = msgspec.json.Decoder().decode


class RollLine(msgspec.Struct, frozen=True, kw_only=True):
    """One roll. `modifiers`: amount and source of each; `source`: `ledger` or `table`; `counts`: False if rewound."""

    roll: int
    position: int
    seat: str
    turn: int
    step: str
    purpose: str
    dice: str
    pips: tuple[int, ...]
    modifiers: tuple[dict[str, str | int], ...]
    total: int
    needed: str
    outcome: str
    source: str
    rule: str
    counts: bool


def rolls(connection: Tables, game_id: str, seat: str, *, all_lines: bool = False) -> list[RollLine]:
    """Return the rolls that a seat may see, oldest first; with `all_lines`, rewound rolls too."""
    names = RollLine.__struct_fields__
    select = f"SELECT {', '.join(names)} FROM dice WHERE game = :game AND {SEEN}{'' if all_lines else ' AND counts'}"
    rows = connection.execute(f"{select} ORDER BY id", {"game": game_id, "seat": seat})
    return [_roll(dict(zip(names, row, strict=True))) for row in rows]


def _roll(row: dict[str, object]) -> RollLine:
    pips, modifiers = _decode(str(row["pips"])), _decode(str(row["modifiers"]))
    return msgspec.convert({**row, "pips": pips, "modifiers": modifiers, "counts": bool(row["counts"])}, RollLine)
