"""Laws along a coordinate: the constants of a force that depends on it, its rate and the time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.interpolate import PPoly

Array = NDArray[np.float64]
Pairs = Sequence[Sequence[float]]

PULLS = ("stiffness", "damping", "preload", "table", "damping_table")
"""Fields of springs of which those in files state at least one."""


ELASTIC = {"stiffness": "F/x", "damping": "F*s/x", "preload": "F", "table": "x F", "damping_table": "x/s F"}
"""Units of the fields of springs: `F` of the force, and `x` of the coordinate along which it acts."""


class Pull(NamedTuple):
    """A force that pulls a coordinate x back, by its constants; `sglibrary.dynamics.pulls` computes it.

    Attributes
    ----------
    stiffness, damping, preload : float
    push : float
        Force along the coordinate, by which no energy is stored; it and the preload are multiplied by a law of time.
    free : float
        Value of x at which the elastic force is the preload.
    dry, speed : float
        Dry friction, and the rate at which it has 1/√2 of its size.
    table, damped : pairs
        Of x and force, and of the rate and force; empty if there are none.
    stop, stop_damping : float
        Stiffness of a stop, and what its push grows by with the rate at which x goes farther beyond its range.
    ends : (float, float)
        Of the range of x that the stop keeps; infinite where there is none.
    """

    stiffness: float = 0.0
    damping: float = 0.0
    preload: float = 0.0
    push: float = 0.0
    free: float = 0.0
    dry: float = 0.0
    speed: float = 1.0
    table: Pairs = ()
    damped: Pairs = ()
    stop: float = 0.0
    stop_damping: float = 0.0
    ends: Sequence[float] = (-math.inf, math.inf)

    def numbers(self, of_angle: Sequence[float] = ()) -> list[float]:
        """Constants for `sglibrary.dynamics.pulls`, with those of an angle at their place."""
        pieces = [float(len(table) + 1) if table else 0.0 for table in (self.table, self.damped)]
        angle = [*of_angle, *[0.0] * (4 - len(of_angle))]
        elastic = self.stiffness, self.damping, self.preload - self.push, self.free
        return [*elastic, *angle, self.dry, self.speed, 0.0, pieces[0], 0.0, pieces[1], *self.stopped]

    @property
    def stopped(self) -> tuple[float, float, float, float]:
        """Constants of the stop."""
        return self.stop, self.stop_damping, float(self.ends[0]), float(self.ends[1])

    @property
    def curves(self) -> list[tuple[int, Array]]:
        """Curves of its tables, with the place among its numbers of where each begins."""
        tables = [(place, table) for place, table in ((10, self.table), (12, self.damped)) if table]
        return [(place, np.concatenate([x.x, x.c.T.ravel()])) for place, x in ((p, curve(t)) for p, t in tables)]

    def shifted(self, turns: float) -> Pull:
        """Return the law whose stop is along a coordinate that is less by whole turns, rad."""
        return self if turns == 0.0 else self._replace(ends=[x - turns for x in self.ends])

    def stored(self, x: Array) -> Array:
        """Compute the energy (n,) that is stored at coordinates (n,), J."""
        extension = x - self.free
        energy = 0.5 * self.stiffness * extension**2 + self.preload * extension
        if self.stop:
            energy = energy + 0.5 * self.stop * (x - np.clip(x, self.ends[0], self.ends[1])) ** 2
        if not self.table:
            return energy
        work = curve(self.table).antiderivative()
        return energy + (work(x) - work(self.table[0][0]))


def elastic(spring: Any, free: float) -> Pull:
    """Return the law of a spring, free at a value of its coordinate."""
    fields = (spring.stiffness, spring.damping, spring.preload)
    return Pull(*fields, free=free, table=spring.table, damped=spring.damping_table)


@lru_cache(maxsize=256)
def curve(table: Pairs) -> PPoly:
    """Join the pairs of a table by cubics whose slopes are continuous, and lines beyond its ends.

    They are monotone where the pairs are (Fritsch and Butland 1984), for a stop or the valve of a damper is a corner,
    about which splines with continuous curvature swing: a damper would then drive for a while.

    Parameters
    ----------
    table : tuple of (float, float)
        Length, coordinate or rate, and force, in rising order of the first.
    """
    from scipy.interpolate import PchipInterpolator, PPoly

    x, y = np.array(table).T
    inner = PchipInterpolator(x, y)
    first, last = inner.derivative()(x[[0, -1]])
    span = x[-1] - x[0]
    before, after = [0.0, 0.0, first, y[0] - first * span], [0.0, 0.0, last, y[-1]]
    return PPoly(np.column_stack([before, inner.c, after]), [x[0] - span, *x, x[-1] + span])
