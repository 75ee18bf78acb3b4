"""Test the sentence for an order: the order and its result, from the records that a seat may see."""

import fnmatch
import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from tests.at_least_one import at_least_one
from tests.face.desk import find_title
from tests.face.domain import (
    ANYTIME_ORDERS,
    GENERIC_ORDERS,
    REFEREE,
    AnyEvent,
    DiceRolled,
    Game,
    InWords,
    Modifier,
    NoteAdded,
    Side,
    Title,
    events as e,
    fields_of,
    fold,
    in_plural,
    phrase,
)
from tests.face.projections import (
    ACTS,
    GENERIC,
    SUBJECTS,
    Kind,
    VisibleRecord,
    _third,
    decode,
    dice_said,
    is_kept,
    outcome_phrases,
    sentence,
)
from umpire_ledger.testing import titles

FIXTURES = Path(__file__).parents[2] / "fixtures"
TITLES = [pytest.param(title, id=title.id) for title in titles()]
MOST = 700
ROLL: dict[str, Any] = {"roll": 1, "purpose": "weather", "dice": "1d6", "pips": (3,), "total": 3, "source": "table"}
"""The most characters of a sentence, because readers skip longer ones."""


def orders_of(replay: str) -> Iterator[list[VisibleRecord]]:
    """Yield the records of a replay, order by order."""
    group: list[VisibleRecord] = []
    for line in (FIXTURES / replay).read_bytes().splitlines()[1:-1]:
        record = decode(line)
        if record.prior is not None and group:
            yield group
            group = []
        group.append(record)
    yield group


@cache
def told(replay: str, seat: str = REFEREE, *, titled: bool = True) -> dict[int, str]:
    """Return the sentence of each order as a seat sees it, by the position of its first record."""
    game, found = Game(), {}
    for group in orders_of(replay):
        game = fold(game, [one.event for one in group if one.event is not None])
        seen = [one for one in group if one.visible_to is None or seat in one.visible_to]
        cause: dict[str, Any] = next((msgspec.json.decode(one.cause) for one in seen if one.cause), {})
        events = [one.event for one in seen if one.event is not None]
        title = find_title(game.title) if titled else None
        found[group[0].position] = sentence(title, game, group[0].seat, cause, events)
    return found


GALLEY = "war-galley/replays/great-harbour.jsonl"
SOLOMONS = "pacific-war/replays/solomons-suspended.jsonl"
MARIANAS = "pacific-war/replays/marianas-final-operation.jsonl"
BORDER = "federation-and-empire/replays/border-war.jsonl"
JORD = "twilight-imperium-3/superseded/siege-of-jord-1.jsonl"
FORD = "freeform/replays/ford.jsonl"
MILL = "red-coat-rags/replays/mill-ford.jsonl"


def after_a_bid(*events: e.AnyEvent) -> str:
    cause = {"as": "coalition", "order": "seal-bid", "ep": 0}
    return sentence(find_title("federation-and-empire"), Game(), "coalition", cause, events)


def in_the_pacific(seat: str, order: dict[str, Any]) -> str:
    """Return the sentence of an order in a log that names its sides Allies and Japan, without `plural`."""
    sides = (Side(id="allies", name="Allies"), Side(id="japan", name="Japan"))
    events = [NoteAdded(text="hm")] if order.get("order") == "note" else [DiceRolled(**ROLL)]
    return sentence(find_title("pacific-war"), Game(title="pacific-war", sides=sides), seat, order, events)


UNREAD = e.MarkerSet(marker="unread/weather", before=None, after=("14", "8", "5-3X4", "coalition"))
EMPTY_BID = e.ChoiceMade(question="bid", side="coalition", choice=("0", ""))
WEATHER, NOTE, UNNAMED = {"order": "roll-weather"}, {"order": "note", "text": "hm"}, dict[str, Any]()
RALLY, SEARCH = {"order": "rally", "unit": "a-1"}, {"order": "search", "target": "tf-1"}

