"""Print, post or mail each seat's news since its last notification."""

import os
from collections.abc import Iterable, Iterator, Sequence

import click

import umpire_ledger as umpire
from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.errors import BROKEN, UNSENT, usage
from umpire_ledger.cli.options import complete_game, complete_listed, json_option, ledger_option
from umpire_ledger.cli.output import verify_written
from umpire_ledger.cli.printing import JsonList, print_json, say
from umpire_ledger.desk.notifications.notice_settings import NoticeSettings
from umpire_ledger.desk.notifications.sender import (
    Channel,
    DeliveryResult,
    Notices,
    UnconfirmedDelivery,
    verify_addresses,
)
from umpire_ledger.projections.reports.notices import Notice


class Printed:
    """A channel that prints notices on standard output, ready to paste."""

    name = "text"

    def __repr__(self) -> str:
        return "this terminal"

    def reaches(self, notice: Notice) -> bool:
        """Return True, because the reader of the output gets the notices of all seats."""
        return True

    def tell(self, notice: Notice) -> None:
        """Print the notice and a blank line.

        Raises:
            NotSent: When standard output cannot be written.
        """
        try:
            self._print(notice)
            verify_written()
        except OSError as error:  # a full disk, or a reader that closed the pipe
            what = f"standard output cannot be written: {error.strerror}"
            raise umpire.NotSent(
                what, where="standard output", remedy="check the free space and the program that reads the output"
            ) from error

    def _print(self, notice: Notice) -> None:
        say(*notice.text.split("\n"), "")

    def close(self) -> None:
        """Leave standard output open."""


class NoticeListing(Printed):
    """A channel that prints the notices as one JSON list. Each notice is written before it counts as delivered."""

    def __init__(self) -> None:
        self._list = JsonList()

    def _print(self, notice: Notice) -> None:
        self._list.add(_json(repr(self), DeliveryResult(notice=notice, came="told")))

    def close(self) -> None:
        """End the list."""
        self._list.end()


@click.command(cls=Explained)
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    shell_complete=complete_game,
    help="Send notices of this game. Repeatable.",
)
@click.option(
    "--seat",
    "seats",
    multiple=True,
    metavar="SEAT",
    shell_complete=complete_listed,
    help="Send the notices of this seat. Repeatable.",
)
@click.option(
    "--webhook",
    is_flag=False,
    flag_value="",
    metavar="[URL|@FILE]",
    help="Post to Discord, Matrix, Slack or Mattermost. Default: UMPIRE_WEBHOOK, which keeps the URL secret.",
)
@click.option(
    "--mail",
    is_flag=False,
    flag_value="",
    metavar="[FILE|smtp://HOST]",
    help="Write an mbox file or send mail. Default: UMPIRE_SMTP_HOST; also _PORT, _TLS, _USER and _PASSWORD.",
)
@click.option(
    "--address",
    "addresses",
    multiple=True,
    metavar="SEAT=ADDRESS",
    help="Mail address of a seat, or GAME/SEAT=ADDRESS. Default: UMPIRE_ADDRESSES. Repeatable.",
)
@click.option("--from", "sender", default="", metavar="ADDRESS", help="Sender of mail. Default: UMPIRE_SMTP_FROM.")
@click.option(
    "--remind",
    metavar="TIME",
    help="Remind seats that have given no order for this long: 36h, 3d. Default: UMPIRE_REMIND.",
)
@click.option("--preview", is_flag=True, help="Print the notices; send and record nothing.")
@click.option("--again", is_flag=True, help="Send unconfirmed notices again.")
@ledger_option
@json_option
def notices(
    games: Sequence[str],
    seats: Sequence[str],
    webhook: str | None,
    mail: str | None,
    addresses: Sequence[str],
    sender: str,
    remind: str | None,
    preview: bool,
    again: bool,
    where: str,
    as_json: bool,
) -> None:
    """Send each seat its notices, or print them.

    A notice reports a seat's turn, a requested rewind, a dispute, a ruling, a private note or the end of the game. It
    contains only what everyone may see. Without a channel (--webhook, --mail), Umpire prints the notices. Each channel
    gets a notice once; a failed notice is sent again next time. Archived games send none. Exit code 9: a notice failed,
    is unconfirmed or has no address.

    \b
    Examples:
      umpire notices
      umpire notices --webhook @hook.url --remind 3d
      umpire notices --mail notices.mbox --address athens=anna@example.org
    """
    if mail is None and (addresses or sender):
        raise usage("--address and --from need --mail", where="notices", rule="notices", remedy="add --mail")
    settings = NoticeSettings(_given(addresses, sender), os.environ)
    ways = list(_ways(webhook, mail, settings))
    after = settings.get("remind") or None if remind is None else remind
    told: list[tuple[str, DeliveryResult]] = []
    broken, listed = False, as_json and not ways and not preview
    with umpire.open(where, read_only=preview) as desk:
        if mail is not None:
            for warning in verify_addresses(desk, settings.given_addresses(), settings.addresses()):
                say(f"Warning: {warning}", err=True)
        for way in ways or [NoticeListing() if listed else Printed()]:
            every = desk.tell(way, games=games, seats=seats, again=again, remind=after)
            if preview:
                told += _previewed(way, every, as_json)
            else:
                told += _report(way, every, as_json and not listed)
            _warn(way, every)
            broken = broken or bool(every.troubled)
    if as_json and not listed:
        print_json([_json(by, one, preview=preview) for by, one in told])
    elif not told and not listed:
        say("No new notices.", err=True)
    if not preview and any(one.outcome != "delivered" for _, one in told):
        click.get_current_context().exit(UNSENT)
    if broken:
        click.get_current_context().exit(BROKEN)


