"""Equations of a mechanism in natural coordinates, and their reduction to a square system.

See `groupkin.kinematics.global_formulation.global_motion`. An equation is a sum of products of two unknowns, some of
them times a signal; `groupkin.kinematics.global_formulation.joint_equations` has those of the pairs.
"""

from __future__ import annotations

import numpy as np

from groupkin.errors import DeterminedByCountOnlyError
from groupkin.kinematics.global_formulation import joint_equations
from groupkin.kinematics.global_formulation.joint_equations import DrivenFreedom, Product
from groupkin.kinematics.global_formulation.unknowns import Unknowns
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.geometry.geometry import Geometry
from groupkin.tolerances import COINCIDENT, NO_COEFFICIENT, PARALLEL
from sglibrary.array_types import Array, Ints

Terms = tuple[Ints, Array]
"""Equation, signal and two unknowns (k, 4) of each term, and its coefficient (k,)."""
Quadratic = dict[tuple[int, int, int], float]
"""Coefficients of an equation by signal and two unknowns."""


def _rigidity(unknowns: Unknowns) -> list[list[Product]]:
    """Make the equations of rigidity: products of the vectors of each body are constant."""
    equations, unit = [], unknowns.unit
    for body, (_, vectors) in unknowns.vectors.items():
        factors = [unknowns.direction(body, vector) for vector in vectors]
        for k, first in enumerate(factors):
            for j in range(k + 1):
                equations.append([(0, first, factors[j]), (0, -(vectors[k] @ vectors[j]) * unit, unit)])
    return equations


def all_equations(
    mechanism: Mechanism, geometry: Geometry, unknowns: Unknowns, drivers: tuple[DrivenFreedom, ...], reduction: Array
) -> tuple[list[Quadratic], Array]:
    """Make all equations of a mechanism.

    Parameters
    ----------
    mechanism, geometry : Mechanism, Geometry
    unknowns : Unknowns
    drivers : tuple of DrivenFreedom
    reduction : (c, m + 1) array
        As `substitution` returns it.

    Returns
    -------
    list of Quadratic
    (e,) array
        Weights, by which equations of joints and drivers are preferred to those of rigidity.
    """
    equations = _rigidity(unknowns)
    rigid = len(equations)
    seen = {joint.name: joint_equations.sides(joint, geometry, unknowns, len(drivers)) for joint in mechanism.joints}
    for joint in mechanism.joints:
        equations += joint_equations.of_pair(seen[joint.name])
    for number, driver in enumerate(drivers):
        equations.append(joint_equations.driver_equation(driver, number, seen[driver.joint.name]))
    weights = np.where(np.arange(len(equations)) < rigid, 1.0, 1e3)
    return [_terms_of(products, reduction) for products in equations], weights


# --- from all equations to a square system --------------------------------------------------------


def substitution(relations: Array, name: str) -> tuple[Array, Ints]:
    """Eliminate linear relations by row reduction, so that all unknowns are T x.

    Of the elements of a row within a factor of ten of its largest, that in the column with the fewest entries is
    eliminated (Markowitz 1957), so that expressions stay short; of equals the last, which belongs to a vector instead
    of a point.

    Parameters
    ----------
    relations : (r, c) array
        Rows whose products with the unknowns are zero.
    name : str
        Of the mechanism, for messages.

    Returns
    -------
    (c, m + 1) array
        T.
    (m + 1,) array of int
        Numbers of the unknowns that are x.

    Raises
    ------
    DeterminedByCountOnlyError
        If the relations contradict each other.
    """
    rows, columns = relations.copy(), relations.shape[1]
    waiting, pivots = np.ones(len(rows), bool), np.full(len(rows), -1)
    for _ in range(len(rows)):
        filled = np.abs(rows[:, 1:]) > PARALLEL
        lengths = np.where(waiting, filled.sum(axis=1), columns)
        row = int(np.argmin(lengths))
        waiting[row] = False
        if lengths[row] == 0:
            if abs(rows[row, 0]) > PARALLEL:
                raise DeterminedByCountOnlyError(f"{name}: shared points and axes of its joints contradict each other")
            continue
        size = np.abs(rows[row, 1:])
        crowd = np.where(size >= 0.1 * size.max(), filled.sum(axis=0), len(rows) + 1)
        pivots[row] = columns - 1 - int(np.argmin(crowd[::-1]))
        rows[row] /= rows[row, pivots[row]]
        others = rows[:, pivots[row]].copy()
        others[row] = 0.0
        rows -= np.outer(others, rows[row])
    done = pivots > 0
    kept = np.setdiff1d(np.arange(columns), pivots[done])
    out = np.zeros((columns, kept.size))
    out[kept, np.arange(kept.size)] = 1.0
    out[pivots[done]] = -rows[np.ix_(done, kept)]
    return out, kept


