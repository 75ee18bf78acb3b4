"""Check the conditions that a scenario may write: their values, and the errors of unreadable text."""

import random
from typing import Any

import pytest

from tests.domain.test_scenario_check import opens
from tests.face.desk import examined
from tests.face.domain import (
    DEEPEST,
    AccountChanged,
    ChoiceMade,
    ChoiceSealed,
    EvaluationContext,
    ExpressionError,
    Game,
    GameOpened,
    MarkerSet,
    ScenarioFinding,
    Side,
    Step,
    UnitPlaced,
    Value,
    fold,
    freeform_TITLE as TITLE,
    holds,
    language_parse as parse,
    says,
    value,
)
from tests.titles.test_own_sequences import scenario_of, text_of


def on_the_table() -> Game:
    """Return a game with two guns and a horse, a marker of each kind, and two answers, one of them sealed."""
    sides = (Side(id="red", name="Red"), Side(id="blue", name="Blue"))

    def placed(unit: str, side: str, kind: str, at: str, **attributes: Value) -> UnitPlaced:
        return UnitPlaced(unit=unit, side=side, kind=kind, at=at, attributes=attributes)

    return fold(
        Game(),
        [
            GameOpened(
                game="g", title="freeform", version="1", name="g", sides=sides, dice="table", options={"night": True}
            ),
            placed("red-1", "red", "gun", "0101", strength=2, spent=True),
            placed("red-2", "red", "horse", "0102", strength=3),
            placed("blue-1", "blue", "gun", "0101", strength=4, spent=False),
            MarkerSet(marker="first", before=None, after="red"),
            MarkerSet(marker="cup", before=None, after=("a", "b", "a")),
            AccountChanged(account="supply", amount=5, before=0, after=5),
            ChoiceMade(question="plan", side="red", choice="attack"),
            ChoiceSealed(question="plan", side="blue"),
        ],
    )


COMES_TO: list[tuple[str, Value]] = [
    ("1 + 2 * 3", 7),
    ("(1 + 2) * 3", 9),
    ("-2 + 5 - 4", -1),
    ("1 < 2 and 2 <= 2 and 3 > 2 and 2 >= 2", True),
    ("not true or not not true", True),
    ("false or true and false", False),
    ("'a' = 'a' and 'a' != 'b'", True),
    ("'a' in ['a', 'b'] and not 'c' in marker('cup')", True),
    ("nothing = marker('none of that name')", True),
    ("asking = 'red'", True),
    ("active", ""),
    ("turn", 0),
    ("size(sides)", 2),
    ("marker('first')", "red"),
    ("marker('cup') - 'a'", ("b", "a")),
    ("marker('cup') - ['a', 'a', 'c']", ("b",)),
    ("marker('cup') + 'c'", ("a", "b", "a", "c")),
    ("marker('cup') + ['c'] - ['a', 'b']", ("a", "c")),
    ("'points/' + asking", "points/red"),
    ("size(marker('cup'))", 3),
    ("size(marker('first'))", 0),
    ("account('supply') - 2", 3),
    ("account('none of that name')", 0),
    ("option('night')", True),
    ("count()", 3),
    ("count(side = asking)", 2),
    ("count(kind = 'gun' and not spent)", 1),
    ("count(spent = false)", 2),
    ("count(at = place_of('red-1') and side != 'red')", 1),
    ("sum(strength)", 9),
    ("sum(strength, side = 'red')", 5),
    ("sum(strength * 2, id = 'red-2')", 6),
    ("attribute('blue-1', 'strength')", 4),
    ("attribute('nobody', 'strength')", None),
    ("side_of('blue-1')", "blue"),
    ("kind_of('red-2')", "horse"),
    ("place_of('nobody')", None),
    ("in_play('red-1') and not in_play('nobody')", True),
    ("choice('plan')", "attack"),
    ("choice('plan', 'blue')", None),
    ("answered('plan') and answered('plan', 'blue') and not answered('other')", True),
    ("sealed('plan', 'blue') and not sealed('plan')", True),
    ("member('3')", ""),
    ("passes('3')", 0),
    ("true = true and false = false and true != false", True),
    ("1 = true or true = 1 or 2 = true or 0 = true", False),
    ("0 = false or false = 0 or 1 = false", False),
    ("1 != true and 0 != false", True),
    ("account('supply') - 4 = true", False),
    ("account('none of that name') = false", False),
    ("'' = false or 'a' = true or active = false", False),
    ("[] = false or ['a'] = true or marker('cup') = true", False),
    ("nothing = false and marker('none of that name') = false", True),
    ("nothing = true or attribute('red-2', 'spent') = true", False),
    ("count(spent = true)", 1),
    ("count(spent != true)", 2),
    ("count(strength = true)", 0),
    ("'a' < 2", False),
    ("'a' + 1", 1),
]


