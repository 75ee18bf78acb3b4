"""Check sentences of Pacific War: orders in the audit trail, refusals, and skipped steps."""

from collections.abc import Callable

import msgspec
import pytest

from tests.face.domain import REFEREE, SPECTATOR, ChoiceMade, RestrictedEvent, Side, pacific_war_TITLE as TITLE
from tests.face.projections import TurnView, sentence, turn_view
from tests.face.testing import Story
from tests.titles.pacific_war_table import (
    ALLIES,
    JAPAN,
    Line,
    campaign,
    change,
    cycle,
    flies,
    literal,
    operation,
    says,
    scenario,
    until,
    until_gone,
)
from tests.titles.test_pacific_war_who_is_asked import MARINES, passed

EVERY_SEAT = (JAPAN, ALLIES, REFEREE, SPECTATOR)
NEXT_CYCLE = "; then day 26 → 28; lighting, advantage removed; cycle 1 → 2"
OVER = (
    "; then day 26 → 28; condition, cycle, lighting, operation player, reaction player, advantage, bid removed; "
    "ruling: Units and detected Task Forces stay as the operation left them"
)


def told(table: Story, seat: str = REFEREE) -> str:
    """Return the sentence of the last order, as a seat reads it."""
    order = table.taken[-1]
    seen = [one for one in table.told if not isinstance(one, RestrictedEvent) or seat in one.visible_to]
    cause = msgspec.json.decode(order.cause) if len(seen) == len(table.told) else {}
    events = [one.event if isinstance(one, RestrictedEvent) else one for one in seen]
    return sentence(TITLE, table.game, order.seat, cause, events)


def forms(force: str, *ships: str) -> Line:
    return says(JAPAN, "form-task-force", task_force=force, ships=list(ships))


def at_truk() -> Story:
    return operation(campaign(), "shokaku", "hiei", "chokai", "tokyo-express")


def joined(*, force_detected: bool = False) -> Story:
    """Let a detected ship join a Task Force."""
    table = change(at_truk().play(forms("mikawa", "tokyo-express")), "chokai", "detected", True)
    return change(table, "mikawa", "detected", force_detected).play(forms("mikawa", "chokai"))


def formed(*, detected: bool) -> Story:
    """Form a Task Force of two ships, of which one may be detected."""
    return change(at_truk(), "chokai", "detected", detected).play(forms("mikawa", "chokai", "tokyo-express"))


def left() -> Story:
    """Let a crippled ship leave a detected Task Force: 5.1.I [13.0]."""
    table = change(until(campaign(), "5.1.I"), "kido-butai", "detected", True)
    return change(table, "hiei", "crippled", True).play(says(JAPAN, "move", unit="hiei", path=["kure"]))


def turned_over() -> Story:
    """Turn a Task Force undetected: 5.2.N [32.2]."""
    table = change(cycle(campaign(), "hiei"), "kido-butai", "detected", True)
    return until(table, "5.2.N").play(says(JAPAN, "undetect", task_forces=["kido-butai"]))


def over(*more: Line) -> Story:
    """End the operation, so that its damage must be counted."""
    table = until(cycle(campaign(), "chokai"), "5.2.M").play(*more)
    for unit in (one.id for one in table.game.in_play() if one.get("activated")):
        table.play(says(table.game.units[unit].side, "deactivate", units=[unit]))
    return until_gone(table, "5.2.M").then_open("5.3/damage")


def counted(*more: Line) -> Story:
    """Let Japan count 5 points of damage, and give more orders."""
    return over().play(says(JAPAN, "count-damage", inflicted=5, source="19.3: Portland"), *more)


def counted_by_the_book() -> Story:
    read = {"outcome": {"points": 2}, "source": "the chart on p. 9"}
    return over().play(says(ALLIES, "count-damage"), says(JAPAN, "count-damage", by_the_book=read))


