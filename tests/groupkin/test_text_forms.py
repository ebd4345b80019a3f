"""Names in text forms come back whatever they are."""

from __future__ import annotations

import pytest
from hypothesis import example, given

from groupkin.text_forms import plain, words, written
from tests.support.texts import NAMES


@pytest.mark.smoke
@given(NAMES)
@example("'")
@example("a 'b' c")
@example("'' ''")
def test_a_name_comes_back(name: str) -> None:
    assert words(written(name)) == [written(name)]
    assert plain(written(name)) == name


def test_plain_names_need_no_quotes() -> None:
    for name in ("crank", "P_1", "Ω", "3", "leg_6", 'a"b'):
        assert written(name) == name


def test_a_quote_that_is_not_closed_is_refused_at_once() -> None:
    assert words("joint 'main") == []
    assert words("'a' " * 50_000 + "'") == []
    assert words("''" * 50_000 + "'") == []
