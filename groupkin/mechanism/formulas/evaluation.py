"""What formulas are, and the expressions of their values and derivatives, from those of the quantities in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from groupkin.mechanism.formulas.operations import OPERATIONS, Measure, MisfitError, Parts
from groupkin.mechanism.formulas.syntax import Node, Number, Operation, Reading, problem
from groupkin.mechanism.units import factor_text
from sglibrary.code.graph import Expr, Graph
from sglibrary.code.instructions import compute_rows
from sglibrary.code.passes.tangent import tangent


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
    graph = Graph()
    (value,) = expressed(tree, graph, lambda _: ())
    return found._replace(constant=float(compute_rows(graph.text([(value, "w 0")]), [])[0]))


def _remedy(operands: Sequence[Measure]) -> str:
    """Say what makes the units of two operands the same."""
    first, second = operands
    factor = factor_text(first.unit, second.unit) if first.size == second.size and first.unit != second.unit else ""
    return f"; give it this unit by numbers that have it, as in `(…){factor}`" if factor else ""


def expressed(tree: Node, graph: Graph, of: Callable[[Reading], Parts]) -> Parts:
    """Write a formula as expressions.

    Parameters
    ----------
    tree : Node
    graph : Graph
        The expressions are added to it.
    of : callable
        Expressions of the components of a quantity.
    """
    if isinstance(tree, Number):
        return (graph.number(tree.value),)
    if isinstance(tree, Reading):
        return of(tree)
    return OPERATIONS[tree.name].express(*(expressed(operand, graph, of) for operand in tree.operands))


def derivatives(values: Sequence[Expr], rates: Mapping[Expr, Expr], order: int) -> list[list[Expr]]:
    """Differentiate expressions by time.

    Parameters
    ----------
    values : sequence of Expr
    rates : mapping of Expr to Expr
        Rates of leaves, among them rates of rates; those of other leaves are 0.
    order : int
        Of the last derivative.

    Returns
    -------
    list of list of Expr
        order + 1 lists: the expressions, and each of their derivatives.
    """
    found = [list(values)]
    for _ in range(order):
        found.append(tangent(values[0].graph, found[-1], rates))
    return found


def first_without_value(tree: Node, has_value: Callable[[Node], bool]) -> Node:
    """Find the innermost part of a formula without a finite value, or the formula itself."""
    for operand in tree.operands if isinstance(tree, Operation) else ():
        if not has_value(operand):
            return first_without_value(operand, has_value)
    return tree
