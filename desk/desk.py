"""The desk over one ledger: every game in it, and how a new one comes in."""

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
from umpire_ledger.desk.games.games_list import GameEntry, GameFilter, list_games, looked_up
from umpire_ledger.desk.games.rulings import find_precedents, find_rulings
from umpire_ledger.desk.logs import log_files, log_folders
from umpire_ledger.desk.logs.log_files import Progress
from umpire_ledger.desk.logs.log_folders import BackedUp, LogLine
from umpire_ledger.desk.scenarios import opening
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
    """`umpire.open("umpire.db")`. Opened when it is first needed; a file that is missing is made by the first game.

    Safe for several threads, and for several processes on one file. Close it, or use it in a `with`. `patience`: so
    many seconds is another program waited for that writes.
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
        """The games of the ledger that fit, one that is broken with what is wrong with it; archived ones are left out.

        `waiting`: that side, or that seat's side, must act. `idle`: nothing was recorded for so long (`3d`, `36h`, or a
        timedelta), and the game goes on. `archived`: only those; None: those too. `sort`: as they were entered, or
        opened, last, waiting, game, name, title, turn, disputes. `among`: as if the ledger had these games alone;
        `watched`: those of them that are seen as their spectators see them, late where they do. `away`: of games
        on several servers, it is told of each that cannot be reached, and its games are left out; else it is an error.
        Raises NotThere for a name that no game has, with the nearest; WrongUse for no length of time; StoreUnavailable.
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

    def _as_watched(self, one: GameEntry) -> GameEntry:
        game = self.game(one.game)
        seen = game.watched
        if seen is game:
            return one
        late = next(iter(looked_up(seen.ledger, MEMORY)))
        return msgspec.structs.replace(late, display_name=one.display_name, archived=one.archived)

    def game(self, id: str) -> PlayedGame:
        """The game of that id, the same object each time. Raises NoSuchGame, StoreUnavailable."""
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

        `dice`: ledger or table, the scenario's word if left out. `keys`: by seat, the public key that it signs with.
        Raises NoSuchTitle, ScenarioError with the path of
        the faulty line, GameExists, WrongUse for a file that cannot be read, StoreUnavailable.
        """
        text = read_text(Path(scenario), MOST_SCENARIO)
        return self.new_from_text(title, text, id=id, dice=dice, options=options, keys=keys)

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
        """The same from the text of a scenario."""
        played = need_title(title)
        decided = opening.opening_of(played, scenario, game=id, dice=dice, options=options, keys=keys)
        opening.begin(self.ledger_for_writing, id, decided)
        game = self.game(id)
        game.left_to_table = opening.left_to_table(played, scenario)
        return game

    def import_log(self, file: str | Path, *, tell: Progress | None = None) -> PlayedGame:
        """Take a replay log in; it is checked whole before anything of it counts. `tell`: bytes read so far.

        Raises BrokenLedger, GameExists, WrongUse, StoreUnavailable.
        """
        return self.game(log_files.import_log(self, Path(file), tell))

    # --- all of them --------------------------------------------------------------------------------------------------

    def export_all(self, folder: str | Path, *, seat: str = SPECTATOR, whole: bool = False) -> Iterator[LogLine]:
        """Write every game, archived ones too, as a replay log into a folder, and check each as it lies there.

        `whole`, the referee's alone: with every secret and the seeds of the dice, so that an import of it can be played
        on. A game that cannot be written stops no other; its line says why. Logs of the same names are replaced. Raises
        WrongUse for a folder that cannot be made, StoreUnavailable.
        """
        return log_folders.export_all(self.ledger.game_ids(), self._export, Path(folder), seat, whole=whole)

    def _export(self, game: str, file: Path, seat: str, whole: bool) -> None:
        self.game(game).export(file, seat=seat, whole=whole)

    def import_folder(self, folder: str | Path) -> Iterator[LogLine]:
        """Take every log (`*.jsonl`) of a folder in, each with its verdict; a bad one stops no other.

        Every other entry is named, with the reason in `skipped`.
        Raises WrongUse for a folder that cannot be read, or has no log.
        """
        return log_folders.take_in_folder(self, Path(folder))

    def backup(self, file: str | Path) -> BackedUp:
        """Copy the whole ledger into a new file, as of one moment, while others write; the copy is checked.

        Raises WrongUse for a file that is there, StoreUnavailable for one that cannot be written or turns out unsound.
        """
        verify_not_there(Path(file))
        done = self.ledger.back_up(Path(file), log_folders.verified)
        return msgspec.structs.replace(done, file=str(file))

    def restored(self, *, why: str = "") -> "Iterator[Restored]":
        """Give every game a new seed for its dice, with a public record each: this ledger replaces the original.

        For a backup that is played on in place of a ledger that is lost. `open-dice` then opens the earlier seeds too;
        so the original must not be played on. Raises PositionConflict, StoreUnavailable.
        """
        for game in self.ledger.game_ids():
            yield restore(self.ledger, game, why)

    # --- telling people -----------------------------------------------------------------------------------------------

    def notices(
        self,
        way: str = "text",
        *,
        games: Sequence[str] = (),
        seats: Sequence[str] = (),
        again: bool = False,
        remind: str | timedelta | None = None,
    ) -> "list[Notice]":
        """What each seat should be told since it was last told by a way; nothing is sent and nothing is noted.

        It is their turn, an action is required, a rewind is asked for, answered or done, a dispute was opened, a ruling
        was made, the game is over. Only what everybody may see is in it. `games`, `seats`: those alone. Archived games
        tell nothing. `remind`: as for `tell`. Raises NotThere, WrongUse for no length of time, StoreUnavailable.
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
        """The same, to be sent: `for telling in desk.tell(Webhook(url)): …`, each told at most once.

        It is noted beforehand, so that two programs, or one that was killed, tell nothing twice. What certainly did
        not arrive is told next time; what perhaps did is in `doubts`, and told again with `again`. `among`: as if the
        ledger had these games alone, for whoever knows which have grown. `remind`: repeat, as a reminder, the actions
        that are still required of a seat which was notified so long ago (`3d`, `36h`, or a timedelta) and gave no order
        since; at most once in that time.
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
        from umpire_ledger.desk.notifications.sender import Notices, reminder_time  # noqa: PLC0415 -- only notices need it

        after = reminder_time(remind) if remind is not None else None
        return Notices(self, name, games=games, seats=seats, again=again, remind=after, by=by, among=among)

    @property
    def invitations(self) -> "Invitations":
        """Who may come in from outside, through `umpire serve`: `desk.invitations.invite("harbour", "athens")`."""
        from umpire_ledger.desk.games.invitations import Invitations  # noqa: PLC0415 -- only a server and its referee need it

        return Invitations(self, lambda game: self.game(game)._open)

    # --- across games -------------------------------------------------------------------------------------------------

    def rulings(self, *, rule: str = "", text: str = "") -> list[RulingLine]:
        """Rulings in every game, by rule number or by words: the same question gets the same answer.

        One that was copied with its game stands once; `also` names the copies.
        """
        return find_rulings(self, rule=rule, text=text)

    def precedents(self, rule: str) -> list[RulingLine]:
        """Earlier rulings on a rule; none for no rule."""
        return find_precedents(self, rule)

    def rebuild(self, tell: Progress | None = None, skip: Skip | None = None) -> dict[str, int]:
        """Throw snapshots and read models away and make them anew; gives how many records of each game were read.

        `skip` is told of each game that cannot be read, and why; the others are mended. Without it such a game is an
        error. A ledger that was opened for reading only keeps its snapshots, which are not used here. Raises
        StoreUnavailable, also where the snapshots of another ledger that cannot be written had to stay.
        """
        self.ledger.doubt_snapshots()
        read = self.read_models.rebuild(tell, skip)
        if not self.read_only:
            self.ledger.drop_snapshots()
            for game in read:
                self.ledger.take_snapshots(game)
        return read

    def views(self) -> "ReadModelsFile":
        """Catch the read models of every game up, and say what lies in their file, for those who read it otherwise.

        Raises WrongUse for a ledger in memory, StoreUnavailable.
        """
        from umpire_ledger.desk.upkeep import read_models_file  # noqa: PLC0415 -- few ask

        games = self.ledger.game_ids()
        behind = tuple(filter(None, (self.game(game).catch_up(views=True) for game in games)))
        with self.own_tables() as views:
            return read_models_file.read_models_file(self.where, len(games), behind, views)

    def for_datasette(self) -> "ForDatasette":
        """Write titles, facets and canned queries for Datasette beside the read models, and name the command.

        Raises as `views` does, and WrongUse where the file cannot be written.
        """
        from umpire_ledger.desk.upkeep import read_models_file  # noqa: PLC0415 -- few ask

        return read_models_file.for_datasette(self.where)

    # --- the store ----------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the ledger and its read models; what was acknowledged is on the disk already.

        Whoever asks anything of it later gets WrongUse.
        """
        with self._lock:
            for game in self._games.values():
                game._close()
            self._games.clear()
            super().close()

    def __repr__(self) -> str:
        return f"<Desk over {self.where}>"
