"""Open a game: the scenario's setup, a new seed if the ledger rolls the dice, and the first step."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from umpire_ledger.domain.flow.advance import PlayAdvancer
from umpire_ledger.domain.flow.sequence_checks.every_check import Fault, check
from umpire_ledger.domain.game.board import SHEET, board_in, joined
from umpire_ledger.domain.game.decision import Decision
from umpire_ledger.domain.game.dice_shares import SCHEMES
from umpire_ledger.domain.game.errors import TitleFault
from umpire_ledger.domain.game.events import DiceMode, GameOpened, UnitEvent, UnitPlaced, Value
from umpire_ledger.domain.game.hidden_units import is_foggy, laid_hidden
from umpire_ledger.domain.game.scenario import Scenario, parse_scenario, read_scenario, title_of
from umpire_ledger.domain.game.scenario_fault import ScenarioFault, error_of
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.game.values import Side
from umpire_ledger.domain.history.dice_seeds import commit_to_seed
from umpire_ledger.domain.history.seat_keys import keys_at_opening
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.kit.title_errors import call, name_of
from umpire_ledger.domain.play.midgame_start import resume, verify_position
from umpire_ledger.domain.play.scenario_needs import (
    brought,
    faults_of_board,
    faults_of_ground,
    faults_of_hidden,
    faults_of_numbers,
    faults_of_options,
    faults_of_sequence,
    missing_tables,
)

MOST_FAULTS = 3
"""Limit of a title's faults that a refusal names."""


def scenario_for(title: Title, text: str) -> Scenario:
    """Return the scenario of a file, checked against its title.

    Raises:
        ScenarioError: The file names another title, or a line does not match the schema.
        TitleFault: The title's sequence of play has faults, or the schema's own code raised another exception.
    """
    _verify_sound(title)
    parsed = parse_scenario(text)
    named = title_of(parsed)
    if named != title.id:
        what, remedy = f"the scenario is for {named}, not for {title.id}", f"open it with `umpire new {named}`"
        raise error_of(ScenarioFault(path="$.title", what=what, remedy=remedy, code="other-title"))
    scenario: Scenario = call(title.id, "reading a scenario", read_scenario, (parsed, title.scenario))
    return scenario


def sound(title: Title) -> tuple[Fault, ...]:
    """Return the faults that the static checks find in a title.

    Raises:
        TitleFault: The checks cannot read the sequence.
    """
    faults: tuple[Fault, ...] = call(title.id, "the static checks", check, (title,))
    return faults


def _verify_sound(title: Title) -> None:
    """Check a title, so that no game is opened that would later block or crash."""
    faults = sound(title)
    if faults:
        first = "; ".join(f"{one.place}: {one.what}" for one in faults[:MOST_FAULTS])
        more = len(faults) - MOST_FAULTS
        raise TitleFault(
            f"the title {title.id} is at fault: {first}{f'; and {more} more' if more > 0 else ''}",
            title=title.id,
            decision=name_of(None),
            where="the sequence of play",
            rule="the static checks of a title",
            remedy=f"no game was opened; run `umpire doctor`, and send its report to the author of {title.id}",
        )


def open_game(
    title: Title,
    scenario: Scenario,
    *,
    game_id: str,
    dice: DiceMode,
    seed: str,
    options: Mapping[str, Value],
    keys: Mapping[str, str] | None = None,
) -> Decision:
    """Return the first order of every game: the scenario's setup, and the opening of the first step.

    `seed`: 64 hex digits. `keys`: the public key of each seat that signs its orders.

    Raises:
        RuleViolation: A key is not valid, or is for an unknown seat.
        ScenarioError: The scenario or `options` sets an option that the title does not know, or a table is missing that
            an order of this game needs.
        TitleFault: The setup is not valid, or the title's own code raised another exception.
    """
    _refuse_first(faults_of_sequence(title, scenario))
    _refuse_first(faults_of_hidden(scenario, {**title.options, **scenario.options, **options}))
    walk = lay_out(title, scenario, game_id=game_id, dice=dice, seed=seed, options=options)
    _refuse_first(missing_tables(walk.title, walk.game))
    _refuse_first(faults_of_ground(scenario, joined(walk.title.board(walk.game), board_in(walk.game.tables))))
    for keyed in keys_at_opening(walk.game, keys or {}):
        walk.emit(keyed)
    if scenario.position is None:
        walk.begin()
    else:
        resume(walk, scenario.position)
    return Decision(told=tuple(walk.told), game=walk.game)


