"""The calling convention of all kernels, and the decorators that compile them.

The solver of a group is called as ``motion(q, v, a, memory, rows, constants, status, conditioning, n)``:

q, v, a : (rows, pitch) float64 arrays
    State of one block of steps and its first and second time derivatives; one row per coordinate, contiguous in time.
memory : (m,) float64 array
    What a group that depends on its past keeps from block to block; closed forms ignore it.
rows : (k,) int64 array
    First rows of what the group reads, then of what it writes.
constants : (c,) float64 array
    Lengths, direction cosines and the signs of the assembly mode.
status, conditioning : (pitch,) uint8 and float64 arrays
    Written for every step.
n : int
    Number of steps in the block.

A vector takes as many successive rows as it has components. A driver takes three: its value, cosine and sine in q,
its rate and acceleration in the first of them in v and a. Kernels never raise; what cannot be solved becomes NaN.

The formulas of one step are small functions of scalars and tuples, inlined into the loops over steps. LLVM vectorizes
such a loop if it runs over ``range(x.size)`` of rows sliced inside the kernel, and if it may check at run time that
none of the rows overlap: many rows need many checks, more than it allows by default (`sglibrary.compilation`). The
dozens of rows of a spatial group are read and written without them (`sglibrary.vectors`).
"""

import hashlib
import math
from collections.abc import Callable
from functools import cache
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np
from numba import njit
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]

from sglibrary.kernel_cache import cached
from sglibrary.kernel_parts import as_part

# Strict arithmetic: fused or reordered operations would give other bits in the remainder of a loop than in its body.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "forceinline": False}
"""NaN instead of exceptions, without the interpreter lock; what is not said here a function takes from its caller."""

UNCOUNTED: dict[str, Any] = OPTIONS | {"_nrt": False}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel that makes no arrays and calls no function that does.

    It counts no references either: every slice would cost two locked instructions, which also wait for all stores
    before them, and kernels slice dozens of rows per block.
    """
    return compiled(function, UNCOUNTED)


def allocating(function: Callable[..., Any]) -> Any:
    """Compile a kernel that makes arrays of its own, or returns some."""
    return compiled(function, OPTIONS)


def formula(function: Callable[..., Any]) -> Any:
    """Compile a formula of the numbers and vectors of one step, which the loops of kernels take in."""
    return compiled(function, OPTIONS | {"forceinline": True})


def merged(function: Callable[..., Any]) -> Any:
    """Compile a part of a kernel that is handed so many arrays that a call would cost more than it does.

    It is translated once, and becomes machine code within all kernels that call it.
    """
    return compiled(function, UNCOUNTED | {"forceinline": True})


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a few lines on arrays as if they stood in each function that uses them.

    Unlike a formula they are copied before anything is translated: they count references only where their surroundings
    do, and promises that rows do not overlap are those of the whole function.
    """
    return compiled(function, OPTIONS | {"inline": "always"})


def compiled(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Compile a function, keep it on disk, and let other compiled functions take it as a part of theirs."""
    if DISABLE_JIT:
        return function
    return as_part(cached(njit(**options)(named(function))), options)


def named(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a function that is made at run time a name that says what it is made of.

    Machine code is found by the name of its function and a number that each process counts for itself. Two functions of
    the same maker, compiled and kept by two processes, may have the same number: loaded together, one of them would be
    called in place of the other.
    """
    if function.__closure__:
        content = repr([cell.cell_contents for cell in function.__closure__])
        function.__qualname__ += f"_{hashlib.sha256(content.encode()).hexdigest()[:24]}"
    return function


ARRAYS = SimpleNamespace(atan2=np.arctan2, floor=np.floor, pi=math.pi, sqrt=np.sqrt)
"""Functions of arrays by their names in `math`."""


@cache
def of_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make the function that computes a formula, with all formulas that it calls, for arrays of steps by NumPy.

    Nothing is compiled. The formula branches on constants only.
    """
    plain = getattr(function, "py_func", function)
    names: dict[str, Any] = {"math": ARRAYS, "max": np.maximum, "min": np.minimum}
    for name in plain.__code__.co_names:
        called = plain.__globals__.get(name)
        if isinstance(getattr(called, "py_func", called), FunctionType):
            names[name] = of_arrays(called)
    return FunctionType(plain.__code__, plain.__globals__ | names, plain.__name__, plain.__defaults__)