RECORDED = (
    (GALLEY, REFEREE, 58, "Syracuse rolls for the initiative: 4 +1 = 5; tie: roll again"),
    (GALLEY, REFEREE, 68, "Athens rolls for the initiative: 2 +2 = 4"),
    (GALLEY, REFEREE, 294, "Athens disengages athens-6: 3, held"),
    (GALLEY, REFEREE, 299, "Athens fights the fire on athens-3: 2, burning"),
    (GALLEY, REFEREE, 235, "Syracuse tests the crew: syracuse-7: 2 (needs 5 or less), acts freely"),
    (GALLEY, REFEREE, 147, "Syracuse moves syracuse-1: 0506 → 0406 → 0407 → 0408 → 0409"),
    (GALLEY, REFEREE, 153, "Syracuse grapples athens-2 with syracuse-2"),
    (GALLEY, REFEREE, 157, "Syracuse sets athens-3 on fire from syracuse-3"),
    (GALLEY, REFEREE, 174, "Syracuse ends step E.1 (movement)"),
    (GALLEY, REFEREE, 223, "Athens declines step E.2 (boarding)"),
    (GALLEY, REFEREE, 82, "Syracuse picks agatharchus for step D (levels)"),
    (GALLEY, REFEREE, 76, "Syracuse names Syracuse as first player"),
    (GALLEY, REFEREE, 55, "Athens rolls for the initiative: 3 +2 = 5"),
    (JORD, REFEREE, 274, "Federation of Sol takes hits on sol-destroyer-2, sol-carrier-2: sol-destroyer-2,"
     " sol-carrier-2, sol-ground-force-5 destroyed at void; hits/void/sol 2 → 0"),
    (MILL, REFEREE, 134, "The King answers step 4a (actions) with finished"),
    (MARIANAS, REFEREE, 157, "Japan repairs maya: hits 2 → 1, no longer crippled"),
    (BORDER, REFEREE, 350, "Coalition loads K-D5-3 with 0 EP: cargo ep 5 → none; klingon/grid 1502 0 → 5"),
    (FORD, REFEREE, 17, "Anna (Red) moves red-foot: village → road"),
    (FORD, REFEREE, 20, "Red rolls for red-horse attacks blue-guard: 3 4 = 7, both hold"),
    (FORD, REFEREE, 31, "Blue removes blue-guard (the fight at the ford): blue-guard destroyed at ford"),
    (MARIANAS, REFEREE, 74, "Japan rolls for the weather: weather north: 1, clear; weather central: 2, clear;"
     " weather south: 8, foul; weather southwest: 4, clear"),
    (MILL, REFEREE, 361, "The referee lets a die decide: Can the saker fire over the heads of its own pike? 5"
     " (needs 1..2: no, it waits; 3 or more: yes, at the horse), yes, at the horse"),
    (FORD, REFEREE, 18, "Anna (Red) undoes the orders after #16"),
    (FORD, REFEREE, 29, "The referee returns play to #27 (a die fell off the table)"),
    (MARIANAS, "japan", 181, "Japan bids 2 Command Points"),
    (MARIANAS, "allies", 181, "Japan makes a secret choice for bid"),
    (MARIANAS, "allies", 84, "Japan makes a secret choice for strategic intelligence"),
)  # fmt: skip
"""Complete sentences of recorded games: replay, reading seat, position, sentence."""

