"""Check the report and the exit code of `umpire check-title`."""

from pathlib import Path

import pytest

from tests.cli.terminal import ROOT, Terminal

SITE = ROOT / "tests" / "titles" / "two_rivers"
FEW = ("--orders", "600")


@pytest.fixture
def author(tmp_path: Path) -> Terminal:
    """Terminal in a folder with a copy of the package, as its author would have it."""
    package = tmp_path / "two_rivers"
    for file in (SITE / "two_rivers").rglob("*.*"):
        if file.suffix in (".py", ".toml", ".json", ".jsonl"):
            copy = package / file.relative_to(SITE / "two_rivers")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
    return Terminal(tmp_path)


def test_sound_title_keeps_every_promise(author: Terminal) -> None:
    answer = author.process("check", "two_rivers:TITLE", *FEW)
    assert answer.code == 0, answer
    assert "held      never-stuck         some seat always has a legal order\n" in answer.out
    assert answer.out.endswith("Two Rivers: 36 promises held, 0 broken, 0 not asked\n")


def test_broken_promise_names_the_order_the_seed_and_the_fix(author: Terminal) -> None:
    rafting = author.folder / "two_rivers" / "rafting.py"
    rafting.write_text(
        rafting.read_text().replace("way_down(raft, order.stretches)", "way_down(raft, {2: 2}[order.stretches])")
    )
    answer = author.process("check", "two_rivers:TITLE", *FEW)
    assert answer.code == 8
    said = answer.out.split("BROKEN    no-exceptions", 1)[1].splitlines()
    assert "drift raised KeyError: 1 in decide_drift" in said[1]
    assert said[2].split()[0] == "order:"
    assert '"order":"drift"' in said[2]
    assert said[3].split()[:3] == ["seed:", "1,", "after"]
    assert "refuse what the rules forbid" in said[4]
    assert "not asked order-kinds" in answer.out
    assert "it proves nothing until you fix: no-exceptions" in answer.out


def test_as_json_each_promise_has_its_state_and_its_findings(author: Terminal) -> None:
    water = author.folder / "two_rivers" / "water.py"
    water.write_text(water.read_text().replace('return game.markers.get("water") is None', "return True"))
    answer = author.process("check", "two_rivers:TITLE", "--json", "--seed", "5", *FEW)
    assert answer.code == 8
    assert {"title": "two-rivers", "seed": 5, "orders": 600}.items() <= answer.json.items()
    broken = [one for one in answer.json["promises"] if one["state"] == "broken"]
    assert [one["promise"] for one in broken] == ["facts-change"]
    (finding,) = broken[0]["findings"]
    assert finding["about"] == "water_is_open"
    assert finding["remedy"] == "mend its function; declare it `lasting` if it never changes in a game"


def test_declared_exception_is_shown_with_its_reason(author: Terminal) -> None:
    water = author.folder / "two_rivers" / "water.py"
    water.write_text(water.read_text().replace('return game.markers.get("water") is None', "return True"))
    declared = '[[exception]]\npromise = "facts-change"\nabout = "water_is_open"\nreason = "rain, rain, rain"\n'
    (author.folder / "two_rivers" / "fixtures" / "promises.toml").write_text(declared)
    answer = author.process("check", "two_rivers:TITLE", *FEW)
    assert answer.code == 0, answer
    assert "excepted: rain, rain, rain" in answer.out


def test_exception_without_a_reason_is_refused(author: Terminal) -> None:
    file = author.folder / "two_rivers" / "fixtures" / "promises.toml"
    file.write_text('[[exception]]\npromise = "facts-change"\n')
    answer = author.process("check", "two_rivers:TITLE", *FEW)
    assert answer.code == 2
    assert "reason" in answer.err


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("no_such_module:TITLE", 2, "No module named 'no_such_module'"),
        ("two_rivers:NOTHING", 2, "has no attribute 'NOTHING'"),
        ("two_rivers.water:replace", 2, "is no title"),
        (":", 2, "Empty module name"),
        ("no-such-title", 6, "no title no-such-title"),
    ],
)
def test_missing_title_is_an_error(author: Terminal, name: str, code: int, says: str) -> None:
    answer = author.process("check", name)
    assert answer.code == code
    assert says in answer.err


def test_title_without_a_scenario_cannot_be_checked(author: Terminal) -> None:
    (author.folder / "two_rivers" / "fixtures" / "scenarios" / "spring-flood.toml").unlink()
    answer = author.process("check", "two_rivers:TITLE", *FEW)
    assert answer.code == 2
    assert "has no scenario to be tried with" in answer.err
    assert "fixtures" in answer.err
