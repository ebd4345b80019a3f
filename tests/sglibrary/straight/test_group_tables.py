"""Working memory of groups."""

from __future__ import annotations

import pytest

from sglibrary.code.bytecode import BATCH
from sglibrary.straight.group_tables import PITCH, scratch_rows


@pytest.mark.parametrize("slots", [1, 7, 64, 399])
@pytest.mark.parametrize("steps", [1, 3, 8, 9, 64, 200, 256])
def test_what_texts_keep_has_room_behind_any_step_and_at_the_next_line_of_the_cache(slots: int, steps: int) -> None:
    kept = slots * BATCH
    for pitch in (PITCH, (steps + 2 * PITCH - 1) // PITCH * PITCH):
        first = min(steps, pitch) - 1  # the last step at which they may begin
        assert first + PITCH - 1 + kept <= scratch_rows(kept, pitch) * pitch
    assert scratch_rows(0, PITCH) == 0
