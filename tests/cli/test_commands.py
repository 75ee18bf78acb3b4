"""Check what each command prints for the referee."""

import csv
import io
import json
import re
import sqlite3

import pytest

from tests.cli.terminal import ROOT, Answer, Terminal
from tests.face.ledger import look_at_sqlite

HARBOUR = ROOT / "fixtures" / "war-galley"
SCENARIO = str(HARBOUR / "scenarios" / "great-harbour.toml")
ORDERS = str(HARBOUR / "orders" / "great-harbour.jsonl")


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    """Return a ledger with the galley battle played, which tests only read."""
    terminal = Terminal(tmp_path_factory.mktemp("harbour"))
    terminal.ok("new", "war-galley", "--id", "harbour", "--scenario", SCENARIO)
    terminal.ok("play", "harbour", ORDERS)
    return terminal


class TestTheMainJob:
    def test_from_an_order_to_a_checked_replay(self, terminal: Terminal) -> None:
        terminal.ok("new", "war-galley", "--id", "harbour", "--scenario", SCENARIO)
        terminal.ok("play", "harbour", ORDERS)
        before = terminal.ok("status", "harbour", "--json").json
        assert before["turn"] >= 3
        points = terminal.ok("undo-points", "harbour", "--json").json
        point = next(point for point in points if point["step"] == "G.2a")
        terminal.ok("rewind", "harbour", "--to", "G.2a", "--why", "a fire die was cocked")
        then = terminal.ok("status", "harbour", "--json").json
        assert then["open"] == ["G.2a"]
        assert (
            then["accounts"]
            == terminal.ok("status", "harbour", "--at", str(point["position"]), "--json").json["accounts"]
        )
        terminal.ok("redo", "harbour")
        after = terminal.ok("status", "harbour", "--json").json
        assert {**after, "position": 0, "since": [], "last": []} == {**before, "position": 0, "since": [], "last": []}
        terminal.ok("export", "harbour", "-o", "harbour.jsonl")
        checked = terminal.process("verify", "harbour.jsonl", "--json")
        assert checked.code == 0
        assert checked.json["verdict"] == "VALID"
        assert checked.json["size"] == after["position"]
        imported = terminal.process("import", "harbour.jsonl", "--ledger", "second.db")
        assert imported.code == 0, imported
        again = terminal.ok("status", "harbour", "--ledger", "second.db", "--json").json
        assert {**again, "since": [], "last": []} == {**after, "since": [], "last": []}


class TestKeysThatScriptsRelyOn:
    def keys(self, answer: Answer) -> set[str]:
        found = answer.json
        return set(found[0] if isinstance(found, list) else found)

    @pytest.mark.parametrize(
        ("words", "keys"),
        [
            ("sequence war-galley", "id parent name by need cites secret rolls orders leads_to"),
            ("orders war-galley", "order steps by schema"),
            ("status harbour", "game title position turn where open waiting orders owed ended sides accounts markers"),
            ("units harbour", "id side kind at attributes"),
            ("audit harbour", "position at turn step seat event text rule dice cause counts visible_to"),
            ("undo-points harbour", "position step where orders rolls reveals seals seats"),
            ("verify harbour", "verdict size root first_bad reason"),
            ("games", "game title records turn where ended opened_at last_at"),
            ("titles", "id name version steps"),
            ("titles war-galley", "id name version options tables ours"),
            ("doctor", "check state what remedy"),
        ],
    )
    def test_they_are_there(self, harbour: Terminal, words: str, keys: str) -> None:
        answer = harbour.type(*words.split(), "--json")
        assert answer.code == 0, answer
        assert set(keys.split()) <= self.keys(answer)

    def test_json_is_one_value_and_nothing_is_coloured_in_a_pipe(self, harbour: Terminal) -> None:
        for words in ("status harbour", "audit harbour", "sequence war-galley", "undo-points harbour", "units harbour"):
            said = harbour.process(*words.split())
            assert said.code == 0
            assert "\x1b" not in said.out + said.err
            json.loads(harbour.process(*words.split(), "--json").out)


