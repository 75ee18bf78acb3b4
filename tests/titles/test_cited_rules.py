"""Check that every rule that a title cites is on its typed page (`cited_rules.py`)."""

import json
import shutil
from pathlib import Path

import pytest

from tests.at_least_one import at_least_one
from tests.cited_rules import ROOT, TITLES, cited_in_code, wrong, wrong_refusal
from tests.typed_pages import ELSEWHERE, cited_elsewhere, page

OURS = {"105.IW", "every roll", "units"}
"""Names under which house numbers are cited if no label matches."""
FIXTURES = ROOT / "fixtures"
every_page = pytest.mark.parametrize("title_id", TITLES)
FEDERATION = TITLES["federation-and-empire"]


def folder_of(title_id: str) -> Path:
    return ROOT / "domain" / "titles" / title_id.replace("-", "_")


def faults_of(title_id: str, folder: Path) -> list[str]:
    title = TITLES[title_id]
    paths = {path.partition("/")[0] for path in title.printed.values()}
    cited = [one for one in cited_in_code(folder) if one.text not in paths]
    assert len(cited) > 50, "the titles cite their rules; if nothing is found, it is the search that fails"
    return [
        f"{one.at}: {fault}" for one in cited for fault in wrong(title, one.text) if "is not printed at" not in fault
    ]


@every_page
def test_rules_cited_by_the_code_are_on_the_page(title_id: str) -> None:
    assert not faults_of(title_id, folder_of(title_id))


@every_page
def test_rules_cited_in_recorded_games_are_on_the_page(title_id: str) -> None:
    logs = sorted((FIXTURES / title_id / "replays").glob("*.jsonl"))
    lines = (json.loads(line) for log in logs for line in log.read_text(encoding="utf-8").splitlines())
    cited = {line.get("event", {}).get("rule", "") for line in lines} - {""}
    assert cited
    assert not {rule: faults for rule in cited if (faults := wrong(TITLES[title_id], rule))}


def test_rules_cited_elsewhere_are_listed_with_a_reason() -> None:
    lines = [line.split("|") for line in ELSEWHERE.read_text(encoding="utf-8").splitlines() if "|" in line]
    for title_id, cited, why in at_least_one(lines[1:]):
        title = TITLES[title_id.strip()]
        labels = {line.label for line in page(title.id)}
        numbers = {number for line in page(title.id) for number in line.rules}
        known = labels | numbers | title.plan.places.keys() | OURS
        assert cited.strip() in known, cited
        assert len(why.split()) > 4, f"{cited} has no reason"


NOT_PRINTED = (
    ("economy/economy.py", 'income-stated", "430.1"', 'income-stated", "999.1"'),  # in the refusal itself
    ("combat/rescues.py", '"537.2" if', '"999.1" if'),  # after a name, if the step decides
    ("rule_numbers.py", '("410.22",)', '("999.1",)'),  # in the table of printed numbers
    ("movement/missions.py", 'rule_of(game, "410.56"', 'rule_of(game, "999.1"'),  # handed to a helper
)


class TestFaultyCitations:
    """Plant a number that is not printed at each place where a title may keep one."""

    def test_rule_that_is_not_printed_is_found(self, tmp_path: Path) -> None:
        """Plant one in each of four modules of one copy: reading the title takes seconds."""
        folder = tmp_path / "federation_and_empire"
        shutil.copytree(folder_of(FEDERATION.id), folder)
        for module, sound, planted in NOT_PRINTED:
            text = (folder / module).read_text(encoding="utf-8")
            assert sound in text
            (folder / module).write_text(text.replace(sound, planted, 1), encoding="utf-8")
        found = {(one.partition(":")[0], one.partition(": ")[2]) for one in faults_of(FEDERATION.id, folder)}
        assert found == {(Path(module).name, "999.1 is not on the page") for module, *_ in NOT_PRINTED}

    @pytest.mark.parametrize(
        ("title_id", "module", "sound", "planted"),
        [
            ("war-galley", "status.py", "purpose=purpose, rule=DISENGAGE", 'rule="G.9"'),
            ("pacific-war", "activation.py", '"5.1.P [20.3]"', '"5.1.P [20.35]"'),
            ("red-coat-rags", "pieces.py", "verify_place(game, place, rule)", 'verify_place(game, place, "2f")'),
            ("twilight-imperium-3", "invasion.py", '"TA.5.neutral"', '"TA.5x"'),
        ],
    )  # fmt: skip
    def test_label_that_is_not_printed_is_found(
        self, tmp_path: Path, title_id: str, module: str, sound: str, planted: str
    ) -> None:
        folder = tmp_path / "title"
        shutil.copytree(folder_of(title_id), folder)
        text = (folder / module).read_text(encoding="utf-8")
        assert sound in text
        (folder / module).write_text(text.replace(sound, planted, 1), encoding="utf-8")
        assert faults_of(title_id, folder)

    def test_rule_of_a_refusal_is_checked(self) -> None:
        assert wrong_refusal("Federation & Empire 1C5 (999.1)")
        assert wrong_refusal("Federation & Empire 99Z (447.1)")
        assert wrong_refusal("War Galley E.2, Z.9")
        assert not wrong_refusal("Federation & Empire 1C5 (447.1)")
        assert not wrong_refusal("War Galley D [6.22], E.2")

    def test_number_of_another_label_is_found(self) -> None:
        assert "447.1" not in cited_elsewhere(FEDERATION.id)
        assert wrong(FEDERATION, "1A2 (447.1)") == ["447.1 is not printed at 1A2"]

    def test_number_of_the_heading_above_is_valid(self) -> None:
        assert not wrong(FEDERATION, "5-5B (302.5)")
