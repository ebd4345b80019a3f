"""Jacobians of mechanisms: rates of quantities by the rates of drivers or of other freedoms, at all steps at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import checked
from groupkin.errors import QuantityError, shown
from groupkin.kinematics.jacobians.matrices import Jacobian
from groupkin.kinematics.jacobians.rows import Row, rows_of
from groupkin.kinematics.motion.freedoms import freedoms_of
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity, unit
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.quantity_changes import Moves
from groupkin.kinematics.rates.rate_map import PoseMap, map_of
from groupkin.messages import counted
from sglibrary.code.graph import Expr
from sglibrary.code.passes.adjoint import adjoint

Array = NDArray[np.float64]
Texts = str | Quantity | Sequence[str | Quantity]

NO_INPUTS = np.zeros((0, 1, 1))


@checked
def jacobian(motion: Motion, of: Texts, by: Texts | None = None) -> Jacobian:
    """Compute the rates of quantities by the drivers, or by other freedoms, at the positions of a motion.

    Parameters
    ----------
    motion : Motion
        Only its positions matter.
    of : str, Quantity or sequence of them
        ``position P``, ``angle body``, ``angular_velocity body``, ``joint J`` and ``output O``, with or without a
        component; a body by its name alone, or ``twist body``, for its angular velocity and the velocity of its
        origin, ``twist P`` for that of its point P instead.
    by : str, Quantity or sequence of them, optional
        Freedoms: driven ones, the other drivers standing still, or as many freedoms as there are drivers, as if these
        were driven. Default: all drivers.

    Returns
    -------
    Jacobian
        NaN at steps that are not solved; infinite or NaN where the freedoms do not determine the motion.

    Raises
    ------
    QuantityError, UnknownNameError, NotModeledError
        If rates of these, or by these, are not computed.

    Examples
    --------
    >>> import groupkin as gk
    >>> crank = gk.Joint("pin", "R", ("frame", "crank"), point=(0, 0))
    >>> tip = gk.Body("crank", points={"P": (2.0, 0.0)})
    >>> wheel = gk.Mechanism(2, ["frame", tip], [crank], [gk.Driver("pin", gk.Ramp(rate=1.0))])
    >>> found = jacobian(gk.solve(wheel, [0.0]), "position P")
    >>> found.outputs, found.inputs, found.values.round(12) + 0.0
    (('position P.x', 'position P.y'), ('joint pin',), array([[[0.],
            [2.]]]))
    """
    plan = _plan(motion.program, _listed(of), None if by is None else _listed(by))
    rates = plan.map.apply(motion, NO_INPUTS).reshape(-1, len(motion.program.drivers), motion.times.size)
    outputs = _read(plan.outputs, motion, rates)
    if plan.inputs is None:
        inputs, found = None, outputs if plan.columns is None else outputs[:, list(plan.columns)]
        outputs = found
    else:
        inputs = _read(plan.inputs, motion, rates)
        found = _divided(plan.outputs, outputs, inputs)
    labels = (plan.output_names, plan.input_names, plan.output_units, plan.input_units)
    by_coordinates = (outputs.transpose(2, 0, 1), None if inputs is None else inputs.transpose(2, 0, 1))
    return Jacobian(motion.times, found.transpose(2, 0, 1), *labels, by_coordinates)


@dataclass(frozen=True)
class _Plan:
    """What of a Jacobian does not depend on the motion; the map is that to rates by all drivers, one after another."""

    map: PoseMap
    outputs: tuple[Row, ...]
    inputs: tuple[Row, ...] | None
    columns: tuple[int, ...] | None
    output_names: tuple[str, ...]
    input_names: tuple[str, ...]
    output_units: tuple[str, ...]
    input_units: tuple[str, ...]


def _listed(given: Texts) -> tuple[str | Quantity, ...]:
    return (given,) if isinstance(given, str | Quantity) else tuple(given)


@once_per_program
def _plan(program: Program, of: tuple[str | Quantity, ...], by: tuple[str | Quantity, ...] | None) -> _Plan:
    drivers = [
        freedom
        for driven in program.drivers
        for k, freedom in enumerate(freedoms_of(Quantity("joint", driven.joint), program.mechanism))
        if k == driven.freedom
    ]
    wanted = drivers if by is None else [freedom for text in by for freedom in freedoms_of(text, program.mechanism)]
    if not of or not wanted:
        raise QuantityError("a Jacobian needs something that moves and a driver: name quantities, and freedoms in `by`")
    if len(set(wanted)) < len(wanted):
        raise QuantityError(f"by names a freedom twice: {', '.join(map(str, wanted))}")
    moves = Moves(program)
    outputs = tuple(row for text in of for row in rows_of(text, moves))
    inputs, columns = None, None
    if set(wanted) <= set(drivers):
        columns = None if wanted == drivers else tuple(map(drivers.index, wanted))
    elif len(wanted) != len(drivers):
        raise QuantityError(
            f"by names {counted(len(wanted), 'freedom')}, {', '.join(map(str, wanted))}, not all of which are driven; "
            f"name {len(drivers)}, as many as there are drivers ({', '.join(map(str, drivers))}), or driven ones only"
        )
    else:
        inputs = tuple(row for freedom in wanted for row in rows_of(freedom, moves))
    names = tuple(name for row in outputs for name in row.names)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise QuantityError(f"of names `{twice}` twice: {', '.join(map(shown, of))}")
    return _Plan(
        map_of(moves.formulas, _by_drivers(moves)),
        outputs,
        inputs,
        columns,
        names,
        tuple(map(str, wanted)),
        tuple(each for row in outputs for each in row.units),
        tuple(unit(freedom, program.mechanism) for freedom in wanted),
    )


def _by_drivers(moves: Moves) -> list[Expr]:
    """The rates that are needed by the rates of all drivers: each is carried back to them."""
    formulas, found = moves.formulas, list[Expr]()
    for rate in moves.found:
        found += adjoint(formulas.vectors.graph, {rate: formulas.vectors.one}, formulas.drivers)
    return found


def _read(rows: tuple[Row, ...], motion: Motion, rates: Array) -> Array:
    """Compute rows (rows, drivers, n)."""
    if not any(row.read or row.drivers for row in rows):
        first, last = rows[0].rates.start, rows[-1].rates.stop
        return rates[first:last]  # they are collected one after another
    parts = [row.at(motion, rates) for row in rows]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _divided(rows: tuple[Row, ...], outputs: Array, inputs: Array) -> Array:
    """Rates of outputs (k, m, n) by the inputs, from those of both (m, m, n) by the drivers."""
    from groupkin.kinematics.jacobians.inverses import invert, multiply

    inverse = np.empty(inputs.shape)
    invert(inputs, inverse)
    driven = [k for row in rows for k in row.drivers]
    if len(driven) == len(outputs):  # all of them are drivers, and their rates are ones and zeros
        return inverse if driven == list(range(len(inverse))) else inverse[driven]
    found = np.empty(outputs.shape)
    multiply(np.ascontiguousarray(outputs), inverse, found)
    return found
