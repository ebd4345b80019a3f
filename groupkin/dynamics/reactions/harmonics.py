"""Harmonics of results over a period: amplitude and phase of every order, as engines are judged by them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from groupkin.arguments import Natural, checked, floats
from groupkin.errors import ArgumentError
from groupkin.showing import InNotebooks
from groupkin.tolerances import CLOSED_PERIOD, PERIOD_ROUNDING
from sglibrary.array_types import Array, Ints


class Harmonics(NamedTuple):
    """Values over a period as a sum of amplitude · cos(order · 2π t / T + phase).

    Attributes
    ----------
    orders : (k,) array of int
        From 0, the mean.
    amplitudes : (k, ...) array
        In the unit of the values; the mean has its sign.
    phases : (k, ...) array
        rad.
    """

    orders: Ints
    amplitudes: Array
    phases: Array

    def __repr__(self) -> str:
        largest = np.abs(self.amplitudes[1:]).max(initial=0.0)
        return f"<Harmonics up to order {self.orders[-1]}: largest amplitude {largest:.6g}>"

    def _repr_html_(self) -> str | None:
        return InNotebooks._repr_html_(self)  # type: ignore[arg-type]


@checked
def harmonics(values: ArrayLike, orders: Natural = 8) -> Harmonics:
    """Compute the harmonics of a result over one period, such as a torque over a turn of the crank.

    Parameters
    ----------
    values : (n, ...) array_like
        At equidistant times of one period, both ends included: the last values are the first again.
    orders : int
        The highest order, less than half of the number of steps.

    Raises
    ------
    ArgumentError
        If the values are no period, or too few for the orders.

    Examples
    --------
    >>> turn = np.linspace(0.0, 2 * np.pi, 101)
    >>> harmonics(3.0 + 2.0 * np.cos(2 * turn), 3).amplitudes.round(12) + 0.0
    array([3., 0., 2., 0.])
    """
    array = floats(values)
    if array.ndim == 0 or len(array) < 4 or not np.isfinite(array).all():
        raise ArgumentError("values must be at least four finite numbers over one period")
    gap, span = np.abs(array[-1] - array[0]).max(initial=0.0), np.ptp(array)
    if gap > CLOSED_PERIOD * span + PERIOD_ROUNDING * np.abs(array).max(initial=0.0):
        raise ArgumentError(
            f"the last value must be the first again, as they are one period; they differ by {gap:.3g}, of a range of "
            f"{span:.3g}"
        )
    n = len(array) - 1
    if 2 * orders >= n:
        raise ArgumentError(f"{n} steps of a period tell orders below {n / 2:g}, not {orders}")
    found = np.fft.rfft(array[:-1], axis=0)[: orders + 1] / n
    amplitudes, phases = 2.0 * np.abs(found), np.angle(found)
    amplitudes[0], phases[0] = found[0].real, 0.0
    return Harmonics(np.arange(orders + 1), amplitudes, phases)
