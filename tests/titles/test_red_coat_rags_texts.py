"""Check the texts of In Red Coat Rags Attired that have no code of their own."""

import re
from collections.abc import Callable

import pytest

from tests.face.domain import (
    DiceRolled,
    GameEnded,
    RedCoatScenario,
    RulingMade,
    ScenarioError,
    StepPassed,
    UnitMoved,
    UnitRemoved,
    read_scenario,
    red_coat_rags_TITLE as TITLE,
    says as in_words,
)
from tests.face.projections import turn_view
from tests.face.testing import Story
from tests.scenario_remedies import REMEDIES
from tests.titles.red_coat_rags_table import (
    BASE,
    FIXTURES,
    KING,
    PARLIAMENT,
    WORDS,
    change,
    disrupt,
    face_to_face,
    finish,
    lock,
    says,
    table,
    to_actions,
    to_activation,
    to_phase,
    to_special,
    to_step,
)

MILL_FORD = (FIXTURES / "scenarios" / "mill-ford.toml").read_text()


def refusal(story: Story) -> str:
    """Return the words of the last refusal."""
    assert story.refusal is not None
    return story.refusal.what


def remedy(story: Story) -> str:
    """Return the remedy of the last refusal."""
    assert story.refusal is not None
    return story.refusal.remedy


def passed(story: Story, step: str) -> str:
    """Return the reason why that step was skipped."""
    (why,) = {
        event.why
        for taken in story.taken
        for event in taken.events
        if isinstance(event, StepPassed) and event.step == step
    }
    return why


def ended(story: Story) -> str:
    """Return the reason why the battle is over after this phase of the King and the next phase of Parliament."""
    story.play(says(KING, "done"), says(KING, "done"), says(KING, "done", answer="none"))
    if not story.game.ended:
        story.play(says(PARLIAMENT, "done"), says(PARLIAMENT, "done"), says(PARLIAMENT, "done", answer="none"))
    return story.game.ended


def fault(old: str, new: str) -> str:
    """Return the fault of the ford scenario after a change."""
    return fault_of(MILL_FORD.replace(old, new, 1))


def fault_of(text: str) -> str:
    with pytest.raises(ScenarioError) as refused:
        read_scenario(text, RedCoatScenario)
    assert refused.value.rule == "the title's scenario schema"
    assert refused.value.remedy.startswith(REMEDIES)
    return refused.value.what


def without_kings_pieces() -> str:
    return re.sub(r'\[\[pieces\]\]\nid = "[^"]*"\nside = "king"\n(?:[^\[\n].*\n)*', "", MILL_FORD)


def with_four_dice() -> Story:
    return to_activation(table()).when(says(KING, "activate", 6, 6, 6, 6, unit="carrs-horse", dice=4))


def after_a_lost_die() -> Story:
    story = table(WORDS).play(says("column", "roll-initiative", 6), says("garrison", "roll-initiative", 1))
    story.play(says("column", "done"), says("column", "done"))
    story.play(says("column", "activate", 3, 6, 1, unit="redcoats", dice=3))
    finish(story, "column").play(says("column", "done"), says("column", "done", answer="another"))
    return story.when(says("column", "activate", 6, 6, 6, unit="greycoats", dice=3))


def activated_again() -> Story:
    story = finish(to_actions(table(), "forlorn")).play(says(KING, "done"), says(KING, "done", answer="another"))
    return story.when(says(KING, "activate", 6, unit="forlorn", dice=1))


def activated_without_pieces() -> Story:
    story = table().given(*(UnitRemoved(unit=f"forlorn-{n}", fate="destroyed") for n in (1, 2)))
    return to_activation(story).when(says(KING, "activate", 6, unit="forlorn", dice=1))


def in_contact(order: str, at: str, *, twice: bool = False) -> Story:
    """Try the contact of carrs-1 there with rudds-1."""
    story = to_actions(table(), "carrs-horse").given(UnitMoved(unit="carrs-1", path=("34,10", at)))
    tie = says(KING, order, piece="carrs-1", enemy="rudds-1")
    return story.play(tie).when(tie) if twice else story.when(tie)


def checked(unit: str) -> Story:
    story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
    return story.when(says(KING, "check-morale", 5, unit=unit))


def checked_again() -> Story:
    story = to_step(disrupt(table(), "carrs-1", "carrs-2", "forlorn-1", "forlorn-2"), "2b")
    story.play(says(KING, "check-morale", 6, unit="carrs-horse"))
    return story.when(says(KING, "check-morale", 6, unit="carrs-horse"))


def in_2c(order: str, **arguments: object) -> Story:
    return to_step(disrupt(table(), "forlorn-1"), "2c").when(says(KING, order, 6, **arguments))