class TestSequence:
    def test_sequence_follows_the_printed_page(self, terminal: Terminal) -> None:
        lines = terminal.ok("sequence", "war-galley", "--json").json
        ids = [line["id"] for line in lines]
        printed = ["A", "B", "C", "D", "E", "E.1", "E.2", "E.3", "E.4", "F", "F.1", "F.2", "F.3", "F.4", "F.5", "G"]
        printed += ["G.1", "G.2", "G.2a", "G.2b", "G.2c", "G.3", "G.4", "H", "H.a", "H.b"]
        assert [one for one in ids if one in printed] == printed
        by_id = {line["id"]: line for line in lines}
        assert by_id["G.2b"]["printed"] == "5.5.6.2/b"
        assert by_id["G.2b"]["cites"] == ["8.55"]
        assert by_id["E.2"]["rolls"] == "2d6"
        assert "board" in by_id["E.2"]["orders"]

    def test_sequence_shows_conditions_of_steps_and_loops(self, terminal: Terminal) -> None:
        by_id = {line["id"]: line for line in terminal.ok("sequence", "war-galley", "--json").json}
        text = terminal.ok("sequence", "war-galley").out
        for step, key in (("E.2", "when"), ("C.rolls", "until"), ("A", "needs")):
            condition = by_id[step][key]
            assert condition
            assert f"{key}: {condition}" in text

    def test_freeform_has_none_and_says_so(self, terminal: Terminal) -> None:
        assert terminal.ok("sequence", "freeform", "--json").json == []
        assert terminal.ok("sequence", "freeform").out.startswith("Freeform ")

    def test_order_is_shown_with_its_schema(self, terminal: Terminal) -> None:
        entry = terminal.ok("orders", "war-galley", "board", "--json").json[0]
        assert entry["order"] == "board"
        assert "E.2" in entry["steps"]
        assert entry["schema"]["type"] == "object"
        answer = terminal.type("orders", "war-galley", "bored")
        assert answer.code == 2
        assert "board" in answer.err


class TestAudit:
    def test_audit_finds_the_fires_with_their_seats(self, harbour: Terminal) -> None:
        lines = harbour.ok("audit", "harbour", "--event", "unit.changed", "--text", "fire", "--json").json
        burned = [line for line in lines if "fire" in line["text"] and "yes" in line["text"]]
        assert burned
        assert all(line["seat"] in ("athens", "syracuse") for line in burned)

    def test_audit_filters_by_step_dice_unit_side_rule_and_range(self, harbour: Terminal) -> None:
        def found(*words: str) -> list[dict[str, object]]:
            lines: list[dict[str, object]] = harbour.ok("audit", "harbour", *words, "--json").json
            assert lines, words
            return lines

        assert {line["step"] for line in found("--step", "E.2")} == {"E.2"}
        assert all(line["event"] == "dice.rolled" for line in found("--dice"))
        assert all("athens-5" in str(line["text"]) for line in found("--unit", "athens-5", "--event", "unit.changed"))
        assert {line["seat"] for line in found("--side", "syracuse")} == {"syracuse"}
        assert all("7.17" in str(line["rule"]) for line in found("--rule", "7.17"))
        assert [line["position"] for line in found("--from", "10", "--to", "#12")] == [10, 11, 12]
        assert len(found("--last", "5")) == 5

    @pytest.mark.parametrize(
        ("words", "what", "remedy"),
        [
            ("--step G2b", " G2b", " G.2b"),
            ("--unit athens-99", " athens-99", "athens-"),
            ("--event unit.move", " unit.move", " unit.moved"),
            ("--side athenes", " athenes", " athens?"),
            ("--by athenes", " athenes", " athens?"),
            ("--rule 7.99", " 7.99", "7."),
        ],
    )
    def test_filter_with_an_unknown_name_suggests_the_nearest(
        self, harbour: Terminal, words: str, what: str, remedy: str
    ) -> None:
        error = harbour.type("audit", "harbour", *words.split(), "--json")
        assert error.code == 6
        assert what in error.error["what"]
        assert remedy in error.error["remedy"]

    def test_valid_filter_without_matches_is_an_empty_list(self, harbour: Terminal) -> None:
        assert harbour.ok("audit", "harbour", "--step", "H.b", "--dice", "--json").json == []
        assert harbour.ok("audit", "harbour", "--event", "rewind.asked", "--json").json == []

    def test_units_and_dice_of_an_unknown_side_are_refused(self, harbour: Terminal) -> None:
        side = harbour.type_json("units", "harbour", "--side", "athenes").error
        assert (side["refusal_code"], side["remedy"].split()[-1]) == ("not-there", "athens?")
        seat = harbour.type_json("dice", "harbour", "--by", "athenes").error
        assert (seat["refusal_code"], seat["what"].split()[-1]) == ("no-such-seat", "athenes")

    def test_as_csv_and_as_markdown(self, harbour: Terminal) -> None:
        rows = list(csv.reader(io.StringIO(harbour.ok("audit", "harbour", "--csv").out)))
        assert rows[0][:3] == ["position", "at", "turn"]
        assert rows[1][0] == "1"
        markdown = harbour.ok("audit", "harbour", "--last", "3", "--markdown", "--records").out.splitlines()
        assert markdown[0].startswith("| position | at |")
        assert len(markdown) == 5

    def test_abandoned_lines_only_with_all(self, ford: Terminal) -> None:
        ford.give("red", "pay", account="vp", amount=1)
        ford.give("red", "undo")
        assert "vp 0 → 1" not in ford.ok("audit", "ford").out
        abandoned = ford.ok("audit", "ford", "--all").out
        assert "(#4)" in abandoned
        assert "Red changes vp by 1: vp 0 → 1" in abandoned


