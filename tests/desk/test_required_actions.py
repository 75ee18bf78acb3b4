"""Each side that must act has a notification since its required action arose; an unchanged one is not repeated.

The oracle reads the turn view of a spectator after every order. It shares no code with the notifications.
"""

import os
import random
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

import umpire_ledger as umpire
from tests.desk.game import FORD
from tests.face.desk import event_of
from tests.face.domain import (
    BUILT_IN,
    PlayRewound,
    RuleViolation,
    StepOpened,
)
from tests.face.testing import (
    OWN,
    Player,
    StuckError,
    folder_of,
)
from tests.naming import Naming

ORDERS = int(os.environ.get("UMPIRE_NOTICE_ORDERS", "30"))
SEED = int(os.environ.get("UMPIRE_NOTICE_SEED", "1"))
"""Longer play, and other play, on request."""
WORDS = 60
"""Characters of an action that a notification shows in any case."""


class Action(NamedTuple):
    """A step that waits for a side, or an action required in it, as a spectator sees it."""

    side: str
    step: str
    words: str = ""
    about: str = ""


class Channel:
    """A channel that stores what it is given. `fails`: the next notices are not delivered."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.got: list[umpire.Notice] = []
        self.fails = False

    def reaches(self, notice: umpire.Notice) -> bool:
        return True

    def tell(self, notice: umpire.Notice) -> None:
        if self.fails:
            raise umpire.NotSent("the channel is closed", where="here", remedy="try again", stops=False)
        self.got.append(notice)

    def close(self) -> None:
        pass


class Oracle:
    """The actions that the turn view shows, each with the position at which it arose."""

    def __init__(self, game: umpire.PlayedGame) -> None:
        self.game = game
        self.arose: dict[Action, int] = {}
        self.at = 0
        self.named: dict[tuple[str, str, Action], int] = {}
        """By channel and seat: the position of the action that a notice named last."""
        self.seats: dict[str, str] = {}
        """The seats that are notified, each with its side."""

    def see(self) -> None:
        """Look at the game after an order."""
        size = self.game.size
        events = [event_of(record) for record in self.game.ledger.records(self.game.id, self.at + 1, size)]
        opened = {event.step for event in events if isinstance(event, StepOpened)}
        rewound = any(isinstance(event, PlayRewound) for event in events)
        now = set(self._present())
        again = {one for one in now if one.step in opened and not rewound}
        kept = {one: at for one, at in self.arose.items() if one in now and one not in again}
        self.arose = {one: kept.get(one, size) for one in now}
        self.at = size
        seats = {seat: side for side in self.game.sides for seat in self._seats(side)}
        same = {seat for seat, side in seats.items() if self.seats.get(seat) == side}
        self.seats, self.named = seats, {key: at for key, at in self.named.items() if key[1] in same}

    def _present(self) -> Iterator[Action]:
        view = self.game.spectator.status
        if view.ended:
            return
        for step in view.steps:
            for side in step.waits:
                if side in view.waiting:
                    yield Action(side, step.step)
        for one in view.owed:
            words = one.words.removesuffix(f": {', '.join(map(str, one.about))}") if one.about else one.words
            for about in map(str, one.about or ("",)):
                yield Action(one.side, one.step, words, about)

    def check(self, channel: Channel, *, strict: bool = True) -> None:
        """Check what a channel was given since the last check: all that arose, and nothing twice."""
        fresh, channel.got = channel.got, []
        for notice in fresh:
            side = self.game.ledger.state(self.game.id).side_of(notice.seat)
            for action in (one for one in self.arose if one.side == side and is_named(one, notice)):
                key = (channel.name, notice.seat, action)
                if strict:
                    assert self.named.get(key) != self.arose[action], f"{action} again: {notice.text}"
                self.named[key] = self.arose[action]
        for action, at in self.arose.items():
            for seat in self._seats(action.side):
                named = self.named.get((channel.name, seat, action))
                assert named == at, f"#{self.at}: {seat} has no {action} of #{at}"

    def _seats(self, side: str) -> list[str]:
        seats = self.game.ledger.state(self.game.id).seats
        return [seat for seat, of in seats.items() if of == side and seat != side] or [side]


def is_named(action: Action, notice: umpire.Notice) -> bool:
    """Return whether a notice names an action."""
    if not action.words:
        begins = (f" {action.step} (", f" {action.step}.")
        return any(point.kind == "your-turn" and any(one in point.text for one in begins) for point in notice.points)
    named = (point.text for point in notice.points if point.kind == "you-owe")
    words = " ".join(action.words.split())[:WORDS]
    return any(words in text and (action.about in text or "…" in text) for text in named)


def games() -> list[tuple[str, Path]]:
    own = [("freeform", file) for file in sorted(OWN.glob("*.toml"))[:2]]
    return [*((title, sorted((folder_of(title) / "scenarios").iterdir())[0]) for title in BUILT_IN), *own]


@pytest.mark.parametrize(("title", "scenario"), games(), ids=lambda one: getattr(one, "stem", one))
def test_random_play_notifies_each_required_action_once(title: str, scenario: Path, tmp_path: Path) -> None:
    """Use three channels: one delivers after each order, another sometimes, and a third sometimes fails."""
    chance = random.Random(SEED)
    desk = umpire.open(tmp_path / "club.db")
    game = desk.new(title, scenario, id="g", dice="ledger")
    oracle, player = Oracle(game), Player(game.title or pytest.fail("no title"), seed=SEED)
    always, seldom, failing = channels = Channel("always"), Channel("seldom"), Channel("failing")
    oracle.see()
    for number in range(ORDERS):
        if not moved(game, player, chance, number):
            break
        oracle.see()
        failing.fails = chance.random() < 0.5
        for channel in (always, *([seldom] if chance.random() < 0.3 else []), failing):
            list(desk.tell(channel))
            if not channel.fails:
                oracle.check(channel)
        if number % 10 == 9:  # another process continues
            desk.close()
            desk = umpire.open(tmp_path / "club.db")
            game = oracle.game = desk.game("g")
    failing.fails = False
    for channel in channels:
        list(desk.tell(channel))
        oracle.check(channel)
        assert list(desk.tell(channel)) == []
    desk.close()


def moved(game: umpire.PlayedGame, player: Player, chance: random.Random, number: int) -> bool:
    """Give one order at random: of the sequence of play, or a rewind, an undo, a redo, a seat, a note."""
    drawn, size = chance.random(), game.size
    try:
        if drawn < 0.06 and number > 3:
            points = game.referee.undo_points(6)
            game.referee.rewind(f"#{chance.choice(points).position}", why="a rule was missed")
        elif drawn < 0.14 and number > 3:
            game.referee.undo(why="a slip")
        elif drawn < 0.18:
            game.referee.redo()
        elif drawn < 0.24:
            side = chance.choice(game.sides)
            game.referee.order("take-seat", taker=f"p{chance.randrange(3)}", side=side)
        elif drawn < 0.28:
            game.referee.order("note", text="late tonight")
    except RuleViolation:
        pass
    if game.size != size:
        return True
    state = game.ledger.state(game.id)
    if state.ended:
        return False
    try:
        order, _ = player.choose(state)
    except StuckError:
        return False
    given = {name: value for name, value in msgspec.to_builtins(order).items() if name != "as"}
    game.seat(order.seat).order(given)
    return True


def kinds(desk: umpire.Desk, channel: Channel, **more: Any) -> dict[str, list[str]]:
    """Deliver, and return the kinds of points by seat."""
    return {one.notice.seat: [point.kind for point in one.notice.points] for one in desk.tell(channel, **more)}


GALLEYS = folder_of("war-galley") / "scenarios" / "great-harbour.toml"
ACT = ["your-turn", "you-owe"]


class TestOnEachStore:
    @pytest.fixture
    def desk(self, place: str) -> Iterator[umpire.Desk]:
        with umpire.open(place) as found:
            found.new("war-galley", GALLEYS, id="harbour", dice="table")
            yield found

    def test_several_orders_between_two_deliveries_are_one_notice(self, desk: umpire.Desk) -> None:
        channel, game = Channel("one"), desk.game("harbour")
        assert kinds(desk, channel) == {"athens": ACT, "syracuse": ACT}
        game.seat("athens").order("roll-wind", pips=[3, 4])
        game.seat("athens").order("join", ship="athens-6", squadron="menander")
        assert kinds(desk, channel) == {"syracuse": ACT}, "athens is not waited for"
        game.seat("syracuse").order("join", ship="syracuse-6", squadron="sicanus")
        assert kinds(desk, channel) == {"athens": ACT, "syracuse": ACT}
        assert kinds(desk, channel) == {}

    def test_action_done_and_rewound_is_notified_again(self, desk: umpire.Desk) -> None:
        channel, game = Channel("one"), desk.game("harbour")
        kinds(desk, channel)
        before = game.size
        game.seat("athens").order("roll-wind", pips=[3, 4])
        game.referee.rewind(f"#{before}", why="a die was cocked")
        assert kinds(desk, channel) == {"athens": [*ACT, "rewind-done"], "syracuse": [*ACT, "rewind-done"]}
        assert kinds(desk, channel) == {}

    def test_amendment_is_news_and_the_action_after_it_new(self, desk: umpire.Desk) -> None:
        channel, game = Channel("one"), desk.game("harbour")
        first = game.seat("athens").order("roll-wind", pips=[3, 4]).records[0].position
        kinds(desk, channel)
        game.referee.amend(first, {"order": "roll-wind", "pips": [1, 2]}, why="misread")
        assert kinds(desk, channel) == {"athens": [*ACT, "rewind-done"], "syracuse": [*ACT, "rewind-done"]}

    def test_fork_has_a_delivery_log_of_its_own(self, desk: umpire.Desk) -> None:
        channel = Channel("one")
        kinds(desk, channel)
        desk.game("harbour").fork("again")
        assert kinds(desk, channel) == {"athens": ACT, "syracuse": ACT}
        assert {one.game for one in channel.got[2:]} == {"again"}

    def test_seat_taken_after_the_action_arose_is_notified(self, desk: umpire.Desk) -> None:
        channel, game = Channel("one"), desk.game("harbour")
        kinds(desk, channel)
        for name in ("anna", "carl"):
            game.referee.order("take-seat", taker=name, side="athens")
        assert kinds(desk, channel) == {"anna": ACT, "carl": ACT}
        assert kinds(desk, channel) == {}

    def test_excused_side_is_not_notified(self, desk: umpire.Desk) -> None:
        channel = Channel("one")
        desk.game("harbour").referee.order("excuse", side="athens", reason="late")
        assert kinds(desk, channel)["athens"] == ["ruling-made"]

    def test_two_notifiers_at_once_send_one_reminder(self, desk: umpire.Desk, place: str) -> None:
        """Both find the reminder due; the delivery log lets one of them send it."""
        channel, other = Channel("one"), Channel("one")
        kinds(desk, channel)
        with umpire.open(place) as second:
            mine = iter(desk.tell(channel, remind=timedelta(microseconds=1)))
            theirs = iter(second.tell(other, remind=timedelta(hours=1)))
            first = next(mine)
            assert first.notice.reminds
            assert list(theirs) == []
            list(mine)
        assert sorted(one.seat for one in channel.got if one.reminds) == ["athens", "syracuse"]
        assert other.got == []


def test_share_in_the_dice_is_a_required_action(tmp_path: Path) -> None:
    """Require a share of each side before the first roll with shared dice; no step declares this."""
    with umpire.open(tmp_path / "club.db") as desk:
        game, channel = desk.new("war-galley", GALLEYS, id="g", dice="shared"), Channel("one")
        owed = [[point.text for point in one.notice.points if point.kind == "you-owe"] for one in desk.tell(channel)]
        assert owed
        assert all(texts[1:] == [Naming("`umpire dice-share g`")] for texts in owed), "beside the roll of the step"
        order = game.seat("athens").dice_due(tmp_path / "athens")
        assert order is not None
        game.seat("athens").order(order)
        kinds(desk, channel)
        while (order := game.seat("syracuse").dice_due(tmp_path / "syracuse")) is not None:
            game.seat("syracuse").order(order)
            found = list(desk.tell(channel))
            assert all("dice-share" in one.notice.text for one in found if one.notice.seat == "athens")


@pytest.mark.parametrize("delay", ["", "12h"])
def test_notices_of_two_games_that_differ_in_a_secret_are_equal(delay: str, tmp_path: Path) -> None:
    def texts(name: str, secret: str) -> list[tuple[str, str]]:
        with umpire.open(tmp_path / f"{name}.db") as desk:
            game = desk.new_from_text("freeform", FORD, id="g", options={"spectator_delay": delay})
            side, *others = game.sides
            channel = Channel("one")
            list(desk.tell(channel))
            game.seat(side).order("seal-choice", question="plan", choice=secret)
            game.seat(side).order("note", text=secret, to=[others[0]])
            list(desk.tell(channel))
            assert secret not in "".join(one.text for one in channel.got)
            return [(one.seat, one.text) for one in channel.got]

    assert texts("a", "leftflank") == texts("b", "rightflank")
