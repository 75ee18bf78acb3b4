"""Find the battle hexes of Phase 5 and the sides and units in them, and seal and reveal secret choices.

A hex is a battle hex while the phasing side and an enemy both have units there that fight. The battle hexes are
computed on each call, so that retreats can add some. With more than two sides, the scenario's `wars` list the enemies
of each side (A12).
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
    listed,
    marked,
    names_in,
    pass_number,
    reveal,
    secret_viewers,
    step_open,
    word_in,
)

# --- where the battles are --------------------------------------------------------------------------------------------


def battle_hexes(game: Game, side: str) -> tuple[str, ...]:
    """Return the hexes, sorted, in which a side ("" for the phasing side) and an enemy of it have units that fight."""
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
    """Check whether both sides still have units in the current battle hex: if not, the hex is resolved (A11)."""
    place, active = hex_in_hand(game), phasing(game)
    foes = set(enemies(game, active))
    here = {unit.side for unit in living(game) if unit.at == place and fights_at(unit, place)}
    return active in here and bool(here & foes)


def nonphasing(game: Game) -> tuple[str, ...]:
    """Return the sides with player turns that are not the phasing side."""
    active = phasing(game)
    return tuple(side for side in turn_order(game) if side != active)


def defenders(game: Game) -> tuple[str, ...]:
    """Return the phasing side's enemies in the current battle hex; all its enemies if none has units there."""
    if chased := _chased(game):
        return chased
    foes = enemies(game, phasing(game))
    if len(foes) == 1:
        return foes
    noted = names_in(game, "defenders")
    if noted and word_in(game, "battle") == hex_in_hand(game):  # otherwise noted for the previous hex
        return noted
    here = {unit.side for unit in in_battle(game)}
    return tuple(side for side in foes if side in here) or tuple(side for side in foes if side != ORION)


def _chased(game: Game) -> tuple[str, ...]:
    """Return the sides whose units withdrew and are pursued, even if their last unit is lost by now (302.8)."""
    if not chases_withdrawn(game):
        return ()
    place, now, active = hex_in_hand(game), round_mark(game), phasing(game)
    alive = {unit.side for unit in living(game) if unit.get("withdrew") == place}
    gone = alive | {unit.side for unit in game.units.values() if unit.fate and unit.get("lost") == now}
    return tuple(side for side in (*turn_order(game), ORION) if side in gone and side != active)


def who_fight(game: Game) -> tuple[str, ...]:
    """Return the defenders that fight in the current battle: of several, those that have set up a unit."""
    every = defenders(game)
    fight = tuple(side for side in every if game.markers.get(f"force of {side}") != ())
    return fight if len(every) > 1 and fight else every


def defenders_left(game: Game) -> tuple[str, ...]:
    """Return the defenders with units in the battle; a single defender is returned even without units."""
    every = who_fight(game)
    here = {unit.side for unit in in_battle(game)}
    return tuple(side for side in every if side in here) if len(every) > 1 else every


def battlers_left(game: Game) -> tuple[str, ...]:
    """Return both sides of the battle, without defenders that have left it."""
    return (*defenders_left(game), phasing(game))


def defender(game: Game) -> tuple[str, ...]:
    """Return the first of the defenders in turn order."""
    return defenders(game)[:1]


def approach_defender(game: Game) -> tuple[str, ...]:
    """Return the side that answers an offered approach battle: the first enemy with a ship there, else the first."""
    foes, here = enemies(game, phasing(game)), in_battle(game)
    have = {unit.side for unit in here if not is_base(unit)} or {unit.side for unit in here}
    return tuple(side for side in foes if side in have)[:1] or defender(game)


WHICH = ("", "second", "third")
"""Names of the three defenders in the labels of steps that each defender answers in turn (5-1A, 5-7A)."""


def further_defender(which: str) -> Callable[[Game], tuple[str, ...]]:
    """Return a role: the second or third of the defenders."""
    return lambda game: tuple(side for side, name in zip(defenders(game), WHICH, strict=False) if name == which)


def there_is_a(which: str) -> Asks:
    """Return a fact: the hex has a second or third defender, because of three player turns or pirates (A12)."""
    return lambda game, _: bool(further_defender(which)(game))


def battlers(game: Game) -> tuple[str, ...]:
    """Return both sides of the current battle, the non-phasing first, as the printed steps of allocation list them."""
    return (*who_fight(game), phasing(game))


def foe_in_battle(game: Game, side: str) -> tuple[str, ...]:
    """Return the opponents of a side in the current battle."""
    return defenders(game) if side == phasing(game) else (phasing(game),)


def enemy_unit(game: Game, side: str, unit: str, number: str) -> Unit:
    """Return a unit of the opponents' Battle Forces.

    Raises:
        RuleViolation: The unit is not in one of them.
    """
    here = [one for foe in foe_in_battle(game, side) for one in serving(game, foe)]
    found = next((one for one in here if one.id == unit), None)
    if found is None:
        able = listed((one.id for one in here), unit)
        raise refuse(game, "not-a-fighting-enemy", number, unit=unit, units=able)
    return found


def a_here(trait: str) -> Asks:
    """Return a fact: a unit that fights in the current battle has the trait. Not used for decoys, which are secret."""
    return lambda game, _: any(has(unit, trait) for unit in serving(game))


def mauler_here(game: Game, _: str) -> bool:
    """Check whether a ship that is subject to shock fights in the current battle."""
    return any(has(unit, "mauler") or has(unit, "shock") for unit in serving(game))


def attacker_has(trait: str) -> Asks:
    """Return a fact: a unit of the phasing side that fights in the current battle has the trait."""
    return lambda game, _: any(has(unit, trait) for unit in serving(game, phasing(game)))


