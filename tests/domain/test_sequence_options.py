"""Options of a scenario, checked against those that the title knows."""

import pytest

from tests.domain.teaching import NORTH, laid, step, teach, title_of
from tests.face.domain import (
    CLOSED_TO_REFEREE,
    Mark,
    Pay,
    Scenario,
    ScenarioError,
    Side,
    Title,
    Value,
    open_game,
    option,
    set_up_pieces,
)

FOG = title_of(
    step("A", when=option("fog")), step("B", when=option("level", 2)), step("C"), options={"fog": False, "level": 1}
)
FREE = Title(id="free", name="Free", version="1", set_up=set_up_pieces)


def options(title: Title, *, scenario: dict[str, Value] | None = None, **given: Value) -> dict[str, Value]:
    """Return the options of a newly opened game."""
    sides = (Side(id="north", name="North"), Side(id="south", name="South"))
    laid = Scenario(title=title.id, name="a lesson", sides=sides, options=scenario or {})
    opened = open_game(title, laid, game_id="g", dice="table", seed="", options=given)
    return dict(opened.game.options)


class TestConditionOnAnOption:
    """A number is no boolean: `option("level")` asks for true, and the level 1 is not true."""

    def test_number_one_is_not_true(self) -> None:
        asked = title_of(step("A", when=option("level")), step("B"), options={"level": 1})
        teach(asked).then_open("B")

    def test_boolean_and_number_are_what_they_are(self) -> None:
        asked = title_of(step("A", when=option("fog")), step("B"), options={"fog": True, "level": 1})
        teach(asked).then_open("A")
        asked = title_of(step("A", when=option("level", 1)), step("B"), options={"level": 1})
        teach(asked).then_open("A")
        asked = title_of(step("A", when=option("level", 0)), step("B"), options={"level": False})
        teach(asked).then_open("B")


class TestOptions:
    def test_unset_option_has_the_title_s_default(self) -> None:
        assert options(FOG) == {"fog": False, "level": 1}

    def test_option_given_at_opening_overrides_the_scenario(self) -> None:
        assert options(FOG, scenario={"fog": True, "level": 2}, level=3) == {"fog": True, "level": 3}

    def test_unknown_option_is_refused_with_its_path(self) -> None:
        with pytest.raises(ScenarioError) as refused:
            options(FOG, scenario={"fgo": True})
        assert refused.value.where == "$.options.fgo"
        assert refused.value.rule == "the title's options"
        assert refused.value.remedy.endswith(" fog?")

    def test_option_of_wrong_type_is_refused_with_an_example(self) -> None:
        with pytest.raises(ScenarioError) as refused:
            options(FOG, level="high")
        assert refused.value.where == "$.options.level"
        assert refused.value.remedy.endswith(" 1")

    def test_secrets_may_be_closed_to_the_referee_in_every_title(self) -> None:
        assert options(FOG, scenario={CLOSED_TO_REFEREE: True})[CLOSED_TO_REFEREE] is True

    def test_title_without_sequence_takes_any_option(self) -> None:
        """Accept it, because the rules are unknown to Umpire."""
        assert options(FREE, scenario={"house_rule": "no retreat"}) == {"house_rule": "no retreat"}


class TestSkippedSteps:
    def test_order_of_step_excluded_by_option_names_the_option(self) -> None:
        foggy = step("B", allows=(Pay,), when=option("fog"))
        title = title_of(step("A", allows=(Mark,)), foggy, options={"fog": False})
        pay = Pay(seat=NORTH, account="gold", amount=1)
        teach(title).when(pay).then_refused(
            "not-allowed-now",
            rule="A",
            order="pay",
            orders=("mark", "done"),
            says=" fog ",
        )

    def test_so_is_one_of_a_step_that_a_lasting_fact_leaves_out(self) -> None:
        night = laid("night", "it is a night battle", lasting=True)
        title = title_of(step("A", allows=(Mark,)), step("B", allows=(Pay,), when=night))
        pay = Pay(seat=NORTH, account="gold", amount=1)
        teach(title).when(pay).then_refused(
            "not-allowed-now",
            rule="A",
            order="pay",
            orders=("mark", "done"),
            says=" B, ",
        ).then_refused(rule="A", says="it is a night battle")

    def test_order_of_step_with_changing_guard_names_no_guard(self) -> None:
        title = title_of(step("A", allows=(Mark,)), step("B", allows=(Pay,), when=laid("night", "it is night")))
        story = teach(title).when(Pay(seat=NORTH, account="gold", amount=1)).then_refused("not-allowed-now", rule="A")
        assert str(story.refusal.fields["places"]).endswith(" B")  # type: ignore[union-attr]