def lay_out(
    title: Title, scenario: Scenario, *, game_id: str, dice: DiceMode, seed: str, options: Mapping[str, Value]
) -> PlayAdvancer:
    """Return a game up to its first step: opened, and set up unless the scenario contains a mid-game setup.

    Raises:
        DomainError: As `open_game` does.
    """
    title = brought(title, scenario)
    settled = settle_options(title, {**scenario.options, **options})
    if scenario.position is not None:
        verify_position(title, scenario, scenario.position)
    seen = scenario.in_the_open()
    public = call(title.id, "the public part of a scenario", seen.published, ())
    sheets = call(title.id, "the lookups outside the tables", seen.sheets, ())
    sequence = scenario.sequence()
    opened = GameOpened(
        game=game_id,
        title=title.id,
        version=title.version,
        name=scenario.name,
        sides=_with_verbs(title, scenario.sides),
        dice="table" if dice == "table" else "ledger",
        options=settled,
        tables={**msgspec.to_builtins(scenario.tables), **sheets, **_numbers(title, scenario), **_board(scenario)},
        scenario=_published(public),
        sequence=sequence,
    )
    walk = PlayAdvancer(title, Game())
    walk.emit(opened)
    if dice != "table":
        for told in commit_to_seed(seed, game_id, SCHEMES[dice]):
            walk.emit(told)
    laid = title.set_up(replace(seen, options=settled))
    if scenario.position is None:
        walk.decision = title.set_up
        for event in laid:
            walk.emit(event)
        if is_foggy(walk.game):
            for told in laid_hidden(walk.game, _beginning_hidden(title, scenario, settled)):
                walk.emit(told)
        walk.decision = None
    return walk


def _with_verbs(title: Title, sides: Iterable[Side]) -> tuple[Side, ...]:
    """Return the sides; those whose names are plural in the title's words take plural verbs in this game."""
    return tuple(replace(one, plural=one.plural or one.id in title.words.plural) for one in sides)


def _beginning_hidden(title: Title, scenario: Scenario, options: Mapping[str, Value]) -> dict[str, list[UnitEvent]]:
    """Return the units that begin hidden, by side.

    All public units are set up without them, so that values that a title computes from its units do not reveal them.
    """
    hidden = scenario.hidden_ids()
    found: dict[str, list[UnitEvent]] = {}
    for event in title.set_up(replace(scenario, options=dict(options))):
        if isinstance(event, UnitPlaced) and event.unit in hidden:
            found.setdefault(event.side, []).append(replace(event, seen_by=(event.side,)))
    return found


def _published(scenario: Scenario) -> dict[str, Any]:
    """Return the public scenario, without its mid-game setup, which may contain secrets, and its own sequence.

    Events record both.
    """
    plain: dict[str, Any] = msgspec.to_builtins(scenario)
    apart = {"position", *scenario.sequence()}
    return {name: one for name, one in plain.items() if name not in apart}


def _board(scenario: Scenario) -> dict[str, object]:
    """Return the scenario's own board, for pictures of the game.

    Raises:
        ScenarioError: A table has the name of the board.
    """
    _refuse_first(faults_of_board(scenario))
    if isinstance(scenario.board, msgspec.UnsetType):
        return {}
    return {SHEET: msgspec.json.decode(msgspec.json.encode(scenario.board))}  # lists, as a log read again has them


def _numbers(title: Title, scenario: Scenario) -> dict[str, object]:
    """Return the numbers that a scenario sets, for `Game.tables`.

    Raises:
        ScenarioError: A number does not match the title.
    """
    _refuse_first(faults_of_numbers(title, scenario))
    return {} if isinstance(scenario.numbers, msgspec.UnsetType) else {"numbers": msgspec.to_builtins(scenario.numbers)}


def settle_options(title: Title, given: Mapping[str, Value]) -> dict[str, Value]:
    """Return every option of a game: the given values, and the title's defaults for other options.

    Raises:
        ScenarioError: The title does not know an option, or its value has another type. The error has the option's
            path.
    """
    _refuse_first(faults_of_options(title, given))
    return {**title.options, **given}


def _refuse_first(faults: Iterable[ScenarioFault]) -> None:
    for one in faults:
        raise error_of(one)