class TestStatus:
    def test_required_actions_are_shown_with_their_rule(self, harbour: Terminal) -> None:
        owed = harbour.ok("status", "harbour", "--json").json["owed"]
        assert owed
        assert all("War Galley" in one["rule"] for one in owed)

    def test_at_an_earlier_position_it_shows_what_was_shown_then(self, ford: Terminal) -> None:
        shown = []
        for number in range(4):
            ford.give("red", "pay", account="vp", amount=number)
            shown.append(ford.ok("status", "ford", "--json").json)
        for view in shown:
            again = ford.ok("status", "ford", "--at", str(view["position"]), "--json").json
            assert {**again, "since": [], "last": []} == {**view, "since": [], "last": []}

    def test_new_records_are_shown_as_new_once(self, ford: Terminal) -> None:
        ford.ok("status", "ford", "--as", "blue", "--looked")
        ford.give("red", "move", unit="r1", path=["0201"])
        assert ford.ok("status", "ford", "--as", "blue", "--json").json["since"]
        shown = ford.ok("status", "ford", "--as", "blue", "--looked").out
        assert "#4 " in shown
        assert ford.ok("status", "ford", "--as", "blue", "--json").json["since"] == []
        again = ford.ok("status", "ford", "--as", "blue", "--looked").out
        assert "#1 " in again, "the last orders stand there where nothing is new"
        assert "#4 " in again

    def test_status_survives_deletion_of_the_read_models(self, ford: Terminal) -> None:
        ford.give("red", "move", unit="r1", path=["0201"])
        before = ford.ok("status", "ford", "--json").json
        (ford.folder / "umpire.views.db").unlink()
        assert {**ford.ok("status", "ford", "--json").json, "since": [], "last": []} == {
            **before,
            "since": [],
            "last": [],
        }
        assert ford.ok("rebuild").out.startswith(f"Rebuilt ford: {before['position']} ")
        (ford.folder / "umpire.views.db").write_bytes(b"rubbish" * 1000)
        assert {**ford.ok("status", "ford", "--json").json, "since": [], "last": []} == {
            **before,
            "since": [],
            "last": [],
        }


class TestUnitsAndDiff:
    def test_units_now_and_then_and_those_that_are_gone(self, ford: Terminal) -> None:
        ford.give("red", "move", unit="r1", path=["0201"])
        ford.give("red", "remove", unit="r1", fate="destroyed")
        assert [unit["id"] for unit in ford.ok("units", "ford", "--json").json] == ["b1"]
        gone = ford.ok("units", "ford", "--gone", "--json").json
        assert {unit["id"]: unit["fate"] for unit in gone} == {"b1": "", "r1": "destroyed"}
        assert ford.ok("units", "ford", "--at", "#4", "--side", "red", "--json").json[0]["at"] == "0201"

    def test_diff_lists_changes_between_two_positions(self, ford: Terminal) -> None:
        ford.give("red", "move", unit="r1", path=["0201"])
        ford.give("red", "pay", account="vp", amount=3)
        found = ford.ok("diff", "ford", "3", "5", "--json").json
        assert {(one["kind"], one["id"], one["before"], one["after"]) for one in found} == {
            ("unit", "r1", "0101", "0201"),
            ("account", "vp", None, 3),
        }


