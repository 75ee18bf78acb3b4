"""One order id for two clients at the same moment, mostly with different orders; a part of `writers`.

Two clients raise different accounts under one id, as processes on the command line, as processes and as threads with
the library, and through two workers of the service, on each store. Of two different orders one is recorded, and the
other client reads that it was refused, or that the game has grown. Two equal orders are recorded once. After each id
both clients give an order of their own, which must have decided on what the ledger has.
"""

import contextlib
import importlib.util
import json
import multiprocessing
import random
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import umpire_ledger as umpire
from tests.attacks.attack import Findings, folder, run
from tests.cli.terminal import SCENARIO
from tests.face.desk import EXPECTED, problem_of

RECORDED, REFUSED, OVERTAKEN, LOCKED, REPEATED = 0, 3, 4, 7, "repeated"
CODES = {200: RECORDED, 422: REFUSED, 412: OVERTAKEN, 503: LOCKED}
EQUAL = 0.2
"""Share of the orders that both clients give alike."""
PATIENCE = 60
SEATS = ("red", "blue")
GAME = "one"

Give = Callable[[dict[str, Any]], "int | str"]
"""Give an order; an exit code, or `repeated`."""
Client = Callable[[str, str], "contextlib.AbstractContextManager[Give]"]
"""One client of a ledger, as a seat."""
Answers = list["tuple[int | str, int | str]"]
"""For each id the answer to its order, and to the order after it."""


