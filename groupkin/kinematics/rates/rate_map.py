"""The map from the rates of the drivers to the twists of all bodies, and its transpose, as interpreted lists.

Small mechanisms are one list. Of large ones every group has its own, which many share, and hands on the twists of its
bodies, or what the loads on them are on the bodies before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.computed import computed_series
from groupkin.kinematics.rates.formulas import Formulas
from groupkin.kinematics.rates.vectors import Computed
from groupkin.memory import collector_paused
from sglibrary.code.graph import Expr
from sglibrary.code.linear_map import LinearMap, Place
from sglibrary.code.passes.adjoint import adjoint
from sglibrary.code.schedule import Inversion, Schedule, scheduled

Array = NDArray[np.float64]

TOGETHER = 32
"""Groups of a mechanism up to which all are one list."""

VECTORS = 64
"""Components of vectors that are one list where several lists read them."""


@dataclass(frozen=True, eq=False)
class PoseMap:
    """A linear map whose coefficients follow from positions.

    Attributes
    ----------
    program : Program
    steps : tuple of str or Inversion
        Lists, one after another, with rows of the state, and behind them of what is given.
    work : int
        Rows of working memory.
    outputs : int
    handed : int
        Results that lists hand on, beside the outputs.
    shared : int
        Rows of vectors that several lists read, behind what is given.
    computed : tuple of Computed
        What is given, in this order.
    center, length : (d,) array, float
        Of twists that are computed, m.
    schedules : dict of bool to Schedule
        For one vector and for many, as far as they have been needed.
    """

    program: Program
    steps: tuple[str | Inversion, ...]
    work: int
    outputs: int
    handed: int
    shared: int
    computed: tuple[Computed, ...]
    center: Array
    length: float
    schedules: dict[bool, Schedule] = field(default_factory=dict)

    def apply(self, motion: Motion, x: Array) -> Array:
        """Apply the map to vectors (inputs, m, n or 1) at all positions of a motion: (outputs, m, n).

        NaN where the motion is not solved.
        """
        n, directions = motion.times.size, x.shape[1]
        q = rows_of(motion.q)
        if self.computed or self.shared:
            parts = computed_series(motion, self.computed, self.center, self.length, 1) if self.computed else ()
            q = np.concatenate([motion.q, *parts, np.empty((self.shared, n))])
        pitch = q.shape[1]
        given, results = (np.empty((max(k, 1) * directions, pitch)) for k in (len(x), self.outputs + self.handed))
        given[: x.shape[0] * directions].reshape(*x.shape[:2], pitch)[..., :n] = x
        self._schedule(directions > 1).run(q, given, results, directions, n)
        y = results[: self.outputs * directions].reshape(self.outputs, directions, pitch)[..., :n]
        if motion.status.any():
            y[..., ~motion.placed] = np.nan
        return y

    def _schedule(self, many: bool) -> Schedule:
        if many not in self.schedules:
            self.schedules[many] = scheduled(self.steps, self.work, row_of(self.program), many)
        return self.schedules[many]


def row_of(program: Program) -> Callable[[int], int]:
    """Return what the rows of a state, and what is given behind them, are among those that a motion keeps."""
    numbers, kept = {row: k for k, row in enumerate(program.kept.tolist())}, program.kept.size
    return lambda row: numbers[row] if row < program.rows else kept + row - program.rows


def rows_of(x: Array) -> Array:
    """Return rows with all the memory between them, or a copy where there is none that can be written."""
    rows, n = x.shape
    ahead, base = x.strides[0], x.base
    if not isinstance(base, np.ndarray) or not (base.flags.c_contiguous and base.flags.writeable):
        return x.copy()
    if x.strides[1] != 8 or ahead < 8 * n or ahead % 8:
        return x.copy()
    first = x.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    if base.nbytes < first + rows * ahead:
        return x.copy()
    return np.ndarray((rows, ahead // 8), float, base, first)


@dataclass
class MapInParts:
    """A map while its lists are written, one part after another.

    Attributes
    ----------
    formulas : Formulas
    outputs : int
    handed : int
        Results that lists hand on.
    shared : dict of Expr to None
        Vectors that lists read from rows, behind what is given.
    """

    formulas: Formulas
    outputs: int
    handed: int = 0
    shared: dict[Expr, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.steps, self.work = list[str | Inversion](), 0
        self.stored = places_of(self.formulas)

    def add(self, targets: list[tuple[Expr, Place]], inputs: dict[Expr, Place]) -> None:
        """Write a part: expressions and their places, from others."""
        formulas = self.formulas
        written = LinearMap(formulas.vectors.graph, targets, inputs, self.stored, inverses=formulas.inverses)
        steps, work = written.steps()
        self.steps += steps
        self.work = max(self.work, work)

    def share(self) -> None:
        """Write lists for all vectors that follow from others, so that those of groups need not compute all before."""
        vectors, first = self.formulas.vectors, self.formulas.program.rows + len(self.formulas.vectors.given)
        every = dict.fromkeys(x for vector in vectors.attached for x in vector if not x.is_leaf)
        rows = list(zip(every, range(first, first + len(every)), strict=True))
        for low in range(0, len(rows), VECTORS):
            some = rows[low : low + VECTORS]
            self.add([(x, ("q", row)) for x, row in some], {})
            self.stored |= {x.at: f"q {row} 0" for x, row in some}
        self.shared |= every

    def hand_on(self) -> Place:
        """Return a place for a result that later lists read."""
        self.handed += 1
        return "a", self.outputs + self.handed - 1

    def made(self) -> PoseMap:
        """Make the map."""
        formulas, vectors = self.formulas, self.formulas.vectors
        counts = self.work, self.outputs, self.handed, len(self.shared)
        steps, computed = tuple(self.steps), tuple(vectors.computed)
        return PoseMap(formulas.program, steps, *counts, computed, vectors.center, vectors.length)


def places_of(formulas: Formulas) -> dict[int, str]:
    """Return where what is computed beside positions is: behind the rows of the state."""
    return {x.at: f"q {row} 0" for row, x in enumerate(formulas.vectors.given, formulas.program.rows)}


def map_of(formulas: Formulas, outputs: list[Expr]) -> PoseMap:
    """Make the map of some expressions without inputs."""
    written = MapInParts(formulas, len(outputs))
    written.add([(x, ("a", k)) for k, x in enumerate(outputs)], {})
    return written.made()


@dataclass(frozen=True, eq=False)
class _Section:
    """Some groups: their bodies' velocities, after angular velocities, with numbers, their twists and those before."""

    velocities: list[tuple[Expr, int]]
    twists: dict[Expr, None]
    before: dict[Expr, None]