class TestUndo:
    def test_seat_undoes_and_redoes_its_own_order(self, ford: Terminal) -> None:
        ford.give("red", "pay", account="vp", amount=1)
        ford.ok("undo", "ford", "--as", "red")
        assert ford.ok("status", "ford", "--json").json["accounts"] == {}
        ford.ok("redo", "ford", "--as", "red")
        assert ford.ok("status", "ford", "--json").json["accounts"] == {"vp": 1}

    def test_seat_cannot_undo_another_seats_order_or_a_roll(self, ford: Terminal) -> None:
        ford.give("red", "pay", account="vp", amount=1)
        error = ford.type_json("undo", "ford", "--as", "blue").error
        assert error["refusal_code"] == "order-of-another-seat"
        assert error["fields"] == {"first": 4, "seat": "red"}
        ford.give("red", "roll", purpose="to hit", dice="1d6", pips=[4])
        error = ford.type_json("undo", "ford", "--as", "red").error
        assert error["refusal_code"] == "only-the-referee-undoes"
        assert dict(error["fields"])["first"] == 5
        assert "(to hit)" in dict(error["fields"])["stop"]

    def test_referee_undoes_a_roll_with_a_reason(self, ford: Terminal) -> None:
        ford.give("red", "roll", purpose="to hit", dice="1d6", pips=[4])
        assert ford.type("undo", "ford").code == 3
        ford.ok("undo", "ford", "--why", "the die fell off the table")
        ford.give("red", "roll", purpose="to hit", dice="1d6", pips=[5])
        rolls = [line for line in ford.ok("audit", "ford", "--all", "--json").json if line["event"] == "dice.rolled"]
        assert [re.search(r"(\d+),", line["text"].replace("1d6", ""))[1] for line in rolls] == ["1", "2"]

    def test_position_inside_an_order_means_the_end_of_the_previous(self, ford: Terminal) -> None:
        """Accept the first record to undo, because people name the record that they want to remove."""
        before = ford.size()
        ford.give("red", "seal-choice", question="flank", choice="left")
        note = ford.ok("rewind", "ford", "--to", f"#{before + 1}", "--preview").err
        assert re.findall(r"#\d+", note) == [f"#{before + 1}", f"#{before}"]
        answer = ford.ok("rewind", "ford", "--to", f"#{before + 1}", "--json")
        assert (answer.json["events"][0]["to"], answer.err) == (before, note)
        assert ford.ok("rewind", "ford", "--to", f"#{before + 2}").err == ""

    def test_position_inside_the_opening_is_refused(self, ford: Terminal) -> None:
        opened = ford.size()
        for command in (("rewind", "ford", "--to", "#2"), ("fork", "ford", "--at", "2", "--id", "x")):
            error = ford.type(*command, "--json")
            assert error.code == 3
            assert re.findall(r"#\d+", error.error["what"]) == ["#2", "#1", f"#{opened}"]
            assert error.error["remedy"].endswith(f"#{opened}")