def orders(ids: int, seed: int) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Two orders under each id."""
    chance = random.Random(seed)
    given = []
    for n in range(ids):
        equal = chance.random() < EQUAL
        ours = {"as": "red", "order": "pay", "account": "points/red", "amount": 1, "id": f"id-{n}"}
        theirs = ours if equal else {**ours, "account": "points/blue", "as": "blue"}
        given.append((ours, theirs))
    return given


# --- clients ----------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def command_line(where: str, seat: str) -> Iterator[Give]:
    """Yield a function that gives an order by `umpire order`, in the process of the client."""

    def give(order: dict[str, Any]) -> int | str:
        answer = run(("order", GAME, json.dumps(order), "--as", "referee", "--json", "--ledger", where), Path.cwd())
        if answer.code == RECORDED and json.loads(answer.out)["repeated"]:
            return REPEATED
        return answer.code

    yield give


@contextlib.contextmanager
def library(where: str, seat: str) -> Iterator[Give]:
    """Yield a function that gives an order by a separate ledger object."""
    with umpire.open(where) as desk:
        referee = desk.game(GAME).referee

        def give(order: dict[str, Any]) -> int | str:
            try:
                return REPEATED if referee.order(dict(order)).repeated else RECORDED
            except EXPECTED as error:
                return problem_of(error).code

        yield give


def service(address: str, token: str) -> Client:
    """Return a client of the service that opens a connection for each call, so that either worker may take it."""

    @contextlib.contextmanager
    def client(where: str, seat: str) -> Iterator[Give]:
        import httpx  # noqa: PLC0415 -- an extra

        def give(order: dict[str, Any]) -> int | str:
            headers = {"Authorization": f"Bearer {token}"}
            answer = httpx.post(
                f"{address}/games/{GAME}/orders", json=order, headers=headers, timeout=PATIENCE, trust_env=False
            )
            if answer.status_code == 200 and answer.json()["repeated"]:
                return REPEATED
            return CODES.get(answer.status_code, answer.status_code)

        yield give

    return client


# --- at once ----------------------------------------------------------------------------------------------------------


def own_orders(client: Client, where: str, seat: str, given: Sequence[dict[str, Any]], together: Any) -> Answers:
    """Give the orders of one client, each when the other client gives its own, and one of its own after each."""
    answers: Answers = []
    with client(where, seat) as give:
        for n, order in enumerate(given):
            together.wait(PATIENCE)
            first = give(order)
            after = {"as": seat, "order": "pay", "account": f"own/{seat}", "amount": 1, "id": f"{seat}-{n}"}
            second = give(after)
            while second in (OVERTAKEN, LOCKED):
                second = give(after)
            answers.append((first, second))
    return answers


def as_processes(client: Client, where: str, given: Sequence[tuple[dict[str, Any], dict[str, Any]]]) -> list[Answers]:
    """Two processes; `[]` for one that ended in an error."""
    context = multiprocessing.get_context("fork")
    together, told = context.Barrier(2), context.SimpleQueue()

    def child(number: int) -> None:
        told.put((number, own_orders(client, where, SEATS[number], [two[number] for two in given], together)))

    children = [context.Process(target=child, args=(number,)) for number in (0, 1)]
    for one in children:
        one.start()
    for one in children:
        one.join()
    found: list[Answers] = [[], []]
    while not told.empty():
        number, answers = told.get()
        found[number] = answers
    return found


def as_threads(client: Client, where: str, given: Sequence[tuple[dict[str, Any], dict[str, Any]]]) -> list[Answers]:
    """Give both clients' orders from two threads."""
    together, found = threading.Barrier(2), [Answers(), Answers()]

    def thread(number: int) -> None:
        found[number] = own_orders(client, where, SEATS[number], [two[number] for two in given], together)

    threads = [threading.Thread(target=thread, args=(number,)) for number in (0, 1)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return found


# --- what the ledger has ----------------------------------------------------------------------------------------------


def examine(where: str, given: Sequence[tuple[dict[str, Any], dict[str, Any]]], told: Sequence[Answers]) -> list[str]:
    """Return the faults: an acknowledged order that is missing, an order recorded twice, an inconsistent event."""
    if any(len(answers) != len(given) for answers in told):
        return ["a client ended in an error"]
    faults = []
    with umpire.open(where) as desk:
        game = desk.game(GAME)
        for n, two in enumerate(given):
            records = desk.ledger.answer(GAME, f"id-{n}")
            cause = next((json.loads(bytes(record.cause)) for record in records if record.cause), {})
            answers = [told[number][n][0] for number in (0, 1)]
            for order, answer in zip(two, answers, strict=True):
                was_told = answer in (RECORDED, REPEATED)
                if was_told and cause.get("account") != order["account"]:
                    faults.append(f"an order was answered {answer} and another is recorded under its id")
                if answer not in (RECORDED, REPEATED, REFUSED, OVERTAKEN, LOCKED):
                    faults.append(f"an order was answered {answer}")
            if answers.count(RECORDED) != 1:
                faults.append(
                    f"two orders under one id were answered {' and '.join(map(str, sorted(map(str, answers))))}"
                )
        if any(second not in (RECORDED, REPEATED) for answers in told for _, second in answers):
            faults.append("an order under an id of its own was not recorded")
        if misfits := game.misfits():
            faults.append(f"{misfits} events are not valid transitions")
        if (verdict := game.verify().verdict).verdict != "VALID":
            faults.append(f"the game is {verdict.verdict}: {verdict.reason}")
    return faults


def open_game(where: str) -> None:
    with umpire.open(where) as desk:
        desk.new_from_text("freeform", SCENARIO, id=GAME)


@contextlib.contextmanager
def served(place: Path, where: str) -> Iterator[Client]:
    """Two workers of the service on a ledger."""
    from tests.service.served import Served  # noqa: PLC0415 -- an extra

    running = Served(place, "--workers", "2", "--rate", "100000", ledger=where)
    try:
        yield service(running.address, running.token(GAME, "referee"))
    finally:
        running.stop()


@contextlib.contextmanager
def databases() -> Iterator[Callable[[], str]]:
    """Make empty databases on a PostgreSQL server of this attack's own."""
    import pgserver  # noqa: PLC0415 -- an extra

    from tests.databases import connected  # noqa: PLC0415 -- needs the extra

    server = pgserver.get_server(Path(tempfile.mkdtemp(prefix="umpire-ids-")), cleanup_mode="delete")
    made: list[str] = []

    def another() -> str:
        made.append(f"ids_{len(made)}")
        with connected(server.get_uri()) as connection:
            connection.execute(f"CREATE DATABASE {made[-1]}")
        return str(server.get_uri()).replace("/postgres?", f"/{made[-1]}?")

    try:
        yield another
    finally:
        server.cleanup()


def contend_for_ids(ids: int, seed: int, found: Findings) -> None:
    """Give two orders under each of `ids` ids, in each way, on each store."""
    given = orders(ids, seed)
    with contextlib.ExitStack() as stack:
        another = stack.enter_context(databases()) if importlib.util.find_spec("pgserver") else None
        for store in ("sqlite", "postgresql") if another else ("sqlite",):
            for way in ("command line", "processes", "threads", "service"):
                if way == "service" and not importlib.util.find_spec("litestar"):
                    continue
                with folder() as place, contextlib.chdir(place):
                    where = another() if another and store == "postgresql" else str(place / "umpire.db")
                    told = _contend(way, place, where, given)
                    _judge(f"{store}, {way}", examine(where, given, told), told, found)


def _contend(
    way: str, place: Path, where: str, given: Sequence[tuple[dict[str, Any], dict[str, Any]]]
) -> list[Answers]:
    open_game(where)
    if way == "command line":
        return as_processes(command_line, where, given)
    if way == "processes":
        return as_processes(library, where, given)
    if way == "threads":
        return as_threads(library, where, given)
    with served(place, where) as client:
        return as_threads(client, where, given)


def _judge(way: str, faults: Sequence[str], told: Sequence[Answers], found: Findings) -> None:
    found.counts["ids"] += max(map(len, told))
    for answers in told:
        found.counts.update(f"id {first}" for first, _ in answers)
    for fault in faults:
        found.fault(f"{way}: {fault}")
