"""Check situation reports of recorded turns as mail, Markdown and JSON, and as other seats may read them."""

import re
from base64 import b64decode
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.at_least_one import at_least_one
from tests.cli.terminal import Terminal
from tests.face.cli import UNKNOWN
from tests.naming import Naming

SVG = "{http://www.w3.org/2000/svg}"

REPLAYS = Path(__file__).parents[2] / "fixtures"


def imported(terminal: Terminal, replay: str) -> Terminal:
    terminal.ok("import", str(REPLAYS / replay))
    return terminal


@pytest.fixture
def harbour(terminal: Terminal) -> Terminal:
    return imported(terminal, "war-galley/replays/great-harbour.jsonl")


@pytest.fixture
def border(terminal: Terminal) -> Terminal:
    return imported(terminal, "federation-and-empire/replays/border-war.jsonl")


def section(report: dict[str, Any], name: str) -> list[str]:
    found: list[str] = next(one["lines"] for one in report["sections"] if one["name"] == name)
    return found


class TestMail:
    def test_first_line_of_a_report_is_the_subject(self, border: Terminal) -> None:
        out = border.ok("sitrep", "border-war", "--turn", "1", "--side", "coalition").out
        assert out.startswith("border-war 1.END-PT SITREP\n\nTurn 1, Fall Y168, Coalition\nRecords #74 to #")

    def test_lines_of_a_report_have_at_most_78_characters(self, border: Terminal) -> None:
        out = border.ok("sitrep", "border-war", "--turn", "1").out
        assert max(map(len, out.splitlines())) <= 78

    @pytest.mark.parametrize("command", ["sitrep", "conformance"])
    def test_turn_after_the_present_one_is_refused(self, harbour: Terminal, command: str) -> None:
        turn = harbour.ok("status", "great-harbour", "--json").json["turn"]
        harbour.ok(command, "great-harbour", "--turn", str(turn))
        assert harbour.type(command, "great-harbour", "--turn", str(turn + 1)).code == UNKNOWN

    def test_report_of_an_unknown_side_suggests_the_nearest(self, harbour: Terminal) -> None:
        answer = harbour.type_json("sitrep", "great-harbour", "--side", "athenes")
        assert (answer.code, answer.error["refusal_code"]) == (6, "not-there")
        assert answer.error["remedy"] == Naming("athens?")


class TestBattles:
    def test_dice_with_needed_and_outcome(self, border: Terminal) -> None:
        battles = border.ok("sitrep", "border-war", "--turn", "1", "--json").json["battles"]
        (hexed,) = (one for one in battles if one["place"] == "1105")
        (capture,) = [one for one in hexed["dice"] if one.startswith("#734 ")]
        assert capture == Naming("Z-CM-2", 2, 5)
        assert hexed["lost"] == ["Z-DWE"]
        assert "Z-CM-2" in hexed["hurt"]

    def test_losses_without_a_battle_are_listed_separately(self, harbour: Terminal) -> None:
        """List no battle losses: athens-5 sank in G.4 of an earlier ram and took syracuse-5 with her."""
        report = harbour.ok("sitrep", "great-harbour", "--turn", "2", "--json").json
        assert [one["lost"] for one in report["battles"]] == [[], [], []]
        assert "sunk: athens-5 at 1110, syracuse-5 at 1109" in section(report, "Fates")


class TestFates:
    def test_captured_and_recaptured(self, harbour: Terminal) -> None:
        first = harbour.ok("sitrep", "great-harbour", "--turn", "1", "--json").json
        assert "captured: athens-2 by Syracuse at 0410, athens-8 by Syracuse at 1611" in section(first, "Fates")
        second = harbour.ok("sitrep", "great-harbour", "--turn", "2", "--json").json
        assert "recaptured: athens-2 by Athens at 0410" in section(second, "Fates")

    def test_fires(self, harbour: Terminal) -> None:
        first = harbour.ok("sitrep", "great-harbour", "--turn", "1", "--json").json
        (burning,) = [line for line in section(first, "Fates") if line.endswith("fire: athens-3, syracuse-3")]
        second = harbour.ok("sitrep", "great-harbour", "--turn", "2", "--json").json
        assert any(
            line.endswith(": athens-3") and line.partition(":")[0] != burning.partition(":")[0]
            for line in section(second, "Fates")
        )

    def test_scuttled_and_retreated(self, border: Terminal) -> None:
        fates = section(border.ok("sitrep", "border-war", "--turn", "1", "--json").json, "Fates")
        assert "scuttled: K-JAG at 1306" in fates
        assert any(line.startswith("retreated: Z-POL-1 0902 → 0901, K-D5-1 1105 → 1306") for line in fates)


class TestWhatItCost:
    def test_accounts_before_and_after(self, border: Terminal) -> None:
        report = border.ok("sitrep", "border-war", "--turn", "1", "--side", "coalition", "--json").json
        assert "klingon/EP: 60 → 68 (+8)" in section(report, "Accounts")
        assert not [line for line in section(report, "Accounts") if line.endswith("(+0)")], "what is as it was"

    def test_production_without_the_set_up(self, border: Terminal) -> None:
        report = border.ok("sitrep", "border-war", "--turn", "1", "--side", "coalition", "--json").json
        assert "1306: K: D5, GCE, MB, PDU" in section(report, "Production")


