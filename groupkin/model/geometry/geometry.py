"""Joint frames in their two bodies: all geometry the solvers and the constraint equations need.

Every body's frame equals the global frame in the reference configuration, so local coordinates of a body are the
global coordinates of that configuration. A joint is a frame on each of its two bodies (`groupkin.model.geometry.frames`). The
frame on the second body is obtained from the one on the first by the moves of its pair, one after another, each in
the frame that the ones before have reached; before the last rotation of U, ER and PC, and before those of gears in
space, there is a fixed turn. The joint's coordinates are the sizes of these moves, so their reference values are part
of the frames.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import GeometryError, NoGeometryError, NotModeledError, UnknownNameError
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.mechanism import Body, Joint, Mechanism
from groupkin.mechanism.pairs import PAIRS, form, nearest
from groupkin.model.geometry.frames import JointGeometry, frames

Array = NDArray[np.float64]

CLOSED = 1e-12
"""By how much of the largest of a body's lengths any of them may be missed."""


@dataclass(frozen=True)
class Geometry:
    """Body-local geometry of a mechanism, or of many variants of it: all arrays then have the same leading axis.

    Attributes
    ----------
    joints : dict of str to JointGeometry
    origins : dict of str to (..., d) array
        Local coordinates of every body's origin, m.
    points : dict of str to (str, (..., d) array)
        For every named point a body that carries it and its local coordinates there, m.
    size : float
        Diagonal of the box around all points, m; the length that tolerances are relative to. Variants share one.
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
    found = _located(mechanism, mechanism.positions, {})
    everything = [*mechanism.positions.values(), *(p for joint in found.joints.values() for p in joint.points)]
    curves = [c for joint in mechanism.joints for c in (joint.curve, *(joint.curves or ())) if c is not None]
    everything += [np.array(point) for curve in curves for point in curve.points]
    size = float(np.linalg.norm(np.ptp(np.array(everything), axis=0))) if everything else 0.0
    return replace(found, size=size or 1.0)


def vary(mechanism: Mechanism, points: Mapping[str, Array], axes: Mapping[str, Array] | None = None) -> Geometry:
    """Geometry of variants of a mechanism, in which points or axes of the reference configuration are elsewhere.

    Parameters
    ----------
    mechanism : Mechanism
    points : mapping of str to (n, d) array
        Global coordinates of named points in the reference configuration of every variant, m.
    axes : mapping of str to (n, d) or (n, 2, d) array, optional
        By joint: direction of its axis, or of its two axes, in the reference configuration of every variant.

    Returns
    -------
    Geometry
        All arrays with leading axis n; its size is that of the mechanism itself.

    Raises
    ------
    UnknownNameError
        If there is no such point or joint.
    GeometryError
        If arrays have other shapes, or the geometry of a variant is not possible.
    NotModeledError
        If there are cams.
    """
    nominal, d = resolve(mechanism), mechanism.dimension
    refuse_cams(nominal)
    axes = axes or {}
    joints = mechanism.joint
    for what, names, known in (("point", points, mechanism.positions), ("joint", axes, joints)):
        unknown = [name for name in names if name not in known]
        if unknown:
            near = nearest(unknown[0], list(known))
            raise UnknownNameError(f"there is no {what} {unknown[0]!r}" + (f"; did you mean {near}?" if near else ""))
    counts = {len(x) for x in (*points.values(), *axes.values())}
    if len(counts) != 1:
        raise GeometryError(f"points and axes must be given for the same number of variants, not {sorted(counts)}")
    n = counts.pop()
    positions = {
        name: _checked(points.get(name, np.tile(place, (n, 1))), (n, d), f"point {name!r}")
        for name, place in mechanism.positions.items()
    }
    directions = {}
    for name, given in axes.items():
        shape = (n, d) if joints[name].axes is None else (n, 2, d)
        found = _checked(given, shape, f"axes of joint {name!r}").reshape(n, -1, d)
        directions[name] = found / np.linalg.norm(found, axis=-1, keepdims=True)
    return replace(spread(_located(mechanism, positions, directions), n), size=nominal.size)


def refuse_cams(geometry: Geometry) -> None:
    """Raise NotModeledError for cams, whose contacts are sought one mechanism at a time."""
    cam = next((name for name, joint in geometry.joints.items() if joint.contact is not None), None)
    if cam is not None:
        raise NotModeledError(
            f"joint {cam!r}: variants of a mechanism with the pair L (cam) cannot be computed together; "
            "solve them one by one"
        )


def _checked(given: Array, shape: tuple[int, ...], what: str) -> Array:
    found = np.asarray(given, float)
    if found.shape != shape or not np.isfinite(found).all():
        raise GeometryError(f"{what}: {shape} finite numbers are needed, not {found.shape}")
    return found


_RANKS = {"points": 2, "frames": 3, "cross_angle": 0, "bend": 2, "coupling": 1, "values": 1}
"""Numbers of axes of what a `JointGeometry` holds, without those of variants."""


def spread(geometry: Geometry, n: int) -> Geometry:
    """Geometry whose arrays have a leading axis n, all variants being the same; arrays are not to be written."""

    def one(x: Array, rank: int) -> Array:
        return np.broadcast_to(x, (n, *np.shape(x)[np.ndim(x) - rank :]))

    return _mapped(one, geometry)


def _mapped(function: Callable[..., Array], first: Geometry, *others: Geometry) -> Geometry:
    """Geometry of what a function makes of the arrays of geometries, and of their numbers of axes."""

    def joint(name: str) -> JointGeometry:
        own = [each.joints[name] for each in (first, *others)]
        changed: dict[str, Any] = {
            key: function(*(getattr(one, key) for one in own), rank)
            for key, rank in _RANKS.items()
            if getattr(own[0], key) is not None
        }
        return replace(own[0], **changed)

    return Geometry(
        {name: joint(name) for name in first.joints},
        {body: function(*(each.origins[body] for each in (first, *others)), 1) for body in first.origins},
        {
            name: (body, function(*(each.points[name][1] for each in (first, *others)), 1))
            for name, (body, _) in first.points.items()
        },
        first.size,
    )


def select(geometry: Geometry, k: int | tuple[int, ...]) -> Geometry:
    """Geometry of variant k; of the only one there is for ()."""
    return _mapped(lambda x, _: np.asarray(x)[k], geometry)


def gather(geometries: Sequence[Geometry]) -> Geometry:
    """Geometries of variants as one with a leading axis; its size is that of the first."""
    return _mapped(lambda *x: np.stack(x[:-1]), *geometries)


def _located(mechanism: Mechanism, positions: Mapping[str, Array], axes: Mapping[str, Array]) -> Geometry:
    """Geometry, without its size, from the places (..., d) of all named points and axes (..., k, d) of some joints."""
    local = {name: _local_points(mechanism, body, positions) for name, body in mechanism.body.items()}
    joints = {joint.name: _frames(mechanism, joint, local, axes.get(joint.name)) for joint in mechanism.joints}
    points: dict[str, tuple[str, Array]] = {}
    for name in (*mechanism.movable, mechanism.frame):
        for point, place in local[name].items():
            points.setdefault(point, (name, place))
    return Geometry(joints, _origins(mechanism, joints, local, positions), points, 1.0)


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
    if form(joint.type, dimension).curved:  # an ellipse through the point
        turns = np.linspace(0.0, 2 * np.pi, 12, endpoint=False)
        ellipse = np.stack([np.cos(turns) - 1.0, rng.uniform(0.5, 2.0) * np.sin(turns)], axis=1)
        given["curve"] = Curve((points[0] + ellipse * rng.uniform(0.2, 1.0)).tolist(), closed=True)
    return replace(joint, **{key: given[key] for key in form(joint.type, dimension).needs})


def _local_points(mechanism: Mechanism, body: Body, positions: Mapping[str, Array]) -> dict[str, Array]:
    """Named points (..., d) carried by a body, moved as little as possible to meet its stated lengths."""
    names = list(body.points) + [name for pair in body.lengths for name in pair]
    for joint in mechanism.joints_of[body.name]:
        own = joint.ends[joint.bodies.index(body.name)]
        names += [own] if isinstance(own, str) else []
    names = list(dict.fromkeys(names))
    if body.lengths:
        places = np.stack([positions[name] for name in names], axis=-2)
        lengths = np.array(list(body.lengths.values()))
        given = places.reshape(-1, *places.shape[-2:])
        met, gaps = meet_lengths(list(body.lengths), np.tile(lengths, (len(given), 1)), names, given)
        gap = gaps[np.abs(gaps).max(axis=1).argmax()]
        if not np.abs(gap).max() <= CLOSED * lengths.max():
            worst = int(np.argmax(np.abs(gap)))
            a, b = list(body.lengths)[worst]
            raise GeometryError(
                f"body {body.name!r}: its lengths contradict each other; {a}-{b} cannot be {lengths[worst]:g} m "
                f"together with the others (closest: {lengths[worst] - gap[worst]:g} m)"
            )
        return dict(zip(names, np.moveaxis(met.reshape(places.shape), -2, 0), strict=True))
    return {name: positions[name] for name in names}


def meet_lengths(
    pairs: Sequence[tuple[str, str]], lengths: Array, names: Sequence[str], places: Array, steps: int = 50
) -> tuple[Array, Array]:
    """Points of a body moved as little as possible to be at stated distances from each other.

    Gauss-Newton steps of least norm, of every variant by itself. Points on one line do not leave it by these: where
    they do not get there, they begin once more from a little aside.

    Parameters
    ----------
    pairs : sequence of (str, str)
        The two points of every length.
    lengths : (n, m) array
        Of n variants, m.
    names : sequence of str
        Of the points.
    places : (n, k, d) array
        Where the points are, m.

    Returns
    -------
    (n, k, d) array
        Where the points then are, m.
    (n, m) array
        By how much each length is missed, m; more than `CLOSED` of the largest where lengths contradict each other.
    """
    ends = np.array([[names.index(a), names.index(b)] for a, b in pairs])
    found, gaps = _met(ends, lengths, places, steps)
    largest = np.abs(lengths).max(axis=1)
    missed = (np.abs(gaps).max(axis=1) > CLOSED * largest) & np.isfinite(places).all(axis=(1, 2))
    if missed.any():
        aside = np.cos(2.4 * np.arange(places[0].size)).reshape(places.shape[1:])  # in no direction of their own
        begun = places[missed] + 0.02 * largest[missed, None, None] * aside
        found[missed], gaps[missed] = _met(ends, lengths[missed], begun, steps)
    return found, gaps


def _met(ends: NDArray[np.int64], lengths: Array, places: Array, steps: int) -> tuple[Array, Array]:
    """What `meet_lengths` returns, for the numbers (m, 2) of the ends of all lengths."""
    each, largest = np.arange(len(ends)), lengths.max(axis=1)
    apart = np.unique(ends).size == ends.size
    places, active = places.copy(), np.arange(len(places))
    for _ in range(steps):
        here = places[active]
        span = here[:, ends[:, 1]] - here[:, ends[:, 0]]
        distance = np.linalg.norm(span, axis=2)
        gap = lengths[active] - distance
        far = ~np.all(np.abs(gap) <= 1e-14 * largest[active, None], axis=1)
        if not far.any():
            break
        active, here, gap = active[far], here[far], gap[far]
        unit = span[far] / np.maximum(distance[far], 1e-300)[..., None]
        jacobian = np.zeros((active.size, len(ends), *here.shape[1:]))
        jacobian[:, each, ends[:, 1]] += unit
        jacobian[:, each, ends[:, 0]] -= unit
        rows = jacobian.reshape(active.size, len(ends), -1)
        inverse = 0.5 * rows.transpose(0, 2, 1) if apart else _inverses(rows)
        places[active] += (inverse @ gap[..., None]).reshape(here.shape)
    distance = np.linalg.norm(places[:, ends[:, 1]] - places[:, ends[:, 0]], axis=2)
    return places, lengths - distance


def _inverses(rows: Array) -> Array:
    """Pseudo-inverses (n, k, m) of matrices (n, m, k); NaN where these are not finite."""
    usable = np.isfinite(rows).all(axis=(1, 2))
    found = np.full((len(rows), rows.shape[2], rows.shape[1]), np.nan)
    found[usable] = np.linalg.pinv(rows[usable], rcond=np.finfo(float).eps * max(rows.shape[1:]))
    return found


def _frames(
    mechanism: Mechanism, joint: Joint, local: Mapping[str, Mapping[str, Array]], axes: Array | None
) -> JointGeometry:
    ends = [np.zeros(mechanism.dimension)] * 2
    for side, (body, point) in enumerate(zip(joint.bodies, joint.ends, strict=True)):
        if isinstance(point, str):
            ends[side] = local[body][point]
        elif point is not None:
            ends[side] = mechanism.locate(point, f"joint {joint.name!r}")
    points = np.stack(np.broadcast_arrays(*ends), axis=-2)
    if axes is not None:
        points = np.broadcast_to(points, (*axes.shape[:-2], *points.shape[-2:]))
    return frames(joint, mechanism.form(joint), points, axes)


def _origins(
    mechanism: Mechanism,
    joints: Mapping[str, JointGeometry],
    local: Mapping[str, Mapping[str, Array]],
    positions: Mapping[str, Array],
) -> dict[str, Array]:
    origins: dict[str, Array] = {mechanism.frame: np.zeros(mechanism.dimension)}
    for joint in mechanism.joints:
        for side, body in enumerate(joint.bodies):
            origins.setdefault(body, joints[joint.name].points[..., side, :])
    for part in mechanism.body.values():
        if isinstance(part.origin, str):
            origins[part.name] = local[part.name].get(part.origin, positions[part.origin])
        elif part.origin is not None:
            origins[part.name] = mechanism.locate(part.origin, f"origin of body {part.name!r}")
        origins.setdefault(part.name, np.zeros(mechanism.dimension))
    return origins