def _given(addresses: Sequence[str], sender: str) -> dict[str, str]:
    return {"addresses": ",".join(addresses), "smtp_from": sender}


def _ways(webhook: str | None, mail: str | None, settings: NoticeSettings) -> Iterator[Channel]:
    if webhook is not None:
        if webhook and not webhook.startswith("@"):
            what = "other users of this machine can read a URL on the command line; UMPIRE_WEBHOOK keeps it secret"
            say(f"Warning: {what}", err=True)
        yield settings.webhook(webhook)
    if mail is not None:
        yield settings.mail(mail)


def _previewed(way: Channel, every: Notices, as_json: bool) -> Iterator[tuple[str, DeliveryResult]]:
    for notice in every.look():
        if not as_json:
            say(*notice.text.split("\n"), "")
        yield repr(way), DeliveryResult(notice=notice, came="not sent" if way.reaches(notice) else "no address")


def _report(way: Channel, every: Iterable[DeliveryResult], as_json: bool) -> Iterator[tuple[str, DeliveryResult]]:
    for one in every:
        if not as_json:
            _say(way, one)
        yield repr(way), one


def _say(way: Channel, delivery: DeliveryResult) -> None:
    who = f"{delivery.notice.seat} in {delivery.notice.game}"
    if delivery.outcome == "delivered" and not isinstance(way, Printed):
        say(f"{'reminder ' if delivery.notice.reminds else ''}delivered to {who}: {delivery.notice.subject}")
    elif delivery.outcome == "not addressed":
        remedy = f"add --address {delivery.notice.seat}=ADDRESS, or set UMPIRE_ADDRESSES"
        say(f"Error: {who} has no address, so the notification was not sent", f"  do:   {remedy}", err=True)
    elif delivery.trouble:
        verb = "failed" if delivery.outcome == "failed" else "is unconfirmed"
        say(f"Error: the notification to {who} {verb}: {delivery.trouble}", f"  do:   {delivery.remedy}", err=True)


def _warn(way: Channel, every: Notices) -> None:
    for doubt in every.doubts:
        say(_doubt(way, doubt), err=True)
    for game, why in every.troubled.items():
        say(f"Warning: {game} was skipped: {why}; `umpire verify {game}` shows the fault", err=True)


def _doubt(way: Channel, doubt: UnconfirmedDelivery) -> str:
    records = ", ".join(f"#{after + 1} to #{upto}" for after, upto in doubt.stretches)
    what = f"the notice to {doubt.seat} in {doubt.game} about {records}, by {way!r} at {doubt.at[:19]}, is unconfirmed"
    return f"Warning: {what}; if it did not arrive, repeat with --again"


def _json(by: str, delivery: DeliveryResult, *, preview: bool = False) -> dict[str, object]:
    notice = delivery.notice
    told = {name: getattr(notice, name) for name in ("game", "name", "seat", "upto", "subject", "points", "text")}
    outcome = "preview" if preview and delivery.outcome == "failed" else delivery.outcome
    came = {"by": by, "came": "not sent" if preview else delivery.came, "outcome": outcome}
    return {**told, **came, "reminder": bool(notice.reminds), "trouble": delivery.trouble, "remedy": delivery.remedy}