def counted_again() -> Story:
    """Count the same damage in two operations; a marker of the same value would not be recorded a second time."""
    table = over().play(says(JAPAN, "count-damage"), says(ALLIES, "count-damage"))
    until(table, "5.1.P/activate", plan={"5.1.O/bid": [says(JAPAN, "bid", points=9), says(ALLIES, "bid", points=0)]})
    table.play(says(JAPAN, "activate", units=["chokai"], headquarters="combined-fleet"))
    until(table, "5.2.M").play(says(JAPAN, "deactivate", units=["chokai"]))
    return until(table, "5.3/damage").play(says(JAPAN, "count-damage"))


def moves(table: Story, seat: str, unit: str, *path: str) -> Story:
    return table.when(says(seat, "move", unit=unit, path=list(path)))


def flown() -> Story:
    """Let an air unit move that has flown."""
    table = flies(until(cycle(campaign(), "rabaul-air"), "5.2.D"), JAPAN, "rabaul-air", "henderson-field", 1)
    return moves(table, JAPAN, "rabaul-air", "truk")


def transported_twice() -> Story:
    table = until(campaign(), "5.1.I").play(says(JAPAN, "move", unit="ichiki", path=["buin"]))
    return moves(table, JAPAN, "ichiki", "rabaul")


def at_sea() -> Story:
    return until(operation(campaign(), "chokai", "shokaku", "hiei", "shokaku-air", "rabaul-air", bid=20), "5.2.C/move")


def reasons() -> str:
    """Return why the steps of a quiet battle cycle are passed."""
    table = change(until(operation(campaign(), "chokai", bid=2), "5.1.T/search"), MARINES, "activated", False)
    since = table.tip
    why = passed(until(table, "5.2.M"), since)
    return "; ".join(why[step] for step in ("5.2.C/submarines", "5.2.D", "5.2.F", "5.2.H", "5.2.H/retreat"))


def heard(found: Story | str) -> str:
    """Return a text, or the words of the last refusal, or the sentence of the last order."""
    if isinstance(found, str):
        return found
    return found.refusal.what if found.refusal else told(found)


