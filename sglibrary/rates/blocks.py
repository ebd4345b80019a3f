"""Kernels that read positions and accelerations of a motion that is solved, block by block."""

import math


from sglibrary.convention import kernel
from sglibrary.rates.operations import eliminate
from sglibrary.run.calls import run_call


@kernel
def run_blocks(calls, state, status, block, sources, targets, n):
    """Run all calls on the n steps of a motion.

    Parameters
    ----------
    calls : Calls
    state : State
        Memory of one block.
    status : (1, pitch) array of uint8
    block : int
        Steps that are taken together.
    sources : tuple of arrays
        Three times rows of the motion (k, n), their numbers (m,), and as many rows of the state, into which they are
        copied: positions, positions too, and accelerations.
    targets : tuple of arrays
        Rows of the results (k, n), their numbers (m,), and the rows of the state that are copied into them.
    n : int
    """
    for first in range(0, n, block):
        width = min(block, n - first)
        _take(sources[0], sources[1], sources[2], state.q, first, width)
        _take(sources[3], sources[4], sources[5], state.q, first, width)
        _take(sources[6], sources[7], sources[8], state.a, first, width)
        for k in range(calls.groups.size):
            run_call(calls, k, state, status, 0, width)
        results, numbers, rows = targets
        for k in range(numbers.size):
            _copy(state.q[rows[k], :width], results[numbers[k], first : first + width])


@kernel
def _take(rows, numbers, to, x, first, width):
    for k in range(numbers.size):
        _copy(rows[numbers[k], first : first + width], x[to[k], :width])


@kernel
def _copy(x, out):
    for j in range(out.size):
        out[j] = x[j]


@kernel
def inverse(q, v, a, memory, rows, constants, status, conditioning, n):
    """Inverse of a matrix by elimination; rows: its entries, then those of the inverse."""
    count = rows.size // 2
    size = int(math.sqrt(count))
    matrix, found = memory[:count].reshape(size, size), memory[count : 2 * count].reshape(size, size)
    for j in range(n):
        for k in range(count):
            matrix[k // size, k % size] = q[rows[k], j]
        eliminate(matrix, found, size)
        for k in range(count):
            q[rows[count + k], j] = found[k // size, k % size]
