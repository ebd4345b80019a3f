"""The size of a mechanism, to which its tolerances are relative, and points too far away to be computed with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from groupkin.errors import GeometryError
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.points import SMALLEST
from groupkin.model.geometry.frames import JointGeometry
from groupkin.tolerances import CROWDED, POINT_ROUNDING
from sglibrary.array_types import Array

BELIEVED = 1e6
"""Extent of all points (m) up to which joints that are much closer to each other are in one point."""

WIDEST = 1e3
"""Largest size of a mechanism relative to the extent of its joints: tolerances must not grow with a point far away."""

FARTHEST = 1e8
"""Largest distance of a point from the joints relative to their extent: forces have 16 digits, which these share."""

MOST_UNLIKE = 1e12
"""Largest distance of a point from the joints relative to that of another one, where all joints are in one point."""


def size_of(mechanism: Mechanism, joints: Mapping[str, JointGeometry]) -> float:
    """Compute the diagonal of the box around all points, m, that the joints bound; 1 if all points coincide.

    Raises
    ------
    GeometryError
        If it is so small that products of lengths vanish, or a point so far away that roundings hide the others.
    """
    sides = box(mechanism, joints)
    if 0.0 < sides.max() < SMALLEST:
        raise GeometryError(
            f"{mechanism.name} is only {sides.max():.3g} m large; products of its lengths would vanish below "
            f"{SMALLEST:g} m. Check its unit of length"
        )
    whole = float(np.linalg.norm(sides)) or 1.0
    places = [_places(joint, joints[joint.name]) for joint in mechanism.joints]
    if not places:
        return whole
    every = np.concatenate(places)
    placed = list(_placed(mechanism))
    for what, point in placed:
        _require_near(mechanism, what, point, every, whole)
    _require_alike(mechanism, placed, every)
    owners = np.repeat(np.arange(len(places)), [len(points) for points in places])
    for k in {*owners[every.argmin(axis=0)].tolist(), *owners[every.argmax(axis=0)].tolist()}:
        if len(places) > 1:  # of the joints at the sides of the box
            what = f"joint {mechanism.joints[k].name!r}"
            _require_near(mechanism, what, places[k], every[owners != k], whole)
    return min(whole, WIDEST * _extent(every, whole))


def _places(joint: Joint, geometry: JointGeometry) -> Array:
    """Points (n, d) of a joint and its curves, m; of a point that both bodies share roughly, that of the first."""
    curves = [np.array(curve.points) for curve in (joint.curve, *(joint.curves or ())) if curve is not None]
    return np.concatenate([geometry.points if joint.points is not None else geometry.points[:1], *curves])


def _extent(joints: Array, whole: float) -> float:
    """Diagonal of the box around joints (n, d), m; that of all points if the joints are in one point."""
    extent = float(np.linalg.norm(np.ptp(joints, axis=0)))
    return extent if extent > CROWDED * min(whole, BELIEVED) else whole


def _require_near(mechanism: Mechanism, what: str, points: Array, joints: Array, whole: float) -> None:
    """Refuse points (..., d) too far from those (n, d) of joints.

    Raises
    ------
    GeometryError
    """
    extent, say = _extent(joints, whole), mechanism.units.text
    apart = points - np.clip(points, joints.min(axis=0), joints.max(axis=0))
    away = float(np.linalg.norm(apart, axis=-1).max())
    if away > FARTHEST * extent:
        raise GeometryError(
            f"{what} is {say(away)} away from the joints of {mechanism.name}, whose extent is {say(extent)}: beyond "
            f"{FARTHEST:g} times that, its roundings hide all else. Check its coordinates and their unit"
        )


def _require_alike(mechanism: Mechanism, placed: Sequence[tuple[str, Array]], joints: Array) -> None:
    """Refuse points far beyond others where all joints (n, d) are in one point, which tells no extent.

    Raises
    ------
    GeometryError
    """
    distances = [float(np.linalg.norm(point - joints[0])) for _, point in placed]
    apart = [x for x in distances if x > POINT_ROUNDING]
    if np.ptp(joints, axis=0).any() or not apart:
        return
    farthest, nearest = int(np.argmax(distances)), min(apart)
    if distances[farthest] > MOST_UNLIKE * nearest:
        say = mechanism.units.text
        raise GeometryError(
            f"{placed[farthest][0]} is {say(distances[farthest])} away from the joints of {mechanism.name}, another "
            f"point {say(nearest)}: beyond {MOST_UNLIKE:g} times that, roundings hide all else. Check the coordinates "
            "and their units"
        )


def _placed(mechanism: Mechanism) -> Iterator[tuple[str, Array]]:
    """List what has a place besides joints, with its coordinates (d,), m."""
    for name, at in mechanism.positions.items():
        if name not in mechanism.unused_points:
            yield f"point {name!r}", at
    stated: list[tuple[str, object]] = []
    for body in mechanism.body.values():
        where = {"center": body.center, "origin": body.origin, "point of inertia": body.about}
        stated += [(f"the {what} of body {body.name!r}", point) for what, point in where.items()]
    stated += [(f"the point of force {load.name!r}", point) for load in mechanism.forces for _, point in load.ends()]
    for load in mechanism.forces:
        curves = (getattr(load, "curve", None), *(getattr(load, "curves", None) or ()))
        stated += [(f"the curve of force {load.name!r}", point) for curve in curves if curve for point in curve.points]
    for what, point in stated:
        if point is not None and not isinstance(point, str):
            yield what, np.asarray(point, float)


def box(mechanism: Mechanism, joints: Mapping[str, JointGeometry]) -> Array:
    """Compute the sides (d,) of the box around all points in the reference configuration, m."""
    used = {name: at for name, at in mechanism.positions.items() if name not in mechanism.unused_points}
    everything = [*used.values(), *(p for joint in joints.values() for p in joint.points)]
    curves = [c for joint in mechanism.joints for c in (joint.curve, *(joint.curves or ())) if c is not None]
    everything += [np.array(point) for curve in curves for point in curve.points]
    return np.ptp(np.array(everything), axis=0) if everything else np.zeros(mechanism.dimension)
