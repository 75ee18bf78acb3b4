"""Opening a game: the scenario's set-up, a fresh seed where the ledger throws the dice, and the first step."""

from collections.abc import Mapping

import msgspec

from umpire_ledger.domain.flow.walk import Walk
from umpire_ledger.domain.game.decision import Decision
from umpire_ledger.domain.game.dice import commitment_of
from umpire_ledger.domain.game.errors import ScenarioError
from umpire_ledger.domain.game.events import AnyEvent, DiceCommitted, DiceSeeded, DiceSource, GameOpened, Told, Value
from umpire_ledger.domain.game.scenario import Scenario, read_scenario, title_of
from umpire_ledger.domain.game.secrets import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.faults import call
from umpire_ledger.domain.kit.title import Title


def scenario_for(title: Title, text: str) -> Scenario:
    """The scenario of a file, checked against the title that it names.

    Raises:
        ScenarioError: another title's, or a line of it does not fit the schema.
        TitleFault: the schema's own code raised something else.
    """
    named = title_of(text)
    if named != title.id:
        raise ScenarioError(
            f"the scenario is for {named}, not for {title.id}",
            where="$.title",
            rule="the title's scenario schema",
            remedy=f"open it with `umpire new {named}`",
        )
    scenario: Scenario = call(title.id, "reading a scenario", read_scenario, (text, title.scenario))
    return scenario


def open_game(
    title: Title, scenario: Scenario, *, game: str, dice: DiceSource, seed: str, options: Mapping[str, Value]
) -> Decision:
    """The first order of every game: what the scenario sets up, and the first step. `seed`: 64 hex digits.

    Raises ScenarioError for an option that the title does not know, set by the scenario or by `options`.
    """
    settled = settle_options(title, {**scenario.options, **options})
    public = call(title.id, "what is public of a scenario", scenario.published, ())
    sheets = call(title.id, "what is looked up beside the tables", scenario.sheets, ())
    opened = GameOpened(
        game=game,
        title=title.id,
        version=title.version,
        name=scenario.name,
        sides=scenario.sides,
        dice=dice,
        options=settled,
        tables={**msgspec.to_builtins(scenario.tables), **sheets},
        scenario=msgspec.to_builtins(public),
    )
    walk = Walk(title, Game())
    walk.tell(opened)
    if dice == "ledger":
        for told in seeding(seed, game):
            walk.tell(told)
    walk.decision = title.set_up
    for event in title.set_up(msgspec.structs.replace(scenario, options=settled)):
        walk.tell(event)
    walk.decision = None
    walk.begin()
    return Decision(told=tuple(walk.told), game=walk.game)


def settle_options(title: Title, given: Mapping[str, Value]) -> dict[str, Value]:
    """Every option of a game: what is given, and the title's default for the others.

    A title without a sequence takes any option: it plays under rules that we do not have.
    Raises ScenarioError, with the option's path, for one that the title does not know or of another type.
    """
    known = {CLOSED_TO_REFEREE: False, **title.options}
    for name, value in given.items():
        path = f"$.options.{name}"
        if name not in known:
            if title.sequence is not None:
                remedy = f"options of this title: {', '.join(sorted(known))}"
                raise _refuse(f"{title.name} has no option {name}", path, remedy)
        elif known[name] is not None and type(value) is not type(known[name]):
            kind = _KINDS.get(type(known[name]), "a list of names")
            raise _refuse(f"option {name} is {value!r}", path, f"give it {kind}, for instance {known[name]!r}")
    return {**title.options, **given}


_KINDS: dict[type, str] = {bool: "true or false", int: "a whole number", str: "a word"}


def _refuse(what: str, where: str, remedy: str) -> ScenarioError:
    return ScenarioError(what, where=where, rule="the title's options", remedy=remedy)


def seeding(seed: str, label: str) -> tuple[AnyEvent | Told, ...]:
    """A new seed for the ledger's dice: its commitment for all, itself for nobody."""
    return (DiceCommitted(commitment=commitment_of(seed), label=label), Told(DiceSeeded(seed=seed), ()))
