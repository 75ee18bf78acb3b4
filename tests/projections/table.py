"""Set up a real game: a ledger in a file, its read models in a second file, and orders that the domain decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from tests.face.desk import GameStateBuilder, LedgerHistory, drafts_of
from tests.face.domain import (
    EACH,
    END,
    Answer,
    AnyEvent,
    Change,
    Each,
    FreePiece,
    FreeScenario,
    Game,
    Move,
    Pay,
    RestrictedEvent,
    Roll,
    Rounds,
    SealChoice,
    Sequence as Steps,
    Side,
    Step,
    Title,
    choice_key,
    decide,
    events as e,
    fact,
    freeform_TITLE as FREEFORM,
    open_game,
    read_order,
    set_up_pieces,
)
from tests.face.ledger import Draft, Ledger, is_database
from tests.face.projections import (
    TABLES,
    Filter,
    Follower,
    audit_lines,
    dialect_of,
    views_path,
)

SEED = "5e" * 32
RED, BLUE = "red", "blue"


def _planned(game: Game, side: str) -> bool:
    return choice_key("plan", side) in game.choices


LESSON = Title(
    id="lesson",
    name="Lesson",
    version="1",
    sequence=Steps(
        steps=(
            Rounds(
                "T",
                "the turn",
                counts_turns=True,
                steps=(
                    Step(
                        "1",
                        "plans",
                        by=EACH,
                        allows=(SealChoice,),
                        needs=fact("a plan is sealed", _planned),
                        secret=True,
                        rules=("2.1",),
                    ),
                    Step("2", "weather is read out"),
                    Each(
                        "3",
                        "battles",
                        of="hexes",
                        by=RED,
                        steps=(
                            Step(
                                "3.1",
                                "fight",
                                by=RED,
                                allows=(Roll, Change, Move, Pay),
                                answers=(Answer("stand"), Answer("give up", to=END)),
                                rules=("7.3",),
                            ),
                        ),
                    ),
                ),
            ),
        )
    ),
    sets={"hexes": lambda game, side: ("0101", "0202")},
    scenario=FreeScenario,
    set_up=set_up_pieces,
)
TITLES = {"freeform": FREEFORM, "lesson": LESSON}


def views_of(place: str | Path) -> str:
    """Return the place of the read models of a ledger."""
    return str(place) if is_database(place) else views_path(place)


class Table:
    """A game `g` in its own ledger. The clock and the order ids are the same for every instance.

    `place`: the place of the ledger, if it is not the file `umpire.db` in the folder.
    """

    def __init__(
        self,
        folder: Path,
        title: Title = FREEFORM,
        *,
        game_id: str = "g",
        ledger: Ledger[Game] | None = None,
        place: str | Path = "",
    ):
        self.path = place or folder / "umpire.db"
        self.title = title
        self.game = game_id
        self.orders = 0
        self.ledger = ledger or Ledger.open(self.path, GameStateBuilder(), clock=self._clock)
        self.views = Follower(self.ledger, views_of(self.path), TITLES.get)
        scenario = FreeScenario(
            title=title.id,
            name="A lesson",
            sides=(Side(id=RED, name="Red"), Side(id=BLUE, name="Blue")),
            accounts={"vp/red": 0},
            markers={"wind": "NE"},
            units=tuple(FreePiece(id=f"{side}-1", side=side, kind="ship", at="0101") for side in (RED, BLUE)),
        )
        opened = open_game(title, scenario, game_id=game_id, dice="ledger", seed=SEED, options={})
        self._write("referee", drafts_of(opened.told, None))

    def _clock(self) -> datetime:
        return datetime(2026, 11, 21, tzinfo=UTC) + timedelta(seconds=self.orders)

    def _write(self, seat: str, drafts: Sequence[Draft]) -> None:
        self.orders += 1
        size = self.ledger.size(self.game)
        self.ledger.append(self.game, after=size, seat=seat, command=f"c{self.orders}", drafts=drafts)

    @property
    def size(self) -> int:
        return self.ledger.size(self.game)

    def play(self, seat: str, order: str, **arguments: Any) -> Table:
        """Give an order; a refusal is raised."""
        sent = read_order(self.title, {"as": seat, "order": order, **arguments})
        game = self.ledger.state(self.game)
        sent = msgspec.structs.replace(sent, seed=f"{self.ledger.size(self.game):064x}")
        decision = decide(self.title, game, sent, LedgerHistory(self.ledger, self.game))
        cause = encode_order(seat, order, arguments)
        self._write(seat, drafts_of(decision.told, cause))
        return self

    def lay_down(self, *told: AnyEvent | RestrictedEvent, seat: str = "referee") -> Table:
        """Record events as one order, as if it had been decided."""
        self._write(seat, drafts_of(told, None))
        return self

    def follow(self) -> Table:
        """Bring the read models up to date."""
        self.views.lay_views(self.game)
        return self

    def close(self) -> None:
        self.views.close()
        self.ledger.close()


def encode_order(seat: str, order: str, arguments: dict[str, Any]) -> bytes:
    """Encode an order as in an order file."""
    return msgspec.json.encode({"as": seat, "order": order, **arguments})


WORDS = ("a*", "b*", "c*", "d*", "r*", "w*", "0*")
CACHES = ("snapshot", "looked", "turn_view")


def rows(views: Follower) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table that is computed from the ledger."""
    found = {
        name: sorted(views.connection.execute(f"SELECT * FROM {name}").fetchall(), key=repr)
        for name in TABLES.keys() - set(CACHES)
    }
    found["views"] = sorted(dialect_of(views.connection).laid_views(views.connection).items())
    games = sorted(name for (name,) in views.connection.execute("SELECT id FROM game"))
    return {**found, "index": [(game, word, *hits(views, game, word)) for game in games for word in WORDS]}


