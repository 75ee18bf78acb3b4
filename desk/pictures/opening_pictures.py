"""Draw the initial map of a scenario."""

import msgspec

from umpire_ledger.desk.core.adapters import need_title
from umpire_ledger.desk.pictures.pictures import board_of
from umpire_ledger.domain.game.scenario import read_scenario
from umpire_ledger.domain.play.game_setup import lay_out
from umpire_ledger.projections.pictures.svg import svg_in_play, svg_of
from umpire_ledger.projections.pictures.table_picture import picture_of

SEED = "0" * 64
"""The seed of a game that is only drawn."""


def opening_picture(title: str, scenario: str, size: tuple[int, int] | None = None) -> str:
    """Return the map (SVG) of a scenario before its first step; with a size in pixels, only the part with counters.

    Args:
        scenario: The text of a scenario, as TOML.

    Raises:
        NoSuchTitle: When the title is not installed.
        ScenarioError: When the scenario cannot be opened.
    """
    played = need_title(title)
    read = read_scenario(scenario, played.scenario)
    game = lay_out(played, read, game_id="opening", dice="table", seed=SEED, options={}).game
    picture = picture_of(game, board_of(played, game), called=read.name)
    if size is not None:
        return svg_in_play(picture, *size)
    return svg_of(msgspec.structs.replace(picture, where="Opening position"))
