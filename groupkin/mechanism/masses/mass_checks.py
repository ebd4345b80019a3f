"""Checks of the masses of a mechanism: numbers, centers, inertia tensors, gravity."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import floats
from groupkin.errors import GroupkinWarning, MassError, shown
from groupkin.mechanism.masses.inertia_checks import check_tensor, warn_of_centers, warn_of_radii
from groupkin.mechanism.parts import Body
from groupkin.mechanism.points import LARGEST, SMALLEST
from groupkin.messages import hint

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism

Array = NDArray[np.float64]

MOMENTS = ("xx", "yy", "zz", "xy", "xz", "yz")
"""Components of an inertia tensor."""

MIDDLE = "middle"
"""Instead of a center of mass: the mean of the points of the body's joints."""

GRAVITY = (1.0, 30.0)
"""Gravity outside this range is taken for a mistake of units, m/s²."""

MOST_GRAVITY = 1e9
"""Largest gravity, m/s²: forces have 16 digits, which those of springs and motors share with weights."""


def check_masses(mechanism: Mechanism) -> None:
    """Refuse masses, centers and tensors that no body has, and gravity that is no vector.

    Raises
    ------
    MassError
        It names the body.
    """
    tensors, centers = {}, {}
    for body in mechanism.body.values():
        where = f"body {body.name!r}"
        if body.mass != 0 and not SMALLEST <= body.mass <= LARGEST:
            raise MassError(
                f"{where}: its mass must be 0 or a finite number from {SMALLEST:g} to {LARGEST:g} kg, not {body.mass!r}"
            )
        if body.center is None and body.mass > 0:
            raise MassError(
                f'{where} has a mass but no center: give its `center`, a point or coordinates, or "{MIDDLE}" for the '
                "mean of the points of its joints"
            )
        if body.center is not None and not body.mass:
            warnings.warn(
                f"{where} has a center of mass, but no mass: give its `mass`, or leave out the `center`",
                GroupkinWarning,
                stacklevel=4,
            )
        if body.center is not None and (body.center != MIDDLE or MIDDLE in mechanism.positions):
            centers[body.name] = mechanism.locate(body.center, f"center of {where}")
        tensor = inertia_tensor(body, mechanism.dimension)
        if body.about is not None:
            tensor = tensor - body.mass * around(_arm(mechanism, body, where))
        check_tensor(mechanism, body, tensor)
        if body.mass and tensor.any():
            tensors[body.name] = tensor
    warn_of_radii(mechanism, tensors)
    warn_of_centers(mechanism, centers)
    _check_gravity(mechanism)


def _arm(mechanism: Mechanism, body: Body, where: str) -> Array:
    """The way (d,) from the point about which an inertia is stated to the center of mass, m."""
    about = mechanism.locate(body.about, f"inertia of {where} about a point")  # type: ignore[arg-type]
    if body.center is not None and (body.center != MIDDLE or MIDDLE in mechanism.positions):
        return mechanism.locate(body.center, f"center of {where}") - about
    ends = [joint.ends[joint.bodies.index(body.name)] for joint in mechanism.joints_of[body.name]]
    if body.center is None or not ends or None in ends:
        raise MassError(f"{where}: its inertia is stated about a point, so its `center` is needed as a point as well")
    return np.asarray(np.mean([mechanism.locate(end, where) for end in ends if end is not None], axis=0)) - about


def around(arm: Array) -> Array:
    """Inertia (3, 3) of a unit mass at the end of an arm (3,), m²; in the plane (1, 1)."""
    square = arm @ arm
    return np.full((1, 1), square) if arm.size == 2 else square * np.eye(3) - np.outer(arm, arm)


def inertia_tensor(body: Body, dimension: int) -> Array:
    """Return the tensor (3, 3) of a body as it is stated, kg m²; in the plane (1, 1).

    Raises
    ------
    MassError
        If it is stated in a form that does not exist there.
    """
    given, where = body.inertia, f"body {body.name!r}: its inertia"
    if dimension == 2:
        if not isinstance(given, float | int):
            raise MassError(f"{where} must be one number in the plane, not {shown(given)}")
        return np.full((1, 1), float(given))
    if isinstance(given, Mapping):
        unknown = next((key for key in given if key not in MOMENTS), None)
        if unknown is not None:
            raise MassError(f"{where} has no component {unknown!r}{hint(unknown, MOMENTS)}; they are {MOMENTS}")
        xx, yy, zz, xy, xz, yz = (float(floats(given.get(key, 0.0)).mean()) for key in MOMENTS)
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    numbers = floats(given)
    if numbers.shape not in ((), (3,), (3, 3)):
        raise MassError(f"{where} must be one number, three about x, y and z, or a tensor (3, 3), not {shown(given)}")
    tensor = numbers * np.eye(3) if numbers.ndim < 2 else numbers
    if not np.array_equal(tensor, tensor.T):
        raise MassError(f"{where} must be a symmetric tensor, not {shown(given)}")
    return tensor


def _check_gravity(mechanism: Mechanism) -> None:
    vector = floats(mechanism.gravity) if len(mechanism.gravity) else np.zeros(0)
    if vector.shape not in ((0,), (mechanism.dimension,)) or not (np.abs(vector) <= LARGEST).all():
        raise MassError(f"gravity must be {mechanism.dimension} finite numbers, m/s², not {shown(mechanism.gravity)}")
    size = float(np.linalg.norm(vector))
    if size > MOST_GRAVITY:
        raise MassError(f"gravity is {size:.4g} m/s²; beyond {MOST_GRAVITY:g} m/s² its roundings hide all other forces")
    if size and not GRAVITY[0] <= size <= GRAVITY[1]:
        warnings.warn(
            f"gravity is {size:.4g} m/s²; it is given in m/s², whatever the units of the mechanism",
            GroupkinWarning,
            stacklevel=4,
        )
