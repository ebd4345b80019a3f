"""Joint frames in their two bodies: all geometry the solvers and the constraint equations need.

Every body's frame equals the global frame in the reference configuration, so local coordinates of a body are the
global coordinates of that configuration. A joint is a frame on each of its two bodies (`groupkin.model.frames`). The
frame on the second body is obtained from the one on the first by the moves of its pair, one after another, each in
the frame that the ones before have reached; before the last rotation of U, ER and PC, and before those of gears in
space, there is a fixed turn. The joint's coordinates are the sizes of these moves, so their reference values are part
of the frames.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import GeometryError, NoGeometryError, NotModeledError
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.mechanism import Body, Joint, Mechanism, Point
from groupkin.mechanism.pairs import PAIRS, form
from groupkin.model.frames import JointGeometry, frames

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Geometry:
    """Body-local geometry of a mechanism.

    Attributes
    ----------
    joints : dict of str to JointGeometry
    origins : dict of str to (d,) array
        Local coordinates of every body's origin, m.
    points : dict of str to (str, (d,) array)
        For every named point a body that carries it and its local coordinates there, m.
    size : float
        Diagonal of the box around all points, m; the length that tolerances are relative to.
    """

    joints: dict[str, JointGeometry]
    origins: dict[str, Array]
    points: dict[str, tuple[str, Array]]
    size: float


def resolve(mechanism: Mechanism) -> Geometry:
    """Joint frames, origins and named points of a mechanism in body-local coordinates.

    Raises
    ------
    NoGeometryError
        If joints have no points or axes; names them.
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
    joints = {joint.name: _frames(mechanism, joint, local) for joint in mechanism.joints}
    points: dict[str, tuple[str, Array]] = {}
    for name in (*mechanism.movable, mechanism.frame):
        for point, place in local[name].items():
            points.setdefault(point, (name, place))
    curves = [c for joint in mechanism.joints for c in (joint.curve, *(joint.curves or ())) if c is not None]
    everything = [*mechanism.positions.values(), *(p for joint in joints.values() for p in joint.points)]
    everything += [np.array(point) for curve in curves for point in curve.points]
    size = float(np.linalg.norm(np.ptp(np.array(everything), axis=0))) if everything else 0.0
    return Geometry(joints, _origins(mechanism, joints, local), points, size or 1.0)


def missing_geometry(joint: Joint, dimension: int) -> tuple[str, ...]:
    """The keys that a joint of this type needs and does not have."""
    needs = form(joint.type, dimension, joint.follower).needs
    given = {"point"} if joint.points is not None else set()
    return tuple(key for key in needs if key not in given and getattr(joint, key) is None)


def random_geometry(joint: Joint, dimension: int, rng: np.random.Generator) -> Joint:
    """A joint with random geometry of the kind its type needs, in a box of 2 m."""
    axes = rng.normal(size=(2, dimension))
    axes[1] -= axes[0] * (axes[0] @ axes[1]) / (axes[0] @ axes[0])  # some pairs need perpendicular ones
    points = rng.uniform(-1.0, 1.0, size=(2, dimension)).tolist()
    given: dict[str, Any] = {
        "point": points[0],
        "points": tuple(points),
        "axis": axes[0].tolist(),
        "axes": tuple(axes.tolist()),
        "pitch": rng.uniform(0.1, 1.0),
        "radii": tuple(rng.uniform(0.1, 1.0, 2)),
    }
    if joint.type == "L":  # an ellipse through the point
        turns = np.linspace(0.0, 2 * np.pi, 12, endpoint=False)
        ellipse = np.stack([np.cos(turns) - 1.0, rng.uniform(0.5, 2.0) * np.sin(turns)], axis=1)
        given["curve"] = Curve((points[0] + ellipse * rng.uniform(0.2, 1.0)).tolist(), closed=True)
    return replace(joint, **{key: given[key] for key in form(joint.type, dimension).needs})


def _local_points(mechanism: Mechanism, body: Body) -> dict[str, Array]:
    """Named points carried by a body, moved as little as possible to meet its stated lengths."""
    names = list(body.points) + [name for pair in body.lengths for name in pair]
    for joint in mechanism.joints:
        if body.name in joint.bodies:
            pair = joint.points or (None if joint.type == "L" else joint.point, joint.point)
            own = pair[joint.bodies.index(body.name)]
            names += [own] if isinstance(own, str) else []
    names = list(dict.fromkeys(names))
    places = np.array([mechanism.positions[name] for name in names]).reshape(-1, mechanism.dimension)
    if body.lengths:
        places = _meet_lengths(body, names, places)
    return dict(zip(names, places, strict=True))


def _meet_lengths(body: Body, names: list[str], places: Array) -> Array:
    """Gauss-Newton steps of least norm until the distances between points are the stated ones."""
    ends = np.array([[names.index(a), names.index(b)] for a, b in body.lengths])
    lengths = np.array(list(body.lengths.values()))
    places = places.copy()
    for _ in range(50):
        span = places[ends[:, 1]] - places[ends[:, 0]]
        distance = np.linalg.norm(span, axis=1)
        gap = lengths - distance
        if np.all(np.abs(gap) <= 1e-14 * lengths.max()):
            return places
        jacobian = np.zeros((len(lengths), *places.shape))
        for row, (a, b) in enumerate(ends):
            jacobian[row, b] += span[row] / max(distance[row], 1e-300)
            jacobian[row, a] -= span[row] / max(distance[row], 1e-300)
        step = np.linalg.lstsq(jacobian.reshape(len(lengths), -1), gap, rcond=None)[0]
        places += step.reshape(places.shape)
    worst = int(np.argmax(np.abs(gap)))
    if abs(gap[worst]) <= 1e-12 * lengths.max():
        return places
    a, b = list(body.lengths)[worst]
    raise GeometryError(
        f"body {body.name!r}: its lengths contradict each other; {a}-{b} cannot be {lengths[worst]:g} m "
        f"together with the others (closest: {distance[worst]:g} m)"
    )


def _frames(mechanism: Mechanism, joint: Joint, local: Mapping[str, Mapping[str, Array]]) -> JointGeometry:
    d = mechanism.dimension
    given: tuple[Point | None, Point | None] = joint.points or (None if joint.type == "L" else joint.point, joint.point)
    points = np.zeros((2, d))
    for side, (body, point) in enumerate(zip(joint.bodies, given, strict=True)):
        if isinstance(point, str):
            points[side] = local[body][point]
        elif point is not None:
            points[side] = mechanism.locate(point, f"joint {joint.name!r}")
    return frames(joint, mechanism.form(joint), points)


def _origins(
    mechanism: Mechanism, joints: Mapping[str, JointGeometry], local: Mapping[str, Mapping[str, Array]]
) -> dict[str, Array]:
    origins: dict[str, Array] = {mechanism.frame: np.zeros(mechanism.dimension)}
    for joint in mechanism.joints:
        for side, body in enumerate(joint.bodies):
            origins.setdefault(body, joints[joint.name].points[side])
    for part in mechanism.body.values():
        if isinstance(part.origin, str):
            origins[part.name] = local[part.name].get(part.origin, mechanism.positions[part.origin])
        elif part.origin is not None:
            origins[part.name] = mechanism.locate(part.origin, f"origin of body {part.name!r}")
        origins.setdefault(part.name, np.zeros(mechanism.dimension))
    return origins
