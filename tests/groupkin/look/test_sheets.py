"""Texts on sheets."""

from __future__ import annotations

import pytest

from groupkin.look.sheets import shortened, text_width


def test_a_text_with_room_stays() -> None:
    assert shortened("crank (1R2D)", 8.0, 5.0) == "crank (1R2D)"


@pytest.mark.parametrize("width", [0.3, 1.0, 3.0])
def test_a_long_text_is_cut_where_the_room_ends(width: float) -> None:
    text = "connecting rod, " * 40
    short = shortened(text, 8.0, width)
    assert text.startswith(short[:-1])
    assert short.endswith("…")
    assert text_width(short, 8.0) <= width < text_width(text[: len(short)] + "…", 8.0)


@pytest.mark.parametrize("width", [0.0, -1.0])
def test_where_there_is_no_room_dots_are_left(width: float) -> None:
    assert shortened("crank", 8.0, width) == "…"
