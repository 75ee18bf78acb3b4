"""Run `umpire` commands in a separate folder and return their answers."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from tests.face.cli import umpire
from tests.no_root import give_up_root

ROOT = Path(__file__).parent.parent.parent
SCENARIO = """
title = "freeform"
name = "Skirmish at the ford"
dice = "table"
sides = [{ id = "red", name = "Red" }, { id = "blue", name = "Blue" }]

[[units]]
id = "r1"
side = "red"
kind = "foot"
at = "0101"
attributes = { strength = 4 }

[[units]]
id = "b1"
side = "blue"
kind = "foot"
at = "0102"
"""


class Answer(NamedTuple):
    """Exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, str]:
        """The error object that `--json` prints."""
        found: dict[str, str] = json.loads(self.err)
        return found


class Terminal:
    """Runs commands in this process; `process` runs a command in a separate process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("scenario.toml", SCENARIO)

    def write(self, name: str, text: str) -> Path:
        file = self.folder / name
        file.write_text(text, encoding="utf-8")
        return file

    def orders(self, *orders: dict[str, Any], name: str = "orders.jsonl") -> str:
        return str(self.write(name, "".join(json.dumps(order) + "\n" for order in orders)))

    def type(self, *words: str, stdin: str | bytes | None = None) -> Answer:
        """Run `umpire` with these words in the folder of the terminal."""
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            result = CliRunner(env=self._own).invoke(umpire, list(words), input=stdin)
        finally:
            os.chdir(before)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Answer(result.exit_code, result.stdout, result.stderr)

    def ok(self, *words: str) -> Answer:
        """Run `umpire` as `type` does, and fail if it does not succeed."""
        answer = self.type(*words)
        assert answer.code == 0, answer
        return answer

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "umpire_ledger.cli.main", *words]

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, **self._own, "PYTHONPATH": str(ROOT)}

    @property
    def _own(self) -> dict[str, str]:
        """Environment variable that separates the keys of a test from the user's keys."""
        return {"XDG_CONFIG_HOME": str(self.folder / "config")}

    def process(self, *words: str, **more: Any) -> Answer:
        """Run `umpire` with these words in a separate process."""
        done = subprocess.run(
            self.command(*words),
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            **more,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    def run(self, code: str) -> str:
        """Run Python code in a separate process and return its output."""
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def new(self, game_id: str = "ford", *more: str) -> Answer:
        """Open the skirmish."""
        return self.ok("new", "freeform", "--id", game_id, "--scenario", "scenario.toml", *more)

    def give(self, seat: str, order: str, game_id: str = "ford", **arguments: Any) -> Answer:
        """Give one order as JSON."""
        return self.type("order", game_id, json.dumps({"order": order, **arguments}), "--as", seat)

    def type_json(self, *words: str) -> Answer:
        """Run `umpire` with these words and `--json`, by which an error is one object."""
        return self.type(*words, "--json")

    def give_json(self, seat: str, order: str, game_id: str = "ford", **arguments: Any) -> Answer:
        """Give one order as `give` does, with `--json`."""
        return self.type_json("order", game_id, json.dumps({"order": order, **arguments}), "--as", seat)

    def size(self, game_id: str = "ford") -> int:
        found: int = self.ok("status", game_id, "--json").json["position"]
        return found


def without_root(command: Callable[[], Answer]) -> Answer:
    """Run a command as an ordinary user, in a child process without root's privileges, and return its answer."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            give_up_root()
            os.write(writer, json.dumps(command()).encode())
        finally:
            os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader, "rb") as answer:
        return Answer(*json.loads(answer.read()))
