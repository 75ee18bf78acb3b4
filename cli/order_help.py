"""Write help on one order, and on the orders that a seat can give now, as lines."""

from collections.abc import Iterator, Sequence

import click

from umpire_ledger.desk.orders.order_pages import ArgumentLine, Openings, OrderPage

WIDTH = 100


def help_on_order(page: OrderPage, game_id: str) -> Iterator[str]:
    """Yield the text of `umpire order GAME ORDER --help`: usage, arguments and an example, if possible of this game."""
    yield f"Usage: umpire order {game_id} {page.usage} [--as SEAT]"
    yield ""
    yield f"  {page.help}"
    yield from argument_lines(page)
    yield ""
    yield f"{'Example' if page.here else 'Example of another game'}: umpire order {game_id} {page.example}"
    yield f"As JSON: {page.example_json}"
    if page.steps:
        yield f"Steps:   {', '.join(page.steps)}"


def argument_lines(page: OrderPage) -> Iterator[str]:
    """Yield the arguments of an order, then the options, each with its description."""
    for title, some in (
        ("Arguments", [one for one in page.arguments if one.by_position]),
        ("Options", [one for one in page.arguments if not one.by_position]),
        ("Options of every order", page.beside),
    ):
        if some:
            yield ""
            yield from _table(title, some)


def _table(title: str, some: Sequence[ArgumentLine]) -> list[str]:
    formatter = click.HelpFormatter(max_width=WIDTH, width=WIDTH)
    with formatter.section(title):
        formatter.write_dl([(one.form, one.says) for one in some])
    return formatter.getvalue().rstrip("\n").split("\n")


def help_on_game(openings: Openings, game_id: str) -> Iterator[str]:
    """Yield the text of `umpire order GAME --help`: the orders that can be given now."""
    yield f"Usage: umpire order {game_id} ORDER [ARGUMENTS]… [--as SEAT]"
    yield ""
    yield f"  {openings.where}"
    if openings.now:
        yield ""
        formatter = click.HelpFormatter(max_width=WIDTH, width=WIDTH)
        with formatter.section("Possible orders now"):
            formatter.write_dl([(one.usage, one.help) for one in openings.now])
        yield from formatter.getvalue().rstrip("\n").split("\n")
    yield ""
    yield f"At any time: {', '.join(openings.always)}"
    if openings.worth_trying:
        yield ""
        yield "Suggested:"
        yield from (f"  umpire order {game_id} {line}" for line in openings.worth_trying)
    yield ""
    yield f"Help on one order: umpire order {game_id} ORDER --help"
