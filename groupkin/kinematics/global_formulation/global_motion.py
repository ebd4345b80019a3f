"""The global formulation: all bodies of a mechanism at once, in natural coordinates (García de Jalón and Bayo 1994).

Every body has a point and as many vectors as dimensions as unknowns; a point of the body is p + Σ c_k b_k and a
direction Σ c_k b_k with constants c. Joints that share points or axes are linear relations between these and are
substituted. What remains are products of two such expressions: of the vectors of one body (constant), of axes and
normals with vectors between points (joints), and those of the drivers, whose factors are functions of time. Of cams,
the arc lengths at which curves touch are unknowns, and the point of contact with its tangent. All are solved by
Newton-Raphson from the reference configuration on, knowing nothing of structural groups: the method of the literature,
and an independent check of the solution group by group.

Lengths are relative to the size of the mechanism inside the model, and in m in what is returned. A mirrored body, or
the false root of a driven angle, satisfies the same products: solutions are checked for both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from groupkin.arguments import checked, floats
from groupkin.errors import GroupkinError, LawError, TimesError
from groupkin.kinematics.global_formulation.equations import Terms, all_equations, square_system, substitution
from groupkin.kinematics.global_formulation.false_roots import (
    coupled_angles,
    driven_angle,
    false_contact,
    in_tangent_frame,
    mirrored,
)
from groupkin.kinematics.global_formulation.joint_equations import DrivenFreedom, driven_freedoms, relations
from groupkin.kinematics.global_formulation.least_squares import refined
from groupkin.kinematics.global_formulation.unknowns import Curves, Unknowns, choose_unknowns, list_curves
from groupkin.mechanism.files.reading import MechanismFile
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.model.geometry.geometry import Geometry, resolve
from groupkin.showing import brief
from sglibrary.array_types import Array, Flags, Ints

FINENESS = ((0.3, 1), (0.05, 4), (0.01, 16), (0.002, 64))
"""Rad, or lengths relative to the size, that drivers may move in one step, and least number of pieces of a step."""
SAMPLED = 8
"""Times per step at which drivers are evaluated, so that a move out and back within a step is not missed."""
FAILURES = {
    1: "the iteration did not converge",
    2: "the position is singular (a dead center)",
    3: "joints and drivers contradict each other there",
    4: "only a mirrored body, a driven angle on its false root or a false contact satisfies the equations",
}
UNEXPLAINED = (0.05, 5e-3)
"""Share of a step, and unit vectors or relative lengths, by which it may differ from what its velocities explain."""


@dataclass(frozen=True)
class GlobalModel:
    """Equations of a mechanism in its m independent coordinates x = (1, x_1, …, x_m).

    Attributes
    ----------
    drivers : tuple of DrivenFreedom
        Driver k has the signals 1 + 2 k and 2 + 2 k: cosine and sine of its angle, or its displacement and nothing.
    owner : (s,) array of int
        The unknown of which a signal is a function, or 0; four signals each, after those of the drivers.
    curves : tuple of arrays
        These functions; see `groupkin.kinematics.global_formulation.kernel.solve_steps`.
    terms : (k, 4) array of int, (k,) array
        Equation, signal and two unknowns of each term, and its coefficient; see
        `groupkin.kinematics.global_formulation.kernel`.
    extra : as `terms`
        Equations that depend on the others in the reference configuration, but not everywhere.
    start : (m + 1,) array
        The reference configuration.
    origins, rotations : (b, d, m + 1) and (b, d, d, m + 1) arrays
        Origins (m) and rotation matrices of the movable bodies as linear functions of x. NaN where undetermined: two
        undriven S joints leave a body free to spin about the line between them.
    geometry : Geometry
        Its size is the unit of length of x.
    own : dict of str to tuple of int
        Unknowns that are coupled angles of a joint, rad, or arc lengths at which the curves of a cam touch.
    """

    drivers: tuple[DrivenFreedom, ...]
    owner: Ints
    curves: Curves
    terms: Terms
    extra: Terms
    start: Array
    origins: Array
    rotations: Array
    geometry: Geometry
    own: dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class GlobalMotion:
    """Motion of the b movable bodies, in the order of `Mechanism.movable`, at n times.

    Attributes
    ----------
    times : (n,) array
        In seconds.
    origin : (3, b, d, n) array
        Position (m), velocity (m/s) and acceleration (m/s²) of the bodies' origins.
    rotation : (3, b, d, d, n) array
        Rotation matrices, from body to global coordinates, and their first and second derivative (1/s, 1/s²).
    residual : (n,) array
        Largest residual of the equations, normalized to gradients of 1 in the reference configuration.
    iterations : (n,) array of int
    """

    times: Array
    origin: Array
    rotation: Array
    residual: Array
    iterations: Ints

    __repr__ = brief


# --- the model ------------------------------------------------------------------------------------


def build(mechanism: Mechanism, geometry: Geometry | None = None) -> GlobalModel:
    """Make the equations of a whole mechanism in natural coordinates.

    Raises
    ------
    NoGeometryError, NotModeledError, GeometryError
        If there is no geometry to build from.
    DeterminedByCountOnlyError
        If joints and drivers leave the mechanism movable in its reference configuration.
    """
    from groupkin.kinematics.global_formulation.kernel import own_signals

    geometry = geometry or resolve(mechanism)
    unknowns, drivers = choose_unknowns(mechanism, geometry), driven_freedoms(mechanism, geometry)
    reduction, kept = substitution(relations(mechanism, geometry, unknowns), mechanism.name)
    start = unknowns.start[kept]
    equations, preferred = all_equations(mechanism, geometry, unknowns, drivers, reduction)
    reference = np.array([driver.reference for driver in drivers])
    owner = unknowns.owner(len(drivers), kept)
    signals = _signals(drivers, _lead(reference, reference, 1), geometry.size, owner)[0]
    slopes, curves = np.zeros(owner.size), list_curves(unknowns)
    own_signals(start, np.zeros(start.size), signals, slopes, owner, curves)
    terms, extra, order = square_system(equations, preferred, start, signals[0], slopes, owner, mechanism.name)
    outputs = _outputs(mechanism, geometry, unknowns, reduction[:, order])
    number = np.argsort(order)
    own = {name: tuple(number[np.searchsorted(kept, columns)]) for name, columns in unknowns.own.items()}
    return GlobalModel(drivers, number[owner], curves, terms, extra, start[order], *outputs, geometry, own)


def _outputs(mechanism: Mechanism, geometry: Geometry, unknowns: Unknowns, reduction: Array) -> tuple[Array, Array]:
    """Express origins (b, d, m + 1), m, and rotation matrices (b, d, d, m + 1) of the movable bodies by x."""
    d, bodies, columns = mechanism.dimension, mechanism.movable, unknowns.start.size
    origins = [unknowns.point(body, geometry.origins[body]) * geometry.size for body in bodies]
    axes = [[unknowns.direction(body, axis) for axis in np.eye(d)] for body in bodies]
    return (
        np.array(origins).reshape(len(bodies), d, columns) @ reduction,
        np.array(axes).reshape(len(bodies), d, d, columns).swapaxes(1, 2) @ reduction,
    )


# --- the motion -----------------------------------------------------------------------------------


@checked
def solve_globally(
    mechanism: Mechanism | MechanismFile, times: ArrayLike | None = None, model: GlobalModel | None = None
) -> GlobalMotion:
    """Compute position, velocity and acceleration of all bodies by Newton-Raphson.

    The drivers move from the reference configuration to the first step on a straight line; every other step starts from
    the step before. Where drivers move far in one step, or the step does not agree with the velocities before and after
    it, further steps are inserted.

    Parameters
    ----------
    mechanism : Mechanism or MechanismFile
        Or the path of a file.
    times : (n,) array_like
        s. Of a file, those of the file by default.
    model : GlobalModel, optional
        Of the mechanism; default: built here.

    Raises
    ------
    TimesError
        If the times are not a sequence of finite numbers.
    LawError
        If a driver has no law, or none at these times.
    GroupkinError
        If a step cannot be solved; the message names the time.
    """
    if isinstance(mechanism, MechanismFile):
        mechanism, times = mechanism.at(times)
    t = floats([] if times is None else times)
    if t.ndim != 1 or not t.size or not np.isfinite(t).all():
        raise TimesError("times must be a sequence of at least one finite number, in seconds")
    if model is None and mechanism.couplings:
        from groupkin.kinematics.global_formulation.coupled_motion import solve_coupled

        return solve_coupled(mechanism, t, resolve(mechanism))
    model = model or build(mechanism)
    failure = ""
    for fineness, pieces in FINENESS:
        motion, failure, steady = _attempt(mechanism, model, t, fineness, pieces)
        if motion is not None and (steady or pieces == FINENESS[-1][1]):
            return motion
    misfit = "; the equations of all bodies at once allow no misfit" if mechanism.misfit else ""
    raise GroupkinError(f"{mechanism.name} cannot be solved {failure}{misfit}")


def _attempt(
    mechanism: Mechanism, model: GlobalModel, times: Array, fineness: float, pieces: int
) -> tuple[GlobalMotion | None, str, bool]:
    """Solve in steps of one fineness.

    Returns
    -------
    GlobalMotion or None
        None if it cannot be solved.
    str
        When and why not.
    bool
        True if it is `_steady`.
    """
    from groupkin.kinematics.global_formulation.kernel import solve_steps

    drivers, size, tables = model.drivers, model.geometry.size, (model.curves, *model.terms, *model.extra)
    units = np.array([1.0 if driver.freedom.rotation else size for driver in drivers])
    between = np.interp(np.arange((times.size - 1) * SAMPLED + 1) / SAMPLED, np.arange(times.size), times)
    fine, wanted = _refined(times, _values(mechanism, drivers, between)[:, 0] / units[:, None], fineness, pieces)
    values = _values(mechanism, drivers, fine)
    reference = np.array([driver.reference for driver in drivers])
    way = np.abs((values[:, 0, 0] - reference) / units).max(initial=0.0)
    lead = _lead(reference, values[:, 0, 0], pieces + int(way / fineness))
    part = np.linspace(0.0, 1.0, lead.shape[-1])
    first, _, _, status = solve_steps(
        part, _signals(drivers, lead, size, model.owner), model.owner, *tables, model.start
    )
    if status.any():
        reason = FAILURES[int(status[status > 0][0])]
        return None, f"at {times[0]:g} s: {reason}, on the way there from the reference configuration", False
    signals = _signals(drivers, values, size, model.owner)
    state, residual, iterations, status = solve_steps(fine, signals, model.owner, *tables, first[-1, 0])
    if model.extra[1].size and not model.owner.any() and not status.any():
        state = refined(state, signals, model.terms, model.extra)
    rotation, origin = _combined(model.rotations, state), _combined(model.origins, state)
    wrong = _on_wrong_root(mechanism, model, rotation[0], origin[0], state[:, 0], values[:, 0])
    status[(status == 0) & wrong] = 4
    if status.any():
        failed = int(np.flatnonzero(status)[0])
        return None, f"at {fine[failed]:g} s: {FAILURES[int(status[failed])]}", False
    steady = _steady(part, first) and _steady(fine, state)
    motion = GlobalMotion(times, origin[..., wanted], rotation[..., wanted], residual[wanted], iterations[wanted])
    return motion, "", steady


def _steady(times: Array, state: Array) -> bool:
    """Return True if steps of x and ẋ (n, 3, m + 1) agree with the velocities at their ends.

    Near a singular position Newton-Raphson may step to another branch, whose velocities are others.
    """
    moved = np.diff(state[:, 0], axis=0)
    rest = moved - np.diff(times)[:, None] * (state[1:, 1] + state[:-1, 1]) / 2
    far, largest = np.abs(rest).max(axis=1, initial=0.0), np.abs(moved).max(axis=1, initial=0.0)
    return bool((far <= UNEXPLAINED[0] * largest + UNEXPLAINED[1]).all())


def _values(mechanism: Mechanism, drivers: tuple[DrivenFreedom, ...], times: Array) -> Array:
    """Evaluate values, rates and accelerations (w, 3, n) of the drivers."""
    out = np.zeros((len(drivers), 3, times.size))
    for k, driver in enumerate(drivers):
        law = mechanism.driven[driver.joint.name][driver.index].law
        if law is None:
            raise LawError(f"the driver of joint {driver.joint.name!r} has no motion law; give it one to solve")
        out[k] = law.at(times)
    return out


def _lead(start: Array, end: Array, count: int) -> Array:
    """Compute values, rates and accelerations (w, 3, count + 1) on a straight line from start to end (w,) in 1 s."""
    out = np.zeros((start.size, 3, count + 1))
    out[:, 0] = start[:, None] + (end - start)[:, None] * np.linspace(0.0, 1.0, count + 1)
    out[:, 1] = (end - start)[:, None]
    return out


def _refined(times: Array, values: Array, fineness: float, least: int) -> tuple[Array, Ints]:
    """Insert times where values move far.

    Parameters
    ----------
    times : (n,) array
    values : (w, (n - 1) * SAMPLED + 1) array
        Of the drivers, rad or relative to the size.
    fineness : float
        How far values may move in one step.
    least : int
        Least number of pieces of a step.

    Returns
    -------
    (k,) array
    (n,) array of int
        Where the n times are among them.
    """
    ways = np.abs(np.diff(values, axis=1)).reshape(len(values), (values.shape[1] - 1) // SAMPLED, SAMPLED).sum(axis=2)
    far = ways.max(axis=0, initial=0.0)
    pieces = np.maximum(np.ceil(far / fineness), least).astype(np.int64)
    wanted = np.append(0, np.cumsum(pieces))
    return np.interp(np.arange(wanted[-1] + 1), wanted, times), wanted


def _signals(drivers: tuple[DrivenFreedom, ...], values: Array, size: float, owner: Ints) -> Array:
    """Compute signals (n, 3, s), their rates and accelerations, from values (w, 3, n) of the drivers (rad or m).

    The signals of unknowns stay zero.
    """
    out = np.zeros((values.shape[-1], 3, owner.size))
    out[:, 0, 0] = 1.0
    for k, (driver, (q, v, a)) in enumerate(zip(drivers, values, strict=True)):
        if driver.coupled or not driver.freedom.rotation:
            out[:, :, 1 + 2 * k] = values[k].T / (1.0 if driver.coupled else size)
            continue
        c, s = np.cos(q), np.sin(q)
        out[:, :, 1 + 2 * k] = np.array([c, -s * v, -s * a - c * v**2]).T
        out[:, :, 2 + 2 * k] = np.array([s, c * v, c * a - s * v**2]).T
    return out


def _combined(weights: Array, state: Array) -> Array:
    """Evaluate linear functions (..., m + 1) of x for all steps of state (n, 3, m + 1): shape (3, ..., n)."""
    from scipy.sparse import csr_array

    columns = np.ascontiguousarray(state.transpose(2, 1, 0)).reshape(-1, 3 * len(state))
    flat = csr_array(weights.reshape(-1, weights.shape[-1])) @ columns
    return np.moveaxis(flat.reshape(*weights.shape[:-1], 3, len(state)), -2, 0)


def _on_wrong_root(
    mechanism: Mechanism, model: GlobalModel, rotation: Array, origin: Array, state: Array, values: Array
) -> Flags:
    """Find the steps with a mirrored body, a driven or unknown angle that bodies do not have, or a false contact.

    Parameters
    ----------
    mechanism, model : Mechanism, GlobalModel
    rotation, origin : (b, d, d, n) and (b, d, n) arrays
        Of the bodies, m.
    state : (n, m + 1) array
        Unknowns.
    values : (w, n) array
        Of the drivers.

    Returns
    -------
    (n,) array of bool
    """
    wrong = mirrored(rotation)
    rotations = dict(zip(mechanism.movable, rotation, strict=True))
    origins = dict(zip(mechanism.movable, origin, strict=True))
    still = np.eye(mechanism.dimension)[:, :, None], np.zeros((mechanism.dimension, 1))

    def placement(joint: Joint) -> tuple[Array, Array]:
        """Place the second frame of a joint in its first, that of a cam in its tangent frame: (d, d, n), (d, n), m."""
        stated, frames, points = model.geometry.joints[joint.name], [], []
        for k, body in enumerate(joint.bodies):
            turned, at = rotations.get(body, still[0]), origins.get(body, still[1])
            arm = stated.points[k] - (model.geometry.origins[body] if body in rotations else 0.0)
            frames.append(np.einsum("ijn,jk->ikn", turned, stated.frames[k]) + np.zeros(len(state)))
            points.append(at + np.einsum("ijn,j->in", turned, arm) + np.zeros(len(state)))
        relative = np.einsum("kin,kjn->ijn", *frames)
        shift = np.einsum("kin,kn->in", frames[0], points[1] - points[0])
        if stated.contact is None:
            return relative, shift
        length = state[:, model.own[joint.name][0]] * model.geometry.size
        return in_tangent_frame(stated.contact, length, relative, shift)

    for driver, value in zip(model.drivers, values, strict=True):
        if driver.freedom.rotation and not driver.coupled:
            stated = model.geometry.joints[driver.joint.name]
            wrong |= np.cos(driven_angle(driver, stated, *placement(driver.joint)) - value) < 0.99
    for name, columns in model.own.items():
        joint, stated, own = mechanism.joint[name], model.geometry.joints[name], state[:, columns].T
        if stated.contact is not None:
            wrong |= false_contact(stated.contact, own * model.geometry.size, *placement(joint))
            continue
        angles = np.array(coupled_angles(joint, stated, *placement(joint), own))
        wrong |= (np.cos(angles - own) < 0.99).any(axis=0)
    return wrong
