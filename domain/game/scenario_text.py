"""Write a scenario with a mid-game setup as a file that people can read, with the setup at the end."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from umpire_ledger.domain.game.events.phrases import step_words
from umpire_ledger.domain.game.midgame_setup import MidgameSetup
from umpire_ledger.domain.game.scenario import Scenario
from umpire_ledger.domain.game.scenario_limits import verify_size
from umpire_ledger.domain.game.toml_text import toml_of
from umpire_ledger.domain.game.verb_agreement import counted


def scenario_text(scenario: Scenario, version: str = "") -> str:
    """Return the text of the file. The same scenario always has the same text. `version`: the title's version.

    Raises:
        ScenarioError: The text is too large to be read again.
    """
    plain = lean(scenario)
    there = plain.pop("position", {})
    position = scenario.position or MidgameSetup()
    text = toml_of(
        {**plain, "position": there},
        {
            "": tuple(_head(scenario, position, version)),
            "position": ("Mid-game setup. It replaces the units, accounts and markers above.",),
        },
    )
    verify_size(text)
    return text


def _head(scenario: Scenario, position: MidgameSetup, version: str) -> Iterator[str]:
    turn = f", turn {position.turn}" if position.turn else ""
    steps = "".join(f", {step_words(one.step, one.name)}" for one in position.open)
    yield f"State of {position.game or scenario.name} at #{position.at}{turn}{steps}."
    yield f"Open a game from it: umpire new {scenario.title} --id ID --scenario FILE"
    secret = sum(one.seen_by is not None for one in position.choices)
    if secret:
        yield f"It contains {counted(secret, 'secret answer')}: do not show it to the players."
    hidden = sum(bool(one.seen_by) for one in position.units)
    if hidden:
        yield f"It contains {counted(hidden, 'hidden unit')}: do not show it to the players."
    if scenario.dice != "table":
        yield "In the new game, the ledger rolls the dice from a new seed."
    if version:
        yield f"Written for version {version} of the title."
    yield "Not included: notes, rulings, disputes, seals, a requested rewind, reused rolls after a rewind."


def lean(value: Any) -> Any:
    """Return a value as plain data, without entries that equal their defaults."""
    match value:
        case msgspec.Struct():
            return dict(_fields(value))
        case Mapping():
            return {key: lean(one) for key, one in value.items()}
        case tuple() | list():
            return [lean(one) for one in value]
        case _:
            return msgspec.to_builtins(value)


def _fields(struct: msgspec.Struct) -> Iterator[tuple[str, Any]]:
    for field in msgspec.structs.fields(struct):
        value = getattr(struct, field.name)
        default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        if field.required or value != default or type(value) is not type(default):
            yield field.encode_name, lean(value)
