"""Every way to call every command, made from the table of commands: a new command is in it by itself."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

import click

from umpire_ledger.cli.main import COMMANDS, umpire

Word = Callable[[str, click.Parameter], str]
"""What is put where a command (its last name) wants a word."""
SEAT = "seat"
LASTING = ("serve",)
"""Runs until it is stopped: `tests/service` attacks it."""
OPTIONAL = {("done", "words")}
"""An answer ends only a step that asks for one; `--answer` is tried as well."""
OWED = {("amend", "why"), ("export", "output")}
"""Options that a command owes with these arguments, though it can do without them otherwise."""


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command of the table, groups opened."""
    with click.Context(umpire) as context:
        for name in (name for name in COMMANDS if name not in LASTING):
            command = umpire.get_command(context, name)
            assert command is not None
            if isinstance(command, click.Group):
                yield from (((name, below), command.commands[below]) for below in command.commands)
            else:
                yield (name,), command


def ways(name: tuple[str, ...], command: click.Command, word: Word, seats: Sequence[str]) -> Iterator[list[str]]:
    """Ways to call a command: bare, with each of its flags, with a word for each option, as each of the seats."""
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
    """The words that a command cannot do without."""
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
    """The word for a parameter by its name; one of its choices where it has some, at random if there is a chance."""
    if isinstance(param.type, click.Choice):
        choices = [str(choice) for choice in param.type.choices]
        return chance.choice(choices) if chance else choices[0]
    return known.get(param.name or "", otherwise)
