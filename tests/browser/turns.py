"""Play recorded orders as a player does, by clicks on the board or by forms, and count clicks and seconds.

The recorded order is the goal. `Planner` finds the clicks for it: the unit, its order or target, the second click. If
the board has no clicks for an order, its form gives it, with typing only in fields without choices.
"""

import json
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

import umpire_ledger as umpire
from tests.browser.clicking import FREE_SPOT
from tests.browser.playing import RESULT
from tests.face.desk import first_argument, typed_by
from tests.face.domain import read_order

Raw = Mapping[str, Any]
REMARKS = ("happened_at", "witness", "cause", "needed", "subjects", "why")
"""Remarks of the table: players leave them out, and the game is the same."""
FREE_WORDS = ("purpose", "what")
"""Words of the table without an effect: a player who types nothing takes those that the form offers."""
BESIDE_FIELDS = ("as", "order", "pips", "step", "answer", *REMARKS)
"""Arguments that are not fields of its form."""
ANSWERED = f"{RESULT}, #desk .refused"


@dataclass
class Tally:
    """The work of all players of a turn. `in_form`: the orders that needed a form; `typed`: the fields with typing."""

    orders: int = 0
    clicks: int = 0
    seconds: float = 0.0
    in_form: Counter[str] = field(default_factory=Counter)
    typed: Counter[str] = field(default_factory=Counter)


class ClickPlan(NamedTuple):
    """The clicks for an order: the subject, then an order without a target, or the target of one."""

    unit: str
    place: str
    row: str
    """The order in the palette."""
    target: str
    typed: str
    point: str = ""
    """A point of a table without places, and whether the form adds details to it."""
    details: bool = False


