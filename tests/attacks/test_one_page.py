"""The verifier of one page, `umpire verify` and the page's verifier say the same of every log: whole, damaged, forged.

FORMAT.md has the rules, section 10 of it the vectors. The long form is `python -m tests.attacks.one_page`.
"""

import ast
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.at_least_one import at_least_one
from tests.attacks.damaged_logs import FORMATS, Damaged, damaged, forged, rehashed, some_forged
from tests.attacks.one_page import differ, one_page
from tests.attacks.two_verifiers import NODE, compared, judged
from tests.attacks.vectors import FOLDER, files
from tests.cli.terminal import ROOT
from tests.face.desk import FILE, verifier_hash, verify_file
from tests.face.testing import FIXTURES
from tests.ledger.test_format import example

VERDICTS = json.loads((FOLDER / "verdicts.json").read_text(encoding="utf-8"))
OURS_ALONE = [one for one in VERDICTS if one["section"] == "14"]
"""Sealed words, which neither the one page nor the replay page compares."""
COMPARED = [one for one in VERDICTS if one not in OURS_ALONE]
LOG = FORMATS / "duel.spectator.jsonl"


def run(*words: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the program alone, without any package of this environment or of Umpire."""
    command = [sys.executable, "-I", "-S", str(FILE), *map(str, words)]
    return subprocess.run(command, input=stdin, capture_output=True, check=False)


def unlike(logs: list[Damaged], folder: Path) -> list[str]:
    found = [differ(one, folder / "log") for one in logs]
    assert found
    return [how for how, _ in found if how]


class TestTheProgram:
    def test_program_is_one_page_of_the_standard_library(self) -> None:
        text = FILE.read_text(encoding="utf-8")
        assert len(text.splitlines()) < 400
        tree = ast.parse(text, feature_version=(3, 9))
        imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
        imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert imported <= set(sys.stdlib_module_names)

    def test_readme_lists_its_hash(self) -> None:
        assert f"`{hashlib.sha256(FILE.read_bytes()).hexdigest()}`" in (ROOT / "README.md").read_text(encoding="utf-8")
        assert verifier_hash() == hashlib.sha256(FILE.read_bytes()).hexdigest()

    @pytest.mark.parametrize(
        ("name", "code"),
        [("right", 0), ("right-redacted", 0), ("record-cut", 5), ("format-2", 5), ("order-id-again", 5)],
    )
    def test_program_prints_verdict_and_exit_code_of_verify(self, name: str, code: int) -> None:
        done = run(FOLDER / f"{name}.jsonl")
        [verdict] = [one["verdict"] for one in VERDICTS if one["log"] == f"{name}.jsonl"]
        assert (done.returncode, done.stdout.decode().splitlines()[0]) == (code, verdict)
        assert done.stderr == b""

    def test_program_reads_checkpoint_and_standard_input(self, tmp_path: Path) -> None:
        kept = tmp_path / "kept"
        kept.write_text(example("checkpoint"), encoding="utf-8")
        assert run("-", "--checkpoint", kept, stdin=example("whole").encode()).returncode == 0
        done = run(LOG, "--checkpoint", kept)
        assert (done.returncode, b"the checkpoint belongs to another game" in done.stdout) == (5, True)

    def test_wrong_usage(self, tmp_path: Path) -> None:
        (tmp_path / "kept").write_text("umpire/g\n1\n", encoding="utf-8")
        for words in at_least_one(((), ("nowhere.jsonl",), (tmp_path,), (LOG, "--checkpoint", tmp_path / "kept"))):
            done = run(*words)
            assert (done.returncode, done.stdout) == (2, b"")
            assert b"Traceback" not in done.stderr

    def test_program_prints_control_characters_as_text(self, tmp_path: Path) -> None:
        """Verify a forged log whose roll is named with an escape sequence."""
        log = FOLDER / "roll-other-pips.jsonl"
        [forged_one] = [one for one in forged(seed=7) if one.how == "a game called '\\x9f'"]
        file = tmp_path / "log"
        file.write_bytes(forged_one.log)
        for one in at_least_one((log, file)):
            said = run(one).stdout
            assert said.isascii()
            assert not set(said) & {0x1B, 0x07, 0x9B}


class TestVectors:
    def test_they_are_what_their_program_writes(self) -> None:
        assert {one.name: one.read_bytes() for one in FOLDER.iterdir()} == files()

    def test_vectors_have_a_verdict_for_each_log(self) -> None:
        assert {one["log"] for one in VERDICTS} == {one.name for one in FOLDER.glob("*.jsonl")}
        assert {one["verdict"] for one in VERDICTS} == {"VALID", "VALID WITH REDACTIONS", "INCOMPLETE", "INVALID"}

    @pytest.mark.parametrize("vector", OURS_ALONE, ids=[one["log"] for one in OURS_ALONE])
    def test_sealed_words_are_compared_by_umpire_verify_only(self, vector: dict[str, str], tmp_path: Path) -> None:
        found = verify_file(FOLDER / vector["log"]).verdict
        between = (vector["from"], vector["to"]) if "from" in vector else None
        assert (found.verdict, found.changed_between) == (vector["verdict"], between)
        assert one_page((FOLDER / vector["log"]).read_bytes(), "")["verdict"] in ("VALID", "VALID WITH REDACTIONS")

    @pytest.mark.parametrize("vector", COMPARED, ids=[one["log"] for one in COMPARED])
    def test_vector_gets_its_verdict_from_both_verifiers(self, vector: dict[str, str], tmp_path: Path) -> None:
        log, checkpoint = (FOLDER / vector["log"]).read_bytes(), vector.get("checkpoint", "")
        said = one_page(log, checkpoint)
        assert (said["verdict"], said.get("from"), said.get("to")) == (
            vector["verdict"],
            vector.get("from"),
            vector.get("to"),
        ), said
        assert unlike([Damaged(vector["log"], log, checkpoint)], tmp_path) == []

    @pytest.mark.skipif(NODE is None, reason="node is not installed, which runs the page's verifier")
    def test_so_does_the_page(self, tmp_path: Path) -> None:
        logs = [Damaged(one["log"], (FOLDER / one["log"]).read_bytes(), one.get("checkpoint", "")) for one in COMPARED]
        theirs = [verdict["verdict"] for verdict in judged(logs)]
        assert theirs == [one["verdict"] for one in COMPARED]
        assert compared(logs, tmp_path / "log")[0] == []


class TestEqualVerdicts:
    def test_roll_number_out_of_sequence_gets_one_sentence(self, tmp_path: Path) -> None:
        log, expected = FOLDER / "witnessed-asked-for-a-later-roll.jsonl", "roll number 2 is out of sequence"
        assert f"why: {expected}" in run(log).stdout.decode()
        assert verify_file(log).verdict.reason == expected
        if NODE is not None:
            assert [one["reason"] for one in judged([Damaged(log.name, log.read_bytes())])] == [expected]

    def test_of_every_recorded_log(self, tmp_path: Path) -> None:
        recorded = [*FIXTURES.glob("*/replays/*.jsonl"), *at_least_one(FIXTURES.glob("*/superseded/*.jsonl"))]
        older = [one for one in FIXTURES.glob("formats/**/*.jsonl") if one.parent != FOLDER]
        logs = [Damaged(one.name, one.read_bytes()) for one in at_least_one([*recorded, *older])]
        assert unlike(logs, tmp_path) == []

    def test_of_the_example_of_the_format(self, tmp_path: Path) -> None:
        logs = [Damaged(name, example(name).encode(), example("checkpoint")) for name in ("whole", "redacted")]
        assert unlike(logs, tmp_path) == []

    def test_of_damaged_logs(self, tmp_path: Path) -> None:
        assert unlike(list(damaged(300, seed=7)), tmp_path) == []

    def test_verdicts_of_rehashed_logs_are_equal(self, tmp_path: Path) -> None:
        assert unlike(list(rehashed(300, seed=7)), tmp_path) == []

    def test_of_forged_logs(self, tmp_path: Path) -> None:
        assert unlike(some_forged(7, part=1), tmp_path) == []

    def test_different_verdicts_are_reported(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tests.attacks.one_page.one_page", lambda log, checkpoint: {"verdict": "VALID"})
        assert "INVALID" in unlike([Damaged("changed", LOG.read_bytes().replace(b"red", b"rad", 1))], tmp_path)[0]
