"""Plane triads with revolute joints, and all their real positions: a body held by three bars.

The body sees its hinges B_k at b_k, the bars of length l_k hang on the known points A_k. With the body's rotation e^iθ,
p = B_1 - A_1 and u_k = e^iθ (b_k - b_1) - (A_k - A_1), in complex numbers for the plane,

    |p| = l_1,   p·u_k = v_k = (l_k² - l_1² - |u_k|²) / 2,   k = 2, 3

Two linear equations give p = i (v_3 u_2 - v_2 u_3) / Δ with Δ = u_2 × u_3, and the first |v_3 u_2 - v_2 u_3| = l_1 Δ,
squared a trigonometric polynomial of degree 3 in θ, so of degree 6 in z = e^iθ (Gosselin, Sefrioui and Richard 1992;
six real positions are possible). Its coefficients follow from its values at eight angles.
"""

import numpy as np
from numpy.typing import NDArray

import groupkin as gk
from tests.support.random_mechanisms import CHAINS, Workshop

Array = NDArray[np.float64]

ON_CIRCLE = 1e-5
"""Distance from the unit circle up to which a root counts as real: a double root is off by the square root of its
rounding errors, and what is no solution does not survive the iteration that follows."""

SINGULAR = 1e-6
"""Value of Δ, relative to its terms, below which θ does not give p."""


def triad(seed: int, amplitude: float = 0.15) -> gk.Mechanism:
    """A plate held by three bars on driven cranks: a plane triad whose solved ends move."""
    shop = Workshop(2, np.random.default_rng(seed), amplitude)
    cranks = [shop.make_tree([(-1, 0, "R*1")], ["ground"])[0] for _ in range(3)]
    shop.make_tree(CHAINS[2]["3-RR"], cranks, reverse=0.5)
    return shop.mechanism()


def positions(known: Array, local: Array, lengths: Array) -> Array | None:
    """All real positions of the body.

    Parameters
    ----------
    known : (3, 2) array
        The points A_k, m.
    local : (3, 2) array
        The hinges b_k in the coordinates of the body, m.
    lengths : (3,) array
        m.

    Returns
    -------
    (k, 3) array or None
        θ in rad and the coordinates of B_1 in m, k ≤ 6; None where the polynomial does not determine them.
    """
    start, hinges = known @ [1, 1j], local @ [1, 1j]
    size = float(np.abs([*(start - start[0]), *(hinges - hinges[0]), *lengths]).max())
    start, hinges, lengths = start / size, hinges / size, lengths / size
    values = _polynomial(np.exp(0.25j * np.pi * np.arange(8)), start, hinges, lengths)
    coefficients = np.fft.fft(values[0] - lengths[0] ** 2 * values[1] ** 2)[[3, 2, 1, 0, -1, -2, -3]] / 8
    if np.abs(coefficients).max() < 1e-12:
        return None
    roots = np.roots(coefficients)
    turns = roots[np.abs(np.abs(roots) - 1.0) < ON_CIRCLE]
    turns /= np.abs(turns)
    _, cross, p = _polynomial(turns, start, hinges, lengths)
    if (np.abs(cross) < SINGULAR).any():
        return None
    first = (start[0] + p / cross) * size
    return np.array([np.angle(turns), first.real, first.imag]).T


def _polynomial(turn: Array, start: Array, hinges: Array, lengths: Array) -> tuple[Array, Array, Array]:
    """|Δ p|², Δ and Δ p for rotations `turn` (n,), complex numbers of length 1."""
    u2, u3 = (turn * (hinges[k] - hinges[0]) - (start[k] - start[0]) for k in (1, 2))
    v2, v3 = (0.5 * (lengths[k] ** 2 - lengths[0] ** 2 - np.abs(u) ** 2) for k, u in ((1, u2), (2, u3)))
    p = 1j * (v3 * u2 - v2 * u3)
    return np.abs(p) ** 2, np.imag(np.conj(u2) * u3), p
