"""What all kinds of forces have: checked fields, functions of the user, freedoms of joints."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from groupkin.arguments import check_fields
from groupkin.errors import ForceError, UnknownNameError
from groupkin.mechanism import pairs
from groupkin.mechanism.forces.force_checks import check_numbers, check_sizes, check_tables, is_loose, joint_of
from groupkin.mechanism.forces.force_functions import CompiledFunction, compiled, is_compiled
from groupkin.mechanism.forces.pull import Pull
from groupkin.mechanism.parts import Point, frozen
from groupkin.mechanism.units import Units

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism

SLOW = 0.001
"""Default of `speed` (m/s or rad/s), below which friction grows with the velocity."""

Factors = dict[str, float | tuple[float, float]]
"""Factors of fields, of tables one for each column."""


class ForcePart:
    """A kind of force; its fields are checked and made constant when it is made.

    `UNITS` are those of numbers and tables, of the latter of both columns: N, m, rad and s, `F` of the force, `x` of
    the coordinate along which it acts and `J` of the inertia along it. `SIZES` must not be negative, and `POSITIVE`
    ones not zero either.
    """

    name: str
    UNITS: ClassVar[dict[str, str]] = {}
    SIZES: ClassVar[tuple[str, ...]] = ()
    POSITIVE: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        check_fields(self, ForceError)
        part: Any = self
        for each in fields(part):
            object.__setattr__(self, each.name, frozen(getattr(self, each.name)))

    def check(self, mechanism: Mechanism, where: str) -> None:
        """Refuse names that do not exist and numbers that are invalid; `where` begins the messages.

        Raises
        ------
        ForceError, UnknownNameError, DuplicateNameError
        """
        check_numbers(self, where, [name for name, unit in self.UNITS.items() if " " not in unit])
        check_sizes(self, where, self.SIZES, self.POSITIVE)
        check_tables(self, where)

    def factors(self, mechanism: Mechanism, units: Units) -> Factors:
        """Factors from the units of a file to N, m and rad, by fields; of tables one for each column."""
        bases = self.bases(mechanism, units)
        every = {name: [_factor(each, bases) for each in unit.split()] for name, unit in self.UNITS.items()}
        return {name: tuple(each) if len(each) > 1 else each[0] for name, each in every.items()}  # type: ignore[misc]

    def bases(self, mechanism: Mechanism, units: Units) -> dict[str, float]:
        """Factors of the units of which `UNITS` are made."""
        force, length = units.newtons, units.meters
        plain = {"1": 1.0, "N": force, "m": length, "rad": units.radians, "s": 1.0}
        return plain | {"F": force, "x": length, "J": units.kilograms}

    def base_units(self, mechanism: Mechanism) -> dict[str, str]:
        """SI units that letters of `UNITS` stand for."""
        return {"F": "N", "x": "m", "J": "kg"}

    def unit_of(self, field: str, mechanism: Mechanism) -> str:
        """SI unit of a field that is a number."""
        bases = self.base_units(mechanism)
        return re.sub(r"\w+", lambda name: bases.get(name[0], name[0]), self.UNITS[field])

    def unit(self, mechanism: Mechanism) -> str:
        """Unit of the amount of the force: N, or N*m."""
        return "N"

    def ends(self) -> list[tuple[str, Point]]:
        """Bodies and points that the force acts on; none of torques and of forces in joints."""
        return []

    def on(self, mechanism: Mechanism) -> str:
        """Bodies or joint that the force acts on, for tables."""
        part: Any = self
        return str(part.joint) if hasattr(self, "joint") else " – ".join(getattr(self, "between", ()) or (part.body,))


def _factor(unit: str, bases: dict[str, float]) -> float:
    """Evaluate a unit such as ``N*m/rad``."""
    factor = 1.0
    for sign, name in re.findall(r"([*/]?)(\w+)", unit):
        factor = factor / bases[name] if sign == "/" else factor * bases[name]
    return factor


@dataclass(frozen=True)
class WithFunction(ForcePart):
    """A force that may be a function of the user."""

    function: Callable[..., Any] | None = field(default=None, kw_only=True, hash=False)
    of: Sequence[str] = field(default=(), kw_only=True)
    AMOUNT: ClassVar[str] = ""
    """Field that a function takes the place of; empty if it acts beside the others."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.compiled

    @cached_property
    def compiled(self) -> CompiledFunction | None:
        """The function, if numba compiles it; it is kept as long as the force."""
        return compiled(self.name, self.function) if self.function is not None and is_compiled(self.function) else None

    def components(self, mechanism: Mechanism) -> int:
        """Number of components that the function gives."""
        return 1

    def check(self, mechanism: Mechanism, where: str) -> None:
        super().check(mechanism, where)
        self.check_function(where)

    def check_function(self, where: str) -> bool:
        """Whether the force is a function, which then takes the place of a number and its law.

        Raises
        ------
        ForceError
            If both or none are there, or quantities `of` a function that is not.
        """
        if self.of and self.function is None:
            raise ForceError(f"{where}: quantities `of` which it is are those of a `function`, which it lacks")
        if not self.AMOUNT:
            return self.function is not None
        stated = getattr(self, self.AMOUNT)
        none = stated is None or (not isinstance(stated, float | int) and len(stated) == 0)
        if self.function is None and none:
            raise ForceError(f"{where} needs either a `{self.AMOUNT}` or a `function`")
        if self.function is not None and (not none or getattr(self, "law", None) is not None):
            raise ForceError(f"{where} has either a `{self.AMOUNT}`, with or without a `law`, or a `function` of time")
        return self.function is not None

    def __reduce__(self) -> Any:
        part: Any = self
        if self.function is not None:
            raise ForceError(
                f"force {self.name!r} is a function in Python, which cannot be saved or sent to other processes"
            )
        return _made, (type(self), {each.name: getattr(self, each.name) for each in fields(part)})


