"""Check that every command has an example and is in docs/reference/commands.md, and README has two commands."""

import re
import shlex
import tomllib
from collections.abc import Iterator

import click
import pytest

from tests.at_least_one import at_least_one
from tests.cli.terminal import ROOT, Terminal
from tests.face.cli import COMMANDS, GLOSSARY, RENAMED, SECTIONS, TERMS, argument_help, umpire
from tests.face.desk import EDITION
from tests.language.structure import LONGEST_HELP, begins_with_verb

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_have_help_with_an_example_and_are_on_the_page(terminal: Terminal, command: str) -> None:
    said = terminal.ok(command, "--help").out
    assert "Example" in said
    assert f"umpire {command}" in said
    assert f"umpire {command}" in PAGE


def test_readme_section_has_exactly_two_commands() -> None:
    section = README.split("## Two commands", 1)[1].split("\n## ", 1)[0]
    assert len(re.findall(r"^```sh$", section, re.M)) == 2
    assert len(re.findall(r"^```", section, re.M)) == 4


def test_edition_is_the_version_of_the_package() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == EDITION


def test_every_runtime_package_is_pinned_to_a_range_and_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    locked = (ROOT / "requirements.lock").read_text().lower()
    for requirement in at_least_one((*project["dependencies"], *project["optional-dependencies"]["test"])):
        name = re.match(r"[a-z0-9-]+", requirement)
        assert name is not None
        assert ">=" in requirement
        assert ",<" in requirement
        assert f"\n{name[0]}==" in locked, requirement


@pytest.mark.parametrize(("former", "name"), sorted(RENAMED.items()))
def test_former_name_of_a_command_still_works_and_is_hidden(terminal: Terminal, former: str, name: str) -> None:
    assert terminal.ok(former, "--help").out == terminal.ok(name, "--help").out
    assert terminal.ok("--no-pager", former, "--help").out.startswith(f"Usage: umpire {name} ")
    assert f"\n  {former} " not in terminal.ok("--help").out


@pytest.mark.parametrize(("typed", "meant"), [("stauts", "status"), ("chekc", "check-title"), ("lnies", "branches")])
def test_mistyped_command_names_the_nearest(terminal: Terminal, typed: str, meant: str) -> None:
    """Lead from a mistyped former name to the present one."""
    refused = terminal.type(typed)
    assert refused.code == 2
    assert meant in refused.err.splitlines()[-1]


@pytest.mark.parametrize("command", sorted(TERMS))
def test_terms_in_help_are_headings_of_the_glossary(terminal: Terminal, command: str) -> None:
    headings = re.findall(r"^### (.+)$", (ROOT / GLOSSARY).read_text("utf-8"), re.M)
    assert [term for term in TERMS[command] if term.capitalize() not in headings] == []
    assert f"Glossary ({GLOSSARY}):" in terminal.ok(command, "--help").out


# --- the shape of every command's help --------------------------------------------------------------------------------

MOST_LINES, WIDEST_LINE = 12, 80
HEADINGS = ("Arguments:", "Options:", "Commands:")


def _commands(group: click.Group, words: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        yield " ".join((*words, name)), command
        if isinstance(command, click.Group):
            yield from _commands(command, (*words, name))


EVERY = dict(_commands(umpire))


@pytest.fixture(params=sorted(EVERY))
def words(request: pytest.FixtureRequest) -> str:
    """Return the words of a command or subcommand."""
    return str(request.param)


@pytest.fixture
def page(terminal: Terminal, words: str) -> str:
    """Return the help of that command."""
    return terminal.ok(*words.split(), "--help").out


def _before_options(page: str) -> list[str]:
    lines = page.split("\n")
    begin = lines.index("")
    end = next(at for at, line in enumerate(lines) if line in HEADINGS)
    return [line.strip() for line in lines[begin:end] if line.strip() not in ("", "Example:", "Examples:")]


def test_summary_begins_with_a_verb_and_is_short(words: str) -> None:
    first = (EVERY[words].help or "").split("\n", 1)[0]
    assert begins_with_verb(first)
    assert len(first.rstrip(".")) <= LONGEST_HELP


def test_summary_is_the_line_in_the_list_of_commands() -> None:
    listed = {name: says for section in SECTIONS.values() for name, says in section.items()}
    assert {name: (EVERY[name].help or "").split("\n", 1)[0] for name in listed} == {
        name: f"{says}." for name, says in listed.items()
    }


def test_text_before_options_is_short(page: str) -> None:
    assert len(_before_options(page)) <= MOST_LINES


def test_lines_are_narrow_and_have_no_bare_range(page: str) -> None:
    assert [line for line in page.split("\n") if len(line) > WIDEST_LINE] == []
    assert re.findall(r"x[<>]=|\bINTEGER\b|--\S+ TEXT\b", page) in ([], ["--remedy TEXT"], ["--ruling TEXT"])


def test_options_and_arguments_have_help(words: str) -> None:
    command = EVERY[words]
    silent = [
        one.name
        for one in command.params
        if not (one.help if isinstance(one, click.Option) else argument_help(command, one))  # type: ignore[arg-type] # the only two kinds
    ]
    assert silent == []


def test_examples_parse(words: str, page: str) -> None:
    examples = [line for line in _before_options(page) if line.startswith(("umpire ", "python "))]
    assert examples
    for example in examples:
        if example.startswith("umpire "):
            _parse(shlex.split(re.split(r" >>? | \| ", example)[0])[1:])


def _parse(typed: list[str]) -> None:
    """Parse a typed command as click does, without running it."""
    command: click.Command = umpire
    context = click.Context(umpire, info_name="umpire")
    while isinstance(command, click.Group):
        inner = command.get_command(context, typed[0])
        assert inner is not None, typed
        command, typed = inner, typed[1:]
    command.make_context(command.name or "", typed, parent=context)
