"""Units of the numbers of forces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from groupkin.mechanism.forces.forces import (
    Bushing,
    Contact,
    Force,
    Friction,
    JointForce,
    JointFriction,
    JointSpring,
    Load,
    Spring,
    Torque,
)
from groupkin.mechanism.units import Units

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism

L = TypeVar("L", bound=Load)


def unit_factors(load: Load, mechanism: Mechanism, units: Units) -> dict[str, float | tuple[float, float]]:
    """List what the numbers of a force in a file's units are multiplied by for N, m and rad; of tables each column."""
    force, length = units.newtons, units.meters
    if isinstance(load, Force):
        return {"force": force}
    if isinstance(load, Torque):
        return {"torque": force * length}
    if isinstance(load, Bushing):
        turning, angle = force * length, units.radians
        return {
            **dict.fromkeys(("stiffness", "damping"), force / length),
            **dict.fromkeys(("torsion", "torsion_damping"), turning / angle),
        }
    if isinstance(load, Contact):
        sizes = dict.fromkeys(("radius", "speed"), length)
        return {"stiffness": force / length**load.exponent, "damping": 1.0 / length, **sizes}
    if isinstance(load, Friction):
        return {"radius": length, "length": length, "speed": length}
    along = length
    if not isinstance(load, Spring) and load.joint in mechanism.joint:
        freedoms = mechanism.freedoms(mechanism.joint[load.joint])
        named = [freedom for freedom in freedoms if load.freedom in (None, freedom.name)]
        if named and named[0].rotation:
            force, along = force * length, units.radians
    if isinstance(load, JointForce):
        return {"force": force}
    if isinstance(load, JointFriction):
        return {"force": force, "damping": force / along, "speed": along}
    at = "length" if isinstance(load, Spring) else "position"
    tables = dict.fromkeys(("table", "damping_table"), (along, force))
    return {"stiffness": force / along, at: along, "damping": force / along, "preload": force, **tables}


def unit_of(load: Load, mechanism: Mechanism) -> str:
    """Unit of what a force does: N, or N*m of torques and of forces in joints that turn."""
    turning = isinstance(load, Torque)
    if isinstance(load, JointSpring | JointForce | JointFriction):
        freedoms = mechanism.freedoms(mechanism.joint[load.joint])
        turning = next(freedom for freedom in freedoms if load.freedom in (None, freedom.name)).rotation
    return "N*m" if turning else "N"


def scaled(
    load: L, factors: Mapping[str, float | tuple[float, float]], operation: Callable[[float, float], float]
) -> L:
    """Apply an operation with a factor to the numbers of a force: multiplication, or a division."""

    def changed(value: Any, factor: float | tuple[float, float]) -> Any:
        if isinstance(factor, tuple):
            return tuple(tuple(map(operation, row, factor)) for row in value)
        if isinstance(value, tuple):
            return tuple(changed(x, factor) for x in value)
        return None if value is None else operation(value, factor)

    return replace(load, **{name: changed(getattr(load, name), factor) for name, factor in factors.items()})
