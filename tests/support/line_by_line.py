"""Code that is generated for one mechanism, computed line by line: to compile it would take a second for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

from groupkin.dynamics.reactions import backward_pass
from sglibrary import written_out
from sglibrary.code.instructions import compute_steps


@contextmanager
def line_by_line() -> Iterator[None]:
    """Compile neither equations of groups of joints nor formulas of reactions of programs that are made within."""
    changes: dict[str, Any] = {
        "DISABLE_JIT": True,
        "handle": lambda kernel: kernel,
        "fits": lambda *given: False,
        "kernel_of": _listed,
        "run_blocks": _run_blocks,
    }
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(written_out, "is_compiled", return_value=False))
        for name, value in changes.items():
            stack.enter_context(mock.patch.object(backward_pass, name, value))
        yield


def _listed(text: str) -> Callable[..., None]:
    def listed(q: Any, v: Any, a: Any, memory: Any, rows: Any, constants: Any, *rest: Any) -> None:
        compute_steps(text, {"q": q, "a": a}, None, rows, constants, 0, 0, rest[-1])

    return listed


def _run_blocks(
    calls: Any, state: Any, status: Any, block: int, sources: Any, in_place: Any, targets: Any, n: int
) -> None:
    assert in_place.inverse == 0
    for first in range(0, n, block):
        width = min(block, n - first)
        steps = slice(first, first + width)
        taken = ((sources[k : k + 3], x) for k, x in ((0, state.q), (3, state.q), (6, state.a)))
        for (source, numbers, rows), x in taken:
            if len(numbers):
                x[rows, :width] = source[numbers, steps]
        for k, kernel in enumerate(calls.handles):
            rows, constants, memory = (
                part[calls.starts[k, i] : calls.starts[k + 1, i]]
                for i, part in enumerate((calls.rows, calls.constants, calls.memory))
            )
            kernel(state.q, state.v, state.a, memory, rows, constants, status[0], state.conditioning[0], width)
        targets.results[targets.numbers, steps] = state.q[targets.rows, :width]