def rallied_again() -> Story:
    story = to_step(disrupt(table(), "forlorn-1", "tyldesley-1"), "2c").play(says(KING, "rally", 2, piece="forlorn-1"))
    return story.when(says(KING, "rally", 6, piece="forlorn-1"))


def locked_twice() -> Story:
    story = lock(lock(table(), "forlorn-1", "blues-3", "blues-4"), "forlorn-2", "blues-2")
    return to_step(story, "2d").when(says(KING, "break-lock", 4, piece="forlorn-1", to="19,10.5"))


def broken_free(piece: str, to: str) -> Story:
    story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
    return story.when(says(KING, "break-lock", 6, piece=piece, to=to))


def moved_by_digby(pip: int, *, again: bool = False) -> Story:
    story = to_special(table())
    if pip:
        story.play(says(KING, "special-move", pip, officer="digby"))
    if again:
        story.play(says(KING, "move-officer", officer="digby", path=["12,8"], moves=2))
    return story.when(says(KING, "move-officer", officer="digby", path=["12,9"], moves=3))


def over_the_casualty_value() -> str:
    story = to_step(disrupt(table(), "carrs-1", "carrs-2", "carrs-3"), "2b")
    (modifier,) = story.when(says(KING, "check-morale", 3, unit="carrs-horse")).then(DiceRolled).modifiers
    return modifier.source


def lost_by_done() -> str:
    story = to_step(table(), "2e.move")
    story.play(says(KING, "move-command", command="tyldesley-command", path=["14,9"]))
    (named,) = turn_view(TITLE, story.game, KING, story.tip).on_done
    return named.words


def step_1_needs() -> str:
    step = TITLE.plan.step("1")
    assert step is not None
    assert step.needs is not None
    return in_words(step.needs)


def close_combat(*pips: int) -> Story:
    """Engage Carr's horse with Rudd's, two against one."""
    story = face_to_face(to_actions(table(), "carrs-horse"))
    for piece in ("carrs-1", "carrs-2"):
        story.play(says(KING, "engage", piece=piece, enemy="rudds-2"))
    return finish(story).when(says(KING, "resolve-close", *pips, piece="carrs-1", enemy="rudds-2"))


def unread() -> Story:
    tables = {**BASE["tables"], "close": {"by_the_book": "the club's chart"}}
    story = face_to_face(to_actions(table(tables=tables), "carrs-horse"))
    story.play(says(KING, "engage", piece="carrs-1", enemy="rudds-1"))
    fight = {"piece": "carrs-1", "enemy": "rudds-1"}
    finish(story).play(says(KING, "resolve-close", 3, 4, **fight))
    return story.when(says(KING, "resolve-close", **fight))


def ruled_by_the_die() -> str:
    odds = {"1..2": "the powder is wet", "3 or more": "it fires"}
    story = table().when(says("referee", "let-die-decide", 2, question="Is it dry?", odds=odds))
    return story.then(RulingMade).reason


def activation_failed() -> Story:
    return to_activation(table()).play(says(KING, "activate", 1, unit="tyldesley", dice=1))


def every_unit_tried() -> Story:
    story = table()
    for unit in ("tyldesley", "carrs-horse"):
        change(story, unit, "activated", 1)
    return to_special(story).play(says(KING, "done"))


def destroyed(*pieces: str) -> list[UnitRemoved]:
    return [UnitRemoved(unit=piece, fate="destroyed") for piece in pieces]


def broken() -> str:
    return ended(to_phase(table(breaks={PARLIAMENT: 4}).given(*destroyed(*(f"blues-{n}" for n in (1, 2, 3, 4))))))


def without_parliaments_pieces() -> str:
    pieces = [one.id for one in table().game.in_play(PARLIAMENT) if one.get("unit") and one.kind != "unit"]
    return ended(to_phase(table()).given(*destroyed(*pieces)))


def conceded() -> str:
    story = to_phase(table(victory={"turns": 6, "conditions": "whoever holds the mill"}))
    assert not ended(story)
    return story.when(says(PARLIAMENT, "concede")).then(GameEnded).why


