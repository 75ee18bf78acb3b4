"""Check that an invalid event from the sequence of play is a fault of the title and changes nothing."""

import pytest

from tests.domain.teaching import lesson, step
from tests.face.domain import EventEmitter, MarkerSet, TitleFault


def test_event_that_cannot_be_applied_is_a_fault_of_the_title() -> None:
    story = lesson(step("a"))
    telling = EventEmitter(story.title, story.game)
    event = MarkerSet(marker=["x"], before=None, after=True)  # type: ignore[arg-type] # a name that cannot be a key
    with pytest.raises(TitleFault) as found:
        telling.emit(event)
    assert (found.value.title, found.value.event) == ("teaching", event)
    assert (telling.told, telling.game) == ([], story.game)
