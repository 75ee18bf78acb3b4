"""Run the static checks over a title's sequence of play, to find its faults before a game is opened.

The tests of every title and `umpire doctor` run them. If the basic checks find faults, the checks of reachability and
frames are skipped, because their results would not be reliable.
"""

from collections.abc import Callable, Iterator

from umpire_ledger.domain.flow.sequence_checks import scopes, steps, undefined_names
from umpire_ledger.domain.flow.sequence_checks.fault import Fault
from umpire_ledger.domain.flow.sequence_checks.reachability import flow
from umpire_ledger.domain.kit.title import Title

__all__ = ["Fault", "check"]

Check = Callable[[Title], Iterator[Fault]]

BONES: tuple[Check, ...] = (
    undefined_names.duplicates,
    undefined_names.empty,
    undefined_names.unknown_targets,
    undefined_names.unknown_in_conditions,
    scopes.stretches,
)
STEPS: tuple[Check, ...] = (
    undefined_names.unknown_roles,
    undefined_names.unknown_sets,
    undefined_names.idle_entries,
    steps.answers,
    steps.orders,
    steps.secret_guards,
    steps.dice,
    steps.together,
    steps.endings,
    steps.anytime,
)
WAYS: tuple[Check, ...] = (
    scopes.returns,
    scopes.closed_loops,
    scopes.keepers,
    scopes.forgotten,
    flow,
)


def check(title: Title) -> tuple[Fault, ...]:
    """Return every fault in a title's sequence; () if there is none, or if the title has no sequence."""
    if title.sequence is None:
        return ()
    bones = _run(BONES, title)
    return (*bones, *_run(STEPS, title), *(_run(WAYS, title) if not bones else ()))


def _run(checks: tuple[Check, ...], title: Title) -> tuple[Fault, ...]:
    return tuple(fault for one in checks for fault in one(title))