@pytest.mark.parametrize(
    ("get", "sentence"),
    [
        (step_1_needs, "the initiative is rolled"),
        (lambda: passed(to_step(table(), "2e.move"), "2b"), "no unit has to check its morale"),
        (lambda: passed(to_step(table(), "2e.move"), "2c"), "no disrupted piece has to roll"),
        (
            lambda: passed(to_step(table(), "2e.move"), "2d"),
            "no piece of the phasing player is locked at exactly one corner",
        ),
        (
            lambda: refusal(checked("forlorn")),
            "forlorn does not check its morale: it has fewer disrupted pieces than its casualty value",
        ),
        (
            lambda: refusal(checked_again()),
            "carrs-horse does not check its morale: it has already checked this phase",
        ),
        (over_the_casualty_value, "1 disrupted over the casualty value"),
        (lambda: refusal(in_2c("rally", piece="carrs-1")), "carrs-1 cannot rally: it is not disrupted"),
        (lambda: refusal(rallied_again()), "forlorn-1 cannot rally: it has already rolled this phase"),
        (
            lambda: refusal(in_2c("activate", unit="carrs-horse", dice=1)),
            "activate is not allowed now; it belongs to step 3",
        ),
        (lambda: refusal(locked_twice()), "forlorn-1 cannot disengage: it is locked at two corners"),
        (lambda: refusal(broken_free("carrs-1", "34,8.5")), "carrs-1 cannot disengage: it is not locked"),
        (lambda: refusal(broken_free("forlorn-1", "20.5,12")), "20.5,12 is E of forlorn-1, which faces S"),
        (lost_by_done, "pieces out of command: tyldesley-1"),
        (
            lambda: refusal(with_four_dice()),
            "carrs-horse cannot be activated with 4 dice: one for each action, up to three",
        ),
        (lambda: refusal(after_a_lost_die()), "greycoats cannot be activated with 3 dice: 1 were lost"),
        (lambda: refusal(activated_again()), "forlorn was already tried this phase"),
        (lambda: refusal(activated_without_pieces()), "forlorn has no piece left"),
        (
            lambda: remedy(to_activation(table()).when(says(KING, "done", answer="activated"))),
            "answer with one of: none; for example `done none`",
        ),
        (lambda: refusal(in_contact("lock-corner", "34,18.5")), "carrs-1 and rudds-1 touch at an edge"),
        (
            lambda: refusal(in_contact("lock-corner", "34,17")),
            "carrs-1 and rudds-1 do not touch: they are 3 inches apart",
        ),
        (lambda: remedy(in_contact("engage", "34,18.5", twice=True)), "name another piece"),
        (
            lambda: remedy(in_contact("lock-corner", "32.5,18.5", twice=True)),
            "name another piece; a lock is broken in 2d",
        ),
        (lambda: close_combat(6, 6, 1).then(UnitRemoved).cause, "close combat with carrs-1 and carrs-2"),
        (
            lambda: refusal(unread()),
            "roll 6 for close: rudds-1 against carrs-1 shows -1 and its result has not been read off the table",
        ),
        (lambda: remedy(moved_by_digby(0)), "roll first: `special-move`"),
        (lambda: remedy(moved_by_digby(3)), "take at most 2"),
        (lambda: remedy(moved_by_digby(3, again=True)), "end the step: `done`"),
        (lambda: passed(activation_failed(), "6"), "an activation has failed"),
        (lambda: passed(every_unit_tried(), "6"), "every unit was tried in this phase"),
        (broken, "Parliament has lost 4 pieces and breaks at 4"),
        (without_parliaments_pieces, "Parliament has no piece left"),
        (lambda: ended(to_phase(table(victory={"turns": 1}))), "turn 1 was the last"),
        (conceded, "Parliament has conceded"),
        (ruled_by_the_die, "Is it dry? The odds were 1..2: the powder is wet; 3 or more: it fires; the die showed 2."),
        (lambda: fault('at = "24,4"', 'at = "the hill"'), "'the hill' is not a point in inches, such as '12.5,30'"),
        (lambda: fault('wing = "left"', 'wing = ""'), "digby is an FO without a wing"),
        (lambda: fault('wing = "left"', 'wing = "right"'), "the right wing of king has two officers"),
        (lambda: fault("[tables.fire]", "[tables.fires]"), "this title does not use a table fires"),
        (lambda: fault('rows."5 or more" = { target = "destroyed" }', ""), "there is no row for 5"),
        (
            lambda: fault('{ target = "stands" }', '{ target = "runs" }'),
            '"runs" is not valid: the entry takes "stands", "disrupted" or "destroyed"',
        ),
        (lambda: fault("victory = { turns = 6 }", "victory = { turn = 6 }"), "there is no entry turn"),
        (lambda: fault("parliament = 7", "scots = 7"), "there is no side scots"),
        (lambda: fault('unit = "saker"\nkind', 'unit = "sakers"\nkind'), "parliament has no unit sakers"),
        (lambda: fault('kind = "guns"', 'kind = "unit"'), "a combat piece cannot be called unit"),
        (lambda: fault('kind = "CO"', 'kind = "FO"\nwing = "x"'), "king needs one CO"),
        (lambda: fault_of(without_kings_pieces()), "king has no combat piece"),
    ],
)
def test_reason_reads_so(get: Callable[[], str], sentence: str) -> None:
    assert get() == sentence
