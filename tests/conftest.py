"""For every test: watching which refusals directed ones reach (`raises.py`), what these cite (`cited_rules.py`), and
which orders are accepted in a story (`accepted.py`); dice that fall alike in every run (`dice_seeds.py`).
"""

import gc
import os
import secrets
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

from tests.accepted import ACCEPTED, is_story, never_accepted
from tests.cited_rules import wrong_refusal
from tests.databases import _made, database, databases, place, postgres_server, store
from tests.dice_seeds import SEEDS
from tests.examples import examples
from tests.raises import LIST, WATCH, is_directed, listed, unreached
from tests.thorough import add_options, choose, draw_new_examples, names_nothing

__all__ = ["_made", "database", "databases", "place", "postgres_server", "store"]


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)
    parser.addoption("--print-unreached", action="store_true", help="print refusals that no directed test reached")
    parser.addoption("--print-never-accepted", action="store_true", help="print orders that are accepted in no story")


def pytest_configure(config: pytest.Config) -> None:
    # Images often set it. Each worker would then compile every test file, and each command all of Umpire.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    draw_new_examples(config)
    settings.register_profile("umpire", examples())
    settings.load_profile("umpire")
    WATCH.begin()
    ACCEPTED.begin()
    secrets.token_hex = SEEDS.token_hex
    if config.pluginmanager.hasplugin("xdist"):
        config.pluginmanager.register(FromWorkers(), "raises-from-workers")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    choose(config, items)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    gc.freeze()  # thousands of collected tests stay to the end: no collection need look through them


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    SEEDS.begin(item.nodeid)
    is_hypothesis = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    WATCH.directed = is_directed(item.nodeid) and not is_hypothesis
    ACCEPTED.in_a_story = WATCH.directed and is_story(item.nodeid)
    found = yield
    WATCH.directed = ACCEPTED.in_a_story = False
    return found


class FromWorkers:
    """Each worker hands over what it saw."""

    def pytest_testnodedown(self, node: Any) -> None:
        output = getattr(node, "workeroutput", {})
        WATCH.seen.update((file, line) for file, line in output.get("raises", ()))
        WATCH.cited.update(output.get("cited", ()))
        ACCEPTED.seen.update((title, order) for title, order in output.get("accepted", ()))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["raises"], output["cited"] = sorted(WATCH.seen), sorted(WATCH.cited)
        output["accepted"] = sorted(ACCEPTED.seen)
        return
    _judge_citations(session)
    _judge_acceptance(session, exitstatus)
    _judge_reach(session, exitstatus)


def _judge_reach(session: pytest.Session, exitstatus: int) -> None:
    judged = (_is_whole(session) or _is_rest(session)) and exitstatus == 0
    printed = session.config.getoption("--print-unreached")
    found = unreached(WATCH.seen) if judged or printed else set()  # all of `domain/` is read for it
    if printed:
        print("", *sorted(found), sep="\n")
    elif judged:
        missing = found - listed() if _is_whole(session) else set()
        for name in sorted(missing):
            print(f"\nno directed test reaches this refusal: {name}")
        for name in sorted(listed() - found):
            print(f"\nreached now, take it out of {LIST.name}: {name}")
        if missing or listed() - found:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _judge_citations(session: pytest.Session) -> None:
    """Fail the run, with any choice of tests, if a refusal cites a rule that is not on its title's page."""
    for fault in sorted({fault for rule in WATCH.cited for fault in wrong_refusal(rule)}):
        print(f"\na refusal cites what is not printed: {fault}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _judge_acceptance(session: pytest.Session, exitstatus: int) -> None:
    if session.config.getoption("--print-never-accepted"):
        print("", *never_accepted(ACCEPTED.seen), sep="\n")
    elif _is_whole(session) and exitstatus == 0 and (missing := never_accepted(ACCEPTED.seen)):
        print("", *(f"no story brings this order to acceptance: {one}" for one in missing), sep="\n")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _is_whole(session: pytest.Session) -> bool:
    """Return whether this run has all tests, or all but the thorough ones. The gates need no thorough test."""
    option = session.config.option
    return names_nothing(session.config) and not option.only_thorough and not option.collectonly


def _is_rest(session: pytest.Session) -> bool:
    """Return whether this run has the rest of a quick run. It may reach a refusal that is listed as unreached."""
    option = session.config.option
    return names_nothing(session.config) and option.only_thorough and not option.collectonly
