"""Couplings bound to a mechanism: which coordinates they take, and their values and derivatives."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.errors import CouplingError, DuplicateNameError, FormulaError, GroupkinError, NotModeledError, shown
from groupkin.mechanism.carriers import on_body, why_on_none
from groupkin.mechanism.couplings.couplings import Coupling
from groupkin.mechanism.formulas.evaluation import derivatives, expressed, measure, readings
from groupkin.mechanism.formulas.operations import ANGLE, Measure
from groupkin.mechanism.formulas.syntax import Operation, problem, sides
from groupkin.mechanism.pairs import Freedom, form, freedom_index
from groupkin.mechanism.parts import Joint
from groupkin.mechanism.units import NO_UNIT, Powers, factor_text, powers
from groupkin.messages import unknown
from groupkin.text_forms import NAME, plain, words, written
from sglibrary.code.graph import Expr, Graph
from sglibrary.code.instructions import compute_rows
from sglibrary.code.passes.adjoint import adjoint

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism

Array = NDArray[np.float64]
Jet = tuple[Any, ...]
"""A value and its derivatives by time up to some order, arrays or plain numbers."""

MOST = 6
"""Coordinates that one coupling takes at most."""

LENGTH: Powers = powers("m") or NO_UNIT


@dataclass(frozen=True)
class Coordinate:
    """A number that a coupling takes.

    Attributes
    ----------
    joint : Joint
        One of the mechanism; or, of points and angles, a free pair between the frame and the body that measures them.
    index, move : int
        Of its freedom, and of that among the moves of its pair.
    offset : float
        What is added to the value of the freedom, m.
    freedom : Freedom
    """

    joint: Joint
    index: int
    move: int
    offset: float
    freedom: Freedom

    @property
    def name(self) -> tuple[str, int]:
        return self.joint.name, self.index


@dataclass(frozen=True)
class Relation:
    """A coupling of a mechanism.

    Attributes
    ----------
    coupling : Coupling
    coordinates : tuple of Coordinate
        Each once.
    places : dict of str to tuple of int
        Of every quantity in the formula the numbers of its components among them.
    unit : (length, angle, time)
        Powers of the equation's unit.
    lists : dict
        Instruction lists that compute the equation, by the last derivative and whether it is of slopes.
    """

    coupling: Coupling
    coordinates: tuple[Coordinate, ...]
    places: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    unit: Powers = NO_UNIT
    lists: dict[tuple[int, bool], str] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def bodies(self) -> tuple[str, ...]:
        """The bodies that it touches."""
        return tuple(dict.fromkeys(body for each in self.coordinates for body in each.joint.bodies))

    def jet(self, values: Sequence[Jet], order: int = 0) -> Jet:
        """Compute the left minus the right side of the equation and its derivatives by time.

        Parameters
        ----------
        values : sequence of Jet
            Of every coordinate, arrays of one shape.
        order : int
            Of derivatives, 2 at most.
        """
        if self.coupling.tree is not None:
            return tuple(self._computed(values, order, False))
        x, *changes = _arrays(values, order)
        value, first, second = self._given(x.reshape(len(values), -1))
        found, rows = [value], [change.reshape(first.shape) for change in changes]
        if order > 0:
            found.append((first * rows[0]).sum(axis=0))
        if order > 1:
            found.append((first * rows[1]).sum(axis=0) + np.einsum("kn,kmn,mn->n", rows[0], second, rows[0]))
        return tuple(part.reshape(x.shape[1:]) for part in found)

    def expression(self, graph: Graph, coordinates: Sequence[Expr]) -> Expr:
        """Write the left minus the right side of an equation as an expression of its coordinates, m and rad."""
        assert self.coupling.tree is not None
        return expressed(self.coupling.tree, graph, lambda x: tuple(coordinates[k] for k in self.places[x.text]))[0]

    def _computed(self, values: Sequence[Jet], order: int, slopes: bool) -> list[Array]:
        """Compute the equation, or its derivatives by each coordinate, and derivatives of these by time in turn."""
        if (order, slopes) not in self.lists:
            self.lists[order, slopes] = self._list(order, slopes)
        rows = [value[j] for j in range(order + 1) for value in values]
        found = compute_rows(self.lists[order, slopes], rows)
        return [np.asarray(part, np.result_type(np.asarray(part), float)) for part in found]

    def _list(self, order: int, slopes: bool) -> str:
        """Write the instruction list that computes these from rows of coordinates, of their rates, and so on."""
        graph, n = Graph(), len(self.coordinates)
        leaves = [graph.value("w", k) for k in range(n * (order + 1))]
        value = self.expression(graph, leaves[:n])
        first = adjoint(graph, {value: graph.number(1.0)}, leaves[:n]) if slopes else [value]
        parts = chain(*derivatives(first, dict(zip(leaves, leaves[n:], strict=False)), order))
        return graph.text([(part, f"w {len(leaves) + k}") for k, part in enumerate(parts)])

    def slope_series(self, values: Sequence[Jet], orders: int) -> list[Array]:
        """Compute the derivatives by all coordinates, and the derivatives of these by time, as many as `orders` in all.

        Parameters
        ----------
        values : sequence of Jet
            Of every coordinate.
        orders : int
            3 at most.

        Returns
        -------
        list of (k, ...) array

        Raises
        ------
        NotModeledError
            If third derivatives of a function are needed, which it does not give.
        """
        n, coupling = len(values), self.coupling
        if coupling.tree is not None:
            found = self._computed(values, orders - 1, True)
            shape = np.broadcast_shapes(*(np.shape(x[0]) for x in values))
            parts = [np.broadcast_to(part, shape) for part in found]
            return [np.stack(parts[n * k : n * k + n]) for k in range(orders)]
        if coupling.function is not None and orders > 2:
            raise NotModeledError(
                f"coupling {coupling.name!r} is a function without third derivatives: derivatives of "
                "accelerations by parameters are not computed; write it as a formula"
            )
        x, *changes = _arrays(values, orders - 1)
        _, first, second = self._given(x)
        slopes = [first, *(np.einsum("kmn,mn->kn", second, change) for change in changes)]
        if orders > 2:
            slopes[2][0] -= coupling.spline(self._within(x[0]), 3) * changes[0][0] ** 2
        return slopes

    def _given(self, x: Array) -> tuple[Array, Array, Array]:
        """Compute a table or function, and its first and second derivatives by coordinates (k, n)."""
        if self.coupling.function is not None:
            found = [self.coupling.compiled.at(column) for column in x.T]
            value, first, second = (np.array(part) for part in zip(*found, strict=True))
            return value, first.T, np.moveaxis(second, 0, -1)
        spline, at = self.coupling.spline, self._within(x[0])
        first, second = np.ones(x.shape), np.zeros((2, *x.shape))
        first[0], second[0, 0] = -spline(at, 1), -spline(at, 2)
        return np.where((at >= spline.x[0]) & (at <= spline.x[-1]), x[1] - spline(at), np.nan), first, second

    def _within(self, x: Array) -> Array:
        """Return the first coordinate of a table, without the periods of a closed one."""
        low, high = self.coupling.spline.x[[0, -1]]
        return np.asarray(low + np.mod(x - low, high - low)) if self.coupling.closed else x

    def kept(self, values: Sequence[ArrayLike]) -> Array:
        """Return the value that the equation keeps, from coordinates in the reference configuration, m and rad."""
        return self.jet([(value,) for value in values])[0] if self.coupling.keeps else np.zeros(())

    def gradient(self, values: Sequence[float]) -> Array:
        """Compute the derivatives by all coordinates at some values of them."""
        n = len(values)
        jets = [tuple(map(np.array, (np.full(n, value), np.eye(n)[k]))) for k, value in enumerate(values)]
        return np.broadcast_to(np.asarray(self.jet(jets, 1)[1], float), n)


def _arrays(values: Sequence[Jet], order: int) -> list[Array]:
    """Return all coordinates, and each of their derivatives, as arrays (k, ...)."""
    return [np.array(np.broadcast_arrays(*(value[j] for value in values)), float) for j in range(order + 1)]


def relations(mechanism: Mechanism) -> dict[str, Relation]:
    """Bind the couplings of a mechanism to its joints, points and bodies.

    Raises
    ------
    CouplingError
        If a coupling touches no movable body, or takes too many coordinates.
    FormulaError
        If it names what the mechanism does not have, or combines units that do not fit, with the place.
    """
    found = {}
    for coupling in mechanism.couplings:
        try:
            relation = _formula(coupling, mechanism) if coupling.tree is not None else _listed(coupling, mechanism)
        except FormulaError as error:
            raise FormulaError(f"coupling {coupling.name!r}: {error}") from None
        if set(relation.bodies) <= {mechanism.frame}:
            raise CouplingError(f"coupling {coupling.name!r} touches no movable body")
        if len(relation.coordinates) > MOST:
            raise CouplingError(
                f"coupling {coupling.name!r} takes {len(relation.coordinates)} coordinates, and one equation has at "
                f"most {MOST}; a component such as `position P.x` is one, a whole position two or three"
            )
        found[coupling.name] = relation
    return found


def refuse_couplings(mechanism: Mechanism, what: str) -> None:
    """Refuse what does not know couplings.

    Raises
    ------
    NotModeledError
    """
    if mechanism.couplings:
        raise NotModeledError(
            f"{mechanism.name}: {what} of mechanisms with couplings ({', '.join(mechanism.relations)}) are not computed"
        )


def rotations(of: Sequence[str], mechanism: Mechanism) -> list[bool]:
    """Tell of quantities whether each is a rotation.

    Raises
    ------
    CouplingError, UnknownNameError
    """
    return [quantity(text, mechanism)[0].freedom.rotation for text in of]


def _listed(coupling: Coupling, mechanism: Mechanism) -> Relation:
    """Bind a table or a function."""
    try:
        each = [quantity(text, mechanism) for text in coupling.of]
    except GroupkinError as error:
        raise CouplingError(f"coupling {coupling.name!r}: {error}") from None
    if any(len(parts) > 1 for parts in each):
        raise CouplingError(f"coupling {coupling.name!r}: of a position name one component, such as `position P.x`")
    coordinates = tuple(parts[0] for parts in each)
    if len({part.name for part in coordinates}) < len(coordinates):
        raise CouplingError(f"coupling {coupling.name!r} is of the same coordinate twice")
    unit = NO_UNIT if coupling.function is not None else ANGLE if coordinates[1].freedom.rotation else LENGTH
    return Relation(coupling, coordinates, unit=unit)


def _formula(coupling: Coupling, mechanism: Mechanism) -> Relation:
    coordinates: dict[tuple[str, int], Coordinate] = {}
    places: dict[str, tuple[int, ...]] = {}
    sizes: dict[str, Measure] = {}
    assert coupling.tree is not None
    texts = sides(coupling.equation)
    trees = coupling.tree.operands if len(texts) == 2 and isinstance(coupling.tree, Operation) else (coupling.tree,)
    stated = list(zip(trees, texts, strict=True))
    for reading, text in ((reading, text) for tree, text in stated for reading in readings(tree)):
        try:
            parts = quantity(reading.text, mechanism)
        except GroupkinError as error:
            raise problem(str(error), text, reading.place) from None
        for part in parts:
            coordinates.setdefault(part.name, part)
        places[reading.text] = tuple(list(coordinates).index(part.name) for part in parts)
        sizes[reading.text] = Measure(
            ANGLE if parts[0].freedom.rotation else LENGTH, len(parts) if len(parts) > 1 else 0
        )
    if not coordinates:
        raise FormulaError("the equation has no quantity; they stand in braces, as in `{joint A} - {joint B}`")
    of_sides = [measure(tree, text, lambda reading: sizes[reading.text]) for tree, text in stated]
    if len(of_sides) == 2 and of_sides[0].unit != of_sides[1].unit:
        _refuse_sides(of_sides, [text.strip() for text in texts])
    whole = measure(coupling.tree, coupling.equation, lambda reading: sizes[reading.text])
    if whole.size:
        raise FormulaError("the equation is one of vectors; state one for each component, such as `.x`")
    return Relation(coupling, tuple(coordinates.values()), places, whole.unit)


def _refuse_sides(measures: Sequence[Measure], texts: Sequence[str]) -> None:
    """Refuse an equation whose sides have different units, with one that has not."""
    factor = factor_text(measures[0].unit, measures[1].unit)
    so = f", as in `{texts[0]} = ({texts[1]}){factor}`" if factor else ""
    raise FormulaError(
        f"`{texts[0]}` is {measures[0]}, `{texts[1]}` is {measures[1]}; both sides of `=` need the same unit{so}"
    )


def quantity(text: str, mechanism: Mechanism) -> tuple[Coordinate, ...]:
    """Find the coordinates that a quantity consists of: one, or those of a point.

    Raises
    ------
    CouplingError, UnknownNameError
    """
    parts = words(text)
    if len(parts) == 2 and parts[0] in _KINDS:
        return _KINDS[parts[0]](parts[1], mechanism)
    raise CouplingError(
        "a coupling takes `joint J`, `joint J.freedom`, `position P`, `position P.x` and `angle BODY`, not "
        f"{shown(text)}"
    )


def _split(word: str) -> tuple[str, str, str]:
    """Split a word into a name, the name after ``@`` and the one after ``.``."""
    found = re.fullmatch(rf"({NAME})(?:@({NAME}))?(?:\.({NAME}))?", word)
    if found is None:
        raise CouplingError(f"{shown(word)} is no name; names with blanks, dots and dashes stand in single quotes")
    name, body, component = (plain(part) for part in found.groups())
    return name, body, component


def _joint(word: str, mechanism: Mechanism) -> tuple[Coordinate, ...]:
    name, _, freedom = _split(word)
    if name not in mechanism.joint:
        raise unknown("joint", name, list(mechanism.joint))
    joint = mechanism.joint[name]
    index = freedom_index(joint.type, mechanism.dimension, freedom or None, joint.follower)
    return (Coordinate(joint, index, mechanism.form(joint).places[index], 0.0, mechanism.freedoms(joint)[index]),)


def _position(word: str, mechanism: Mechanism) -> tuple[Coordinate, ...]:
    name, body, component = _split(word)
    if name not in mechanism.positions:
        raise unknown("named point", name, list(mechanism.positions))
    bodies = list(mechanism.stated_points[name])
    if body and body not in bodies:
        raise CouplingError(f"point {name!r} is on {' and '.join(bodies) or 'no body'}, not on {body!r}")
    if not body and not on_body(mechanism, name):
        which = f", or take {' or '.join(f'{written(name)}@{written(body)}' for body in bodies)}" if bodies else ""
        raise CouplingError(why_on_none(mechanism, name) + which)
    axes = "xyz"[: mechanism.dimension]
    if component and component not in axes:
        raise CouplingError(f"a position has the components {', '.join(axes)}, not {component!r}")
    at = mechanism.positions[name]
    body = body or on_body(mechanism, name)
    symbol = "FP" if mechanism.dimension == 2 else "F"
    joint = Joint(
        f"position {written(name)}@{written(body)}", symbol, (mechanism.frame, body), points=(at.tolist(), name)
    )
    moves = form(symbol, mechanism.dimension).moves
    chosen = [axes.index(component)] if component else range(len(axes))
    return tuple(Coordinate(joint, k, k, float(at[k]), moves[k]) for k in chosen)


def check_measured(mechanism: Mechanism) -> None:
    """Refuse joints with the name of what a coupling measures, which would be taken for it.

    Raises
    ------
    DuplicateNameError
    """
    for relation in mechanism.relations.values():
        for each in relation.coordinates:
            name = each.joint.name
            if name in mechanism.joint and each.joint is not mechanism.joint[name]:
                raise DuplicateNameError(
                    f"joint {name!r} has the name of what coupling {relation.coupling.name!r} measures; rename it"
                )


def _angle(word: str, mechanism: Mechanism) -> tuple[Coordinate, ...]:
    name, _, _ = _split(word)
    if name not in mechanism.body:
        raise unknown("body", name, list(mechanism.body))
    if mechanism.dimension == 3:
        raise CouplingError("the angle of a body is one number in the plane only; take a joint's in space")
    if name == mechanism.frame:
        raise CouplingError("the frame does not turn")
    at = [0.0, 0.0]
    joint = Joint(f"angle {written(name)}", "FP", (mechanism.frame, name), points=(at, at))
    return (Coordinate(joint, 2, 2, 0.0, form("FP", 2).moves[2]),)


_KINDS = {"joint": _joint, "position": _position, "angle": _angle}
