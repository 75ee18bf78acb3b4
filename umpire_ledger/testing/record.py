"""Record a fixture replay: play an order file into a ledger in memory, write the replay log and its stated end.

    python -m umpire_ledger.testing.record war-galley great-harbour.toml great-harbour.jsonl

Reads `scenarios/` and `orders/` of the fixtures and writes `replays/NAME.jsonl` and `NAME.end.json` beside them,
or into another folder with `--output`. The clock and the ids are fixed, so that a replay that is recorded again differs
in its salts only.
"""

import argparse
import itertools
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from umpire_ledger.desk.opening import new_game
from umpire_ledger.desk.order_files import order_lines
from umpire_ledger.desk.sitting import Sitting
from umpire_ledger.desk.wiring import GameFolding, need_title
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.testing.fixtures import folder_of

START = datetime(2026, 1, 1, 19, 0, tzinfo=UTC)


def record(title_id: str, scenario: str, orders: str, output: Path | None = None) -> Path:
    """Play and write. Raises what a refused line raises."""
    folder = folder_of(title_id)
    replays = output or folder / "replays"
    name = Path(orders).stem
    seconds = itertools.count()
    text = (folder / "scenarios" / scenario).read_text(encoding="utf-8")
    with Ledger.open(":memory:", GameFolding(), clock=lambda: START + timedelta(seconds=30 * next(seconds))) as ledger:
        new_game(ledger, need_title(title_id), text, game=name)
        sitting = Sitting(ledger, name)
        for number, raw in order_lines(folder / "orders" / orders):
            sitting.order({"id": f"{name}-{number}", **raw})
        replays.mkdir(exist_ok=True, parents=True)
        with (replays / f"{name}.jsonl").open("wb") as out:
            replay_log.write(ledger, name, out)
        (replays / f"{name}.end.json").write_bytes(
            msgspec.json.format(msgspec.json.encode(end_of(sitting.game)), indent=2)
        )
    return replays / f"{name}.jsonl"


def end_of(game: Game) -> dict[str, object]:
    """What a replay must fold to."""
    fates = {unit.id: unit.fate for _, unit in sorted(game.units.items()) if unit.fate}
    return {"turn": game.turn, "ended": game.ended, "accounts": dict(sorted(game.accounts.items())), "fates": fates}


def main(words: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m umpire_ledger.testing.record", description="Record a replay.")
    parser.add_argument("title", help="the id of an installed title")
    parser.add_argument("scenario", help="a file of the title's scenarios")
    parser.add_argument("orders", help="a file of the title's orders")
    parser.add_argument("-o", "--output", type=Path, help="the folder to write to; the title's replays if left out")
    asked = parser.parse_args(words)
    print(record(asked.title, asked.scenario, asked.orders, asked.output))


if __name__ == "__main__":
    main()
