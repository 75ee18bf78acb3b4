"""For every test: watching which refusals directed ones reach (`raises.py`) and what these cite (`cited_rules.py`)."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.cited_rules import wrong_refusal
from tests.raises import LIST, WATCH, is_directed, listed, unreached


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--print-unreached", action="store_true", help="print every refusal that no directed test reached")


def pytest_configure(config: pytest.Config) -> None:
    WATCH.begin()
    if config.pluginmanager.hasplugin("xdist"):
        config.pluginmanager.register(FromWorkers(), "raises-from-workers")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    is_hypothesis = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    WATCH.directed = is_directed(item.nodeid) and not is_hypothesis
    found = yield
    WATCH.directed = False
    return found


class FromWorkers:
    """Each worker hands over what it saw."""

    def pytest_testnodedown(self, node: Any) -> None:
        output = getattr(node, "workeroutput", {})
        WATCH.seen.update((file, line) for file, line in output.get("raises", ()))
        WATCH.cited.update(output.get("cited", ()))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["raises"], output["cited"] = sorted(WATCH.seen), sorted(WATCH.cited)
        return
    _judge_citations(session)
    found = unreached(WATCH.seen)
    if session.config.getoption("--print-unreached"):
        print("", *sorted(found), sep="\n")
    elif _is_whole(session) and exitstatus == 0 and found != listed():
        for name in sorted(found - listed()):
            print(f"\nno directed test reaches this refusal: {name}")
        for name in sorted(listed() - found):
            print(f"\nreached now, take it out of {LIST.name}: {name}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _judge_citations(session: pytest.Session) -> None:
    """Whatever tests were asked for: a refusal that they met may cite nothing that is not on its title's page."""
    for fault in sorted({fault for rule in WATCH.cited for fault in wrong_refusal(rule)}):
        print(f"\na refusal cites what is not printed: {fault}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _is_whole(session: pytest.Session) -> bool:
    """Whether all tests were asked for."""
    option = session.config.option
    chosen = option.keyword or option.markexpr or getattr(option, "lf", False) or option.collectonly
    return not chosen and session.config.args in (["tests"], session.config.getini("testpaths"))
