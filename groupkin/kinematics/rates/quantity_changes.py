"""How quantities change where bodies turn and points shift: as linear functions of these, at all orders in time.

A quantity is an expression of what can be read from a motion. Where bodies turn by η and points of them shift by ξ, its
change is the tangent of this expression, and that of its rate the derivative of the change by time, as both commute;
but an angular velocity ω in space changes by η' + η × ω. So the rates of quantities by drivers follow, of which η and ξ
are angular velocities and velocities, and derivatives by what parameters do to bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import NotModeledError
from groupkin.kinematics.motion.joint_coordinates import pair_of
from groupkin.kinematics.motion.kinds import origin
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.outputs import Expressions, bases
from groupkin.kinematics.motion.quantities import Quantity, places, read_from
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.changes import Change, shifted, turned
from groupkin.kinematics.rates.formulas import Formulas
from groupkin.kinematics.rates.slides import one_move
from groupkin.kinematics.rates.vectors import Term
from groupkin.mechanism.formulas.evaluation import derivatives
from groupkin.model.geometry.coordinate_rates import coordinate_expressions
from sglibrary.code.graph import Expr, cross
from sglibrary.code.instructions import compute_rows
from sglibrary.code.passes.adjoint import adjoint
from sglibrary.code.passes.tangent import tangent

Array = NDArray[np.float64]
ORDERS = 3
"""Value, rate and acceleration."""


@dataclass
class Moves:
    """Turns of bodies and shifts of points of them, which are the outputs of a map, while they are collected.

    Attributes
    ----------
    program : Program
    changes : sequence of Change
        Of local geometry.
    found : list of Expr
    """

    program: Program
    changes: Sequence[Change] = ()
    found: list[Expr] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.formulas = Formulas(self.program, changes=self.changes)

    def add(self, moves: list[Expr]) -> list[int]:
        """Add outputs; return their numbers."""
        self.found += moves
        return list(range(len(self.found) - len(moves), len(self.found)))

    def shift(self, body: str, local: Array, change: Change) -> list[Expr]:
        """Write the shift of a point (d,), m, of a body, and of the point on it."""
        of_body = self.formulas.velocities(body, local)[-self.formulas.vectors.dimension :]
        return self._sum(of_body, shifted(self.formulas, body, change))

    def turn(self, body: str, change: Change | None = None) -> list[Expr]:
        """Write the turn of a body, and of a frame on it."""
        vectors, twist = self.formulas.vectors, self.formulas.twist(body)
        of_body = [twist.get(k, vectors.zero) for k in range(vectors.components - vectors.dimension)]
        return self._sum(of_body, turned(self.formulas, body, change) if change else [[] for _ in of_body])

    def _sum(self, of_body: list[Expr], own: list[list[Term]]) -> list[Expr]:
        vectors = self.formulas.vectors
        return [vectors.sum([(vectors.one, x, 1.0), *terms]) for x, terms in zip(of_body, own, strict=True)]


@dataclass(frozen=True)
class Reading:
    """Changes of the components of a quantity as a linear function of series of moves.

    Attributes
    ----------
    moves : list of int
        Numbers of outputs of the map.
    matrices : (orders, components, moves, n or 1) array
        By what each coefficient of their series is multiplied.
    """

    moves: list[int]
    matrices: Array

    def of(self, series: Array) -> Array:
        """Changes (components, m, n) from the outputs of the map (orders, outputs, m, n)."""
        used = list(zip(self.matrices, series[:, self.moves], strict=False))
        some = [pair for pair in used if pair[0].any()] or used[:1]
        return np.asarray(sum(np.einsum("cpn,pmn->cmn", matrix, x) for matrix, x in some))

    def carried(self, weights: Array, out: Array) -> None:
        """Add to the weights of outputs (orders, outputs, n) what weights of the components (components, n) give."""
        for matrix, total in zip(self.matrices, out, strict=False):
            for number, output in enumerate(self.moves):
                for slopes, x in zip(matrix[:, number], weights, strict=True):
                    if slopes.any():
                        total[output] += slopes * x

    def at(self, some: slice) -> Reading:
        """At some of the steps."""
        return self if self.matrices.shape[-1] == 1 else replace(self, matrices=self.matrices[..., some])


Reader = Reading | Callable[[Motion], Reading]
"""A reading that is the same of all motions, or the function that makes that of one."""


def along(motion: Motion, reader: Reader) -> Reading:
    """Return the reading of a motion."""
    return reader if isinstance(reader, Reading) else reader(motion)


def reading(wanted: Quantity, moves: Moves) -> Reader:
    """Collect the moves that a quantity needs, and tell how its changes are read from them.

    Raises
    ------
    NotModeledError
        If changes of the quantity are not computed.
    """
    changes = _Changes(wanted, moves)
    graph, inputs = changes.graph, list[Expr]()
    for order in range(ORDERS):  # moves, their rates and accelerations
        inputs += changes.moves if order == 0 else map(changes.rates.__getitem__, inputs[-len(changes.moves) :])
    slopes = [adjoint(graph, {change: graph.number(1.0)}, inputs) for change in changes.values]
    table = np.array(slopes, object).reshape(len(slopes), ORDERS, -1).swapaxes(0, 1)
    nonzero = np.frompyfunc(lambda x: x.known != 0.0, 1, 1)(table).astype(bool)
    orders, used = 1 + max(np.flatnonzero(nonzero.any(axis=(1, 2))), default=0), nonzero.any(axis=(0, 1))
    # coefficients of a series in time are derivatives over factorials
    table = table[:orders, :, used] * np.array([factorial(order) for order in range(orders)], float).reshape(-1, 1, 1)
    numbers = moves.add([move for move, needed in zip(changes.moves.values(), used, strict=True) if needed])
    text, leaves = graph.rows(table.ravel().tolist())

    def computed(rows: list[Array], n: int) -> Reading:
        entries = np.array([np.broadcast_to(x, n) for x in (compute_rows(text, rows) if table.size else [])])
        return Reading(numbers, entries.reshape(*table.shape, n))

    return (lambda motion: computed(changes.rows(leaves, motion), motion.times.size)) if leaves else computed([], 1)


Read = Callable[[Motion], Any]
"""Reads rows (count, n) of a motion."""


class _Changes:
    """Changes of a quantity as expressions.

    Attributes
    ----------
    graph : Graph
    values : list of Expr
        Changes of the components of the quantity.
    moves : dict of Expr to Expr
        Leaves that stand for moves, with these in the graph of the map.
    rates : dict of Expr to Expr
        Derivatives of leaves by time.
    """

    def __init__(self, wanted: Quantity, collected: Moves) -> None:
        self.collected, self.mechanism = collected, collected.program.mechanism
        written = Expressions(wanted, self.mechanism)
        self.graph = written.graph
        self.moves: dict[Expr, Expr] = {}
        self.rates: dict[Expr, Expr] = {}
        self.places: dict[Expr, tuple[Read, int]] = {}
        seeds: dict[Expr, Expr] = {}
        for base in bases(wanted, self.mechanism):
            own = [leaf for (each, _), leaf in written.leaves.items() if each == base]
            seeds |= zip(own, self._base(base), strict=True)
            read = partial(_components, base)
            self.places |= {leaf: (read, k) for k, leaf in enumerate(own)}
        self.values = tangent(self.graph, written.values, seeds)

    def rows(self, leaves: list[Expr], motion: Motion) -> list[Array]:
        """Read leaves from a motion."""
        places = [self.places[leaf] for leaf in leaves]
        found = {read: read(motion) for read in dict(places)}
        return [found[read][k] for read, k in places]

    # --- leaves

    def _leaves(self, count: int, *reads: Read | None) -> list[Expr]:
        """Add leaves that are read from a motion, and their derivatives by time."""
        every = [[self.graph.value("x", len(self.graph.keys)) for _ in range(count)] for _ in reads]
        for leaves, read in zip(every, reads, strict=True):
            self.places |= {leaf: (read, k) for k, leaf in enumerate(leaves) if read is not None}
        for leaves, rates in pairwise(every):
            self.rates |= zip(leaves, rates, strict=True)
        return every[0]

    def _add(self, moves: list[Expr]) -> list[Expr]:
        """Add moves, and leaves that stand for them."""
        leaves = self._leaves(len(moves), *[None] * ORDERS)
        self.moves |= zip(leaves, moves, strict=True)
        return leaves

    # --- changes of what is read from a motion

    def _base(self, base: Quantity) -> list[Expr]:
        kind, order = origin(base.kind)
        made = {"position": self._position, "angle": self._angle, "rotation": self._rotation, "joint": self._joint}
        if kind not in made:
            raise NotModeledError(
                f"derivatives of `{base}` by parameters are not computed; there are those of positions, rotations, "
                "joint coordinates, their rates, distances, transmission angles and outputs of these"
            )
        found = made[kind](base.name)
        if kind == "angle" and order and len(found) == 3:
            found, order = self._spin(base.name, found), order - 1
        found = derivatives(found, self.rates, order)[-1]
        return [found[k] for k in places(base, self.mechanism)]

    def _position(self, name: str) -> list[Expr]:
        """The shift of a point, or of the origin of a body."""
        geometry = self.collected.program.geometry
        if name in geometry.points:
            return self._add(self.collected.shift(*geometry.points[name], Change("point", name)))
        return self._add(self.collected.shift(name, geometry.origins[name], Change("origin", name)))

    def _angle(self, body: str) -> list[Expr]:
        return self._add(self.collected.turn(body))

    def _spin(self, body: str, turn: list[Expr]) -> list[Expr]:
        """The change of an angular velocity in space."""
        spin = self._leaves(3, lambda of: of.angular_velocity(body).T, lambda of: of.angular_acceleration(body).T)
        return [self.rates[x] + y for x, y in zip(turn, _across(turn, spin), strict=True)]

    def _rotation(self, body: str) -> list[Expr]:
        turn, d = self._angle(body), self.mechanism.dimension
        entries = self._leaves(d * d, partial(_components, Quantity("rotation", body)))
        columns = [_across(turn, entries[k::d]) for k in range(d)]
        return [column[i] for i in range(d) for column in columns]

    def _joint(self, name: str) -> list[Expr]:
        """Changes of coordinates: the frames of the joint on its bodies turn and shift."""
        collected, joint, d = self.collected, self.mechanism.joint[name], self.mechanism.dimension
        form, geometry = self.mechanism.form(joint), collected.program.geometry.joints[name]
        if not collected.changes:
            formulas = collected.formulas
            driven = [formulas.numbers.get((name, k)) for k in range(len(form.places))]
            if None not in driven:
                return self._add([formulas.drivers[k] for k in driven if k is not None])
            if len(form.moves) == 1:
                return self._add([one_move(formulas, joint)])
        if form.curved:
            raise NotModeledError(f"joint {name!r} is a cam: derivatives of its coordinates are not computed")
        turns = [self._add(collected.turn(body, Change("turn", name, k))) for k, body in enumerate(joint.bodies)]
        if form.hinge and d == 2:
            return [turns[1][0] - turns[0][0]]
        leaves = self._leaves(2 * d * (d + 1), *(partial(_ends, name, order) for order in range(ORDERS)))
        constants = self._leaves(1 if geometry.bend is None else 10, lambda of: pair_of(of.program, name).constants(of))
        ends, changes = np.array(leaves).reshape(2, d + 1, d), list[Expr]()
        for k, (body, point) in enumerate(zip(joint.bodies, geometry.points, strict=True)):
            changes += [x for axis in ends[k, :d] for x in _across(turns[k], axis)]
            changes += self._add(collected.shift(body, point, Change("shift", name, k)))
        values = coordinate_expressions(form, ends, constants)
        return tangent(self.graph, [values[k] for k in form.places], dict(zip(leaves, changes, strict=True)))


def _across(turn: Sequence[Expr], vector: Sequence[Expr]) -> list[Expr]:
    """Write how a vector of a body changes by a turn."""
    if len(turn) == 1:
        return [-(turn[0] * vector[1]), turn[0] * vector[0]]
    return list(cross(turn, vector))  # type: ignore[arg-type]


def _components(quantity: Quantity, motion: Motion) -> Array:
    """Read the components (count, n) of a quantity."""
    return read_from(motion, quantity, motion.program.mechanism).reshape(motion.times.size, -1).T


def _ends(joint: str, order: int, motion: Motion) -> list[Array]:
    """Read the two frames of a joint, or their derivatives by time."""
    pair = pair_of(motion.program, joint)
    return motion.ends(pair.bodies, pair.geometry, order)
