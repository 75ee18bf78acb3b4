"""Write the turn view as text, with few imports, because it is printed after every order."""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from umpire_ledger.cli.printing import zoned_minutes
from umpire_ledger.domain.game.verb_agreement import counted

if TYPE_CHECKING:
    from datetime import datetime

MOST_LAST = 3
"""Number of last orders to show if there are no new ones."""


def status_lines(
    view: Mapping[str, Any],
    *,
    everything: bool = False,
    now: "datetime | None" = None,
    earlier: tuple[int, int] | None = None,
) -> Iterator[str]:
    """Yield a seat's turn view in a few lines: step, sides that must act, allowed and required orders, news, state.

    Args:
        everything: Include accounts and markers that only the rules need.
        now: The current time, to show the time that has passed; None to leave it out.
        earlier: The first and last position of new orders that are older than those in the view.
    """
    kept = () if everything else view.get("kept", ())
    names = _names(view)
    yield f"{_named(view)} · {view['title']} · {view.get('display_name') or view['name']} · #{view['position']}"
    yield view["where"] or "no sequence of play: any order at any time"
    yield from view.get("tells", ())
    if view["note"]:
        yield f"note:     {view['note']}"
    if view["ended"]:
        winner = f" · won by {names.get(view['winner'], view['winner'])}" if view["winner"] else ""
        yield f"ended:    {view['ended']}{winner}"
    yield from _labelled("asked:", _asked(view))
    yield from _labelled("dice:", _shares(view))
    if waits := view.get("amending"):
        yield from _amending(view, waits)
    yield from _labelled("disputes:", (f"#{d['position']} {d['dispute']} {d['text']}" for d in view["disputes"]))
    yield from _labelled("waiting:", _waiting(view, now))
    owed = _owed_orders(view)
    yield from _labelled("orders:", (_orders(one, owed) for one in view["allowed"]))
    yield from _labelled(
        "answers:", (f"{a['side']} in {a['step']}: {_typed_answers(a['answers'])}" for a in view["answers"])
    )
    if view["pick"]:
        pick = view["pick"]
        end = ", or `done`" if pick.get("may_end") else ""
        yield f"pick:     {pick['side']} for {pick['loop']} {pick['name']}: {', '.join(pick['members'])}{end}"
    yield from _labelled("next:", (f"with the next order {one}" for one in view.get("by_itself", ())))
    yield from _labelled("required:", _required(view["owed"]))
    yield from _labelled("dice:", (f"{d['side']} in {d['step']}: {d['words']}" for d in view.get("dice_asked", ())))
    yield from _labelled("forfeits:", (f"{o['side']} in {o['step']}: {o['words']}" for o in view.get("on_done", ())))
    yield from _labelled("sides:", [", ".join(f"{s['name']} {counted(s['units'], 'unit')}" for s in view["sides"])])
    yield from _labelled("hidden:", [", ".join(view.get("hidden", ()))])
    yield from _labelled("contacts:", map(_contact, view.get("contacts", ())))
    yield from _labelled("lost:", (_lost(one) for one in view.get("last_seen", ())))
    yield from _labelled("sealed:", (_sealed(view, one) for one in view.get("sealed", ())))
    yield from _labelled("accounts:", [_pairs(view["accounts"], kept)])
    yield from _labelled("markers:", [_pairs(view["markers"], kept)])
    if everything and (ours := view.get("ours")):
        numbers = ", ".join(f"{one['name']} {one['value']} ({one['rule']})" for one in ours)
        yield f"house:    {numbers}; house values: `umpire titles {view['title']}`"
    yield from _labelled("choices:", (_choice(one) for one in _of_interest(view, kept)))
    yield from _labelled("new:", _new(view, earlier))
    if not view["since"]:
        yield from _labelled("last:", (f"#{one['position']} {one['text']}" for one in view["last"][-MOST_LAST:]))


