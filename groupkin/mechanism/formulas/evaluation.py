"""What formulas are, and their values and derivatives, from those of the quantities in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from groupkin.mechanism.formulas.operations import OPERATIONS, Jet, Measure, MisfitError
from groupkin.mechanism.formulas.syntax import Node, Number, Operation, Reading, problem
from groupkin.mechanism.units import factor_text


def readings(tree: Node) -> Iterator[Reading]:
    """List the quantities in a formula, in the order in which they stand there."""
    if isinstance(tree, Reading):
        yield tree
    elif isinstance(tree, Operation):
        for operand in tree.operands:
            yield from readings(operand)


def measure(tree: Node, text: str, of: Callable[[Reading], Measure]) -> Measure:
    """Find the unit and the number of components of a formula.

    Parameters
    ----------
    tree : Node
    text : str
        Of the formula, for messages.
    of : callable
        What a quantity is.

    Raises
    ------
    FormulaError
        If operands do not fit together, with their place.
    """
    if isinstance(tree, Number):
        return Measure(tree.unit, 0, tree.value)
    if isinstance(tree, Reading):
        return of(tree)
    operands = [measure(operand, text, of) for operand in tree.operands]
    try:
        found = OPERATIONS[tree.name].measure(operands)
    except MisfitError as misfit:
        place = tree.operands[misfit.operand].place
        name = f".{tree.name}" if tree.name in "xyz" else tree.name
        so = _remedy(operands) if tree.name in ("+", "-") else ""
        raise problem(f"`{name}` needs {misfit.needed}, not {operands[misfit.operand]}{so}", text, place) from None
    if any(operand.constant is None for operand in operands):
        return found
    return found._replace(constant=float(evaluate(tree, lambda _: (), 0)[0]))


def _remedy(operands: Sequence[Measure]) -> str:
    """Say what makes the units of two operands the same."""
    first, second = operands
    factor = factor_text(first.unit, second.unit) if first.size == second.size and first.unit != second.unit else ""
    return f"; give it this unit by numbers that have it, as in `(…){factor}`" if factor else ""


def evaluate(tree: Node, of: Callable[[Reading], Jet], order: int) -> Jet:
    """Compute a formula and its derivatives up to some order, 2 at most.

    Parameters
    ----------
    tree : Node
    of : callable
        Value and derivatives of a quantity; components of vectors along the first axis.
    order : int
    """
    if isinstance(tree, Number):
        return (np.float64(tree.value), *(0.0,) * order)
    if isinstance(tree, Reading):
        return of(tree)
    with np.errstate(all="ignore"):
        return OPERATIONS[tree.name].apply(*(evaluate(operand, of, order) for operand in tree.operands))


def first_without_value(tree: Node, of: Callable[[Reading], Jet]) -> Node:
    """Find the innermost part of a formula whose value is not finite, or the formula itself."""
    for operand in tree.operands if isinstance(tree, Operation) else ():
        if not np.isfinite(evaluate(operand, of, 0)[0]).all():
            return first_without_value(operand, of)
    return tree
