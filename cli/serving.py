"""Serve a ledger over HTTP and manage its invitations (`umpire serve`, `invite`, `invitations`)."""

import os
from collections.abc import Sequence
from importlib.util import find_spec
from urllib.parse import urlsplit

import click

import umpire_ledger as umpire
from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.errors import usage
from umpire_ledger.cli.options import CountRange, complete_game, json_option, ledger_option, table_options
from umpire_ledger.cli.printing import minutes, print_json, print_table, say, zoned_minutes
from umpire_ledger.desk.core.durations import span
from umpire_ledger.desk.games.invitations import EVERY_GAME, Form, Invitation
from umpire_ledger.ledger.records.ledger_address import is_database, shown

HOST, PORT = "127.0.0.1", 8470
NEEDED = ("litestar", "uvicorn")
MOST_WORKERS = 64
TYPED_URL = "Warning: other users of this machine can read a URL on the command line; UMPIRE_WEBHOOK keeps it secret"


@click.command(cls=Explained)
@click.option(
    "--host",
    default=HOST,
    show_default=True,
    metavar="ADDRESS",
    help="Listen on this address; 0.0.0.0 means every address.",
)
@click.option(
    "--port",
    type=CountRange(min=0, max=65535),
    default=PORT,
    show_default=True,
    metavar="PORT",
    help="Listen on this port; 0 means any free port.",
)
@click.option(
    "--at", "address", default="", metavar="URL", help="Address that users type, for example https://umpire.club."
)
@click.option(
    "--workers",
    type=CountRange(min=1, max=MOST_WORKERS),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of processes.",
)
@click.option(
    "--rate",
    type=CountRange(min=1),
    default=20,
    show_default=True,
    metavar="N",
    help="Sustained requests per second for each seat.",
)
@click.option(
    "--work",
    type=CountRange(min=1),
    default=20,
    show_default=True,
    metavar="SECONDS",
    help="Sustained processor time per minute for each seat.",
)
@click.option(
    "--growth",
    type=CountRange(min=1),
    default=2048,
    show_default=True,
    metavar="KIB",
    help="Sustained log growth per minute for each seat.",
)
@click.option(
    "--streams",
    type=CountRange(min=1),
    default=500,
    show_default=True,
    metavar="N",
    help="Open streams for each process.",
)
@click.option(
    "--connections",
    type=CountRange(min=4),
    default=1000,
    show_default=True,
    metavar="N",
    help="Connections for each process; one address may use a quarter.",
)
@click.option(
    "--slow",
    type=CountRange(min=1),
    default=20,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for a slow request or reader.",
)
@click.option(
    "--webhook",
    is_flag=False,
    flag_value="",
    metavar="[URL|@FILE]",
    help="Post notices to this URL. Default: UMPIRE_WEBHOOK, which keeps the URL secret.",
)
@click.option(
    "--mail",
    is_flag=False,
    flag_value="",
    metavar="[FILE|smtp://HOST]",
    help="Mail notices, or write an mbox file. Default: UMPIRE_SMTP_HOST.",
)
@click.option(
    "--address",
    "addresses",
    multiple=True,
    metavar="SEAT=ADDRESS",
    help="Mail address of a seat, or GAME/SEAT=ADDRESS. Repeatable.",
)
@click.option("--from", "sender", default="", metavar="ADDRESS", help="Sender of mail. Default: UMPIRE_SMTP_FROM.")
@click.option(
    "--remind",
    default="",
    metavar="TIME",
    help="Remind seats that have given no order for this long: 36h, 3d. Default: UMPIRE_REMIND.",
)
@click.option(
    "--witness", default="", metavar="FOLDER", help="Run the witness in this folder at /witness/add-checkpoint."
)
@ledger_option
def serve(
    host: str,
    port: int,
    address: str,
    workers: int,
    rate: int,
    work: int,
    growth: int,
    streams: int,
    connections: int,
    slow: int,
    webhook: str | None,
    mail: str | None,
    addresses: Sequence[str],
    sender: str,
    remind: str,
    witness: str,
    where: str,
) -> None:
    """Serve the ledger over HTTP.

    Browsers, bots and map programs use it until you press Ctrl-C. Each user needs an invitation to a seat (`umpire
    invite`). The service listens on this machine only; for others, put a TLS proxy in front of it and give its address
    with --at. The log goes to standard error, one JSON line per request. With --webhook or --mail, it sends each notice
    automatically, once, a few seconds after an order.

    \b
    Examples:
      umpire serve
      umpire serve --workers 2 --at https://umpire.example.org
      umpire serve --webhook @hook.url
    """
    _verify_installed()
    _verify_address(address)
    from umpire_ledger.service.notices import remind_after, ways  # noqa: PLC0415 -- 95 ms: nothing else needs the framework
    from umpire_ledger.service.running import bound, run  # noqa: PLC0415 -- 48 ms: nothing else needs the framework
    from umpire_ledger.service.settings import ServiceSettings  # noqa: PLC0415 -- 1 ms: nothing else needs the service

    settings = ServiceSettings(
        where=where if is_database(where) else os.path.abspath(where),
        at=address.rstrip("/"),
        workers=workers,
        rate=float(rate),
        burst=3 * rate,
        guesses=rate / 100,
        work=float(work),
        growth=growth,
        streams=streams,
        slow=float(slow),
        body_seconds=float(slow),
        head_seconds=min(15.0, float(slow)),
        connections=connections,
        connections_an_address=connections // 4,
        webhook=webhook,
        mail=mail,
        addresses=",".join(addresses),
        sender=sender,
        remind=remind,
        witness=os.path.abspath(witness) if witness else "",
    )
    if witness:
        from umpire_ledger.service.witness import served_witness  # noqa: PLC0415 -- 224 ms: few serve one

        served_witness(settings.witness)  # report faults of the witness before the service starts
    if mail is None and (addresses or sender):
        raise usage("--address and --from need --mail", where="serve", rule="notices", remedy="add --mail")
    if remind and webhook is None and mail is None:
        raise usage("--remind needs a channel", where="serve", rule="notices", remedy="add --webhook or --mail")
    list(ways(settings))  # report faults of the channels before the service starts
    remind_after(settings)
    if webhook and not webhook.startswith("@"):
        say(TYPED_URL, err=True)
    with bound(host, port) as listening:
        if host not in ("127.0.0.1", "localhost", "::1") and not settings.is_secure:
            say(
                "Warning: without TLS, others on the network can read every token; use a TLS proxy and --at https://…",
                err=True,
            )
        known = f", for people at {settings.at}" if settings.at else ""
        run(settings, listening, lambda at: say(f"Serving {shown(where)} at {at}{known}"))


