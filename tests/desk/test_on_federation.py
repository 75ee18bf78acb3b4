"""Points 1 to 4 and 8 on Federation & Empire: a dispute about the first battle of the border war, at 1105.

The game has three sides: each agreement of the Coalition and the Alliance also needs the Orion Pirates.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.desk.federation import FLAGSHIP, FORCES, border_war, position_of
from tests.desk.game import DeskGame
from tests.desk.referee.tables import Desk
from tests.face.desk import Recorded, preview
from tests.face.domain import (
    REFEREE,
    LineSealed,
    PlayRewound,
    RewindAnswered,
    RewindAsked,
    Stop,
)
from tests.face.projections import (
    EVERYBODY,
    Impact,
    differences,
    lines,
    refusals,
)
from tests.naming import Naming

FLAGSHIPS = "5-3D of 1105"
FLEET = ["K-D7C", "K-D6S", "K-D7A", "K-D6M", "K-D5-1", "K-JAG", "R-KE", "R-WE-1"]
WITHOUT_JAG = [ship for ship in FLEET if ship != "K-JAG"]
ROAD = ["1205", "1105"]


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fought")
    border_war(folder / "umpire.db").close()
    return folder


@pytest.fixture
def table(fought: Path, tmp_path: Path) -> Desk:
    """Return a terminal with round 1 played, up to the damage of the Alliance."""
    shutil.copytree(fought, tmp_path, dirs_exist_ok=True)
    return Desk(tmp_path)


@pytest.fixture
def battle(fought: Path, tmp_path: Path) -> Iterator[DeskGame]:
    """Yield the same game as plain functions."""
    shutil.copytree(fought, tmp_path, dirs_exist_ok=True)
    game = DeskGame(tmp_path / "umpire.db")
    yield game
    game.close()


@pytest.fixture
def sealed() -> Iterator[DeskGame]:
    """Both battle forces are sealed, and unknown to the other side."""
    game = border_war(":memory:", FORCES)
    yield game
    game.close()


def is_open(game: DeskGame) -> list[str]:
    return [one.step for one in game.game.cursor.open]


def returned(game: DeskGame) -> PlayRewound:
    """Return the last record, which must be a rewind."""
    event = game.events()[-1][1]
    assert isinstance(event, PlayRewound)
    return event


class TestConsent:
    def test_all_other_sides_agree_the_pirates_too(self, battle: DeskGame) -> None:
        battle.give("coalition", "ask-rewind", to=FLAGSHIPS, why="the wrong flagship")
        battle.give("alliance", "consent")
        assert isinstance(battle.events()[-1][1], RewindAnswered)
        assert is_open(battle) == ["5-4C4"], "the Orion Pirates have not answered yet"
        battle.give("orion", "consent")
        event = returned(battle)
        assert (event.why, sorted(event.consent)) == ("the wrong flagship", ["alliance", "coalition", "orion"])
        assert is_open(battle) == ["5-3D"]

    def test_flagship_can_be_changed_after_the_rewind(self, battle: DeskGame) -> None:
        battle.give("coalition", "ask-rewind", to=FLAGSHIPS, why="the wrong flagship")
        battle.give("alliance", "consent")
        battle.give("orion", "consent")
        battle.give("coalition", "seal-flagship", unit="K-D7A")
        assert "K-D7A" in str(battle.game.choices["flagship/coalition"].choice)
        assert battle.ledger.verify("g").verdict == "VALID"

    def test_rewind_label_means_its_position_at_the_request(self, battle: DeskGame) -> None:
        battle.give("coalition", "ask-rewind", to=FLAGSHIPS, why="the wrong flagship", dice="keep")
        asked = battle.events()[-1][1]
        assert isinstance(asked, RewindAsked)
        battle.give("orion", "consent")
        battle.give("alliance", "consent")
        assert (returned(battle).to, returned(battle).dice) == (asked.to, "keep")

    def test_pirates_alone_can_refuse_a_rewind(self, battle: DeskGame) -> None:
        before = battle.game
        battle.give("coalition", "ask-rewind", to=FLAGSHIPS, why="the wrong flagship")
        battle.give("alliance", "consent")
        battle.give("orion", "refuse", why="the forces are known now")
        assert (battle.game.asked, battle.game.where, battle.game.units) == (None, before.where, before.units)
        assert battle.refused("alliance", "consent").code == "no-rewind-asked-for"

    def test_damage_is_stated_and_the_question_is_void(self, battle: DeskGame) -> None:
        battle.give("coalition", "ask-rewind", to=FLAGSHIPS, why="the wrong flagship")
        battle.give("alliance", "consent")
        battle.give("alliance", "score", points=15, compot=47)
        refusal = battle.refused("orion", "consent")
        assert refusal.code == "play-has-continued"

    def test_sealed_orders_of_the_alliance_are_undone_with_consent(self, battle: DeskGame) -> None:
        battle.give("alliance", "seal")
        assert isinstance(battle.events()[-1][1], LineSealed)
        assert battle.refused("coalition", "undo").fields["stop"] == Naming("alliance")
        refusal = battle.refused("coalition", "rewind", to=FLAGSHIPS, why="a slip")
        assert "ask-rewind`" in refusal.remedy
        battle.give("coalition", "ask-rewind", to=FLAGSHIPS, why="a slip")
        battle.give("alliance", "consent")
        battle.give("orion", "consent")
        assert is_open(battle) == ["5-3D"]

    def test_consent_is_given_on_the_command_line(self, table: Desk) -> None:
        table.ok("ask-rewind", "g", "--to", FLAGSHIPS, "--why", "the wrong flagship", "--as", "coalition")
        status = table.ok("status", "g", "--as", "orion").out
        assert Naming("#677", "Coalition", "#530", "the wrong flagship") in status.splitlines()
        table.ok("consent", "g", "--as", "alliance")
        assert [one["step"] for one in table.ask("status")["steps"]] == ["5-4C4"]
        table.ok("consent", "g", "--as", "orion")
        assert [one["step"] for one in table.ask("status")["steps"]] == ["5-3D"]
        assert table.ask("referee")["acts"] == [], "the referee had no part in it"
        for seat in ("alliance", "coalition", "orion"):
            refusal = table.refused("redo", "g", "--as", seat)
            assert refusal["refusal_code"] == "all-sides-agreed", "even where another's consent was the last"
            assert refusal["fields"] == {"first": 679}


def asked(game: DeskGame, to: int | str, seat: str = REFEREE) -> Impact:
    """Run `umpire rewind --preview`, which may not record anything."""
    size = game.size
    found = preview(game.ledger, "g", {"as": seat, "order": "rewind", "to": to})
    assert game.size == size
    return found


def learnt_of(found: Impact, side: str, by: str) -> list[str]:
    """Return the questions for which a seat has learnt the choice of a side, in order."""
    return [one.what.rsplit(" for ", 1)[1] for one in found.learnt if one.of == side and by in one.by]


class TestPreview:
    def test_preview_of_a_round_lists_decisions_rolls_and_reveals(self, battle: DeskGame) -> None:
        found = asked(battle, "5-3C of 1105")
        assert found.seats == ("alliance", "coalition")
        assert [one.text.split(",")[0] for one in found.rolls][-2:] == ["damage of Coalition", "damage of Alliance"]
        assert len(found.reveals) == 12
        assert (found.seals, found.regains) == ((), 0)

    def test_which_secrets_everybody_has_learnt_since(self, battle: DeskGame) -> None:
        found = asked(battle, "5-3C of 1105")
        both = ["escorts", "flagship", "force", "assignments", "BIR", "EW"]
        assert learnt_of(found, "coalition", EVERYBODY) == both
        assert learnt_of(found, "alliance", EVERYBODY) == both
        assert learnt_of(found, "coalition", REFEREE) == [
            "escorts",
            "flagship",
            "force",
            "assignments",
            "decoy places",
            "BIR",
            "EW",
        ]

    def test_preview_of_a_shorter_rewind_lists_fewer_secrets(self, battle: DeskGame) -> None:
        found = asked(battle, "5-4A2 of 1105")
        assert learnt_of(found, "coalition", EVERYBODY) == learnt_of(found, "alliance", EVERYBODY) == ["EW"]
        assert "shift-ew shift 1" in " ".join(found.decided["alliance"])

    def test_preview_lists_the_decisions_of_each_side(self, battle: DeskGame) -> None:
        found = asked(battle, "5-3C of 1105")
        flagship = position_of(battle, "seal-flagship", **{"as": "alliance"}) - 1
        assert f"#{flagship} seal-flagship unit Z-CM-2" in found.decided["alliance"]
        assert found.decided["coalition"][-1].endswith("score points 21")
        assert "orion" not in found.decided

    def test_preview_before_the_reveal_hides_sealed_choices(self, sealed: DeskGame) -> None:
        for seat, own, hidden in (("alliance", "T-PC-3", "K-D6S"), ("coalition", "K-D6S", "T-PC-3")):
            found = asked(sealed, "5-3C of 1105", seat)
            assert own in repr(found)
            assert hidden not in repr(found)
            assert learnt_of(found, "coalition", EVERYBODY) == []
        spectator = repr(asked(sealed, "5-3C of 1105", "spectator"))
        assert "K-D6S" not in spectator
        assert "T-PC-3" not in spectator

    def test_preview_is_the_same_for_any_hidden_flagship(self) -> None:
        seen = []
        for unit in ("K-D7C", "K-D7A"):
            game = border_war(":memory:", FLAGSHIP)
            game.give("coalition", "seal-flagship", unit=unit)
            seen.append((asked(game, FLAGSHIPS, "alliance"), asked(game, FLAGSHIPS, "coalition")))
            game.close()
        assert seen[0][0] == seen[1][0]
        assert seen[0][1] != seen[1][1]

    def test_preview_command_records_nothing_and_lists_remedies(self, table: Desk) -> None:
        size = table.size("g")
        found = table.ok("rewind", "g", "--to", FLAGSHIPS, "--preview", "--json").json
        commands = [one["command"].split()[1] for one in found["remedies"]]
        assert commands == ["note", "rule", "amend", "rewind"]
        said = table.ok("rewind", "g", "--to", FLAGSHIPS, "--preview").out
        assert Naming("coalition", "K-D7C", 0, "flagship") in said.splitlines()
        assert "score points 21" in table.ok("undo", "g", "--preview", "--as", "coalition").out
        assert table.size("g") == size


def sent_without_jag(game: DeskGame) -> int:
    """Return to the movement as the referee, and send a smaller fleet; return the tip of the abandoned branch."""
    tip = game.size
    game.give(REFEREE, "rewind", to="3B2", why="K-JAG was out of supply")
    game.give("coalition", "move-units", units=WITHOUT_JAG, path=ROAD)
    return tip


class TestBranches:
    def test_abandoned_battle_is_a_branch(self, battle: DeskGame) -> None:
        tip = sent_without_jag(battle)
        with battle.views() as views:
            left, now = lines(battle.ledger, views.connection, "g", REFEREE)
        assert (left.tip, left.counts, left.kind, left.why) == (tip, False, "rewind", "K-JAG was out of supply")
        assert left.rolls == 24
        assert (now.tip, now.counts, now.orders, now.rolls) == (battle.size, True, 1, 0)
        assert battle.counting()[-1] == battle.size

    def test_abandoned_and_current_branch_are_compared(self, battle: DeskGame) -> None:
        tip = sent_without_jag(battle)
        found = {(one.id, one.what): (one.before, one.after) for one in differences(state(battle, tip), battle.game)}
        assert found["K-JAG", "at"] == ("1105", "1206")
        assert found["Z-FF-2", "crippled"] == (True, None)
        assert found["coalition/damage", ""] == (21, None)
        assert not any(one == "K-D7C" and what == "at" for one, what in found), "it is at 1105 on both"

    def test_abandoned_branch_can_be_shown_and_restored(self, battle: DeskGame) -> None:
        before = battle.game
        tip = sent_without_jag(battle)
        assert state(battle, tip) == before
        battle.give(REFEREE, "rewind", to=tip, why="it was in supply after all")
        assert (battle.game.units, battle.game.accounts, battle.game.where) == (
            before.units,
            before.accounts,
            before.where,
        )
        battle.give("alliance", "score", points=15, compot=47)

    def test_third_fleet_is_a_third_branch(self, battle: DeskGame) -> None:
        first = sent_without_jag(battle)
        second = sent_without_jag(battle)
        with battle.views() as views:
            found = lines(battle.ledger, views.connection, "g", REFEREE)
        assert [(one.tip, one.counts) for one in found] == [(first, False), (second, False), (battle.size, True)]
        assert found[1].parts == found[2].parts, "both part from the first where the movement begins"
        assert {one.id for one in differences(state(battle, second), battle.game)} <= {"rolls"}

    def test_seat_compares_branches_without_sealed_choices(self, tmp_path: Path) -> None:
        game = border_war(tmp_path / "umpire.db", FORCES)
        tip = game.size
        game.give(REFEREE, "rewind", to=FLAGSHIPS, why="a slip")
        game.give("coalition", "seal-flagship", unit="K-D7A")
        now = game.size
        game.close()
        desk = Desk(tmp_path)
        for seat, sees in (("coalition", True), ("alliance", False)):
            said = [one for one in desk.ask("diff", str(tip), str(now), "--as", seat) if one["kind"] == "choice"]
            assert ("flagship/coalition" in [one["id"] for one in said]) is sees
            assert ("K-D7A" in json.dumps(said)) is sees
            assert "K-D7A" not in json.dumps(desk.ask("lines", "--as", seat))

    def test_branches_are_listed_on_the_command_line(self, table: Desk) -> None:
        tip = table.size("g")
        table.ok("rewind", "g", "--to", "3B2", "--why", "K-JAG was out of supply")
        table.order("coalition", "move-units", units=WITHOUT_JAG, path=ROAD)
        left, now = table.ask("lines")
        assert (left["tip"], left["counts"], now["counts"]) == (tip, False, True)
        assert table.ask("status", "--at", str(tip))["open"] == ["5-4C4"]
        changed = {one["id"] for one in table.ask("diff", str(tip), str(now["tip"]))}
        assert {"K-JAG", "Z-FF-2", "coalition/damage"} <= changed
        assert f"#{tip}" in table.ok("lines", "g").out

    def test_rewind_of_the_referee_is_redone_by_the_referee_only(self, battle: DeskGame) -> None:
        battle.give(REFEREE, "rewind", to=FLAGSHIPS, why="a slip")
        refusal = battle.refused("coalition", "redo")
        assert refusal.code == "undone-by-the-referee"


def state(game: DeskGame, at: int) -> Any:
    return game.ledger.state("g", at)


def amend(game: DeskGame, at: int, given: dict[str, Any] | None = None, **more: Any) -> Recorded:
    return game.give(REFEREE, "amend", at=at, given=given or {}, why="a slip", **more)


def stopped(outcome: Recorded) -> Stop:
    """Return the first order that no longer applies."""
    assert outcome.amended is not None
    assert outcome.amended.stop is not None
    return outcome.amended.stop


def without_jag() -> dict[str, Any]:
    return {"order": "move-units", "units": WITHOUT_JAG, "path": ROAD}


class TestAmend:
    def test_amendment_stops_at_force_with_the_absent_ship(self, battle: DeskGame) -> None:
        """K-JAG never went to 1105, so it cannot be in the battle force that was sealed a hundred records later."""
        at = position_of(battle, "move-units", units=FLEET)
        force = position_of(battle, "seal-force", units=sorted(FLEET))
        outcome = amend(battle, at, without_jag())
        stop = stopped(outcome)
        assert (stop.seat, stop.raw["order"], stop.raw["units"]) == ("coalition", "seal-force", sorted(FLEET))
        assert stop.position in (force - 1, force)
        assert stop.refusal.code == "unit-not-there"
        assert stop.refusal.what == Naming("K-JAG", "1105")
        assert stop.refusal.rule.startswith("Federation & Empire 5-3E")
        assert stop.refusal.remedy.endswith(": " + ", ".join(sorted(WITHOUT_JAG)))
        assert outcome.amended is not None
        assert len(outcome.amended.rest) == 45

    def test_play_continues_after_the_stop_as_the_remedy_says(self, battle: DeskGame) -> None:
        amend(battle, position_of(battle, "move-units", units=FLEET), without_jag())
        assert battle.game.units["K-JAG"].at == "1206"
        battle.give("coalition", "seal-force", units=WITHOUT_JAG)
        battle.give("coalition", "done", step="5-3E")
        assert is_open(battle) == ["5-3F1"]
        assert battle.counting()[-1] == battle.size

    def test_amendment_leaves_the_old_branch_unchanged(self, battle: DeskGame) -> None:
        tip, before, written = battle.size, battle.game, list(battle.ledger.lines("g"))
        amend(battle, position_of(battle, "move-units", units=FLEET), without_jag())
        assert list(battle.ledger.lines("g", 1, tip)) == written
        assert state(battle, tip) == before
        assert battle.ledger.verify("g").verdict == "VALID"

    def test_dropped_raid_stops_at_the_answer_of_the_other_side(self, battle: DeskGame) -> None:
        stop = stopped(amend(battle, position_of(battle, "raid", unit="K-F5-1"), how="drop"))
        assert (stop.seat, stop.raw["order"], stop.raw["at"]) == ("alliance", "answer-raid", "0902")
        assert (stop.refusal.code, stop.refusal.what) == ("hex-not-raided", Naming("0902"))
        assert is_open(battle) == ["3A-2C"]

    def test_dropped_loan_stops_no_later_order(self, battle: DeskGame) -> None:
        before, rolls = battle.game, [roll.pips for roll in battle.rolls()]
        outcome = amend(battle, position_of(battle, "borrow"), how="drop")
        assert outcome.amended is not None
        assert (outcome.amended.stop, outcome.amended.rest) == (None, ())
        assert [roll.pips for roll in battle.rolls()] == rolls
        assert battle.game.where == before.where
        assert battle.game.accounts["klingon/EP"] == before.accounts["klingon/EP"] - 8
        changed = {one.id for one in differences(before, battle.game)}
        assert changed <= {"klingon/EP", "klingon/debt", "borrowed klingon", "rolls"}

    def test_forgotten_base_is_inserted_at_its_place(self, battle: DeskGame) -> None:
        paid = battle.game.accounts["klingon/EP"]
        base = {"as": "coalition", "order": "deploy", "unit": "K-MB-2", "kind": "MB", "at": "1306", "ep": 5}
        given = {**base, "defense": 6, "empire": "klingon"}
        outcome = amend(battle, position_of(battle, "deploy", unit="K-MB-1"), given, how="before")
        assert outcome.amended is not None
        assert outcome.amended.stop is None
        assert battle.game.units["K-MB-2"].at == "1306"
        assert battle.game.accounts["klingon/EP"] == paid - 5
        assert is_open(battle) == ["5-4C4"]

    def test_wrong_die_of_the_stasis_field_is_amended(self, battle: DeskGame) -> None:
        # A 6 breaks the generator: no ship is frozen, and all later orders still apply.
        at = position_of(battle, "roll-stasis")
        outcome = amend(battle, at, {"pips": [6]}, how="reroll")
        assert outcome.amended is not None
        assert outcome.amended.stop is None
        assert battle.game.units["Z-FF-1"].get("frozen") is None
        assert all(roll.kept for roll in battle.rolls(at)[1:])

    def test_sealed_flagship_is_amended_in_secret(self, sealed: DeskGame) -> None:
        at = position_of(sealed, "seal-flagship", unit="K-D7C")
        outcome = amend(sealed, at, {"order": "seal-flagship", "unit": "K-D7A"})
        assert outcome.amended is not None
        assert outcome.amended.stop is None
        shown = [record for record in outcome.records if record.visible_to is None]
        shown += [record for record in outcome.records if record.visible_to and "alliance" in record.visible_to]
        assert len(shown) > 3
        assert all(b"K-D7A" not in record.encode() for record in shown)
        sealed.give("alliance", "declare-pinwheels", number=0)
        sealed.give("alliance", "done", step="5-3F1")
        flagship = sealed.game.choices["flagship/coalition"]
        assert "K-D7A" in str(flagship.choice)

    def test_check_says_it_and_records_nothing(self, table: Desk) -> None:
        size, at = table.size("g"), str(first_move(table))
        words = ("amend", "g", f"#{at}", json.dumps(without_jag()), "--why", "out of supply")
        stops = table.type(*words, "--check", "--json")
        found = stops.json
        assert (stops.code, found["recorded"], len(found["again"]), found["left"]) == (3, False, 43, 44)
        assert len(found["rest"]) == 45, "the one that stopped, and what is left behind it"
        assert found["stopped"]["refusal_code"] == "unit-not-there"
        assert found["stopped"]["fields"].items() >= {"unit": "K-JAG", "place": "1105"}.items()
        said = table.type(*words, "--check").out
        assert Naming(f"#{found['stopped']['position']}", "coalition", "seal-force") in said.splitlines()
        assert "entered_by" not in said
        assert table.size("g") == size
        done = table.type(*words, "--json").json
        assert done == {**found, "recorded": True, "position": table.size("g")}
        assert table.ask("status")["open"] == ["5-3E"]


def first_move(table: Desk) -> int:
    """Return the position at which the fleet moves to 1105."""
    moves = table.ask("audit", "--event", "unit.moved", "--text", "K-D7C")
    return int(moves[0]["position"])


class TestRefusals:
    def test_refusal_has_order_reason_and_allowed_orders(self, battle: DeskGame) -> None:
        battle.refused("alliance", "score", points=99, compot=47)
        (kept,) = refusals(battle.ledger, "g", REFEREE)
        assert (kept.after, kept.seat, kept.order) == (battle.size, "alliance", "score")
        assert json.loads(kept.text) == {"as": "alliance", "order": "score", "points": 99, "compot": 47}
        assert kept.what == Naming(99, "COMPOT", 47)
        assert kept.rule == "Federation & Empire 5-4C4 (302.42)"
        assert set(kept.allowed) == {"score", "roll", "mark"}, "it may not be done before the damage is stated"

    def test_refusal_out_of_step_names_the_right_step(self, battle: DeskGame) -> None:
        battle.refused("coalition", "allot", unit="K-D5-1", result="crippled")
        (kept,) = refusals(battle.ledger, "g", "coalition")
        assert kept.what == Naming("allot", "5-6A", "5-6B")
        assert "done" in kept.allowed

    def test_refusal_of_a_side_outside_the_battle_allows_no_order(self, battle: DeskGame) -> None:
        battle.refused("orion", "score", points=1, compot=1)
        (kept,) = refusals(battle.ledger, "g", "orion")
        assert kept.allowed == ()

    def test_refusal_is_read_by_the_referee_and_its_seat(self, battle: DeskGame) -> None:
        battle.refused("alliance", "score", points=99, compot=47)
        battle.refused("coalition", "score", points=5, compot=58)
        assert [one.seat for one in refusals(battle.ledger, "g", REFEREE)] == ["alliance", "coalition"]
        assert [one.seat for one in refusals(battle.ledger, "g", "alliance")] == ["alliance"]
        assert [one.seat for one in refusals(battle.ledger, "g", "coalition")] == ["coalition"]
        assert refusals(battle.ledger, "g", "orion") == refusals(battle.ledger, "g", "spectator") == []

    def test_refused_secret_force_is_hidden_from_others(self, sealed: DeskGame) -> None:
        sealed.give(REFEREE, "rewind", to="5-3E of 1105", why="once more")
        sealed.refused("coalition", "seal-force", units=["K-D6S", "K-OLD"])
        assert "K-D6S" in refusals(sealed.ledger, "g", "coalition")[0].text
        assert refusals(sealed.ledger, "g", "alliance") == []

    def test_refusals_survive_a_rewind_and_are_not_in_the_log(self, battle: DeskGame) -> None:
        root = battle.ledger.checkpoint("g")
        battle.refused("alliance", "score", points=99, compot=47)
        assert battle.ledger.verify("g", root).verdict == "VALID"
        battle.give(REFEREE, "rewind", to=FLAGSHIPS, why="a slip")
        assert [one.order for one in refusals(battle.ledger, "g", "alliance")] == ["score"]

    def test_refusals_are_listed_on_the_command_line(self, table: Desk) -> None:
        order = json.dumps({"order": "score", "points": 99, "compot": 47})
        assert table.type("order", "g", order, "--as", "alliance").code == 3
        (kept,) = table.ask("refusals", "--as", "alliance")
        assert kept["what"] == Naming(99, "COMPOT", 47)
        assert "score" in kept["allowed"]
        assert kept["what"] in table.ok("refusals", "g").out
        assert table.ask("refusals", "--as", "coalition") == table.ask("refusals", "--as", "orion") == []
