"""Test mid-game setups of scenarios: their tables are checked like all others in the file."""

import msgspec
import pytest
from immutables import Map

from tests.domain.teaching import step, title_of
from tests.face.desk import (
    LedgerHistory,
    need_title,
    open_ledger,
    scenario_at,
)
from tests.face.domain import (
    Choice,
    Game,
    MidgameSetup,
    Scenario,
    ScenarioError,
    Secrecy,
    Side,
    StepThere,
    choice_key,
    open_game,
    parse_scenario,
    position_of,
    scenario_for,
    toml_of,
)
from tests.face.testing import Story, folder_of
from umpire_ledger.ledger import replay_log

TITLE = need_title("war-galley")
PACIFIC = need_title("pacific-war")


def middle(title: str, replay: str, at: int) -> str:
    """Return the scenario of a recorded game after the order of a position."""
    with open_ledger(":memory:", create=True) as ledger:
        with (folder_of(title) / "replays" / replay).open("rb") as stream:
            game = replay_log.read_into(ledger, stream)
        return scenario_at(ledger, need_title(title), game, LedgerHistory(ledger, game).order_at(at)[1], "referee")


@pytest.fixture(scope="module")
def harbour() -> str:
    return middle("war-galley", "great-harbour.jsonl", 302)


@pytest.fixture(scope="module")
def sealed() -> str:
    """Japan has sealed its intelligence condition."""
    return middle("pacific-war", "solomons-closing-cycle.jsonl", 300)


def refused(title: object, text: str) -> ScenarioError:
    with pytest.raises(ScenarioError) as refusal:
        Story(title, scenario_for(title, text))
    return refusal.value


G2B = 'open = [{ step = "G.2b", name = "fire spreads", waits = ["syracuse"] }]'
TURN = '[[position.loops]]\nof = "turn"\nname = "game turn"\nnth = 1\n'


class TestOrderOfAnswers:
    def test_answers_are_listed_secret_first_and_by_age(self) -> None:
        """Treat an announced choice as public: only its number of seats was secret."""
        answers = [Choice(question=name, side="red", choice="x", acts=acts) for acts, name in enumerate("cbda", 1)]
        game = Game(acts=9, choices=Map({choice_key(one.question, one.side): one for one in answers}))
        secrets = {
            choice_key("a", "red"): Secrecy(("red",), announced=True),
            choice_key("d", "red"): Secrecy(("red",), announced=False),
        }
        there = position_of(game, secrets).choices
        assert [(one.question, one.acts) for one in there] == [("d", 0), ("c", 8), ("b", 7), ("a", 5)]


