"""The workspace of a point: all places to which drivers lead it, bounded by ranges and singular positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from groupkin.arguments import Count, checked
from groupkin.errors import ArgumentError, DeterminedByCountOnlyError, WorkspaceError, shown
from groupkin.kinematics.jacobians.jacobian import jacobian
from groupkin.kinematics.modes.modes import assembly_modes, with_modes
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity, quantity
from groupkin.kinematics.motion.ranges import inside, ranges_of, scale, values_in
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import program as program_of
from groupkin.kinematics.workspace.led_points import LEADING, Led, led
from groupkin.kinematics.workspace.rings import FAIR, FINE, Precision, area, around, grouped, on_grid, rings
from groupkin.mechanism.laws.laws import Constant
from groupkin.mechanism.mechanism import Mechanism
from groupkin.showing import InNotebooks, brief, renderer
from groupkin.tolerances import ON_STOP
from sglibrary.array_types import Array, Flags, Ints

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Modes = Literal["all", "own"]

MOST_STEPS, MOST_MODES = 2001, 256
"""Of a grid along each axis; and combinations of assembly modes that are looked at."""

BOX = "the box that was looked in"
"""What ends a workspace that goes on."""

GROWN = 7
"""How often the box in which places are looked for is doubled."""


@dataclass(frozen=True)
class Effort:
    """How much is spent on a workspace.

    Attributes
    ----------
    steps, sections : int
        By default.
    coarse : int
        Places along each axis of a box, to find where the workspace is.
    stride : int
        Only each so many places of a grid are looked at first, and those between where these differ.
    precision : Precision
    """

    steps: int
    sections: int
    coarse: int
    stride: int
    precision: Precision


EFFORTS = {
    (False, False): Effort(201, 1, 41, 1, FINE),
    (False, True): Effort(101, 32, 20, 1, FAIR),
    (True, False): Effort(61, 1, 25, 4, Precision(24, 6)),
    (True, True): Effort(41, 16, 13, 4, Precision(14, 2)),
}
"""By whether Newton's method solves groups, which takes long where there is no solution, and whether of a volume."""

CLOSER, SPARE = 3, 4.0
"""How often the box is fitted to what is found in it, and meshes that are left on all sides."""

HALVINGS = 12
"""Of the distance between a section that has places and one that has none."""

PANELS = ((0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0))
"""Shares of the height of a workspace in space, in each of which sections are placed as Gauss and Legendre say."""


@dataclass(frozen=True, eq=False)
class Region:
    """A connected part of a workspace, or of a section of it.

    Attributes
    ----------
    area : float
        m².
    rings : tuple of (n, d) array
        Closed boundaries, m: the outer one counterclockwise, then holes clockwise.
    causes : tuple of tuple of str
        For every ring and place, what ends the workspace there: a range, or groups that are singular.
    own : bool
        Whether the point is in it in the reference configuration.
    """

    area: float
    rings: tuple[Array, ...]
    causes: tuple[tuple[str, ...], ...]
    own: bool

    __repr__ = brief


@dataclass(frozen=True, eq=False)
class Section:
    """A section of a workspace, in the plane the workspace itself.

    Attributes
    ----------
    at : float
        The coordinate at which it is taken, m; NaN in the plane.
    regions : tuple of Region
        The largest first.
    """

    at: float
    regions: tuple[Region, ...]

    __repr__ = brief

    @property
    def area(self) -> float:
        """Of all regions, m²."""
        return sum(region.area for region in self.regions)


