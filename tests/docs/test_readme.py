"""Check README: its example of a library runs, its table of titles is right, its links lead somewhere, it is short."""

import contextlib
import io
import re
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.docs import pages

README = (pages.ROOT / "README.md").read_text(encoding="utf-8")
LONGEST = 10_240
"""Bytes; longer texts belong to a page of `docs/`."""


def test_library_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a clone, when the example is run, then the wind was rolled, taken back, and the log exported."""
    (tmp_path / "fixtures").symlink_to(pages.ROOT / "fixtures", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    section = README.split("## Python\n", 1)[1].split("\n## ", 1)[0]
    (code,) = (found["code"] for found in pages.BLOCK.finditer(section))
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "README.md", "exec"), {"__name__": "__main__"})
    assert "2d6: 3 4 = 7" in said.getvalue()
    assert umpire.verify("harbour.jsonl").valid
    with umpire.open("club.db", read_only=True) as desk:
        game = desk.game("harbour")
        assert [record.event for record in game.referee.audit(last=1)] == ["play.rewound"]
        assert [step.step for step in game.referee.status.steps] == ["A"]


def test_table_of_titles_counts_the_steps_of_each() -> None:
    rows = dict(re.findall(r"^\| .* \| `([\w-]+)` \| (\d+) \|$", README, re.M))
    titles = {title.id: str(title.steps) for title in umpire.titles() if title.id != "freeform"}
    assert rows == titles


def test_readme_is_short() -> None:
    assert len(README.encode()) <= LONGEST


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "CONTRIBUTING.md",
        *sorted(file.relative_to(pages.ROOT).as_posix() for file in (pages.ROOT / "docs").rglob("*.md")),
    ],
)
def test_links_and_anchors_lead_somewhere(page: str) -> None:
    file = pages.ROOT / page
    targets = re.findall(r"\]\(([^)\s]+)\)", file.read_text(encoding="utf-8"))
    assert [target for target in targets if not leads_somewhere(file, target)] == []


def leads_somewhere(file: Path, target: str) -> bool:
    """Return whether a link of a page leads to a file, and to a heading of it; other sites are not asked."""
    if target.startswith(("http:", "https:", "mailto:")):
        return True
    path, _, anchor = target.partition("#")
    found = (file.parent / path).resolve() if path else file
    return found.exists() and (not anchor or anchor in anchors(found.read_text(encoding="utf-8")))


def anchors(text: str) -> set[str]:
    """Return the anchors that GitHub makes of the headings of a page."""
    plain = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    headings = re.findall(r"^#+ (.+)$", plain, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
