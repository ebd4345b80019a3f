"""Calls that compute more of a motion that is solved, block by block."""

from sglibrary.convention import kernel
from sglibrary.run.calls import fill, run_call
from sglibrary.run.copy import fence, stream


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
        Three times rows (k, n), the numbers (m,) of some of them, and the rows of the state to which they go: two of
        positions, one of accelerations.
    targets : tuple of arrays, bool
        Rows of the results (k, n), the numbers (m,) of those that are written, the rows of the state that they are,
        and whether they go past the caches (`sglibrary.run.copy.fits`).
    n : int
    """
    q, q_numbers, q_rows, given, given_numbers, given_rows, a, a_numbers, a_rows = sources
    results, numbers, rows, past_caches = targets
    for first in range(0, n, block):
        width = min(block, n - first)
        _take(q, q_numbers, q_rows, state.q, first, width)
        _take(given, given_numbers, given_rows, state.q, first, width)
        _take(a, a_numbers, a_rows, state.a, first, width)
        for k in range(calls.groups.size):
            run_call(calls, k, state, status, 0, width)
        for k in range(numbers.size):
            if past_caches:
                stream(results[numbers[k] : numbers[k] + 1], first, state.q, rows[k : k + 1], width)
            else:
                fill(results[numbers[k], first : first + width], state.q[rows[k], :width])
    fence()


@kernel
def _take(source, numbers, rows, x, first, n):
    for k in range(numbers.size):
        fill(x[rows[k], :n], source[numbers[k], first : first + n])