def _made(kind: type, stated: dict[str, Any]) -> Any:
    return kind(**stated)


class InJoint(ForcePart):
    """A force along a freedom of a joint that need not know what the joint carries."""

    joint: str
    freedom: str | None

    def check(self, mechanism: Mechanism, where: str) -> None:
        joint = joint_of(mechanism, self.joint, where)
        try:
            self.freedom_of(mechanism)
        except UnknownNameError as error:
            raise UnknownNameError(f"{where} (joint {joint.name!r}): {error}") from None
        if is_loose(mechanism, joint):
            raise ForceError(
                f"{where} is in joint {joint.name!r} of type {joint.type}; a contact takes no springs or forces: "
                "give it to a joint that guides one of its bodies, or between two points"
            )
        super().check(mechanism, where)

    def freedom_of(self, mechanism: Mechanism) -> tuple[str, int]:
        """Joint, and number of its freedom, that the force is along."""
        joint = mechanism.joint[self.joint]
        return joint.name, pairs.freedom_index(joint.type, mechanism.dimension, self.freedom, joint.follower)

    def unit(self, mechanism: Mechanism) -> str:
        return "N*m" if self._turns(mechanism) else "N"

    def pull(self, mechanism: Mechanism) -> Pull:
        """Law along the coordinate of the freedom."""
        raise NotImplementedError

    @property
    def counts_turns(self) -> bool:
        """Whether the force depends on the coordinate, and so on the whole turns of an angle."""
        return False

    def on(self, mechanism: Mechanism) -> str:
        return mechanism.driver_name(*self.freedom_of(mechanism))

    def bases(self, mechanism: Mechanism, units: Units) -> dict[str, float]:
        known = super().bases(mechanism, units)
        if not self._turns(mechanism):
            return known
        return known | {"F": known["N"] * known["m"], "x": known["rad"], "J": known["J"] * known["m"] ** 2}

    def base_units(self, mechanism: Mechanism) -> dict[str, str]:
        return {"F": "N*m", "x": "rad", "J": "kg*m^2"} if self._turns(mechanism) else super().base_units(mechanism)

    def _turns(self, mechanism: Mechanism) -> bool:
        """Whether the force is along a rotation; not of a joint that does not exist, which is refused elsewhere."""
        freedoms = mechanism.freedoms(mechanism.joint[self.joint]) if self.joint in mechanism.joint else ()
        return next((freedom.rotation for freedom in freedoms if self.freedom in (None, freedom.name)), False)
