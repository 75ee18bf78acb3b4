"""`umpire scenario`: a position as a scenario, and a game that continues from it like the original."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.desk.game import coded
from tests.face.desk import (
    LedgerHistory,
    from_state,
    open_ledger,
    scenario_at,
)
from tests.face.domain import (
    REFEREE,
    TALK,
    Decision,
    DiceRolled,
    Game,
    MidgameSetup,
    PlayedOrder,
    RuleViolation,
    Title,
    decide,
    events_of,
    open_game,
    position_of,
    read_order,
    replace,
    scenario_for,
)
from tests.face.ledger import Ledger
from tests.face.testing import (
    NO_HISTORY,
    GameInLedger,
    empty_ledger,
    folder_of,
    opened,
    play,
    scenarios,
    titles,
)
from tests.taken_over import bare, standing, untold_in
from umpire_ledger.ledger import replay_log

EVERY, STRETCH = 14, 18
"""A scenario is written after each multiple of this number of orders, and played for as many: the ranges overlap."""
PAST = ("undo", "redo", "rewind", "amend", "open-dice")
"""Orders that refer to a log which the new game does not have; the next range begins after them."""

REPLAYS = [
    pytest.param(title, file, id=f"{title.id}/{file.stem}")
    for title in titles()
    for file in sorted((folder_of(title.id) / "replays").glob("*.jsonl"))
]


class Line(NamedTuple):
    """The current orders of a game, the oldest first."""

    ledger: Ledger[Game]
    title: Title
    game: str
    orders: list[PlayedOrder]


def line_of(ledger: Ledger[Game], title: Title, game_id: str) -> Line:
    return Line(ledger, title, game_id, list(LedgerHistory(ledger, game_id).newest_first())[::-1])


def begin(title: Title, text: str) -> Decision:
    """Open a game from a scenario, with table dice so that the same results can be given."""
    return open_game(title, scenario_for(title, text), game_id="other", dice="table", seed="", options={})


def play_on(line: Line, game: Game, orders: list[PlayedOrder], untold: set[str]) -> Game:
    """Give recorded orders to a game, with the recorded results; each must lead to the recorded events."""
    for taken in orders:
        events = tuple(event for event in taken.events if not isinstance(event, TALK))
        raw: dict[str, Any] = msgspec.json.decode(taken.cause) if taken.cause else {}
        if raw.get("order") in PAST or not events:
            return game
        pips = tuple(pip for event in events if isinstance(event, DiceRolled) for pip in event.pips)
        sent = read_order(line.title, {key: value for key, value in raw.items() if key != "pips"})
        decision = decide(line.title, game, replace(sent, pips=pips), NO_HISTORY)
        told = tuple(event for event in events_of(decision.told) if not isinstance(event, TALK))
        assert list(bare(told)) == list(bare(events)), raw
        game = decision.game
        assert standing(game, untold) == standing(line.ledger.state(line.game, taken.last), untold)
    return game


def is_over(line: Line, taken: PlayedOrder) -> bool:
    return bool(line.ledger.state(line.game, taken.last).ended)


def taken_over(line: Line, at: int) -> None:
    """Write the scenario after an order, open it, write it again, and play on."""
    taken = line.orders[at]
    if is_over(line, taken):
        return
    if line.ledger.state(line.game, taken.last).sightings:
        with pytest.raises(RuleViolation, check=coded("units-out-of-sight")):
            scenario_at(line.ledger, line.title, line.game, taken.last, REFEREE)
        return
    text = scenario_at(line.ledger, line.title, line.game, taken.last, REFEREE)
    untold = untold_in(scenario_for(line.title, text))
    opening = begin(line.title, text)
    assert standing(opening.game, untold) == standing(line.ledger.state(line.game, taken.last), untold)
    play_on(line, opening.game, line.orders[at + 1 : at + 1 + STRETCH], untold)


class TestEveryTitle:
    @pytest.mark.parametrize(("title", "file"), REPLAYS)
    def test_recorded_game_continues_from_each_of_its_scenarios(self, title: Title, file: Path) -> None:
        with open_ledger(":memory:", create=True) as ledger, file.open("rb") as stream:
            line = line_of(ledger, title, replay_log.read_into(ledger, stream))
            for at in range(0, len(line.orders), EVERY):
                taken_over(line, at)

    @pytest.mark.parametrize("title", titles(), ids=lambda title: title.id)
    def test_random_game_continues_from_each_of_its_scenarios(self, title: Title) -> None:
        for seed, scenario in at_least_one(enumerate(scenarios(title), 11)):
            with empty_ledger() as ledger:
                table = GameInLedger(ledger, title, opened(title, scenario, seed, "g"))
                play(table, seed, 100)
                line = line_of(ledger, title, "g")
                for at in at_least_one(range(0, len(line.orders), EVERY)):
                    taken_over(line, at)


# --- files and seats --------------------------------------------------------------------------------------------------

HARBOUR = folder_of("war-galley") / "replays" / "great-harbour.jsonl"
JORD = folder_of("twilight-imperium-3") / "replays" / "siege-of-jord.jsonl"
FORD = """
title = "freeform"
name = "Skirmish at the ford"
sides = [{ id = "red", name = "Red" }, { id = "blue", name = "Blue" }]
units = [{ id = "r1", side = "red", kind = "foot", at = "0101" }]
"""


@pytest.fixture
def desk() -> Iterator[umpire.Desk]:
    with umpire.open(":memory:") as desk:
        yield desk


@pytest.fixture
def ford(desk: umpire.Desk) -> umpire.PlayedGame:
    return desk.new_from_text("freeform", FORD, id="ford")


class TestFile:
    @pytest.mark.parametrize(("file", "at"), [(HARBOUR, 302), (JORD, 500)])
    def test_written_again_from_the_new_game_it_is_the_same(self, desk: umpire.Desk, file: Path, at: int) -> None:
        game = desk.import_log(file)
        _, at = LedgerHistory(game.ledger, game.id).order_at(at)
        text = game.referee.scenario(at=at)
        again = desk.new_from_text(game.title_id, text, id="again")
        assert again.referee.scenario() == text
        assert again.where == game.at(at).known.where

    def test_scenario_file_names_its_origin(self, desk: umpire.Desk, tmp_path: Path) -> None:
        harbour = desk.import_log(HARBOUR)
        text = harbour.referee.scenario(tmp_path / "midway.toml", at=302)
        assert (tmp_path / "midway.toml").read_text(encoding="utf-8") == text
        first = text.partition("\n")[0]
        assert all(part in first for part in ("# ", " great-harbour ", "#302,", " 1, ", "G.2b"))
        again = desk.new("war-galley", tmp_path / "midway.toml", id="again")
        assert any("great-harbour" in line.text and "#302" in line.text for line in again.referee.audit())

    def test_ledger_dice_fall_from_a_seed_of_their_own(self, ford: umpire.PlayedGame) -> None:
        text = ford.referee.scenario()
        again = ford.desk.new_from_text("freeform", text, id="again")
        roll = {"order": "roll", "dice": "20d6", "purpose": "whatever"}
        pips = [game.seat("red").order(roll).records[0].event.pips for game in (ford, again)]
        assert pips[0] != pips[1]

    def test_words_of_the_table_come_back_as_they_were(self, ford: umpire.PlayedGame) -> None:
        """Use quotes, line feeds and invisible characters."""
        odd = 'a "b" \\ \n\t\u202e\x7f\x1b ü \U0001f3b2'
        ford.seat("red").order("mark", marker=odd, to=(odd, "x"))
        ford.seat("red").order("change", unit="r1", attribute=odd, to=odd)
        ford.seat("red").order("change", unit="r1", attribute="gone", to=1)
        ford.seat("red").order({"order": "change", "unit": "r1", "attribute": "gone", "to": None})
        again = ford.desk.new_from_text("freeform", ford.referee.scenario(), id="again")
        assert again.referee.known().markers == ford.referee.known().markers
        assert again.referee.known().units == ford.referee.known().units

    def test_removed_units_stay_removed_and_seats_are_kept(self, ford: umpire.PlayedGame) -> None:
        ford.referee.order("take-seat", taker="anna", side="red")
        ford.seat("red").order("remove", unit="r1", fate="drowned")
        again = ford.desk.new_from_text("freeform", ford.referee.scenario(), id="again")
        assert again.referee.units(gone=True) == ford.referee.units(gone=True)
        assert again.seat("anna").side == "red"


class TestPermissions:
    def test_scenario_without_secrets_is_the_same_for_all_seats(self, ford: umpire.PlayedGame) -> None:
        assert ford.spectator.scenario() == ford.referee.scenario() == ford.seat("red").scenario()

    def test_scenario_with_a_secret_choice_is_for_the_referee_only(self, ford: umpire.PlayedGame) -> None:
        ford.seat("red").order("seal-choice", question="which bank", choice="left")
        for seat in ("blue", "spectator"):
            with pytest.raises(umpire.Refused, check=coded("answers-closed", number=1, seat=seat)):
                ford.seat(seat).scenario()
        text = ford.referee.scenario()
        assert text == ford.seat("red").scenario(), "its owner knows all that is in it"

    def test_secret_choice_stays_secret_in_the_new_game(self, ford: umpire.PlayedGame) -> None:
        ford.seat("red").order("seal-choice", question="which bank", choice="left")
        again = ford.desk.new_from_text("freeform", ford.referee.scenario(), id="again")
        assert not again.seat("blue").known().choices["which bank/red"].known
        assert again.seat("red").known().choices["which bank/red"].choice == "left"
        assert "left" not in " ".join(line.text for line in again.seat("blue").audit())
        again.seat("red").order("reveal", question="which bank")
        assert again.seat("blue").known().choices["which bank/red"].choice == "left"

    def test_revealed_choice_does_not_restrict_the_scenario(self, ford: umpire.PlayedGame) -> None:
        ford.seat("red").order("seal-choice", question="which bank", choice="left")
        ford.seat("red").order("reveal", question="which bank")
        assert ford.seat("blue").scenario() == ford.referee.scenario()

    def test_scenario_with_a_secret_is_refused_in_a_closed_game(self, desk: umpire.Desk) -> None:
        game = desk.new_from_text("freeform", FORD, id="closed", options={"secrets_closed_to_referee": True})
        game.seat("red").order("seal-choice", question="which bank", choice="left")
        with pytest.raises(umpire.Refused, check=coded("answers-closed", number=1, seat="referee")):
            game.referee.scenario()

    def test_hidden_counters_are_known_to_the_same_seats_as_before(self, desk: umpire.Desk) -> None:
        """Twilight Imperium: hands, and domain counters known to the ledger alone."""
        game = desk.import_log(JORD)
        _, at = LedgerHistory(game.ledger, game.id).order_at(500)
        again = desk.new_from_text(game.title_id, game.referee.scenario(at=at), id="again")
        for seat in at_least_one(game.seats):
            here, there = (one.choices for one in (game.seat(seat).known(at), again.seat(seat).known()))
            assert {key: (c.choice, c.sealed, c.known) for key, c in there.items()} == {
                key: (c.choice, c.sealed, c.known) for key, c in here.items()
            }, seat


class TestRefusals:
    def test_position_inside_the_opening_is_refused(self, ford: umpire.PlayedGame) -> None:
        with pytest.raises(umpire.Refused, check=coded("inside-the-opening", found=2, last=4)):
            ford.referee.scenario(at=2)

    def test_game_that_is_over_is_refused(self, ford: umpire.PlayedGame) -> None:
        ford.referee.order("end", reason="it rains")
        with pytest.raises(umpire.Refused, check=coded("game-over", ended="it rains")):
            ford.referee.scenario()

    def test_scenario_that_opens_differently_is_refused(
        self, ford: umpire.PlayedGame, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # The text is opened before it is returned: if the opening loses a turn, no text is returned.
        read: list[MidgameSetup] = []

        def losing_a_turn(*asked: Any, **more: Any) -> MidgameSetup:
            read.append(position_of(*asked, **more))
            return replace(read[-1], turn=read[-1].turn + len(read) - 1)

        monkeypatch.setattr(from_state, "position_of", losing_a_turn)
        with pytest.raises(umpire.Refused, check=coded("position-not-the-same", parts=["turn"])):
            ford.referee.scenario()
        assert len(read) == 2

    def test_copy_with_withheld_secrets_is_refused(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        ford.seat("red").order("seal-choice", question="which bank", choice="left")
        ford.export(tmp_path / "blue.jsonl", seat="blue")
        with umpire.open(":memory:") as other:
            copy = other.import_log(tmp_path / "blue.jsonl")
            with pytest.raises(umpire.Refused, check=coded("records-withheld")):
                copy.referee.scenario()
