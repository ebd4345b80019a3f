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
    ours, theirs = _channels(color), _channels(other)
    return "#" + "".join(f"{round(a + share * (b - a)):02X}" for a, b in zip(ours, theirs, strict=True))


BLACK = "#000000"
"""Color of what no picture gives a color."""

DARK_INK, DARK_PAPER = "#EEF2F7", "#161B22"
"""Of pages that are shown on a dark screen."""

NEAR = 12
"""Difference of channels (of 255) up to which a color is taken as a mixture: grays and tints that are chosen by eye."""

LIGHTER = 0.18
"""Share of dark ink in colors on dark paper, on which the darkest of them would hardly be seen."""


def dark(color: str) -> str:
    """The color that stands for another one in pictures on dark paper.

    Mixtures of ink or a color of this module with paper or ink are mixed with those of the dark; colors themselves
    become a little lighter.

    Examples
    --------
    >>> dark(PAPER) == DARK_PAPER, dark(INK) == DARK_INK, dark(mixed(LOST, 1.0, PAPER)) == DARK_PAPER
    (True, True, True)
    """
    channels, best, found = _channels(color), NEAR, ""
    for base in (INK, BLACK, *GROUPS, LOST):
        for end, dark_end in ((PAPER, DARK_PAPER), (INK, DARK_INK)):
            share = _share(channels, base, end)
            away = max(abs(x - y) for x, y in zip(channels, _channels(mixed(base, share, end)), strict=True))
            if away < best:
                best = away
                found = mixed(DARK_INK if base in (INK, BLACK) else mixed(base, LIGHTER, DARK_INK), share, dark_end)
    return found or mixed(color, LIGHTER, DARK_INK)


def _channels(color: str) -> tuple[int, ...]:
    return tuple(int(color[k : k + 2], 16) for k in (1, 3, 5))


def _share(color: tuple[int, ...], base: str, end: str) -> float:
    """The share of another color with which a mixture with a base comes nearest to a color."""
    way = [b - a for a, b in zip(_channels(base), _channels(end), strict=True)]
    along = sum((c - a) * w for c, a, w in zip(color, _channels(base), way, strict=True))
    return min(max(along / max(sum(w * w for w in way), 1), 0.0), 1.0)
