"""Profiles of rest-to-rest motions: a rise of 1 in a time of 1, as polynomials in pieces.

A profile follows from the diagram of its acceleration: sections, each with a width and the acceleration in it as a
polynomial of the time since the section began. Sines are written as Taylor polynomials over sections of a sixteenth
of a turn, where they are exact to rounding, so that all profiles are evaluated as the piecewise polynomials they are.
The diagrams are those of R. L. Norton, Cam Design and Manufacturing Handbook (2009), and of VDI 2143; the fastest
motions within limits those of L. Biagiotti and C. Melchiorri, Trajectory Planning for Automatic Machines and Robots
(2008).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from groupkin.tolerances import SAME_TIME

Array = NDArray[np.float64]
Section = tuple[float, Array]
"""Width, and coefficients in rising powers of the time since the section began."""

TERMS = 14
"""Terms of the Taylor polynomial of a sine over `ARC`; the first one left out is 2e-17."""

ARC = math.pi / 8
"""Largest angle (rad) over which a sine is one polynomial."""


class Peaks(NamedTuple):
    """Largest speed, acceleration and jerk of a rise of 1 in a time of 1; inf where they are unbounded."""

    speed: float
    acceleration: float
    jerk: float


def sine(width: float, frequency: float, phase: float = 0.0) -> list[Section]:
    """Sections of sin(frequency · t + phase), frequency in rad per unit of time."""
    count = math.ceil(frequency * width / ARC - SAME_TIME)
    powers = np.arange(TERMS)
    scale = frequency**powers / [math.factorial(k) for k in powers]
    starts = phase + frequency * width / count * np.arange(count)
    return [(width / count, scale * np.sin(start + 0.5 * np.pi * powers)) for start in starts]


def shifted(coefficients: Array, by: float) -> Array:
    """Coefficients of a polynomial, in powers of what its argument exceeds `by`."""
    return np.asarray(np.polynomial.Polynomial(coefficients)(np.polynomial.Polynomial([by, 1.0])).coef, float)


def polynomial(*coefficients: float) -> list[Section]:
    """Two sections of a polynomial over a time of 1; in one its end would lose two digits."""
    return [(0.5, np.array(coefficients)), (0.5, shifted(np.array(coefficients), 0.5))]


def constant(width: float, value: float) -> list[Section]:
    """One section of constant acceleration."""
    return [(width, np.array([value]))]


TURN = 2.0 * math.pi
ACCELERATIONS: Mapping[str, list[Section]] = {
    "cycloid": sine(1.0, TURN),
    "modified sine": [
        *sine(1 / 8, 2 * TURN),
        *sine(3 / 4, 2 / 3 * TURN, TURN / 4),
        *sine(1 / 8, 2 * TURN, 3 / 4 * TURN),
    ],
    "modified trapezoid": [
        *sine(1 / 8, 2 * TURN),
        *constant(1 / 4, 1.0),
        *sine(1 / 4, 2 * TURN, TURN / 4),
        *constant(1 / 4, -1.0),
        *sine(1 / 8, 2 * TURN, 3 / 4 * TURN),
    ],
    "3-4-5": polynomial(0.0, 60.0, -180.0, 120.0),
    "4-5-6-7": polynomial(0.0, 0.0, 420.0, -1680.0, 2100.0, -840.0),
    "simple harmonic": sine(1.0, TURN / 2, TURN / 4),
}
"""Diagrams of acceleration, of any amplitude, over a time of 1."""

PEAKS: Mapping[str, Peaks] = {
    "cycloid": Peaks(2.0, TURN, TURN**2),
    "modified sine": Peaks(*(4 * math.pi / (4 + math.pi) * x for x in (1.0, math.pi, 4 * math.pi**2))),
    "modified trapezoid": Peaks(*(2 * math.pi / (2 + math.pi) * x for x in (1 + 2 / math.pi, 4.0, 16 * math.pi))),
    "3-4-5": Peaks(15 / 8, 10 / math.sqrt(3), 60.0),
    "4-5-6-7": Peaks(35 / 16, 84 * math.sqrt(5) / 25, 105 / 2),
    "simple harmonic": Peaks(math.pi / 2, math.pi**2 / 2, math.inf),
}
"""Peaks of the profiles that have no shares."""

SHARES: Mapping[str, tuple[float, ...]] = {"trapezoid": (1.0, 1.0, 1.0), "s-curve": (1.0, 1.0, 1.0, 3.0, 1.0, 1.0, 1.0)}
"""Default shares of the phases: speeding up, constant speed, slowing down; in an s-curve the acceleration rises, stays
and falls in each of the outer two."""

ENDING: Mapping[str, tuple[Array, Array]] = {
    "3-4-5": (np.array([0, 1, 0, -6, 8, -3.0]), np.array([0, 0, 0, -4, 7, -3.0])),
    "4-5-6-7": (np.array([0, 1, 0, 0, -20, 45, -36, 10.0]), np.array([0, 0, 0, 0, -15, 39, -34, 10.0])),
}
"""Polynomials that add a speed of 1 at the beginning or at the end of a profile, and change nothing else there."""


def phases(shares: Sequence[float]) -> tuple[float, ...]:
    """Widths of the seven phases of an s-curve, whose sum is 1; those of a trapezoid have no phases of jerk."""
    seven = shares if len(shares) == 7 else (0.0, shares[0], 0.0, shares[1], 0.0, shares[2], 0.0)
    return tuple(share / sum(seven) for share in seven)


def _ramps(shares: Sequence[float]) -> list[Section]:
    """Sections of acceleration up to a speed of 1, and down again."""
    seven = phases(shares)
    sections: list[Section] = [(seven[3], np.zeros(1))]
    for sign, (rising, staying, falling) in ((1.0, seven[:3]), (-1.0, seven[4:])):
        peak = sign / (rising / 2 + staying + falling / 2)
        parts = (rising, [0.0, peak / (rising or 1.0)]), (staying, [peak]), (falling, [peak, -peak / (falling or 1.0)])
        ramp = [(width, np.array(part)) for width, part in parts]
        sections = [*ramp, *sections] if sign > 0 else [*sections, *ramp]
    return [section for section in sections if section[0] > 0.0]


def _integrated(sections: Sequence[Section]) -> tuple[list[Section], float]:
    """Positions from rest at 0 on, by accelerations, and the last position."""
    position, speed, found = 0.0, 0.0, []
    for width, acceleration in sections:
        k = np.arange(acceleration.size)
        part = np.array([position, speed, *(acceleration / ((k + 1) * (k + 2)))])
        found.append((width, part))
        position = float(np.polynomial.polynomial.polyval(width, part))
        speed += float(np.polynomial.polynomial.polyval(width, [0.0, *(acceleration / (k + 1))]))
    return found, position


@lru_cache(maxsize=256)
def profile(kind: str, shares: tuple[float, ...] = ()) -> tuple[Section, ...]:
    """Return the sections of a profile; `shares` are those of a trapezoid or an s-curve."""
    sections, rise = _integrated(_ramps(shares) if shares else ACCELERATIONS[kind])
    return tuple((width, position / rise) for width, position in sections)


@lru_cache(maxsize=256)
def peaks(kind: str, shares: tuple[float, ...] = ()) -> Peaks:
    """Return the peaks of a profile."""
    if not shares:
        return PEAKS[kind]
    accelerations = _ramps(shares)
    rise = _integrated(accelerations)[1]
    ends = [(part[0], float(np.polynomial.polynomial.polyval(width, part))) for width, part in accelerations]
    tops = [0.0, *np.ravel(ends), 0.0]
    steady = all(abs(after - before) <= SAME_TIME * max(tops) for before, after in list(pairwise(tops))[::2])
    jerk = max(abs(part[1]) for _, part in accelerations if part.size > 1) if steady else math.inf
    return Peaks(1.0 / rise, max(map(abs, tops)) / rise, jerk / rise)


def fastest(rise: float, speed: float, acceleration: float, jerk: float) -> tuple[float, ...]:
    """Durations of the seven phases of the fastest motion from rest to rest within limits, which may be inf.

    Notes
    -----
    The acceleration rises for the time that the first of three limits allows: the one on itself, on the speed, or the
    rise, which may be too short for both. Then it stays until the speed is that of the limit, or the highest after
    which the motion can still stop at the end of the rise.
    """
    jerking = (
        min(acceleration / jerk, math.sqrt(speed / jerk), math.cbrt(rise / (2 * jerk))) if jerk < math.inf else 0.0
    )
    top = jerk * jerking if jerking else acceleration
    fast = min(speed, 2 * rise / (jerking + math.sqrt(jerking**2 + 4 * rise / top)))
    staying = max(0.0, fast / top - jerking)
    cruising = max(0.0, rise / fast - fast / top - jerking)
    return (jerking, staying, jerking, cruising, jerking, staying, jerking)
