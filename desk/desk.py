"""Open a ledger, its games, and new games in it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from umpire_ledger.desk.core.adapters import need_title
from umpire_ledger.desk.core.copied_games import restore
from umpire_ledger.desk.core.durations import span
from umpire_ledger.desk.core.open_ledger import PATIENCE, OpenLedger
from umpire_ledger.desk.core.text_files import read_text, verify_not_there
from umpire_ledger.desk.game import PlayedGame
from umpire_ledger.desk.games.games_list import GameEntry, GameFilter, games_from_ledger, list_games
from umpire_ledger.desk.games.rulings import find_precedents, find_rulings
from umpire_ledger.desk.logs import log_files, log_folders
from umpire_ledger.desk.logs.log_files import Progress
from umpire_ledger.desk.logs.log_folders import BackedUp, LogLine
from umpire_ledger.desk.pictures import backgrounds
from umpire_ledger.desk.scenarios import background_file, opening
from umpire_ledger.domain.game.events import DiceMode, Value
from umpire_ledger.domain.game.state import SPECTATOR
from umpire_ledger.ledger.records.limits import MOST_SCENARIO
from umpire_ledger.projections.reports.disputes import RulingLine
from umpire_ledger.projections.tables.updater import Skip
from umpire_ledger.projections.tables.views_file import MEMORY

if TYPE_CHECKING:
    from umpire_ledger.desk.core.copied_games import Restored
    from umpire_ledger.desk.games.invitations import Invitations
    from umpire_ledger.desk.notifications.sender import Channel, Notices
    from umpire_ledger.desk.upkeep.read_models_file import ForDatasette, ReadModelsFile
    from umpire_ledger.ledger.storage.interface import Away
    from umpire_ledger.projections.reports.notices import Notice


class Desk(OpenLedger):
    """A ledger of games, as returned by `umpire.open("umpire.db")`.

    The file is opened at its first use; a missing file is created with the first game. Several threads can use one
    desk, and several processes one file. Close the desk, or use it in a `with` statement.

    Args:
        patience: Seconds to wait for another program that writes.
    """

    def __init__(self, where: str | Path, *, read_only: bool = False, patience: float = PATIENCE) -> None:
        super().__init__(where, read_only=read_only, patience=patience)
        self._games: dict[str, PlayedGame] = {}

    # --- games --------------------------------------------------------------------------------------------------------

    def games(
        self,
        *,
        waiting: str = "",
        title: str = "",
        idle: str | timedelta | None = None,
        ended: bool | None = None,
        disputed: bool = False,
        archived: bool | None = False,
        sort: str = "entered",
        reverse: bool = False,
        among: Collection[str] | None = None,
        watched: Collection[str] = (),
        away: "Away | None" = None,
    ) -> list[GameEntry]:
        """Return the matching games, without archived ones; a broken game has its fault in `trouble`.

        Args:
            waiting: A side, or a seat's side, that must act.
            idle: Games that have not ended and have no record for this time (`3d`, `36h`, or a timedelta).
            archived: True for archived games only; None for all games.
            sort: entered, opened, last, waiting, game, name, title, turn or disputes.
            among: Ids of the games to consider; None for all.
            watched: Games to show as their spectators see them, with their delay.
            away: Called with each unreachable server, whose games are left out; without it, such a server is an error.

        Raises:
            NotThere: When no game has a name in the filter; the remedy suggests similar names.
            WrongUse: When `idle` is not a length of time.
            StoreUnavailable: When the ledger cannot be read.
        """
        chosen = GameFilter(
            waiting=waiting,
            title=title,
            idle=span(idle) if isinstance(idle, str) else idle,
            ended=ended,
            disputed=disputed,
            archived=archived,
            sort=sort,
            reverse=reverse,
        )
        return list_games(
            self,
            chosen,
            among=among,
            away=away,
            as_seen=lambda one: self._as_watched(one) if one.game in watched else one,
        )

    def _as_watched(self, entry: GameEntry) -> GameEntry:
        game = self.game(entry.game)
        seen = game.watched
        if seen is game:
            return entry
        late = next(iter(games_from_ledger(seen.ledger, MEMORY)))
        return msgspec.structs.replace(late, display_name=entry.display_name, archived=entry.archived)

    def game(self, id: str) -> PlayedGame:
        """Return the game with an id, the same object each time.

        Raises:
            NoSuchGame: When the ledger has no such game.
            StoreUnavailable: When the ledger cannot be read.
        """
        with self._lock:
            if id not in self._games:
                self._games[id] = PlayedGame(self, id)
            return self._games[id]

    def new(
        self,
        title: str,
        scenario: str | Path,
        *,
        id: str,
        dice: DiceMode | None = None,
        options: Mapping[str, Value] | None = None,
        keys: Mapping[str, str] | None = None,
    ) -> PlayedGame:
        """Open a game of a title from a scenario file (TOML).

        Args:
            dice: The dice mode; by default the scenario's.
            keys: The public key that signs a seat's orders, by seat.

        Raises:
            NoSuchTitle: When the title is not installed.
            ScenarioError: When the scenario has a fault; `where` is the path of the faulty line.
            GameExists: When the ledger has a game with this id.
            CannotBeWritten: When the id is not valid.
            Refused: When a key is not valid for a seat.
            WrongUse: When the file cannot be read.
            StoreUnavailable: When the ledger cannot be written.
        """
        text = read_text(Path(scenario), MOST_SCENARIO)
        return self._new(title, text, Path(scenario).parent, id=id, dice=dice, options=options, keys=keys)

    def new_from_text(
        self,
        title: str,
        scenario: str,
        *,
        id: str,
        dice: DiceMode | None = None,
        options: Mapping[str, Value] | None = None,
        keys: Mapping[str, str] | None = None,
    ) -> PlayedGame:
        """Open a game of a title from the text of a scenario, as `new` does, but without its background picture."""
        return self._new(title, scenario, None, id=id, dice=dice, options=options, keys=keys)

    def _new(
        self,
        title: str,
        scenario: str,
        folder: Path | None,
        *,
        id: str,
        dice: DiceMode | None,
        options: Mapping[str, Value] | None,
        keys: Mapping[str, str] | None,
    ) -> PlayedGame:
        """Open a game. `folder`: that of the scenario file, with its background picture."""
        played = need_title(title)
        decided = opening.opening_of(played, scenario, game_id=id, dice=dice, options=options, keys=keys)
        picture = background_file.beside(decided.state, folder) if folder is not None else ""
        opening.begin(self.ledger_for_writing, id, decided)
        if picture:
            backgrounds.store(self.ledger_for_writing, id, picture)
        game = self.game(id)
        game.left_to_table = opening.left_to_table(played, scenario)
        return game

    def import_log(self, file: str | Path, *, tell: Progress | None = None) -> PlayedGame:
        """Import a replay log after checking all of it. `tell`: called with the bytes read.

        Raises:
            BrokenLedger: When the log is broken.
            GameExists: When the ledger has other records of a game with this id.
            WrongUse: When the file cannot be read.
            StoreUnavailable: When the ledger cannot be written.
        """
        return self.game(log_files.import_log(self, Path(file), tell))

    # --- all of them --------------------------------------------------------------------------------------------------

    def export_all(self, folder: str | Path, *, seat: str = SPECTATOR, whole: bool = False) -> Iterator[LogLine]:
        """Write every game, including archived ones, as a replay log into a folder, and check each written file.

        A game that cannot be written does not stop the others; its item has the reason. Logs with the same names are
        replaced.

        Args:
            whole: Include every secret and the dice seeds, so that play can continue after an import. For the referee
                only.

        Raises:
            WrongUse: When the folder cannot be made.
            StoreUnavailable: When the ledger cannot be read.
        """
        return log_folders.export_all(self.ledger.game_ids(), self._export, Path(folder), seat, whole=whole)

    def _export(self, game_id: str, file: Path, seat: str, whole: bool) -> None:
        self.game(game_id).export(file, seat=seat, whole=whole)

    def import_folder(self, folder: str | Path) -> Iterator[LogLine]:
        """Import every log (`*.jsonl`) of a folder, each with its verdict; a bad log does not stop the others.

        Every other entry is named, with the reason in `skipped`.

        Raises:
            WrongUse: When the folder cannot be read, or has no log.
        """
        return log_folders.take_in_folder(self, Path(folder))

    def backup(self, file: str | Path) -> BackedUp:
        """Copy the whole ledger into a new file, as of one moment, while others write; check the copy.

        Raises:
            WrongUse: When the file exists.
            StoreUnavailable: When the file cannot be written, or the copy is damaged.
        """
        verify_not_there(Path(file))
        done = self.ledger.back_up(Path(file), log_folders.verified)
        return msgspec.structs.replace(done, file=str(file))

    def restored(self, *, why: str = "") -> "Iterator[Restored]":
        """Give every game a new dice seed, each with a public record, because this ledger replaces the original.

        Use this on a backup if its ledger is lost and play continues in the backup. Do not continue play in the
        original: from now on, `open-dice` in this ledger also reveals the earlier seeds.

        Raises:
            PositionConflict: When another program recorded something meanwhile.
            StoreUnavailable: When the ledger cannot be written.
        """
        for game in self.ledger.game_ids():
            yield restore(self.ledger, game, why)

    # --- notices ------------------------------------------------------------------------------------------------------

    def notices(
        self,
        way: str = "text",
        *,
        games: Sequence[str] = (),
        seats: Sequence[str] = (),
        again: bool = False,
        remind: str | timedelta | None = None,
    ) -> "list[Notice]":
        """Return the new notices for each seat on a channel; nothing is sent or stored.

        There is a notice for a seat's turn, a required action, a rewind that is requested, answered or done, a new
        dispute, a ruling, and the end of the game. It has public information only. Archived games have no notices.

        Args:
            games: These games only.
            seats: These seats only.
            remind: See `tell`.

        Raises:
            NotThere: When a game or seat does not exist.
            WrongUse: When `remind` is not a length of time.
            StoreUnavailable: When the ledger cannot be read.
        """
        return list(self._notices(way, games, seats, again=again, remind=remind).look())

    def tell(
        self,
        way: "Channel",
        *,
        games: Sequence[str] = (),
        seats: Sequence[str] = (),
        again: bool = False,
        remind: str | timedelta | None = None,
        among: Collection[str] | None = None,
    ) -> "Notices":
        """Send the new notices, each at most once, as the caller iterates: `for sent in desk.tell(Webhook(url)): …`.

        Each is stored as sent before it is sent, so that two programs, or a killed one, do not send it twice. A failed
        notice is sent again next time; an unconfirmed one is in `doubts`, and is sent again with `again`.

        Args:
            among: Ids of the games to consider, for a caller that knows which games have grown.
            remind: Repeat required actions as a reminder for a seat that was notified this long ago (`3d`, `36h`, or a
                timedelta) and gave no order since; at most once in that time.
        """
        return self._notices(way.name, games, seats, again=again, remind=remind, by=way, among=among)

    def _notices(
        self,
        name: str,
        games: Sequence[str],
        seats: Sequence[str],
        *,
        again: bool,
        remind: str | timedelta | None,
        by: "Channel | None" = None,
        among: Collection[str] | None = None,
    ) -> "Notices":
        from umpire_ledger.desk.notifications.sender import Notices, reminder_time  # noqa: PLC0415 -- 1 ms: only notices need it

        after = reminder_time(remind) if remind is not None else None
        return Notices(self, name, games=games, seats=seats, again=again, remind=after, by=by, among=among)

    @property
    def invitations(self) -> "Invitations":
        """The invitations to seats, for `umpire serve`: `desk.invitations.invite("harbour", "athens")`."""
        from umpire_ledger.desk.games.invitations import Invitations  # noqa: PLC0415 -- 0.6 ms: a server and its referee

        return Invitations(self, lambda game: self.game(game)._open)

    # --- across games -------------------------------------------------------------------------------------------------

    def rulings(self, *, rule: str = "", text: str = "") -> list[RulingLine]:
        """Return the rulings of every game by rule number or by words, so that the same question gets the same answer.

        A ruling that was copied with its game is listed once; `also` names the copies.
        """
        return find_rulings(self, rule=rule, text=text)

    def precedents(self, rule: str) -> list[RulingLine]:
        """Return earlier rulings on a rule; an empty list if no rule is named."""
        return find_precedents(self, rule)

    def rebuild(self, tell: Progress | None = None, skip: Skip | None = None) -> dict[str, int]:
        """Rebuild all snapshots and read models; return the number of records read by game.

        A ledger that was opened read-only keeps its snapshots, but they are not used here.

        Args:
            skip: Called with each unreadable game and its fault; without it such a game is an error.

        Raises:
            StoreUnavailable: When the ledger or the read models cannot be used, or wrong snapshots cannot be deleted.
        """
        self.ledger.doubt_snapshots()
        read = self.read_models.rebuild(tell, skip)
        if not self.read_only:
            self.ledger.drop_snapshots()
            for game in read:
                self.ledger.take_snapshots(game)
        return read

    def views(self) -> "ReadModelsFile":
        """Update the read models of every game, and describe their file for other programs that read it.

        Raises:
            WrongUse: When the ledger is in memory.
            StoreUnavailable: When the read models cannot be used.
        """
        from umpire_ledger.desk.upkeep import read_models_file  # noqa: PLC0415 -- 2 ms: few ask

        games = self.ledger.game_ids()
        behind = tuple(filter(None, (self.game(game).catch_up(views=True) for game in games)))
        with self.own_tables() as views:
            return read_models_file.read_models_file(self.where, len(games), behind, views)

    def for_datasette(self) -> "ForDatasette":
        """Write titles, facets and canned queries for Datasette next to the read models, and return the command to run.

        Raises:
            WrongUse: When the ledger is in memory, or the file cannot be written.
            StoreUnavailable: When the read models cannot be read.
        """
        from umpire_ledger.desk.upkeep import read_models_file  # noqa: PLC0415 -- 2 ms: few ask

        return read_models_file.for_datasette(self.where)

    # --- the store ----------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the ledger and its read models; acknowledged orders are on the disk already.

        Later calls raise WrongUse.
        """
        with self._lock:
            for game in self._games.values():
                game._close()
            self._games.clear()
            super().close()

    def __repr__(self) -> str:
        return f"<Desk over {self.where}>"
