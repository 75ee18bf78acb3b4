"""Open seats of a served game, each in its own browser, and give orders by the forms of their pages."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser.conftest import comes_true
from tests.face.testing import FIXTURES
from tests.service.served import Served

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"


def fixture_game(served: Served, title: str, name: str, orders: int, scenario: str = "") -> str:
    """Open a recorded game after a number of its orders. `scenario`: "" if its name is that of the game."""
    folder = FIXTURES / title
    game = served.game((folder / "scenarios" / f"{scenario or name}.toml").read_text(encoding="utf-8"), title)
    with served.desk() as desk:
        desk.game(game).play(list(enumerate(recorded(title, name)[:orders], 1)))
    return game


def recorded(title: str, name: str) -> list[dict[str, Any]]:
    """Return the orders of a recorded game."""
    text = (FIXTURES / title / "orders" / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if not line.startswith("#")]


RESULT = "#news .told"
"""Selector of the result of an order on its page."""


class Browsers:
    """Windows of players, each with its own session. Errors in the windows are collected."""

    def __init__(self, chromium: Any, served: Served) -> None:
        self._chromium = chromium
        self.served = served
        self.contexts: list[Any] = []
        self.faults: list[str] = []
        self.expected: tuple[str, ...] = ()
        """Words of errors that the test causes itself."""

    def window(self, **options: Any) -> Any:
        """Open a window without a login."""
        context = self._chromium.new_context(**{"viewport": {"width": 1400, "height": 900}, **options})
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: self._fault(str(error)))
        page.on("console", lambda line: self._fault(line.text) if line.type in ("error", "warning") else None)
        page.on("request", lambda asked: None if asked.url.startswith(self.served.address) else self._fault(asked.url))
        return page

    def seat(self, game_id: str, seat: str, **options: Any) -> Any:
        """Open the page of a seat with the session of its link, without opening the page of the link."""
        if not options.get("java_script_enabled", True):
            return self._without_script(game_id, seat, **options)
        page = self.window(**options)
        token, origin = self.served.token(game_id, seat, "link"), {"Origin": self.served.address}
        entered = page.request.post(f"{self.served.address}/in", form={"token": token}, headers=origin, max_redirects=0)
        page.goto(f"{self.served.address}{entered.headers['location']}")
        page.wait_for_selector("html.js")
        return page

    def by_link(self, game_id: str, seat: str) -> Any:
        """Open the page of a seat as its player does: the link, then its script."""
        page = self.window()
        page.goto(f"{self.served.address}/in#{self.served.token(game_id, seat, 'link')}")
        page.wait_for_url(f"**/{game_id}?as={seat}")
        page.wait_for_selector("html.js")
        return page

    def _without_script(self, game_id: str, seat: str, **options: Any) -> Any:
        page = self.window(**options)
        page.goto(f"{self.served.address}/in")
        page.fill("[name=token]", self.served.token(game_id, seat, "link"))
        page.click("button")
        return page

    def _fault(self, words: str) -> None:
        if not any(one in words for one in self.expected):
            self.faults.append(words)


@contextmanager
def browsers_of(chromium: Any, served: Served) -> Iterator[Browsers]:
    """Yield windows, close them at the end, and check that none had an error."""
    found = Browsers(chromium, served)
    yield found
    for context in found.contexts:
        context.close()
    assert found.faults == [], found.faults


def give(page: Any, order: Mapping[str, Any]) -> str:
    """Give an order by the forms of a seat's page and return the message of the page."""
    page.evaluate("document.getElementById('news').replaceChildren()")
    name = order["order"]
    if name == "done":
        _leave(page, order)
    else:
        take_up(page, name)
        for argument, value in order.items():
            if argument not in ("as", "order", "pips"):
                fill(page, argument, value)
        for nth, pip in enumerate(order.get("pips", ()), 1):
            page.check(f'#order-form [name="pip.{nth}"][value="{pip}"]', force=True)
        page.click("#order-form [data-focus=give]")
    page.wait_for_selector(f"{RESULT}, #desk .refused", state="attached")
    assert page.locator("#desk .refused").count() == 0, f"{order}: {page.inner_text('#desk .refused')}"
    return str(page.text_content("#news"))


def take_up(page: Any, name: str) -> None:
    """Open the form of an order by its tab, and wait for it; the form may already be open."""
    page.evaluate(
        "void (window.looked = new Promise((go) => document.addEventListener('umpire:fresh', go, { once: true })))"
    )
    page.click(f'#order .tabs [data-focus="tab-{name}"]')
    page.evaluate("Promise.race([window.looked, new Promise((go) => setTimeout(go, 3000))]).then(() => true)")
    assert comes_true(page, f"document.querySelector('#order-form [name=order]')?.value === '{name}'")


def _leave(page: Any, order: Mapping[str, Any]) -> None:
    answer = order.get("answer")
    buttons = f'#leaving button[value="{answer}"]' if answer else "#leaving button:not([name])"
    page.locator(buttons).first.click()


def fill(page: Any, argument: str, value: Any) -> None:
    """Fill in one field, by a choice if there is one."""
    settle(page)
    row = page.locator(f'#order-form .row:has([name="f.{argument}"])')
    if not row.is_visible():
        page.click("#order-more > summary")
    for one in value if isinstance(value, list) and page.locator(f"#f-{argument}").count() == 0 else [value]:
        words = ",".join(map(str, one)) if isinstance(one, list) else str(one)
        choice = page.locator(f'#order-form [name="f.{argument}"][value="{words}"]')
        if choice.count() and choice.first.get_attribute("type") in ("radio", "checkbox"):
            choice.first.check(force=True)
        else:
            field = page.locator(f'#order-form [name="f.{argument}"]:not([type=radio]):not([type=checkbox])')
            field.fill(words)
            field.dispatch_event("change")
        settle(page)


def settle(page: Any) -> None:
    """Wait until the form is updated for its current values."""
    assert comes_true(page, "!document.documentElement.hasAttribute('data-looking')")


def faults_of_access(page: Any) -> list[str]:
    """Return the accessibility faults that axe finds."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run({ resultTypes: ['violations'] })).violations")
    return [f"{one['id']}: {one['nodes'][0]['target']} {one['help']}" for one in found]
