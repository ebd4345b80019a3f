"""What can be read from a motion: coordinates of points, bodies and joints, with their components and units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cluster.sweeps.locations import unknown
from groupkin.errors import SweepError
from groupkin.mechanism.pairs import freedom_index, hint

if TYPE_CHECKING:
    from groupkin.kinematics.program.program import Program

ORDERS = {"position": 0, "velocity": 1, "acceleration": 2}
SPINS = ("angular_velocity", "angular_acceleration")
KINDS = (*ORDERS, "angle", *SPINS, "rotation", "joint")
"""Of a point or body: position, velocity, acceleration. Of a body: its angle (in the plane, unwrapped), angular
velocity and acceleration, rotation matrix. Of a joint: its coordinates."""

UNITS = {
    "velocity": "m/s",
    "acceleration": "m/s^2",
    "angle": "rad",
    "angular_velocity": "rad/s",
    "angular_acceleration": "rad/s^2",
    "rotation": "1",
}
"""Units of kinds; positions are in m, and coordinates of joints in the units of their freedoms."""


@dataclass(frozen=True)
class Quantity:
    """Something that can be read from a motion.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    of : str
        Name of a point, body or joint.
    component : str
        x, y, z or ``norm`` of a vector, a freedom of a joint; all components if empty.
    """

    kind: str
    of: str
    component: str = ""

    @property
    def label(self) -> str:
        """Default name in results."""
        kind = "" if self.kind == "joint" and self.component else self.kind
        return ".".join(part for part in (self.of, kind, self.component) if part)


def check_quantity(quantity: Quantity, program: Program) -> None:
    """Refuse a quantity that the mechanism does not have.

    Raises
    ------
    SweepError, UnknownNameError
    """
    mechanism, geometry = program.mechanism, program.geometry
    points = list(geometry.points) if quantity.kind in ORDERS else []
    names = list(geometry.joints) if quantity.kind == "joint" else [*mechanism.body, *points]
    if quantity.kind not in KINDS:
        raise SweepError(f"{quantity.kind!r} cannot be kept{hint(quantity.kind, KINDS)}")
    if quantity.of not in names:
        what = "joint" if quantity.kind == "joint" else "body or point" if points else "body"
        if what.endswith("point") and quantity.of in mechanism.positions:
            raise SweepError(f"point {quantity.of!r} is on no body: name it in the `points` of one")
        raise unknown(what, quantity.of, names)
    if quantity.kind == "joint":
        joint = mechanism.joint[quantity.of]
        if quantity.component:
            freedom_index(joint.type, mechanism.dimension, quantity.component, joint.follower)
        return
    if quantity.kind == "angle" and mechanism.dimension == 3:
        raise SweepError(f"body {quantity.of!r} moves in space: keep its rotation instead of an angle")
    plain = quantity.kind in ("angle", "rotation") or (quantity.kind in SPINS and mechanism.dimension == 2)
    allowed = () if plain else (*"xyz"[: mechanism.dimension], "norm")
    if quantity.component and quantity.component not in allowed:
        has = f"has the components {', '.join(allowed)}" if allowed else "has no components to choose from"
        raise SweepError(f"the {quantity.kind} of {quantity.of!r} {has}, not {quantity.component!r}")


def components(quantity: Quantity, program: Program) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the dimensions of a quantity beyond samples and times, and their labels."""
    axes = tuple("xyz"[: program.mechanism.dimension])
    if quantity.component or quantity.kind == "angle" or (quantity.kind in SPINS and len(axes) == 2):
        return (), ()
    if quantity.kind == "rotation":
        return ("axis", "local_axis"), (axes, axes)
    if quantity.kind == "joint":
        freedoms = tuple(freedom.name for freedom in program.mechanism.freedoms(program.mechanism.joint[quantity.of]))
        return ((f"freedom_{quantity.of}",), (freedoms,)) if len(freedoms) > 1 else ((), ())
    return ("axis",), (axes,)


def unit(quantity: Quantity, program: Program) -> str:
    """Return the unit of a quantity, or the units of its components."""
    if quantity.kind != "joint":
        return UNITS.get(quantity.kind, "m")
    joint = program.mechanism.joint[quantity.of]
    freedoms = program.mechanism.freedoms(joint)
    if quantity.component:
        index = freedom_index(joint.type, program.mechanism.dimension, quantity.component, joint.follower)
        return freedoms[index].unit
    units = [freedom.unit for freedom in freedoms]
    return units[0] if len(set(units)) == 1 else ", ".join(units)