def hits(views: Follower, game_id: str, words: str) -> list[int]:
    """Return the positions of records with these words, on any branch."""
    return [
        line.position for line in audit_lines(views.connection, game_id, "referee", Filter(text=words, all_lines=True))
    ]


def laid(views: Follower, game_id: str = "g") -> list[tuple[Any, ...]]:
    """Store the missing turn views of a game; return all of its stored turn views."""
    views.lay_views(game_id)
    return views.connection.execute("SELECT * FROM turn_view WHERE game = ? ORDER BY seat", (game_id,)).fetchall()


def one_of_each() -> Iterator[AnyEvent]:
    """Yield every event except `game.opened`, `dice.seeded` and `dice.committed`, in a possible order."""
    yield e.SeatTaken(seat="anna", side=RED, name="Anna")
    yield e.SeatKeyed(seat="anna", key="anna+00000000+AAAA", why="she brought one")
    yield e.PlayResumed(acts=50, answered={"colour/blue": 48}, of="ford", at=412)
    yield e.LoopOpened(loop="T", name="the turn")
    yield e.PassBegun(loop="T", nth=1, turn=1)
    where = e.Where(turn=1, side=RED, items=("0101",), round=2)
    yield e.StepOpened(step="1", name="plans", where=where, waits=(RED, BLUE), path=("T",), secret=True)
    yield e.ChoiceSealed(question="plan", side=RED)
    yield e.ChoiceMade(question="colour", side=BLUE, choice="white")
    yield e.ChoiceRevealed(question="plan", side=RED, choice=("north", "south"))
    yield e.OrderGiven(step="1", order="seal-choice", side=RED)
    yield e.SideDone(step="1", side=RED, how="excused", why="he is late")
    yield e.SideLeaves(side=RED, until="3")
    yield e.StepClosed(step="1", side=BLUE, answer="stand", to="3")
    yield e.StepPassed(step="2", name="weather", why="there is no weather")
    yield e.LoopOpened(loop="3", name="battles")
    yield e.PassBegun(loop="3", nth=1, item="0101", side=RED)
    yield e.LoopClosed(loop="3", why="nothing is left")
    yield e.PlayJumped(to="T", frames=2, broke_off=("3.1",), note="the next turn")
    modifiers = (e.Modifier(amount=1, source="manpower"), e.Modifier(amount=-2, source="fatigue"))
    yield e.DiceRolled(
        roll=1,
        purpose="boarding blue-1",
        dice="2d6",
        pips=(4, 3),
        total=6,
        modifiers=modifiers,
        needed="6 or more",
        outcome="captured",
        subjects=("red-1", "blue-1"),
        table="boarding",
        row="6..8",
        rule="E.2",
    )
    yield e.UnitPlaced(unit="red-2", side=RED, kind="galley", at="0303", attributes={"crew": 3}, cause="arrives")
    yield e.UnitMoved(unit="red-2", path=("0303", "0304"), cause="retreat", rule="7.3")
    yield e.UnitChanged(unit="red-2", attribute="crew", before=3, after=2, cause="ram")
    yield e.UnitRemoved(unit="blue-1", fate="sunk", at="0101", cause="fire")
    yield e.UnitCovered(unit="red-2", at="0304", blind=(BLUE,), cause="dives")
    yield e.HiddenOrdered(side=RED)
    deep = e.UnitPlaced(unit="red-2", side=RED, kind="galley", at="0304", attributes={"crew": 2}, seen_by=(RED,))
    yield e.HiddenDone(events=(deep, e.UnitMoved(unit="red-2", path=("0304", "0305"))))
    yield e.UnitShown(unit="red-2", side=RED, kind="galley", at="0305", attributes={"crew": 2})
    yield e.AccountChanged(account="vp/red", amount=-2, before=0, after=-2, cause="a loss")
    yield e.MarkerSet(marker="wind", before="NE", after=None)
    yield from _of_the_table()