def defender_has(trait: str) -> Asks:
    """Return a fact: a unit of the defenders in the current battle has the trait."""
    return lambda game, _: any(has(unit, trait) for side in defenders(game) for unit in in_battle(game, side))


def owners_of(trait: str) -> Callable[[Game], tuple[str, ...]]:
    """Return a role: the sides of the current battle with a unit that fights and has the trait."""
    return lambda game: tuple(side for side in battlers(game) if any(has(unit, trait) for unit in serving(game, side)))


def frozen_iscs(game: Game) -> tuple[str, ...]:
    """Return the sides of the current battle with a frozen ISC unit that fights."""
    frozen = {unit.side for unit in serving(game) if has(unit, "isc") and unit.get("frozen")}
    return tuple(side for side in battlers(game) if side in frozen)


def foes_of_pinwheels(game: Game) -> tuple[str, ...]:
    """Return the sides without units that can form pinwheels; if no side is without them, all sides."""
    tholians = owners_of("pinwheel")(game)
    return tuple(side for side in battlers(game) if side not in tholians) or tholians


def base_is_here(game: Game, _: str) -> bool:
    """Check whether a working base or base-like unit of the defenders is in the battle."""
    return any(is_working_base(unit) and unit.side != phasing(game) for unit in in_battle(game))


def is_working_base(unit: Unit) -> bool:
    """Check whether a unit is a base that is not being set up."""
    return is_base(unit) and unit.get("operational") is not False


def defender_has_ships(game: Game, _: str) -> bool:
    """Check whether the defenders have a unit other than bases for an approach battle."""
    return any(not is_base(unit) for side in defenders(game) for unit in in_battle(game, side))


def answered(game: Game, step: str) -> str:
    """Return the answer of a step in the innermost pass that remembers it; "" if it was not answered."""
    for frame in reversed(game.cursor.frames):
        for one in (*frame.closed, *frame.kept):
            if one.step == step:
                return one.answer
    return ""


def base_is_included(game: Game) -> bool:
    """Check whether the base fights in this round: an accepted approach battle leaves it out."""
    return base_is_here(game, "") and answered(game, "5-2A3") != "accept"


def crippled_withdrew(game: Game, _: str) -> bool:
    place = hex_in_hand(game)
    return any(unit.get("withdrew") == place and is_crippled(unit) for unit in living(game))


def defenders_stay(game: Game, _: str) -> bool:
    """Check whether a defender still has units in the hex."""
    place, foes = hex_in_hand(game), set(enemies(game, phasing(game)))
    return any(unit.at == place and unit.side in foes and fights_at(unit, place) for unit in living(game))


def nobody_here(game: Game, side: str) -> bool:
    """Check whether a side has no unit left in the battle, so that no choice is required of it."""
    return not in_battle(game, side)


# --- secret choices ---------------------------------------------------------------------------------------------------


def has_sealed(question: str) -> Asks:
    """Return a fact: the side has sealed its answer since the step was opened."""
    return lambda game, side: f"{side} {question}" in names_in(game, "sealed")


def round_number(game: Game) -> int:
    """Return the round of combat in the current battle hex; 0 outside the rounds."""
    return pass_number(game.cursor, "5-ROUND")


def _opened(game: Game, question: str) -> str:
    """Return words that say when a sealed choice is revealed."""
    if question == "decoys":
        return "a decoy is revealed when it is used"
    if step_open(game).startswith("5-8"):
        return "it is revealed in 5-8E"
    return "it is revealed together with the other side's"


def commit(game: Game, side: str, question: str, choice: Value, number: str) -> list[Result]:
    """Record a side's secret choice: a public record that it was made, and a private one of its content.

    Raises:
        RuleViolation: The side has already sealed this choice in this step.
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
        RestrictedEvent(made, secret_viewers(game, side)),
        *marked(game, "sealed", (*sealed, f"{side} {question}"), "", rule),
    ]


def commit_and_open(
    game: Game, side: str, question: str, choice: Value, number: str, sides: Iterable[str]
) -> list[Result]:
    """Seal a choice; the last side to seal also reveals the choices of all, so that no side reveals alone."""
    results = commit(game, side, question, choice, number)
    others = [one for one in sides if one != side]
    if any(f"{one} {question}" not in names_in(game, "sealed") for one in others):
        return results
    rule = rule_of(game, number)
    opened: list[AnyEvent | RestrictedEvent] = [ChoiceRevealed(question=question, side=side, choice=choice, rule=rule)]
    return [*results, *opened, *(event for one in others for event in reveal(game, one, question, rule))]


def afresh(*questions: str) -> Acts:
    """Return a step action that clears the notes of earlier sealed choices for these questions."""

    def act(game: Game) -> list[Result]:
        kept = tuple(one for one in names_in(game, "sealed") if one.partition(" ")[2] not in questions)
        return marked(game, "sealed", kept or None, "", rule_of(game))

    return act


def open_all(*questions: str) -> Acts:
    """Return a step action that reveals at once all choices that both sides have sealed for these questions."""

    return lambda game: [*shown(game, *questions), *afresh(*questions)(game)]


def shown(game: Game, *questions: str) -> list[Result]:
    """Reveal the choices that both sides have sealed for these questions since their steps were opened."""
    sealed = names_in(game, "sealed")
    return [
        event
        for question in questions
        for side in game.side_ids
        if f"{side} {question}" in sealed and game.choices[choice_key(question, side)].sealed
        for event in reveal(game, side, question, rule_of(game))
    ]


def chosen(game: Game, question: str, side: str) -> Value:
    """Return the choice that a side has made openly or revealed; None if there is none."""
    choice = game.choices.get(choice_key(question, side))
    return choice.choice if choice and not choice.sealed else None
