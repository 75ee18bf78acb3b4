"""Write a ledger, its exports and their expected content with one edition of Umpire, for `fixtures/formats/`.

    python -m tests.attacks.old_files fixtures/formats/1-edge
    PYTHONPATH=OLD:. python -m tests.attacks.old_files fixtures/formats/1-aside \
        --umpire "python -m cli.main" --modules ledger.application cli.wiring

`--umpire` is the command of that edition, `--modules` its modules with `Ledger` and `GameFolding`. It may be older than
this file: orders that it does not know are left out.
Three games: War Galley with table dice; freeform with a sealed choice, ledger dice, rewinds, a dispute and a ruling;
freeform with revealed seeds. `expected.json` is that edition's own output.
"""

import argparse
import hashlib
import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HARBOUR = ROOT / "fixtures/war-galley"
FORD = ROOT / "fixtures/freeform/scenarios/ford.toml"
LEDGER = "club.ledger"
HARBOUR_ORDERS = 24
GHOST = "ghost"
NEWER = ("dispute", "rule", "seal")
"""Orders that the first edition did not know."""

FORD_ORDERS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("referee", {"order": "note", "text": "Rot sitzt am Nordrand · «oben»\nBlue at the ford."}),
    ("referee", {"order": "take-seat", "taker": "anna", "side": "red", "name": "Anna"}),
    ("red", {"order": "seal-choice", "question": "stance", "choice": "attack", "id": "red-stance"}),
    ("blue", {"order": "seal-choice", "question": "stance", "choice": "hold"}),
    ("red", {"order": "reveal", "question": "stance"}),
    ("red", {"order": "roll", "dice": "2d6", "purpose": "the ford", "table": "fight", "subjects": ["red-horse"]}),
    ("blue", {"order": "change", "unit": "blue-guard", "attribute": "strength", "to": 1, "cause": "both hold"}),
    ("red", {"order": "move", "unit": "red-horse", "path": ["road", "ford-north"]}),
    ("red", {"order": "undo"}),
    ("red", {"order": "redo"}),
    ("red", {"order": "roll", "dice": "1d6+1", "purpose": "again", "modifiers": [{"amount": 1, "source": "weak"}]}),
    ("referee", {"order": "rewind", "to": 13, "why": "a die fell off the table"}),
    ("blue", {"order": "dispute", "records": [11, 12], "claim": "the horse was never on the hill", "rule": "4.2"}),
    (
        "referee",
        {
            "order": "rule",
            "ruling": "the move stands",
            "reason": "nobody objected then",
            "grounds": "house rule",
            "rule": "4.2",
            "dispute": "d1",
        },
    ),
    ("red", {"order": "move", "unit": GHOST, "path": ["nowhere"]}),
    ("red", {"order": "seal"}),
    ("blue", {"order": "pay", "account": "points/blue", "amount": 3, "cause": "the ford is held"}),
    ("anna", {"order": "move", "unit": "red-foot", "path": ["road"]}),
)
DUEL_ORDERS: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("red", {"order": "roll", "dice": dice, "purpose": f"duel {dice}"}) for dice in ("2d6", "1d10", "3d6+1", "d6")),
    ("blue", {"order": "roll", "dice": "2d6", "purpose": "parry", "subjects": ["blue-guard"]}),
    ("referee", {"order": "undo", "why": "cocked"}),
    ("blue", {"order": "roll", "dice": "2d6", "purpose": "parry", "subjects": ["blue-guard"]}),
    ("referee", {"order": "end", "reason": "red yields"}),
    ("referee", {"order": "open-dice"}),
)
EXPORTS = {"harbour": ("spectator",), "ford": ("spectator", "red", "whole"), "duel": ("spectator",)}
"""Of each game, as whom it is exported; `whole`: with everything."""
SNAPSHOTS = """
import sys
from importlib import import_module
ledger, folding = import_module(sys.argv[1]).Ledger, import_module(sys.argv[2]).GameFolding()
with ledger.open(sys.argv[3], folding, snapshot_every=50) as opened:
    opened.take_snapshots("harbour")
"""
"""Snapshots come every 500 records; an old file must have some that no later edition can read."""
STATED = ("game", "title", "name", "position", "turn", "where", "open", "waiting", "ended", "accounts", "markers")
"""Of what `status` says, what no later edition may say differently."""


