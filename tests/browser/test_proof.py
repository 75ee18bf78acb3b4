"""Check the page's own check of its log: whole, redacted, altered, cut, with a checkpoint and dice."""

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import umpire_ledger as umpire
from tests.attacks.damaged_logs import RAW, read, written_anew
from tests.browser.conftest import GREAT_HARBOUR, Open, Pages, verdict_of
from tests.face.projections import put_in
from tests.face.testing import FIXTURES

FORD = "formats/1-edge/ford.whole.jsonl"
DUEL = "formats/1-edge/duel.spectator.jsonl"


def shown(page: Any) -> str:
    """Wait until the log is checked, and return the text of the panel."""
    verdict_of(page)
    page.click("#to-proof")
    return str(page.inner_text("#proof"))


def with_log(pages: Pages, page: Path, log: bytes, name: str) -> Path:
    """Write a copy of the page with another log in it."""
    raw = page.read_bytes()
    begin, end = raw.index(b'<pre id="log"'), raw.index(b"</pre>\n", raw.index(b'<pre id="log"')) + len(b"</pre>\n")
    file = pages.folder / f"{name}.html"
    file.write_bytes(raw[:begin] + b"".join(put_in(log.splitlines(keepends=True))) + raw[end:])
    return file


class TestWholeLog:
    def test_log_is_valid_and_its_root_is_shown(self, pages: Pages, opened: Open) -> None:
        page = opened(pages.of(GREAT_HARBOUR))
        assert "VALID · 611 records" in verdict_of(page)
        assert umpire.verify(FIXTURES / GREAT_HARBOUR).verdict.root in shown(page)

    def test_panel_names_its_limits_and_the_command(self, pages: Pages, opened: Open) -> None:
        said = shown(opened(pages.of(GREAT_HARBOUR)))
        assert "A page cannot prove itself" in said
        assert "umpire verify game.html" in said
        assert umpire.verify(pages.of(GREAT_HARBOUR)).valid

    def test_its_checkpoint_is_the_game_s(self, pages: Pages, opened: Open) -> None:
        with umpire.open(":memory:") as desk:
            text = desk.import_log(FIXTURES / FORD).checkpoint().text()
        page = opened(pages.of(FORD))
        assert text.strip() in shown(page)

    def test_rolls_of_a_revealed_seed_are_recomputed(self, pages: Pages, opened: Open) -> None:
        assert "6 rolls recomputed from the revealed seed" in shown(opened(pages.of(DUEL, "spectator")))


class TestRedactedLog:
    @pytest.mark.parametrize(("log", "seat"), [("ford.spectator", "spectator"), ("ford.red", "red")])
    def test_redacted_log_shows_its_private_records(self, pages: Pages, opened: Open, log: str, seat: str) -> None:
        file = f"formats/1-edge/{log}.jsonl"
        page = opened(pages.of(file, seat))
        assert "VALID WITH REDACTIONS" in verdict_of(page)
        withheld = umpire.verify(FIXTURES / file).verdict.private_withheld
        assert f"{withheld} private, 0 public" in shown(page)

    def test_redacted_content_is_not_in_the_file(self, pages: Pages, opened: Open) -> None:
        """Search for Red's secret choice, which is in the complete log."""
        with umpire.open(":memory:") as desk:
            desk.import_log(FIXTURES / FORD).seat("spectator").page(pages.folder / "spectator.html")
        page = opened(pages.folder / "spectator.html")
        assert "VALID WITH REDACTIONS" in verdict_of(page)
        hidden = [one for one in read((FIXTURES / FORD).read_bytes())[1] if one.visible_to == ()]
        assert all(bytes(one.event) not in (pages.folder / "spectator.html").read_bytes() for one in hidden)
        assert page.evaluate("document.documentElement.outerHTML").count('"inner":') >= len(hidden)


PLACES = {
    "the header": (rb'"format":()1', b"7"),
    "a seat": (rb'"position":200,.*?"seat":"athen()s"', b"a"),
    "an event": (rb'"position":300,.*?"event":\{"type":"[a-z.]+","[a-z]+":"()', b"x"),
    "a hash": (rb'"position":4[0-9]+,[^\n]*?"prior":"()[0-9a-f]', b"g"),
    "the last line": (rb'"size":6()11', b"2"),
}
"""A pattern for the byte to alter, and the new byte, by the name of its place."""


def altered(pages: Pages, place: str) -> Path:
    """Write the page of the Great Harbour with one changed byte in its log."""
    whole = pages.of(GREAT_HARBOUR).read_bytes()
    pattern, byte = PLACES[place]
    found = re.compile(pattern).search(whole, whole.index(b'<pre id="log"'))
    assert found is not None
    at = found.start(1)
    assert whole[at : at + 1] != byte
    file = pages.folder / f"altered in {place}.html"
    file.write_bytes(whole[:at] + byte + whole[at + 1 :])
    return file


