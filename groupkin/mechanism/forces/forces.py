"""The forces of a mechanism: all kinds of them by their names in files, their checks and units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from groupkin.errors import DuplicateNameError
from groupkin.mechanism.forces.bushing import Bushing
from groupkin.mechanism.forces.contact import Contact
from groupkin.mechanism.forces.force import Force
from groupkin.mechanism.forces.friction import Friction
from groupkin.mechanism.forces.joint_force import JointForce
from groupkin.mechanism.forces.joint_friction import JointFriction
from groupkin.mechanism.forces.joint_inertia import JointInertia
from groupkin.mechanism.forces.joint_spring import JointSpring
from groupkin.mechanism.forces.spring import Spring
from groupkin.mechanism.forces.stop import Stop
from groupkin.mechanism.forces.torque import Torque

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism

__all__ = ["Bushing", "Contact", "Force", "Friction", "JointForce", "JointFriction", "JointInertia", "JointSpring"]
__all__ += ["Spring", "Stop", "KINDS", "Load", "Torque", "check_forces", "scaled"]

Load = (
    Spring
    | JointSpring
    | Force
    | Torque
    | JointForce
    | JointFriction
    | JointInertia
    | Friction
    | Bushing
    | Contact
    | Stop
)

KINDS: dict[str, type[Load]] = {
    "spring": Spring,
    "joint_spring": JointSpring,
    "force": Force,
    "torque": Torque,
    "joint_force": JointForce,
    "joint_friction": JointFriction,
    "joint_inertia": JointInertia,
    "friction": Friction,
    "bushing": Bushing,
    "contact": Contact,
    "stop": Stop,
}
"""Kinds of forces by their names in files."""

L = TypeVar("L", bound=Load)


def check_forces(mechanism: Mechanism) -> None:
    """Refuse forces at what does not exist, and invalid numbers.

    Raises
    ------
    ForceError, UnknownNameError, DuplicateNameError
    """
    counts = Counter(load.name for load in mechanism.forces)
    repeated = next((name for name, number in counts.items() if number > 1), None)
    if repeated is not None:
        raise DuplicateNameError(f"two forces are named {repeated!r}; names must be unique")
    for load in mechanism.forces:
        load.check(mechanism, f"force {load.name!r}")


def scaled(
    load: L, factors: Mapping[str, float | tuple[float, float]], operation: Callable[[float, float], float]
) -> L:
    """Apply an operation with a factor to the numbers of a force: multiplication, or a division."""
    return replace(load, **scaled_numbers(load, factors, operation))


def scaled_numbers(
    load: Load, factors: Mapping[str, float | tuple[float, float]], operation: Callable[[float, float], Any]
) -> dict[str, Any]:
    """List the fields of a force with numbers, to each of which an operation with its factor is applied."""

    def changed(value: Any, factor: float | tuple[float, float]) -> Any:
        if isinstance(factor, tuple):
            return tuple(tuple(map(operation, row, factor)) for row in value)
        if isinstance(value, tuple):
            return tuple(changed(x, factor) for x in value)
        return None if value is None else operation(value, factor)

    return {name: changed(getattr(load, name), factor) for name, factor in factors.items()}