@pytest.mark.parametrize(
    ("find", "said"),
    [
        pytest.param(
            lambda: formed(detected=True),
            "Japan forms mikawa from chokai, tokyo-express: mikawa (task-force) placed at rabaul, detected",
            id="of-a-detected-ship",
        ),
        pytest.param(
            lambda: formed(detected=False),
            "Japan forms mikawa from chokai, tokyo-express: mikawa (task-force) placed at rabaul",
            id="of-unseen-ships",
        ),
        pytest.param(joined, "Japan forms mikawa from chokai: mikawa detected", id="joined-by-a-detected-ship"),
        pytest.param(lambda: joined(force_detected=True), "Japan forms mikawa from chokai", id="detected-before"),
        pytest.param(left, "Japan moves hiei: truk → kure, no longer task force kido-butai, detected", id="left-alone"),
        pytest.param(turned_over, f"Japan makes kido-butai undetected{NEXT_CYCLE}", id="turned-over-is-said-once"),
        pytest.param(
            lambda: over().play(says(JAPAN, "count-damage")),
            "Japan counts the damage inflicted: 0 from the attacks",
            id="recorded-damage",
        ),
        pytest.param(
            counted,
            "Japan counts the damage inflicted: damage/japan 0 → 5; 5 by 19.3: Portland",
            id="other-damage-with-its-source",
        ),
        pytest.param(
            lambda: counted(says(ALLIES, "count-damage", inflicted=1, source="19.3")),
            "Allies count the damage inflicted: damage/allies 0 → 1; 1 by 19.3; "
            f"difference +4 for Japan, Strategic Initiative +2 (strategic-initiative); initiative/japan 0 → 2{OVER}",
            id="last-count-with-difference-and-table",
        ),
        pytest.param(
            counted_by_the_book,
            "Japan counts the damage inflicted: 0 from the attacks; "
            f"difference +0 for Japan, Strategic Initiative +2 (the chart on p. 9); initiative/japan 0 → 2{OVER}",
            id="last-count-by-the-book",
        ),
        pytest.param(
            counted_again, "Japan counts the damage inflicted: 0 from the attacks", id="next-operation-is-told-again"
        ),
        pytest.param(
            lambda: until(campaign(), "5.1.P/activate", plan={"5.1.O/bid": [says(JAPAN, "bid", points=1)]}).when(
                says(JAPAN, "activate", units=["hiei"], headquarters="combined-fleet")
            ),
            "activating 1 unit costs 3; with the 0 already spent, that exceeds the bid of 1",
            id="one-unit",
        ),
        pytest.param(
            lambda: moves(at_sea(), JAPAN, "rabaul-air", "buin"),
            "rabaul-air cannot move: air units fly only in the air mission phase",
            id="air-unit-at-sea",
        ),
        pytest.param(
            lambda: moves(at_sea(), JAPAN, "shokaku-air", "buin"),
            "shokaku-air cannot move: it is aboard shokaku and goes with it",
            id="air-unit-aboard",
        ),
        pytest.param(
            lambda: moves(until(at_sea(), "5.2.D"), JAPAN, "chokai", "rabaul"),
            "chokai cannot move: only air units fly",
            id="ship-in-the-air",
        ),
        pytest.param(
            lambda: moves(until(at_sea(), "5.2.D"), ALLIES, "cactus-air", "noumea"),
            "cactus-air cannot move: its owner only interferes with missions in this phase",
            id="side-that-interferes",
        ),
        pytest.param(flown, "rabaul-air cannot move: it has already flown in this battle cycle", id="flown"),
        pytest.param(
            lambda: moves(operation(campaign(), "shokaku"), JAPAN, "chokai", "buin"),
            "chokai cannot move: it is not activated",
            id="not-activated",
        ),
        pytest.param(
            lambda: moves(at_truk(), JAPAN, "hiei", "rabaul"),
            "hiei cannot move: it sails with kido-butai, which moves as a whole",
            id="ship-of-a-task-force",
        ),
        pytest.param(
            lambda: moves(until(campaign(), "5.1.I"), JAPAN, "chokai", "truk"),
            "chokai cannot move: only ground units, air units and crippled ships move by Strategic Transport",
            id="sound-ship",
        ),
        pytest.param(transported_twice, "ichiki cannot move: it has already moved this month", id="transported-twice"),
        pytest.param(
            reasons,
            "no patrol has an enemy to attack; the Advantage player has no activated air unit to fly with; "
            "no ship is off an enemy shore; no activated ground unit meets an enemy; "
            "no ground unit that fought meets an enemy",
            id="reasons-of-a-quiet-cycle",
        ),
    ],
)
def test_sentence_is_said(find: Callable[[], Story | str], said: str) -> None:
    """Check 5.1.R [24.0], 5.2.N [32.2], 5.3 [19.3], and why a unit cannot move and a step is passed."""
    assert heard(find()) == said


@pytest.mark.parametrize("seat", EVERY_SEAT)
def test_every_seat_reads_the_same(seat: str) -> None:
    """Check 5.1.R [24.0], 5.3 [19.3]: a Task Force that is seen, and the count of damage, are no secrets."""
    for table in (formed(detected=True), over().play(says(JAPAN, "count-damage"))):
        assert told(table, seat) == told(table, REFEREE)


class TestPluralSide:
    """Allies is printed as a plural, though no scenario says so."""

    def test_refusal_agrees_with_the_allies(self) -> None:
        table = until(campaign(), "5.1.M").when(says(ALLIES, "pay", account="points/allies", amount=1, cause="x"))
        table.then_refused("not-yours-to-pay", rule="5.1.M", side_pays="Allies pay")
        table.when(says(JAPAN, "pay", account="points/japan", amount=1, cause="x"))
        table.then_refused("not-yours-to-pay", rule="5.1.M", side_pays="Japan pays")

    def test_game_knows_its_plural_side(self) -> None:
        assert {side.id: side.plural for side in campaign().game.sides} == {"japan": False, "allies": True}

    def test_plural_of_a_scenario_stays(self) -> None:
        sides = (Side(id="japan", name="Imperial Forces", plural=True), Side(id="allies", name="Allies"))
        game = Story(TITLE, msgspec.structs.replace(scenario("solomons"), sides=sides)).game
        assert all(side.plural for side in game.sides)
        assert game.side_does("japan", "has sealed its bid") == "Imperial Forces have sealed their bid"


