"""Give orders by clicks on the board of a page, and replace answers of the service."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, urlparse

from tests.browser.conftest import comes_true
from tests.browser.playing import RESULT


def choice(words: str, typed: str, given: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Return a choice as the service returns it."""
    return {"words": words, "typed": typed, "given": dict(given), "asks_again": "", **more}


def offer(order: str, words: str, unit: str, targets: Sequence[dict[str, Any]] = (), **more: Any) -> dict[str, Any]:
    """Return an order of a unit as the service returns it."""
    own = {"order": order, "words": words, "help": "", "form": {"ship": [unit]}, "whole": None, "refused": None}
    return {**own, "targets": list(targets), **more}


def move(unit: str, *path: str, **more: Any) -> dict[str, Any]:
    """Return a move of War Galley along a path."""
    given = {"ship": [unit], "path": [",".join(path)]}
    own = {"place": path[-1], "path": list(path), "cost": len(path), "costs": list(range(1, len(path) + 1))}
    return choice(f"Move {unit} to {path[-1]}", f"move-ship {unit} {','.join(path)}", given, **own, **more)


def aim(order: str, unit: str, target: str, **more: Any) -> dict[str, Any]:
    """Return an order of War Galley at a ship."""
    given = {"ship": [unit], "target": [target]}
    return choice(f"{order.capitalize()} {target} with {unit}", f"{order} {unit} {target}", given, unit=target, **more)


def answers_with(page: Any, offers: Sequence[dict[str, Any]] | None) -> list[str]:
    """Answer every request about a unit with these orders; return a list that collects the requested units."""
    asked: list[str] = []

    def answer(route: Any) -> None:
        unit = parse_qs(urlparse(route.request.url).query).get("unit", [""])[0]
        asked.append(unit)
        if offers is None:
            return route.abort()
        body = {"unit": unit, "side": "athens", "root_at": 0, "orders": list(offers)}
        return route.fulfill(status=200, content_type="application/json", body=json.dumps(body))

    page.unroute("**/clickable?**")
    page.route("**/clickable?**", answer)
    return asked


def take(page: Any, unit: str) -> None:
    """Click a unit, and its counter again if that opens its stack out; wait for its palette."""
    click_unit(page, unit)
    choose_in_stack(page, unit)
    page.wait_for_selector("#palette .order")


def choose_in_stack(page: Any, unit: str) -> None:
    """Click the counter of a unit in a stack, if the stack is opened out."""
    if page.evaluate("isOpened()"):
        page.click(f'#palette [data-focus="unit-{unit}"]')


def choose_ready(page: Any) -> None:
    """Click the first unit with an order in a stack that is opened out, else its first unit."""
    if page.evaluate("isOpened()"):
        asked = "![...document.querySelectorAll('#palette .has')].some((one) => one.textContent === '…')"
        assert comes_true(page, asked), "no answer for the stack"
        ready = page.locator("#palette .card.ready")
        (ready if ready.count() else page.locator("#palette .card")).first.click()


SPOT = """([selector, nth, down]) => {
  const at = [...document.querySelectorAll(selector)].at(nth).getBoundingClientRect();
  return [at.x + at.width / 2, at.y + at.height * down];
}"""
"""Script that finds and measures a point of an element in one call, because a new record redraws the board."""


def click_unit(page: Any, unit: str) -> None:
    """Click the counter of a unit, which a highlight may cover."""
    page.mouse.click(*page.evaluate(SPOT, [f'#map .stack[data-units~="{unit}"] .counter', -1, 0.5]))


def click_place(page: Any, place: str) -> None:
    """Click the corner of a place that no counter covers."""
    page.mouse.click(*page.evaluate(SPOT, [f'#map [data-place="{place}"]', 0, 0.12]))


def given(page: Any) -> str:
    """Wait until the bar shows the result of an order, and return the result."""
    page.wait_for_selector(RESULT, state="attached")
    return str(page.text_content("#news"))


def says(page: Any, words: str) -> bool:
    """Return whether the board explains a click with these words."""
    return comes_true(page, f"document.getElementById('why-not')?.textContent.includes({json.dumps(words)})")


def own_units(page: Any) -> list[str]:
    """Return the first unit of each stack of the page's own side."""
    stacks = "[...document.querySelectorAll(`#map .stack[data-side='${ownSide()}']`)]"
    found: list[str] = page.evaluate(f"{stacks}.map((one) => one.dataset.units.split(' ')[0])")
    return found


def show_unit(page: Any, unit: str) -> None:
    """Drag the map until a unit can be clicked."""
    page.evaluate("unit => reveal(...middleOf(counterBox(stackOf(unit))))", unit)


def offers_in_hand(page: Any) -> list[dict[str, Any]]:
    """Wait for the open orders of the selected unit, and return them."""
    assert comes_true(page, "hand.offers !== null || hand.fault !== ''"), "no answer for the unit"
    found: list[dict[str, Any]] = page.evaluate("(hand.offers ?? []).filter(isOpen)")
    return found


def click_target(page: Any, name: str, order: str = "") -> None:
    """Click a highlighted place or unit. If several orders aim at it, click the row of one of them."""
    assert comes_true(page, "targets.length > 0"), "nothing is lit"
    spot = page.evaluate(FREE_SPOT, name)
    assert spot is not None, f"{name} cannot be clicked"
    page.mouse.click(*spot)
    if order and page.evaluate("hand.among !== null"):
        page.locator(f'#palette [data-focus^="way-{order} "]').first.click()
    if page.locator("#hand-give").count():
        page.click("#hand-give")


FREE_SPOT = """name => {
  const isIt = (one) => one.units.includes(name) || (one.place && plotOf(name) === plotOf(one.place));
  const nth = targets.findIndex(isIt);
  const find_ = () => {
    for (const hit of [...over.querySelectorAll(`.pin[data-go="${nth}"], .hit[data-go="${nth}"]`)].reverse()) {
      const at = hit.getBoundingClientRect();
      for (const across of [0.5, 0.2, 0.8]) for (const down of [0.5, 0.15, 0.85]) {
        const [x, y] = [at.left + at.width * across, at.top + at.height * down];
        const target = document.elementFromPoint(x, y);
        if (!target || !onMap({ target })) continue;
        if (under({ clientX: x, clientY: y, target })?.getAttribute("data-go") === String(nth)) return [x, y];
      }
    }
    return null;
  };
  if (nth < 0) return null;
  reveal(...middleOf(targets[nth].box));
  for (const [across, down] of [[0, 0], [200, 0], [-400, 0], [200, 200], [0, -400]]) {
    if (across || down) drag(across, down);
    const found = find_();
    if (found) return found;
  }
  return null;
}"""
"""Script that finds a point at which a click chooses a target, and drags the map if the point is covered."""


def throw_dice(page: Any) -> None:
    """Click a face of every die in the open form, and give the order."""
    for die in page.locator("#order-form fieldset.die").all():
        die.locator(".face").nth(3).click()
    page.click("#order-form [data-focus=give]")