COMPOSED: tuple[tuple[str, Callable[[], str], str], ...] = (
    ("nothing for an empty item", lambda: after_a_bid(EMPTY_BID), "Coalition secretly bids 0 EP"),
    (
        "die to be read off a table",
        lambda: after_a_bid(DiceRolled(**ROLL), UNREAD),
        "Coalition secretly bids 0 EP: 3; read the result off your table",
    ),
    ("plural roll", lambda: in_the_pacific("allies", WEATHER), "Allies roll for the weather: 3"),
    ("plural rally", lambda: in_the_pacific("allies", RALLY), "Allies rally a-1: 3"),
    ("plural search", lambda: in_the_pacific("allies", SEARCH), "Allies search for tf-1: 3"),
    ("plural note", lambda: in_the_pacific("allies", NOTE), "Allies write a note: hm"),
    ("plural without words", lambda: in_the_pacific("allies", UNNAMED), "Allies give an order: weather: 3"),
    ("singular roll", lambda: in_the_pacific("japan", WEATHER), "Japan rolls for the weather: 3"),
    ("singular rally", lambda: in_the_pacific("japan", RALLY), "Japan rallies a-1: 3"),
    ("singular search", lambda: in_the_pacific("japan", SEARCH), "Japan searches for tf-1: 3"),
    ("singular note", lambda: in_the_pacific("japan", NOTE), "Japan writes a note: hm"),
    ("singular without words", lambda: in_the_pacific("japan", UNNAMED), "Japan gives an order: weather: 3"),
)
"""Sentences for events that are made here. `Allies rolls` is wrong, because the title declares a plural verb."""


@pytest.mark.parametrize(
    ("tell", "says"),
    [
        *(
            pytest.param(
                partial(lambda replay, seat, at: told(replay, seat)[at], *row[:3]),
                row[3],
                id=f"{row[0]} {row[2]} {row[1]}",
            )
            for row in RECORDED
        ),
        *(pytest.param(*row[1:], id=row[0]) for row in COMPOSED),
    ],
)
def test_order_is_told_in_this_sentence(tell: Callable[[], str], says: str) -> None:
    """Check complete sentences only here; the tests below check numbers, ids and the order of the parts."""
    assert tell() == says


class TestOrderAndResult:
    def test_marks_that_only_the_rules_keep_are_left_out(self) -> None:
        """Record #295 is `athens-6: disengaging none → 1`."""
        assert "disengaging" not in told(GALLEY)[294].replace("disengages", "")

    def test_automatic_moves_follow_the_result_of_an_order(self) -> None:
        says = told(GALLEY)[320]
        assert says.endswith("stays afloat; then vp/syracuse 0 → 12; vp/athens 0 → 4; turn 2 begins")

    def test_days_that_pass_are_one_change(self) -> None:
        assert " 9: day 22 → 0; 5.4 " in told(MARIANAS)[218]

    def test_ruling_that_an_order_depends_on_is_included(self) -> None:
        _, ruling, moved = told(GALLEY)[534].partition("half of wind speed 3 is 2 for the captured athens-8")
        assert ruling
        assert moved.endswith("; 1611 → 1711")


class TestSeatVisibility:
    def test_other_side_reads_no_choice(self) -> None:
        assert "2" in told(MARIANAS, "japan")[181]
        assert "2" not in told(MARIANAS, "allies")[181]

    def test_secret_roll_is_omitted(self) -> None:
        assert "5, level 1" in told(MARIANAS, "japan")[84]
        assert not re.search(r"\d", told(MARIANAS, "allies")[84])

    def test_order_without_visible_records_has_no_sentence(self) -> None:
        assert sentence(None, Game(), "red", {"order": "note"}, ()) == ""


class TestNamesOfSides:
    @pytest.mark.parametrize("replay", [str(file.relative_to(FIXTURES)) for file in FIXTURES.glob("*/replays/*.jsonl")])
    def test_sentence_has_the_name_of_a_side_and_never_its_id(self, replay: str) -> None:
        game = fold(Game(), [one.event for one in next(orders_of(replay)) if one.event is not None])
        names = {one.id: one.name for one in game.sides if one.name not in ("", one.id)}
        ids = re.compile(rf"(?<![\w./'-])({'|'.join(names)})(?![\w/'-])")
        for says in at_least_one(told(replay).values()):
            alone = re.sub("|".join(map(re.escape, names.values())), "", says)
            assert not ids.search(alone), says

    def test_outcome_and_markers_that_are_a_side_have_its_name(self) -> None:
        assert told("pacific-war/replays/coral-sea-at-once.jsonl")[90] == (
            "Japan rolls to break the tie: 2, Japan; then operation 1; reaction player Allies; bid 4; osb/japan 0 → 1"
        )