class TestForkAndNote:
    def test_fork_is_independent_of_the_game(self, ford: Terminal) -> None:
        ford.give("red", "pay", account="vp", amount=1)
        ford.give("red", "pay", account="vp", amount=1)
        ford.ok("fork", "ford", "--at", "4", "--id", "what-if")
        assert ford.ok("status", "what-if", "--json").json["accounts"] == {"vp": 1}
        ford.ok("order", "what-if", '{"order": "pay", "account": "vp", "amount": 40}', "--as", "red")
        assert ford.ok("status", "ford", "--json").json["accounts"] == {"vp": 2}
        assert ford.ok("verify", "what-if").out.startswith("VALID")

    def test_fork_inside_an_order_ends_before_it(self, ford: Terminal) -> None:
        before = ford.size()
        ford.give("red", "seal-choice", question="flank", choice="left")
        copied = ford.ok("fork", "ford", "--at", f"#{before + 1}", "--id", "what-if")
        assert re.findall(r"#\d+", copied.err) == [f"#{before + 1}", f"#{before}"]
        assert ford.size("what-if") == before + 1, "the copying itself is a record"
        said = ford.ok("scenario", "ford", "--at", str(before + 1), "-o", "x.toml")
        assert said.err == copied.err
        assert said.out.startswith("Wrote x.toml: ford ")
        assert said.out.endswith(f" #{before}.\n")

    def test_new_game_begins_from_a_position_of_another(self, ford: Terminal) -> None:
        at = ford.ok("status", "ford", "--json").json["position"]
        told = ford.ok("scenario", "ford", "--at", f"#{at}", "-o", "midway.toml").out
        assert told.startswith("Wrote midway.toml: ford ")
        assert told.endswith(f" #{at}.\n")
        assert ford.ok("scenario", "ford").out == (ford.folder / "midway.toml").read_text(encoding="utf-8")
        ford.ok("new", "freeform", "--id", "evening-2", "--scenario", "midway.toml")
        assert ford.ok("units", "evening-2").out == ford.ok("units", "ford").out
        assert ford.ok("scenario", "evening-2", "--json").json["scenario"] == ford.ok("scenario", "ford").out

    def test_fork_rolls_different_dice_than_the_game(self, terminal: Terminal) -> None:
        terminal.new("ford", "--dice", "ledger")
        terminal.ok("fork", "ford", "--id", "what-if")

        def pips(game_id: str) -> list[object]:
            terminal.ok("order", game_id, '{"order": "roll", "purpose": "all", "dice": "60d6"}', "--as", "red")
            return [line["dice"] for line in terminal.ok("audit", game_id, "--dice", "--json").json]

        assert pips("ford") != pips("what-if")

    def test_note_leaves_the_state_and_is_found(self, ford: Terminal) -> None:
        before = ford.ok("status", "ford", "--json").json
        ford.ok("note", "ford", "Blue offered a draw", "--about", "#2", "--as", "blue")
        after = ford.ok("status", "ford", "--json").json
        assert {**after, "position": 0, "since": [], "last": []} == {**before, "position": 0, "since": [], "last": []}
        assert "Blue offered a draw" in ford.ok("audit", "ford", "--text", "draw").out


class TestDiceOfTheLedger:
    @pytest.fixture
    def over(self, terminal: Terminal) -> Terminal:
        """Return a game with ledger dice and a rewind."""
        terminal.new("ford", "--dice", "ledger")
        for number in range(4):
            terminal.give("red", "roll", purpose=f"shot {number}", dice="3d6+1")
        terminal.ok("rewind", "ford", "--to", "5", "--why", "to try again")
        terminal.give("red", "roll", purpose="shot 9", dice="2d10")
        return terminal

    def test_seed_is_hidden_until_it_is_revealed(self, over: Terminal) -> None:
        seed = json.loads(
            sqlite3.connect(over.folder / "umpire.db")
            .execute("SELECT line FROM record WHERE position = 3")
            .fetchone()[0]
        )["event"]["seed"]
        for seat in ("referee", "red", "spectator"):
            assert seed not in over.ok("audit", "ford", "--all", "--as", seat, "--json").out
            over.ok("export", "ford", "-o", "seen.jsonl", "--as", seat)
            assert seed not in (over.folder / "seen.jsonl").read_text()
        assert over.ok("verify", "seen.jsonl").out.startswith("VALID WITH REDACTIONS")
        over.ok("order", "ford", '{"order": "open-dice"}')
        over.ok("export", "ford", "-o", "opened.jsonl", "--as", "red")
        assert seed in (over.folder / "opened.jsonl").read_text()
        again = over.give_json("referee", "open-dice")
        assert (again.code, again.error["rule"]) == (3, "dice")

    def test_rolls_are_recomputed_once_the_seed_is_revealed(self, over: Terminal) -> None:
        over.give("referee", "end", reason="it is late")
        assert over.give("referee", "open-dice").code == 0
        over.ok("export", "ford", "-o", "open.jsonl")
        verdict = over.ok("verify", "open.jsonl", "--json").json
        assert verdict["verdict"] == "VALID"
        assert verdict["dice_thrown_again"] == 5
        assert over.ok("verify", "ford", "--json").json["dice_thrown_again"] == 5

    def test_whole_export_can_be_played_in_another_ledger(self, over: Terminal) -> None:
        over.ok("export", "ford", "-o", "whole.jsonl", "--whole")
        over.ok("export", "ford", "-o", "seen.jsonl")
        over.ok("import", "whole.jsonl", "--ledger", "whole.db")
        over.ok("import", "seen.jsonl", "--ledger", "seen.db")
        roll = ("order", "ford", '{"order": "roll", "purpose": "on", "dice": "2d6"}', "--as", "red", "--ledger")
        assert over.type(*roll, "whole.db").code == 0
        assert over.type_json(*roll, "seen.db").error["refusal_code"] == "seed-not-here"


