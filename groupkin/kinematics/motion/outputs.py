"""Outputs of mechanisms: their formulas bound to quantities, and their values and derivatives in a motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import FormulaError, GroupkinError, NotModeledError, QuantityError, shorter
from groupkin.kinematics.motion.quantities import Quantity, check, components, parse, resolved, unit
from groupkin.mechanism.formulas.evaluation import evaluate, first_without_value, measure, readings
from groupkin.mechanism.formulas.operations import Jet, Measure
from groupkin.mechanism.formulas.syntax import Node, Operation, Reading, parse_formula, problem
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.units import powers, unit_text
from groupkin.model.geometry.coordinates import STEP

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
    return np.asarray(_jets(quantity, mechanism, read)[quantity.name][DERIVATIVES.index(quantity.kind)])


def _jets(quantity: Quantity, mechanism: Mechanism, read: Callable[[Quantity], Any]) -> dict[str, Jet]:
    """Compute the values and derivatives of an output and of all outputs that it needs."""
    outputs, jets = outputs_of(mechanism), dict[str, Jet]()
    for name, order in _orders(quantity, outputs).items():

        def of_base(given: Quantity, order: int = order) -> Jet:
            return tuple(read(each) for each in _derivatives(given, order, quantity, mechanism))

        jets[name] = evaluate(outputs[name].tree, _leaves(outputs[name], of_base, jets, order), order)
    return jets


def _leaves(
    output: Output, of_base: Callable[[Quantity], Jet], jets: Mapping[str, Jet], order: int
) -> Callable[[Reading], Jet]:
    """Make the function that gives values and derivatives of what stands in braces in a formula."""

    def leaf(reading: Reading) -> Jet:
        given = output.quantities[reading.text]
        if given.kind not in DERIVATIVES:
            return of_base(given)
        first = DERIVATIVES.index(given.kind)
        whole = jets[given.name][first : first + order + 1]
        return tuple(part["xyz".index(given.component)] for part in whole) if given.component else whole

    return leaf


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
    jets = _jets(quantity, mechanism, values.__getitem__)
    for name, order in _orders(quantity, outputs_of(mechanism)).items():
        output = outputs_of(mechanism)[name]
        if not np.isfinite(jets[name][0]).all():
            leaf = _leaves(output, lambda given: (values[given],), jets, 0)
            place = first_without_value(output.tree, leaf).place
            return f"output {name!r}, `{shorter(output.text[place.start : place.end])}`, has no value there"
        if not all(np.isfinite(part).all() for part in jets[name][1 : order + 1]):
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
    orders = _orders(wanted, outputs)
    if any(orders.values()):
        raise NotModeledError(f"`{wanted}` has derivatives of outputs in it: its partial derivatives are not computed")
    values = {each: motion.read(each).T for each in bases(wanted, mechanism)}

    def partial(seeds: Mapping[Quantity, Array]) -> Array:
        jets: dict[str, Jet] = {}
        for each in orders:
            leaf = _leaves(outputs[each], lambda given: (values[given], seeds[given]), jets, 1)
            jets[each] = evaluate(outputs[each].tree, leaf, 1)
        return np.asarray(jets[name][1])

    still, found = {each: np.zeros_like(x) for each, x in values.items()}, {}
    for each, x in values.items():
        parts = [partial(still | {each: seed}) for seed in _seeds(x)]
        stacked = np.stack([part.T for part in parts], axis=-1)
        found[each] = stacked if x.ndim > 1 else stacked[..., 0]
    return found


def partial_derivatives(motion: Motion, of: Quantity) -> dict[Quantity, Array]:
    """Compute the partial derivatives (components, components of a base, n) of an output or its derivative by `bases`.

    By steps in imaginary parts, so that they are exact to rounding (Squire and Trapp, 1998, eq. 2).
    """
    mechanism, n = motion.program.mechanism, motion.times.size
    values = {each: motion.read(each).T.astype(complex) for each in bases(of, mechanism)}

    def by(base: Quantity, component: int) -> Array:
        stepped = values[base].copy()
        np.atleast_2d(stepped)[component] += 1j * STEP
        found = value(of, mechanism, (values | {base: stepped}).__getitem__).imag / STEP
        return np.broadcast_to(found, (*found.shape[:-1], n)).reshape(-1, n)

    counts = {base: len(np.atleast_2d(x)) for base, x in values.items()}
    return {base: np.stack([by(base, k) for k in range(count)], axis=1) for base, count in counts.items()}


def _seeds(values: Array) -> list[Array]:
    """Return the derivatives of a number (n,), or a vector (d, n), with respect to each of its components."""
    if values.ndim == 1:
        return [np.ones_like(values)]
    return [np.broadcast_to(row[:, None], values.shape).copy() for row in np.eye(len(values))]