@pytest.mark.parametrize(("text", "comes_to"), COMES_TO, ids=[text for text, _ in COMES_TO])
def test_expression_has_its_value(text: str, comes_to: Value) -> None:
    found = value(parse(text), EvaluationContext(on_the_table(), "red"))
    assert found == comes_to
    assert type(found) is type(comes_to)


def test_condition_on_a_sealed_answer_is_false_for_its_own_side() -> None:
    answer = ChoiceMade(question="way", side="red", choice="left", sealed=True)
    knows = fold(on_the_table(), [ChoiceSealed(question="way", side="red"), answer])
    assert not holds(parse("choice('way') = 'left'"), EvaluationContext(knows, "red"))


UNREADABLE: list[tuple[str, str, str]] = [
    ("1 +", "a value is missing at the end", "add the value"),
    ("1 2", "«2» is unexpected", "`and` or `or`"),
    ("(1", "«)» is missing before «the end»", "close the bracket with )"),
    ("count(1, 2", "«)» is missing", "close the bracket"),
    ("= 1", "«=» is not a value", "write a value in its place"),
    ("a ? b", "cannot be read at «? b»", "write words in quotes"),
    ("1.5", "cannot be read at «.5»", "signs are"),
    ("1" * 2001, "has 2001 characters", "at most 2000"),
    ("(" * (DEEPEST + 1), "brackets are nested", "two facts"),
]