class Planner:
    """Find the clicks for an order in what the service offers; a player sees the same on the board."""

    def __init__(self, game: umpire.PlayedGame) -> None:
        self.game = game
        assert game.title is not None
        self.title = game.title

    def plan(self, order: Raw) -> ClickPlan | None:
        """Return the clicks for an order; None if the board does not have it."""
        seat, wanted = self.game.seat(order["as"]), self._plain(order)
        known = seat.known()
        for unit, place in self._subjects(order, known.units):
            names = Counter[str]()
            for nth, offer in enumerate(seat.unit_orders(unit, place=place).orders):
                names[offer.order] += 1
                row = offer.order if names[offer.order] == 1 else f"{offer.order}/{nth}"
                for choice in (*offer.targets, *([offer.whole] if offer.whole else ())):
                    if offer.order == order["order"] and wanted == self._plain(
                        typed_by(self.title, known, choice.typed, order["as"])
                    ):
                        return ClickPlan(unit, place, row, choice.unit or choice.place, choice.typed)
                if unit and offer.order == order["order"] and (plan := _to_point(unit, row, offer.targets, order)):
                    return plan
        return None

    def _subjects(self, order: Raw, units: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        first = first_argument(self.title.every_order[order["order"]])
        said = order.get(first.name, ()) if first is not None else ()
        names = [said] if isinstance(said, str) else list(said)
        if first is not None and first.names == "place":
            yield from (("", one) for one in names)
        else:
            yield from ((one, "") for one in names if one in units)
        yield "", ""

    def _plain(self, raw: Raw) -> dict[str, Any]:
        """Return the order by its meaning: of a path its end, of a list its names."""
        said = {name: value for name, value in raw.items() if name not in ("pips", *REMARKS)}
        plain: dict[str, Any] = msgspec.to_builtins(read_order(self.title, said).order)
        ends = {"path": plain["path"][-1:]} if plain.get("path") else {}
        lists = {name: sorted(map(str, one)) for name, one in plain.items() if isinstance(one, (list, tuple))}
        return {name: value for name, value in {**plain, **lists, **ends}.items() if name not in REMARKS}


def _to_point(unit: str, row: str, targets: Any, order: Raw) -> ClickPlan | None:
    """Return the click on a free point of a table, if the order lists points and leads to one."""
    path = order.get("path", ())
    if len(path) != 1 or not any("," in one.place for one in targets):
        return None
    more = set(order) - {"as", "order", "path", "pips", "piece", "officer", "unit", "command"}
    return ClickPlan(unit, "", row, "", "", path[0], bool(more))


def _words(value: Any) -> list[str]:
    """Return the words of a value, as a form takes them."""
    if isinstance(value, dict):
        return [f"{name}={one}" for name, one in value.items()]
    if isinstance(value, list):
        return [json.dumps(value)] if any(isinstance(one, dict) for one in value) else [str(one) for one in value]
    return [str(value).lower() if isinstance(value, bool) else str(value)]


class Player:
    """A seat's page whose clicks are counted."""

    def __init__(self, page: Any, tally: Tally, defaults: Mapping[tuple[str, str], Any]) -> None:
        self.page, self.tally, self.defaults = page, tally, defaults

    def give(self, order: Raw, plan: ClickPlan | None, *, typing: bool = False) -> None:
        """Give an order; `typing`: numbers and names are typed into the form, as before the board had clicks."""
        page = self.page
        page.evaluate("find('news').replaceChildren(); if (hand.held) dropHand()")
        began = time.monotonic()
        if order["order"] == "done":
            self._end_step(order)
        elif plan is not None:
            self._on_board(order, plan)
        else:
            self.tally.in_form[order["order"]] += 1
            self._in_form(order, typing=typing)
        self._wait(_has(ANSWERED), order)
        self.tally.seconds += time.monotonic() - began
        self.tally.orders += 1
        refused = page.evaluate("document.querySelector('#desk .refused')?.textContent ?? ''")
        assert refused == "", f"{order}: {refused}"

    def _wait(self, holds: str, about: object = "") -> None:
        """Wait in the page until an expression is true; each look from outside would cost more than the wait."""
        assert self.page.evaluate(f"({UNTIL})(() => {holds})"), (holds, about, self.page.inner_text("#board"))

    def _has(self, selector: str) -> bool:
        return bool(self.page.evaluate(_has(selector)))

    def _click(self, selector: str) -> None:
        """Click the first element of a selector in its middle, once it is there and nothing covers it."""
        spot = self.page.evaluate(MIDDLE, selector)
        assert spot, f"{selector} cannot be clicked"
        self._at((spot[0], spot[1]))

    def _settle(self) -> None:
        """Wait until the form was looked at with what is filled in."""
        self._wait("!document.documentElement.hasAttribute('data-looking')")

    def _at(self, spot: tuple[float, float]) -> None:
        self.page.mouse.click(*spot)
        self.tally.clicks += 1

    def _end_step(self, order: Raw) -> None:
        forms = "#leaving form"
        if order.get("step") and self._has(f'{forms}:has([name=step][value="{order["step"]}"])'):
            forms += f':has([name=step][value="{order["step"]}"])'
        answer = order.get("answer")
        self._click(f"{forms} button{f'[value={json.dumps(answer)}]' if answer else ':not([name])'}")

    # --- the board ----------------------------------------------------------------------------------------------------

    def _on_board(self, order: Raw, plan: ClickPlan) -> None:
        self._take(plan)
        if plan.point:
            self._at(self._free_point(plan.point))
            self._wait("find('hand-give')", order)
            if plan.details:
                self._click("#hand-details")
                self._in_form(order, is_open=True)
                return
        elif plan.target and self.page.evaluate(IS_SHOWN, plan.target):
            self._at(self._spot(FREE_SPOT, plan.target))
        elif not self._has("#hand-give"):
            self._click(f'#palette [data-focus="order-{plan.row}"]')
        self._confirm(order, plan)

    def _take(self, plan: ClickPlan) -> None:
        page = self.page
        if plan.unit:
            self._at(self._spot(COUNTER_SPOT, plan.unit))
        elif plan.place:
            self._at(self._spot(PLACE_SPOT, plan.place))
        else:
            self._click("#hand-other")
        self._wait("hand.offers || isOpened() || find('why-not')", plan)
        if plan.unit and page.evaluate("hand.unit") != plan.unit:
            self._click(f'#palette [data-focus="unit-{plan.unit}"]')
            self._wait(f"hand.unit === {plan.unit!r} && hand.offers", plan)

    def _spot(self, find: str, name: str) -> tuple[float, float]:
        """Return a point to click; a map that has to be moved for it counts as a click."""
        looked = "name => { const before = shown; const at = (%s)(name); return at && [...at, before !== shown]; }"
        spot = self.page.evaluate(looked % find.strip(), name)
        assert spot is not None, f"{name} cannot be clicked"
        self.tally.clicks += spot[2]
        return spot[0], spot[1]

    def _free_point(self, point: str) -> tuple[float, float]:
        """Return a free point of a table; the map is enlarged while a mark covers it."""
        for _ in range(MOST_ZOOMS):
            spot = self._spot(POINT, point)
            if self.page.evaluate(IS_FREE, [*spot, point]):
                return spot
            self._click("#zoom button")
        raise AssertionError(f"{point} is covered")

    def _confirm(self, order: Raw, plan: ClickPlan) -> None:
        """Click the row of an order at a shared target, the dice and the second click, in the sequence of the page."""
        way = f'#palette [data-focus="way-{plan.typed}"]' if plan.typed else ""
        for _ in range(3):
            if way and self._has(way):
                self._click(way)
                way = ""
            asks = f"{ANSWERED}, #hand-give, #order-form fieldset.die"
            self._wait(_has(f"{asks}, #palette [data-focus^='way-']" if way else asks), order)
            if self._has(ANSWERED):
                return
            if self._has("#hand-give"):
                self._click("#hand-give")
                self._wait(_has(f"{ANSWERED}, #order-form fieldset.die"), order)
            elif self._has("#order-form fieldset.die") and order.get("pips"):
                self._roll(order)
                return

    # --- the form -----------------------------------------------------------------------------------------------------

    def _in_form(self, order: Raw, *, typing: bool = False, is_open: bool = False) -> None:
        page, name = self.page, order["order"]
        is_form = f"document.querySelector('#order-form [name=order]')?.value === {name!r}"
        if not is_open and not page.evaluate(is_form):
            self._click(f'#order .tabs [data-focus="tab-{name}"]')
        self._wait(is_form, order)
        self._settle()
        for argument, value in order.items():
            if argument not in BESIDE_FIELDS and value != self.defaults.get((name, argument)):
                self._fill(name, argument, value, typing=typing)
        self._roll(order)

    def _roll(self, order: Raw) -> None:
        self._settle()
        for nth, pip in enumerate(order.get("pips", ()), 1):
            face, result = f'[name="pip.{nth}"][value="{pip}"]', f'#order-form [name="pip.{nth}"]'
            assert self._has(result), (order, self.page.inner_text("#order-form"))
            if self._has(f"#order-form label.face:has({face})"):
                self._click(f"#order-form label.face:has({face})")
            else:
                self._type(order["order"], result, str(pip))
        self._click("#order-form [data-focus=give]")

    def _fill(self, order: str, argument: str, value: Any, *, typing: bool) -> None:
        row = self.page.locator(f'#order-form .row:has([name="f.{argument}"])')
        if not row.is_visible():
            self._click("#order-more > summary")
        kind, words = row.get_attribute("data-kind"), _words(value)
        box = f'#order-form [name="f.{argument}"]:not([type=radio]):not([type=checkbox])'
        if typing and kind not in ("choice", "name"):
            self._type(f"{order} {argument}", box, ",".join(words))
        elif kind == "number":
            self._step(argument, int(value))
        elif kind == "path":
            self._path(order, argument, words)
        elif not self._choose(argument, words, typing=typing):
            self._type(f"{order} {argument}", box, ",".join(words))

    def _choose(self, argument: str, words: list[str], *, typing: bool = False) -> bool:
        """Click the choices of a field; return False if it does not have each of them."""
        wanted = [way for word in words for way in _clicks_for(word)]
        offered = set(self.page.evaluate(CHOICES, argument))
        if argument in FREE_WORDS and offered and not set(wanted) <= offered:
            wanted = [min(offered)]
        wanted = [one if one in offered else _same_amount(one, offered) for one in wanted]
        if not set(wanted) <= offered or (typing and any(self._is_added(argument, word) for word in wanted)):
            return False
        for word in wanted:
            self._choose_one(argument, word)
        return True

    def _is_added(self, argument: str, word: str) -> bool:
        """Return whether a choice is not a chip of the field, but added to it."""
        return not self._has(_chip(argument, word))

    def _choose_one(self, argument: str, word: str) -> None:
        chip = _chip(argument, word)
        button = f'#order-form button[name="add.{argument}"][value={json.dumps(word)}]'
        if self._has(chip):
            if self._has(f"{chip} input:checked"):
                return
            self._click(chip)
        elif self._has(button):
            self._click(button)
        else:
            self.page.select_option(f'#order-form select[name="add.{argument}"]', word)
            self.tally.clicks += 2  # one opens the list, one chooses
        self._settle()

    def _path(self, order: str, argument: str, places: list[str]) -> None:
        page, box = self.page, f'#order-form [name="f.{argument}"]'
        if page.input_value(box).rstrip(";") == ",".join(places):
            return
        for nth, place in enumerate(places):
            if place in page.evaluate(CHOICES, argument):
                self._choose_one(argument, place)
            elif nth:  # a path may begin with the place of its units
                break
        if not page.input_value(box).rstrip(";").endswith(places[-1]):
            self._type(f"{order} {argument}", box, ",".join(places))

    def _step(self, argument: str, value: int) -> None:
        """Add a number up with its buttons."""
        page, box = self.page, f'#order-form [name="f.{argument}"]'
        while (left := value - int(page.input_value(box) or 0)) or not page.input_value(box):
            by = max((one for one in (1, 10) if one <= abs(left)), default=1) * (1 if left > 0 else -1)
            self._click(f'#order-form .row:has([name="f.{argument}"]) button[data-step="{by}"]')
            self._settle()

    def _type(self, order: str, box: str, text: str) -> None:
        """Type into a field: one click, and no order by clicks alone."""
        self.tally.typed[order] += 1
        self.tally.clicks += 1
        found = self.page.locator(box).first
        found.fill(text)
        found.dispatch_event("change")
        self._settle()


def _has(selector: str) -> str:
    return f"document.querySelector({json.dumps(selector)}) !== null"


def _chip(argument: str, word: str) -> str:
    return f'#order-form label:has(input[name="f.{argument}"][value={json.dumps(word)}]:not(.other))'


def _clicks_for(word: str) -> list[str]:
    """Return the choices whose clicks make up a word: of counted names each once per count."""
    if word.startswith("["):
        return [way for one in json.loads(word) for way in _clicks_for_line(one)]
    name, equals, count = word.partition("=")
    return [f"{name}=1"] * int(count) if equals and count.isdecimal() else [word]


def _clicks_for_line(line: Raw) -> list[str]:
    if "source" in line:
        return [f"{line['amount']}:{line['source']}"]
    return [f"{name}={count}" for name, count in line.items()] or ["{}"]


UNTIL = """async (holds) => {
  for (const end = Date.now() + 20000; Date.now() < end; await new Promise((go) => setTimeout(go, 5))) {
    const found = holds();
    if (found) return found;
  }
  return null;
}"""
"""Return the first true value of a function, which is called again and again."""
MIDDLE = """async (selector) => {
  const middle = () => {
    const at = document.querySelector(selector)?.getBoundingClientRect();
    return at && [at.left + at.width / 2, at.top + at.height / 2];
  };
  const isFree = (at) => document.elementFromPoint(...at)?.closest(selector);
  for (const end = Date.now() + 20000; Date.now() < end; ) {
    let at = middle();
    if (at && !isFree(at)) document.querySelector(selector).scrollIntoView({ block: "center", behavior: "instant" });
    at = middle();
    await new Promise((go) => requestAnimationFrame(go));
    const then = middle();
    if (at && then && at[0] === then[0] && at[1] === then[1] && isFree(then)) return then;
  }
  return null;
}"""
"""The middle of an element that no longer moves and that nothing covers, scrolled into view."""


def _same_amount(modifier: str, offered: Collection[str]) -> str:
    """Return an offered modifier of the same amount, whose source has other words; the modifier itself without one."""
    amount, found, _ = modifier.partition(":")
    return min((one for one in offered if found and one.startswith(f"{amount}:")), default=modifier)


CHOICES = """argument => [
  ...document.querySelectorAll(`#order-form input[name="f.${argument}"]:is([type=radio], [type=checkbox])`),
  ...document.querySelectorAll(`#order-form button[name="add.${argument}"]`),
  ...document.querySelectorAll(`#order-form select[name="add.${argument}"] option`),
].map((one) => one.value).filter(Boolean)"""
"""The choices of a field: chips, buttons that add one, and the list of further names."""
COUNTER_SPOT = """unit => {
  const stack = stackOf(unit);
  if (!stack) return null;
  reveal(...middleOf(counterBox(stack)));
  const at = [...stack.querySelectorAll(".counter")].pop().getBoundingClientRect();
  return [at.left + at.width / 2, at.top + at.height / 2];
}"""
"""The middle of a unit's counter."""
PLACE_SPOT = """place => {
  const plot = plotOf(place);
  if (!plot) return null;
  reveal(...middleOf(plot.getBBox()));
  const at = plot.getBoundingClientRect(), shares = [0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9];
  for (const across of [0.5, ...shares]) for (const down of shares) {
    const [x, y] = [at.left + at.width * across, at.top + at.height * down], on = document.elementFromPoint(x, y);
    if (on?.closest("[data-place]") === plot && !on.closest("[data-units]")) return [x, y];
  }
  return null;
}"""
"""A point of a place that no counter covers."""
IS_SHOWN = "name => targets.some((one) => one.place === name || one.units.includes(name))"
POINT = """point => {
  const [x, y] = point.split(",").map(Number), scale = Number(document.querySelector("#map .table").dataset.scale);
  reveal(x * scale, y * scale);
  const at = new DOMPoint(x * scale, y * scale).matrixTransform(drawing().getScreenCTM());
  return [at.x, at.y];
}"""
"""A point of a table on the screen."""
IS_FREE = """([x, y, point]) => {
  const target = under({ clientX: x, clientY: y, target: document.elementFromPoint(x, y) });
  if (!target?.closest("#map, #over") || tablePoint({ clientX: x, clientY: y }) !== point) return false;
  return !target.closest("[data-go], [data-units], [data-place]") || isBelowItself(target, point);
}"""
"""Whether a click on a point of the screen chooses that point of the table."""
MOST_ZOOMS = 8


def defaults_of(title: Any) -> dict[tuple[str, str], Any]:
    """Return the default of each argument of each order: a player leaves it as it is."""
    return {
        (name, field.encode_name): field.default
        for name, order in title.every_order.items()
        for field in msgspec.structs.fields(order)
    }
