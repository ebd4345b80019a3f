"""Curves of a mechanism whose parts move independently: all combinations of the arcs of its parts.

At a value of the driver every part is on one of its arcs, so arcs of the mechanism are intersections of theirs. They
end where one of these does; there that part goes on along another arc, and the others turn back on theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice, product
from math import gcd, lcm

import networkx as nx
import numpy as np

from groupkin.kinematics.limits.branch_motion import Placed, placed_along
from groupkin.kinematics.limits.circuits import Arc, Node
from groupkin.kinematics.limits.configuration_curves import Curve, corrected
from groupkin.kinematics.limits.independent_parts import Part
from groupkin.tolerances import SAME_POSE
from sglibrary.array_types import Array, Flags

TURN = 2 * np.pi

MOST_CELLS = 1024
"""Arcs of a mechanism that are listed at most."""

APART = 0.02
"""Distance (rad, or relative to the size) of the values of the driver at which a combined arc is computed."""

NEAR = 0.2
"""Distance (rad, or relative to the size) from a limit within which an arc has the points that were followed there."""


@dataclass(frozen=True, eq=False)
class PartCurves:
    """The curves of a part, divided into arcs; see `groupkin.kinematics.limits.circuits.divide`."""

    part: Part
    curves: list[Curve]
    nodes: list[Node]
    arcs: list[Arc]

    def span(self, arc: Arc) -> tuple[float, float]:
        """Return the values of the driver between which an arc is (rad, or relative to the size)."""
        return min(arc.z[0, -1], arc.z[-1, -1]), max(arc.z[0, -1], arc.z[-1, -1])

    def laps(self, arc: Arc) -> int:
        """Return the whole turns of the driver in an arc that is a whole closed curve; otherwise 0."""
        return abs(self.curves[arc.curve].turns) if arc.kinds[0] == "closed" else 0


@dataclass(frozen=True, eq=False)
class Cell:
    """An arc of the mechanism: an arc of every part, and how many turns the driver's value on it is ahead.

    Attributes
    ----------
    arcs, ahead : tuple of int
        Of every part the number of its arc, and whole turns of the driver.
    low, high : float
        Values of the driver between which it is (rad, or relative to the size), on the arc that is not ahead.
    turns : int
        Turns of the driver after which it closes; 0 if it does not.
    shift : float
        What is added to values of the driver so that they are next to the one at which all were followed first, rad.
    """

    arcs: tuple[int, ...]
    ahead: tuple[int, ...]
    low: float
    high: float
    turns: int = 0
    shift: float = 0.0


@dataclass(eq=False)
class Combined:
    """The arcs of a mechanism, its limits, and its circuits.

    Attributes
    ----------
    cells : list of Cell
    circuits : list of list of int
        Numbers of the cells of every circuit, first that of the configuration from which all were followed.
    ends : list of (int, int)
        Of every cell the numbers of the limits at its ends, or -1.
    kinds : list of (str, str)
        See `groupkin.kinematics.limits.circuits.Arc`.
    limits : list of Ending
    complete : bool
    """

    cells: list[Cell]
    circuits: list[list[int]] = field(default_factory=list)
    ends: list[list[int]] = field(default_factory=list)
    kinds: list[list[str]] = field(default_factory=list)
    limits: list[Ending] = field(default_factory=list)
    complete: bool = True


@dataclass(frozen=True, eq=False)
class Ending:
    """Where an arc of the mechanism ends: the limits of the parts that end there, and where the others are."""

    kind: str
    nodes: tuple[tuple[int, int], ...]
    others: tuple[tuple[int, int, float], ...]

    def same(self, other: Ending) -> bool:
        """Tell whether two are one limit."""
        if (self.kind, self.nodes, len(self.others)) != (other.kind, other.nodes, len(other.others)):
            return False
        pairs = zip(self.others, other.others, strict=True)
        return all(x[:2] == y[:2] and abs(x[2] - y[2]) < 10 * SAME_POSE for x, y in pairs)


class MeetError(Exception):
    """Two parts turn back at the same value of the driver, where curves of the mechanism cross."""


def combine(parts: Sequence[PartCurves]) -> Combined:
    """Combine the arcs of parts that move independently.

    Raises
    ------
    MeetError
    """
    first = float(parts[0].curves[0].released.start[-1])
    cells = [_shifted(parts, cell, first) for cell in islice(_cells(parts), MOST_CELLS + 1)]
    combined = Combined(cells[:MOST_CELLS], complete=len(cells) <= MOST_CELLS)
    graph = nx.Graph()
    for number, cell in enumerate(combined.cells):
        graph.add_node(number)
        found = [_ending(parts, cell, upper) for upper in (False, True)]
        ends = [_number(combined.limits, end) for end in found]
        combined.ends.append(ends)
        combined.kinds.append([end.kind for end in found])
        graph.add_edges_from((number, ("limit", k)) for k in ends if k >= 0)
    components = [sorted(k for k in one if isinstance(k, int)) for one in nx.connected_components(graph)]
    own = next((number for number, cell in enumerate(combined.cells) if _is_own(parts, cell)), 0)
    combined.circuits = sorted((one for one in components if one), key=lambda one: (own not in one, one))
    return combined


def _shifted(parts: Sequence[PartCurves], cell: Cell, first: float) -> Cell:
    """Shift the values of the driver on an arc by whole turns, after which gears are where they are."""
    period = TURN * lcm(*(part.part.turns for part in parts))
    if cell.turns or not period or not parts[0].curves[0].released.whole:
        return cell
    # an arc that passes the first value keeps to it, any other one is next to it
    near = min(max(first, cell.low), cell.high)
    turns = np.round((0.5 * (cell.low + cell.high) - first) / period)
    passed = np.floor((cell.high - first) / period)
    if cell.low <= first + period * passed <= cell.high:
        turns = passed if near != first else 0.0
    return replace(cell, shift=float(-period * turns))


def _number(limits: list[Ending], end: Ending) -> int:
    """Find the limit at an end, or add it; -1 if it is none."""
    if not end.nodes:
        return -1
    for k, other in enumerate(limits):
        if end.same(other):
            return k
    limits.append(end)
    return len(limits) - 1


# --- which arcs go together --------------------------------------------------------------------


def _cells(parts: Sequence[PartCurves]) -> Iterator[Cell]:
    """Yield the arcs of the mechanism."""
    whole = parts[0].curves[0].released.whole
    for numbers in product(*(range(len(part.arcs)) for part in parts)):
        arcs = [part.arcs[k] for part, k in zip(parts, numbers, strict=True)]
        laps = [part.laps(arc) for part, arc in zip(parts, arcs, strict=True)]
        if all(laps):
            yield from _closed(parts, numbers, laps)
            continue
        order = sorted(range(len(parts)), key=lambda k: laps[k] > 0)  # those that end first
        yield from _extended(parts, numbers, laps, order, {}, (-np.inf, np.inf), whole)


def _closed(parts: Sequence[PartCurves], numbers: tuple[int, ...], laps: list[int]) -> Iterator[Cell]:
    """Yield the combinations of whole closed curves: how far they are ahead of each other, modulo their turns."""
    low, turns = parts[0].span(parts[0].arcs[numbers[0]])[0], lcm(*laps)
    seen: set[tuple[int, ...]] = set()
    for ahead in product(range(1), *(range(count) for count in laps[1:])):
        pairs = combinations(zip((part.part.turns for part in parts), ahead, strict=True), 2)
        if ahead in seen or not all(_agrees(turns, others, k - j) for (turns, k), (others, j) in pairs):
            continue
        at = ahead
        while at not in seen:  # the same ones, whenever the first part is where it was
            seen.add(at)
            at = tuple((k + laps[0]) % count for k, count in zip(at, laps, strict=True))
        yield Cell(numbers, ahead, low, low + TURN * turns, turns)


def _extended(
    parts: Sequence[PartCurves], numbers: tuple[int, ...], laps: list[int], order: list[int],
    ahead: dict[int, int], span: tuple[float, float], whole: bool,
) -> Iterator[Cell]:  # fmt: skip
    """Yield the combinations of arcs of which some end, one part after another."""
    if len(ahead) == len(order):
        yield Cell(numbers, tuple(ahead[k] for k in range(len(order))), *span)
        return
    k = order[len(ahead)]
    low, high = parts[k].span(parts[k].arcs[numbers[k]])
    if not ahead or not whole:
        choices = range(1)
    elif laps[k]:
        choices = range(laps[k])
    else:
        choices = range(int(np.ceil((low - span[1]) / TURN)), int(np.floor((high - span[0]) / TURN)) + 1)
    for turns in choices:
        if not all(_agrees(parts[k].part.turns, parts[j].part.turns, turns - other) for j, other in ahead.items()):
            continue
        inside = span if laps[k] else (max(span[0], low - TURN * turns), min(span[1], high - TURN * turns))
        if inside[1] - inside[0] > SAME_POSE:
            yield from _extended(parts, numbers, laps, order, {**ahead, k: turns}, inside, whole)


def _agrees(turns: int, others: int, difference: int) -> bool:
    """Tell whether two parts may be so many turns of the driver apart: else teeth of their gears mesh otherwise."""
    common = gcd(turns, others)
    return difference == 0 if not common else difference % common == 0


def _ending(parts: Sequence[PartCurves], cell: Cell, upper: bool) -> Ending:
    """Describe the lower or the upper end of an arc of the mechanism.

    Raises
    ------
    MeetError
    """
    if cell.turns:
        return Ending("closed", (), ())
    value = cell.high if upper else cell.low
    nodes: list[tuple[int, int]] = []
    kinds: list[str] = []
    others: list[tuple[int, int, float]] = []
    for k, (part, number, ahead) in enumerate(zip(parts, cell.arcs, cell.ahead, strict=True)):
        arc, at = part.arcs[number], value + TURN * ahead
        laps, span = part.laps(arc), part.span(arc)
        if laps or abs(span[upper] - at) > SAME_POSE:
            others.append((k, number, (at - span[0] + SAME_POSE) % (TURN * laps) if laps else at))
            continue
        side = int((arc.z[-1, -1] > arc.z[0, -1]) == upper)
        kinds.append(arc.kinds[side])
        node = arc.ends[side]
        if node is not None:
            nodes.append((k, node))
    limits = [kind for kind in kinds if kind in ("turn", "change")]
    if len(limits) > 1 and "turn" in limits:
        raise MeetError
    return Ending(limits[0] if limits else kinds[0], tuple(nodes), tuple(others))


def _is_own(parts: Sequence[PartCurves], cell: Cell) -> bool:
    """Tell whether an arc of the mechanism passes the configuration from which all parts were followed first."""
    values = []
    for part, number in zip(parts, cell.arcs, strict=True):
        arc, start = part.arcs[number], part.curves[0].released.start
        away = np.abs(arc.z[:, :-1] - start[:-1]).max(axis=1)
        if arc.curve != 0 or away.min() > SAME_POSE:
            return False
        values.append(arc.z[away.argmin(), -1])
    for part, number, value, ahead in zip(parts, cell.arcs, values, cell.ahead, strict=True):
        laps = part.laps(part.arcs[number])
        away = round((value - values[0]) / TURN) - (ahead - cell.ahead[0])
        if away % laps if laps else away:
            return False
    return True


# --- configurations along them -----------------------------------------------------------------


def placed_in(parts: Sequence[PartCurves], cell: Cell, at: Array | None = None) -> tuple[Array, Placed]:
    """Place the bodies of all parts along an arc of the mechanism, or at some values of the driver.

    Returns
    -------
    (n,) array
        Values of the driver, rad or relative to the size.
    Placed
    """
    grid = at if at is not None else _grid(parts, cell)
    placed: Placed = {}
    kept = np.ones(grid.size, bool)
    found = []
    for part, number, ahead in zip(parts, cell.arcs, cell.ahead, strict=True):
        z, exists = _at(part, part.arcs[number], grid + TURN * ahead)
        kept &= exists
        found.append((part, part.arcs[number], z))
    for part, arc, z in found:
        placed |= placed_along(part.part, part.curves[arc.curve].released, z[kept])
    return grid[kept] + cell.shift, placed


def _own_values(part: PartCurves, number: int, ahead: int, cell: Cell) -> Array:
    """List the values of the driver within an arc of the mechanism at which a part was followed."""
    arc = part.arcs[number]
    values = arc.z[:, -1] - TURN * ahead
    laps = part.laps(arc)
    if laps:
        first, period = values.min(), TURN * laps
        repeats = range(int(np.floor((cell.low - first) / period)) - 1, int(np.ceil((cell.high - first) / period)) + 1)
        values = np.concatenate([values + period * k for k in repeats])
    return np.unique(values[(values >= cell.low) & (values <= cell.high)])


def _grid(parts: Sequence[PartCurves], cell: Cell) -> Array:
    """Choose the values at which an arc is computed: evenly, but all that were followed next to its ends."""
    own = [
        _own_values(part, number, ahead, cell) for part, number, ahead in zip(parts, cell.arcs, cell.ahead, strict=True)
    ]
    widest = max(own, key=len)
    near = [values[(values < cell.low + NEAR) | (values > cell.high - NEAR)] for values in own if not cell.turns]
    count = max(2, round((cell.high - cell.low) / APART))
    even = widest if widest.size < count else np.linspace(cell.low, cell.high, count)
    every = np.unique(np.concatenate([even, *near]))
    inner = every[(every > cell.low + SAME_POSE) & (every < cell.high - SAME_POSE)]
    apart = np.concatenate([[True], np.diff(inner) > SAME_POSE])[: inner.size]
    return np.concatenate([[cell.low], inner[apart], [cell.high]])


def _at(part: PartCurves, arc: Arc, values: Array) -> tuple[Array, Flags]:
    """Find the configurations (k, n) of an arc at some values (k,) of the driver, and which of them were found."""
    released, laps = part.curves[arc.curve].released, part.laps(arc)
    u, z = arc.z[:, -1], arc.z
    if u[-1] < u[0]:
        u, z = u[::-1], z[::-1]
    shifts = np.floor((values - u[0]) / (TURN * laps)) * TURN * laps if laps else np.zeros(values.size)
    inside = np.clip(values - shifts, u[0], u[-1])
    out, exists = np.empty((values.size, z.shape[1])), np.ones(values.size, bool)
    normal = np.eye(z.shape[1])[-1]
    for row, value in enumerate(inside):
        k = min(max(int(np.searchsorted(u, value)), 1), u.size - 1)
        nearest = k if abs(u[k] - value) < abs(u[k - 1] - value) else k - 1
        if abs(u[nearest] - value) < SAME_POSE**2:
            out[row] = z[nearest]
            continue
        share = (value - u[k - 1]) / (u[k] - u[k - 1])
        guess = z[k - 1] + share * (z[k] - z[k - 1])
        guess[-1] = value
        configuration = corrected(released, guess, normal)
        exists[row] = configuration is not None
        out[row] = guess if configuration is None else configuration
    return out, exists
