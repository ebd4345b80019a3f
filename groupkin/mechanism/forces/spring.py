"""Springs and dampers between points of two bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from groupkin.arguments import Name
from groupkin.errors import ForceError, shown
from groupkin.mechanism.forces.force_checks import check_ends
from groupkin.mechanism.forces.part import WithFunction
from groupkin.mechanism.forces.pull import ELASTIC, Pull, elastic
from groupkin.mechanism.parts import Point

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism


@dataclass(frozen=True)
class Spring(WithFunction):
    """A spring and damper between points of two bodies.

    It pulls its ends together by stiffness · (distance - length) + damping · (rate of the distance) + preload, N, and
    by what tables tell: pairs of distance and pull, and of its rate and pull, joined by cubics that rise and fall with
    the pairs alone (Fritsch and Butland 1984) and go on as lines.

    Parameters
    ----------
    name : str
    between : (str, str)
        The two bodies.
    points : (point, point)
        A point on each: a name, or global coordinates in the reference configuration, m.
    stiffness : float
        N/m.
    length : float, optional
        Distance of the points at which the spring is free, m. Default: that in the reference configuration.
    damping : float
        N s/m.
    preload : float
        Pull at the free length, N; negative for a push.
    table : (k, 2) sequence of float
        Distances, m, in rising order, and pulls, N.
    damping_table : (k, 2) sequence of float
        Rates of the distance, m/s, in rising order, and pulls, N.
    function : callable, optional
        ``function(t, x)``, by whose value, N, it pulls as well. The numbers x are the distance, its rate, and then
        those of the quantities `of`; see `groupkin.mechanism.forces.force_functions`.
    of : sequence of str
        Such as ``velocity P``, ``position P.x``, ``joint slide``, ``joint_rate slide``, ``angular_velocity arm`` and
        ``rotation arm``.
    """

    name: Name
    between: tuple[str, str]
    points: tuple[Point, Point]
    stiffness: float = 0.0
    length: float | None = None
    damping: float = 0.0
    preload: float = 0.0
    table: Sequence[Sequence[float]] = ()
    damping_table: Sequence[Sequence[float]] = ()

    UNITS: ClassVar = ELASTIC | {"length": "x"}

    def check(self, mechanism: Mechanism, where: str) -> None:
        check_ends(mechanism, self.between, where)
        if len(self.points) != 2:
            raise ForceError(f"{where}: `points` must be two, one on each body, not {shown(self.points)}")
        for point in self.points:
            mechanism.locate(point, where)
        super().check(mechanism, where)
        if self.length is not None and self.length < 0:
            raise ForceError(f"{where}: its free length must not be negative, but is {self.length!r} m")

    def ends(self) -> list[tuple[str, Point]]:
        return list(zip(self.between, self.points, strict=True))

    def pull(self, length: float) -> Pull:
        """Law along the distance of the ends, which is `length` (m) in the reference configuration."""
        return elastic(self, length if self.length is None else self.length)