class TestWithoutDeclarations:
    def test_order_without_words_has_its_name_and_arguments(self) -> None:
        says = told(GALLEY, titled=False)
        assert says[294].startswith("Athens disengages athens-6: 3, held; disengaging 1")
        assert says[297] == "Syracuse ends step G.1"

    @pytest.mark.parametrize("replay", [GALLEY, MARIANAS, BORDER, JORD, FORD, MILL])
    @pytest.mark.parametrize("titled", [True, False])
    def test_every_order_of_a_recorded_game_has_one_line(self, replay: str, titled: bool) -> None:
        for says in at_least_one(told(replay, titled=titled).values()):
            assert says == says.strip()
            assert says[0].isupper() or not says[0].isalpha()
            assert "\n" not in says
            assert len(says) <= MOST
            assert "('" not in says
            assert "['" not in says


class TestPhrases:
    def test_brackets_are_left_out_without_their_argument(self) -> None:
        template = "fires PDS[ {pds}][ at {at}]"
        assert phrase(template, {"pds": ["a", "b"]}) == "fires PDS a, b"
        assert phrase(template, {"at": "void", "pds": []}) == "fires PDS at void"

    def test_braces_in_an_argument_are_words(self) -> None:
        assert phrase("says {a} and {b}", {"a": "{b}", "b": "[x]"}) == "says {b} and [x]"

    def test_path_has_arrows(self) -> None:
        assert phrase("goes {path}", {"path": ["1", "2"]}) == "goes 1 → 2"

    def test_number_selects_singular_or_plural(self) -> None:
        template = "announces {number} {number|decoy|decoys}[: {types}]"
        assert phrase(template, {"number": 1, "types": ("WE",)}) == "announces 1 decoy: WE"
        assert phrase(template, {"number": 2, "types": ()}) == "announces 2 decoys"
        assert phrase(template, {"number": 0}) == "announces 0 decoys"
        assert fields_of(template) == ("number", "number", "types")

    def test_roll_in_short_has_dice_target_and_outcome(self) -> None:
        roll = DiceRolled(roll=1, purpose="x", dice="2d6", pips=(4, 3), total=8, needed="8 or more", outcome="captured")
        plus = msgspec.structs.replace(roll, modifiers=(Modifier(amount=1, source="manpower"),))
        assert dice_said(roll) == "4 3 (needs 8 or more), captured"
        assert dice_said(plus) == "4 3 +1 = 8 (needs 8 or more), captured"

    def test_table_row_has_yes_and_no_instead_of_booleans(self) -> None:
        row = "result hit, forces True, lock False"
        roll = DiceRolled(roll=1, purpose="x", dice="1d6", pips=(4,), total=4, outcome=row)
        assert dice_said(roll) == "4, hit, forces yes, lock no"


def faults_of(title: Any, name: str, template: str) -> Iterator[tuple[str, str]]:
    """Yield (order, argument) for each word of a phrase that is not an argument, or is optional and not in brackets."""
    fields = {one.encode_name: one for one in msgspec.structs.fields(title.every_order[name])}
    for at, part in enumerate(template.replace("]", "[").split("[")):
        for argument in fields_of(part):
            sure = argument in fields and (fields[argument].required or fields[argument].type is int)
            if not (argument in fields if at % 2 else sure):
                yield name, argument


@pytest.mark.parametrize("title", TITLES)
class TestTitlePhrases:
    def test_phrases_are_for_known_orders_and_arguments(self, title: Any) -> None:
        assert [
            fault for name, template in title.words.orders.items() for fault in faults_of(title, name, template)
        ] == []

    def test_battles_are_places_of_its_sequence(self, title: Any) -> None:
        declared = (*title.words.battles, *title.words.retreats)
        assert [one for one in declared if not fnmatch.filter(title.plan.places, one)] == []