def _terms_of(products: list[Product], reduction: Array) -> Quadratic:
    """Express an equation by the independent unknowns."""
    terms: Quadratic = {}
    for signal, first, second in products:
        left, right = first @ reduction, second @ reduction
        rows, columns = np.flatnonzero(np.abs(left).max(axis=0)), np.flatnonzero(np.abs(right).max(axis=0))
        values = left[:, rows].T @ right[:, columns]
        for (a, b), value in np.ndenumerate(values):
            i, j = sorted((int(rows[a]), int(columns[b])))
            terms[signal, i, j] = terms.get((signal, i, j), 0.0) + float(value)
    return {key: value for key, value in terms.items() if abs(value) > NO_COEFFICIENT}


def _gradient(terms: Quadratic, x: Array, g: Array, slopes: Array, owner: Ints) -> Array:
    """Differentiate an equation by the unknowns x (m + 1,), at signals g (s,) with `slopes`; the derivatives (m,)."""
    out = np.zeros(x.size)
    for (s, i, j), value in terms.items():
        out[i] += value * g[s] * x[j]
        out[j] += value * g[s] * x[i]
        if owner[s]:
            out[owner[s]] += value * slopes[s] * x[i] * x[j]
    return out[1:]


def _independent(jacobian: Array, weights: Array, name: str) -> Ints:
    """Choose as many independent equations as there are unknowns, those of larger weight first; their numbers."""
    from scipy.linalg import qr

    count = jacobian.shape[1]
    if not count:
        return np.zeros(0, np.int64)
    rank = np.linalg.matrix_rank(jacobian, tol=COINCIDENT * np.sqrt(count))
    if rank < count:
        raise DeterminedByCountOnlyError(
            f"{name} is not determined by its joints and drivers in the reference configuration: their equations have "
            f"rank {rank} for {count} unknowns; add drivers, or start from a configuration that is not singular"
        )
    order = qr((weights[:, None] * jacobian).T, mode="r", pivoting=True)[1]
    return np.sort(order[:count])


def _sparse_order(jacobian: Array) -> tuple[Ints, Ints]:
    """Order the rows and the columns of a square matrix so that its LU factors are sparse."""
    from scipy.sparse import csc_array
    from scipy.sparse.linalg import splu

    if not len(jacobian):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    factors = splu(csc_array(np.where(np.abs(jacobian) > NO_COEFFICIENT, jacobian, 0.0)), permc_spec="COLAMD")
    return np.argsort(factors.perm_r), np.argsort(factors.perm_c)


def _not_implied(equations: list[Quadratic], chosen: Ints) -> list[Quadratic]:
    """List the equations that are neither chosen nor sums of chosen ones with constant weights."""
    others = np.setdiff1d(np.arange(len(equations)), chosen)
    if not others.size:
        return []
    keys = {key: n for n, key in enumerate(dict.fromkeys(key for terms in equations for key in terms))}
    dense = np.zeros((len(keys), len(equations)))
    for e, terms in enumerate(equations):
        dense[[keys[key] for key in terms], e] = list(terms.values())
    weights = np.linalg.lstsq(dense[:, chosen], dense[:, others], rcond=None)[0]
    gaps = np.abs(dense[:, others] - dense[:, chosen] @ weights).max(axis=0)
    return [equations[e] for e, gap in zip(others, gaps, strict=True) if gap > COINCIDENT]


def _table(equations: list[Quadratic], number: Ints) -> Terms:
    """List the terms of all equations one after another; unknown i gets number[i]."""
    index = [(e, s, number[i], number[j]) for e, terms in enumerate(equations) for s, i, j in terms]
    values = [value for terms in equations for value in terms.values()]
    return np.array(index, np.int64).reshape(-1, 4), np.array(values, float)


def square_system(
    equations: list[Quadratic],
    preferred: Array,
    start: Array,
    signals: Array,
    slopes: Array,
    owner: Ints,
    name: str,
) -> tuple[Terms, Terms, Ints]:
    """Choose as many equations as unknowns, in an order that keeps factors sparse.

    Parameters
    ----------
    equations : list of Quadratic
    preferred : (e,) array
        Weights: of equations that depend on each other the heavier ones are kept.
    start, signals : (m + 1,) and (s,) arrays
        Unknowns and signals of the reference configuration.
    slopes : (s,) array
        Derivatives of the signals by the unknowns that own them.
    owner : (s,) array of int
        The unknown of which a signal is a function, or 0.
    name : str
        Of the mechanism, for messages.

    Returns
    -------
    terms, extra : Terms
        The kept equations, and those that depend on them in the reference configuration only.
    order : (m + 1,) array of int
        Old numbers of the unknowns in the new order.
    """
    gradients = [_gradient(terms, start, signals, slopes, owner) for terms in equations]
    jacobian = np.array(gradients).reshape(len(equations), start.size - 1)
    norms = np.maximum(np.linalg.norm(jacobian, axis=1), COINCIDENT)
    jacobian /= norms[:, None]
    equations = [{key: value / norms[e] for key, value in terms.items()} for e, terms in enumerate(equations)]
    chosen = _independent(jacobian, preferred, name)
    rows, columns = _sparse_order(jacobian[chosen])
    number = np.append(0, 1 + np.argsort(columns))
    groups = [equations[e] for e in chosen[rows]], _not_implied(equations, chosen)
    return _table(groups[0], number), _table(groups[1], number), np.append(0, 1 + columns)
