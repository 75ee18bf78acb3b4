"""Complete names for the shell from the ledger, from a game as the seat knows it, and from a title.

Only completion imports this module. The word in the help of a command (`SEAT`, `DISPUTE`, `--unit`) shows the kind of
name.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

import click
import msgspec
from click.shell_completion import CompletionItem

import umpire_ledger as umpire
from umpire_ledger.cli.options import DEFAULT_LEDGER, complete_game
from umpire_ledger.desk.core.errors import EXPECTED
from umpire_ledger.desk.orders import titles as catalogue
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.projections.record.escaping import inert

NEWEST = 12
"""Number of newest orders whose positions are offered."""
Names = Callable[[click.Context], Iterable[str]]


def with_names(command: click.Command) -> click.Command:
    """Add completion to each parameter of the command that takes a name."""
    for param in command.params:
        names = _source(param)
        if names is not None:
            or_file = "FILE" in str(param.metavar)
            param.shell_complete = _completing(names, or_file=or_file)  # type: ignore[method-assign, assignment] # click's own hook is private
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        with_names(inner)
    return command


def _source(param: click.Parameter) -> Names | None:
    has_own = getattr(param, "_custom_shell_complete", None) is not None
    if has_own or param.name == "where" or isinstance(param.type, click.Choice):
        return None
    words = str(param.metavar or "").strip("[]").split("|")
    return BY_NAME.get(param.name or "") or next((BY_WORD[one] for one in words if one in BY_WORD), None)


def _completing(names: Names, *, or_file: bool) -> Callable[[click.Context, str], list[CompletionItem]]:
    def complete(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        found: Iterable[str] = ()
        with suppress(*EXPECTED):  # without names, nothing is completed
            found = list(names(ctx))
        fits = (one for one in dict.fromkeys(found) if one.startswith(incomplete) and inert(one) == one)
        items = [CompletionItem(one) for one in fits]
        return items or [CompletionItem(incomplete, type="file")] * or_file

    return complete


def typed(ctx: click.Context, name: str) -> str:
    """Return a typed argument. Click assigns no arguments after an option without its value, so find them."""
    found = ctx.params.get(name)
    if found:
        return str(found)
    places = [one.name for one in ctx.command.params if isinstance(one, click.Argument)]
    at = places.index(name) if name in places else len(ctx.args)
    return ctx.args[at] if at < len(ctx.args) else ""


# --- names of a game --------------------------------------------------------------------------------------------------


def _of_game(ask: Callable[[umpire.Seat], Iterable[str]]) -> Names:
    def names(ctx: click.Context) -> Iterator[str]:
        where = str(ctx.params.get("where") or os.environ.get("UMPIRE_LEDGER") or DEFAULT_LEDGER)
        seat = str(ctx.params.get("seat") or "referee")
        with umpire.open(where, read_only=True) as desk:
            yield from ask(desk.game(typed(ctx, "game_id")).seat(seat))

    return names


def _units(seat: umpire.Seat) -> Iterator[str]:
    yield from (unit.id for unit in seat.units(gone=True))


def _rules(seat: umpire.Seat) -> Iterator[str]:
    """Yield the rule numbers in the game's rulings and in its sequence."""
    yield from (one.rule for one in seat.rulings() if one.rule)
    for step in catalogue.sequence(seat.game.title or seat.game.title_id):
        yield from map(str, step["cites"])


def _steps(seat: umpire.Seat) -> Iterator[str]:
    yield from (str(step["id"]) for step in catalogue.sequence(seat.game.title or seat.game.title_id))


def _undo_points(seat: umpire.Seat) -> Iterator[str]:
    for point in seat.undo_points():
        yield from (point.step, f"#{point.position}")


def _newest(seat: umpire.Seat) -> Iterator[str]:
    """Yield the positions of the newest orders, without #, which begins a comment in a shell."""
    yield from (str(one.position) for one in seat.orders(last=NEWEST))


def _seats(seat: umpire.Seat) -> Iterator[str]:
    yield from seat.game.seats


def _dispute_ids(seat: umpire.Seat) -> Iterator[str]:
    yield from (one.dispute for one in seat.disputes())


# --- names of a title and of the ledger -------------------------------------------------------------------------------


def _titles(_: click.Context) -> list[str]:
    return catalogue.title_ids()


def _orders(ctx: click.Context) -> list[str]:
    return [one.order for one in catalogue.orders(typed(ctx, "title_id"))]


def _options(ctx: click.Context) -> Iterator[str]:
    """Yield options of the title such as `weather=true`; for a true/false option, with both values."""
    for name, value in catalogue.page(typed(ctx, "title_id")).options.items():
        yield from (f"{name}=true", f"{name}=false") if isinstance(value, bool) else (f"{name}={value}",)


def _events(_: click.Context) -> list[str]:
    return [str(kind.__struct_config__.tag) for kind in AnyEvent.__args__ if issubclass(kind, msgspec.Struct)]


def _games(ctx: click.Context) -> list[str]:
    return complete_game(ctx, click.Argument(["game_id"]), "")


BY_NAME: dict[str, Names] = {
    "unit_id": _of_game(_units),
    "unit": _of_game(_units),
    "account_id": _of_game(lambda seat: seat.status.accounts),
    "side": _of_game(lambda seat: seat.game.sides),
    "seat": _of_game(_seats),
    "who": _of_game(_seats),
    "author": _of_game(_seats),
    "step": _of_game(_steps),
    "rule": _of_game(_rules),
    "dispute_id": _of_game(_dispute_ids),
    "to": _of_game(_undo_points),
    "event": _events,
    "title_id": _titles,
    "order_name": _orders,
    "options": _options,
    "game_id": _games,
}
"""Sources of names, by the name of the parameter."""
BY_WORD: dict[str, Names] = {
    "SEAT": _of_game(_seats),
    "DISPUTE": _of_game(_dispute_ids),
    "GAME": _games,
    "#N": _of_game(_newest),
    "#N…": _of_game(_newest),
}
"""Sources of names, by the word in the help."""
