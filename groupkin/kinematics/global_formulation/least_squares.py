"""All equations of a mechanism by least squares, where some depend on others: no fixed choice of them is as regular.

The equations are the quadratic forms of `groupkin.kinematics.global_formulation.kernel`; at positions that solve a
choice of them nearly, a step of Gauss and Newton with all of them, and rates and accelerations that meet all best.
"""

from __future__ import annotations

import numpy as np

from sglibrary.array_types import Array, Ints

Terms = tuple[Ints, Array]

STEPS = 3
"""Steps of Gauss and Newton from positions that solve some of the equations."""


def refined(state: Array, signals: Array, terms: Terms, extra: Terms) -> Array:
    """Correct positions, and compute rates and accelerations, by all equations.

    Parameters
    ----------
    state : (n, 3, m + 1) array
        x, ẋ and ẍ by as many equations as unknowns.
    signals : (n, 3, s) array
        Signals of the drivers alone, their rates and accelerations.
    terms, extra : Terms
        Equation, signal and two unknowns of each term, and its coefficient.

    Returns
    -------
    (n, 3, m + 1) array
    """
    solved = int(terms[0][:, 0].max()) + 1
    index = np.concatenate([terms[0], extra[0] + [solved, 0, 0, 0]])
    h, (e, s, i, j) = np.concatenate([terms[1], extra[1]]), index.T
    shape, found = (int(e.max()) + 1, state.shape[2]), state.copy()
    for (x, v, a), (g, dg, ddg) in zip(found, signals, strict=True):

        def jacobian(x: Array = x, g: Array = g) -> Array:
            out = np.zeros(shape)
            np.add.at(out, (e, i), h * g[s] * x[j])
            np.add.at(out, (e, j), h * g[s] * x[i])
            return out[:, 1:]

        def least(right: Array) -> Array:
            return np.asarray(np.linalg.lstsq(jacobian(), np.bincount(e, right, shape[0]), rcond=None)[0])

        for _ in range(STEPS):
            x[1:] -= least(h * g[s] * x[i] * x[j])
        v[1:] = -least(h * dg[s] * x[i] * x[j])
        crossed = v[i] * x[j] + x[i] * v[j]
        a[1:] = -least(h * (2.0 * g[s] * v[i] * v[j] + 2.0 * dg[s] * crossed + ddg[s] * x[i] * x[j]))
    return found