def test_every_generic_order_has_its_words() -> None:
    """Exclude comments and acts of the referee, because their events have the words."""
    assert {one.tag() for one in GENERIC_ORDERS} <= set(GENERIC)
    assert not {one.tag() for one in ANYTIME_ORDERS} & set(GENERIC)


def test_names_of_what_is_kept_may_end_in_a_star() -> None:
    kept = InWords(attributes=("moved",), markers=("now/*",)).kept
    assert kept["attributes"].fit("moved")
    assert not kept["attributes"].fit("moved_in")
    assert kept["markers"].fit("now/player")
    assert not kept["accounts"].fit("vp")


def test_marks_alone_are_kept() -> None:
    title = find_title("war-galley")
    assert title is not None
    kept = [
        event for group in orders_of(GALLEY) for one in group if (event := one.event) and is_kept(title.words, event)
    ]
    assert {str(one.__struct_config__.tag) for one in kept} == {"unit.changed", "marker.set"}


class TestPluralSides:
    """Sides with plural verbs, named by the title's words or the scenario: `Allies rolls` is wrong."""

    def test_plural_side_of_a_scenario_takes_plural_verb(self) -> None:
        sides = (Side(id="picts", name="Picts", plural=True), Side(id="king", name="King"))
        game = Game(title="freeform", sides=sides, seats={"picts": "picts", "anna": "picts"})
        roll = {"order": "roll", "purpose": "rain"}
        assert sentence(None, game, "picts", roll, [DiceRolled(**ROLL)]).startswith("Picts roll for rain")
        assert sentence(None, game, "king", roll, [DiceRolled(**ROLL)]).startswith("King rolls for rain")
        assert sentence(None, game, "anna", roll, [DiceRolled(**ROLL)]).startswith("Anna (Picts) rolls for rain")
        assert game.side_does("picts", "has rolled") == "Picts have rolled"
        assert game.side_does("king", "has rolled") == "King has rolled"

    @pytest.mark.parametrize("title", TITLES)
    def test_every_verb_has_its_plural(self, title: Title) -> None:
        phrases = at_least_one([*title.words.orders.values(), *GENERIC.values()])
        verbs = {re.split(r"[ \[:{]", text.removeprefix("secretly "))[0] for text in phrases}
        for verb in at_least_one(verbs):
            assert _third(in_plural(verb)) == verb

    def test_verbs_that_follow_no_rule(self) -> None:
        for one, many in (("is", "are"), ("has", "have"), ("does", "do"), ("carries", "carry"), ("ties", "tie")):
            assert in_plural(f"{one} it") == f"{many} it"


UNTOLD = {
    "ChoiceSealed",
    "DiceAsked",
    "DiceCommitted",
    "DicePledges",
    "DiceSeeded",
    "HiddenDone",
    "HiddenOrdered",
    "LoopClosed",
    "OrderGiven",
    "PlayJumped",
    "PlayResumed",
    "SideDone",
    "SideLeaves",
    "StepClosed",
    "StepOpened",
    "StepPassed",
}
"""Events that are not part of a sentence, because the order states them, or they only advance the sequence."""


def test_event_is_part_of_a_sentence_or_named_as_untold() -> None:
    """Find events that `outcome_phrases.py` lacks, because they would be missing from sentences without an error."""
    parts = set(re.findall(r"case e\.(\w+)\(", inspect.getsource(outcome_phrases)))
    acts = {kind.__name__ for kind in ACTS}
    assert {kind.__name__ for kind in get_args(AnyEvent)} - parts - acts == UNTOLD


def test_kind_of_notice_has_a_subject() -> None:
    assert set(SUBJECTS) == set(get_args(Kind))