class TestSetupContent:
    def test_as_it_is_written_it_opens(self, harbour: str) -> None:
        story = Story(TITLE, scenario_for(TITLE, harbour))
        story.then_open("G.2b")
        assert story.game.turn == 1
        assert story.game.units["athens-3"].get("fire") is True

    def test_setup_without_step_name_and_past_loops_is_read(self, harbour: str) -> None:
        """Write a setup by hand: the step, the sides that it waits for, and the loops around it."""
        plain = harbour.replace(G2B, 'open = [{ step = "G.2b", waits = ["syracuse"] }]')
        story = Story(TITLE, scenario_for(TITLE, plain))
        assert story.game.cursor.open[0].name == "fire spreads"

    @pytest.mark.parametrize(
        ("before", "after", "says", "where", "do"),
        [
            (G2B, "open = []", "no step is open", "open", "name the step"),
            (G2B, 'open = [{ step = "G.9", waits = ["athens"] }]', "no place G.9", "open[0].step", "umpire sequence"),
            (G2B, 'open = [{ step = "G.2b" }]', "waits for no side", "open[0].waits", "name each side"),
            (G2B, 'open = [{ step = "G.2b", waits = ["rome"] }]', "no side rome", "open[0].waits", "athens, syracuse"),
            (G2B, 'open = [{ step = "E.1", waits = ["athens"] }]', "E.1 is not in turn", "open[0].step", "name E"),
            (
                G2B,
                'open = [{ step = "G.2b", waits = ["athens"] }, { step = "G.2b", waits = ["athens"] }]',
                "G.2b cannot be open together with the other steps",
                "open[0]",
                "name one open step",
            ),
            (G2B, G2B.replace("] }", '], given = ["sing"] }'), "no order sing", "open[0].given", "umpire orders"),
            (G2B, G2B.replace('"G.2b"', "7"), "7 is not valid", "open[0].step", "write text"),
            (G2B, G2B.replace("name", "nmae"), "no entry nmae", "open[0].nmae", "did you mean name?"),
            ('of = "turn"', 'of = "tide"', "no place tide", "loops[0].of", "umpire sequence"),
            ('of = "turn"', 'of = "turn"\nkind = "call"', "turn cannot be a call", "loops[0]", "outermost first"),
            ('of = "turn"', 'of = "E"', "E cannot be a loop outside every loop", "loops[0]", "outermost first"),
            ('of = "turn"', 'of = "turn"\nback = "Z"', "no place Z", "loops[0].back", "umpire sequence"),
            ('of = "turn"', 'of = "turn"\nside = "rome"', "no side rome", "loops[0].side", "athens, syracuse"),
            ('of = "turn"', 'of = "turn"\nnth = -1', "overwrite", "", ""),
            ('{ step = "G.2a" }', '{ step = "Z" }', "no place Z", "loops[0].closed", "umpire sequence"),
            (
                '{ step = "G.2a" }',
                '{ step = "G.2a", answer = "sink" }',
                "'sink' is not an answer",
                "closed",
                "answers:",
            ),
            ('at = "0510"', 'at = "0510"\nfate = 3', "3 is not valid", "units[0].fate", "write text"),
            (
                'side = "athens"\nkind = "trireme"\nat = "0510"',
                'side = "rome"\nkind = "x"\nat = "y"',
                "no side rome",
                "units[0].side",
                "athens",
            ),
            (
                "crew = 4, cruise = 4, initiative",
                'crew = "four", cruise = 4, initiative',
                "crew of athens-1",
                "attributes.crew",
                "a whole number",
            ),
            (
                "crew = 4, cruise = 4, initiative",
                "crew = true, cruise = 4, initiative",
                "cannot be True",
                "attributes.crew",
                "a whole number",
            ),
            (
                'unset = ["squadron"]',
                'unset = ["crew"]',
                "crew of athens-2 is both set and unset",
                "units[1].unset",
                "remove it from one",
            ),
            (
                "wind_speed = 4\n",
                'wind_speed = 4\n\n[position.seats]\nathens = "syracuse"\n',
                "the seat athens already exists",
                "seats",
                "choose another id",
            ),
            (
                "wind_speed = 4\n",
                'wind_speed = 4\n\n[position.seats]\nanna = "rome"\n',
                "no side rome",
                "seats.anna",
                "athens",
            ),
        ],
    )
    def test_impossible_setup_is_refused(
        self, harbour: str, before: str, after: str, says: str, where: str, do: str
    ) -> None:
        head, _, position = harbour.partition("[position]")
        assert before in position
        refusal = refused(TITLE, f"{head}[position]{position.replace(before, after, 1)}")
        if says == "overwrite":  # TOML itself refuses a repeated key
            assert "not valid TOML" in refusal.what
            return
        assert says in refusal.what
        assert where in refusal.where
        assert refusal.where.startswith("$.position")
        assert do in refusal.remedy

    def test_two_units_of_one_name(self, harbour: str) -> None:
        refusal = refused(
            TITLE, harbour + '\n[[position.units]]\nid = "athens-1"\nside = "athens"\nkind = "x"\nat = "y"\n'
        )
        assert refusal.where.startswith("$.position.units")
        assert "athens-1" in refusal.what

    def test_setup_of_title_without_sequence_takes_no_open_step(self) -> None:
        title = need_title("freeform")
        text = middle("freeform", "ford.jsonl", 12) + '\n[[position.open]]\nstep = "1"\nwaits = ["red"]\n'
        refusal = refused(title, text)
        assert refusal.where == "$.position.open"
        assert "Freeform" in refusal.what

    def test_only_an_instant_suspends(self, harbour: str) -> None:
        refusal = refused(TITLE, harbour.replace(TURN, TURN + 'held = [{ step = "A", waits = ["athens"] }]\n'))
        assert refusal.where.startswith("$.position.loops[0]")
        assert refusal.what.startswith("turn ")
        assert "`held`" in refusal.remedy

    def test_setup_that_fails_in_the_title_is_refused(self) -> None:
        """Blame the scenario instead of the title, because it has a number instead of a list of names."""
        told = {"admirals": lambda game: tuple(game.markers["admirals"].split())}
        title = title_of(step("1", also="admirals"), roles=told)
        place = MidgameSetup(open=(StepThere(step="1", waits=("north",)),), markers={"admirals": 3})
        sides = (Side(id="north", name="North"), Side(id="south", name="South"))
        with pytest.raises(ScenarioError) as refusal:
            Story(title, Scenario(title="teaching", name="a lesson", sides=sides, position=place))
        assert refusal.value.where == "$.position"
        assert "AttributeError" in refusal.value.what
        assert "compare it with one that `umpire scenario GAME` writes" in refusal.value.remedy


class TestSetupAnswers:
    def test_sealed_answer_without_seats_is_refused(self, sealed: str) -> None:
        assert 'seen_by = ["japan", "referee"]' in sealed or 'seen_by = ["allies", "referee"]' in sealed
        plain = "\n".join(line for line in sealed.splitlines() if not line.startswith("seen_by"))
        refusal = refused(PACIFIC, plain)
        assert "japan" in refusal.what
        assert "seen_by" in refusal.remedy

    def test_sealed_answer_for_unknown_side_is_refused(self, sealed: str) -> None:
        refusal = refused(PACIFIC, sealed.replace('"referee"]', '"rome"]'))
        assert refusal.what.endswith(" rome")
        assert refusal.where.endswith("seen_by")

    def test_twice(self, sealed: str) -> None:
        parsed = parse_scenario(sealed)
        parsed["position"]["choices"] *= 2
        refusal = refused(PACIFIC, toml_of(parsed))
        assert refusal.what.startswith("japan ")
        assert refusal.where.startswith("$.position.choices[")

    def test_opening_shows_a_sealed_answer_to_its_seats_only(self, sealed: str) -> None:
        scenario = scenario_for(PACIFIC, sealed)
        decision = open_game(PACIFIC, scenario, game_id="g", dice="table", seed="", options={})
        secret = {one.seen_by for one in scenario.position.choices if one.seen_by is not None}
        assert {told.visible_to for told in decision.told if hasattr(told, "visible_to")} == secret
        assert "position" not in msgspec.json.encode(decision.told[0]).decode().partition('"scenario"')[2]
