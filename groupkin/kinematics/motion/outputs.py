"""Outputs of mechanisms: their formulas bound to quantities, and their values and derivatives in a motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import FormulaError, GroupkinError, NotModeledError, QuantityError, shorter
from groupkin.kinematics.motion.quantities import Quantity, check, components, parse, resolved, unit
from groupkin.mechanism.formulas.evaluation import derivatives, expressed, first_without_value, measure, readings
from groupkin.mechanism.formulas.operations import Measure, Parts
from groupkin.mechanism.formulas.syntax import Node, Operation, Reading, parse_formula, problem
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.units import powers, unit_text
from sglibrary.code.graph import Expr, Graph
from sglibrary.code.instructions import compute_rows
from sglibrary.code.passes.adjoint import adjoint

if TYPE_CHECKING:
    from groupkin.kinematics.motion.motion import Motion

Array = NDArray[np.float64]

DERIVATIVES = ("output", "output_rate", "output_acceleration")
"""Kinds of quantities that are read from outputs, by the order of the derivative."""

RATES = {
    "position": "velocity",
    "velocity": "acceleration",
    "angle": "angular_velocity",
    "angular_velocity": "angular_acceleration",
    "joint": "joint_rate",
}
"""Kinds of quantities, and those that are their derivatives with respect to time."""


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
    return given.name if given.kind in ("", *DERIVATIVES) and given.name in names else ""


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
    """List the quantities that an output or its derivative is computed from; any other is its own base.

    Raises
    ------
    NotModeledError
        If one of them has no derivative that is needed.
    """
    if quantity.kind not in DERIVATIVES:
        return (quantity,)
    outputs, found = outputs_of(mechanism), dict[Quantity, None]()
    for name, order in _orders(quantity, outputs).items():
        for given in _used(outputs[name]):
            if given.kind not in DERIVATIVES:
                found |= dict.fromkeys(_derivatives(given, order, quantity, mechanism))
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


class _Expressions:
    """Outputs as expressions of the components of what they are computed from.

    Attributes
    ----------
    counts : dict of Quantity to int
        Numbers of components of the `bases`, whose rows of working memory follow one another.
    written : dict of str to list
        Values of all outputs in order, and their derivatives by time as far as others name them.
    """

    def __init__(self, quantity: Quantity, mechanism: Mechanism) -> None:
        self.graph, outputs = Graph(), outputs_of(mechanism)
        self.counts = {base: _count(base, mechanism) for base in bases(quantity, mechanism)}
        rows = [(base, k) for base, count in self.counts.items() for k in range(count)]
        self.leaves = {place: self.graph.value("w", row) for row, place in enumerate(rows)}
        chains = ((leaf, (_rate(base), k)) for (base, k), leaf in self.leaves.items())
        self.rates = {leaf: self.leaves[rate] for leaf, rate in chains if rate in self.leaves}
        self.written: dict[str, list[list[Expr]]] = {}
        orders = _orders(quantity, outputs)
        used = [quantity, *(given for name in orders for given in _used(outputs[name]))]
        for name in orders:
            named = (DERIVATIVES.index(each.kind) for each in used if each.kind in DERIVATIVES and each.name == name)
            values = self.parts(outputs[name], outputs[name].tree)
            self.written[name] = derivatives(values, self.rates, max(named))

    def parts(self, output: Output, node: Node) -> Parts:
        """Write a part of the formula of an output."""

        def of(reading: Reading) -> Parts:
            given = output.quantities[reading.text]
            if given.kind not in DERIVATIVES:
                return tuple(self.leaves[given, k] for k in range(self.counts[given]))
            whole = self.written[given.name][DERIVATIVES.index(given.kind)]
            return (whole["xyz".index(given.component)],) if given.component else tuple(whole)

        return expressed(node, self.graph, of)

    def text(self, parts: Sequence[Expr]) -> str:
        """Write the instruction list of some expressions."""
        return self.graph.text([(x, f"w {len(self.leaves) + k}") for k, x in enumerate(parts)])


def _count(base: Quantity, mechanism: Mechanism) -> int:
    """Return the number of components of a quantity."""
    dims, labels = components(base, mechanism)
    return len(labels[0]) if dims else 1


def _rate(quantity: Quantity) -> Quantity:
    return replace(quantity, kind=RATES.get(quantity.kind, ""))


@lru_cache(maxsize=256)
def _list(quantity: Quantity, mechanism: Mechanism, partial: bool) -> tuple[str, dict[Quantity, int], int]:
    """Write the instruction list of an output or its derivative, or of its partial derivatives by components of bases.

    Returns
    -------
    text : str
        Of partial derivatives, those of one component of the output after another.
    counts : dict of Quantity to int
        Numbers of components of the bases.
    count : int
        Number of components of the output; 1 if it is a number.
    """
    all_of = _Expressions(quantity, mechanism)
    values = all_of.written[quantity.name][DERIVATIVES.index(quantity.kind)]
    if not partial:
        return all_of.text(values), all_of.counts, len(values)
    leaves, one = list(all_of.leaves.values()), all_of.graph.number(1.0)
    slopes = [slope for x in values for slope in adjoint(all_of.graph, {x: one}, leaves)]
    return all_of.text(slopes), all_of.counts, len(values)


def _rows(counts: Mapping[Quantity, int], read: Callable[[Quantity], Any]) -> list[Any]:
    """Return the components of all bases, one after another."""
    return [row for base, count in counts.items() for row in (read(base) if count > 1 else [read(base)])]


def value(quantity: Quantity, mechanism: Mechanism, read: Callable[[Quantity], Any]) -> Array:
    """Compute an output, or its derivative, from quantities.

    Parameters
    ----------
    quantity : Quantity
        Of one of the kinds `DERIVATIVES`, without a component.
    mechanism : Mechanism
    read : callable
        The values of one of `bases`, with components along the first axis.

    Returns
    -------
    (...) or (d, ...) array
        As the values that are read; a plain number if nothing is.
    """
    text, counts, count = _list(quantity, mechanism, False)
    found = compute_rows(text, _rows(counts, read))
    return np.asarray(found[0]) if count == 1 else np.stack(np.broadcast_arrays(*found))


def read_output(motion: Motion, quantity: Quantity) -> Array:
    """Read an output (n,) or (n, d) of a motion, or its derivative; NaN at steps that are not solved.

    Raises
    ------
    QuantityError
        If it is not finite at a solved step; with the part of the formula that is not.
    NotModeledError
        If a derivative that it needs is not computed.
    """
    mechanism, steps = motion.program.mechanism, motion.times.size
    values = {each: motion.read(each).T for each in bases(quantity, mechanism)}
    found = value(quantity, mechanism, values.__getitem__)
    rows = np.broadcast_to(found, (*found.shape[:-1], steps))
    wrong = motion.solved & ~np.isfinite(rows.reshape(-1, steps)).all(axis=0)
    if wrong.any():
        step = int(wrong.argmax())
        why = _why_not_finite(quantity, mechanism, {each: x[..., step] for each, x in values.items()})
        raise QuantityError(f"`{quantity}` is not a finite number at t = {motion.times[step]:.6g} s: {why}")
    return np.array(np.where(motion.solved, rows, np.nan).T)


def _why_not_finite(quantity: Quantity, mechanism: Mechanism, values: Mapping[Quantity, Any]) -> str:
    """Say which part of which formula is not finite, by the values of quantities at one step."""
    all_of, outputs = _Expressions(quantity, mechanism), outputs_of(mechanism)
    rows = _rows(all_of.counts, values.__getitem__)

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


def gradient(motion: Motion, name: str) -> dict[Quantity, Array]:
    """Compute the partial derivatives of an output with respect to each quantity that it is computed from.

    Returns
    -------
    dict of Quantity to array
        For each of `bases`, in meters, radians and seconds: (n,), of vectors (n, d); of an output that is a
        vector with its components as the second axis.

    Raises
    ------
    NotModeledError
        If derivatives of other outputs are in the formula.
    """
    mechanism = motion.program.mechanism
    outputs, wanted = outputs_of(mechanism), resolved(Quantity("output", name), mechanism, outputs_of(mechanism))
    if any(_orders(wanted, outputs).values()):
        raise NotModeledError(f"`{wanted}` has derivatives of outputs in it: its partial derivatives are not computed")
    found = {base: np.moveaxis(slopes, -1, 0) for base, slopes in partial_derivatives(motion, wanted).items()}
    numbers = {base: slopes if outputs[name].size else slopes[:, 0] for base, slopes in found.items()}
    return {base: x if _count(base, mechanism) > 1 else x[..., 0] for base, x in numbers.items()}


def partial_derivatives(motion: Motion, of: Quantity) -> dict[Quantity, Array]:
    """Compute the partial derivatives of an output, or its derivative by time, by each of its `bases`.

    Returns
    -------
    dict of Quantity to (components, components of the base, n) array
    """
    text, counts, count = _list(of, motion.program.mechanism, True)
    if not counts:
        return {}
    found = compute_rows(text, _rows(counts, lambda base: motion.read(base).T))
    rows = np.array([np.broadcast_to(row, motion.times.shape) for row in found])
    parts = np.split(rows.reshape(count, -1, motion.times.size), np.cumsum(list(counts.values()))[:-1], axis=1)
    return dict(zip(counts, parts, strict=True))
