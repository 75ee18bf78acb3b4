"""Give mutated input: orders, order files, scenarios, replay logs, and the words of every command.

    python -m tests.attacks.mutants_in --count 100000 --seed 1

Each case takes valid input (from the fixtures of every title, or from the table of commands), changes it in one to
three places, and gives it to a copy of a ledger with a game of every title in mid-play. Then: the exit code is one of
those documented for bad input; there is no traceback; it took no more than a few seconds; a refusal names the fault and
the remedy; and a refused order, scenario or log has recorded nothing.
"""

import json
import random
import shutil
import signal
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

import umpire_ledger as umpire
from tests.attacks.attack import Answer, Findings, folder, main, run
from tests.attacks.command_table import commands, ways, word
from tests.attacks.mutations import changed_entry, mixed_texts, mutated_json, mutated_text, mutated_words
from tests.face.domain import toml_of
from tests.face.testing import FIXTURES, OWN

LEDGER = "umpire.db"
EXPECTED = (0, 2, 3, 5, 6)
"""Exit codes for bad input. 4 needs a second writer, 7 a damaged store, 8 a title at fault, 130 Ctrl-C."""
STORE = 7
"""Also allowed if the words name another ledger."""
PATIENCE = 10
"""Seconds of work; nothing that a person types may take longer."""
FRESH = 60
"""Cases on one copy of the ledger; accepted ones stay in it."""
SHARE = 0.4
"""Share of a fixture's order file that is played before the attack."""
MOST_PLAYED = 60
TITLES = ("federation-and-empire", "freeform", "pacific-war", "red-coat-rags", "twilight-imperium-3", "war-galley")
SMALL_LOG = FIXTURES / "formats/1-edge/ford.whole.jsonl"
SEATS = ("referee", "spectator", "red", "blue", "nobody")


Take = Callable[[Answer], None]


class Hang(Exception):
    """A case took too long."""


