"""Closed forms as instruction lists: their own Python, run with numbers that remember how they were computed.

They are traced where nothing is compiled, which is a process of its own (``NUMBA_DISABLE_JIT=1``). What they call of
`sglibrary.vectors`, `sglibrary.status` and `math` is replaced before they are imported: products are fused as compiled
code fuses them, a choice between two numbers stays one, and what follows from the conditioning is left to the caller.
"""

import json
import math
import sys
from importlib import import_module
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from sglibrary import status, vectors
from sglibrary.code.graph import Graph
from sglibrary.code.kernel import gathered
from sglibrary.traced import NotTraceableError, Trace, Traced

METHODS = {"sqrt": "sqrt", "fabs": "__abs__", "sin": "sin", "cos": "cos", "atan2": "arctan2"}
"""Functions of `math`, and the methods of traced numbers that compute them."""

REPORTS: list[tuple[int, int, int, bool]] = []
"""What a kernel reports (`Form.report`)."""


class Form(NamedTuple):
    """A kernel as an instruction list.

    Attributes
    ----------
    text : str
        The conditioning goes to row 0 of working memory.
    rows, constants : list
        Tables that it refers to.
    reads : list of int
        Rows that it reads, and writes, as the kernel is told.
    report : (int, int, int, bool), optional
        How many rows that it reads count, first row and number of those that it writes, and whether it is always
        determined (`sglibrary.status`).
    """

    text: str
    rows: list[int]
    constants: list[float]
    reads: list[int]
    report: tuple[int, int, int, bool] | None


def main() -> None:
    """Trace the kernels that standard input names, with their rows and constants, and write their lists."""
    asked = json.load(sys.stdin)
    _prepare()
    kernels = [getattr(import_module(module), name, None) for module, name, _, _ in asked["calls"]]
    _lift_mathematics()
    found = [
        _traced(kernel, asked["rows"], np.array(rows, np.int64), np.array(constants, float))
        for kernel, (_, _, rows, constants) in zip(kernels, asked["calls"], strict=True)
    ]
    json.dump([None if form is None else form._asdict() for form in found], sys.stdout)


def _traced(kernel: Any, rows: int, own: Any, constants: Any) -> Form | None:
    """The list of a kernel, its tables, and what it reports; None if its steps are not all computed alike."""
    trace = Trace(Graph())
    state = [np.array([[Traced(trace, trace.graph.value(x, row, 0).at, 1.0)] for row in range(rows)]) for x in "qva"]
    before = [[x.node for x in array[:, 0]] for array in state]
    conditioning = np.empty(1, object)
    REPORTS.clear()
    try:
        kernel(*state, np.zeros(8), own, constants, np.zeros(1, np.uint8), conditioning, 1)
    except (TypeError, ValueError):  # it asks for a number; NotTraceableError is one of these
        return None
    if trace.comparisons:
        return None
    places = [
        (trace.graph.values[x.node], f"{name} {row} 0")
        for name, array, nodes in zip("qva", state, before, strict=True)
        for row, (x, node) in enumerate(zip(trace.fixed(array[:, 0]), nodes, strict=True))
        if x.node != node
    ]
    if conditioning[0] is not None:
        places.append((trace.graph.values[trace.node(conditioning[0])], "w 0"))
    listed = gathered(trace.graph.text(places))
    rows_of_list = [row for _, row in listed.rows]
    return Form(listed.text, rows_of_list, listed.constants, own.tolist(), REPORTS[-1] if REPORTS else None)


def _prepare() -> None:
    """Replace what kernels import, before they do."""
    vectors.fma, vectors.sqrt, vectors.lower = _fma, _sqrt, _lower
    status.report, status.report_determined = _report(False), _report(True)
    Traced.__eq__ = Traced.__ne__ = _equal  # type: ignore[method-assign]


def _lift_mathematics() -> None:
    """Let the library's modules have a `math` that traced numbers go through."""

    def lifted(name: str, method: str) -> Any:
        plain = getattr(math, name)
        return lambda x, *more: getattr(x, method)(*more) if isinstance(x, Traced) else plain(x, *more)

    names = {name: getattr(math, name) for name in dir(math) if not name.startswith("_")}
    other = SimpleNamespace(**names | {name: lifted(name, method) for name, method in METHODS.items()})
    for name, module in list(sys.modules.items()):
        own = name.startswith("sglibrary.") and name not in ("sglibrary.traced", __name__)
        if own and getattr(module, "math", None) is math:
            module.math = other  # type: ignore[attr-defined]


def _trace_of(*numbers: Any) -> Trace | None:
    return next((x.trace for x in numbers if isinstance(x, Traced)), None)


def _fma(x: Any, y: Any, z: Any) -> Any:
    trace, found = _trace_of(x, y, z), _number(x) * _number(y) + _number(z)
    return found if trace is None else trace.value("f", found, x, y, z)


def _sqrt(x: Any) -> Any:
    return x.sqrt() if isinstance(x, Traced) else math.sqrt(x) if x >= 0.0 else math.nan


def _lower(x: Any, y: Any) -> Any:
    trace, (first, second) = _trace_of(x, y), (_number(x), _number(y))
    found = first if first <= second else second + 0.0 * first
    if trace is None:
        return found
    nothing = trace.value("*", 0.0, 0.0, x)  # NaN if x is
    return trace.value("?", found, y, x, x, trace.value("+", second, y, nothing))


def _number(x: Any) -> float:
    return x.sample if isinstance(x, Traced) else float(x)


def _equal(x: Any, y: Any) -> bool:
    raise NotTraceableError("numbers that depend on the state are compared")


def _report(determined: bool) -> Any:
    def report(q: Any, v: Any, a: Any, rows: Any, count: int, out: int, written: int, *others: Any) -> None:
        REPORTS.append((int(count), int(out), int(written), determined))

    return report