def _names(view: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of the sides and of the referee for use in a sentence."""
    return {"referee": "the referee", **{one["id"]: one["name"] or one["id"] for one in view["sides"]}}


def _listed(view: Mapping[str, Any], seats: Collection[str], between: str = ", ") -> str:
    names = _names(view)
    return between.join(names.get(seat, seat) for seat in seats)


def _asked(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield the requested rewind, with the sides that have consented and the sides that must still answer."""
    if asked := view.get("asked"):
        agreed = f"; agreed: {_listed(view, asked['consents'])}" if asked["consents"] else ""
        who = _listed(view, [asked["seat"]])
        yield f"{who[:1].upper()}{who[1:]} asked to return to #{asked['to']}: {asked['why']}{agreed}"
        if asked["waits"]:
            yield f"waits for {_listed(view, asked['waits'])}: `consent` or `refuse`"


def _required(owed: Collection[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the required actions; an action that any of several sides can take is one line."""
    sides: dict[tuple[str, ...], list[str]] = {}
    for one in owed:
        whose = () if one.get("any_side") else (one["side"],)
        sides.setdefault((one["step"], one["words"], one["rule"], *whose), []).append(one["side"])
    for (step, words, rule, *_), some in sides.items():
        yield f"{' or '.join(some)} in {step}: {words} ({rule})"


def _shares(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield the sides whose share of shared or witnessed dice is missing."""
    if sides := view.get("dice", {}).get("waits_for"):
        whose = view["dice"]["order_of"]
        what = f"the order of {_listed(view, [whose])} waits for" if whose else "no roll before"
        typed = " and ".join(f"`umpire dice-share {view['game']} --as {side}`" for side in sides)
        yield f"{what} the share of {_listed(view, sides, ' and ')}: {typed}"


def _contact(contact: Mapping[str, Any]) -> str:
    """Return a line about a hidden unit that met another one."""
    are = "are" if len(contact["hidden"]) > 1 else "is"
    how = "passes" if contact["passing"] else "meets"
    what = f"{contact['unit']} {how} {contact['other']}; {' and '.join(contact['hidden'])} {are} hidden"
    return f"at {contact['place']}: {what} (#{contact['position']})"


def _sealed(view: Mapping[str, Any], one: Mapping[str, Any]) -> str:
    """Return a line about sealed words that wait for their condition."""
    return f"{_listed(view, [one['side']])}, if {one['condition']}: {one['text']} (#{one['position']})"


def _lost(one: Mapping[str, Any]) -> str:
    """Return a line about a unit that went out of sight."""
    turn = f"turn {one['turn']} " if one["turn"] else ""
    return f"{one['unit']} ({one['kind']}) last seen {turn}at {one['at']} (#{one['position']})"


def _new(view: Mapping[str, Any], earlier: tuple[int, int] | None) -> Iterator[str]:
    """Yield the orders since the seat last looked, after a command that shows the older ones."""
    if earlier is not None:
        yield "earlier ones: `umpire audit {} --from {} --to {}`".format(view["game"], *earlier)
    yield from (f"#{one['position']} {one['text']}" for one in view["since"])


def _named(view: Mapping[str, Any]) -> str:
    """Return the game's id and, for a copy, its original."""
    copied = view.get("copied")
    if not copied:
        return str(view["game"])
    return f"{view['game']} (a copy of {copied['of']}{f' at #{at}' if (at := copied['at']) else ''})"


def _amending(view: Mapping[str, Any], waits: Mapping[str, Any]) -> Iterator[str]:
    game_id = view["game"]
    left = f"{counted(waits['left'], 'order')} {'remains' if waits['left'] == 1 else 'remain'}"
    of = f" of {_listed(view, [waits['seat']])}" if waits["seat"] else ""
    yield f"amending: stopped at #{waits['at']}{of}, which is no longer valid; {left}"
    yield f"          next, for the referee: umpire amend {game_id} --continue [ORDER] | --skip | --quit | --abort"


def _labelled(label: str, lines: Iterator[str] | list[str]) -> Iterator[str]:
    """Yield lines under one label, which only the first line has."""
    for at, line in enumerate(filter(None, lines)):
        yield f"{label if at == 0 else '':<10}{line}"


def _waiting(view: Mapping[str, Any], now: "datetime | None") -> Iterator[str]:
    """Yield the sides that must act, grouped by the time since which they must act."""
    since = {one["side"]: one["since"] for one in view["waits"]}
    for at in dict.fromkeys(since.get(side, "") for side in view["waiting"]):
        sides = ", ".join(side for side in view["waiting"] if since.get(side, "") == at)
        yield f"{sides}, since {zoned_minutes(at)}{_ago(at, now)}" if at else sides


def _ago(at: str, now: "datetime | None") -> str:
    """Return the duration since a time in its largest suitable unit; "" for a time in the future."""

    try:
        passed = (now - datetime.fromisoformat(at)).total_seconds() if now is not None else -1.0
    except ValueError:
        return ""
    for unit, seconds, most in (("min", 60, 120), ("h", 3600, 48), ("d", 86400, 10**9)):
        if 0 <= passed < seconds * most:
            return f" ({int(passed / seconds)} {unit} ago)"
    return ""


def _typed_answers(names: Collection[str]) -> str:
    """Return the answers as a person types them, including `done none`."""
    return ", ".join(f"`done {repr(name) if ' ' in name else name}`" for name in names)


def _owed_orders(view: Mapping[str, Any]) -> set[tuple[str, str, str]]:
    """Return the orders that each side must give in each step."""
    owed = {(one["side"], one["step"], name) for one in view["owed"] for name in one["orders"]}
    return owed | ({(view["pick"]["side"], view["pick"]["loop"], "pick")} if view["pick"] else set())


def _orders(view: Mapping[str, Any], owed: Collection[tuple[str, str, str]]) -> str:
    """Return the orders of a side in a step, first the required orders, which are marked."""
    step = f" in {view['step']}" if view["step"] else ""
    due = [name for name in view["orders"] if (view["side"], view["step"], name) in owed]
    names = (*(f"{name} (required)" for name in due), *(name for name in view["orders"] if name not in due))
    return f"{view['side']}{step}: {', '.join(names)}"


def _pairs(values: Mapping[str, Any], kept: Collection[str]) -> str:
    return ", ".join(f"{name} {_value(value)}" for name, value in values.items() if name not in kept)


def _value(value: Any) -> str:
    """Return a value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(map(str, value)) or "nothing"
    return "none" if value is None else str(value)


def _of_interest(view: Mapping[str, Any], kept: Collection[str]) -> Iterator[Mapping[str, Any]]:
    """Yield the choices, except those that only the rules need, for example of a battle that has ended."""
    return (one for one in view["choices"] if f"{one['question']}/{one['side']}" not in kept)


def _choice(one: Mapping[str, Any]) -> str:
    said = _value(one["choice"]) if one["known"] else "not known here"
    return f"{one['side']}, {one['question']}: {'sealed, ' if one['sealed'] else ''}{said}"
