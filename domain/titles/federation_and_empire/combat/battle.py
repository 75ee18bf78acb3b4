"""Phase 5: battle hexes, who is there, and what is chosen secretly and opened together.

A battle hex is a hex where the phasing side and an enemy both have units that fight; computed anew whenever it is
asked, so hexes made by retreats join. With more than two sides the scenario's `wars` say who is whose enemy (A12).
"""

from collections.abc import Callable, Iterable

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    ORION,
    chases_withdrawn,
    enemies,
    fights_at,
    has,
    hex_in_hand,
    in_battle,
    is_base,
    is_crippled,
    living,
    phasing,
    refuse,
    round_mark,
    rule_of,
    serving,
    turn_order,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import is_hex
from umpire_ledger.kit import (
    Acts,
    AnyEvent,
    Asks,
    ChoiceMade,
    ChoiceRevealed,
    ChoiceSealed,
    Game,
    RestrictedEvent,
    Result,
    Unit,
    Value,
    choice_key,
    eyes,
    listed,
    marked,
    names_in,
    pass_number,
    reveal,
    step_open,
    word_in,
)

# --- where the battles are --------------------------------------------------------------------------------------------


def battle_hexes(game: Game, side: str) -> tuple[str, ...]:
    """Every hex in which the phasing side and an enemy of it have units that fight, by number."""
    active = side or phasing(game)
    foes = set(enemies(game, active))
    units = living(game)
    met = {unit.at for unit in units if unit.side == active} & {unit.at for unit in units if unit.side in foes}
    mine, theirs = set(), set()
    for unit in units:
        if unit.at in met and is_hex(unit.at) and fights_at(unit, unit.at) and not unit.get("raid_kind"):
            if unit.side == active:
                mine.add(unit.at)
            elif unit.side in foes:
                theirs.add(unit.at)
    return tuple(sorted(mine & theirs))


def both_are_here(game: Game, _: str) -> bool:
    """Whether both sides still have units in the hex in hand: if not, it is resolved (A11)."""
    place, active = hex_in_hand(game), phasing(game)
    foes = set(enemies(game, active))
    here = {unit.side for unit in living(game) if unit.at == place and fights_at(unit, place)}
    return active in here and bool(here & foes)


def nonphasing(game: Game) -> tuple[str, ...]:
    """The sides with player turns whose player turn it is not."""
    active = phasing(game)
    return tuple(side for side in turn_order(game) if side != active)


def defenders(game: Game) -> tuple[str, ...]:
    """The phasing side's enemies in the hex in hand; all its enemies when none is left there."""
    if chased := _chased(game):
        return chased
    foes = enemies(game, phasing(game))
    if len(foes) == 1:
        return foes
    noted = names_in(game, "defenders")
    if noted and word_in(game, "battle") == hex_in_hand(game):  # else they were those of the hex before
        return noted
    here = {unit.side for unit in in_battle(game)}
    return tuple(side for side in foes if side in here) or tuple(side for side in foes if side != ORION)


def _chased(game: Game) -> tuple[str, ...]:
    """Return the sides whose units withdrew and are pursued, those whose last unit was lost too (302.8)."""
    if not chases_withdrawn(game):
        return ()
    place, now, active = hex_in_hand(game), round_mark(game), phasing(game)
    alive = {unit.side for unit in living(game) if unit.get("withdrew") == place}
    gone = alive | {unit.side for unit in game.units.values() if unit.fate and unit.get("lost") == now}
    return tuple(side for side in (*turn_order(game), ORION) if side in gone and side != active)


def who_fight(game: Game) -> tuple[str, ...]:
    """The defenders with a unit in the battle in hand: of several that are pursued one may have set up nobody."""
    every = defenders(game)
    fight = tuple(side for side in every if game.markers.get(f"force of {side}") != ())
    return fight if len(every) > 1 and fight else every


def defenders_left(game: Game) -> tuple[str, ...]:
    """The defenders with units in the battle; a single defender also without."""
    every = who_fight(game)
    here = {unit.side for unit in in_battle(game)}
    return tuple(side for side in every if side in here) if len(every) > 1 else every


def battlers_left(game: Game) -> tuple[str, ...]:
    """Both sides of the battle, less defenders who have left it."""
    return (*defenders_left(game), phasing(game))


