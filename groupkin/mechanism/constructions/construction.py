"""What all constructions of points have in common, and the points that they give.

Each construction is a formula, and its numbers are values (`groupkin.mechanism.values`) that designs can vary: those
without a name of their own are named after the point, such as ``C.lengths[0]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from graphlib import CycleError, TopologicalSorter
from math import isfinite
from typing import Any, ClassVar

from groupkin.arguments import check_fields
from groupkin.errors import GeometryError, UnknownNameError
from groupkin.mechanism.constructions.vectors import Vector
from groupkin.mechanism.units import SI, Units
from groupkin.mechanism.values import Value
from groupkin.messages import hint

AXES = {"x": 1, "y": 0}
"""Mirror lines through the origin of the plane, and the coordinate that changes its sign."""

PLANES = {"yz": 0, "xz": 1, "xy": 2}
"""Mirror planes through the origin of space, and the coordinate that changes its sign."""

MIRRORS = (*AXES, *PLANES)


ANGLES = ("angle", "elevation", "twist")
"""Fields of constructions that are angles (rad); `share` has no unit, and all other numbers are lengths (m)."""


class Placed(tuple[float, ...]):
    """Coordinates of a point that remember its construction."""

    construction: Construction

    def __new__(cls, coordinates: Sequence[float], construction: Construction) -> Placed:
        self = super().__new__(cls, coordinates)
        self.construction = construction
        return self

    def of(self, coordinates: Sequence[float], changed: Callable[[Any], Any]) -> Placed:
        """Return other coordinates of the same construction, with its numbers changed."""
        return Placed(coordinates, changed(self.construction))

    def __reduce__(self) -> tuple[Any, ...]:
        return Placed, (tuple(self), self.construction)


@dataclass(frozen=True)
class Construction:
    """Base class of all constructions."""

    def __post_init__(self) -> None:
        check_fields(self, GeometryError)

    POINTS: ClassVar[tuple[str, ...]] = ()
    """Fields that name points."""

    @property
    def named(self) -> tuple[str, ...]:
        """The points that it starts from."""
        waiting, names = [getattr(self, part) for part in self.POINTS], []
        for each in waiting:
            if isinstance(each, str):
                names.append(each)
            else:
                waiting += each or ()
        return tuple(name for name in names if name not in MIRRORS)

    def at(self, points: Mapping[str, Vector], units: Units) -> Vector:
        """Compute the coordinates, m, from those of other points.

        Raises
        ------
        GeometryError
        """
        raise NotImplementedError


def from_lengths(points: Mapping[str, Any], units: Units = SI) -> dict[str, Any]:
    """Compute the coordinates of points that are given by construction; others stay as they are.

    Parameters
    ----------
    points : mapping of str to coordinates or Construction
        m and rad.
    units : Units
        Of numbers in messages.

    Returns
    -------
    dict of str to coordinates
        m. A mechanism takes them, or the constructions themselves, as its `points`.

    Raises
    ------
    UnknownNameError, GeometryError
        If a construction starts from no named point or from itself, or has no solution.

    Examples
    --------
    >>> import groupkin as gk
    >>> from_lengths({"A": (0.0, 0.0), "B": gk.Polar("A", 2.0, 0.0), "C": gk.Circles(("A", "B"), (2.0, 2.0))})["C"]
    (1.0, 1.7320508075688772)
    """
    made = {name: x for name, x in points.items() if isinstance(x, Construction)}
    for name, construction in made.items():
        missing = next((other for other in construction.named if other not in points), None)
        if missing is not None:
            raise UnknownNameError(
                f"point {name!r} is constructed from {missing!r}, which is no named point{hint(missing, points)}; "
                "constructions start from points in `points`"
            )
    try:
        order = list(
            TopologicalSorter({name: [x for x in c.named if x in made] for name, c in made.items()}).static_order()
        )
    except CycleError as error:
        way = " → ".join(map(repr, reversed(error.args[1])))
        raise GeometryError(f"points are constructed from each other in a circle: {way}; give one of them") from None
    found = dict(points)
    for name in order:
        construction = with_values(made[name], name)
        try:
            coordinates = construction.at(found, units)
            if not all(map(isfinite, coordinates)):
                raise GeometryError("its numbers have no solution")
        except GeometryError as error:
            raise GeometryError(f"point {name!r}: {error}") from None
        found[name] = Placed(coordinates, construction)
    return found


def with_values(construction: Construction, point: str) -> Construction:
    """Name the numbers of a construction after its point, but those that have names or are computed."""
    changes = {}
    for part in fields(construction):
        if part.name not in construction.POINTS:
            changes[part.name] = with_name(getattr(construction, part.name), f"{point}.{part.name}")
    return replace(construction, **changes)


def with_name(value: Any, name: str) -> Any:
    """Name a number, or all of a sequence, but those that have a name or are computed."""
    if isinstance(value, tuple | list):
        return tuple(with_name(x, f"{name}[{k}]") for k, x in enumerate(value))
    if isinstance(value, Value | str | bool) or value is None:
        return value
    return Value(name, value)
