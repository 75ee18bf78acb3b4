"""Run the README's example of a library."""

import contextlib
import io
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.docs import pages


def test_library_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a clone, when the example is run, then the wind was rolled, taken back, and the log given away."""
    (tmp_path / "fixtures").symlink_to(pages.ROOT / "fixtures", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    section = (pages.ROOT / "README.md").read_text(encoding="utf-8").split("## As a library\n", 1)[1]
    (code,) = (found["code"] for found in pages.BLOCK.finditer(section.split("\n## ", 1)[0]))
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "README.md", "exec"), {"__name__": "__main__"})
    assert "roll 1, wind: 2d6: 3 4 = 7" in said.getvalue()
    assert "Join(seat='athens', ship='athens-6'" in said.getvalue()
    assert "Difference(kind='marker', id='wind_direction', what='', before='S', after=None)" in said.getvalue()
    assert "a rewind: play stands again as at #26 (a die was cocked)" in said.getvalue()
    assert umpire.verify("harbour.jsonl").valid
    with umpire.open("umpire.db", read_only=True) as desk:
        assert desk.game("harbour").where == "turn 1 · A the wind · Athens and Syracuse"
