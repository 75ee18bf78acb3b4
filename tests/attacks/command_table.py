"""List every way to call every command, from the table of commands itself: a new command is included automatically."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

import click

from tests.face.cli import COMMANDS, umpire

Word = Callable[[str, click.Parameter], str]
"""Return the argument for a parameter of a command (its last name)."""
SEAT = "seat"
LASTING = ("serve",)
"""Runs until it is stopped: `tests/service` attacks it."""
OPTIONAL = {("done", "words")}
"""An answer ends only a step that asks for one; `--answer` is tried as well."""
OWED = {("amend", "why"), ("export", "output")}
"""Options that a command requires with these arguments, though not with others."""


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command of the table, with the commands of its groups."""
    with click.Context(umpire) as context:
        for name in (name for name in COMMANDS if name not in LASTING):
            command = umpire.get_command(context, name)
            assert command is not None
            if isinstance(command, click.Group):
                yield from (((name, below), command.commands[below]) for below in command.commands)
            else:
                yield (name,), command


def ways(name: tuple[str, ...], command: click.Command, word: Word, seats: Sequence[str]) -> Iterator[list[str]]:
    """Yield ways to call a command: bare, with each flag, with a value for each option, as each of the seats."""
    first = [*name, *required(command, word)]
    yield first
    for option in command.params:
        if not isinstance(option, click.Option) or option.required:
            continue
        if option.is_flag:
            yield [*first, option.opts[-1]]
        elif option.name == SEAT:
            yield from ([*first, option.opts[-1], seat] for seat in seats)
        else:
            yield [*first, option.opts[-1], word(command.name or "", option)]


def required(command: click.Command, word: Word) -> list[str]:
    """Return the required words of a command."""
    words: list[str] = []
    for param in command.params:
        if (command.name, param.name) in OPTIONAL:
            continue
        if isinstance(param, click.Argument):
            words.append(word(command.name or "", param))
        elif param.required or (command.name, param.name) in OWED:
            words += [param.opts[-1], word(command.name or "", param)]
    return words


def word(param: click.Parameter, known: Mapping[str, str], otherwise: str, chance: random.Random | None = None) -> str:
    """Return the word for a parameter by its name, or one of its choices: a random one if `chance` is set."""
    if isinstance(param.type, click.Choice):
        choices = [str(choice) for choice in param.type.choices]
        return chance.choice(choices) if chance else choices[0]
    return known.get(param.name or "", otherwise)