class TestAnswersOfAnOperation:
    """5.1.O, 5.1.Q: bids and the Condition are listed as long as they count, whoever looks."""

    @pytest.mark.parametrize("seat", EVERY_SEAT)
    def test_condition_and_bids_are_gone_with_the_operation(self, seat: str) -> None:
        table = over()
        assert listed(table, seat) == {"strategic intelligence"}
        assert {"bid/japan", "bid/allies", "operational intelligence/allies"} <= set(view(table, seat).kept)

    @pytest.mark.parametrize("seat", EVERY_SEAT)
    def test_they_are_listed_up_to_its_end(self, seat: str) -> None:
        table = until(cycle(campaign(), "chokai"), "5.2.M")
        assert listed(table, seat) == {"strategic intelligence", "bid", "operational intelligence"}

    def test_condition_never_revealed_is_withdrawn_unread(self) -> None:
        """5.1.R: the operation ends in its contact phase; the other side never learns the Condition."""
        table = until(campaign(), "5.1.P/activate", plan={"5.1.O/bid": bid(9)})
        table.play(says(JAPAN, "activate", units=["chokai"], headquarters="combined-fleet"))
        until(table, "5.1.R/move")
        for unit in [one.id for one in table.game.in_play(ALLIES) if one.get("activated")]:
            change(table, unit, "activated", False)
        table.play(says(JAPAN, "remove", unit="chokai", fate="sunk"))
        assert table.game.cursor.open[0].step == "5.3/damage"
        withdrawn = table.then(ChoiceMade, question="operational intelligence", side=ALLIES)
        assert (withdrawn.choice, withdrawn.sealed) == (None, False)
        assert "operational intelligence" not in listed(table, JAPAN)

    def test_month_without_bids_lists_none(self) -> None:
        """5.4: both bid nothing; when the bids come again, the old ones are gone."""
        table = until(campaign(), "5.1.O/bid", plan={"5.1.O/bid": bid(0)})
        table.play(*bid(0))
        assert "bid" not in listed(until(table, "5.1.O/bid"), JAPAN)

    def test_claimed_operation_has_no_condition_of_the_former_one(self) -> None:
        """5.4/resume/b."""
        table = operation(literal(), "aoba", bid=4, headquarters="fourth-fleet")
        table.play(says(JAPAN, "remove", unit="aoba", fate="sunk"), says(JAPAN, "advance-day", days=4))
        until(table, "5.1.O/claim").play(says(ALLIES, "claim-operation"))
        assert "operational intelligence" not in listed(table, ALLIES)
        assert "bid" not in listed(table, ALLIES)

    def test_suspended_operation_keeps_them(self) -> None:
        """5.4/resume/a: the same operation goes on in the next month, with its bid and its Condition."""
        table = operation(campaign(), "chokai")
        table.play(says(ALLIES, "reveal-condition"), says(JAPAN, "advance-day", days=32 - 1 - table.game.number("day")))
        assert table.game.markers["operation_state"] == "suspended"
        assert {"bid", "operational intelligence"} <= listed(until(table, "5.1.M"), JAPAN)


def bid(points: int) -> list[Line]:
    return [says(JAPAN, "bid", points=points), says(ALLIES, "bid", points=0)]


def view(table: Story, seat: str) -> TurnView:
    return turn_view(TITLE, table.game, seat, table.tip)


def listed(table: Story, seat: str) -> set[str]:
    """Return the questions for which a view shows answers."""
    seen = view(table, seat)
    return {one.question for one in seen.choices if f"{one.question}/{one.side}" not in seen.kept}