class TestSecrets:
    def test_output_for_another_seat_does_not_depend_on_a_secret(self, terminal: Terminal) -> None:
        said: list[list[str]] = []
        for choice in ("by-the-marsh", "over-the-hill"):
            ledger = f"{choice}.db"
            terminal.new("ford", "--ledger", ledger)
            order = json.dumps({"order": "seal-choice", "question": "flank", "choice": choice})
            terminal.ok("order", "ford", order, "--as", "red", "--ledger", ledger)
            words = (["status", "ford"], ["units", "ford"], ["undo-points", "ford"])
            said.append([terminal.ok(*w, "--as", "blue", "--ledger", ledger, "--json").out for w in words])
            trail = terminal.ok("audit", "ford", "--as", "blue", "--ledger", ledger, "--json").json
            said[-1] += [json.dumps({**line, "at": "", "order": ""}) for line in trail]
            assert choice not in "".join(said[-1])
            refusal = terminal.type(
                "order", "ford", '{"order": "reveal", "question": "flank"}', "--as", "blue", "--ledger", ledger
            )
            said[-1].append(refusal.err)
        assert said[0] == said[1]

    def test_seat_export_omits_secrets_and_verifies(self, ford: Terminal) -> None:
        ford.give("red", "seal-choice", question="flank", choice="through-the-marsh")
        ford.ok("export", "ford", "-o", "blue.jsonl", "--as", "blue")
        assert "through-the-marsh" not in (ford.folder / "blue.jsonl").read_text()
        assert ford.ok("verify", "blue.jsonl").out.startswith("VALID WITH REDACTIONS")
        ford.ok("import", "blue.jsonl", "--ledger", "blue.db")
        ford.ok("export", "ford", "-o", "again.jsonl", "--ledger", "blue.db")
        assert (ford.folder / "again.jsonl").read_bytes() == (ford.folder / "blue.jsonl").read_bytes()

    def test_secrets_can_be_closed_to_the_referee_too(self, terminal: Terminal) -> None:
        terminal.new("ford", "--option", "secrets_closed_to_referee=true")
        terminal.give("red", "seal-choice", question="flank", choice="through-the-marsh")
        for words in (("status", "ford"), ("audit", "ford"), ("audit", "ford", "--json")):
            assert "through-the-marsh" not in terminal.ok(*words).out
            assert "through-the-marsh" in terminal.ok(*words, "--as", "red").out
        terminal.give("red", "reveal", question="flank")
        assert "through-the-marsh" in terminal.ok("status", "ford").out


class TestDoctor:
    def test_doctor_reports_a_sound_ledger_and_old_software(self, harbour: Terminal) -> None:
        found = {one["check"]: one for one in harbour.ok("doctor", "--json").json}
        assert found["database"]["state"] == "ok"
        assert found["harbour"]["what"].startswith("VALID")
        assert found["war-galley"]["state"] == "ok"
        if sqlite3.sqlite_version_info < (3, 51, 3):
            assert found["sqlite"]["state"] == "warn"
            assert "one program at a time" in found["sqlite"]["remedy"]

    @pytest.mark.parametrize(("version", "state"), [((3, 51, 2), "warn"), ((3, 51, 3), "ok"), ((3, 52, 0), "ok")])
    def test_which_sqlite_has_the_known_defect(self, version: tuple[int, ...], state: str) -> None:
        assert look_at_sqlite(version).state == state

    def test_doctor_reports_a_missing_trigger_and_changed_record(self, ford: Terminal) -> None:
        for number in range(3):
            ford.give("red", "pay", account="vp", amount=number)
        connection = sqlite3.connect(ford.folder / "umpire.db")
        connection.execute("DROP TRIGGER record_stays")
        connection.commit()
        answer = ford.type("doctor", "--json")
        assert answer.code == 7
        assert any("record_stays" in one["what"] for one in answer.json)
        connection.execute("UPDATE record SET line = replace(line, '\"amount\":1', '\"amount\":9') WHERE position = 5")
        connection.commit()
        connection.close()
        assert ford.type("verify", "ford").code == 5

    def test_doctor_reports_a_missing_file(self, terminal: Terminal) -> None:
        answer = terminal.type("doctor")
        assert answer.code == 7
        assert "there is no file" in answer.out