class Attack:
    """A ledger with a game of every title, and valid input for it."""

    def __init__(self, place: Path, seed: int, found: Findings) -> None:
        self.chance = random.Random(seed)
        self.found = found
        self.home, self.copy = place / "home", place / "copy"
        self.home.mkdir()
        self.scenarios: list[Path] = []
        self.own: list[Path] = []
        self.orders: dict[str, list[dict[str, Any]]] = {}
        for title in TITLES:
            self._open(title)
        for own in sorted(OWN.glob("*.toml")):
            self._open_own(own)
        (self.home / "ford.jsonl").write_bytes(SMALL_LOG.read_bytes())
        self.table = list(commands())
        self.cases: tuple[Callable[[], None], ...] = (
            *(self.an_order for _ in range(4)),
            self.a_file_of_orders,
            self.a_scenario,
            self.a_sequence,
            self.a_log,
            *(self.some_words for _ in range(3)),
        )

    def _open(self, title: str) -> None:
        """Open a game of a title and play some of one of its order files."""
        fixtures = FIXTURES / title
        orders = min(fixtures.glob("orders/*.jsonl"))
        named = [
            file for file in fixtures.glob("scenarios/*.toml") if file.stem in orders.stem or orders.stem in file.stem
        ]
        self.scenarios += fixtures.glob("scenarios/*.toml")
        lines = [json.loads(line) for line in orders.read_text(encoding="utf-8").splitlines() if line.startswith("{")]
        for scenario in [*named, *sorted(fixtures.glob("scenarios/*.toml"))]:
            with umpire.open(self.home / LEDGER) as desk:
                game = desk.new(title, scenario, id=f"{title}-{scenario.stem}")
                played = lines[: min(MOST_PLAYED, int(len(lines) * SHARE))]
                try:
                    game.play(list(enumerate(played, 1)))
                except umpire.Refused:
                    continue
                self.orders[game.id] = lines
                return
        raise AssertionError(f"no scenario of {title} fits {orders.name}")

    def _open_own(self, scenario: Path) -> None:
        """Open a game with its own sequence of play and play half of its order file."""
        lines = [
            json.loads(line) for line in (OWN / "orders" / f"{scenario.stem}.jsonl").read_text("utf-8").splitlines()
        ]
        with umpire.open(self.home / LEDGER) as desk:
            game = desk.new("freeform", scenario, id=f"freeform-{scenario.stem}")
            game.play(list(enumerate(lines[: len(lines) // 2], 1)))
            self.orders[game.id] = lines
        self.scenarios.append(scenario)
        self.own.append(scenario)

    def go(self, count: int) -> None:
        for number in range(count):
            if number % FRESH == 0:
                shutil.rmtree(self.copy, ignore_errors=True)
                shutil.copytree(self.home, self.copy)
            self.chance.choice(self.cases)()

    # --- the cases ----------------------------------------------------------------------------------------------------

    def an_order(self) -> None:
        game = self.chance.choice(list(self.orders))
        order = self.chance.choice(self.orders[game])
        text = mutated_json(self.chance, order)
        way = self.chance.randrange(3)
        words = ["order", game, "-" if way else text, *(("--as", str(order.get("as"))) if way == 2 else ())]
        with self._nothing_recorded(game, "order", words, text) as answered:
            answered(self._run(words, text if way else None))

    def a_file_of_orders(self) -> None:
        game = self.chance.choice(list(self.orders))
        start = self.chance.randrange(len(self.orders[game]))
        lines = [json.dumps(order) for order in self.orders[game][start : start + 4]]
        (self.copy / "orders.jsonl").write_bytes(mutated_text(self.chance, "\n".join(lines).encode() + b"\n"))
        words = ["play", game, "orders.jsonl", *self.chance.choice(((), ("--check",), ("--as", "red")))]
        self._judge("order file", words, self._run(words), (self.copy / "orders.jsonl").read_bytes())
        self._verify(game, words)

    def a_scenario(self) -> None:
        scenario = self.chance.choice(self.scenarios)
        (self.copy / "scenario.toml").write_bytes(mutated_text(self.chance, scenario.read_bytes()))
        self._opened("freeform" if scenario in self.own else scenario.parents[1].name, "scenario")

    def a_sequence(self) -> None:
        """Give a scenario, still TOML, with an entry of its own sequence changed or two of its expressions mixed."""
        file = self.chance.choice(self.own)
        parsed = tomllib.loads(file.read_text(encoding="utf-8"))
        changed = self.chance.choice((changed_entry, mixed_texts))(self.chance, parsed)
        try:
            text = toml_of(changed)
        except (TypeError, AttributeError, IndexError):  # the changed value has no form in TOML
            return
        (self.copy / "scenario.toml").write_bytes(text.encode("utf-8", "replace"))
        words = ["scenario", "--check", "scenario.toml"]
        self._judge("sequence", words, self._run(words), text)
        self._opened("freeform", "sequence")

    def _opened(self, title: str, kind: str) -> None:
        game = f"new-{self.chance.randrange(10**9)}"
        words = ["new", title, "--id", game, "--scenario", "scenario.toml"]
        with self._nothing_recorded(game, kind, words, (self.copy / "scenario.toml").read_bytes()) as answered:
            answered(self._run(words))

    def a_log(self) -> None:
        (self.copy / "log.jsonl").write_bytes(mutated_text(self.chance, SMALL_LOG.read_bytes()))
        words = [self.chance.choice(("verify", "import", "import", "referee")), "log.jsonl"]
        with self._nothing_recorded("ford", "log", words, (self.copy / "log.jsonl").read_bytes()) as answered:
            answered(self._run(words))

    def some_words(self) -> None:
        name, command = self.chance.choice(self.table)
        words = self.chance.choice(list(ways(name, command, self._word, SEATS)))
        words = mutated_words(self.chance, words, keep=len(name))
        self._judge("words", words, self._run(words, "{}"), b"")

    def _word(self, command: str, param: click.Parameter) -> str:
        """Return a valid or nearly valid word for a command."""
        game = self.chance.choice(list(self.orders))
        known = {
            "game_id": game,
            "title_id": game.partition("-")[0],
            "what": self.chance.choice((game, "ford.jsonl")),
            "file": "ford.jsonl",
            "scenario": "scenario.toml",
            "output": "out.html",
            "where": LEDGER,
            "new_id": "copy",
            "unit_id": "red-horse",
            "account_id": "points/red",
            "dispute_id": "d1",
            "who": "red",
            "text": json.dumps(self.chance.choice(self.orders[game])),
        }
        return word(param, known, str(self.chance.randrange(60)), self.chance)

    # --- what came of it ----------------------------------------------------------------------------------------------

    def _run(self, words: Sequence[str], stdin: str | None = None) -> Answer:
        signal.signal(signal.SIGPROF, _too_long)
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        try:
            return run(words, self.copy, stdin)
        except Hang:
            return Answer(0, "", "", f"it took more than {PATIENCE} s")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    @contextmanager
    def _nothing_recorded(self, game_id: str, kind: str, words: list[str], given: object) -> Iterator[Take]:
        before = self._size(game_id)
        answers: list[Answer] = []
        yield answers.append
        self._judge(kind, words, answers[0], given)
        if answers[0].code and self._size(game_id) != before:
            self.found.fault(f"{_call_of(words, given)}: answered {answers[0].code}, and something was recorded")

    def _judge(self, kind: str, words: list[str], answer: Answer, given: object) -> None:
        self.found.counts[f"{kind} {answer.code}"] += 1
        if answer.crash:
            self.found.fault(f"{answer.crash}: {_call_of(words, given)}", f"{kind}: {answer.crash.partition(': ')[0]}")
        elif answer.code not in EXPECTED and not (answer.code == STORE and "--ledger" in words):
            self.found.fault(f"{_call_of(words, given)}: answered {answer.code}: {answer.err}")
        elif answer.code and not (answer.err.strip() or answer.out.strip()):
            self.found.fault(f"{_call_of(words, given)}: refused without a word")

    def _size(self, game_id: str) -> int:
        with umpire.open(self.copy / LEDGER, read_only=True) as desk:
            return desk.ledger.size(game_id)

    def _verify(self, game_id: str, words: list[str]) -> None:
        with umpire.open(self.copy / LEDGER, read_only=True) as desk:
            if not desk.ledger.verify(game_id).valid:
                self.found.fault(f"{_call_of(words, '')}: {game_id} is not valid any more")


def _call_of(words: list[str], given: object) -> str:
    return f"umpire {' '.join(map(repr, words))[:600]} {str(given)[:1500] if given else ''}"


def _too_long(_signal: int, _frame: object) -> None:
    raise Hang


def attack(count: int, seed: int, found: Findings) -> None:
    with folder() as place:
        Attack(place, seed, found).go(count)


if __name__ == "__main__":
    sys.exit(main("mutants_in", "mutated inputs", attack, count=5000, doc=__doc__))
