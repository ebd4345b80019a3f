"""Outputs of mechanisms: their formulas bound to quantities, and their values and derivatives in a motion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import FormulaError, GroupkinError, NotModeledError, QuantityError, shorter
from groupkin.kinematics.motion.computed_quantities import COMPUTED, computed_bases, turning_axes
from groupkin.kinematics.motion.kinds import INFLUENCE, RATES, origin
from groupkin.kinematics.motion.quantities import (
    Quantity,
    check,
    components,
    parse,
    places,
    read_from,
    resolved,
    unit,
)
from groupkin.mechanism.formulas.evaluation import derivatives, expressed, first_without_value, measure, readings
from groupkin.mechanism.formulas.operations import OPERATIONS, Measure, Parts
from groupkin.mechanism.formulas.syntax import Node, Operation, Reading, parse_formula, problem
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.units import powers, unit_text
from sglibrary.code.graph import Expr, Graph
from sglibrary.code.instructions import compute_rows

if TYPE_CHECKING:
    from groupkin.kinematics.motion.motion import Motion

Array = NDArray[np.float64]

DERIVATIVES = ("output", "output_rate", "output_acceleration")
"""Kinds of quantities that are read from outputs, by the order of the derivative."""


@dataclass(frozen=True)
class Output:
    """An output of a mechanism.

    Attributes
    ----------
    name, text : str
    tree : Node
        The formula, in which norms of quantities are operations.
    quantities : dict of str to Quantity
        Those in braces, by their texts.
    unit : str
        Of its value, SI.
    size : int
        Number of components; 0 if it is a number.
    """

    name: str
    text: str
    tree: Node
    quantities: Mapping[str, Quantity]
    unit: str
    size: int


# --- formulas of a mechanism -----------------------------------------------------------------


@lru_cache(maxsize=32)
def outputs_of(mechanism: Mechanism) -> dict[str, Output]:
    """Bind the formulas of a mechanism to its quantities; each output comes after those in it.

    Raises
    ------
    FormulaError
        With the formula and the place, if it names what the mechanism does not have, combines units that do not fit,
        or needs itself.
    """
    trees = {name: parse_formula(text) for name, text in mechanism.outputs.items()}
    known: dict[str, Output] = {}
    for name in _ordered(trees):
        try:
            known[name] = _bound(name, trees[name], mechanism, known)
        except FormulaError as error:
            raise FormulaError(f"output {name!r}: {error}") from None
    return known


def _ordered(trees: Mapping[str, Node]) -> list[str]:
    """Sort outputs so that each comes after those that it names."""
    named = {name: [_named(reading, trees) for reading in readings(tree)] for name, tree in trees.items()}
    try:
        return [name for name in TopologicalSorter(named).static_order() if name]
    except CycleError as error:
        way = " → ".join(repr(name) for name in reversed(error.args[1]))
        raise FormulaError(
            f"outputs need each other in a circle: {way}; write one of them without the others"
        ) from None


def _named(reading: Reading, names: Mapping[str, Any]) -> str:
    """Return the output that is named in braces, or that a name alone may mean; empty if there is none."""
    try:
        given = parse(reading.text)
    except QuantityError:  # which is refused with its place later
        return ""
    return given.names[0] if given.kind in ("", *DERIVATIVES, INFLUENCE) and given.names[0] in names else ""


def _bound(name: str, tree: Node, mechanism: Mechanism, known: Mapping[str, Output]) -> Output:
    """Bind a formula to quantities, among them outputs that are known already."""
    text, quantities = mechanism.outputs[name], {}
    for reading in readings(tree):
        try:
            quantities[reading.text] = resolved(reading.text, mechanism, known)
        except GroupkinError as error:
            raise problem(str(error), text, reading.place) from None
    bound = _with_norms(tree, quantities)
    found = measure(bound, text, lambda reading: _measure(reading, text, quantities[reading.text], mechanism, known))
    return Output(name, text, bound, quantities, unit_text(found.unit), found.size)


def _with_norms(tree: Node, quantities: dict[str, Quantity]) -> Node:
    """Replace the norms of quantities by operations, which have derivatives."""
    if isinstance(tree, Operation):
        return replace(tree, operands=tuple(_with_norms(operand, quantities) for operand in tree.operands))
    if isinstance(tree, Reading) and quantities[tree.text].component == "norm":
        vector = replace(quantities[tree.text], component="")
        quantities[str(vector)] = vector
        return Operation("norm", (Reading(str(vector), tree.place),), tree.place)
    return tree


def _measure(
    reading: Reading, text: str, quantity: Quantity, mechanism: Mechanism, known: Mapping[str, Output]
) -> Measure:
    """Return the unit and the number of components of a quantity."""
    dims, labels = components(quantity, mechanism, known)
    if dims not in ((), ("axis",)):
        what = (
            "is a matrix: use points of the body" if quantity.kind == "rotation" else "has several freedoms: name one"
        )
        raise problem(f"`{quantity}` {what}", text, reading.place)
    found = powers(unit(quantity, mechanism, known))
    assert found is not None
    return Measure(found, len(labels[0]) if dims else 0)


# --- what is read for an output --------------------------------------------------------------


def bases(quantity: Quantity, mechanism: Mechanism) -> tuple[Quantity, ...]:
    """List the quantities that others are computed from; any other is its own base.

    Computed are outputs and their derivatives, norms, and what is of several points.

    Raises
    ------
    NotModeledError
        If one of them has no derivative that is needed.
    """
    kind, order = origin(quantity.kind)
    if kind in COMPUTED:
        return computed_bases(kind, quantity.names, order, mechanism.dimension)
    if quantity.kind not in DERIVATIVES:
        return (replace(quantity, component="") if quantity.component == "norm" else quantity,)
    outputs, found = outputs_of(mechanism), dict[Quantity, None]()
    for name, order in _orders(quantity, outputs).items():
        for given in _used(outputs[name]):
            if given.kind not in DERIVATIVES:
                every = _derivatives(given, order, quantity, mechanism)
                found |= dict.fromkeys(base for each in every for base in bases(each, mechanism))
    return tuple(found)


def _orders(quantity: Quantity, outputs: dict[str, Output]) -> dict[str, int]:
    """Find the orders of derivatives of all outputs that one needs; each comes after those in it."""
    orders = {quantity.name: DERIVATIVES.index(quantity.kind)}
    for name in reversed(outputs):
        for given in _used(outputs[name]) if name in orders else ():
            if given.kind in DERIVATIVES:
                order = orders[name] + DERIVATIVES.index(given.kind)
                orders[given.name] = max(orders.get(given.name, 0), order)
    beyond = next((name for name, order in orders.items() if order >= len(DERIVATIVES)), None)
    if beyond is not None:
        raise NotModeledError(f"`{quantity}` needs a third derivative of output {beyond!r}; two are computed")
    return {name: orders[name] for name in outputs if name in orders}


def _used(output: Output) -> list[Quantity]:
    """List the quantities in a formula, norms being operations."""
    return [output.quantities[reading.text] for reading in readings(output.tree)]


def _derivatives(given: Quantity, order: int, of: Quantity, mechanism: Mechanism) -> list[Quantity]:
    """List a quantity and its derivatives up to some order."""
    chain = [given]
    for _ in range(order):
        if chain[-1].kind not in RATES:
            raise NotModeledError(
                f"`{of}` needs the derivative of `{chain[-1]}`, which is not computed; derivatives are known of "
                f"{', '.join(RATES)}"
            )
        chain.append(replace(chain[-1], kind=RATES[chain[-1].kind]))
        check(chain[-1], mechanism)  # refuses the rates of cams
    return chain


# --- values ----------------------------------------------------------------------------------


class Expressions:
    """A quantity as expressions of the components of what it is computed from.

    Attributes
    ----------
    graph : Graph
    leaves : dict of (Quantity, int) to Expr
        Components of the `bases`, in the order of rows of working memory.
    written : dict of str to list
        Values of outputs in order, and their derivatives by time as far as others name them.
    values : tuple of Expr
        Components of the quantity.
    """

    def __init__(self, quantity: Quantity, mechanism: Mechanism) -> None:
        self.graph, outputs, self.dimension = Graph(), outputs_of(mechanism), mechanism.dimension
        rows = [(base, k) for base in bases(quantity, mechanism) for k in range(len(places(base, mechanism)))]
        self.leaves = {place: self.graph.value("w", row) for row, place in enumerate(rows)}
        chains = ((leaf, (_rate(base), k)) for (base, k), leaf in self.leaves.items())
        self.rates = {leaf: self.leaves[rate] for leaf, rate in chains if rate in self.leaves}
        self.rates |= turning_axes(self.leaves)
        self.written: dict[str, list[list[Expr]]] = {}
        orders = _orders(quantity, outputs) if quantity.kind in DERIVATIVES else {}
        used = [quantity, *(given for name in orders for given in _used(outputs[name]))]
        for name in orders:
            named = (DERIVATIVES.index(each.kind) for each in used if each.kind in DERIVATIVES and each.name == name)
            values = self.parts(outputs[name], outputs[name].tree)
            self.written[name] = derivatives(values, self.rates, max(named))
        self.values = self.of(quantity)

    def of(self, quantity: Quantity) -> Parts:
        """Write a quantity."""
        kind, order = origin(quantity.kind)
        if kind in COMPUTED:
            values = COMPUTED[kind].express(self._base, quantity.names, self.dimension)
            whole = tuple(derivatives(values, self.rates, order)[-1])
        elif quantity.kind in DERIVATIVES:
            whole = tuple(self.written[quantity.name][DERIVATIVES.index(quantity.kind)])
        elif quantity.component == "norm":
            whole = self._base(replace(quantity, component=""))
        else:
            return self._base(quantity)
        return OPERATIONS[quantity.component].express(whole) if quantity.component else whole

    def _base(self, base: Quantity) -> Parts:
        return tuple(leaf for (each, _), leaf in self.leaves.items() if each == base)

    def parts(self, output: Output, node: Node) -> Parts:
        """Write a part of the formula of an output."""
        return expressed(node, self.graph, lambda reading: self.of(output.quantities[reading.text]))

    def text(self, parts: Sequence[Expr]) -> str:
        """Write the instruction list of some expressions."""
        return self.graph.text([(x, f"w {len(self.leaves) + k}") for k, x in enumerate(parts)])


def _rate(quantity: Quantity) -> Quantity:
    return replace(quantity, kind=RATES.get(quantity.kind, ""))


@lru_cache(maxsize=256)
def _list(quantity: Quantity, mechanism: Mechanism) -> tuple[str, tuple[Quantity, ...]]:
    """Write the instruction list of a quantity that is computed from others, and list its bases."""
    written = Expressions(quantity, mechanism)
    return written.text(written.values), bases(quantity, mechanism)


def value(quantity: Quantity, mechanism: Mechanism, read: Callable[[Quantity], Iterable[Any]]) -> list[Array]:
    """Compute the components of a quantity from those of its bases.

    Parameters
    ----------
    quantity : Quantity
    mechanism : Mechanism
    read : callable
        The components of one of `bases`.

    Returns
    -------
    list of (...) arrays
        As the values that are read; a plain number if nothing is.
    """
    text, read_from = _list(quantity, mechanism)
    return compute_rows(text, [row for base in read_from for row in read(base)])


def read_computed(motion: Motion, quantity: Quantity) -> Array:
    """Read what is computed from other quantities of a motion, (n,) or (n, d); outputs are NaN where it is not solved.

    Raises
    ------
    QuantityError
        If an output is not finite at a solved step; with the part of the formula that is not.
    NotModeledError
        If a derivative that it needs is not computed.
    """
    mechanism, steps = motion.program.mechanism, motion.times.size
    values = {
        each: np.asarray(read_from(motion, each, mechanism)).reshape(steps, -1).T for each in bases(quantity, mechanism)
    }
    rows = np.array([np.broadcast_to(row, steps) for row in value(quantity, mechanism, values.__getitem__)])
    if quantity.kind in DERIVATIVES:
        wrong = motion.solved & ~np.isfinite(rows).all(axis=0)
        if wrong.any():
            step = int(wrong.argmax())
            why = _why_not_finite(quantity, mechanism, [x[step] for each in values.values() for x in each])
            stands = (
                any(not wheel.travel for wheel in mechanism.suspensions) and quantity.name not in mechanism.own_outputs
            )
            remedy = "; if the wheel stands still, state `travel` of its suspension, or let it move" if stands else ""
            raise QuantityError(f"`{quantity}` is not a finite number at t = {motion.times[step]:.6g} s: {why}{remedy}")
        rows = np.where(motion.solved, rows, np.nan)
    return rows[0] if len(rows) == 1 else rows.T


def _why_not_finite(quantity: Quantity, mechanism: Mechanism, rows: Sequence[Any]) -> str:
    """Say which part of which formula is not finite, by the components of all bases at one step."""
    all_of, outputs = Expressions(quantity, mechanism), outputs_of(mechanism)

    def finite(parts: Sequence[Expr]) -> bool:
        return bool(np.isfinite(compute_rows(all_of.text(parts), rows)).all())

    for name, order in _orders(quantity, outputs).items():
        output, whole = outputs[name], derivatives(all_of.written[name][0], all_of.rates, order)
        if not finite(whole[0]):
            place = first_without_value(output.tree, lambda node, of=output: finite(all_of.parts(of, node))).place  # type: ignore[misc]
            return f"output {name!r}, `{shorter(output.text[place.start : place.end])}`, has no value there"
        if not all(map(finite, whole)):
            return f"output {name!r}, `{shorter(output.text)}`, has a value there, but no derivative"
    return "it is too large"
