"""Orders by clicks on the board of a page, and answers of the service that a test makes up."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, urlparse

from tests.browser.conftest import comes_true


def choice(words: str, typed: str, given: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Return a choice as the service gives it."""
    return {"words": words, "typed": typed, "given": dict(given), "asks_again": "", **more}


def offer(order: str, words: str, unit: str, targets: Sequence[dict[str, Any]] = (), **more: Any) -> dict[str, Any]:
    """Return an order of a unit as the service gives it."""
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
    """Answer every question for a unit with these orders; return the list of the units that were asked for."""
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
    """Click a unit, and wait for its palette."""
    click_unit(page, unit)
    page.wait_for_selector("#palette .order")


def click_unit(page: Any, unit: str) -> None:
    """Click the counter of a unit; light may lie over it."""
    box = page.locator(f'#map .stack[data-units~="{unit}"] .counter').last.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def click_place(page: Any, place: str) -> None:
    """Click the free corner of a place, where no counter lies."""
    box = page.locator(f'#map [data-place="{place}"]').first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.12)


def given(page: Any) -> str:
    """Return the result of an order, once the bar shows it."""
    page.wait_for_selector("#news .told", state="attached")
    return str(page.inner_text("#news"))


def says(page: Any, words: str) -> bool:
    """Return whether the board explains a click in these words."""
    return comes_true(page, f"document.getElementById('why-not')?.textContent.includes({json.dumps(words)})")
