"""Newton-Raphson on all equations of a mechanism at once, compiled.

The unknowns are x = (1, x_1, …, x_m); the leading one makes every equation a homogeneous quadratic form

    f_e(x, t) = Σ h_k g_s(k)(t) x_i(k) x_j(k),    k over the terms of e,

with i ≤ j and signals g of which g_0 = 1; the others come from the drivers, or are functions of one unknown (`owner`
says of which): the coordinates x, y, x', y' of a point of a plane curve, and of its derivative, at an unknown arc
length. The curve of an angle is the unit circle, so that its first two signals are cosine and sine.
Velocities and accelerations follow from the exact derivatives of f = 0 (García de Jalón and Bayo 1994, section 3.4):

    J ẋ = −f_t,    J ẍ = −Σ h (2 g ẋ_i ẋ_j + 2 ġ (ẋ_i x_j + x_i ẋ_j) + g̈ x_i x_j).
"""

from __future__ import annotations

import numpy as np

from sglibrary.convention import OPTIONS, allocating, compiled
from sglibrary.tolerances import CONTRADICTED, CONVERGED, PIVOT, STAGNATED

SOLVED, NOT_CONVERGED, SINGULAR, CONTRADICTION = 0, 1, 2, 3
MAX_ITERATIONS = 30
LONGEST_STEP = 0.5  # farther than this (unit vectors, lengths relative to the size) extrapolation is a guess


def _reordered(function):
    """Compile a kernel whose sums may be vectorized."""
    return compiled(function, OPTIONS | {"fastmath": {"reassoc"}})


@allocating
def _along_curve(u, closed, left, coefficients, out):
    """Point (2,) at arc length u, and three derivatives, (4, 2), of the pieces (k, 2, 6) of a curve or the unit circle.

    Piece j begins at left[j], the last of `left` (k + 1,) is the end; `left` is empty for the circle. A curve that is
    not closed goes on beyond its ends.
    """
    if left.size == 0:
        c, s = np.cos(u), np.sin(u)
        out[0, 0], out[0, 1], out[1, 0], out[1, 1] = c, s, -s, c
        out[2, 0], out[2, 1], out[3, 0], out[3, 1] = -c, -s, s, -c
        return
    if closed:
        u -= left[-1] * np.floor(u / left[-1])
    piece = min(max(np.searchsorted(left, u, side="right") - 1, 0), left.size - 2)
    for axis in range(2):
        value, first, second, third = 0.0, 0.0, 0.0, 0.0
        for k in range(coefficients.shape[2] - 1, -1, -1):
            third = third * (u - left[piece]) + 3.0 * second
            second = second * (u - left[piece]) + 2.0 * first
            first = first * (u - left[piece]) + value
            value = value * (u - left[piece]) + coefficients[piece, axis, k]
        out[0, axis], out[1, axis], out[2, axis], out[3, axis] = value, first, second, third


@allocating
def own_signals(x, v, g, slopes, owner, curves):
    """Write the signals of unknowns into g (3, s), with derivatives from their rates v (m + 1,) but no accelerations.

    `slopes` (s,) gets their derivatives by the unknown that owns them. For `curves` see `solve_steps`.
    """
    closed, first, left, coefficients = curves
    jet = np.zeros((4, 2))
    for k in range(closed.size):
        s = owner.size - 4 * (closed.size - k)
        pieces = slice(first[k], first[k + 1])
        rate = v[owner[s]]
        _along_curve(x[owner[s]], closed[k], left[pieces], coefficients[pieces], jet)
        for j in range(4):
            order, axis = j // 2, j % 2
            slopes[s + j] = jet[order + 1, axis]
            g[0, s + j] = jet[order, axis]
            g[1, s + j] = jet[order + 1, axis] * rate
            g[2, s + j] = jet[order + 2, axis] * rate * rate


@allocating
def _linearize(x, g, slopes, owner, index, h, residual, jacobian):
    """Residuals (m,) and Jacobian (m, m) of the first m equations at x (m + 1,)."""
    residual[:] = 0.0
    jacobian[:, :] = 0.0
    for k in range(h.size):
        e, i, j = index[k, 0], index[k, 2], index[k, 3]
        c = h[k] * g[index[k, 1]]
        ci, cj = c * x[j], c * x[i]
        residual[e] += ci * x[i]
        if i > 0:
            jacobian[e, i - 1] += ci
        if j > 0:
            jacobian[e, j - 1] += cj
        s = index[k, 1]
        if owner[s] > 0:
            jacobian[e, owner[s] - 1] += h[k] * slopes[s] * x[i] * x[j]


@allocating
def _rate_terms(x, g, index, h, out):
    """Right sides (m,) of J ẋ = −f_t."""
    out[:] = 0.0
    for k in range(h.size):
        s = index[k, 1]
        if s > 0:
            out[index[k, 0]] -= h[k] * g[1, s] * x[index[k, 2]] * x[index[k, 3]]


@allocating
def _acceleration_terms(x, v, g, index, h, out):
    """Right sides (m,) of J ẍ = −(terms quadratic in the velocities, and those of the drivers)."""
    out[:] = 0.0
    for k in range(h.size):
        e, s, i, j = index[k]
        out[e] -= 2.0 * h[k] * g[0, s] * v[i] * v[j]
        if s > 0:
            out[e] -= h[k] * (2.0 * g[1, s] * (v[i] * x[j] + x[i] * v[j]) + g[2, s] * x[i] * x[j])


