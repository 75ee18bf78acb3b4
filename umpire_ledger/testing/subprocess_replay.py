"""Read a request from standard input and decide its orders again, for the promise `another-process`."""

import sys
from pathlib import Path

import msgspec

from umpire_ledger.domain.game.decision import Decision
from umpire_ledger.domain.game.order_json import read_order
from umpire_ledger.domain.game.scenario import Scenario, read_scenario
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.domain.titles import load as load_title
from umpire_ledger.testing.examples import Script, told_text
from umpire_ledger.testing.promises.determinism import RerunRequest
from umpire_ledger.testing.random_play import NO_HISTORY, opened


def decided(title: Title, script: Script, decision: Decision) -> Script:
    """Decide a script's orders in this process, up to the first that is refused or raises an exception."""
    again = Script(
        scenario=script.scenario,
        seed=script.seed,
        options=script.options,
        opening=told_text(decision),
        dice=script.dice,
        orders=script.orders,
    )
    for order in script.orders:
        try:
            sent = read_order(title, msgspec.json.decode(order))
            decision = decide(title, decision.game, sent, NO_HISTORY)
        except Exception as error:
            again.events.append(f"{type(error).__name__}: {error}")
            return again
        again.events.append(told_text(decision))
    return again


def _opening(title: Title, scenarios: list[Scenario], script: Script) -> Decision:
    return opened(title, scenarios[script.scenario], script.seed, options=script.options, dice=script.dice)


def answer(raw: bytes) -> bytes:
    """Return the answer to a request as JSON, with one script for each script of the request."""
    given = msgspec.json.decode(raw, type=RerunRequest)
    title = load_title(given.reference)
    texts = (Path(file).read_text(encoding="utf-8") for file in given.scenarios)
    scenarios = [read_scenario(text, title.scenario) for text in texts]
    return msgspec.json.encode([decided(title, script, _opening(title, scenarios, script)) for script in given.scripts])


def main() -> None:
    """Answer the request on standard input on standard output."""
    sys.stdout.buffer.write(answer(sys.stdin.buffer.read()))


if __name__ == "__main__":
    main()
