"""Colors of pictures: one per structural group, told apart also by the color-blind, and ink for all else."""

from __future__ import annotations

GROUPS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#883322", "#5B2BE0")
"""Repeated beyond eight groups, so that the number of a group always stands beside its color."""

INK, GRAY, FRAME, PAPER = "#1B2430", "#5B6472", "#8A929E", "#FFFFFF"


LOST = "#C22020"
"""Of what cannot be."""


def group_color(number: int) -> str:
    """The color of a group by its number, from 1.

    Examples
    --------
    >>> group_color(1), group_color(9)
    ('#0072B2', '#0072B2')
    """
    return GROUPS[(number - 1) % len(GROUPS)]


def mixed(color: str, share: float, other: str = PAPER) -> str:
    """A color mixed with a share of another; pictures have no opacity, through which overlaps would show.

    Examples
    --------
    >>> mixed("#000000", 0.5)
    '#808080'
    """
    ours, theirs = ([int(text[k : k + 2], 16) for k in (1, 3, 5)] for text in (color, other))
    return "#" + "".join(f"{round(a + share * (b - a)):02X}" for a, b in zip(ours, theirs, strict=True))