def defender(game: Game) -> tuple[str, ...]:
    """The first of the defenders in turn order: he answers for an approach battle."""
    return defenders(game)[:1]


def approach_defender(game: Game) -> tuple[str, ...]:
    """Who answers for an approach battle: the first of the enemies in the hex that has a ship, else the first."""
    foes, here = enemies(game, phasing(game)), in_battle(game)
    have = {unit.side for unit in here if not is_base(unit)} or {unit.side for unit in here}
    return tuple(side for side in foes if side in have)[:1] or defender(game)


WHICH = ("", "second", "third")
"""The defenders that are asked one after the other what is asked of each (5-1A, 5-7A), as the steps call them."""


def further_defender(which: str) -> Callable[[Game], tuple[str, ...]]:
    """A role: the second or third of the defenders."""
    return lambda game: tuple(side for side, name in zip(defenders(game), WHICH, strict=False) if name == which)


def there_is_a(which: str) -> Asks:
    """A fact: a second or third side defends the hex, as with three player turns, or with pirates besides (A12)."""
    return lambda game, _: bool(further_defender(which)(game))


def battlers(game: Game) -> tuple[str, ...]:
    """Both sides of the battle in hand, the non-phasing first, as the printed steps of allocation have it."""
    return (*who_fight(game), phasing(game))


def foe_in_battle(game: Game, side: str) -> tuple[str, ...]:
    """The opponents of a side in the battle in hand."""
    return defenders(game) if side == phasing(game) else (phasing(game),)


def enemy_unit(game: Game, side: str, unit: str, number: str) -> Unit:
    """A unit of the opponents' Battle Forces. Raises RuleViolation for any other."""
    here = [one for foe in foe_in_battle(game, side) for one in serving(game, foe)]
    found = next((one for one in here if one.id == unit), None)
    if found is None:
        able = listed((one.id for one in here), unit)
        raise refuse(game, "not-a-fighting-enemy", number, unit=unit, units=able)
    return found


def a_here(trait: str) -> Asks:
    """A fact: a unit that fights in the battle in hand can do that. Never asked about decoys."""
    return lambda game, _: any(has(unit, trait) for unit in serving(game))


def mauler_here(game: Game, _: str) -> bool:
    """Whether a ship that is subject to shock is in the battle in hand."""
    return any(has(unit, "mauler") or has(unit, "shock") for unit in serving(game))


def attacker_has(trait: str) -> Asks:
    """A fact: a unit of the phasing side in the battle in hand can do that."""
    return lambda game, _: any(has(unit, trait) for unit in serving(game, phasing(game)))


def defender_has(trait: str) -> Asks:
    """A fact: a unit of the defenders in the battle in hand can do that."""
    return lambda game, _: any(has(unit, trait) for side in defenders(game) for unit in in_battle(game, side))


def owners_of(trait: str) -> Callable[[Game], tuple[str, ...]]:
    """A role: the sides of the battle in hand that have a unit which can do that."""
    return lambda game: tuple(side for side in battlers(game) if any(has(unit, trait) for unit in serving(game, side)))


def frozen_iscs(game: Game) -> tuple[str, ...]:
    """The sides of the battle in hand with an ISC unit that is frozen."""
    frozen = {unit.side for unit in serving(game) if has(unit, "isc") and unit.get("frozen")}
    return tuple(side for side in battlers(game) if side in frozen)


def foes_of_pinwheels(game: Game) -> tuple[str, ...]:
    """The opponents of those who form pinwheels."""
    tholians = owners_of("pinwheel")(game)
    return tuple(side for side in battlers(game) if side not in tholians) or tholians


def base_is_here(game: Game, _: str) -> bool:
    """Whether a base or base-like unit of the defenders that works stands in the hex."""
    return any(is_working_base(unit) and unit.side != phasing(game) for unit in in_battle(game))


def is_working_base(unit: Unit) -> bool:
    """A base that is not being set up."""
    return is_base(unit) and unit.get("operational") is not False


def defender_has_ships(game: Game, _: str) -> bool:
    """Whether there is anybody but bases to fight an approach battle with."""
    return any(not is_base(unit) for side in defenders(game) for unit in in_battle(game, side))