def test_as_markdown(border: Terminal) -> None:
    out = border.ok("sitrep", "border-war", "--turn", "1", "--markdown").out
    assert out.startswith("# border-war 1.")
    assert "\n## Battles\n\n- 0902: K: crip F5\n  - \\#247 combat at 0902: attack 2: 5\n" in out


def test_report_for_a_seat_omits_secrets(terminal: Terminal) -> None:
    """Omit the secret rolls of the Allies and Japan for intelligence."""
    imported(terminal, "pacific-war/replays/marianas-final-operation.jsonl")
    for seat in ("japan", "allies", "spectator"):
        out = terminal.ok("sitrep", "marianas-final-operation", "--turn", "1", "--as", seat).out
        assert "intelligence" not in out


def test_report_of_a_copy_has_the_name_of_the_copy(harbour: Terminal) -> None:
    harbour.ok("fork", "great-harbour", "--at", "580", "--id", "what-if")
    assert harbour.ok("sitrep", "what-if", "--turn", "1").out.startswith("what-if 1.H.end SITREP\n")


class Page(HTMLParser):
    """A page's tags, text and pictures."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.pictures: list[tuple[str, ElementTree.Element]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "img":
            said = dict(attrs)
            kind, _, raw = str(said["src"]).partition(",")
            assert kind == "data:image/svg+xml;base64"
            self.pictures.append((str(said["alt"]), ElementTree.fromstring(b64decode(raw))))

    def handle_data(self, data: str) -> None:
        self.text += data


class TestHtml:
    def test_html_report_shows_the_table_before_and_after(self, border: Terminal) -> None:
        page = Page(border.ok("sitrep", "border-war", "--turn", "1", "--side", "coalition", "--html").out)
        assert "border-war 1.END-PT SITREP" in page.text
        before, after = page.pictures[:2]
        assert before[0] == Naming("#73")
        assert after[0] == Naming("#1492", "#73")
        assert page.text == Naming("Z-DWE", 1105)
        ways = [one for one in after[1].iter(f"{SVG}path") if one.get("class") == "way"]
        assert ways
        assert not [one for one in before[1].iter(f"{SVG}path") if one.get("class") == "way"]

    def test_html_report_draws_every_roll_next_to_its_text(self, border: Terminal) -> None:
        words = ("sitrep", "border-war", "--turn", "1", "--side", "coalition")
        page, report = Page(border.ok(*words, "--html").out), border.ok(*words, "--json").json
        rolls = [said for battle in report["battles"] for said in battle["dice"]]
        assert len(page.pictures) - 2 == len(rolls) > 30
        assert all(said in page.text for said in at_least_one(rolls))
        alt, drawn = page.pictures[2]
        assert len(list(drawn.iter(f"{SVG}circle"))) == int(alt), "as many spots as the die shows"
        positions = [at for battle in report["battles"] for at in battle["rolls"]]
        assert [int(said.split()[0][1:]) for said in rolls] == positions

    def test_html_report_is_self_contained_and_runs_no_script(self, harbour: Terminal) -> None:
        text = harbour.ok("sitrep", "great-harbour", "--turn", "2", "--html").out
        page = Page(text)
        assert not {"script", "link", "iframe", "object"} & set(page.tags)
        assert "http" not in re.sub(r"data:[^\"]+|http-equiv", "", text), "nothing is fetched"
        assert "default-src 'none'" in text
        assert {"main", "h1", "h2", "figure", "figcaption"} <= set(page.tags)
        assert '<html lang="en">' in text

    def test_text_of_players_is_escaped_in_html(self, ford: Terminal) -> None:
        ford.give("red", "place", unit="x", side="red", kind="<script>alert(1)</script>", at='"><b>')
        ford.ok("rule", "ford", "</ul><i>it stands</i>", "--why", "because", "--grounds", "house")
        page = Page(ford.ok("sitrep", "ford", "--html").out)
        assert not {"script", "b", "i"} & set(page.tags)
        assert "<i>it stands</i>" in page.text

    def test_to_a_file(self, harbour: Terminal) -> None:
        words = ("sitrep", "great-harbour", "--turn", "2", "--html")
        said = harbour.ok(*words, "-o", "report.html", "--as", "athens").out
        assert said == Naming("report.html", "great-harbour", "2.H.end", "athens")
        assert (harbour.folder / "report.html").read_text(encoding="utf-8") == harbour.ok(*words, "--as", "athens").out

    def test_wrong_options_of_an_html_report_are_refused(self, harbour: Terminal) -> None:
        for words, code, says in (
            (("-o", "report.html"), 2, "--html"),
            (("--html", "-o", "nowhere/report.html"), 2, "nowhere"),
            (("--html", "--side", "athenes"), 6, " athens?"),
        ):
            refused = harbour.type("sitrep", "great-harbour", *words)
            assert refused.code == code
            assert says in refused.err
