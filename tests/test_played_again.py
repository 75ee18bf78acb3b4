"""What random play seldom shows is looked for twice before a title is blamed; what never comes is blamed."""

from collections.abc import Iterator

from umpire_ledger.domain.titles.war_galley import TITLE
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.promises import Promise, verdict
from umpire_ledger.testing.trial import Trial

ORDERS = 40


def seldom(trial: Trial) -> Iterator[Finding]:
    """Something that a first play does not show, and a second does."""
    if trial.played == ORDERS:
        yield Finding(what=f"not seen in {trial.played} orders", remedy="play longer")


def never(trial: Trial) -> Iterator[Finding]:
    """Something that no play shows."""
    yield Finding(what=f"not seen in {trial.played} orders", remedy="mend it")


def test_what_a_second_play_shows_is_no_fault() -> None:
    trial = Trial(TITLE, orders=ORDERS)
    before = sum(trial.observed.accepted.values())
    assert verdict(trial, Promise("seldom", "it comes", seldom, sooner_or_later=True)).state == "held"
    assert sum(trial.observed.accepted.values()) > before
    assert trial.played == 2 * ORDERS


def test_what_no_play_shows_is_one_and_nobody_plays_a_third_time() -> None:
    trial = Trial(TITLE, orders=ORDERS)
    promise = Promise("never", "it comes", never, sooner_or_later=True)
    for _ in range(2):
        found = verdict(trial, promise)
        assert (found.state, found.findings[0].what) == ("broken", f"not seen in {2 * ORDERS} orders")


def test_a_promise_that_must_always_hold_is_broken_at_once() -> None:
    trial = Trial(TITLE, orders=ORDERS)
    assert verdict(trial, Promise("always", "it holds", seldom)).state == "broken"
    assert trial.played == ORDERS
