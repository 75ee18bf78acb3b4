"""In Red Coat Rags Attired: situations in which the printed page expects something else."""

from typing import Any

import pytest

from tests.titles.red_coat_rags_table import KING, face_to_face, finish, says, table, to_actions


@pytest.mark.parametrize(
    "away",
    [
        says(KING, "move-piece", piece="carrs-1", path=["34,12"]),
        says(KING, "form", formation="column", places={"carrs-1": "34,14"}),
    ],
)
def test_piece_that_left_the_contact_fights_no_close_combat(away: dict[str, Any]) -> None:
    """4c: each piece in edge-to-edge contact. To refuse the move would do as well."""
    story = face_to_face(to_actions(table(), "carrs-horse", dice=3))
    story.play(says(KING, "engage", piece="carrs-1", enemy="rudds-1")).when(away)
    fights = story.refusal is not None
    finish(story).then_open("4c" if fights else "5")
