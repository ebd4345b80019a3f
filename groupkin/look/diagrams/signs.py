"""What diagrams and graphs share: the sign of the frame, labels where there is room, and the caption."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from groupkin.look.palette import GRAY
from groupkin.look.sheets import area, hatched, name, text_width
from sglibrary.array_types import Array

Box = tuple[Array, Array]
"""Middle, and half of both sides."""

HALF, SMALL, HEIGHT = 0.2, 6.5, 0.14
"""Half the height of the frame, inches; size of small print, points, and its height, inches."""

CORNERS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])


def frame_half(text: str) -> Array:
    """Half the sides of the box of the frame, inches."""
    return np.array([max(0.3, 0.5 * text_width(text, 8.0) + 0.1), HALF])


def draw_frame(panel: Any, at: Array, text: str, gid: str) -> None:
    """Draw the frame as a box under the ground, with its name in it."""
    half = frame_half(text)
    area(panel, at + half * CORNERS, gid, zorder=3)
    left, right = at + half * (-1.2, 1.0), at + half * (1.2, 1.0)
    hatched(panel, right, left, 0.1, gid, zorder=3)
    name(panel, at, text, gid, zorder=4)


def box_of(text: str, size: float = SMALL) -> Array:
    """Half the sides of a text, inches."""
    return np.array([0.5 * text_width(text, size) + 0.03, 0.5 * HEIGHT * size / SMALL])


def free_place(places: Sequence[Array], half: Array, lines: Sequence[Array], taken: Sequence[Box]) -> Array | None:
    """Choose the first of some places at which a box is on no line and no other box.

    Examples
    --------
    >>> line = np.array([[0.0, -1.0], [0.0, 1.0]])
    >>> free_place([np.zeros(2), np.ones(2)], np.array([0.2, 0.1]), [dense(line)], [])
    array([1., 1.])
    """
    if not len(places):
        return None
    x, y = np.concatenate([np.empty((0, 2)), *lines]).T
    low, high = np.min(places, axis=0) - half, np.max(places, axis=0) + half
    near = (x > low[0]) & (x < high[0]) & (y > low[1]) & (y < high[1])  # of many lines few are
    points = np.stack([x[near], y[near]], axis=1)
    taken = [box for box in taken if (np.abs(box[0] - 0.5 * (low + high)) < 0.5 * (high - low) + box[1]).all()]
    for place in places:
        clear = not (np.abs(points - place) < half).all(axis=1).any()
        if clear and not any((np.abs(place - middle) < half + other).all() for middle, other in taken):
            return place
    return None


def best_place(places: Sequence[Array], half: Array, lines: Sequence[Array], taken: Sequence[Box]) -> Array:
    """Choose a place as `free_place` does; if there is none, one that is on no other box, or else the first."""
    for avoided in (lines, ()):
        place = free_place(places, half, avoided, taken)
        if place is not None:
            return place
    return places[0]


def dense(path: Array, gap: float = 0.04) -> Array:
    """Points (k, 2) of a line that are no farther apart than a gap, so that no box slips between them."""
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    at = np.linspace(0.0, lengths[-1], max(2, int(lengths[-1] / gap) + 1))
    return np.stack([np.interp(at, lengths, path[:, k]) for k in (0, 1)], axis=1)


def caption_room(text: str) -> Array:
    """Width and height that a caption needs, inches."""
    return np.array([text_width(text, SMALL) + 0.2, 0.1 + 0.13 * (1 + text.count("\n"))])


def draw_caption(panel: Any, text: str) -> None:
    """Explain a picture at its foot."""
    middle = 0.5 * sum(panel.get_xlim())
    at = (middle, panel.get_ylim()[0] + 0.5 * caption_room(text)[1])
    name(panel, at, text, "note", fontsize=SMALL, color=GRAY)
