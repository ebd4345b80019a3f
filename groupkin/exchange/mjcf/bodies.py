"""Masses and pictures of bodies in MJCF."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from groupkin.errors import ModelError
from groupkin.mechanism.masses.inertia_checks import ACROSS, fixed_axes
from groupkin.mechanism.masses.mass_checks import MIDDLE, around, inertia_tensor
from groupkin.mechanism.mechanism import Body, Mechanism
from groupkin.model.geometry.geometry import Geometry, local_point
from groupkin.model.trees import padded
from groupkin.tolerances import LEAST_INERTIA, LEAST_MASS
from sglibrary.array_types import Array

GOLDEN = 0.618034
"""Step of the hues of bodies, of a full turn: neighbors differ, however many there are."""

THICKNESS = 0.012
"""Radius of capsules, relative to the size of the mechanism."""


def center_of(mechanism: Mechanism, geometry: Geometry, body: Body) -> Array:
    """Center of mass (3,) of a body in the reference configuration, m; its origin where it has none."""
    if body.center is None:
        return padded(geometry.origins[body.name])
    if body.center == MIDDLE and MIDDLE not in mechanism.positions:
        return np.asarray(np.mean(points_of(mechanism, geometry, body.name), axis=0))
    return padded(local_point(mechanism, geometry, body.name, body.center))


def inertial(mechanism: Mechanism, geometry: Geometry, body: Body) -> tuple[float, Array, Array]:
    """Mass, kg, center (3,), m, and inertia (3, 3), kg m², as MuJoCo takes them: positive, and of a body that exists.

    Raises
    ------
    ModelError
        If no body has such an inertia, which a mechanism may state where joints let the body turn about one axis alone.
    """
    d, center = mechanism.dimension, center_of(mechanism, geometry, body)
    tensor = inertia_tensor(body, d)
    if body.about is not None:
        arm = center[:d] - local_point(mechanism, geometry, body.name, body.about)
        tensor = tensor - body.mass * around(arm)
    whole = tensor if d == 3 else float(tensor[0, 0]) * np.eye(3)
    if not _exists(whole) and (axis := fixed_axes(mechanism).get(body.name)) is not None:
        whole = whole + ACROSS * np.abs(whole).max() * (np.eye(3) - np.outer(axis, axis))
    if not _exists(whole):
        raise ModelError(
            f"body {body.name!r}: MuJoCo takes no inertia whose largest principal moment is more than the sum of the "
            "others; state the moments about all axes"
        )
    least = LEAST_INERTIA * geometry.size**2
    floor = max(0.0, least - float(np.linalg.eigvalsh(whole)[0]))
    return max(body.mass, LEAST_MASS), center, whole + floor * np.eye(3)


def _exists(tensor: Array) -> bool:
    moments = np.linalg.eigvalsh(tensor)
    return bool(moments[2] <= moments[0] + moments[1])


def points_of(mechanism: Mechanism, geometry: Geometry, body: str) -> list[Array]:
    """Points (3,) of the joints of a body, m."""
    joints = mechanism.joints_of[body]
    return [padded(geometry.joints[joint.name].points[joint.bodies.index(body)]) for joint in joints]


def color(k: int) -> str:
    """Color of a body by its number, red, green, blue and opacity."""
    red, green, blue = colorsys.hsv_to_rgb(k * GOLDEN % 1.0, 0.55, 0.85)
    return f"{red:.3g} {green:.3g} {blue:.3g} 1"


def geoms(points: Sequence[Array], origin: Array, size: float, k: int) -> list[dict[str, str]]:
    """Attributes of a capsule from each point to the next, or of a sphere at the only one."""
    radius = f"{THICKNESS * size:.3g}"
    apart = [points[0]] if points else []
    for point in points[1:]:
        if min(np.linalg.norm(point - other) for other in apart) > THICKNESS * size:
            apart.append(point)
    common = {"size": radius, "rgba": color(k), "mass": "0", "contype": "0", "conaffinity": "0"}
    if len(apart) == 1:
        return [{"type": "sphere", "pos": numbers(apart[0] - origin), **common}]
    ends = [np.concatenate([first - origin, second - origin]) for first, second in pairwise(apart)]
    return [{"type": "capsule", "fromto": numbers(each), **common} for each in ends]


def numbers(vector: Array) -> str:
    """Write numbers so that they are read as they are."""
    return " ".join(repr(float(x) + 0.0) for x in np.asarray(vector).ravel())
