"""Follow the tutorial of an own game to the first rewind; check that the scenario language is complete."""

import re
import shlex
from pathlib import Path

import msgspec

from tests.at_least_one import at_least_one
from tests.cli.terminal import Terminal
from tests.docs import pages
from tests.face.desk import examined
from tests.face.domain import (
    FUNCTIONS,
    KINDS,
    NAMES,
    SAYS,
    SEQUENCE_WORDS,
    TYPES,
    DoText,
    OrderText,
    PlusText,
    RequireText,
    TakesText,
)
from tests.face.testing import FIXTURES

DOCS = pages.ROOT / "docs"
TUTORIAL = (DOCS / "tutorials" / "custom-games.md").read_text(encoding="utf-8")
LANGUAGE = (DOCS / "reference" / "scenario-language.md").read_text(encoding="utf-8")
TRIPLEA = (DOCS / "how-to" / "triplea.md").read_text(encoding="utf-8")


def test_from_an_empty_file_to_the_first_rewind(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    file = re.findall(r"^```toml\n(.+?)^```", TUTORIAL, re.MULTILINE | re.DOTALL)[0]
    commands = re.findall(r"^```console\n(.+?)^```", TUTORIAL, re.MULTILINE | re.DOTALL)[0]
    terminal.write("mine.toml", file)
    for line in at_least_one(commands.splitlines()):
        terminal.ok(*shlex.split(line)[1:])
    assert terminal.ok("status", "patrols", "--json").json["open"] == ["A"]


def test_first_own_order_of_the_page_runs(tmp_path: Path) -> None:
    """Use the file of the page with the two lines changed and the order added."""
    terminal = Terminal(tmp_path)
    file, order, *_ = re.findall(r"^```toml\n(.+?)^```", TUTORIAL, re.MULTILINE | re.DOTALL)
    commands = re.findall(r"^```console\n(.+?)^```", TUTORIAL, re.MULTILINE | re.DOTALL)[1]
    (board,) = re.findall(r"`(board = .+ 6 } })`; step A", TUTORIAL)
    changed = file.replace("accounts =", f"{board}\naccounts =").replace('allows = ["move"]', 'allows = ["march"]')
    terminal.write("mine.toml", f"{changed}\n{order}")
    for line in at_least_one(commands.splitlines()):
        typed, _, refused = line.partition("# refused: ")
        answer = terminal.type(*shlex.split(typed)[1:])
        assert answer.code == (3 if refused else 0), (line, answer)
        assert refused in answer.err
    assert terminal.ok("status", "patrols-2", "--json").json["open"] == ["A"]


def test_map_of_triplea_on_the_page_runs(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    commands = re.findall(r"^```console\n(.+?)^```", TRIPLEA, re.MULTILINE | re.DOTALL)[0]
    assert "--from-triplea" in commands
    for line in at_least_one(commands.splitlines()):
        terminal.ok(*shlex.split(line.replace("fixtures/", f"{FIXTURES}/"))[1:])


def test_page_has_every_word_of_the_language() -> None:
    for word in (*SEQUENCE_WORDS, *FUNCTIONS, *NAMES):
        assert re.search(rf"`{word}\b", LANGUAGE), word


def test_page_has_every_entry_of_an_order() -> None:
    for one in (OrderText, TakesText, DoText, RequireText, PlusText):
        for field in msgspec.structs.fields(one):
            assert re.search(rf"\b{field.encode_name}\b", LANGUAGE), field.encode_name
    for kind in TYPES:
        assert f"`{kind}`" in LANGUAGE or kind == "choice", kind


def test_order_on_the_page_is_valid(tmp_path: Path) -> None:
    order = re.findall(r"^```toml\n(.+?)^```", LANGUAGE, re.MULTILINE | re.DOTALL)[0]
    fixture = (FIXTURES / "freeform" / "your-own" / "outpost.toml").read_text(encoding="utf-8")
    before, _, rest = fixture.partition("[orders.fire]")
    after = rest[rest.index("# --- what the sequence names") :]
    assert not examined(before + order + after, "freeform").findings


def test_page_has_every_entry_of_a_place() -> None:
    rows = {kind: re.findall(rf"^\| `{kind}` \| (.*) \|$", LANGUAGE, re.MULTILINE) for kind in KINDS}
    beside = {"name", "inside", "when", "rules", "draws", "throws", "seals", "does"}
    wanted = {(kind, entry) for kind in KINDS for entry in SAYS[kind] - beside}
    assert {(kind, entry) for kind, entry in wanted if f"`{entry}`" in str(rows[kind])} == wanted
