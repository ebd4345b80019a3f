"""Body-local geometry of a mechanism: joint frames, origins and named points, all that solvers and equations need.

Every body's frame equals the global frame in the reference configuration, so that local coordinates of a body are the
global coordinates of that configuration. A joint has a frame on each of its two bodies
(`groupkin.model.geometry.frames`). The moves of its pair, one after another, each in the frame that the moves before
it have reached, lead from the frame on the first body to the frame on the second; before the last rotation of U, ER
and PC, and before those of gears in space, there is a fixed turn. The coordinates of the joint are the sizes of these
moves, so that the frames hold their reference values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from groupkin.errors import GeometryError, NoGeometryError, NotModeledError
from groupkin.mechanism.carriers import on_body
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.masses.mass_checks import MIDDLE
from groupkin.mechanism.mechanism import Body, Joint, Mechanism
from groupkin.mechanism.pairs import PAIRS, form
from groupkin.model.geometry.frames import JointGeometry, frames, smallest_rotations
from groupkin.model.geometry.sizes import size_of
from groupkin.tolerances import LENGTHS_MET, LENGTHS_SETTLED
from sglibrary.array_types import Array, Ints
from sglibrary.arrays import inner
from sglibrary.traced import samples

FAR = 10.0
"""Distance from the global origin, relative to the size, from which on a mechanism counts as far from it."""


@dataclass(frozen=True)
class Geometry:
    """Body-local geometry of a mechanism, or of many variants of it, whose arrays have the same leading axis.

    Attributes
    ----------
    joints : dict of str to JointGeometry
    origins : dict of str to (..., d) array
        Local coordinates of every body's origin, m.
    points : dict of str to (str, (..., d) array)
        For every named point the body that carries it and its local coordinates there, m.
    size : float
        Diagonal of the box around all points, m, to which tolerances are relative; bounded by the joints
        (`groupkin.model.geometry.sizes`). Variants share one.
    """

    joints: dict[str, JointGeometry]
    origins: dict[str, Array]
    points: dict[str, tuple[str, Array]]
    size: float


def resolve(mechanism: Mechanism) -> Geometry:
    """Compute joint frames, origins and named points of a mechanism in body-local coordinates.

    Raises
    ------
    NoGeometryError
        If joints have no points or axes; the message names them.
    NotModeledError
        If a joint type has no equations.
    GeometryError
        If the stated lengths of a body contradict each other.
    """
    missing: dict[tuple[str, ...], list[str]] = {}
    for joint in mechanism.joints:
        missing.setdefault(missing_geometry(joint, mechanism.dimension), []).append(joint.name)
    missing.pop((), None)
    if missing:
        listed = [f"no {' and '.join(f'`{k}`' for k in keys)} at {', '.join(names)}" for keys, names in missing.items()]
        raise NoGeometryError(
            f"{mechanism.name} can be analyzed but not solved, for joints lack geometry: {'; '.join(listed)}. Give it "
            "as it is in the reference configuration"
        )
    for joint in mechanism.joints:
        if not PAIRS[joint.type].modeled:
            raise NotModeledError(
                f"joint {joint.name!r}: the pair {joint.type} ({PAIRS[joint.type].name}) can be analyzed but has no "
                "equations, so the mechanism cannot be solved"
            )
    local = {name: _local_points(mechanism, body) for name, body in mechanism.body.items()}
    joints = {joint.name: _joint_frames(mechanism, joint, local) for joint in (*mechanism.joints, *mechanism.measuring)}
    points: dict[str, tuple[str, Array]] = {}
    for body in (*mechanism.movable, mechanism.frame):
        for name, coordinates in local[body].items():
            if on_body(mechanism, name) == body:
                points[name] = (body, coordinates)
    return Geometry(joints, _origins(mechanism, joints, local), points, size_of(mechanism, joints))


def near_origin(geometry: Geometry) -> tuple[Geometry, Array]:
    """Shift a geometry that is far from the global origin to it, as twists about the origin are else all alike.

    Returns
    -------
    Geometry
    (d,) array
        From the global origin to that of its coordinates, m; zero if it is near already.
    """
    points = np.array([point for joint in geometry.joints.values() for point in joint.points])
    shift = points.mean(axis=0) if points.size else np.zeros(0)
    if np.linalg.norm(shift) <= FAR * geometry.size:
        return geometry, 0.0 * shift
    joints = {name: replace(joint, points=joint.points - shift) for name, joint in geometry.joints.items()}
    named = {name: (body, point - shift) for name, (body, point) in geometry.points.items()}
    origins = {body: origin - shift for body, origin in geometry.origins.items()}
    return Geometry(joints, origins, named, geometry.size), shift


def refuse_cams(geometry: Geometry) -> None:
    """Raise NotModeledError if a mechanism has cams, whose contacts are found for one geometry at a time."""
    cam = next((name for name, joint in geometry.joints.items() if joint.contact is not None), None)
    if cam is not None:
        raise NotModeledError(
            f"joint {cam!r}: variants of a mechanism with the pair L (cam) cannot be computed together; "
            "solve them one by one"
        )


# --- variants --------------------------------------------------------------------------------

_AXES = {"points": 2, "frames": 3, "cross_angle": 0, "bend": 2, "coupling": 1, "values": 1, "axis_points": 3}
"""Number of axes of the arrays of a `JointGeometry`, without the axis of variants."""


def spread(geometry: Geometry, n: int) -> Geometry:
    """Repeat a geometry for n variants; the arrays are read-only."""
    return mapped(lambda x, axes: np.broadcast_to(x, (n, *np.shape(x)[np.ndim(x) - axes :])), geometry)


def select(geometry: Geometry, k: int | tuple[int, ...]) -> Geometry:
    """Select the geometry of variant k, or with () that of a single mechanism."""
    return mapped(lambda x, _: np.asarray(x)[k], geometry)


def gather(geometries: Sequence[Geometry]) -> Geometry:
    """Stack the geometries of variants along a leading axis; the size is that of the first."""
    return mapped(lambda *x: np.stack(x[:-1]), *geometries)


def at_samples(geometry: Geometry) -> Geometry:
    """Return a geometry whose traced numbers are their samples (`sglibrary.traced`): for choices that all share."""
    return mapped(lambda x, _: samples(x), geometry)


def mapped(function: Callable[..., Array], first: Geometry, *others: Geometry) -> Geometry:
    """Apply a function to corresponding arrays of geometries; its last argument is their number of axes."""
    all_of_them = (first, *others)

    def joint(name: str) -> JointGeometry:
        same = [geometry.joints[name] for geometry in all_of_them]
        changed: dict[str, Any] = {
            key: function(*(getattr(joint, key) for joint in same), axes)
            for key, axes in _AXES.items()
            if getattr(same[0], key) is not None
        }
        return replace(same[0], **changed)

    return Geometry(
        {name: joint(name) for name in first.joints},
        {body: function(*(geometry.origins[body] for geometry in all_of_them), 1) for body in first.origins},
        {
            name: (body, function(*(geometry.points[name][1] for geometry in all_of_them), 1))
            for name, (body, _) in first.points.items()
        },
        first.size,
    )


# --- what a mechanism states -----------------------------------------------------------------


def missing_geometry(joint: Joint, dimension: int) -> tuple[str, ...]:
    """List the keys that a joint of this type needs and does not have."""
    needs = form(joint.type, dimension, joint.follower).needs
    return tuple(
        key for key in needs if getattr(joint, key) is None and not (key == "point" and joint.points is not None)
    )


def random_geometry(joint: Joint, dimension: int, rng: np.random.Generator) -> Joint:
    """Give a joint random geometry of the kind that its type needs, in a box of 2 m."""
    axes = rng.normal(size=(2, dimension))
    axes[1] -= axes[0] * (axes[0] @ axes[1]) / (axes[0] @ axes[0])  # some pairs need perpendicular ones
    points = rng.uniform(-1.0, 1.0, size=(2, dimension)).tolist()
    values: dict[str, Any] = {
        "point": points[0],
        "points": tuple(points),
        "axis": axes[0].tolist(),
        "axes": tuple(axes.tolist()),
        "pitch": rng.uniform(0.1, 1.0),
        "radii": tuple(rng.uniform(0.1, 1.0, 2)),
    }
    if form(joint.type, dimension).curved:  # an ellipse through the point
        turns = np.linspace(0.0, 2 * np.pi, 12, endpoint=False)
        ellipse = np.stack([np.cos(turns) - 1.0, rng.uniform(0.5, 2.0) * np.sin(turns)], axis=1)
        values["curve"] = Curve((points[0] + ellipse * rng.uniform(0.2, 1.0)).tolist(), closed=True)
    placed = dict.fromkeys(("point", "points", "axis", "axes"))  # that are stated otherwise
    return replace(joint, **{**placed, **{key: values[key] for key in form(joint.type, dimension).needs}})


def _local_points(mechanism: Mechanism, body: Body) -> dict[str, Array]:
    """Locate the named points (d,) of a body, moved as little as possible to meet its stated lengths."""
    names = list(body.points) + [name for pair in body.lengths for name in pair]
    for joint in mechanism.joints_of[body.name]:
        point = joint.ends[joint.bodies.index(body.name)]
        names += [*([point] if isinstance(point, str) else []), *(joint.axis_points or ())]
    names += mechanism.loaded_points[body.name]
    names = list(dict.fromkeys(names))
    positions = mechanism.positions
    if not body.lengths:
        return {name: positions[name] for name in names}
    pairs, lengths = list(body.lengths), np.array(list(body.lengths.values()))
    stated = np.array([positions[name] for name in names])
    (met,), (gap,) = meet_lengths(pairs, lengths[None], names, stated[None])
    if not np.abs(gap).max() <= LENGTHS_MET * lengths.max():
        worst = int(np.argmax(np.abs(gap)))
        (a, b), say = pairs[worst], mechanism.units.text
        raise GeometryError(
            f"body {body.name!r}: its lengths contradict each other; {a}-{b} cannot be {say(lengths[worst])} "
            f"together with the others (closest: {say(lengths[worst] - gap[worst])})"
        )
    return dict(zip(names, met, strict=True))


def meet_lengths(
    pairs: Sequence[tuple[str, str]], lengths: Array, names: Sequence[str], points: Array, steps: int = 50
) -> tuple[Array, Array]:
    """Move points of a body as little as possible to be at stated distances from each other.

    Gauss-Newton steps of least norm, of every variant by itself. Such steps do not take points off a line they all lie
    on: where these points miss their lengths, the iteration starts again from slightly beside the line.

    Parameters
    ----------
    pairs : sequence of (str, str)
        The two points of every length.
    lengths : (n, m) array
        Of n variants, m.
    names : sequence of str
        Of the points.
    points : (n, k, d) array
        Coordinates to start from, m.
    steps : int
        Gauss-Newton steps at most.

    Returns
    -------
    (n, k, d) array
        Coordinates that meet the lengths, m.
    (n, m) array
        Residual of each length, m; more than `LENGTHS_MET` of the largest where lengths contradict each other.
    """
    ends = np.array([[names.index(a), names.index(b)] for a, b in pairs])
    if object in (points.dtype, lengths.dtype):
        return _met_in_steps(ends, lengths, points.astype(object))
    met, gaps = _met(ends, lengths, points, steps)
    largest = np.abs(lengths).max(axis=1)
    missed = (np.abs(gaps).max(axis=1) > LENGTHS_MET * largest) & np.isfinite(points).all(axis=(1, 2))
    if missed.any():
        aside = np.cos(2.4 * np.arange(points[0].size)).reshape(points.shape[1:])  # in no particular direction
        start = points[missed] + 0.02 * largest[missed, None, None] * aside
        met[missed], gaps[missed] = _met(ends, lengths[missed], start, steps)
    return met, gaps


def _met(ends: Ints, lengths: Array, points: Array, steps: int) -> tuple[Array, Array]:
    """Iterate as `meet_lengths` does from one start, for the numbers (m, 2) of the two points of every length."""
    numbers, largest = np.arange(len(ends)), lengths.max(axis=1)
    apart = np.unique(ends).size == ends.size
    points, active = points.copy(), np.arange(len(points))
    for _ in range(steps):
        current = points[active]
        span = current[:, ends[:, 1]] - current[:, ends[:, 0]]
        distance = np.linalg.norm(span, axis=2)
        gap = lengths[active] - distance
        far = ~np.all(np.abs(gap) <= LENGTHS_SETTLED * largest[active, None], axis=1)
        if not far.any():
            break
        active, gap = active[far], gap[far]
        unit = span[far] / np.maximum(distance[far], 1e-300)[..., None]
        jacobian = np.zeros((active.size, len(ends), *points.shape[1:]))
        jacobian[:, numbers, ends[:, 1]] += unit
        jacobian[:, numbers, ends[:, 0]] -= unit
        rows = jacobian.reshape(active.size, len(ends), -1)
        inverse = 0.5 * rows.transpose(0, 2, 1) if apart else _inverses(rows)
        points[active] += (inverse @ gap[..., None]).reshape(active.size, *points.shape[1:])
    distance = np.linalg.norm(points[:, ends[:, 1]] - points[:, ends[:, 0]], axis=2)
    return points, lengths - distance


STEPS = 6
"""Gauss-Newton steps of numbers that are traced: of an error of a tenth they leave less than rounding does."""


def _met_in_steps(ends: Ints, lengths: Array, points: Array) -> tuple[Array, Array]:
    """Meet lengths as `_met` does, by as many steps for all: of points with one length each, one is enough."""
    count, (first, second) = len(ends), ends.T
    for _ in range(1 if np.unique(ends).size == ends.size else STEPS):
        span, distance, gap = _missed(ends, lengths, points)
        jacobian = np.zeros_like(points, shape=(len(points), count, *points.shape[1:]))
        for k in range(count):
            jacobian[:, k, second[k]] += span[:, k] / distance[:, k, None]
            jacobian[:, k, first[k]] -= span[:, k] / distance[:, k, None]
        rows = jacobian.reshape(len(points), count, -1)
        shares = _solved(rows @ rows.swapaxes(-1, -2), gap)
        points = points + (shares[:, None, :] @ rows).reshape(points.shape)
    return points, _missed(ends, lengths, points)[2]


def _missed(ends: Ints, lengths: Array, points: Array) -> tuple[Array, Array, Array]:
    """From one point of every length to the other, how far that is, and by how much the length is missed."""
    span = points[:, ends[:, 1]] - points[:, ends[:, 0]]
    distance = inner(span, span) ** 0.5
    return span, distance, lengths - distance


def _solved(matrix: Array, right: Array) -> Array:
    """Solve equations (n, m, m) that are symmetric and positive definite, by elimination."""
    matrix, right, count = matrix.copy(), right.copy(), right.shape[1]
    for k in range(count):
        for i in range(k + 1, count):
            share = matrix[:, i, k] / matrix[:, k, k]
            matrix[:, i, k:] -= share[:, None] * matrix[:, k, k:]
            right[:, i] -= share * right[:, k]
    for k in reversed(range(count)):
        right[:, k] = (right[:, k] - inner(matrix[:, k, k + 1 :], right[:, k + 1 :])) / matrix[:, k, k]
    return right


def _inverses(rows: Array) -> Array:
    """Compute pseudo-inverses (n, k, m) of matrices (n, m, k); NaN where these are not finite."""
    finite = np.isfinite(rows).all(axis=(1, 2))
    inverses = np.full((len(rows), rows.shape[2], rows.shape[1]), np.nan)
    inverses[finite] = np.linalg.pinv(rows[finite], rcond=np.finfo(float).eps * max(rows.shape[1:]))
    return inverses


def _joint_frames(mechanism: Mechanism, joint: Joint, local: Mapping[str, Mapping[str, Array]]) -> JointGeometry:
    """Compute the frames of a joint, given the local coordinates of named points by body."""
    points = np.zeros((2, mechanism.dimension))
    for side, (body, point) in enumerate(zip(joint.bodies, joint.ends, strict=True)):
        if isinstance(point, str):
            points[side] = local[body][point]
        elif point is not None:
            points[side] = mechanism.locate(point, f"joint {joint.name!r}")
    form = mechanism.form(joint)
    if joint.axis_points is None:
        return frames(joint, form, points)
    axis = mechanism.direction(joint)
    found = frames(replace(joint, axis=tuple(axis.tolist())), form, points)
    if form.curved:  # whose points cannot be moved to meet lengths
        return found
    ends = np.array([[local[body][name] for name in joint.axis_points] for body in joint.bodies])
    turns = smallest_rotations(axis, ends[:, 1] - ends[:, 0])  # of a body whose points were moved to meet lengths
    return replace(found, frames=turns @ found.frames, axis_points=ends)


def _origins(
    mechanism: Mechanism, joints: Mapping[str, JointGeometry], local: Mapping[str, Mapping[str, Array]]
) -> dict[str, Array]:
    """Locate the origins (d,) of all bodies, given the local coordinates of named points by body."""
    origins: dict[str, Array] = {mechanism.frame: np.zeros(mechanism.dimension)}
    for joint in mechanism.joints:
        for side, name in enumerate(joint.bodies):
            origins.setdefault(name, joints[joint.name].points[side])
    for body in mechanism.body.values():
        if isinstance(body.origin, str):
            origins[body.name] = local[body.name].get(body.origin, mechanism.positions[body.origin])
        elif body.origin is not None:
            origins[body.name] = mechanism.locate(body.origin, f"origin of body {body.name!r}")
        origins.setdefault(body.name, np.zeros(mechanism.dimension))
    return origins


def local_point(mechanism: Mechanism, geometry: Geometry, body: str, point: object) -> Array:
    """Local coordinates (d,) of a point that is fixed in a body: a name or global reference coordinates, m."""
    if isinstance(point, str):
        carrier, at = geometry.points.get(point, ("", np.zeros(0)))
        if carrier == body:
            return at
        for joint in mechanism.joints_of[body]:  # where designs change the point on each of its bodies
            side, form = joint.bodies.index(body), mechanism.form(joint)
            if joint.ends[side] == point and not (form.frames == "line" and form.raised) and not form.curved:
                return geometry.joints[joint.name].points[side]
    return mechanism.locate(point, f"a point of body {body!r}")  # type: ignore[arg-type]


def center(mechanism: Mechanism, geometry: Geometry, body: str) -> Array:
    """Local coordinates (d,) of the center of mass of a body, m; of its origin if it has none."""
    stated, joints = mechanism.body[body].center, mechanism.joints_of[body]
    if stated is None:
        return geometry.origins[body]
    if stated != MIDDLE or MIDDLE in mechanism.positions:
        return local_point(mechanism, geometry, body, stated)
    return np.asarray(np.mean([geometry.joints[x.name].points[x.bodies.index(body)] for x in joints], axis=0))