@dataclass(frozen=True, eq=False)
class Workspace(InNotebooks):
    """Where a point can go.

    Attributes
    ----------
    program : Program
        Of the mechanism.
    of : Quantity
        The position of the point.
    released : tuple of Quantity
        The driven freedoms instead of which it is led.
    turned : bool
        Whether its body turns as the mechanism makes it; else it keeps its directions.
    axes : (int, int)
        Numbers of the coordinates in a section.
    start : (d,) array
        Where the point is in the reference configuration, m.
    sections : tuple of Section
    volume : float
        m³, of the whole workspace in space; NaN of a section, and in the plane.
    complete : bool
        False if there are so many assembly modes that not all were looked at.
    """

    program: Program
    of: Quantity
    released: tuple[Quantity, ...]
    turned: bool
    axes: tuple[int, int]
    start: Array
    sections: tuple[Section, ...]
    volume: float
    complete: bool

    def __repr__(self) -> str:
        from groupkin.kinematics.workspace.workspace_listing import text

        return text(self)

    @property
    def area(self) -> float:
        """Of the workspace in the plane, or of the only section, m²; NaN if there are several."""
        return self.sections[0].area if len(self.sections) == 1 else float("nan")

    @property
    def regions(self) -> tuple[Region, ...]:
        """The regions of all sections."""
        return tuple(region for section in self.sections for region in section.regions)

    def plot(self, out: str | Path | None = None, width: float = 86.0) -> Figure:
        """Draw the boundaries, see `groupkin.look.plots.workspace_plots.plot_workspace`."""
        return renderer("Workspace.plot")(self, out, width)