class Edition:
    """One edition of the program, used from the outside."""

    def __init__(self, umpire: Sequence[str], folder: Path) -> None:
        self.umpire = umpire
        self.folder = folder

    def run(self, *words: str) -> tuple[int, str]:
        """Exit code and standard output."""
        done = subprocess.run(
            [*self.umpire, *words, "--ledger", str(self.folder / LEDGER)], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout

    def ok(self, *words: str) -> str:
        code, out = self.run(*words)
        assert code == 0, (words, code, out)
        return out

    def json(self, *words: str) -> Any:
        return json.loads(self.ok(*words, "--json"))


def play(edition: Edition) -> None:
    """Play the three games."""
    scenario, orders = HARBOUR / "scenarios/great-harbour.toml", HARBOUR / "orders/great-harbour.jsonl"
    edition.ok("new", "war-galley", "--id", "harbour", "--scenario", str(scenario))
    part = edition.folder / "orders.jsonl"
    part.write_text("".join(orders.read_text(encoding="utf-8").splitlines(keepends=True)[:HARBOUR_ORDERS]))
    edition.ok("play", "harbour", str(part))
    part.unlink()
    for game, given in (("ford", FORD_ORDERS), ("duel", DUEL_ORDERS)):
        edition.ok("new", "freeform", "--id", game, "--scenario", str(FORD), "--dice", "ledger")
        for seat, order in given:
            code, out = edition.run("order", game, json.dumps(order), "--as", seat)
            may_be_refused = order["order"] in NEWER or order.get("unit") == GHOST
            assert code == 0 or (code == 3 and may_be_refused), (order, code, out)


def export(edition: Edition) -> list[Path]:
    files = []
    for game, seats in EXPORTS.items():
        for seat in seats:
            file = edition.folder / f"{game}.{seat}.jsonl"
            edition.ok("export", game, "-o", str(file), *(("--whole",) if seat == "whole" else ("--as", seat)))
            files.append(file)
    return files


def stated(edition: Edition, game_id: str) -> dict[str, Any]:
    """Return the ledger's facts about a game: its size, its root, and the knowledge of each seat."""
    verdict = edition.json("verify", game_id)
    sides = [side["id"] for side in edition.json("status", game_id)["sides"]]
    seats = ("referee", *sides, "spectator")
    return {
        "verdict": verdict["verdict"],
        "size": verdict["size"],
        "root": verdict["root"],
        "seats": {seat: known(edition, game_id, seat) for seat in seats},
    }


def known(edition: Edition, game_id: str, seat: str) -> dict[str, Any]:
    status = edition.json("status", game_id, "--as", seat)
    units = edition.json("units", game_id, "--as", seat)
    return {
        "status": {key: status[key] for key in STATED},
        "units": [{key: unit[key] for key in ("id", "side", "kind", "at", "attributes")} for unit in units],
    }


def checked(edition: Edition, file: Path) -> dict[str, Any]:
    verdict = edition.json("verify", str(file))
    return {
        "game": verdict["game"],
        "verdict": verdict["verdict"],
        "size": verdict["size"],
        "root": verdict["root"],
        "dice_thrown_again": verdict["dice_thrown_again"],
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.attacks.old_files", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--umpire", default=f"{sys.executable} -m umpire_ledger.cli.main")
    parser.add_argument(
        "--modules", nargs=2, default=("umpire_ledger.ledger.ledger", "umpire_ledger.desk.core.adapters")
    )
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True)
    edition = Edition(shlex.split(asked.umpire), asked.folder)
    play(edition)
    subprocess.run([sys.executable, "-c", SNAPSHOTS, *asked.modules, asked.folder / LEDGER], check=True)
    files = export(edition)
    says = {
        "games": {game: stated(edition, game) for game in EXPORTS},
        "exports": {file.name: checked(edition, file) for file in files},
    }
    (asked.folder / "expected.json").write_text(json.dumps(says, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert (asked.folder / f"{LEDGER}-wal").stat().st_size == 0
    for rest in asked.folder.glob("*.ledger-*"):
        rest.unlink()


if __name__ == "__main__":
    main()
