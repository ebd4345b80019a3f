"""Checks of inertia: tensors that bodies can have, radii of gyration and centers of mass against sizes.

Inertia in a unit that is not meant changes a radius of gyration a thousand times.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import GroupkinWarning, MassError
from groupkin.mechanism.units import SI, conversion
from groupkin.tolerances import INERTIA_ROUNDING, PARALLEL

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism
    from groupkin.mechanism.parts import Body, Joint

Array = NDArray[np.float64]

ACROSS = 10.0
"""Moments across the only axis of a body, relative to its largest, with which such a body exists if any does."""

SMALLEST = 0.01
"""Smallest radius of gyration relative to the size of a body; 0.3 is that of a bar, 0.009 with a thousandth of its
inertia and 0.0003 with mm for m."""

FAR = 10.0
"""Largest distance of a center of mass from the middle of all joints, relative to the size of a mechanism."""

LARGEST = 5.0
"""Largest radius of gyration relative to the size of a mechanism; 9 is that of a bar with a thousand times its inertia,
and 300 with m for mm."""

GUIDES = ("R", "P", "H", "C", "PL")
"""Joints in space that allow no rotation but about their axis."""


def check_tensor(mechanism: Mechanism, body: Body, tensor: Array) -> None:
    """Refuse a tensor that no distribution of mass has: each principal moment is at most the sum of the others.

    Of a body that turns about an axis of fixed direction alone, moments about other axes do not matter and may be left
    out.

    Raises
    ------
    MassError
    """
    where = f"body {body.name!r}"
    if not np.isfinite(tensor).all():
        raise MassError(f"{where}: its inertia must be finite numbers")
    moments = np.linalg.eigvalsh(tensor)
    if moments[0] < -INERTIA_ROUNDING * np.abs(moments).max():
        about = "; it is stated about another point, leave out `about` if that is not meant" if body.about else ""
        raise MassError(
            f"{where}: its inertia has the negative principal moment {_listed(mechanism, moments[:1])} about its "
            f"center of mass{about}"
        )
    if _exists(moments):
        return
    axis = fixed_axes(mechanism).get(body.name)
    if axis is not None:
        tilted = np.abs(np.cross(tensor @ axis, axis)).max() > INERTIA_ROUNDING * moments[-1]  # a mistaken axis
        across = ACROSS * moments[-1] * (np.eye(3) - np.outer(axis, axis))
        if not tilted and _exists(np.linalg.eigvalsh(tensor + across)):
            return
    raise MassError(
        f"{where}: no body has the principal moments {_listed(mechanism, moments)} about its center of mass; the "
        "largest is at most the sum of the two others. Products of inertia are the components of the tensor, with its "
        "sign. The moment about one axis is enough where joints let the body turn about that direction alone"
    )


def _listed(mechanism: Mechanism, moments: NDArray[np.floating[Any]]) -> str:
    """Write moments of inertia, kg m², in the units of a mechanism."""
    units = mechanism.units
    factor = 1.0 / (units.kilograms * units.meters**2)
    return f"{', '.join(f'{factor * x:.4g}' for x in moments)} {units.mass} {units.length}²"


def _exists(moments: NDArray[np.floating[Any]]) -> bool:
    """Whether a body has such principal moments (1,) or (3,), in ascending order."""
    return len(moments) == 1 or bool(moments[2] <= moments[0] + moments[1] + INERTIA_ROUNDING * np.abs(moments).max())


def radius_of_gyration(mass: float, tensor: Array) -> float:
    """Compute the largest radius of gyration, m, of a mass, kg, with an inertia about its center, kg m²."""
    moment = max(float(np.linalg.eigvalsh(tensor)[-1]), 0.0)
    return float(np.sqrt(moment) / np.sqrt(mass)) if mass else 0.0  # their ratio may be too large for a number


def warn_of_radii(mechanism: Mechanism, tensors: Mapping[str, Array]) -> None:
    """Warn of bodies whose radius of gyration does not fit their size.

    Parameters
    ----------
    mechanism : Mechanism
    tensors : mapping of str to (3, 3) or (1, 1) array
        Inertia about the center of mass, kg m².
    """
    widest = _size(mechanism, mechanism.joints, [])
    for name, tensor in tensors.items():
        body = mechanism.body[name]
        radius = radius_of_gyration(body.mass, tensor)
        at = body.center
        known = at is not None and (not isinstance(at, str) or at in mechanism.positions)
        centers = [mechanism.locate(at, "a center")] if known and at is not None else []
        size = _size(mechanism, mechanism.joints_of[name], centers)
        large = widest > 0.0 and radius > LARGEST * max(widest, size)
        if radius and (large or radius < SMALLEST * size):
            _warn(mechanism, name, radius, size)


def warn_of_centers(mechanism: Mechanism, centers: Mapping[str, Array]) -> None:
    """Warn of centers of mass that are far from the whole mechanism.

    Parameters
    ----------
    mechanism : Mechanism
    centers : mapping of str to (d,) array
        Stated centers of mass, m.
    """
    widest, at = _size(mechanism, mechanism.joints, []), _ends(mechanism, mechanism.joints)
    for name, center in centers.items():
        away = float(np.linalg.norm(center - np.mean(at, axis=0))) if at else 0.0
        if away > FAR * widest > 0.0:
            far, wide = mechanism.units.text(away), mechanism.units.text(widest)
            warnings.warn(
                f"body {name!r}: its center of mass is {far} from the middle of all joints, which lie within {wide}. "
                "Centers are in the coordinates and units of the points",
                GroupkinWarning,
                stacklevel=5,
            )


def _size(mechanism: Mechanism, joints: Iterable[Joint], points: list[Array]) -> float:
    """Diagonal of the box, m, around the points of some joints and others; zero where there are none."""
    found = [*points, *_ends(mechanism, joints)]
    return float(np.linalg.norm(np.ptp(np.array(found), axis=0))) if found else 0.0


def _ends(mechanism: Mechanism, joints: Iterable[Joint]) -> list[Array]:
    """Points of joints, m."""
    return [mechanism.locate(end, "a joint") for joint in joints for end in joint.ends if end is not None]


def _warn(mechanism: Mechanism, name: str, radius: float, size: float) -> None:
    units = mechanism.units
    factor, unit = conversion("m", units)
    in_files = "" if units == SI else f", in files of this mechanism in {units.mass} {units.length}²"
    warnings.warn(
        f"body {name!r}: its inertia and mass have a radius of gyration of {factor * radius:.3g} {unit}, its joints "
        f"and center lie within {factor * size:.3g} {unit}. Inertia is in kg m² in Python{in_files}; leave it out "
        "for a point mass",
        GroupkinWarning,
        stacklevel=6,
    )


def fixed_axes(mechanism: Mechanism) -> dict[str, Array]:
    """List the bodies in space that turn about one global direction only, with that direction (3,).

    Of a body that does not turn at all it is zero. A body turns so if a joint guides it along such a body about the
    same direction; what loops of several joints may enforce beyond that is left out.
    """
    found = {mechanism.frame: np.zeros(3)}
    waiting = [mechanism.frame]
    while waiting:
        body = waiting.pop()
        for joint in mechanism.joints_of[body]:
            other = joint.bodies[1 - joint.bodies.index(body)]
            axis = _axis(mechanism, joint)
            if axis is None:
                continue
            known = found[body]
            direction = axis if not known.any() else known
            if axis.any() and np.linalg.norm(np.cross(axis, direction)) > PARALLEL:
                continue
            if other not in found or (found[other].any() and not direction.any()):
                found[other] = direction
                waiting.append(other)
    return found


def _axis(mechanism: Mechanism, joint: Joint) -> Array | None:
    """The direction of the only rotation of a joint, zero where there is none; None of other joints."""
    if joint.type not in GUIDES or joint.axis is None:
        return None
    turns = any(move.rotation for move in mechanism.form(joint).moves)
    return mechanism.direction(joint) if turns else np.zeros(3)
