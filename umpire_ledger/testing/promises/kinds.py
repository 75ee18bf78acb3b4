"""Check that random play covers every kind of order, and both answers of every fact."""

from collections.abc import Iterator

from umpire_ledger.domain.flow.sequence_checks.fault import condition_leaves
from umpire_ledger.domain.game.orders import Order
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.conditions import Fact
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.title_under_test import Trial


def orders(trial: Trial) -> Iterator[Finding]:
    """Yield a finding about every kind of order that the title lists or a step allows, and that play did not cover."""
    seen = trial.observed
    for kind in order_kinds(trial.title):
        steps = [step.id for step in trial.title.plan.leaves() if kind in step.allows]
        known = seen.accepted[kind] and kind in seen.suggested
        if known or (steps and not any(map(seen.could_open, steps))):
            continue
        if kind not in seen.suggested:
            what, remedy = "was never suggested", "give `does` some concrete orders to try where the order is legal"
        else:
            what, remedy = "was never accepted", "let `tries` give one that is legal, or look at what refuses it"
        yield Finding(
            what=f"{kind.tag()} {what} in {counted(trial.played, 'order')}",
            remedy=remedy,
            about=kind.tag(),
            seed=trial.seed,
        )


def order_kinds(title: Title) -> list[type[Order]]:
    """Return all kinds of orders that can be given in a title, sorted by name."""
    allowed = (order for step in title.plan.leaves() for order in step.allows)
    return sorted({*allowed, *(one.order for one in title.orders)}, key=lambda order: order.tag())


def facts(trial: Trial) -> Iterator[Finding]:
    """Yield a finding about each fact with only one answer, except lasting facts and facts that no game could reach."""
    seen = trial.observed
    asked: dict[str, Fact] = {
        use.leaf.name: use.leaf
        for use in condition_leaves(trial.title.plan)
        if isinstance(use.leaf, Fact) and (use.place not in trial.title.plan.places or seen.could_open(use.place))
    }
    for name, fact in sorted(asked.items()):
        answers = seen.answers.of(name)
        if fact.lasting or len(answers) == 2:
            continue
        always = f"was always {str(next(iter(answers))).lower()}" if answers else "was never asked"
        yield Finding(
            what=f"the fact {name} ({fact.words}) {always} in {counted(trial.played, 'order')}",
            remedy="mend its function; declare it `lasting` if it never changes in a game",
            about=name,
            seed=trial.seed,
        )
