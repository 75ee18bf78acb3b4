"""Open pages of recorded games in a real browser: Debian's Chromium, driven by Playwright.

If one of them is missing, these tests are skipped with the reason; with `UMPIRE_BROWSER=needed` they fail.
"""

import os
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

import pytest

import umpire_ledger as umpire
from tests.browser.browsers import CHROMIUM, FLAGS
from tests.face.testing import FIXTURES

GREAT_HARBOUR = "war-galley/replays/great-harbour.jsonl"


def missing(what: str) -> NoReturn:
    """Skip a test because something is missing, or fail it if the browser is required."""
    if os.environ.get("UMPIRE_BROWSER") == "needed":
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Browser for all tests of a process."""
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 -- it may be missing
    except ImportError:
        missing("Playwright is not installed, which drives the browser: pip install '.[browser]'")
    if CHROMIUM is None:
        missing("Chromium is not installed, in which the page is looked at: apt-get install chromium-headless-shell")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield chromium
        chromium.close()


class Pages:
    """Replay pages of recorded games, each made once, in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.of = cache(self._of)

    def _of(self, log: str, seat: str = "referee") -> Path:
        """Write the page of a game below `fixtures`, as a seat sees it."""
        file = self.folder / f"{Path(log).stem}.{seat}.html"
        with umpire.open(":memory:") as desk:
            desk.import_log(FIXTURES / log).seat(seat).page(file)
        return file

    def changed(self, page: Path, old: bytes, new: bytes, name: str = "changed") -> Path:
        """Write a copy of a page with one altered place."""
        raw = page.read_bytes()
        assert raw.count(old) == 1, f"{old!r} stands {raw.count(old)} times in {page.name}"
        file = self.folder / f"{name}.html"
        file.write_bytes(raw.replace(old, new))
        return file


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    return Pages(tmp_path_factory.mktemp("pages"))


Open = Callable[..., Any]


@pytest.fixture
def opened(browser: Any) -> Iterator[Open]:
    """Function that opens a file in a new window. After the test, it checks for errors and network requests."""
    contexts, faults = [], []

    def open_page(file: Path, *, at: str = "", ready: bool = True, **options: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1400, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if line.type in ("error", "warning") else None)
        page.on("request", lambda asked: None if asked.url.startswith(("file:", "data:")) else faults.append(asked.url))
        page.goto(file.as_uri() + at)
        if ready:
            page.wait_for_selector("html[data-ready=yes]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Service with limits so high that no test reaches them by accident."""
    if find_spec("litestar") is None or find_spec("uvicorn") is None or find_spec("jinja2") is None:
        missing("the service is not installed: pip install '.[serve]'")
    from tests.service.served import Served  # noqa: PLC0415 -- imports what the extra brings

    service = Served(tmp_path_factory.mktemp("served"), "--rate", "5000", "--work", "6000")
    yield service
    service.stop()


@pytest.fixture
def browsers(browser: Any, served: Any) -> Iterator[Any]:
    """Yield seats of served games, each in its own window."""
    from tests.browser.playing import browsers_of  # noqa: PLC0415 -- as above

    with browsers_of(browser, served) as found:
        yield found


def comes_true(page: Any, holds: str) -> bool:
    """Return whether an expression becomes true within ten seconds, without a script in the page."""
    for _ in range(200):
        if page.evaluate(holds):
            return True
        page.wait_for_timeout(50)
    return False


def verdict_of(page: Any) -> str:
    """Wait until the log is checked, and return the verdict in the header."""
    page.wait_for_selector("#verdict.good, #verdict.bad")
    return str(page.inner_text("#verdict"))