def _sections(formulas: Formulas) -> list[_Section]:
    program, found = formulas.program, list[_Section]()
    groups, every = program.structure.groups, range(len(program.structure.groups))
    numbers = {body: k for k, body in enumerate(program.mechanism.movable)}
    for section in [every] if len(groups) <= TOGETHER else [range(k, k + 1) for k in every]:
        bodies = [body for k in section for body in groups[k].bodies]
        solved = {body for k in section for body in formulas.tree(k).solved} - set(bodies)
        velocities = list[tuple[Expr, int]]()
        for body in bodies:
            of_body = formulas.velocities(body, program.geometry.origins[body])
            velocities += zip(of_body, count(numbers[body] * len(of_body)), strict=False)
        before = {x: None for body in sorted(solved) for x in formulas.twist(body).values()}
        twists = {x: None for body in bodies for x in formulas.twist(body).values() if x not in before}
        found.append(_Section(velocities, twists, before))
    return found


@once_per_program
def rate_map(program: Program, transposed: bool = False) -> PoseMap:
    """Make the map from the rates of the drivers to the twists of all bodies, or its transpose."""
    outputs = 3 * (program.mechanism.dimension - 1) * len(program.mechanism.movable)
    with collector_paused():
        formulas = Formulas(program)
        sections = _sections(formulas)
        written = MapInParts(formulas, len(program.drivers) if transposed else outputs)
        if len(sections) > 1:
            written.share()
        (_back if transposed else _forward)(sections, written)
        return written.made()


def _forward(sections: list[_Section], written: MapInParts) -> None:
    """From the rates of the drivers to all velocities, by the twists that sections hand on."""
    places: dict[Expr, Place] = {x: ("v", k) for k, x in enumerate(written.formulas.drivers)}
    used = {x for section in sections for x in section.before}
    for section in sections:
        targets: list[tuple[Expr, Place]] = [(x, ("a", row)) for x, row in section.velocities]
        handed = {x: written.hand_on() for x in section.twists if x in used and x not in places}
        inputs = {x: places[x] for x in (*section.before, *written.formulas.drivers)}
        written.add([*targets, *handed.items()], inputs)
        places |= handed


def _back(sections: list[_Section], written: MapInParts) -> None:
    """From loads on the bodies to the drivers, by the loads on twists that sections hand back."""
    formulas, handed = written.formulas, defaultdict[Expr, list[Place]](list)
    vectors, numbers = formulas.vectors, {x: k for k, x in enumerate(formulas.drivers)}
    for section in reversed(sections):
        loads: list[tuple[Expr, Place]] = [(x, ("v", row)) for x, row in section.velocities if x.known is None]
        loads += [(x, place) for x in section.twists if x not in numbers for place in handed.pop(x, ())]
        inputs, weights = dict[Expr, Place](), dict[Expr, Expr]()
        for x, place in loads:
            inputs[weight := vectors.symbol()] = place
            weights[x] = weights[x] + weight if x in weights else weight
        ends = list(dict.fromkeys([*section.before, *numbers]))
        found = dict(zip(ends, adjoint(vectors.graph, weights, ends, written.shared), strict=True))
        targets: list[tuple[Expr, Place]] = []
        for x, k in numbers.items() if section is sections[0] else ():  # what other sections have for it, and this
            for place in handed.pop(x, ()):
                inputs[more := vectors.symbol()] = place
                found[x] = found[x] + more
            targets.append((found.pop(x), ("a", k)))
        for x, value in found.items():
            if value.known != 0.0:
                handed[x].append(written.hand_on())
                targets.append((value, handed[x][-1]))
        written.add(targets, inputs)
