"""Describe the file of read models for other programs, and configure Datasette for it."""

import shlex
import shutil
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.ledger.records.ledger_address import is_database
from umpire_ledger.projections.tables.contents import TableInFile, contents
from umpire_ledger.projections.tables.datasette_file import config_path, config_text, link_path
from umpire_ledger.projections.tables.dialect import SCHEMA, Tables
from umpire_ledger.projections.tables.views_file import MEMORY, connect, trouble, views_path

DATASETTE = "datasette"
GET_DATASETTE = "pip install datasette"
_NO_FILE = "the read models of this ledger are not in a file"


class ReadModelsFile(msgspec.Struct, frozen=True, kw_only=True):
    """The file, or the schema in a database, of the read models. `behind`: warnings about games that lag."""

    file: str
    games: int
    tables: tuple[TableInFile, ...]
    behind: tuple[str, ...] = ()


class ForDatasette(msgspec.Struct, frozen=True, kw_only=True):
    """The written configuration for Datasette, the command to run, and whether Datasette is installed."""

    config: str
    command: str
    installed: bool


def read_models_file(where: str, games: int, behind: tuple[str, ...], views: Tables | None = None) -> ReadModelsFile:
    """Return the location of the read models and their tables.

    Args:
        games: The number of games in them.
        behind: Warnings about games that are not up to date.
        views: The read models in the ledger's own database.

    Raises:
        WrongUse: When the ledger is in memory, or the read models are in memory only.
        StoreUnavailable: When the read models cannot be read.
    """
    if views is not None:
        file = f"schema {SCHEMA} of {where}"
        return ReadModelsFile(file=file, games=games, tables=tuple(contents(views)), behind=behind)
    path = _file_of(where)
    with trouble(path), closing(connect(path)) as found:
        tables = contents(found)
    return ReadModelsFile(file=path, games=games, tables=tuple(tables), behind=behind)


def for_datasette(where: str) -> ForDatasette:
    """Write the configuration for Datasette next to the read models.

    Raises:
        WrongUse: When the ledger is in memory, or the file cannot be written.
        StoreUnavailable: When the read models cannot be read.
    """
    path = _file_of(where)
    opened = _linked(path)
    with trouble(path), closing(connect(path)) as views:
        text = config_text(opened, views)
    config = config_path(path)
    try:
        config.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        remedy = "free some space or ask for write permission there; the read models themselves are not changed"
        what = f"{config} cannot be written: {error.strerror}"
        raise WrongUse(what, where=str(config), rule="", remedy=remedy) from error
    words = [DATASETTE, opened, "--metadata", str(config), "--setting", "sql_time_limit_ms", "5000", "--open"]
    return ForDatasette(config=str(config), command=shlex.join(words), installed=bool(shutil.which(DATASETTE)))


def _linked(path: str) -> str:
    """Return a link to the read models with a name that Datasette accepts; if no link can be made, the file itself."""
    link = link_path(path)
    if link.exists() and not link.is_symlink():
        what = f"{link} is in the way: a link to the read models belongs there"
        raise WrongUse(what, where=str(link), rule="", remedy="move it elsewhere")
    with suppress(OSError):  # then the file itself is used
        link.unlink(missing_ok=True)
        link.symlink_to(Path(path).name)
        return str(link)
    return path


def _file_of(where: str) -> str:
    path = views_path(where)
    if path != MEMORY:
        return path
    remedy = "open a ledger in a file"
    if is_database(where):
        remedy = (
            f"`umpire read-models` lists the tables in schema {SCHEMA}; `umpire backup` copies it to a ledger in a file"
        )
    raise WrongUse(_NO_FILE, where=where, rule="", remedy=remedy)
