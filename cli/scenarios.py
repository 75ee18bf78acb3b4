"""Write a title's scenario template or a game's position as a scenario, or check a file (`umpire scenario`)."""

from pathlib import Path

import click
import msgspec

import umpire_ledger as umpire
from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.errors import USAGE, usage
from umpire_ledger.cli.options import (
    INPUT_FILE,
    OUTPUT_FILE,
    at_option,
    complete_game,
    json_option,
    ledger_option,
    position,
    seat_option,
)
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.cli.session import between_orders, looking
from umpire_ledger.desk.core.errors import not_there
from umpire_ledger.desk.core.text_files import whole_file
from umpire_ledger.desk.games.quick_status import game_ids
from umpire_ledger.desk.orders.titles import title_ids
from umpire_ledger.domain.game.scenario_fault import SCHEMA_RULE
from umpire_ledger.domain.game.verb_agreement import counted


def complete_title_or_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the titles and the ledger's games that complete a word, for the shell."""
    return [*(one for one in title_ids() if one.startswith(incomplete)), *complete_game(ctx, param, incomplete)]


@click.command(cls=Explained)
@click.argument("game_id", metavar="[TITLE|GAME]", required=False, shell_complete=complete_title_or_game)
@click.option(
    "--check",
    "file",
    type=INPUT_FILE,
    metavar="FILE",
    help="List all faults of a scenario file, with line and remedy. Exit code 2: it has faults.",
)
@click.option(
    "--from-triplea",
    "map_file",
    type=INPUT_FILE,
    metavar="FILE",
    help="Write a freeform scenario from a TripleA map (XML).",
)
@click.option("--schema", is_flag=True, help="Write the JSON Schema of the title's scenarios, for editors.")
@click.option("--template", is_flag=True, help="Write the title's template, even if a game has the same name.")
@at_option
@click.option("-o", "--output", type=OUTPUT_FILE, metavar="FILE", help="Write to this file. Default: print.")
@seat_option
@ledger_option
@json_option
def scenario(
    game_id: str | None,
    file: Path | None,
    map_file: Path | None,
    schema: bool,
    template: bool,
    at: str | None,
    output: Path | None,
    seat: str,
    where: str,
    as_json: bool,
) -> None:
    """Create, check or export a scenario file.

    With TITLE, write a template with every entry, its type and its default; you can start a game from it without
    changes. With GAME, write a scenario that continues the game from its state: units, accounts, markers, answers and
    current step. A seat may write such a scenario if it may see everything in it. Freeform scenarios can come from a
    TripleA map (players, places, units and steps, without rules).

    \b
    Examples:
      umpire scenario war-galley -o battle.toml
      umpire scenario --check battle.toml
      umpire scenario harbour --at 412 -o midway.toml
      umpire scenario --from-triplea map.xml -o map.toml
    """
    if file is not None:
        _no_more_than_a_file("--check", game_id, schema, template, at, output, map_file)
        _check(file, as_json)
    elif map_file is not None:
        _no_more_than_a_file("--from-triplea", game_id, schema, template, at)
        _of_map(map_file, output, as_json)
    elif game_id is None:
        raise usage(
            "name a title or a game", where="umpire scenario", remedy="list them with `umpire titles` or `umpire games`"
        )
    elif schema or template or (at is None and game_id not in game_ids(where) and game_id in title_ids()):
        _of_title(game_id, schema, output, as_json)
    elif game_id not in (*(games := game_ids(where)), *title_ids()):
        raise not_there("title or game", game_id, [*title_ids(), *games], "umpire scenario")
    else:
        _of_game(game_id, at, output, seat, where, as_json)


def _no_more_than_a_file(
    option: str,
    name: str | None,
    schema: bool,
    template: bool,
    at: str | None,
    output: Path | None = None,
    map_file: Path | None = None,
) -> None:
    """Check that an option that takes a file is used alone.

    Raises:
        Refusal: When it is combined with another argument or option.
    """
    given = {"a name": name, "--schema": schema, "--template": template, "--at": at, "-o": output}
    for what, value in {**given, "--from-triplea": map_file}.items():
        if value:
            remedy = f"the file names its own title: `umpire scenario {option} FILE`"
            raise usage(f"{option} takes a file and cannot be combined with {what}", remedy=remedy)


def _of_title(title: str, schema: bool, output: Path | None, as_json: bool) -> None:
    plain = umpire.scenario_schema(title) if schema else None
    text = umpire.scenario_template(title) if plain is None else _laid_out(plain)
    if output is not None:
        with whole_file(output) as out:
            out.write(text.encode())
    what = "the JSON Schema of scenarios" if schema else "a scenario template"
    if plain is not None and output is None:
        print_json(plain)
    elif as_json:
        print_json({"title": title, "file": str(output) if output else None, "scenario": text})
    elif output:
        say(f"Wrote {output}: {what} of {title}.")
    else:
        say(*text.removesuffix("\n").split("\n"))


def _of_map(file: Path, output: Path | None, as_json: bool) -> None:
    text = umpire.scenario_from_triplea(file)
    if output is not None:
        with whole_file(output) as out:
            out.write(text.encode())
    if as_json:
        print_json({"title": "freeform", "file": str(output) if output else None, "scenario": text})
    elif output:
        say(f"Wrote {output}: a freeform scenario from {file}.")
        say(f"Next: umpire new freeform --id ID --scenario {output}")
    else:
        say(*text.removesuffix("\n").split("\n"))


def _laid_out(plain: object) -> str:
    return msgspec.json.format(msgspec.json.encode(plain), indent=2).decode() + "\n"


def _of_game(game_id: str, at: str | None, output: Path | None, seat: str, where: str, as_json: bool) -> None:
    with looking(where, game_id, seat) as looker:
        stood = between_orders(looker.game, position(at))
        text = looker.scenario(output, at=stood)
    if as_json:
        print_json({"game": game_id, "at": stood, "file": str(output) if output else None, "scenario": text})
    elif output:
        say(f"Wrote {output}: {game_id} at #{stood}.")
    else:
        say(*text.removesuffix("\n").split("\n"))


def _check(file: Path, as_json: bool) -> None:
    found = umpire.check_scenario(file)
    if as_json:
        print_json(found)
    else:
        say(*_lines(file, found))
    if found.findings:
        click.get_current_context().exit(USAGE)


def _lines(file: Path, found: umpire.Examined) -> list[str]:
    """Return the faults in the order of the file, each with its remedy; then the entries that are left to the title."""
    count = len(found.findings)
    whole = f"no faults. Next: umpire new {found.title} --id ID --scenario {file}"
    lines = [f"{file}: {counted(count, 'fault') if count else whole}"]
    for one in found.findings:
        place = f"{file}:{one.line}" if one.line else f"{file}, at the end"
        lines += [f"{place}: {one.what}", *([f"  at:   {one.path}"] if one.path else [])]
        lines += [*([f"  rule: {one.rule}"] if one.rule != SCHEMA_RULE else []), f"  do:   {one.remedy}"]
    if found.left_out:
        lines += ["", "default values of the title:"]
        lines += [f"  {one.path} = {one.value} · {one.used}: {one.says}" for one in found.left_out]
    if found.left_to_table:
        lines += ["", "decided at the table, because the file has no entry:"]
        lines += [f"  {one.what} · {one.rule}: {one.remedy}" for one in found.left_to_table]
    return lines