@allocating
def _factor(a, rows):
    """Compute LU factors of a (m, m) in place; `rows` (m,) gets the row exchanges. False if it is singular.

    Zeros below the diagonal are skipped. The caller's order of rows and columns keeps them zero, so a diagonal element
    stays the pivot unless another is ten times larger.
    """
    m = rows.size
    for k in range(m):
        best, largest = k, abs(a[k, k])
        for i in range(k + 1, m):
            if abs(a[i, k]) > 10.0 * largest or (best != k and abs(a[i, k]) > largest):
                best, largest = i, abs(a[i, k])
        rows[k] = best
        if not largest > PIVOT:
            return False
        if best != k:
            for j in range(m):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        pivot = a[k]
        for i in range(k + 1, m):
            if a[i, k] != 0.0:
                row = a[i]
                factor = row[k] / pivot[k]
                row[k] = factor
                for j in range(k + 1, m):
                    row[j] -= factor * pivot[j]
    return True


@_reordered
def _substitute(a, rows, b):
    """Solve in place for the right side b (m,), given the factors."""
    m = rows.size
    for k in range(m):
        if rows[k] != k:
            b[k], b[rows[k]] = b[rows[k]], b[k]
    for k in range(m):
        total = b[k]
        for j in range(k):
            total -= a[k, j] * b[j]
        b[k] = total
    for k in range(m - 1, -1, -1):
        total = b[k]
        for j in range(k + 1, m):
            total -= a[k, j] * b[j]
        b[k] = total / a[k, k]


@allocating
def _position(x, g, slopes, still, owner, curves, index, h, residual, jacobian, rows):
    """Iterate x (m + 1,) in place; leaves the factors at the solution. Returns status, residual and iterations."""
    before, norm = np.inf, np.inf
    for iteration in range(MAX_ITERATIONS + 1):
        own_signals(x, still, g, slopes, owner, curves)
        _linearize(x, g[0], slopes, owner, index, h, residual, jacobian)
        norm = 0.0
        for e in range(residual.size):
            norm = max(norm, abs(residual[e]))
        if not norm < 1e6:  # NaN too
            return NOT_CONVERGED, norm, iteration
        if not _factor(jacobian, rows):
            return SINGULAR, norm, iteration
        if norm <= CONVERGED or (norm <= STAGNATED and norm > 0.5 * before):
            return SOLVED, norm, iteration
        _substitute(jacobian, rows, residual)
        for i in range(residual.size):
            x[i + 1] -= residual[i]
        before = norm
    return NOT_CONVERGED, norm, MAX_ITERATIONS


@allocating
def _predict(last, dt, x):
    """Extrapolate x, ẋ, ẍ (3, m + 1) of the last step by dt seconds to start values (m + 1,), unless it is too far."""
    farthest = 0.0
    for i in range(1, x.size):
        step = dt * (last[1, i] + 0.5 * dt * last[2, i])
        farthest = max(farthest, abs(step))
        x[i] = last[0, i] + step
    if not (dt == dt and farthest <= LONGEST_STEP):
        x[:] = last[0]


@allocating
def solve_steps(times, signals, owner, curves, index, h, extra_index, extra_h, start):
    """Solve all steps, each from the one before; stops at the first that fails and never raises.

    Parameters
    ----------
    times : (n,) array
        In seconds.
    signals : (n, 3, s) array
        Signals, their rates and accelerations; the first signal is 1. Those of unknowns, which come last, are written
        here.
    owner : (s,) array of int
        The unknown of which a signal is a function, or 0.
    curves : tuple of arrays
        Of the unknowns that own four signals each: whether their curve is closed (k,); which rows of the others are
        its own (k + 1,); where its pieces begin and the last one ends, relative to the size; and the coefficients
        (2, 6) of the pieces, by ascending powers. An unknown without rows is an angle.
    index : (k, 4) array of int
        Equation, signal and two unknowns of each term.
    h : (k,) array
        Coefficients of the terms.
    extra_index, extra_h : arrays
        Terms of equations that are not solved but must be met.
    start : (m + 1,) array
        Start values of the first step.

    Returns
    -------
    state : (n, 3, m + 1) array
        x, ẋ and ẍ; NaN after the first failure.
    residuals : (n,) array
    iterations, status : (n,) arrays of int
    """
    m = start.size - 1
    state, residuals = np.full((times.size, 3, m + 1), np.nan), np.full(times.size, np.nan)
    iterations, status = np.zeros(times.size, np.int64), np.full(times.size, NOT_CONVERGED)
    jacobian, rows = np.zeros((m, m)), np.zeros(m, np.int64)
    b = np.zeros(m)
    extra = np.zeros(extra_index[-1, 0] + 1 if extra_h.size else 0)
    x, still, slopes = start.copy(), np.zeros(m + 1), np.zeros(owner.size)
    for n in range(times.size):
        g, step = signals[n], state[n]
        if n > 0:
            _predict(state[n - 1], times[n] - times[n - 1], x)
        status[n], residuals[n], iterations[n] = _position(
            x, g, slopes, still, owner, curves, index, h, b, jacobian, rows
        )
        if status[n] != SOLVED:
            break
        extra[:] = 0.0
        for k in range(extra_h.size):
            e, s, i, j = extra_index[k]
            extra[e] += extra_h[k] * g[0, s] * x[i] * x[j]
        for e in range(extra.size):
            residuals[n] = max(residuals[n], abs(extra[e]))
        if residuals[n] > CONTRADICTED:
            status[n] = CONTRADICTION
            break
        step[0] = x
        step[1, 0] = step[2, 0] = 0.0
        _rate_terms(x, g, index, h, b)
        _substitute(jacobian, rows, b)
        step[1, 1:] = b
        own_signals(x, step[1], g, slopes, owner, curves)
        _acceleration_terms(x, step[1], g, index, h, b)
        _substitute(jacobian, rows, b)
        step[2, 1:] = b
    return state, residuals, iterations, status
