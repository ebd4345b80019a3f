"""How parameters change what a motion is computed from: local geometry of bodies, and the laws of drivers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import NotModeledError
from groupkin.kinematics.parameters.locations import Location, component_index, target_locations
from groupkin.kinematics.parameters.named_values import changes_laws, law_values
from groupkin.kinematics.parameters.nominal_values import driver_of, scale
from groupkin.kinematics.parameters.parameters import (
    Axis,
    Dimension,
    JointPoint,
    LawValue,
    Length,
    NamedValue,
    Point,
    Target,
)
from groupkin.kinematics.program.program import Driven, Program
from groupkin.kinematics.rates.changes import Change
from groupkin.kinematics.samples.sample_geometry import geometry_of
from groupkin.kinematics.samples.sample_motions import changed_law
from groupkin.mechanism.laws.laws import Fourier, Harmonic, Law
from groupkin.mechanism.laws.over import Over
from groupkin.mechanism.laws.rises import Rise
from groupkin.model.determination.hold_spins import solved_geometry
from groupkin.model.geometry.geometry import Geometry, gather, select
from groupkin.tolerances import ROUNDING

Array = NDArray[np.float64]

WEIGHTS = np.array([3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0])
"""Of the differences over one, two and three steps to both sides, which are right to the sixth order (Fornberg, 1988,
table 1)."""

STEP = 1e-3
"""Of these differences, relative to the size: they are off by its sixth power and by roundings over it, 1e-13."""


def differences(values: Array, steps: Array, of: Callable[[Array], Array]) -> Array:
    """Differentiate a function of some numbers, which takes many rows of them at once.

    Parameters
    ----------
    values : (k,) array
    steps : (k,) array
    of : callable
        From (n, k) rows to (n, ...).

    Returns
    -------
    (k, ...) array
    """
    ways = np.array([side * (j + 1) for j in range(WEIGHTS.size) for side in (1.0, -1.0)])
    found = of((values + ways[:, None, None] * np.diag(steps)).reshape(-1, values.size))
    parts = found.reshape(WEIGHTS.size, 2, values.size, *found.shape[1:])
    slopes = np.tensordot(WEIGHTS, parts[:, 0] - parts[:, 1], 1)
    return np.asarray(slopes / steps.reshape(-1, *[1] * (slopes.ndim - 1)))


def local_changes(program: Program, targets: Sequence[Target], values: Array) -> dict[Change, Array]:
    """Differentiate the local geometry of bodies, as it is solved, by all parameters.

    Parameters
    ----------
    program : Program
        The nominal one.
    targets : sequence of Target
    values : (parameters,) array

    Returns
    -------
    dict of Change to (parameters, components) array
        Of what any parameter changes.
    """
    dimensions = [k for k, target in enumerate(targets) if isinstance(target, Dimension)]
    if not dimensions:
        return {}
    if _shifts_alone(program, targets):
        return _shifts(program, targets)
    chosen = [target for target in targets if isinstance(target, Dimension)]
    size, structure = program.geometry.size, program.structure
    steps = STEP * np.array([scale(target, program) for target in chosen])

    def numbers(rows: Array) -> tuple[Geometry, Geometry]:
        stated = geometry_of(program, dict(zip(chosen, rows.T.copy(), strict=True)), len(rows))
        if not (structure.spins or structure.redundancies):
            return stated, stated
        return stated, gather([solved_geometry(structure, select(stated, k)) for k in range(len(rows))])

    here = numbers(values[None, dimensions])
    layout = layout_of(*here)
    start = _flat(layout, here, here)
    slopes = differences(values[dimensions], steps, lambda rows: _flat(layout, numbers(rows), here) - start)
    ends = np.cumsum([count for _, count in layout])[:-1]
    found = {}
    for (change, _), part in zip(layout, np.split(slopes, ends, axis=1), strict=True):
        unit = 1.0 if change.kind == "turn" else size
        part[np.abs(part) <= ROUNDING * unit / size] = 0.0  # roundings of differences
        if part.any():
            found[change] = np.zeros((len(targets), part.shape[1]))
            found[change][dimensions] = part
    return found


def _shifts_alone(program: Program, targets: Sequence[Target]) -> bool:
    """Whether all dimensions are coordinates of points that nothing else in the geometry follows from."""
    if program.structure.spins or program.structure.redundancies:
        return False
    if any(isinstance(target, Length | Axis | NamedValue) for target in targets):
        return False
    stated = {point for body in program.mechanism.body.values() for pair in body.lengths for point in pair}
    locations = [at for target in targets if isinstance(target, Dimension) for at in _locations(target, program)]
    return not stated and all(kind != "axis" for kind, _, _ in locations)


def _locations(target: Dimension, program: Program) -> list[Location]:
    assert isinstance(target, Point | JointPoint)
    return target_locations(program, target)


def _shifts(program: Program, targets: Sequence[Target]) -> dict[Change, Array]:
    """`local_changes` of coordinates of points, which shift all that is stored of them alike."""
    found: dict[Change, Array] = {}
    for k, target in enumerate(targets):
        if isinstance(target, Dimension):
            assert isinstance(target, Point | JointPoint)
            for kind, name, side in _locations(target, program):
                change = Change("shift", name, side) if kind == "joint" else Change(_KINDS[kind], name)
                where = found.setdefault(change, np.zeros((len(targets), program.mechanism.dimension)))
                where[k, component_index(target, program)] = 1.0
    return found


_KINDS: dict[str, Literal["point", "origin"]] = {"point": "point", "origin": "origin"}


def layout_of(stated: Geometry, solved: Geometry) -> list[tuple[Change, int]]:
    """List all that local geometry consists of, as stated and as solved, and the number of components of each."""
    d = next(iter(stated.origins.values())).shape[-1]
    changes = [Change("shift", name, side) for name in solved.joints for side in (0, 1)]
    changes += [Change("turn", name, side) for name in solved.joints for side in (0, 1)]
    changes += [Change("point", name) for name in stated.points]
    changes += [Change("origin", name) for name in stated.origins]
    return [(change, change.count(d)) for change in changes]


def numbers_of(change: Change, stated: Geometry, solved: Geometry) -> NDArray[Any]:
    """Return the coordinates (..., d) that a change shifts, or the frame (..., d, d) that it turns."""
    if change.kind == "shift":
        return solved.joints[change.name].points[..., change.side, :]
    if change.kind == "turn":
        return solved.joints[change.name].frames[..., change.side, :, :]
    return stated.points[change.name][1] if change.kind == "point" else stated.origins[change.name]


def _flat(
    layout: Sequence[tuple[Change, int]], of: tuple[Geometry, Geometry], start: tuple[Geometry, Geometry]
) -> Array:
    """Components (n, numbers) of all that `layout` lists; turns are measured from a start, and small."""
    parts = []
    for change, _ in layout:
        numbers = numbers_of(change, *of)
        parts.append(spin_of(numbers @ numbers_of(change, *start).swapaxes(1, 2)) if change.kind == "turn" else numbers)
    count = max(map(len, parts))
    return np.concatenate([np.broadcast_to(part, (count, part.shape[1])) for part in parts], axis=1)


def spin_of(turns: Array) -> Array:
    """Return what the axes of rotations times the sines of their angles are (n, 1 or 3)."""
    if turns.shape[-1] == 2:
        return 0.5 * (turns[:, 1, :1] - turns[:, 0, 1:])
    places = ((2, 1), (0, 2), (1, 0))
    return 0.5 * np.stack([turns[:, i, j] - turns[:, j, i] for i, j in places], axis=1)


def law_changes(program: Program, targets: Sequence[Target], values: Array, times: Array) -> Array | None:
    """Differentiate values, rates and half accelerations of drivers by all parameters; None if no law changes.

    Parameters
    ----------
    program : Program
        Of the design, with its laws.
    targets : sequence of Target
    times : (n,) array
        s.

    Returns
    -------
    (3, drivers, parameters, n) array

    Raises
    ------
    NotModeledError
        If a law is not smooth in the parameter, as in times of samples.
    """
    if not changes_laws(program, targets):
        return None
    found = np.zeros((3, len(program.drivers), len(targets), times.size))
    for k, target in enumerate(targets):
        for number, slope in _law_numbers(program, target, values[k]).items():
            driver = driver_of(number, program)
            _refuse_leader(program, number, program.drivers[driver])
            found[:, driver, k] += slope * _of_law(program.drivers[driver].law, number, times)
    found[2] *= 0.5
    return found


def _refuse_leader(program: Program, target: LawValue, leader: Driven) -> None:
    """Refuse the law of a driver that others are over."""
    for each in program.drivers:
        if isinstance(each.law, Over) and each.law.coordinate == (leader.joint, leader.freedom):
            raise NotModeledError(
                f"`{target}`: derivatives by the law of joint {leader.joint!r} are not computed, as that of joint "
                f"{each.joint!r} is over it; choose other parameters, or relate the joints by a coupling"
            )


def _law_numbers(program: Program, target: Target, value: float) -> dict[LawValue, float]:
    """List the numbers of laws that a parameter changes, and their derivatives by it."""
    if not isinstance(target, NamedValue):
        return {target: 1.0} if isinstance(target, LawValue) else {}
    numbers = list(law_values(program, [target], [np.zeros(1)]))
    step = np.array([STEP * scale(target, program)])

    def at(rows: Array) -> Array:
        return np.stack(list(law_values(program, [target], [rows[:, 0]]).values()), axis=1)

    return dict(zip(numbers, differences(np.array([value]), step, at)[0].tolist(), strict=True)) if numbers else {}


def _of_law(law: Law, target: LawValue, times: Array) -> Array:
    """Differentiate a law, its rate and acceleration (3, n) by one of its numbers."""
    if target.field in law.linear:
        return changed_law(law.scaled(0.0), target, 1.0).at(times)
    match law, target.field:
        case Harmonic(amplitude, frequency, phase), "phase" | "frequency":
            shifted = Harmonic(amplitude, frequency, phase + 0.5 * np.pi).at(times)
            return shifted if target.field == "phase" else _by_frequency(2.0 * np.pi * shifted, times)
        case Fourier(frequency, cosine, sine), "frequency":
            turns = [2.0 * np.pi * np.arange(1, len(each) + 1) * np.array(each) for each in (cosine, sine)]
            return _by_frequency(Fourier(frequency, turns[1].tolist(), (-turns[0]).tolist()).at(times), times)
        case Rise() as rise, "begin" | "duration" if rise.linear and rise.smooth:
            slope = rise.slope(times)
            return -slope if target.field == "begin" else _by_frequency(slope, times - rise.begin) / -rise.time
    raise NotModeledError(
        f"`{target}`: derivatives by {target.field} of a {type(law).__name__} are not computed, as its motion is not "
        "smooth in them; choose other parameters"
    )


def _by_frequency(slope: Array, times: Array) -> Array:
    """Derivative of x(f t), its rate and acceleration by f, from those of its derivative by f t: t · x'(f t)."""
    value, rate, acceleration = slope
    return np.stack([times * value, value + times * rate, 2.0 * rate + times * acceleration])