@pytest.mark.parametrize(("text", "says_so", "do"), UNREADABLE, ids=[text[:12] for text, _, _ in UNREADABLE])
def test_unreadable_expression_is_refused_with_a_remedy(text: str, says_so: str, do: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        parse(text)
    assert says_so in refused.value.what
    assert do in refused.value.remedy


def found_in(name: str, *mended: tuple[str, str]) -> tuple[ScenarioFinding, ...]:
    return examined(text_of(name, *mended), "freeform").findings


CLEARED = "count(side = 'red') = 0 or count(side = 'blue') = 0"
UNTIL = "cleared or nth(6, 'turns')"
FAULTS: list[tuple[str, str, str, str, str]] = [
    (CLEARED, "marker('fire resul') = 'x'", "$.facts.cleared.is", "no marker fire resul", "did you mean fire result?"),
    (CLEARED, "account('hil held') = 1", "$.facts.cleared.is", "no account hil held", "did you mean hill held?"),
    (CLEARED, "option('nihgt')", "$.facts.cleared.is", "no option nihgt", "did you mean night?"),
    (CLEARED, "member('9') = 'x'", "$.facts.cleared.is", "no place 9", "has: 4, player, turns"),
    (
        CLEARED,
        "count(stength > 2) = 0",
        "$.facts.cleared.is",
        "no unit has the attribute stength",
        "did you mean strength?",
    ),
    (CLEARED, "red = 1", "$.facts.cleared.is", "red is not known here", "write it in quotes: 'red'"),
    (CLEARED, "number('x')", "$.facts.cleared.is", "there is no function number", "use one of: account"),
    (CLEARED, "chose('4.2', 'fire')", "$.facts.cleared.is", "no function chose", "not in a fact: chose("),
    (CLEARED, "size()", "$.facts.cleared.is", "`size` takes 1 argument, not 0", "commas"),
    (CLEARED, "2..3", "$.facts.cleared.is", "only `nth` can have a range", "two comparisons"),
    (UNTIL, "clared", "$.play[0].until", "there is no fact clared", "did you mean cleared?"),
    (UNTIL, "turn = 6", "$.play[0].until", "can contain only facts", "declare a fact"),
    (UNTIL, "nth('6')", "$.play[0].until", "`nth` takes the number of a pass", "nth(1)"),
    (UNTIL, "chose('4.2')", "$.play[0].until", "`chose` takes 2 words", "chose('3a', 'fire')"),
    (UNTIL, "inside(turns)", "$.play[0].until", "`inside` takes words in quotes", "inside('3')"),
    (UNTIL, "given('sing')", "$.play[0].until", "there is no order sing", "name one of: change"),
    (UNTIL, "option('night') = cleared", "$.play[0].until", "compare an option with a value", "option('night') = true"),
    (
        "until = \"cleared or nth(6, 'turns')\"",
        'of = "fresh"',
        "$.play[0].of",
        "rounds turns cannot have `of`",
        "it can have: counts_turns",
    ),
    ('of = "fresh"\n', "", "$.play[2]", "each 4 needs `of`", 'write of = "…"'),
    ('step = "4.4"', 'heading = "4.4"\nstep = "4.4"', "$.play[6]", "step, heading", "give the id of the place"),
    ('step = "4.4"\n', "", "$.play[6]", "this place has no kind", "give the id of the place"),
    ('in = "4"\nname = "the unit has', 'in = "9"\nname = "the unit has', "$.play[6].in", "4.4 is in 9", "above it"),
    (
        'in = "4"\nname = "the unit has',
        'in = "4.1"\nname = "the unit has',
        "$.play[6].in",
        "which cannot contain places",
        "above it",
    ),
    (
        'by = "watchers"\nwhen',
        'by = "wachers"\nwhen',
        "$.play[4].by",
        "there is no role wachers",
        "did you mean watchers",
    ),
    ('sides = ["red"]\n', 'can = "fire"\n', "$.roles.attacker.can", "the file has no order fire", "name one of: none"),
    ('sides = ["red"]\n', 'sides = ["rd"]\n', "$.roles.attacker.sides[0]", "there is no side rd", "did you mean red?"),
    (
        'sides = ["red"]\n',
        'sides = ["red"]\nmarker = "fire result"\n',
        "$.roles.attacker",
        "cannot have both",
        "leave out `sides` or `marker`",
    ),
    (
        'members = ["red", "blue"]',
        "",
        "$.sets.players",
        "this set has no members",
        "write exactly one of: units, places",
    ),
    (
        'allows = ["move"]\n',
        'allows = ["mvoe"]\n',
        "$.play[3].allows[0]",
        "there is no order mvoe",
        "name one of: roll",
    ),
    ('table = "fire"', 'table = "fier"', "$.play[5].throws.table", "there is no table fier", "did you mean fire?"),
    ("to = \"'none'\"", 'to = "none"', "$.play[6].does[1].to", "none is not known here", "'none'"),
    (
        "of = \"id = member('4')\", to = true",
        "to = true",
        "$.play[6].does[0]",
        "the units of the change moved are missing",
        "side = active",
    ),
    ('pay = "hill held"', 'pay = "hil held"', "$.play[11].does[0].pay", "no account hil held", "hill held?"),
    (
        'fate = "destroyed" }',
        'fate = "destroyed", set = "x" }',
        "$.play[13].does[0]",
        "has set and remove",
        "write exactly one of",
    ),
    ('to = "4.3" }', 'to = "4.33" }', "$.play[4]", "it leads to 4.33, which does not exist", "name a place"),
    (
        "[facts.hit]",
        '[facts.\'a hit\']\nis = "true"\nwords = "so"\n[facts.hit]',
        "$.facts.a hit",
        "'a hit' is not a valid name",
        "digits and _",
    ),
    ('rules = ["4.1"]', 'rules = ["4.1"]\nruns = ["5.1"]', "$.play[3].runs", "a first and a last step", "3a"),
]


@pytest.mark.parametrize(
    ("old", "new", "path", "what", "do"), FAULTS, ids=[f"{one[2]} {one[3][:20]}" for one in FAULTS]
)
def test_fault_of_an_expression_is_found_at_its_line(old: str, new: str, path: str, what: str, do: str) -> None:
    found = found_in("ridge", (old, new))
    here = [one for one in found if one.path == path]
    assert here, found
    assert what in here[0].what
    assert do in here[0].remedy
    assert here[0].line > 1


@pytest.mark.parametrize("name", ["ridge", "cup"])
def test_scenario_without_findings_can_be_opened(name: str) -> None:
    """Leave out or double lines at random: checking and opening always agree."""
    lines, chance = text_of(name).split("\n"), random.Random(11)
    for _ in range(25):
        at = chance.randrange(len(lines))
        changed = [*lines[:at], *lines[at + 1 :]] if chance.random() < 0.7 else [*lines[:at], lines[at], *lines[at:]]
        broken = "\n".join(changed)
        assert (examined(broken, "freeform").findings == ()) == opens(broken, "freeform"), lines[at]


def test_fixtures_have_no_findings() -> None:
    assert not found_in("ridge")
    assert not found_in("cup")


WORDS: list[tuple[str, str]] = [
    ("cleared and not hit", "one side has no unit left and the fire missed"),
    ("option('night')", "option night is on"),
    ("option('night') != true", "option night is off"),
    ("nth(2..)", "it is pass 2 or later"),
    ("nth(2..3, 'turns')", "it is pass 2 to 3 of turns"),
    ("done('4.3')", "4.3 was carried out"),
    ("inside('5') or suspended('5')", "play is inside 5 or play was suspended inside 5"),
    ("picked('4', 'red-1')", "red-1 is picked in 4"),
    (
        "ever('4.2', 'fire') or latest('4.2', 'fire')",
        "4.2 was once answered «fire» or the last answer to 4.2 was «fire»",
    ),
    ("given('roll')", "`roll` was given"),
]


@pytest.mark.parametrize(("text", "in_words"), WORDS, ids=[text for text, _ in WORDS])
def test_condition_has_words_for_people(text: str, in_words: str) -> None:
    scenario: Any = scenario_of("ridge", ("when = \"chose('4.2', 'fire')\"", f'when = "{text}"'))
    step = TITLE.with_sequence(scenario.sequence(), {}).plan.step("4.3")
    assert isinstance(step, Step)
    assert step.when is not None
    assert says(step.when) == in_words
