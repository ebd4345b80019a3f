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
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.program.ready_program import once_per_program
from groupkin.kinematics.rates.computed import computed_rows
from groupkin.kinematics.rates.formulas import Formulas
from groupkin.kinematics.rates.vectors import Computed
from groupkin.model.trees import Tree
from sglibrary.code.graph import Expr
from sglibrary.code.interpreted import Schedule, scheduled
from sglibrary.code.linear_map import LinearMap, Place
from sglibrary.code.passes.adjoint import adjoint

Array = NDArray[np.float64]

TOGETHER = 32
"""Groups of a mechanism up to which all are one list."""


@dataclass(frozen=True, eq=False)
class PoseMap:
    """A linear map whose coefficients follow from positions.

    Attributes
    ----------
    program : Program
    parts : tuple of LinearMap
        One after another; their rows of q are those of the state, and behind them what is given.
    outputs : int
    more : int
        Results that parts hand on, beside the outputs.
    computed : tuple of Computed
        What is given, in this order.
    center, length : (d,) array, float
        Of twists that are computed, m.
    schedules : dict of bool to Schedule
        For one vector and for many, as far as they have been needed.
    """

    program: Program
    parts: tuple[LinearMap, ...]
    outputs: int
    more: int
    computed: tuple[Computed, ...]
    center: Array
    length: float
    schedules: dict[bool, Schedule] = field(default_factory=dict)

    def schedule(self, many: bool) -> Schedule:
        """Return the lists for one vector or for many."""
        if many not in self.schedules:
            written = [part.steps() for part in self.parts]
            steps = [step for of_part, _ in written for step in of_part]
            work = max((rows for _, rows in written), default=0)
            self.schedules[many] = scheduled(steps, work, row_of(self.program), many)
        return self.schedules[many]

    def apply(self, motion: Motion, x: Array) -> Array:
        """Apply the map to vectors (inputs, m, n or 1) at all positions of a motion: (outputs, m, n).

        NaN where the motion is not solved.
        """
        n, directions = motion.times.size, x.shape[1]
        q = rows_of(motion.q)
        if self.computed:
            q = np.concatenate([motion.q, *computed_rows(motion, self.computed, self.center, self.length)])
        pitch = q.shape[1]
        given, results = (np.empty((max(k, 1) * directions, pitch)) for k in (len(x), self.outputs + self.more))
        given[: x.shape[0] * directions].reshape(*x.shape[:2], pitch)[..., :n] = x
        self.schedule(directions > 1).run(q, given, results, directions, n)
        y = results.reshape(-1, directions, pitch)[: self.outputs, :, :n]
        if motion.status.any():
            y[..., ~motion.placed] = np.nan
        return y


def pose_map(formulas: Formulas, outputs: list[Expr], inputs: dict[Expr, Place] | None = None) -> PoseMap:
    """Make the map of some expressions, which take the rows of inputs in order; without inputs they are numbers."""
    program, vectors = formulas.program, formulas.vectors
    given = {x: program.rows + k for k, x in enumerate(vectors.given)}
    targets: list[tuple[Expr, Place]] = [(x, ("a", k)) for k, x in enumerate(outputs)]
    part = LinearMap(vectors.graph, targets, inputs or {}, given, inverses=formulas.inverses)
    return PoseMap(program, (part,), len(outputs), 0, tuple(vectors.computed), vectors.center, vectors.length)


def row_of(program: Program) -> Callable[[int], int]:
    """Return what the rows of a state, and what is given behind them, are among those that a motion keeps."""
    numbers, kept = {row: k for k, row in enumerate(program.kept.tolist())}, program.kept.size
    return lambda row: numbers[row] if row < program.rows else kept + row - program.rows


