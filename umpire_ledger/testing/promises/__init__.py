"""Promises that must hold for every title; each module has a group of related promises.

    from two_rivers import TITLE
    from umpire_ledger.testing import promises_of

    test_promise = promises_of(TITLE)

These lines are a complete test file for pytest. `verdicts(Trial(TITLE))` returns the same results without pytest, and
`umpire check-title` prints them.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from umpire_ledger.domain.kit.title import Title
from umpire_ledger.testing.examples import fault
from umpire_ledger.testing.finding import Finding, PromiseVerdict, verify
from umpire_ledger.testing.promises import (
    carried,
    declined,
    determinism,
    failed_tries,
    generic_orders,
    kinds,
    log,
    names,
    offers,
    one_truth,
    ownership,
    replays,
    secrets,
    sequence,
    tables,
    typing_order,
)
from umpire_ledger.testing.run import CARRIED, CARRIED_OUT
from umpire_ledger.testing.title_under_test import Trial

Asks = Callable[[Trial], Iterable[Finding]]


class Promise(msgspec.Struct, frozen=True):
    """A property that every title must have. `words`: the property as a sentence; `asks`: its check.

    `after`: promises on which the check depends. `sooner_or_later`: whether random play may miss rare cases, so that
    the same number of orders is played again before the promise counts as broken.
    """

    name: str
    words: str
    asks: Asks
    after: tuple[str, ...] = ()
    sooner_or_later: bool = False


def noted(name: str) -> Asks:
    """Return the check of a promise that random play itself tests; it returns the collected findings."""
    return lambda trial: trial.observed.findings.get(name, ())


def _watched(name: str, words: str, *after: str) -> Promise:
    return Promise(name, words, noted(name), after)


RAISES, STUCK, STEPS = "no-exceptions", "never-stuck", "steps-reached"
FIT, TELLS, STAY = "events-fit", "something-told", "old-states-stay"
FOLDS, DICE = "folds-to-live", "dice-only"
REPLAYS = "replays-fold"
PLAYED = (RAISES, FIT, STUCK)
"""Promises that must hold before it means anything that random play did not reach something."""
REACHED = (*PLAYED, STEPS)
RECORDED = (TELLS, STAY, FOLDS)
"""Promises that must hold before a difference in a ledger means anything."""
_PLAY: tuple[Promise, ...] = (
    Promise("declaration", "the declared sequence has no fault", sequence.declaration),
    _watched(RAISES, "no exception is raised except refusals by a rule"),
    _watched("whole-refusals", "every refusal says what, where, rule and remedy"),
    _watched(STUCK, "some seat always has a legal order"),
    Promise(STEPS, "every step is reached in random play", sequence.reached, PLAYED, sooner_or_later=True),
    Promise(
        "order-kinds",
        "every kind of order is suggested, and accepted now and then",
        kinds.orders,
        REACHED,
        sooner_or_later=True,
    ),
    Promise(
        "facts-change", "every fact is true now and then, and not always", kinds.facts, REACHED, sooner_or_later=True
    ),
    _watched(FIT, "every event is a valid transition of the state before it"),
    _watched(CARRIED_OUT, "every order whose dice are rolled is carried out"),
    _watched(TELLS, "every accepted order produces an event"),
    _watched("others-untouched", "no generic order of a seat touches another's things, or what the rules write"),
    _watched(STAY, "no decision changes the state it is given"),
    _watched(FOLDS, "the game is the fold of its events, and the same when saved and loaded", STAY),
    _watched("same-from-json", "an order read from its JSON is the same order"),
    _watched(DICE, "all chance comes from the dice: an order decided twice gives the same", FOLDS),
    Promise(
        "another-process", "another process, with another hash seed, decides the same", determinism.elsewhere, (DICE,)
    ),
    Promise("unknown-names", "an unknown name is refused, in every field of every order", names.unknown),
    Promise(
        "own-things", "no order takes another side's unit, or a card that is not held, for its own", ownership.kept
    ),
    Promise(
        "offers-taken", "no order is offered that is refused in every form; no step is a dead end", offers.kept, PLAYED
    ),
    Promise(
        "typing-order",
        "where several sides act at once, it does not matter who types first",
        typing_order.kept,
        (*PLAYED, *RECORDED, DICE, "another-process"),
    ),
    Promise(
        "tries-bind",
        "an order whose dice failed is not free to be given again in the same step",
        failed_tries.kept,
        (*PLAYED, *RECORDED, DICE),
    ),
    Promise("one-truth", "no number is kept as an attribute of a unit and as an account too", one_truth.kept, PLAYED),
    Promise(
        "generic-orders",
        "no step lets a side remove or place any unit that the rules remove or place",
        generic_orders.kept,
        PLAYED,
    ),
    Promise("declined-offered", "no step waits for a side that can do nothing in it", declined.kept, PLAYED),
    Promise(CARRIED, "a unit aboard, in tow or in a stack moves with its carrier", carried.kept),
    Promise("missing-tables", "a scenario without one of its tables is refused, or the order is", tables.missing),
    Promise(
        "secrets-kept",
        "games that differ in one secret are the same to all other seats",
        secrets.kept,
        (DICE, TELLS, FIT),
    ),
    Promise("seed-unseen", "no seat sees the seed of the dice", log.seed_unseen, RECORDED),
    Promise("replayed", "at every position the replayed state is the live state", log.replayed, RECORDED),
    Promise("snapshots", "a state through a snapshot is the state without", log.snapshots, RECORDED),
    Promise("exported", "exported, imported and replayed it is the same", log.exported, RECORDED),
    Promise("rewound", "rewound and redone it is as before", log.rewound, RECORDED),
    Promise("refused-untouched", "a refused order leaves ledger and state untouched", log.untouched, RECORDED),
    Promise(REPLAYS, "every recorded replay is valid and folds to its stated end", replays.fold),
)
PROMISES: tuple[Promise, ...] = (
    *_PLAY,
    Promise(
        "replays-decide",
        "every order of a recorded replay produces the recorded events",
        replays.decide,
        tuple(promise.name for promise in _PLAY),
    ),
    Promise("replays-show-steps", "every step is seen in some recorded replay", replays.steps),
)
BY_NAME = {promise.name: promise for promise in PROMISES}


def verdict(trial: Trial, promise: Promise) -> PromiseVerdict:
    """Return the verdict on one promise for one title; it is computed only once."""
    if promise not in trial.verdicts:
        trial.verdicts[promise] = _verdict(trial, promise)
    return trial.verdicts[promise]


def _verdict(trial: Trial, promise: Promise) -> PromiseVerdict:
    broken = [name for name in promise.after if verdict(trial, BY_NAME[name]).state == "broken"]
    if broken:
        why = f"it proves nothing until you fix: {', '.join(broken)}"
        return PromiseVerdict(promise=promise.name, words=promise.words, state="not asked", why=why)
    found, excepted = _judged(trial, promise)
    if found and promise.sooner_or_later:
        trial.play_again()
        found, excepted = _judged(trial, promise)
    return PromiseVerdict(
        promise=promise.name,
        words=promise.words,
        state="broken" if found else "held",
        findings=tuple(found),
        excepted=tuple(excepted),
    )


def _judged(trial: Trial, promise: Promise) -> tuple[list[Finding], list[Finding]]:
    """Return the findings without a declared exception, and those with one."""
    found: list[Finding] = []
    excepted: list[Finding] = []
    for finding in _findings(trial, promise):
        reason = next((one.reason for one in trial.exceptions if one.covers(promise.name, finding)), "")
        if reason:
            excepted.append(msgspec.structs.replace(finding, reason=reason))
        else:
            found.append(finding)
    return found, excepted


def _findings(trial: Trial, promise: Promise) -> Iterator[Finding]:
    """Yield the findings of a promise; an exception that the title raises during its check is a finding too."""
    try:
        yield from promise.asks(trial)
    except Exception as error:
        yield fault(error, f"asking for {promise.name}")


def verdicts(trial: Trial) -> Iterator[PromiseVerdict]:
    """Yield the verdict on each promise."""
    return (verdict(trial, promise) for promise in PROMISES)


def promises_of(*titles: Title | Trial) -> Any:
    """Return a test for pytest with one case for each promise of each title.

    Pass a `Trial` instead of a title to set the number of orders.
    """
    import pytest  # noqa: PLC0415 -- only who writes tests for pytest needs it

    trials = [title if isinstance(title, Trial) else Trial(title) for title in titles]
    cases = [
        pytest.param(trial, promise, id=f"{trial.title.id}-{promise.name}") for trial in trials for promise in PROMISES
    ]

    @pytest.mark.parametrize(("trial", "promise"), cases)
    def test_promise(trial: Trial, promise: Promise) -> None:
        verify([verdict(trial, promise)])

    return test_promise
