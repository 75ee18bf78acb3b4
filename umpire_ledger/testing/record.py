"""Record a fixture replay: play an order file into a ledger in memory, and write the replay log and its end state.

    python -m umpire_ledger.testing.record war-galley great-harbour.toml great-harbour.jsonl

The command reads `scenarios/` and `orders/` of the fixtures. It writes `replays/NAME.jsonl` and `NAME.end.json` next to
them, or into another folder with `--output`. The clock, the ids, the seed of ledger dice and the sides' dice shares are
fixed, so that a replay that is recorded again differs only in its salts. For the same reason, do not continue such
a game: everyone who knows the name of its file can compute its dice.
"""

import argparse
import itertools
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

import msgspec

from umpire_ledger.desk.core.adapters import GameStateBuilder, drafts_of, need_title
from umpire_ledger.desk.core.errors import EXPECTED, problem_of
from umpire_ledger.desk.core.game_session import GameSession
from umpire_ledger.desk.core.order_ids import new_command
from umpire_ledger.desk.core.text_files import read_text
from umpire_ledger.desk.orders.order_files import order_lines
from umpire_ledger.desk.orders.sessions import open_session
from umpire_ledger.desk.scenarios.opening import begin
from umpire_ledger.domain.game.dice_shares import SHARED, awaited, unpledged
from umpire_ledger.domain.game.errors import DomainError
from umpire_ledger.domain.game.events import DiceMode
from umpire_ledger.domain.game.orders import SeatDice
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.game_setup import open_game, scenario_for
from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.order_batches import PendingOrder
from umpire_ledger.ledger.records.limits import MOST_SCENARIO
from umpire_ledger.testing.fixtures import folder_of

START = datetime(2026, 1, 1, 19, 0, tzinfo=UTC)
CHAIN = 500
"""The number of witnessed shares of a side; it uses one for each order of another side that rolls dice."""


def record(
    title_id: str, scenario: str, orders: str, output: Path | None = None, *, dice: DiceMode | None = None
) -> Path:
    """Play an order file, write its replay log, and return the path of the log. `dice`: replaces the scenario's mode.

    Raises:
        DomainError: When a line is refused, which `where` names first, or the scenario is not valid.
        LedgerError: When there is no such title or file, or a file cannot be read.
    """
    title, folder = need_title(title_id), folder_of(title_id)
    replays = output or folder / "replays"
    name = Path(orders).stem
    seconds = itertools.count()
    text = read_text(folder / "scenarios" / scenario, MOST_SCENARIO)
    with Ledger.open(
        ":memory:", GameStateBuilder(), clock=lambda: START + timedelta(seconds=30 * next(seconds))
    ) as ledger:
        begin(ledger, name, _opening(title, text, name, dice))
        sitting = open_session(ledger, name)
        for number, raw in order_lines(folder / "orders" / orders):
            _play(sitting, {"id": f"{name}-{number}", **raw}, f"{orders}, line {number}")
        replays.mkdir(exist_ok=True, parents=True)
        with (replays / f"{name}.jsonl").open("wb") as out:
            replay_log.write(ledger, name, out)
        (replays / f"{name}.end.json").write_bytes(
            msgspec.json.format(msgspec.json.encode(end_of(sitting.game)), indent=2)
        )
    return replays / f"{name}.jsonl"


def _opening(title: Title, text: str, name: str, dice: DiceMode | None) -> PendingOrder:
    """Return the order that opens the game, with a seed that depends only on the game's name."""
    scenario = scenario_for(title, text)
    seed = _fixed("the seed", name).hex()
    decision = open_game(title, scenario, game_id=name, dice=dice or scenario.dice, seed=seed, options={})
    drafts = drafts_of(decision.told, None)
    return PendingOrder(seat=REFEREE, command=new_command(), drafts=drafts, state=decision.game)


def _play(sitting: GameSession, raw: dict[str, Any], where: str) -> None:
    """Give an order, and the dice shares that are awaited before and after it.

    Raises:
        DomainError: When the order is refused; `where` names the line.
    """
    try:
        if raw.get("order") == SeatDice.tag():
            sitting.order(raw)
            return
        _give_shares(sitting)
        sitting.order(raw)
        _give_shares(sitting)
    except DomainError as error:
        error.where = f"{where} ({error.where})"
        raise


def end_of(game: Game) -> dict[str, object]:
    """Return the end state that a rebuild of the replay must have; if the game is over, with its winner."""
    fates = {unit.id: unit.fate for _, unit in sorted(game.units.items()) if unit.fate}
    winner = {"winner": game.winner} if game.ended else {}
    accounts = dict(sorted(game.accounts.items()))
    return {"turn": game.turn, "ended": game.ended, **winner, "accounts": accounts, "fates": fates}


# --- shares in the dice -----------------------------------------------------------------------------------------------


def _give_shares(sitting: GameSession) -> None:
    """Give the awaited pledges and shares. Shares of other chains must be in the order file."""
    while order := next(_due(sitting.game), None):
        sitting.order(order)


def _due(game: Game) -> Iterator[dict[str, str]]:
    for side in awaited(game):
        links = _chain(game, side)
        given = game.pledges.get(side)
        if side in unpledged(game):
            yield {"as": side, "order": SeatDice.tag(), "pledge": links[-1]}
        elif given is not None and (before := given.share or given.pledge) in links[1:]:
            yield {"as": side, "order": SeatDice.tag(), "share": links[links.index(before) - 1]}


def _chain(game: Game, side: str) -> list[str]:
    """Return a side's shares, the last one to reveal first, followed by its pledge.

    They depend only on the side, the game's name and its seed commitment.
    """
    links = [_fixed(f"the shares of {side}", f"{game.id} {game.commitment}")]
    for _ in range(1 if game.scheme == SHARED else CHAIN):
        links.append(sha256(links[-1]).digest())
    return [link.hex() for link in links]


def _fixed(what: str, name: str) -> bytes:
    return sha256(f"umpire: {what} of the recorded game {name}".encode()).digest()


# --- the command line -------------------------------------------------------------------------------------------------


def main(words: Sequence[str] | None = None) -> None:
    """Record a replay; if that is refused, print the reason and exit with the code of the error."""
    parser = argparse.ArgumentParser(prog="python -m umpire_ledger.testing.record", description="Record a replay.")
    parser.add_argument("title", help="the id of an installed title")
    parser.add_argument("scenario", help="a file of the title's scenarios")
    parser.add_argument("orders", help="a file of the title's orders")
    parser.add_argument("-o", "--output", type=Path, help="the folder to write to; the title's replays if left out")
    parser.add_argument("--dice", choices=get_args(DiceMode), help="how dice are rolled, instead of the scenario's way")
    asked = parser.parse_args(words)
    try:
        print(record(asked.title, asked.scenario, asked.orders, asked.output, dice=asked.dice))
    except EXPECTED as error:
        problem = problem_of(error)
        parts = (("at:  ", problem.where), ("rule:", problem.rule), ("do:  ", problem.remedy))
        said = [f"Error: {problem.what}", *(f"  {name} {part}" for name, part in parts if part)]
        print("\n".join(said), file=sys.stderr)
        sys.exit(problem.code)


if __name__ == "__main__":
    main()
