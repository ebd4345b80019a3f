"""All kernels of a program over many steps, without Python between their calls.

Steps are taken in tiles, so small that the state of one stays in cache from the first group to the last. Kernels of all
groups have the same arguments (`sglibrary.convention`), so that one loop can call any of them by its address.
"""

from functools import cache

from numba import types
from numba.core import cgutils
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic

from sglibrary.convention import formula, kernel
from sglibrary.status import SOLVED
from sglibrary.stream import copy, fence, stream

_STATE, _NUMBERS = types.Array(types.float64, 2, "C"), types.Array(types.float64, 1, "C")
_ROWS, _CODES = types.Array(types.int64, 1, "C"), types.Array(types.uint8, 1, "C")
SIGNATURE = (_STATE, _STATE, _STATE, _NUMBERS, _ROWS, _NUMBERS, _CODES, _NUMBERS, types.int64)
"""Types of the arguments of every kernel."""


@intrinsic
def _call(typingctx, address, arguments):
    """Call the compiled kernel at an address."""

    def generate(context, builder, signature, values):
        convention = context.call_conv
        pointer = builder.inttoptr(values[0], convention.get_function_type(types.none, SIGNATURE).as_pointer())
        given = cgutils.unpack_tuple(builder, values[1], len(SIGNATURE))
        status, _ = convention.call_function(builder, pointer, types.none, SIGNATURE, given)
        with cgutils.if_unlikely(builder, status.is_error):  # no memory
            convention.return_status_propagate(builder, status)
        return context.get_dummy_value()

    return types.none(address, types.Tuple(SIGNATURE)), generate


def call(kernel, arguments):
    """Call a kernel, given as `handle` makes it."""
    kernel(*arguments)


if not DISABLE_JIT:
    call = _call  # type: ignore[assignment]


@cache
def handle(kernel):
    """A kernel as `sweep` takes it: the address of its machine code, or itself where nothing is compiled."""
    if DISABLE_JIT:
        return kernel
    kernel.compile(SIGNATURE)
    compiled = kernel.overloads[SIGNATURE]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


@kernel
def sweep(calls, times, drivers, driver_rows, state, kept, results, status, start, tile, past_caches):
    """Solve all groups for some steps of a motion, in tiles; whether all of these steps are solved.

    Parameters
    ----------
    calls : tuple
        Of the c calls in solving order: handles (c,); rows (r,) of int, constants (m,) and memory (k,) of all, one call
        after another; where those of each call begin in them (c + 1, 3); its group (c,), counted from 0.
    times : (n,) array
        s; written to row 0 of the state.
    drivers : (d, 5, n) array
        Value, rate, acceleration, cosine and sine of every driver.
    driver_rows : (d,) array of int
        The first of the three rows of each in the state.
    state : tuple of arrays
        q, v, a (rows, pitch) and conditioning (groups, pitch) of a tile.
    kept : tuple of arrays of int
        Which rows of each the motion keeps.
    results : tuple of arrays
        The same rows of the motion, for all its steps.
    status : (groups, N) array of uint8
    start : int
        The first of these steps in the motion.
    tile : int
        Steps per tile.
    past_caches : bool
        Whether results are written past the caches (`sglibrary.stream.fits`).
    """
    handles, rows, constants, memory, places, groups = calls
    q, v, a, conditioning = state
    failed = 0
    for first in range(0, times.size, tile):
        n = min(tile, times.size - first)
        to = start + first
        _fill(q[0, :n], times[first : first + n])
        for k in range(driver_rows.size):
            row, values = driver_rows[k], drivers[k]
            _fill(v[row, :n], values[1, first : first + n])
            _fill(a[row, :n], values[2, first : first + n])
            for i in range(3):
                _fill(q[row + i, :n], values[0 if i == 0 else 2 + i, first : first + n])
        for k in range(groups.size):
            group = groups[k]
            call(
                handles[k],
                (
                    q,
                    v,
                    a,
                    memory[places[k, 2] : places[k + 1, 2]],
                    rows[places[k, 0] : places[k + 1, 0]],
                    constants[places[k, 1] : places[k + 1, 1]],
                    status[group, to : to + n],
                    conditioning[group],
                    n,
                ),
            )
        for k in range(4):
            if past_caches:
                stream(results[k], to, state[k], kept[k], n)
            else:
                copy(results[k], to, state[k], kept[k], n)
        for k in range(status.shape[0]):
            failed += _failed(status[k, to : to + n])
    fence()
    return failed == 0


@formula
def _fill(target, source):
    for j in range(target.size):
        target[j] = source[j]


@formula
def _failed(status):
    failed = 0
    for j in range(status.size):
        failed += status[j] != SOLVED
    return failed
