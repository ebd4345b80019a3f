"""Limits of a driver: where groups are singular or cannot be assembled, branches between them, and circuits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from groupkin.arguments import checked
from groupkin.errors import DeterminedByCountOnlyError, NotModeledError
from groupkin.kinematics.limits.branch_motion import Placed, motion_along, placed_along
from groupkin.kinematics.limits.branches import KINDS, Branch, Circuit, Found, Limit, circuit_of
from groupkin.kinematics.limits.checks import Freedom, check_range, driver_of, standing
from groupkin.kinematics.limits.circuits import MOST_CURVES, Arc, Node, divide, follow_all, singular_groups
from groupkin.kinematics.limits.combined import Cell, Ending, MeetError, PartCurves, combine, placed_in
from groupkin.kinematics.limits.configuration_curves import Curve, corrected
from groupkin.kinematics.limits.curve_starts import driver_values, held
from groupkin.kinematics.limits.end_stops import stopped
from groupkin.kinematics.limits.independent_parts import Part, parts_of, whole
from groupkin.kinematics.limits.released import Released
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.ranges import Outside, outside
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import program as program_of
from groupkin.kinematics.solving.run import run
from groupkin.mechanism.couplings.relations import refuse_couplings
from groupkin.mechanism.mechanism import Mechanism
from groupkin.showing import InNotebooks, renderer
from groupkin.structure.decomposition import Structure
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from groupkin.kinematics.motion.quantities import Quantity


@dataclass(frozen=True, eq=False)
class Limits(InNotebooks):
    """How far a driver can go.

    Attributes
    ----------
    structure : Structure
    driver : str
        Name of the driven joint, with that of its freedom where it has several.
    unit : {"rad", "m"}
    value : float
        Of the driver at `time`.
    start, stop : float
        Of the range that was looked at; infinite by default.
    time : float
        s, at which all other drivers are held.
    limits : tuple of Limit
    branches : tuple of Branch
    circuits : tuple of Circuit
        First that of the configuration at `time`.
    complete : bool
        False if there were so many configurations that not all were looked at.
    outside : tuple of Outside
        Ends of ranges beyond which the configuration at `time` is; then it is in no circuit.
    """

    structure: Structure
    driver: str
    unit: str
    value: float
    start: float
    stop: float
    time: float
    limits: tuple[Limit, ...]
    branches: tuple[Branch, ...]
    circuits: tuple[Circuit, ...]
    complete: bool
    outside: tuple[Outside, ...] = ()

    def __repr__(self) -> str:
        from groupkin.kinematics.limits.limit_listing import text

        return text(self)

    def plot(self, output: str | Quantity, out: str | Path | None = None, width: float = 86.0) -> Figure:
        """Plot an output over the driver, see `groupkin.look.plots.limit_plots.plot_limits`."""
        return renderer("Limits.plot")(self, output, out, width)

    @property
    def turns_fully(self) -> bool:
        """Whether the driver turns fully from the configuration at `time`, through change points if there are any."""
        return not self.outside and self.circuits[0].turns > 0

    @property
    def values(self) -> tuple[float, ...]:
        """The values of the driver at all limits, rad or m."""
        return tuple(limit.value for limit in self.limits)


@checked
def limits(
    mechanism: Mechanism | Program,
    driver: str | None = None,
    *,
    start: float | None = None,
    stop: float | None = None,
    time: float = 0.0,
    progress: Callable[[int, int], None] | None = None,
) -> Limits:
    """Find the values of a driver at which groups are singular or cannot be assembled, all other drivers held.

    The driver is released, and the curves of configurations are followed on which the mechanism then moves, from all
    its assembly modes. Where joints or other quantities have ranges, branches end where these do.

    Parameters
    ----------
    mechanism : Mechanism or Program
    driver : str, optional
        A driven joint such as ``crank``, or one of its freedoms such as ``pose.x``; needed where there are several.
    start, stop : float, optional
        Range that is looked at, rad or m; default: as far as the driver goes.
    time : float
        s, at which all other drivers are held.
    progress : callable, optional
        Called with how many values of the driver have been looked at, and of how many; of several parts of the
        mechanism that move independently, one after another.

    Returns
    -------
    Limits

    Raises
    ------
    ArgumentError, TimesError, UnknownNameError
        If the range is none, the time is not finite, or no driver has this name.
    MechanismError, StructureError
    CannotAssembleError, SingularPositionError, NotConvergedError
        If no configuration is found in the range.
    OutsideRangesError
        If none is within the ranges of joints and other quantities.

    Examples
    --------
    >>> import groupkin as gk
    >>> bodies = ["frame", "crank", "rod", "piston"]
    >>> joints = [
    ...     gk.Joint("bearing", "R", ("frame", "crank"), point=(0, 0)),
    ...     gk.Joint("pin", "R", ("crank", "rod"), point=(0, 0.05)),
    ...     gk.Joint("wrist", "R", ("rod", "piston"), point=(0.12, 0)),
    ...     gk.Joint("bore", "P", ("frame", "piston"), point=(0.12, 0), axis=(1, 0)),
    ... ]
    >>> engine = gk.Mechanism(2, bodies, joints, [gk.Driver("bore", gk.Constant(0.0))])
    >>> found = limits(engine)
    >>> [round(limit.value, 9) for limit in found.limits if limit.circuit == 1]
    [0.06, -0.04]
    """
    low, high = check_range(start, stop, time)
    described = mechanism.mechanism if isinstance(mechanism, Program) else mechanism
    freedom = driver_of(described, driver)
    refuse_couplings(described, "limits")
    name, move = described.driver_name(*freedom), described.freedoms(described.joint[freedom[0]])[freedom[1]]
    program = mechanism if isinstance(mechanism, Program) else standing(mechanism, freedom, program_of)
    if program.structure.accepted:
        raise NotModeledError(
            f"{described.name}: limits follow configurations in which all joints are closed, but "
            f"{program.structure.accepted}; state dimensions with more digits, and no misfit"
        )
    values = driver_values(program, time)
    value = values[freedom]
    if move.middle:  # of three rotations, which must stay within a quarter turn
        low, high = max(low, -np.pi / 2), min(high, np.pi / 2)
    inside = values if low <= value <= high else values | {freedom: _within(low, high)}
    found = _found(program, inside, freedom, (low, high), progress)
    if found is None:
        run(held(program, inside), np.zeros(1))  # says what cannot be solved there
        raise DeterminedByCountOnlyError(
            f"{program.mechanism.name}: with {name} released its configurations are no curve, for its equations lack "
            "rank wherever it was looked; hold or drive what else can move"
        )
    passed: tuple[Outside, ...] = ()
    if described.has_ranges:
        at = run(held(program, inside), np.zeros(1), on_failure="nan")
        found, passed = stopped(found, at), outside(at) if inside == values else ()
    at_limits, branches, circuits, complete = found
    return Limits(
        program.structure, name, move.unit, value, low, high, time, at_limits, branches, circuits, complete, passed
    )


def _found(
    program: Program, values: dict[Freedom, float], driver: Freedom, bounds: tuple[float, float],
    progress: Callable[[int, int], None] | None,
) -> Found | None:  # fmt: skip
    """Find limits, branches and circuits; None if there is no curve."""
    parts = parts_of(program, driver)
    if len(parts) > 1:
        followed = []
        complete = True
        for part in parts:
            curves, looked_at_all = follow_all(part, values, driver, *bounds, progress)
            complete &= looked_at_all
            if not curves:
                return None
            nodes, arcs, _ = divide(curves)
            followed.append(PartCurves(part, curves, nodes, arcs))
        try:
            return _combined(program, followed, values, driver, complete)
        except MeetError:  # then curves of the mechanism cross there, which are to be followed
            parts = (whole(program, driver),)
    curves, complete = follow_all(parts[0], values, driver, *bounds, progress)
    return _single(parts[0], curves, values, driver, complete) if curves else None


def _single(part: Part, curves: list[Curve], values: dict[Freedom, float], driver: Freedom, complete: bool) -> Found:
    """List the limits, branches and circuits on the curves of a whole mechanism."""
    nodes, arcs, circuit_numbers = divide(curves)
    found = tuple(_limit(k, part, curves, node, circuit_numbers[node.curve] + 1) for k, node in enumerate(nodes, 1))
    branches = _branches(part, curves, arcs, circuit_numbers, values, driver)
    turns = [0] * (max(circuit_numbers) + 1)
    for curve, circuit in zip(curves, circuit_numbers, strict=True):
        turns[circuit] = max(turns[circuit], abs(curve.turns))
    circuits = tuple(circuit_of(number, branches, found, most) for number, most in enumerate(turns, 1))
    return found, branches, circuits, complete


def _within(low: float, high: float) -> float:
    """A value inside of a range, an end of which may be infinite."""
    return 0.5 * (low + high) if np.isfinite(high - low) else low if np.isfinite(low) else high


def _limit(number: int, part: Part, curves: list[Curve], node: Node, circuit: int) -> Limit:
    released = curves[node.curve].released
    groups = singular_groups(part, released, node.z, node.kind == "change")
    return Limit(number, float(node.z[-1] * released.unit), KINDS[node.kind], groups, circuit)


def _branches(
    part: Part, curves: list[Curve], arcs: list[Arc], circuits: list[int], values: dict[Freedom, float],
    driver: Freedom,
) -> tuple[Branch, ...]:  # fmt: skip
    found = []
    for k, arc in enumerate(sorted(arcs, key=lambda arc: circuits[arc.curve])):
        released = curves[arc.curve].released
        first, last = (float(arc.z[row, -1] * released.unit) for row in (0, -1))
        ends, limits = (tuple(KINDS[kind] for kind in arc.kinds), tuple(x if x is None else x + 1 for x in arc.ends))
        along, lap = partial(_along_arc, part, released, arc, values, driver), abs(curves[arc.curve].turns)
        found.append(Branch(k + 1, circuits[arc.curve] + 1, first, last, ends, limits, along, (arc.curve, lap)))  # type: ignore[arg-type]
    return tuple(found)


def _along_arc(
    part: Part, released: Released, arc: Arc, values: dict[Freedom, float], driver: Freedom, places: Array | None
) -> tuple[Array, Motion]:
    """Compute the values of the driver along an arc, and the motion; see `Branch.along`."""
    z = arc.z if places is None else np.array([_between(released, arc.z, place) for place in places])
    along = z[:, -1] * released.unit
    return along, motion_along(part.program, placed_along(part, released, z), along, values, driver)


def _between(released: Released, z: Array, place: float) -> Array:
    """Find the configuration (n,) at a place of an arc, which goes on where it begins if it closes."""
    floor = int(np.floor(place))
    laps, k = (0, floor) if 0.0 <= place <= len(z) - 1 else divmod(floor, len(z) - 1)
    share = place - floor
    found = z[k]
    if share:
        chord = z[k + 1] - z[k]
        guess = z[k] + share * chord
        found = corrected(released, guess, chord / np.linalg.norm(chord))
        found = guess if found is None else found
    lap = np.zeros(found.size)
    lap[-1] = laps * (z[-1, -1] - z[0, -1])
    return np.asarray(found + lap)


# --- parts that move independently -------------------------------------------------------------


def _combined(
    program: Program, parts: list[PartCurves], values: dict[Freedom, float], driver: Freedom, complete: bool
) -> Found:
    """List the limits, branches and circuits of a mechanism whose parts move independently.

    Raises
    ------
    MeetError
    """
    combined, unit = combine(parts), parts[0].curves[0].released.unit
    branches: list[Branch] = []
    circuits: list[Circuit] = []
    limits: dict[int, Limit] = {}
    for number, cells in enumerate(combined.circuits[:MOST_CURVES], start=1):
        for k in cells:
            cell = combined.cells[k]
            for end, value in zip(combined.ends[k], (cell.low, cell.high), strict=True):
                if end >= 0 and end not in limits:
                    driven = float((value + cell.shift) * unit)
                    limits[end] = _limit_of(len(limits) + 1, parts, combined.limits[end], driven, number)
        first, turns = len(branches), _turns(parts, [combined.cells[k] for k in cells])
        for k in cells:
            cell, (low, high) = combined.cells[k], combined.ends[k]
            ends = tuple(KINDS[kind] for kind in combined.kinds[k])
            at = tuple(limits[end].number if end >= 0 else None for end in (low, high))
            along, lap = _along_cell(program, parts, cell, values, driver), (number, turns)
            span = float((cell.low + cell.shift) * unit), float((cell.high + cell.shift) * unit)
            branches.append(Branch(len(branches) + 1, number, *span, ends, at, along, lap))  # type: ignore[arg-type]
        own = tuple(branches[first:])
        circuits.append(circuit_of(number, own, tuple(limits.values()), turns))
    complete &= combined.complete and len(combined.circuits) <= MOST_CURVES
    return tuple(limits.values()), tuple(branches), tuple(circuits), complete


def _limit_of(number: int, parts: list[PartCurves], end: Ending, value: float, circuit: int) -> Limit:
    """Make the limit of a mechanism from those of the parts that end there."""
    of_parts = [_limit(number, parts[k].part, parts[k].curves, parts[k].nodes[node], circuit) for k, node in end.nodes]
    groups = tuple(sorted({group for limit in of_parts for group in limit.groups}))
    return Limit(number, value, of_parts[0].kind, groups, circuit)


def _turns(parts: list[PartCurves], cells: list[Cell]) -> int:
    """Count the turns of the driver after which a circuit is where it was; 0 if there are none."""
    of_parts = [
        max(abs(part.curves[part.arcs[cell.arcs[k]].curve].turns) for cell in cells) for k, part in enumerate(parts)
    ]
    return lcm(*of_parts) if all(of_parts) else 0


def _along_cell(
    program: Program, parts: list[PartCurves], cell: Cell, values: dict[Freedom, float], driver: Freedom
) -> Callable[[Array | None], tuple[Array, Motion]]:
    """Return `Branch.along` of an arc of the mechanism."""

    @cache
    def whole() -> tuple[Array, Placed]:
        return placed_in(parts, cell)

    @cache
    def others() -> Placed:  # bodies that the driver does not move
        still = run(held(program, values), np.zeros(1), on_failure="nan")
        return {
            body: (still.position(body), still.rotation(body))
            for body in program.mechanism.movable
            if body not in whole()[1]
        }

    def along(places: Array | None) -> tuple[Array, Motion]:
        at, placed = whole()
        if places is not None:
            inside = (places >= 0.0) & (places <= at.size - 1)
            laps = np.where(inside, 0.0, np.floor(places / (at.size - 1)))
            rest = np.interp(places - laps * (at.size - 1), np.arange(at.size), at)
            at, placed = placed_in(parts, cell, rest + laps * (at[-1] - at[0]) - cell.shift)
        at = at * parts[0].curves[0].released.unit
        fixed = {body: tuple(np.repeat(x, at.size, axis=0) for x in pose) for body, pose in others().items()}
        return at, motion_along(program, placed | fixed, at, values, driver)  # type: ignore[arg-type]

    return along