def rows_of(x: Array) -> Array:
    """Return rows with all the memory between them, or a copy where there is none that can be written."""
    rows, n = x.shape
    ahead, base = x.strides[0], x.base
    if x.strides[1] != 8 or ahead < 8 * n or ahead % 8 or base is None or not base.flags.c_contiguous:
        return x.copy()
    first = x.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    if base.nbytes < first + rows * ahead or not base.flags.writeable:
        return x.copy()
    return np.ndarray((rows, ahead // 8), float, base, first)


@dataclass(frozen=True, eq=False)
class _Section:
    """Some groups of a program.

    Attributes
    ----------
    formulas : Formulas
    bodies : list of str
    velocities : list of Expr
        Of the bodies' origins, after their angular velocities.
    rows : list of int
        Which of the outputs these are.
    given : dict of Expr to int
        Rows of what is computed beside positions.
    """

    formulas: Formulas
    bodies: list[str]
    velocities: list[Expr]
    rows: list[int]
    given: dict[Expr, int]

    def map(self, targets: list[tuple[Expr, Place]], inputs: dict[Expr, Place]) -> LinearMap:
        return LinearMap(
            self.formulas.vectors.graph, targets, inputs, self.given, inverses=self.formulas.inverses
        )


def _sections(program: Program) -> list[_Section]:
    groups, first = program.structure.groups, program.rows
    components, found = dict[str, list[int]](), list[_Section]()
    trees = dict[int, Tree]()
    number = {body: k for k, body in enumerate(program.mechanism.movable)}
    every = range(len(groups))
    for section in [every] if len(groups) <= TOGETHER else [range(k, k + 1) for k in every]:
        formulas, bodies = Formulas(program, before=components, trees=trees), list[str]()
        velocities, rows = list[Expr](), list[int]()
        for k in section:
            formulas.grow(k)
            bodies += groups[k].bodies
        for body in bodies:
            components[body] = list(formulas.twist(body))
            of_body = formulas.velocities(body, program.geometry.origins[body])
            velocities += of_body
            rows += range(number[body] * len(of_body), (number[body] + 1) * len(of_body))
        given = {x: first + k for k, x in enumerate(formulas.vectors.given)}
        first += len(given)
        found.append(_Section(formulas, bodies, velocities, rows, given))
    return found


@once_per_program
def rate_maps(program: Program) -> tuple[PoseMap, PoseMap]:
    """Make the map from the rates of the drivers to the twists of all bodies, and its transpose."""
    sections, computed = _sections(program), list[Computed]()
    for section in sections:
        computed += section.formulas.vectors.computed
    outputs = 3 * (program.mechanism.dimension - 1) * len(program.mechanism.movable)
    vectors = sections[0].formulas.vectors
    made = []
    for parts, count in ((_forward(sections, outputs), outputs), (_back(sections, program), len(program.drivers))):
        last = max((row for part in parts for _, (_, row) in part.outputs), default=-1)
        more = max(0, last + 1 - count)
        made.append(PoseMap(program, tuple(parts), count, more, tuple(computed), vectors.center, vectors.length))
    return made[0], made[1]


def _forward(sections: list[_Section], outputs: int) -> list[LinearMap]:
    """From the rates of the drivers to all velocities, by the twists that sections hand on behind these."""
    used = {body for section in sections for body in section.formulas.taken}
    handed = dict[tuple[str, int], Place]()
    parts = []
    for section in sections:
        formulas = section.formulas
        inputs: dict[Expr, Place] = {x: ("v", k) for k, x in enumerate(formulas.drivers)}
        inputs |= {x: handed[body, i] for body, twist in formulas.taken.items() for i, x in twist.items()}
        targets: list[tuple[Expr, Place]] = [
            (x, ("a", row)) for x, row in zip(section.velocities, section.rows, strict=True)
        ]
        for body in used & set(section.bodies):
            for i, x in formulas.twist(body).items():
                handed[body, i] = ("a", outputs + len(handed))
                targets.append((x, handed[body, i]))
        parts.append(section.map(targets, inputs))
    return parts


def _back(sections: list[_Section], program: Program) -> list[LinearMap]:
    """From loads on the bodies to the drivers, by the loads on twists of bodies that sections hand back."""
    outputs, numbers = len(program.drivers), count(len(program.drivers))
    handed = defaultdict[tuple[str, int], list[Place]](list)
    parts = []
    for section in reversed(sections):
        formulas, inputs, weights = section.formulas, dict[Expr, Place](), dict[Expr, Expr]()

        def load(x: Expr, place: Place) -> None:
            weight = formulas.vectors.symbol()
            inputs[weight] = place
            weights[x] = weights[x] + weight if x in weights else weight

        for x, row in zip(section.velocities, section.rows, strict=True):
            if x.known is None:
                load(x, ("v", row))
        for body in section.bodies:
            for i, x in formulas.twist(body).items():
                for place in handed.pop((body, i), ()):
                    load(x, place)
        ends = {("", k): x for k, x in enumerate(formulas.drivers)}
        ends |= {(body, i): x for body, twist in formulas.taken.items() for i, x in twist.items()}
        found = dict(zip(ends, adjoint(formulas.vectors.graph, weights, list(ends.values())), strict=True))
        targets: list[tuple[Expr, Place]] = []
        for k in range(outputs) if section is sections[0] else ():  # what other sections have for the drivers, and this
            for place in handed.pop(("", k), ()):
                inputs[more := formulas.vectors.symbol()] = place
                found["", k] = found["", k] + more
            targets.append((found.pop(("", k)), ("a", k)))
        for end, x in found.items():
            if x.known != 0.0:
                handed[end].append(("a", next(numbers)))
                targets.append((x, handed[end][-1]))
        parts.append(section.map(targets, inputs))
    return parts
