"""Check `umpire done --until` and `--rest`: the steps that they ended and why they stopped."""

from pathlib import Path

from tests.cli.terminal import Terminal
from tests.face.testing import FIXTURES

WAR = FIXTURES / "federation-and-empire" / "scenarios" / "border-war.toml"


def opened(folder: Path, *, debt: bool = True) -> Terminal:
    """Open the border war; without its debt, 1C2 and 1C4 are passed."""
    terminal, file = Terminal(folder), folder / "war.toml"
    file.write_text(WAR.read_text() if debt else WAR.read_text().replace("debt = 10\n", ""))
    terminal.ok("new", "federation-and-empire", "--id", "war", "--scenario", str(file), "--dice", "table")
    return terminal


def test_done_lists_the_ended_steps_and_why_it_stopped(tmp_path: Path) -> None:
    war = opened(tmp_path)
    told = war.ok("done", "war", "--until", "2B", "--as", "coalition").out.splitlines()
    assert "ended: 1A2" in told
    (why,) = [line for line in told if line.startswith("stopped: ")]
    assert "turn 1 · 1A2 " in why
    assert "Alliance" in why


def test_done_as_json_lists_the_steps_and_repeats_by_id(tmp_path: Path) -> None:
    war = opened(tmp_path)
    war.ok("done", "war", "--as", "alliance")
    order = '{"order": "done", "rest": true, "id": "phase-1"}'
    first = war.ok("order", "war", order, "--as", "coalition", "--json").json
    assert first["left"][:3] == ["1A2", "1A3A", "1A3B"]
    assert first["stopped"]
    again = war.ok("order", "war", order, "--as", "coalition", "--json").json
    assert again["repeated"]
    assert (again["left"], again["stopped"]) == (first["left"], first["stopped"])


def test_undo_takes_back_all_ended_steps(tmp_path: Path) -> None:
    war = opened(tmp_path)
    war.ok("done", "war", "--as", "alliance")
    before = war.ok("status", "war", "--json").json["where"]
    war.ok("done", "war", "--rest", "--as", "coalition")
    war.ok("undo", "war", "--why", "too fast")
    assert war.ok("status", "war", "--json").json["where"] == before


def test_order_file_can_end_several_steps(tmp_path: Path) -> None:
    war = opened(tmp_path, debt=False)
    file = war.orders({"as": "alliance", "order": "done"}, {"as": "coalition", "order": "done", "until": "1H"})
    war.ok("play", "war", file)
    assert "turn 1 · 1H " in war.ok("status", "war", "--json").json["where"]


def test_status_lists_steps_that_the_next_order_ends(tmp_path: Path) -> None:
    """End 2B2 with the next order of the Coalition, because both divisions are elsewhere."""
    war = opened(tmp_path, debt=False)
    war.ok("done", "war", "--as", "alliance")
    war.ok("done", "war", "--until", "2B2", "--as", "coalition")
    told = war.ok("status", "war", "--as", "coalition").out
    (ends,) = [line for line in told.splitlines() if line.startswith("next: ")]
    assert " 2B2 " in ends
    assert "coalition in 2B3: " in told


def test_order_can_end_its_step(tmp_path: Path) -> None:
    """Give the order in words and as JSON, and read the ended steps and the reason to stop."""
    war = opened(tmp_path, debt=False)
    told = war.ok("order", "war", "mark", "agreed", "yes", "--leave", "here", "--as", "alliance").out
    assert "waiting:  coalition" in war.ok("status", "war").out, told
    order = '{"order": "mark", "marker": "agreed", "to": "no", "leave": "1H", "id": "twice"}'
    first = war.ok("order", "war", order, "--as", "coalition", "--json").json
    assert first["stopped"].endswith(" 1H")
    assert war.ok("order", "war", order, "--as", "coalition", "--json").json["stopped"] == first["stopped"]


INTEREST = ("order", "war", "state-interest", "1", "--empire", "klingon", "--as", "coalition")


def test_until_lists_what_the_side_forfeits(tmp_path: Path) -> None:
    war = opened(tmp_path)
    war.ok("done", "war", "--as", "alliance")
    told = war.ok("done", "war", "--until", "3B2", "--as", "coalition").out
    assert _forfeits(told, "1B", ": 5 of klingon")
    (why,) = [line for line in told.splitlines() if line.startswith("stopped: ")]
    assert " 1C2 " in why
    war.ok(*INTEREST)
    assert _forfeits(war.ok("done", "war", "--until", "3B2", "--as", "coalition").out, "1C3", ": klingon, romulan")


def _forfeits(told: str, step: str, what: str) -> bool:
    """Return whether a single line contains this forfeit in this step."""
    (line,) = [line for line in told.splitlines() if line.startswith("forfeited: ")]
    return line.startswith(f"forfeited: {step}: ") and line.endswith(what)


def test_json_lists_what_is_forfeited_and_again_when_repeated(tmp_path: Path) -> None:
    war = opened(tmp_path)
    war.ok("done", "war", "--as", "alliance")
    order = '{"order": "done", "until": "1C", "id": "to-1c"}'
    first = war.ok("order", "war", order, "--as", "coalition", "--json").json
    (lost,) = first["forfeited"]
    assert lost.startswith("1B: ")
    assert lost.endswith(": 5 of klingon")
    again = war.ok("order", "war", order, "--as", "coalition", "--json").json
    assert (again["repeated"], again["forfeited"]) == (True, first["forfeited"])
    assert "forfeited" not in war.ok("order", "war", INTEREST[2], *INTEREST[3:], "--json").json


def test_opening_names_what_is_left_to_the_table(tmp_path: Path) -> None:
    war = Terminal(tmp_path)
    new = ("new", "federation-and-empire", "--scenario", str(WAR), "--dice", "table", "--id")
    told = war.ok(*new, "one").out
    left = war.ok(*new, "two", "--json").json["left_to_table"]
    assert len(left) == 2
    assert "klingon, romulan, kzinti, tholian, federation" in left[0]
    assert "`nodes`" in left[0]
    assert "8A (204.2)" in left[0]
    assert f": {left[0]}" in told
    assert f":\n  {left[0]}" in war.ok("scenario", "--check", str(WAR)).out


def test_done_with_answer_word_equals_option(tmp_path: Path) -> None:
    war = opened(tmp_path)
    word = war.type("done", "war", "no such answer", "--as", "alliance", "--json")
    option = war.type("done", "war", "--answer", "no such answer", "--as", "alliance", "--json")
    assert (word.code, word.out, word.err) == (3, option.out, option.err)
    war.ok("done", "war", "--as", "alliance")


def test_done_with_word_and_option_is_refused(tmp_path: Path) -> None:
    assert opened(tmp_path).type("done", "war", "yes", "--answer", "no", "--as", "alliance").code == 2