def _verify_installed() -> None:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise usage(
            f"a server needs {' and '.join(missing)}, which is not installed",
            where="umpire serve",
            rule="the extra `serve`",
            remedy="pip install 'umpire-ledger[serve]'",
        )


def _verify_address(address: str) -> None:
    """Check that an address is a scheme and a host, without a path.

    Raises:
        Refusal: When it is not.
    """
    parts = urlsplit(address)
    fits = parts.scheme in ("http", "https") and parts.hostname and not parts.username
    if address and (not fits or parts.path not in ("", "/") or parts.query or parts.fragment):
        remedy = "give the scheme and host, for example https://umpire.example.org"
        raise usage(f"{address} is not a service address", where="umpire serve --at", rule="addresses", remedy=remedy)


@click.command(cls=Explained)
@click.argument("game_id", metavar="[GAME]", required=False, shell_complete=complete_game)
@click.argument("seat", metavar="[SEAT]", required=False)
@click.option(
    "--program", is_flag=True, help="Create a token for a bot or map program, which sends it with each request."
)
@click.option(
    "--lasts", default="30d", show_default=True, metavar="TIME", help="Time until the invitation expires: 36h, 30d, 8w."
)
@click.option("--for", "who", default="", metavar="NAME", help="Name of the person, shown in the list.")
@click.option("--at", "address", default="", metavar="URL", help="Address that users type, as for `umpire serve`.")
@click.option("--every-game", is_flag=True, help="Invite a referee of every game, who can also start new games.")
@ledger_option
@json_option
def invite(
    game_id: str | None,
    seat: str | None,
    program: bool,
    lasts: str,
    who: str,
    address: str,
    every_game: bool,
    where: str,
    as_json: bool,
) -> None:
    """Create an invitation to a seat.

    Umpire prints a link that works once, or with --program a token for a bot. It is shown only now: the ledger stores
    only its hash. Anyone who has it can use the seat: send it over a channel that you trust.

    \b
    Examples:
      umpire invite harbour athens --for Anna --at https://umpire.example.org
      umpire invite harbour spectator --program --lasts 1d
    """
    if every_game == bool(game_id) or bool(game_id) != bool(seat):
        raise click.UsageError("Name a game and a seat, or --every-game.")
    _verify_address(address)
    form: Form = "program" if program else "link"
    with umpire.open(where) as desk:
        made = desk.invitations.invite(game_id or EVERY_GAME, seat or "referee", form=form, lasts=span(lasts), who=who)
    link = "" if program else f"{address.rstrip('/') or f'http://{HOST}:{PORT}'}/in#{made.token}"
    if as_json:
        print_json({"invitation": made.invitation, "token": made.token, "link": link})
        return
    one = made.invitation
    say(link or made.token)
    say(f"  {_of(one)}, until {zoned_minutes(one.expires_at)}; shown only now")
    say(f"  To revoke it: umpire invitations --revoke {one.id}")


@click.command(cls=Explained)
@click.argument("game_id", metavar="[GAME]", required=False, shell_complete=complete_game)
@click.option("--revoke", default="", metavar="ID", help="Revoke this invitation and end its sessions.")
@ledger_option
@table_options
@json_option
def invitations(game_id: str | None, revoke: str, where: str, as_json: bool) -> None:
    """List or revoke invitations.

    Without GAME, list the invitations to all games. A revoked invitation ends at once, with every session that it
    started.

    \b
    Examples:
      umpire invitations harbour
      umpire invitations --revoke 72971f83dffdb9a5
    """
    with umpire.open(where, read_only=not revoke) as desk:
        if game_id:
            desk.game(game_id)
        found = [desk.invitations.revoke(revoke, game_id)] if revoke else desk.invitations.listed(game_id)
    if as_json:
        print_json(found)
        return
    rows = [(one.id, _of(one), one.form, one.who, minutes(one.expires_at), _came(one)) for one in found]
    print_table(("id", "seat", "form", "name", "expires", "state"), rows, empty="no invitations")


def _of(one: Invitation) -> str:
    return f"{one.seat} of {one.game or 'every game'}"


def _came(one: Invitation) -> str:
    if one.revoked_at:
        return f"revoked {minutes(one.revoked_at)}"
    return f"used {minutes(one.used_at)}" if one.used_at else "not used"