@checked
def workspace(
    mechanism: Mechanism | Program,
    of: str | Quantity,
    *,
    section: Mapping[str, float] | None = None,
    instead_of: Sequence[str] | None = None,
    at: Mapping[str, float] | None = None,
    modes: Modes = "all",
    box: Sequence[Sequence[float]] | None = None,
    steps: Count | None = None,
    sections: Count | None = None,
    assemble: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Workspace:
    """Find all places to which the drivers of a mechanism can lead a point.

    The point is led instead of the drivers, and a place belongs to the workspace if the mechanism can be assembled
    there with all joints and other quantities in their ranges.

    Parameters
    ----------
    mechanism : Mechanism or Program
    of : str or Quantity
        Such as ``position P``.
    section : mapping of str to float, optional
        In space, one coordinate and its value, such as ``{"z": 0.3}``, m: the section there is computed instead of the
        whole volume.
    instead_of : sequence of str, optional
        Driven freedoms that are released, such as ``joint shoulder``; default: all. Two in the plane and three in
        space lead the point, and its body turns as it must; three and six lead the body as a whole, which keeps the
        directions that it has in the reference configuration.
    at : mapping of str to float, optional
        Values of other drivers, which are held, rad or m; default: those of the reference configuration.
    modes : {"all", "own"}
        Places reached in any assembly mode; or in that of the reference configuration without passing a position in
        which the drivers lose control of the point.
    box : sequence of (float, float), optional
        Least and largest x and y, in space also z, m, within which places are looked for; default: as far as there are.
    steps : int, optional
        Places along each side of the grid in which the boundary is looked for: regions and gaps narrower than its
        meshes may be missed. Where it is found, it is followed to rounding. Default: 201, for a volume 101; 61 and 41
        where Newton's method solves groups.
    sections : int, optional
        At least so many sections give the volume. Default: 32, or 16 where Newton's method solves groups.
    assemble : bool
        Close a reference configuration that is only approximate, see `program`.
    progress : callable, optional
        Called with the number of sections done and of all sections.

    Returns
    -------
    Workspace

    Raises
    ------
    ArgumentError, QuantityError, UnknownNameError
        If it is no position, the drivers that are released are not as many as the point needs, or a section is none.
    WorkspaceError
        If the reference configuration has no place in it, or it goes beyond all bounds.
    MechanismError, StructureError

    Examples
    --------
    >>> import groupkin as gk
    >>> joints = [
    ...     gk.Joint("shoulder", "R", ("frame", "upper"), point=(0, 0)),
    ...     gk.Joint("elbow", "R", ("upper", "fore"), point=(0.3, 0)),
    ... ]
    >>> bodies = ["frame", "upper", gk.Body("fore", points={"P": (0.3, 0.2)})]
    >>> drivers = [gk.Driver("shoulder", gk.Constant(0.0)), gk.Driver("elbow", gk.Constant(0.0))]
    >>> found = workspace(gk.Mechanism(2, bodies, joints, drivers), "position P")
    >>> round(found.area, 4), round(0.24 * 3.141592653589793, 4)
    (0.754, 0.754)
    """
    for name, given, least in (("steps", steps, 3), ("sections", sections, 1)):
        if given is not None and not least <= given <= MOST_STEPS:
            raise ArgumentError(f"{name} are from {least} to {MOST_STEPS}, not {given}")
    program = mechanism if isinstance(mechanism, Program) else program_of(_standing(mechanism), assemble=assemble)
    lead = led(program, of, instead_of, at or {})
    search, complete = _search(lead, modes, assemble)
    d = lead.start.size
    fixed = _section(section or {}, d)
    effort = EFFORTS[search.programs[0].iterates, d == 3 and not fixed]
    effort = replace(effort, steps=steps or effort.steps, sections=sections or effort.sections)
    bounds = _bounds(search, lead.start, fixed, box, effort.coarse)
    if fixed:
        ((normal, height),) = fixed.items()
        heights, weights = np.array([height]), np.array([np.nan])
    elif d == 3:
        normal = 2
        heights, weights = _heights(_extent(search, bounds, effort.coarse), effort.sections)
    else:
        normal, heights, weights = 2, np.array([np.nan]), np.array([np.nan])
    axes = (0, 1) if normal == 2 else tuple(k for k in range(3) if k != normal)
    found = []
    for k, height in enumerate(heights):
        if progress is not None:
            progress(k, len(heights))
        found.append(_section_at(search, lead, axes, normal, float(height), bounds, effort))
    if not any(each.regions for each in found):
        raise WorkspaceError(
            f"{program.mechanism.name}: no place was found on a grid of {effort.steps} × {effort.steps}; take more "
            "steps, or another box or section"
        )
    volume = float(weights @ [each.area for each in found])
    wanted = quantity(of, program)
    return Workspace(program, wanted, lead.released, lead.turned, axes, lead.start, tuple(found), volume, complete)  # type: ignore[arg-type]


def _standing(mechanism: Mechanism) -> Mechanism:
    """Give drivers without a law one, as they only lead to places."""
    drivers = [driver if driver.law else replace(driver, law=Constant(0.0)) for driver in mechanism.drivers]
    return replace(mechanism, drivers=drivers)


def _section(section: Mapping[str, float], d: int) -> dict[int, float]:
    """Check a section: the number of its coordinate, and the value, m."""
    if not section:
        return {}
    ((axis, value), *more) = section.items()
    if more or d == 2 or axis not in ("x", "y", "z") or not np.isfinite(value):
        like = "{'z': 0.3}"
        raise ArgumentError(
            f"a section is that of a workspace in space at one coordinate, such as {like}, not {shown(dict(section))}"
        )
    return {"xyz".index(axis): float(value)}


# --- what is inside --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Search:
    """Tells which places belong to a workspace.

    Attributes
    ----------
    led : Led
    programs : list of Program
        Of the mechanism whose point is led, in each combination of assembly modes.
    sign : float
        Of the determinant of the rates of the released drivers, which must not change; 0 if it may.
    """

    led: Led
    programs: list[Program]
    sign: float

    def motions(self, places: Array) -> list[Motion]:
        """Solve all programs at some places (n, d), m."""
        return [program.evaluate(self.led.values(program, places)) for program in self.programs]

    def holds(self, motion: Motion) -> Flags:
        """Tell which places (n,) of a program belong to the workspace."""
        found = inside(motion)
        if self.sign and found.any():
            found &= np.sign(self.determinants(motion)) == self.sign
        return found

    def determinants(self, motion: Motion) -> Array:
        """Determinants (n,) of the rates of the released drivers by those that lead."""
        with np.errstate(all="ignore"):
            rates = jacobian(motion, list(self.led.released)).values
            columns = [k for k, each in enumerate(motion.program.drivers) if each.joint in LEADING]
            return np.asarray(np.linalg.det(np.nan_to_num(rates[:, :, columns])))

    def reach(self, places: Array) -> Flags:
        """Tell which places (n, d) belong to the workspace."""
        found = np.zeros(len(places), bool)
        for program in self.programs:
            left = np.flatnonzero(~found)
            if left.size:
                found[left] = self.holds(program.evaluate(self.led.values(program, places[left])))
        return found

    def causes(self, places: Array) -> tuple[str, ...]:
        """Say what ends the workspace at places (n, d) next to its boundary, inside."""
        told = np.full(len(places), "", object)
        for motion in self.motions(places):
            at = np.flatnonzero(self.holds(motion) & (told == ""))
            if at.size:
                told[at] = _causes(motion, at, self.sign != 0.0)
        return tuple(map(str, told))


def _causes(motion: Motion, at: Ints, controlled: bool) -> list[str]:
    mechanism, groups = motion.program.mechanism, motion.program.structure.groups
    stops = [
        (stop, values_in(motion, each), scale(motion, each))
        for each in ranges_of(motion.program)
        for stop in each.stops
    ]
    slack = np.array([-stop.beyond(values)[at] / size for stop, values, size in stops]).reshape(len(stops), at.size)
    texts = [stop.text(mechanism) for stop, _, _ in stops]
    singular = np.nanargmin(motion.conditioning[:, at], axis=0)
    least = motion.conditioning[singular, at]
    told = []
    for k in range(at.size):
        if len(stops) and slack[:, k].min() < ON_STOP:
            told.append(texts[int(slack[:, k].argmin())])
        elif controlled and not least[k] < ON_STOP**0.5:  # conditioning is the root of the distance
            told.append("the drivers lose control of the point")
        else:
            group = groups[int(singular[k])]
            bodies = ", ".join(body for body in group.bodies if body not in LEADING)
            told.append(f"{bodies} singular" if bodies else "singular")
    return told


def _search(lead: Led, modes: Modes, assemble: bool) -> tuple[Search, bool]:
    try:
        own = program_of(lead.mechanism, assemble=assemble)
    except DeterminedByCountOnlyError as error:
        raise WorkspaceError(
            f"{lead.mechanism.name}: its point cannot be led from where it is drawn, as of an arm that is stretched "
            f"out or folded: draw it bent, and say so by `reference` of its joints. In detail: {error}"
        ) from error
    if modes == "own":
        alone = Search(lead, [own], 1.0)
        sign = float(np.sign(alone.determinants(own.evaluate(lead.values(own, lead.start[None])))[0]))
        if not sign:
            raise WorkspaceError(
                f"{lead.mechanism.name}: the drivers do not control the point in the reference configuration; describe "
                'it in another one, or take modes="all"'
            )
        return Search(lead, [own], sign), True
    listing = assembly_modes(own)
    chosen = product(
        *(
            [
                dict(zip(linked.groups, combination, strict=True))
                for combination in linked.combinations
                if 0 not in combination
            ]
            for linked in listing.linked
        )
    )
    some = list(islice(chosen, MOST_MODES + 1))
    programs = [with_modes(own, {k: x for each in one for k, x in each.items()}) for one in some[:MOST_MODES]]
    return Search(lead, programs, 0.0), len(some) <= MOST_MODES


# --- where it is -----------------------------------------------------------------------------


def _bounds(
    search: Search, start: Array, fixed: Mapping[int, float], box: Sequence[Sequence[float]] | None, coarse: int
) -> Array:
    """Find the box (d, 2) around the workspace, with a mesh to spare on all sides; a section is as thin as it is.

    Raises
    ------
    WorkspaceError
    """
    d, mechanism = start.size, search.led.mechanism
    if box is not None:
        limits = np.array(box, float)
        if limits.shape != (d, 2) or not (limits[:, 0] < limits[:, 1]).all() or not np.isfinite(limits).all():
            raise ArgumentError(f"box has a least and a larger value of each of {d} coordinates, m, not {shown(box)}")
        return limits
    center = start.copy()
    for axis, value in fixed.items():
        center[axis] = value
    half = search.programs[0].geometry.size
    for _ in range(GROWN):
        bounds = np.stack([center - half, center + half], axis=1)
        found = _found_in(search, bounds, fixed, coarse)
        free = [k for k in range(d) if k not in fixed]
        mesh = 2.0 * half / (coarse - 1)
        if found.size and all(abs(found[:, k] - center[k]).max() < half - 1.5 * mesh for k in free):
            for _ in range(CLOSER):  # thin ends are seen by finer meshes
                spare = SPARE * (bounds[:, 1] - bounds[:, 0]) / (coarse - 1)
                bounds = np.stack([found.min(axis=0) - spare, found.max(axis=0) + spare], axis=1)
                found = _found_in(search, bounds, fixed, coarse)
            return bounds
        half *= 2.0
    if not found.size:
        what = "the section" if fixed else "the workspace"
        raise WorkspaceError(
            f"{mechanism.name}: {what} has no place that was found; look at the ranges with groupkin limits, or state "
            "a box"
        )
    raise WorkspaceError(
        f"{mechanism.name}: the workspace goes on beyond {mechanism.units.text(half)}; give its drivers ranges, or "
        "state a box"
    )


def _found_in(search: Search, bounds: Array, fixed: Mapping[int, float], count: int) -> Array:
    """List the places (n, d) of a coarse grid that belong to the workspace."""
    sides = [
        np.array([fixed[k]]) if k in fixed else np.linspace(ends[0], ends[1], count) for k, ends in enumerate(bounds)
    ]
    places = np.stack([grid.ravel() for grid in np.meshgrid(*sides, indexing="ij")], axis=1)
    return np.asarray(places[search.reach(places)])


def _extent(search: Search, bounds: Array, coarse: int) -> Array:
    """Find between which heights (2,), m, sections have places of a coarse grid, by halving."""
    inner = _found_in(search, bounds, {}, coarse)[:, 2]
    if not inner.size:
        raise WorkspaceError(f"{search.led.mechanism.name}: no place was found in the box; state a larger one")
    ends = []
    for within, without in ((inner.min(), bounds[2, 0]), (inner.max(), bounds[2, 1])):
        for _ in range(HALVINGS):
            middle = 0.5 * (within + without)
            if _found_in(search, bounds, {2: float(middle)}, coarse).size:
                within = middle
            else:
                without = middle
        ends.append(within)
    return np.array(ends)


def _heights(bounds: Array, sections: int) -> tuple[Array, Array]:
    """Place sections between two heights, m, with their weights in the integral of their areas."""
    nodes, weights = np.polynomial.legendre.leggauss(max(1, -(-sections // len(PANELS))))
    low, span = bounds[0], bounds[1] - bounds[0]
    at = [low + span * (first + (last - first) * (nodes + 1.0) / 2.0) for first, last in PANELS]
    return np.concatenate(at), np.concatenate([span * (last - first) / 2.0 * weights for first, last in PANELS])


def _at_edges(ring: Array, x: Array, y: Array) -> Flags:
    """Tell which places (n,) of a ring are at the edges of a grid, which end it before anything else does."""
    found = np.zeros(len(ring), bool)
    for side, along in zip((x, y), ring.T, strict=True):
        found |= np.minimum(np.abs(along - side[0]), np.abs(along - side[-1])) < ON_STOP * (side[-1] - side[0])
    return found


def _section_at(
    search: Search,
    lead: Led,
    axes: Sequence[int],
    normal: int,
    height: float,
    bounds: Array,
    effort: Effort,
) -> Section:
    """Find the regions of a section, or of the workspace in the plane."""
    d = lead.start.size

    def placed(flat: Array) -> Array:
        places = np.full((len(flat), d), height)
        places[:, list(axes)] = flat
        return places

    x, y = (np.linspace(bounds[k, 0], bounds[k, 1], effort.steps) for k in axes)

    def reach(flat: Array) -> Flags:
        within = (flat >= (x[0], y[0])) & (flat <= (x[-1], y[-1]))
        return search.reach(placed(flat)) & within.all(axis=1)

    found = on_grid(x, y, reach, effort.stride)
    found[[0, -1]] = found[:, [0, -1]] = False
    at_start = lead.start[list(axes)]
    on_section = d == 2 or abs(lead.start[normal] - height) < ON_STOP * search.programs[0].geometry.size
    regions = []
    for group in grouped(rings(x, y, found, reach, effort.precision)):
        own = on_section and around(group[0], at_start) and not any(around(hole, at_start) for hole in group[1:])
        full = tuple(map(placed, group))
        edges = [_at_edges(ring, x, y) for ring in group]
        causes = tuple(
            tuple(np.where(edge, BOX, told))
            for edge, told in ((edge, search.causes(ring)) for edge, ring in zip(edges, full, strict=True))
        )
        regions.append(Region(sum(map(area, group)), full, causes, bool(own)))
    return Section(height, tuple(regions))
