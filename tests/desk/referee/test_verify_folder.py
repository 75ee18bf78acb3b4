"""A case file is checked whole: each file changed, added, removed or swapped is named, without a crash."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.desk.game import DeskGame
from tests.desk.referee.tables import Desk
from tests.face.desk import (
    FILES,
    PAGES,
    PROGRAM,
    case_check,
    drafts_of,
    hash_of,
)
from tests.face.domain import DisputeOpened
from tests.naming import Naming

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def written(harbour_played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a case of the great harbour, written once."""
    from tests.desk.referee.tables import copied  # noqa: PLC0415

    desk = copied(harbour_played, tmp_path_factory.mktemp("case") / "harbour")
    desk.ok("dispute", "open", "g", "303", "304", "--claim", "water between", "--rule", "8.55", "--as", "syracuse")
    desk.ok("export", "g", "-o", "earlier.jsonl")
    desk.ok("note", "g", "one more")
    desk.ok("case", "g", "d1", "-o", "case")
    return desk.folder


@pytest.fixture
def case(written: Path, tmp_path: Path) -> Path:
    shutil.copytree(written / "case", tmp_path / "case")
    return tmp_path / "case"


@pytest.fixture
def judge(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def signed_again(case: Path, **changed: Any) -> None:
    """Write a manifest for a changed folder, as a forger who knows the format can."""
    manifest = json.loads((case / "manifest.json").read_text())
    manifest |= changed
    for name in FILES:
        found = hash_of(case / name)
        manifest["files"][name] = {"sha256": found.sha256, "bytes": found.bytes}
    (case / "manifest.json").write_text(json.dumps(manifest))


def without_verifier(case: Path) -> None:
    """Convert the case to the second format."""
    manifest = json.loads((case / "manifest.json").read_text())
    (case / "umpire-verify.py").unlink()
    del manifest["files"]["umpire-verify.py"]
    manifest["format"] = 2
    (case / "manifest.json").write_text(json.dumps(manifest))


def without_pictures(case: Path) -> None:
    """Convert the case to the first format: no verifier, no pictures, and a page that shows none."""
    without_verifier(case)
    page = (case / "case.md").read_text()
    head, _, rest = page.partition("## Board before and after\n")
    _, _, rest = rest.partition("## Records\n")
    rest, pictures = re.subn(r"!\[[^]]*\]\(dice\.svg\)\n\n.*\n\n", "", rest, count=1)
    assert pictures == 1
    (case / "case.md").write_text(f"{head}## Records\n{rest}")
    manifest = json.loads((case / "manifest.json").read_text())
    for name in ("map-before.svg", "map-after.svg", "dice.svg"):
        (case / name).unlink()
        del manifest["files"][name]
    manifest["format"] = 1
    found = hash_of(case / "case.md")
    manifest["files"]["case.md"] = {"sha256": found.sha256, "bytes": found.bytes}
    (case / "manifest.json").write_text(json.dumps(manifest))


def change_a_byte(file: Path) -> None:
    raw = bytearray(file.read_bytes())
    at = len(raw) // 2
    raw[at] = ord("x") if raw[at] != ord("x") else ord("y")
    file.write_bytes(bytes(raw))


def faults(judge: Desk, verdict: str, *, by: str = "") -> list[str]:
    """Return the files that are at fault in a case of this verdict.

    `by`: the check that finds them. Only "pages" needs a log that is valid by itself.
    """
    said = judge.type("verify", "case", "--json")
    assert (said.code, said.json["verdict"]) == (5, verdict)
    log = said.json["log"]
    if by:
        found_by = "folder" if log is None else "pages" if log["verdict"].startswith("VALID") else "log"
        assert found_by == by
    return [one["file"] for one in said.json["faults"]]


class TestSound:
    def test_sound_case_is_valid(self, judge: Desk, case: Path) -> None:
        said = judge.ok("verify", "case").out
        assert said.startswith("VALID")
        assert hash_of(case / "manifest.json").sha256 in said

    def test_sound_case_is_verified_as_json(self, judge: Desk, case: Path) -> None:
        found = judge.ok("verify", "case", "--json").json
        assert found["verdict"] in ("VALID", "VALID WITH REDACTIONS")
        assert (found["faults"], found["contents"]["game"], found["contents"]["dispute"]) == ([], "g", "d1")
        assert found["log"]["verdict"] == found["verdict"]

    def test_against_a_checkpoint_that_was_kept(self, judge: Desk, case: Path) -> None:
        shutil.copy(case / "checkpoint.txt", judge.folder / "mine.txt")
        assert judge.ok("verify", "case", "--checkpoint", "mine.txt").out.startswith("VALID")
        text = (case / "checkpoint.txt").read_text().splitlines()
        (judge.folder / "mine.txt").write_text("\n".join([*text[:2], "A" * 43 + "="]) + "\n")
        said = judge.type("verify", "case", "--checkpoint", "mine.txt")
        assert (said.code, "replay.jsonl: INVALID" in said.out) == (5, True)

    def test_case_of_each_seat_is_valid(self, ford: Desk) -> None:
        # A redacted log produces the redacted pages again.
        ford.order("red", "seal-choice", question="reserve", choice="through-the-marsh")
        sealed = str(ford.size("g"))
        ford.ok("dispute", "open", "g", sealed, "--claim", "too late", "--as", "blue")
        for seat in ("red", "blue", "spectator", "referee"):
            ford.ok("case", "g", "d1", "-o", f"of-{seat}", "--as", seat)
            assert ford.ok("verify", f"of-{seat}").out.startswith("VALID")
            assert ford.ok("verify", f"of-{seat}", "--json").json["contents"]["seat"] == seat
        assert "VALID WITH REDACTIONS" in ford.ok("verify", "of-blue").out

    def test_game_with_the_name_of_a_folder_is_verified(self, ford: Desk) -> None:
        (ford.folder / "g").mkdir()
        assert ford.ok("verify", "g").out.startswith("VALID (hashes only): g")

    def test_sound_case_is_verified_in_python(self, case: Path) -> None:
        checked = umpire.verify_case(case)
        assert checked.valid
        assert checked.contents is not None
        assert checked.contents.seat == "referee"


class TestPictures:
    def test_page_shows_pictures_with_the_same_in_words(self, case: Path) -> None:
        page = (case / "case.md").read_text()
        for name in at_least_one(("map-before.svg", "map-after.svg", "dice.svg")):
            assert f"]({name})" in page
            ElementTree.parse(case / name)
        before, after = page.split("](map-after.svg)")
        (marked_before,), (marked_after,) = (
            re.findall(r"^- 0609, Syracuse: syracuse-3 trireme \((.*)\)\.$", part, re.MULTILINE)
            for part in (before, after)
        )
        new = set(marked_after.split(", ")) - set(marked_before.split(", "))
        assert len(new) == 1, "the contested roll set it on fire"
        assert set(marked_before.split(", ")) < set(marked_after.split(", ")), "it is bound before and after"

    def test_dice_picture_shows_the_recorded_results(self, case: Path) -> None:
        root = ElementTree.parse(case / "dice.svg").getroot()
        said = [str(one.text) for one in root.iter(f"{SVG}text")]
        assert Naming("#303", "syracuse", "syracuse-3", 5, 5) in said
        pips = [one for one in root.iter(f"{SVG}circle") if one.get("class") == "pip"]
        rolls = json.loads((case / "case.json").read_text())["dice"]
        assert len(pips) == sum(sum(one["pips"]) for one in rolls), "a spot for each pip of a die of six sides"

    @pytest.mark.parametrize("name", ["map-before.svg", "map-after.svg", "dice.svg"])
    def test_changed_picture_with_new_manifest_is_invalid(self, judge: Desk, case: Path, name: str) -> None:
        _swap(case, name, "syracuse")
        signed_again(case)
        assert faults(judge, "INVALID", by="pages") == [name]

    def test_two_that_were_exchanged(self, judge: Desk, case: Path) -> None:
        one, other = case / "map-before.svg", case / "map-after.svg"
        texts = one.read_bytes(), other.read_bytes()
        one.write_bytes(texts[1])
        other.write_bytes(texts[0])
        signed_again(case)
        assert faults(judge, "INVALID", by="pages") == ["map-before.svg", "map-after.svg"]

    def test_case_of_the_first_format_is_checked(self, judge: Desk, case: Path) -> None:
        without_pictures(case)
        assert judge.ok("verify", "case").out.startswith("VALID")
        _swap(case, "case.md", "syracuse")
        found = hash_of(case / "case.md")
        manifest = json.loads((case / "manifest.json").read_text())
        manifest["files"]["case.md"] = {"sha256": found.sha256, "bytes": found.bytes}
        (case / "manifest.json").write_text(json.dumps(manifest))
        assert faults(judge, "INVALID", by="pages") == ["case.md"]

    def test_picture_in_a_case_of_the_first_format_is_reported(self, judge: Desk, case: Path) -> None:
        without_pictures(case)
        (case / "dice.svg").write_text("<svg/>")
        assert faults(judge, "INVALID", by="folder") == ["dice.svg"]

    def test_pipe_as_manifest_is_reported_without_waiting(self, judge: Desk, case: Path) -> None:
        (case / "manifest.json").unlink()
        os.mkfifo(case / "manifest.json")
        assert faults(judge, "INVALID", by="folder") == ["manifest.json"]


class TestVerifier:
    """umpire-verify.py goes with the log: a second judge needs no Umpire."""

    def test_case_verifier_agrees_with_umpire_verify(self, judge: Desk, case: Path) -> None:
        command = [sys.executable, "-I", "umpire-verify.py", "replay.jsonl", "--checkpoint", "checkpoint.txt"]
        done = subprocess.run(command, cwd=case, capture_output=True, text=True, check=False)
        verdict = judge.ok("verify", "case", "--json").json["log"]
        assert (done.returncode, done.stdout.splitlines()[0]) == (0, verdict["verdict"])
        assert f"root: {verdict['root']}" in done.stdout

    def test_verifier_that_accepts_any_log_is_reported(self, judge: Desk, case: Path) -> None:
        (case / "umpire-verify.py").write_text('print("VALID")\n')
        signed_again(case)
        assert faults(judge, "INVALID", by="pages") == ["umpire-verify.py"]

    def test_verifier_of_another_edition_is_not_compared(self, judge: Desk, case: Path) -> None:
        (case / "umpire-verify.py").write_text('print("VALID")\n')
        signed_again(case, program="umpire-ledger 0.0")
        assert faults(judge, "NOT COMPARED", by="pages") == ["umpire-verify.py"]

    def test_case_of_the_second_format_is_checked(self, judge: Desk, case: Path) -> None:
        without_verifier(case)
        assert judge.ok("verify", "case").out.startswith("VALID")
        (case / "umpire-verify.py").write_bytes(b"")
        assert faults(judge, "INVALID", by="folder") == ["umpire-verify.py"]


Attack = Callable[[Path], object]


def _swap(case: Path, name: str, text: str) -> None:
    file = case / name
    raw = file.read_text()
    assert text in raw
    file.write_text(raw.replace(text, text[::-1], 1))


ATTACKS: dict[str, tuple[Attack, str, str]] = {
    **{f"a byte of {name}": (lambda case, n=name: change_a_byte(case / n), "INVALID", name) for name in FILES},
    **{f"{name} is gone": (lambda case, n=name: (case / n).unlink(), "INCOMPLETE", name) for name in FILES},
    "no manifest": (lambda case: (case / "manifest.json").unlink(), "INCOMPLETE", "manifest.json"),
    "a byte of the manifest": (lambda case: change_a_byte(case / "manifest.json"), "INVALID", ""),
    "a manifest that is no JSON": (
        lambda case: (case / "manifest.json").write_text("{"),
        "INVALID",
        "manifest.json",
    ),
    "a manifest of another kind": (
        lambda case: (case / "manifest.json").write_text('{"files": []}'),
        "INVALID",
        "manifest.json",
    ),
    "a manifest that is no text": (
        lambda case: (case / "manifest.json").write_bytes(b"\xff\xfe"),
        "INVALID",
        "manifest.json",
    ),
    "a manifest without end": (
        lambda case: (case / "manifest.json").write_text(" " * 70_000),
        "INVALID",
        "manifest.json",
    ),
    "a manifest that is deep": (
        lambda case: (case / "manifest.json").write_text("[" * 20_000),
        "INVALID",
        "manifest.json",
    ),
    "a file more": (lambda case: (case / "proof.md").write_text("I was there"), "INVALID", "proof.md"),
    "a hidden file more": (lambda case: (case / ".proof").write_text("x"), "INVALID", ".proof"),
    "a folder more": (lambda case: (case / "more").mkdir(), "INVALID", "more"),
    "a folder in place of a page": (
        lambda case: ((case / "case.md").unlink(), (case / "case.md").mkdir()),
        "INVALID",
        "case.md",
    ),
    "a symbolic link": (
        lambda case: (shutil.move(case / "case.md", case.parent / "x"), (case / "case.md").symlink_to("../x")),
        "INVALID",
        "case.md",
    ),
    "a link to nowhere": (
        lambda case: ((case / "case.md").unlink(), (case / "case.md").symlink_to("nowhere")),
        "INVALID",
        "case.md",
    ),
    "a pipe": (
        lambda case: ((case / "replay.jsonl").unlink(), os.mkfifo(case / "replay.jsonl")),
        "INVALID",
        "replay.jsonl",
    ),
}


class TestAttacks:
    @pytest.mark.parametrize("attack", ATTACKS)
    def test_attack_on_a_case_is_reported(self, judge: Desk, case: Path, attack: str) -> None:
        act, verdict, name = ATTACKS[attack]
        act(case)
        said = judge.type("verify", "case")
        assert (said.code, said.out.split(":")[0]) == (5, verdict)
        assert f"\n  {name}" in said.out
        assert "VALID: case" not in said.out.replace("INVALID", "")

    @pytest.mark.parametrize("name", PAGES)
    def test_changed_page_with_new_manifest_is_invalid(self, judge: Desk, case: Path, name: str) -> None:
        # A forger who changes a page can write a manifest for it; the page still differs from the log.
        _swap(case, name, "syracuse-3")
        signed_again(case)
        assert faults(judge, "INVALID", by="pages") == [name]

    def test_another_edition_s_words_prove_nothing(self, judge: Desk, case: Path) -> None:
        """Check that no manifest makes a page valid that this program would write differently."""
        _swap(case, "case.md", "syracuse-3")
        signed_again(case, program="umpire-ledger 99.1")
        assert faults(judge, "NOT COMPARED", by="pages") == ["case.md"]
        assert judge.type("verify", "case", "--json").json["note"] == Naming("umpire-ledger", "99.1", PROGRAM)

    def test_another_edition_that_words_it_alike_is_valid(self, judge: Desk, case: Path) -> None:
        signed_again(case, program="umpire-ledger 0.1.9")
        assert judge.ok("verify", "case").out.startswith("VALID")

    def test_pages_without_the_title_are_not_compared(self, case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from umpire_ledger.desk.core import read_models  # noqa: PLC0415

        monkeypatch.setattr(read_models, "find_title", lambda _: None)
        checked = case_check.verify_case(case)
        assert (checked.verdict, checked.note) == ("NOT COMPARED", Naming("war-galley"))
        assert [one.file for one in checked.faults] == ["case.json", "case.md", "map-before.svg", "map-after.svg"]

    def test_manifest_of_a_later_format_is_not_compared(self, judge: Desk, case: Path) -> None:
        signed_again(case, format=4)
        assert faults(judge, "NOT COMPARED", by="folder") == ["manifest.json"]
        (fault,) = judge.type("verify", "case", "--json").json["faults"]
        assert fault["what"] == Naming(4, 1, 3)

    def test_manifest_that_lists_an_outside_file_is_reported(self, judge: Desk, case: Path) -> None:
        manifest = json.loads((case / "manifest.json").read_text())
        manifest["files"]["../../etc/passwd"] = manifest["files"].pop("case.md")
        (case / "manifest.json").write_text(json.dumps(manifest))
        assert faults(judge, "INVALID", by="folder") == ["manifest.json", "case.md"]
        assert "../../etc/passwd" in judge.type("verify", "case", "--json").json["faults"][0]["what"]

    @pytest.mark.parametrize(
        ("changed", "names"),
        [
            ({"dispute": "d9"}, Naming("d9")),
            ({"seat": "carthage"}, Naming("carthage")),
            ({"game": "h"}, Naming(613, "h")),
            ({"size": 3}, Naming(3, "g")),
        ],
    )
    def test_manifest_with_a_false_entry_is_reported(
        self, judge: Desk, case: Path, changed: dict[str, Any], names: Naming
    ) -> None:
        signed_again(case, **changed)
        assert faults(judge, "INVALID", by="pages") == ["manifest.json"]
        assert judge.type("verify", "case", "--json").json["faults"][0]["what"] == names

    def test_case_of_another_seat_is_reported_by_its_pages(self, judge: Desk, case: Path) -> None:
        signed_again(case, seat="athens")
        assert "case.json" in faults(judge, "INVALID", by="pages")

    def test_earlier_log_in_the_case_is_reported(self, judge: Desk, case: Path, written: Path) -> None:
        shutil.copy(written / "earlier.jsonl", case / "replay.jsonl")
        assert faults(judge, "INVALID", by="folder") == ["replay.jsonl"]
        signed_again(case)
        assert faults(judge, "INCOMPLETE", by="log") == ["replay.jsonl"]

    def test_earlier_log_with_its_own_checkpoint_is_reported(self, judge: Desk, case: Path, written: Path) -> None:
        # The log is intact and signed, but the pages are those of another log.
        shutil.copy(written / "earlier.jsonl", case / "replay.jsonl")
        log = umpire.verify(case / "replay.jsonl").verdict
        judge.ok("import", str(case / "replay.jsonl"))
        with umpire.open(judge.folder / "umpire.db") as desk:
            (case / "checkpoint.txt").write_text(desk.game("g").checkpoint().text())
        signed_again(case, size=log.size, root=log.root)
        assert "case.json" in faults(judge, "INVALID", by="pages")

    def test_cut_log_in_the_case_is_incomplete(self, judge: Desk, case: Path) -> None:
        lines = (case / "replay.jsonl").read_bytes().splitlines(keepends=True)
        (case / "replay.jsonl").write_bytes(b"".join(lines[:-5]))
        signed_again(case)
        said = judge.type("verify", "case")
        assert (said.code, said.out.split(":")[0]) == (5, "INCOMPLETE")
        assert "replay.jsonl: INCOMPLETE" in said.out

    def test_invalid_checkpoint_file_is_reported(self, judge: Desk, case: Path) -> None:
        (case / "checkpoint.txt").write_text("three\nodd\nlines\n")
        signed_again(case)
        assert faults(judge, "INVALID", by="folder") == ["checkpoint.txt"]

    def test_case_of_another_game_is_invalid(self, judge: Desk, case: Path, ford: Desk) -> None:
        ford.ok("dispute", "open", "g", str(ford.size("g")), "--claim", "too late", "--as", "blue")
        ford.ok("case", "g", "d1", "-o", "case")
        for name in ("replay.jsonl", "checkpoint.txt", "manifest.json"):
            shutil.copy(ford.folder / "case" / name, case / name)
        assert "case.md" in faults(judge, "INVALID", by="folder")

    def test_dispute_without_its_records_has_no_case(self, tmp_path: Path) -> None:
        # No order can record this, but a foreign program can.
        game = DeskGame(tmp_path / "u.db")
        game.give("red", "dispute", records=[1], claim="x")
        for number, positions in enumerate(((999,), ()), 2):
            told = DisputeOpened(dispute=f"d{number}", claim="x", positions=positions, seat="red")
            order = {"after": game.size, "seat": "red", "command": f"c{number}", "drafts": drafts_of((told,), None)}
            game.ledger.append("g", **order)
        game.close()
        desk = Desk(tmp_path)
        desk.ok("case", "g", "d1", "-o", "case", "--ledger", "u.db")
        for dispute in ("d2", "d3"):
            assert desk.type("case", "g", dispute, "-o", "other", "--ledger", "u.db").code == 2
            signed_again(desk.folder / "case", dispute=dispute)
            assert faults(desk, "INVALID", by="pages") == ["manifest.json"]
            (fault,) = desk.type("verify", "case", "--json").json["faults"]
            assert fault["what"] == Naming(dispute)

    def test_many_files_that_do_not_belong_there(self, judge: Desk, case: Path) -> None:
        for number in range(50):
            (case / f"extra-{number:02}").write_text("x")
        assert faults(judge, "INVALID", by="folder") == [*(f"extra-{number:02}" for number in range(20)), "."]
        more = judge.type("verify", "case", "--json").json["faults"][-1]
        assert more["what"] == Naming(30)

    def test_names_that_steer_a_terminal_are_shown_inert(self, judge: Desk, case: Path) -> None:
        (case / "x\x1b[2J\ny").write_text("x")
        assert "  x<U+001B>[2J<U+000A>y: " in judge.type("verify", "case").out

    def test_old_case_without_a_manifest_is_incomplete(self, judge: Desk, case: Path) -> None:
        for name in ("manifest.json", "orders.jsonl"):
            (case / name).unlink()
        said = judge.type("verify", "case")
        assert (said.code, said.out.split(":")[0]) == (5, "INCOMPLETE")
        assert judge.ok("verify", "case/replay.jsonl").out.startswith("VALID")

    def test_empty_folder_is_incomplete(self, judge: Desk) -> None:
        (judge.folder / "empty").mkdir()
        said = judge.type("verify", "empty")
        assert (said.code, said.out.split(":")[0]) == (5, "INCOMPLETE")

    def test_unreadable_folder_is_incomplete(self, case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(_: object) -> object:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "scandir", refuse)
        checked = case_check.verify_case(case)
        assert checked.verdict == "INCOMPLETE"
        (fault,) = checked.faults
        assert fault.file == "."
        assert fault.what.endswith(": Permission denied")


TOLD: tuple[tuple[str, Attack, str], ...] = (
    ("missing", lambda case: (case / "case.md").unlink(), "case.md: is missing"),
    ("foreign", lambda case: (case / "x").write_text(""), "x: does not belong to the case file"),
    ("other bytes", lambda case: change_a_byte(case / "dice.svg"), "dice.svg: differs from the manifest"),
    (
        "other page",
        lambda case: (_swap(case, "case.md", "syracuse-3"), signed_again(case)),
        "case.md: does not match the log",
    ),
    (
        "other verifier",
        lambda case: ((case / "umpire-verify.py").write_text(""), signed_again(case)),
        "umpire-verify.py: differs from the verifier of this version",
    ),
    (
        "other edition",
        lambda case: (_swap(case, "case.md", "syracuse-3"), signed_again(case, program="umpire-ledger 99.1")),
        "case.md: differs from the file that this version writes",
    ),
    ("other log", lambda case: signed_again(case, game="h"), "manifest.json: names another log: 613 records of h"),
    (
        "no such dispute",
        lambda case: signed_again(case, dispute="d9"),
        "manifest.json: does not match the log: there is no dispute d9",
    ),
    (
        "invalid checkpoint",
        lambda case: ((case / "checkpoint.txt").write_text("x"), signed_again(case)),
        "checkpoint.txt: cannot be read",
    ),
    ("sound", lambda _: None, "the pages against the log"),
)


@pytest.mark.parametrize(("act", "sentence"), [row[1:] for row in TOLD], ids=[row[0] for row in TOLD])
def test_case_is_told_in_this_sentence(judge: Desk, case: Path, act: Attack, sentence: str) -> None:
    act(case)
    assert sentence in judge.type("verify", "case").out
