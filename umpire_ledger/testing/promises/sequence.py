"""Check the declaration of a sequence, and that play reaches every step of it."""

from collections.abc import Iterator

from umpire_ledger.domain.flow.sequence_checks.every_check import check
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.title_under_test import Trial


def declaration(trial: Trial) -> Iterator[Finding]:
    """Yield the faults that the static checks find."""
    for fault in check(trial.title):
        yield Finding(what=f"{fault.place}: {fault.what}", remedy=fault.remedy, about=fault.place)


def reached(trial: Trial) -> Iterator[Finding]:
    """Check that each printed step was opened or passed, unless it could not open in any of the played games."""
    seen = trial.observed
    for step in trial.title.plan.leaves():
        if step.id in seen.steps or not seen.could_open(step.id):
            continue
        yield Finding(
            what=f"{step.id} {step.name} was never reached in {counted(trial.played, 'order')}",
            remedy="let something lead there; look at the guards and loops around it, or play longer",
            about=step.id,
            seed=trial.seed,
        )