def answered(game: Game, step: str) -> str:
    """How a step was answered in the innermost pass that remembers it; "" where it was not."""
    for frame in reversed(game.cursor.frames):
        for one in (*frame.closed, *frame.kept):
            if one.step == step:
                return one.answer
    return ""


def base_is_included(game: Game) -> bool:
    """Whether the base fights in this round: not in an approach battle that was accepted."""
    return base_is_here(game, "") and answered(game, "5-2A3") != "accept"


def crippled_withdrew(game: Game, _: str) -> bool:
    place = hex_in_hand(game)
    return any(unit.get("withdrew") == place and is_crippled(unit) for unit in living(game))


def defenders_stay(game: Game, _: str) -> bool:
    """Whether a defender still stands in the hex."""
    place, foes = hex_in_hand(game), set(enemies(game, phasing(game)))
    return any(unit.at == place and unit.side in foes and fights_at(unit, place) for unit in living(game))


def nobody_here(game: Game, side: str) -> bool:
    """Whether a side has nobody left in the battle, so that it owes no choice."""
    return not in_battle(game, side)


# --- what is sealed and opened together -------------------------------------------------------------------------------


def has_sealed(question: str) -> Asks:
    """A fact: the side has sealed its answer since the step was opened."""
    return lambda game, side: f"{side} {question}" in names_in(game, "sealed")


def round_number(game: Game) -> int:
    """The round of combat in the hex in hand; 0 outside the rounds."""
    return pass_number(game.cursor, "5-ROUND")


def _opened(game: Game, question: str) -> str:
    """When a choice that is sealed is laid open, in words."""
    if question == "decoys":
        return "a decoy is laid open when it is used"
    if step_open(game).startswith("5-8"):
        return "it is opened in 5-8E"
    return "it is opened with the other side's"


def commit(game: Game, side: str, question: str, choice: Value, number: str) -> list[Result]:
    """A side's secret choice: a public record that it was made, a private one of what it is.

    Raises RuleViolation for a second one in the same step.
    """
    sealed = names_in(game, "sealed")
    if f"{side} {question}" in sealed:
        raise refuse(
            game,
            "sealed-already",
            number,
            side_has=game.side_does(side, "has"),
            question=question,
            opened=_opened(game, question),
        )
    rule = rule_of(game, number)
    made = ChoiceMade(question=question, side=side, choice=choice, sealed=True, rule=rule)
    return [
        ChoiceSealed(question=question, side=side, rule=rule),
        RestrictedEvent(made, eyes(game, side)),
        *marked(game, "sealed", (*sealed, f"{side} {question}"), "", rule),
    ]


def commit_and_open(
    game: Game, side: str, question: str, choice: Value, number: str, sides: Iterable[str]
) -> list[Result]:
    """The same; the last side to seal opens all of them in one order, so that nobody opens alone."""
    results = commit(game, side, question, choice, number)
    others = [one for one in sides if one != side]
    if any(f"{one} {question}" not in names_in(game, "sealed") for one in others):
        return results
    rule = rule_of(game, number)
    opened: list[AnyEvent | RestrictedEvent] = [ChoiceRevealed(question=question, side=side, choice=choice, rule=rule)]
    return [*results, *opened, *(event for one in others for event in reveal(game, one, question, rule))]


def afresh(*questions: str) -> Acts:
    """An act of a step: what was sealed for it earlier counts no longer."""

    def act(game: Game) -> list[Result]:
        kept = tuple(one for one in names_in(game, "sealed") if one.partition(" ")[2] not in questions)
        return marked(game, "sealed", kept or None, "", rule_of(game))

    return act


def open_all(*questions: str) -> Acts:
    """An act of a step: whatever both sides have sealed for these questions is laid open at once."""

    return lambda game: [*shown(game, *questions), *afresh(*questions)(game)]


def shown(game: Game, *questions: str) -> list[Result]:
    """What both sides have sealed for these questions since their steps were opened, laid open."""
    sealed = names_in(game, "sealed")
    return [
        event
        for question in questions
        for side in game.side_ids
        if f"{side} {question}" in sealed and game.choices[choice_key(question, side)].sealed
        for event in reveal(game, side, question, rule_of(game))
    ]


def chosen(game: Game, question: str, side: str) -> Value:
    """What a side chose openly or revealed; None where it did neither."""
    choice = game.choices.get(choice_key(question, side))
    return choice.choice if choice and not choice.sealed else None