def _of_the_table() -> Iterator[AnyEvent]:
    """Yield the events of the referee, and of what players write."""
    yield e.RulingMade(ruling="the ram stands", reason="seen by all", overrides="7.3")
    yield e.DisputeOpened(dispute="d1", claim="it was adjacent", positions=(7, 9))
    yield e.DisputeSettled(dispute="d1", ruling="it was not", reason="the map")
    yield e.LineSealed(seat="anna", position=12)
    yield e.SecretPeeked(seat="anna", position=12, reason="a quarrel")
    yield e.RewindAsked(seat="anna", side=RED, to=3, why="the ram was no ram", dice="keep")
    yield e.RewindAnswered(side=BLUE, consents=False, why="it was")
    yield e.AmendmentStopped(at=9, tip=12, left=2, seat="anna", why="the map")
    yield e.AmendmentEnded(how="left", left=1, skipped=9)
    yield e.GameCopied(of="ford", at=9, game="ford")
    yield e.NoteAdded(text="a fine evening", about=3)
    yield e.NoteSealed(text="back to the ford", condition="they attack")
    yield e.NoteOpened(note=3, side=RED, text="back to the ford", condition="they attack")
    yield e.MessageSent(message=1, seat="anna", to=(BLUE,), text="a truce?", arrives=2, sent=1)
    yield e.MessageHeld(message=1, arrives=3, step="3.1", why="a storm")
    yield e.MessageArrived(message=1, seat="anna", to=(BLUE,), text="a truce?", sent=1)
    yield e.DicePledged(side=RED, pledge="5" * 64)
    yield e.DiceAsked(seat="anna", roll=3)
    yield e.DiceShared(side=RED, share="6" * 64)
    yield e.DicePledges(pledges={RED: e.Pledge(pledge="5" * 64, share="6" * 64, since=True)})
    yield e.GameEnded(why="dawn", winner=RED)
    yield e.SecretsOpened(upto=3)
    yield e.DiceOpened(seed=SEED)