class TestAlteredPage:
    @pytest.mark.parametrize("place", PLACES)
    def test_altered_byte_is_located(self, pages: Pages, opened: Open, place: str) -> None:
        file = altered(pages, place)
        ours = umpire.verify(file).verdict
        page = opened(file)
        assert ours.verdict == "INVALID"
        assert f"INVALID from #{ours.first_bad}" in verdict_of(page)
        said = shown(page)
        assert ours.changed_between is None or ours.changed_between[0] == ours.first_bad
        if ours.changed_between and ours.changed_between[0] != ours.changed_between[1]:
            assert "one or more records from #{} to #{}".format(*ours.changed_between) in said

    def test_altered_sentence_is_found_in_a_valid_log(self, pages: Pages, opened: Open) -> None:
        whole = pages.of(GREAT_HARBOUR).read_bytes()
        at = whole.index(b" manpower", whole.index(b'<noscript id="trail">'))
        file = pages.folder / "sentence.html"
        file.write_bytes(whole[:at] + b" manpowar" + whole[at + 9 :])
        page = opened(file)
        assert "sentences changed" in verdict_of(page)
        assert "VALID: All lines" in shown(page)
        assert "The sentences of the trail were changed after this page was written" in page.inner_text("#proof")

    @pytest.mark.parametrize("block", ["facts", "states", "records"])
    def test_damaged_block_is_named(self, pages: Pages, browser: Any, block: str) -> None:
        whole = pages.of(FORD).read_bytes()
        at = whole.index(b'id="%b">' % block.encode()) + 200
        file = pages.folder / f"damaged {block}.html"
        file.write_bytes(whole[:at] + (b"A" if whole[at : at + 1] != b"A" else b"B") + whole[at + 1 :])
        page = browser.new_page()
        page.goto(file.as_uri())
        page.wait_for_selector(f'text=block "{block}" of this file is damaged')
        assert page.get_attribute("html", "data-ready") != "yes"
        page.close()

    def test_lines_in_doubt_are_marked(self, pages: Pages, opened: Open) -> None:
        file = altered(pages, "an event")
        low, high = umpire.verify(file).verdict.changed_between or (0, 0)
        page = opened(file, at=f"#{low}")
        verdict_of(page)
        assert 0 < low <= 300 <= high
        assert page.locator("#rows .doubtful").count() > 0
        assert page.evaluate(f"inDoubt({low}, {high})") is True
        assert page.evaluate(f"inDoubt({high + 1}, {high + 1})") is False

    def test_log_cut_short_is_incomplete(self, pages: Pages, opened: Open) -> None:
        log = b"".join((FIXTURES / FORD).read_bytes().splitlines(keepends=True)[:10])
        page = opened(with_log(pages, pages.of(FORD), log, "cut"))
        assert "INCOMPLETE" in verdict_of(page)
        assert "the log ends at #9" in shown(page)

    def test_forged_die_is_found_by_the_seed(self, pages: Pages, opened: Open) -> None:
        game, records = read((FIXTURES / DUEL).read_bytes())
        at = next(at for at, one in enumerate(records) if b'"pips":[' in bytes(one.event))
        pips = re.sub(
            rb'"pips":\[(\d)', lambda found: b'"pips":[%d' % (int(found[1]) % 6 + 1), bytes(records[at].event)
        )
        forged = written_anew(game, [*records[:at], replace(records[at], event=RAW(pips)), *records[at + 1 :]])
        page = opened(with_log(pages, pages.of(DUEL, "spectator"), forged, "forged"))
        assert f"INVALID from #{at + 1}" in verdict_of(page)
        assert "the seed produces different results" in shown(page)

    def test_altered_script_does_not_run(self, pages: Pages, browser: Any) -> None:
        """Alter only the script, whose hash is in the page's policy. The page says that altering both is possible."""
        file = pages.changed(pages.of(FORD), b"Checking the log", b"Chucking the log", "script")
        page = browser.new_page()
        page.goto(file.as_uri())
        page.wait_for_timeout(300)
        assert page.get_attribute("html", "data-ready") is None
        page.close()


class TestCheckpoint:
    @pytest.fixture
    def page(self, pages: Pages, opened: Open) -> Any:
        page = opened(pages.of(FORD), at="#proof")
        verdict_of(page)
        return page

    @pytest.fixture
    def text(self) -> str:
        with umpire.open(":memory:") as desk:
            return str(desk.import_log(FIXTURES / FORD).checkpoint(12).text())

    def compared(self, page: Any, text: str) -> tuple[str, str]:
        page.fill("#checkpoint", text)
        page.click("#compare button")
        page.wait_for_selector("#compared:not(:empty)")
        return page.get_attribute("#compared", "class"), page.inner_text("#compared")

    def test_of_this_history(self, page: Any, text: str) -> None:
        kind, words = self.compared(page, f"\n {text.replace(chr(10), chr(13) + chr(10))} \n")
        same = "The history matches the checkpoint at #12."
        assert (kind, words) == ("good", f"{same} The log has 17 records after it.")

    def test_of_another_history(self, page: Any, text: str) -> None:
        kind, words = self.compared(page, re.sub(r"\n.(.{42}=)", r"\nA\1", text))
        assert kind == "bad"
        assert words.startswith("INVALID: history differs from the checkpoint at #12")
        assert "#12 was changed" in words, "it says nothing of the records after it"
        assert page.inner_text("#verdict") == "✗ your checkpoint does not match"
        assert page.get_attribute("#verdict", "class") == "bad"
        assert self.compared(page, text)[0] == "good"
        assert page.inner_text("#verdict").startswith("✓ VALID")

    def test_of_a_longer_game(self, page: Any, text: str) -> None:
        kind, words = self.compared(page, text.replace("\n12\n", "\n1200\n"))
        assert (kind, words) == ("bad", "INCOMPLETE: the log ends at #29: the checkpoint covers 1200 records.")

    def test_of_another_game(self, page: Any, text: str) -> None:
        assert self.compared(page, text.replace("ford", "duel")) == (
            "bad",
            "This checkpoint belongs to another game: duel.",
        )

    @pytest.mark.parametrize("words", ["", "ford", "umpire/ford\n12\n", "umpire/ford\ntwelve\nAAAA\n"])
    def test_of_nothing(self, page: Any, words: str) -> None:
        kind, said = self.compared(page, words)
        assert kind == "bad"
        assert said.startswith("This is not a checkpoint. Expected three lines: ")
