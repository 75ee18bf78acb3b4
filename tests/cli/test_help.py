"""Check that every command has an example and is in docs/reference/commands.md, and README has two commands."""

import re
import tomllib

import pytest

from tests.at_least_one import at_least_one
from tests.cli.terminal import ROOT, Terminal
from tests.face.cli import COMMANDS, GLOSSARY, RENAMED, TERMS
from tests.face.desk import EDITION

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
