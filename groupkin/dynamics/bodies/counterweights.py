"""Counterweights: point masses on chosen bodies that balance the inertia of a mechanism.

The force and the moment that masses exert on the frame are -m p̈ and -m p × p̈, summed over all; those of a point mass m
at u / m from the pivot of its body depend on the mass vector u alone, but for the pivot's own acceleration. So the mass
vectors that leave the least shaking force are found by least squares over a motion. Two of them balance the force of a
four-bar entirely (Berkof and Lowen 1969); the shaking moment and the driver's torque change with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from groupkin.arguments import Name, checked
from groupkin.dynamics.bodies.masses import center, masses, moment
from groupkin.errors import ArgumentError, MassError, UnknownNameError, shown
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import motion_of
from groupkin.mechanism.files.reading import MechanismFile
from groupkin.mechanism.masses.mass_checks import inertia_tensor
from groupkin.mechanism.mechanism import Body, Mechanism
from groupkin.mechanism.points import coordinates
from groupkin.messages import hint
from groupkin.showing import InNotebooks
from groupkin.tolerances import LEAST_SQUARES, ROUNDING
from sglibrary.array_types import Array


class Counterweight(NamedTuple):
    """A point mass, kg, and where it is in the reference configuration, global coordinates (d,), m."""

    mass: float
    center: Array


class Shaking(NamedTuple):
    """RMS of the force, N, and moment, N m, that inertia exerts on the frame."""

    force: float
    moment: float


@dataclass(frozen=True, eq=False)
class Counterweights(InNotebooks):
    """Counterweights of a mechanism.

    Attributes
    ----------
    weights : dict of str to Counterweight
        By body.
    mechanism : Mechanism
        With the counterweights as parts of their bodies.
    before, after : Shaking
        Without and with them.
    """

    weights: dict[str, Counterweight]
    mechanism: Mechanism
    before: Shaking
    after: Shaking

    def __repr__(self) -> str:
        forces = f"{self.before.force:.4g} N to {self.after.force:.4g} N"
        moments = f"{self.before.moment:.4g} N m to {self.after.moment:.4g} N m"
        return f"<Counterweights on {', '.join(self.weights)}: shaking force from {forces}, moment from {moments}>"


class _Place(NamedTuple):
    """Where a counterweight may be: positions and accelerations of the pivot (n, d) and axes (n, d, d) of its body."""

    arm: float
    pivot: Array
    gain: Array
    axes: Array
    turning: Array


@checked
def counterweights(
    mechanism: Mechanism | MechanismFile | Program | Motion,
    arms: Mapping[Name, float],
    times: ArrayLike | None = None,
    *,
    length: float | None = None,
    about: Sequence[float] | None = None,
) -> Counterweights:
    """Find the counterweights on some bodies that leave the least shaking force, and moment, over a motion.

    Parameters
    ----------
    mechanism : Mechanism, MechanismFile, Program or Motion
        Or the path of a file. With masses.
    arms : mapping of str to float
        How far from its pivot the counterweight of each body is, m: the less, the heavier it is. The pivot is the joint
        with the frame, or else the body's origin.
    times : (n,) array_like, optional
        Over a period, s. Needed unless a motion is given; of a file, those of the file by default.
    length : float, optional
        m: the sum of force² and (moment / length)² is least. Default: that of force² alone.
    about : (d,) sequence of float, optional
        Where the moment is about, global coordinates, m. Default: the global origin.

    Returns
    -------
    Counterweights

    Raises
    ------
    UnknownNameError, ArgumentError, MassError, SolveError
        If there is no such movable body, an arm is not positive, nothing has a mass, or the motion cannot be solved.

    Examples
    --------
    >>> import groupkin as gk
    >>> pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0))
    >>> arm = gk.Body("arm", mass=2.0, center=(0.5, 0.0), inertia=0.1)
    >>> fan = gk.Mechanism(2, ["frame", arm], [pin], [gk.Driver("pin", gk.Ramp(6.0))])
    >>> found = counterweights(fan, {"arm": 0.25}, np.linspace(0, 1, 13))
    >>> round(found.weights["arm"].mass, 12), found.weights["arm"].center.round(12) + 0.0
    (4.0, array([-0.25,  0.  ]))
    """
    motion = motion_of(mechanism, times, "in s, over a period")
    if motion is mechanism:
        motion = motion.at(np.flatnonzero(motion.solved))
    program = motion.program
    d = program.mechanism.dimension
    for name, arm in arms.items():
        _check_arm(program.mechanism, name, arm)
    if length is not None and not 0.0 < length < np.inf:
        raise ArgumentError(f"length must be a positive number of meters, not {shown(length)}")
    if not masses(program).masses.size:
        raise MassError("there is nothing to balance: no body has a mass; give bodies `mass`, `center` and `inertia`")
    point = np.zeros(d) if about is None else coordinates(about, d, "about")
    places = {name: _place(motion, name, arm) for name, arm in arms.items()}
    unbalanced = _shaken(motion, point)
    fastest = max(float(np.abs(motion.rotation_rate(body, 2)).max()) for body in program.mechanism.movable)
    vectors = _linear(list(places.values()), unbalanced[0], fastest)
    moving = any(np.abs(place.gain).max() > 0 for place in places.values())
    if places and (moving or length is not None):
        vectors = _improved(list(places.values()), unbalanced, vectors, point, length)
    left = _with(unbalanced, list(places.values()), vectors, point)
    weights = {}
    for name, vector in zip(places, vectors, strict=True):
        size = float(np.linalg.norm(vector))
        at = _pivot(program, name) + (vector * arms[name] / size if size else 0.0)
        weights[name] = Counterweight(size / arms[name], at)
    bodies = [
        _heavier(program, body, weights[name]) if name in weights else body
        for name, body in program.mechanism.body.items()
    ]
    return Counterweights(weights, replace(program.mechanism, bodies=bodies), _rms(*unbalanced), _rms(*left))


def _check_arm(mechanism: Mechanism, name: str, arm: float) -> None:
    if name not in mechanism.movable:
        raise UnknownNameError(f"arms name body {name!r}, which is no movable body{hint(name, mechanism.movable)}")
    if not 0.0 < arm < np.inf:
        raise ArgumentError(f"the arm of body {name!r} must be a positive number of meters, not {shown(arm)}")


def _pivot(program: Program, body: str) -> Array:
    """Local coordinates (d,) of the joint of a body with the frame, or else of its origin, m."""
    mechanism = program.mechanism
    for joint in mechanism.joints_of[body]:
        if mechanism.frame in joint.bodies:
            return np.asarray(program.geometry.joints[joint.name].points[joint.bodies.index(body)])
    return np.asarray(program.geometry.origins[body])


def _place(motion: Motion, body: str, arm: float) -> _Place:
    pivot = _pivot(motion.program, body)
    at, gain = (motion.point_on(body, pivot, order) for order in (0, 2))
    axes, turning = motion.rotation_rate(body, 0), motion.rotation_rate(body, 2)
    # what is rounding beside the accelerations of the body
    still = np.abs(gain).max() <= ROUNDING * np.abs(turning).max() * motion.program.geometry.size
    return _Place(arm, at, 0.0 * gain if still else gain, axes, turning)


def _shaken(motion: Motion, about: Array) -> tuple[Array, Array]:
    """Compute the force (n, d) and the moment (n, 1 or 3) of inertia on the frame."""
    every = masses(motion.program)
    torque, force = every.inertia_loads(motion.q, motion.a)
    arms = every.centers.positions(motion.q) - about[:, None]
    total = sum(t + moment(arm, f) for t, arm, f in zip(torque, arms, force, strict=True))
    return force.sum(axis=0).T, np.asarray(total).T


def _linear(places: Sequence[_Place], force: Array, fastest: float) -> Array:
    """Mass vectors (bodies, d), kg m, that leave the least of a force (n, d), were all pivots at rest.

    The largest acceleration of a direction fixed in any body, `fastest`, 1/s², tells bodies that turn from rounding.
    """
    if not places:
        return np.zeros((0, force.shape[1]))
    matrix = np.concatenate([place.turning for place in places], axis=2)  # (n, d, bodies · d)
    if np.abs(matrix).max() <= ROUNDING * fastest:
        return np.zeros((len(places), force.shape[1]))
    found = np.linalg.lstsq(matrix.reshape(-1, matrix.shape[2]), force.ravel(), rcond=ROUNDING)[0]
    return np.asarray(found.reshape(len(places), -1))


def _with(before: tuple[Array, Array], places: Sequence[_Place], vectors: Array, about: Array) -> tuple[Array, Array]:
    """Add the inertia of point masses to a force (n, d) and a moment (n, 1 or 3)."""
    force, turned = (x.copy() for x in before)
    for place, vector in zip(places, vectors, strict=True):
        size = float(np.linalg.norm(vector))
        out = vector * place.arm / size if size else vector
        pulled = -(size / place.arm * place.gain + place.turning @ vector)
        force += pulled
        turned += moment((place.pivot + place.axes @ out - about).T, pulled.T).T
    return force, turned


def _improved(
    places: Sequence[_Place], before: tuple[Array, Array], start: Array, about: Array, length: float | None
) -> Array:
    """Mass vectors (bodies, d) of the least force and moment, from a first guess."""
    from scipy.optimize import least_squares

    scale = float(np.abs(before[0]).max(initial=0.0)) or 1.0
    unit = float(np.abs(start).max(initial=0.0)) or 1.0

    def left(x: Array) -> Array:
        force, turned = _with(before, places, unit * x.reshape(start.shape), about)
        parts = [force.ravel()] if length is None else [force.ravel(), turned.ravel() / length]
        return np.concatenate(parts) / scale

    found = least_squares(left, start.ravel() / unit, xtol=LEAST_SQUARES, ftol=LEAST_SQUARES, gtol=LEAST_SQUARES)
    return unit * np.asarray(found.x).reshape(start.shape)


def _heavier(program: Program, body: Body, weight: Counterweight) -> Body:
    """A body with a counterweight as a part of it."""
    if not weight.mass:
        return body
    d, at = program.mechanism.dimension, center(program, body.name)
    total = body.mass + weight.mass
    middle = (body.mass * at + weight.mass * weight.center) / total
    tensor = inertia_tensor(body, d)
    for mass, place in ((body.mass, at), (weight.mass, weight.center)):
        arm = place - middle
        tensor = tensor + mass * (arm @ arm * np.eye(len(tensor)) - (np.outer(arm, arm) if d == 3 else 0.0))
    inertia = float(tensor[0, 0]) if d == 2 else tuple(map(tuple, (0.5 * (tensor + tensor.T)).tolist()))
    return replace(body, mass=total, center=tuple(middle.tolist()), inertia=inertia)


def _rms(force: Array, turned: Array) -> Shaking:
    return Shaking(*(float(np.sqrt((x**2).sum(axis=1).mean())) for x in (force, turned)))
