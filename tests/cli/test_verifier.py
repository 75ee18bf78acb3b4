"""Check `umpire verifier`, which prints a one-page program that checks a log without Umpire."""

import hashlib
import subprocess
import sys

import umpire_ledger as umpire
from tests.cli.terminal import Terminal
from tests.face.testing import FIXTURES

LOG = FIXTURES / "formats" / "1-edge" / "duel.spectator.jsonl"


def test_printed_program_checks_a_log(terminal: Terminal) -> None:
    """Run the printed program on a log without Umpire, as a player does who gets both."""
    said = terminal.ok("verifier")
    assert said.out.encode() == umpire.verifier()
    terminal.write("umpire-verify.py", said.out)
    command = [sys.executable, "-I", str(terminal.folder / "umpire-verify.py"), str(LOG)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "VALID")
    assert "rolls recomputed: 6" in done.stdout
    assert "not checked: signatures, sealed orders, findings" in done.stdout


def test_json_has_its_hash(terminal: Terminal) -> None:
    found = terminal.ok("verifier", "--json").json
    assert found["name"] == "umpire-verify.py"
    assert hashlib.sha256(found["text"].encode()).hexdigest() == found["sha256"]


def test_verifier_takes_no_arguments(terminal: Terminal) -> None:
    assert terminal.type("verifier", "harbour").code == 2
