"""The declaration, and whether play comes to every step of it."""

from collections.abc import Iterator

from umpire_ledger.domain.flow.sequence_checks.every_check import check
from umpire_ledger.domain.sequence.constructs import Step
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.run import play
from umpire_ledger.testing.trial import Trial

AGAIN = 100
"""How far the seeds of a second play lie from those of the first."""


def declaration(trial: Trial) -> Iterator[Finding]:
    """The static checks."""
    for fault in check(trial.title):
        yield Finding(what=f"{fault.place}: {fault.what}", remedy=fault.remedy, about=fault.place)


def reached(trial: Trial) -> Iterator[Finding]:
    """Every printed leaf was opened, or passed with its reason; but for those that no game played could open.

    Chance may pass a step by that is seldom reached: before one is called so, as many orders are played again.
    """
    orders = trial.orders
    if _never_reached(trial):
        play(trial.observed, seed=trial.seed + AGAIN, orders=trial.orders)
        orders += trial.orders
    for step in _never_reached(trial):
        yield Finding(
            what=f"{step.id} {step.name} was never reached in {orders} orders",
            remedy="let something lead there; look at the guards and loops around it, or play longer",
            about=step.id,
            seed=trial.seed,
        )


def _never_reached(trial: Trial) -> list[Step]:
    seen = trial.observed
    return [step for step in trial.title.plan.leaves() if step.id not in seen.steps and seen.could_open(step.id)]
