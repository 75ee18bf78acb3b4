"""docs/your-own-game.md: from an empty file to the first rewind, typed as the page gives it; its tables are whole."""

import re
import shlex
from pathlib import Path

from tests.at_least_one import at_least_one
from tests.cli.terminal import Terminal
from tests.docs import pages
from umpire_ledger.domain.titles.freeform.names import SEQUENCE_WORDS
from umpire_ledger.domain.titles.freeform.reading import KINDS, SAYS
from umpire_ledger.domain.titles.freeform.values import FUNCTIONS, NAMES

PAGE = (pages.ROOT / "docs" / "your-own-game.md").read_text(encoding="utf-8")


def test_from_an_empty_file_to_the_first_rewind(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    (file,) = re.findall(r"^```toml\n(.+?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (commands,) = re.findall(r"^```console\n(.+?)^```", PAGE, re.MULTILINE | re.DOTALL)
    terminal.write("mine.toml", file)
    for line in at_least_one(commands.splitlines()):
        terminal.ok(*shlex.split(line)[1:])
    assert terminal.ok("status", "patrols", "--json").json["open"] == ["A"]


def test_every_word_of_the_language_stands_on_the_page() -> None:
    for word in (*SEQUENCE_WORDS, *FUNCTIONS, *NAMES):
        assert re.search(rf"`{word}\b", PAGE), word


def test_every_entry_of_a_place_stands_on_the_page() -> None:
    rows = {kind: re.findall(rf"^\| `{kind}` \| (.*) \|$", PAGE, re.MULTILINE) for kind in KINDS}
    beside = {"name", "inside", "when", "rules", "draws", "throws", "seals", "does"}
    wanted = {(kind, entry) for kind in KINDS for entry in SAYS[kind] - beside}
    assert {(kind, entry) for kind, entry in wanted if f"`{entry}`" in str(rows[kind])} == wanted
