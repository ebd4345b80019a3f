"""The calling convention of all kernels, and the two decorators that compile them.

A kernel is called as ``kernel(q, v, a, work, memory, rows, constants, status, conditioning, n)``:

q, v, a : (rows, pitch) float64 arrays
    State of one block of steps and its first and second time derivatives; one row per coordinate, contiguous in time.
work : (WORK_ROWS, pitch) float64 array
    Scratch rows; nothing survives in them from one kernel to the next.
memory : (m,) float64 array
    What a group that depends on its past keeps from block to block; closed forms ignore it.
rows : (k,) int64 array
    First rows of what the group reads, then of what it writes.
constants : (c,) float64 array
    Lengths, direction cosines and the signs of the assembly mode.
status, conditioning : (pitch,) uint8 and float64 arrays
    Written for every step by the kernel for positions.
n : int
    Number of steps in the block.

A vector takes as many successive rows as it has components. A driver takes three: its value, cosine and sine in q,
its rate and acceleration in the first of them in v and a. Kernels never raise; what cannot be solved becomes NaN.

Loops run over ``range(x.size)`` of rows sliced inside the kernel, few rows each: only then does LLVM vectorize them.
"""

from collections.abc import Callable
from typing import Any

from numba import njit

WORK_ROWS = 24


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel: cached on disk, without the interpreter lock, NaN instead of exceptions."""
    return njit(cache=True, error_model="numpy", nogil=True)(function)


def formula(function: Callable[..., Any]) -> Any:
    """Compile a formula of one step, to be inlined into the loops of kernels."""
    return njit(cache=True, error_model="numpy", nogil=True, inline="always")(function)
