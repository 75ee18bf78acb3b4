"""Write from eight processes at once, first into one game, then each into a separate game.

    python -m tests.attacks.writers --count 640 --seed 1

Half of the writers use the command line, a new `umpire order` for each order; half keep the ledger open and name the
position they have seen (`seen`). Each order has an order id and is given until it is taken; now and then one is given
once more after that. Afterwards every order is there once, those of one writer in the order in which it gave them;
every game verifies; every exit code was 0, 4 (another writer was first) or 7 (locked for too long), and no order with 4
or 7 was recorded; the read models equal rebuilt ones.

Then two clients give orders under the same ids at the same moment, in four ways, on both stores (`used_ids.py`).
"""

import json
import os
import random
import sys
from collections import Counter
from pathlib import Path

import umpire_ledger as umpire
from tests.attacks.attack import Findings, finished, folder, main, run
from tests.attacks.kills import LEDGER, differs, read_models
from tests.attacks.used_ids import contend_for_ids
from tests.cli.terminal import SCENARIO
from tests.face.desk import EXPECTED, problem_of

WRITERS = 8
AGAIN = 0.1
"""Share of the accepted orders that are given once more."""
TAKEN, OVERTAKEN, LOCKED = 0, 4, 7
MOST_TRIES = 500
IDS = 16
"""Number of orders that share one id."""


class Writer:
    """One writer, in a separate process. `codes`: the count of each exit code."""

    def __init__(self, place: Path, number: int, game_id: str, seed: int) -> None:
        self.place, self.number, self.game = place, number, game_id
        self.chance = random.Random(f"{seed} {number}")
        self.codes: Counter[int] = Counter()
        self.faults: list[str] = []

    def write(self, orders: int) -> None:
        give = self._by_command_line if self.number % 2 else self._by_open_ledger
        give([{"order": "note", "text": str(n), "id": f"w{self.number}-{n}"} for n in range(orders)])

    def _by_command_line(self, orders: list[dict[str, str]]) -> None:
        for order in orders:
            words = ("order", self.game, json.dumps(order), "--as", self._seat, "--json")
            for _ in range(MOST_TRIES):
                answer = run(words, self.place)
                self._note(answer.code, answer.crash or answer.err)
                if answer.code == TAKEN and self.chance.random() > AGAIN:
                    break

    def _by_open_ledger(self, orders: list[dict[str, str]]) -> None:
        with umpire.open(self.place / LEDGER) as desk:
            seat = desk.game(self.game).seat(self._seat)
            for order in orders:
                for _ in range(MOST_TRIES):
                    code = self._give(seat, order)
                    if code == TAKEN and self.chance.random() > AGAIN:
                        break

    def _give(self, seat: umpire.Seat, order: dict[str, str]) -> int:
        code, what = TAKEN, ""
        try:
            seen = seat.game.size if self.chance.random() < 0.5 else None
            seat.order(dict(order), seen=seen)
        except EXPECTED as error:
            code, what = problem_of(error).code, str(error)
        self._note(code, what)
        return code

    def _note(self, code: int, what: str) -> None:
        self.codes[code] += 1
        if code not in (TAKEN, OVERTAKEN, LOCKED):
            self.faults.append(f"writer {self.number} was answered {code}: {what}")

    @property
    def _seat(self) -> str:
        return ("red", "blue")[self.number % 2]


def contend(place: Path, games: list[str], orders: int, seed: int, found: Findings) -> None:
    """Run all writers at once, writer n into `games[n]`."""
    go, ready = os.pipe(), []
    for number, game in enumerate(games):
        report = place / f"report-{number}"
        child = os.fork()
        if not child:
            os._exit(_child(Writer(place, number, game, seed), orders, report, go))
        ready.append((child, report))
    os.close(go[0])
    os.close(go[1])  # all of them read the end of it in the same moment
    for child, report in ready:
        if finished(child):
            found.fault(f"{report.name}: the writer ended in an error")
            continue
        told = json.loads(report.read_text())
        found.counts.update({f"code {code}": number for code, number in told["codes"].items()})
        found.faults.extend(told["faults"])


def _child(writer: Writer, orders: int, report: Path, go: tuple[int, int]) -> int:
    try:
        os.close(go[1])
        os.read(go[0], 1)
        writer.write(orders)
        report.write_text(json.dumps({"codes": writer.codes, "faults": writer.faults}))
    except BaseException as error:
        print(f"writer {writer.number}: {error!r}", file=sys.stderr)
        return 1
    return 0


def examine(place: Path, games: list[str], before: int, orders: int, found: Findings) -> None:
    """Check that no order is missing, recorded twice or out of turn."""
    with umpire.open(place / LEDGER) as desk:
        for game in dict.fromkeys(games):
            verdict = desk.game(game).verify().verdict
            if verdict.verdict != "VALID":
                found.fault(f"{game} is {verdict.verdict}: {verdict.reason}")
            commands = [record.command for record in desk.ledger.records(game, before + 1)]
            for number in (number for number, own in enumerate(games) if own == game):
                mine = [command for command in commands if command.startswith(f"w{number}-")]
                if mine != [f"w{number}-{n}" for n in range(orders)]:
                    found.fault(f"{game}: {len(mine)} of {orders} orders of writer {number}, or in another order")
            if len(commands) != orders * games.count(game):
                found.fault(f"{game} has {len(commands)} orders more, {orders * games.count(game)} were given")
            if warning := desk.game(game).catch_up(views=True):
                found.fault(warning)
        followed = read_models(place / LEDGER)
        desk.rebuild()
        if (table := differs(followed, read_models(place / LEDGER))) is not None:
            found.fault(f"the read models that were followed by eight differ in {table}")


def attack(count: int, seed: int, found: Findings) -> None:
    """Give `count` orders into one game, and as many into eight."""
    orders = max(1, count // WRITERS)
    for games in (["one"] * WRITERS, [f"game-{n}" for n in range(WRITERS)]):
        with folder() as place:
            (place / "scenario.toml").write_text(SCENARIO)
            with umpire.open(place / LEDGER) as desk:
                before = [desk.new("freeform", place / "scenario.toml", id=game).size for game in dict.fromkeys(games)]
            run(("order", games[0], "{}"), place)  # imports what the writers import
            contend(place, games, orders, seed, found)
            examine(place, games, before[0], orders, found)
    contend_for_ids(max(1, count // IDS), seed, found)


if __name__ == "__main__":
    sys.exit(main("writers", "orders to one game and as many to eight", attack, count=640, doc=__doc__))
