"""`umpire notices`: what each seat should be told since it was last told, printed, posted or mailed."""

import os
from collections.abc import Iterable, Iterator, Sequence

import click

import umpire_ledger as umpire
from umpire_ledger.cli.errors import BROKEN, UNSENT
from umpire_ledger.cli.options import complete_game, complete_listed, json_option, ledger_option
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.desk.notice_settings import Settings
from umpire_ledger.desk.telling import Doubt, Notices, Telling, Way
from umpire_ledger.projections.reports.notices import Notice


class Printed:
    """Notices on standard output, ready to paste."""

    name = "text"

    def __repr__(self) -> str:
        return "this terminal"

    def reaches(self, notice: Notice) -> bool:
        """Whoever reads it."""
        return True

    def tell(self, notice: Notice) -> None:
        """Print it, and a blank line behind it."""
        say(*notice.text.split("\n"), "")

    def close(self) -> None:
        """Standard output stays open."""


class Kept(Printed):
    """The same for JSON, which is printed as a whole."""

    def tell(self, notice: Notice) -> None:
        """It is in the list that is printed."""


@click.command()
@click.option(
    "--game", "games", multiple=True, metavar="GAME", shell_complete=complete_game, help="This game; or several."
)
@click.option(
    "--seat", "seats", multiple=True, shell_complete=complete_listed, help="What this seat is told; or several."
)
@click.option("--webhook", is_flag=False, flag_value="", metavar="[URL|@FILE]", help="Post to a hook: UMPIRE_WEBHOOK.")
@click.option(
    "--mail",
    is_flag=False,
    flag_value="",
    metavar="[FILE|smtp://HOST]",
    help="Write an mbox, or mail: UMPIRE_SMTP_HOST.",
)
@click.option("--address", "addresses", multiple=True, metavar="SEAT=ADDRESS", help="GAME/SEAT=ADDRESS for one game.")
@click.option("--from", "sender", default="", metavar="ADDRESS", help="The sender of mail: UMPIRE_SMTP_FROM.")
@click.option("--preview", is_flag=True, help="Show what would be told; nothing is sent or noted.")
@click.option("--again", is_flag=True, help="Also tell again what perhaps arrived.")
@ledger_option
@json_option
def notices(
    games: Sequence[str],
    seats: Sequence[str],
    webhook: str | None,
    mail: str | None,
    addresses: Sequence[str],
    sender: str,
    preview: bool,
    again: bool,
    where: str,
    as_json: bool,
) -> None:
    """Tell each seat what it was not told yet: your turn, you owe, a rewind is asked for, a dispute was opened, a
    ruling was made, somebody wrote to you or a message has arrived, the game is over.

    Printed, ready to paste, or posted (--webhook: Discord, Matrix, Slack, Mattermost), or mailed. A notice holds only
    what everybody may see. Each way has marks of its own. Nothing is told twice: what failed is told next time; where
    nobody knows whether it arrived, it is named until you say --again. Archived games tell nothing.

    URLs and passwords are secrets: UMPIRE_WEBHOOK, or a file (--webhook @FILE); UMPIRE_SMTP_HOST, _PORT, _TLS (auto,
    starttls, tls or none), _USER, _PASSWORD, _FROM; UMPIRE_ADDRESSES="athens=anna@example.org, …". Exit code 9 where
    something could not be told.

    \b
    Examples:
      umpire notices
      UMPIRE_WEBHOOK=https://… umpire notices --webhook
      umpire notices --mail notices.mbox --address athens=anna@example.org
    """
    ways = list(_ways(webhook, mail, Settings(_given(addresses, sender), os.environ)))
    told: list[tuple[str, Telling]] = []
    broken = False
    with umpire.open(where, read_only=preview) as desk:
        for way in ways or [Kept() if as_json else Printed()]:
            every = desk.tell(way, games=games, seats=seats, again=again)
            if preview:
                told += _previewed(way, every, as_json)
            else:
                told += _told(way, every, as_json)
            _warn(way, every)
            broken = broken or bool(every.troubled)
    if as_json:
        print_json([_json(by, one) for by, one in told])
    elif not told:
        say("nobody has to be told anything", err=True)
    if any(one.trouble for _, one in told):
        click.get_current_context().exit(UNSENT)
    if broken:
        click.get_current_context().exit(BROKEN)


def _given(addresses: Sequence[str], sender: str) -> dict[str, str]:
    return {"addresses": ",".join(addresses), "smtp_from": sender}


def _ways(webhook: str | None, mail: str | None, settings: Settings) -> Iterator[Way]:
    if webhook is not None:
        if webhook and not webhook.startswith("@"):
            what = "others on this machine can read a URL that is typed; UMPIRE_WEBHOOK keeps it to yourself"
            say(f"Warning: {what}", err=True)
        yield settings.webhook(webhook)
    if mail is not None:
        yield settings.mail(mail)


def _previewed(way: Way, every: Notices, as_json: bool) -> Iterator[tuple[str, Telling]]:
    for notice in every.look():
        if not as_json:
            say(*notice.text.split("\n"), "")
        yield repr(way), Telling(notice=notice, came="not sent")


def _told(way: Way, every: Iterable[Telling], as_json: bool) -> Iterator[tuple[str, Telling]]:
    for one in every:
        if not as_json:
            _say(way, one)
        yield repr(way), one


def _say(way: Way, one: Telling) -> None:
    who = f"{one.notice.seat} in {one.notice.game}"
    if one.came == "told" and not isinstance(way, Printed):
        say(f"told {who}: {one.notice.subject}")
    elif one.came == "no address":
        say(f"Warning: {who} has no address: --address {one.notice.seat}=ADDRESS, or UMPIRE_ADDRESSES", err=True)
    elif one.trouble:
        say(f"Error: {who} was {one.came}: {one.trouble}", f"  do:   {one.remedy}", err=True)


def _warn(way: Way, every: Notices) -> None:
    for doubt in every.doubts:
        say(_doubt(way, doubt), err=True)
    for game, why in every.troubled.items():
        say(f"Warning: {game} was passed over: {why}; `umpire verify {game}` says more", err=True)


def _doubt(way: Way, doubt: Doubt) -> str:
    records = ", ".join(f"#{after + 1} to #{upto}" for after, upto in doubt.stretches)
    what = f"nobody knows whether {doubt.seat} in {doubt.game} was told of {records} by {way!r} at {doubt.at[:19]}"
    return f"Warning: {what}; look there, and say --again if it was not"


def _json(by: str, one: Telling) -> dict[str, object]:
    notice = one.notice
    told = {name: getattr(notice, name) for name in ("game", "name", "seat", "upto", "subject", "points", "text")}
    return {**told, "by": by, "came": one.came, "trouble": one.trouble, "remedy": one.remedy}
