"""A tile of steps, so small that its state stays in cache: what the drivers put in, and the call of a kernel on it.

Kernels of all groups have the same arguments (`sglibrary.convention`), so that one loop can call any of them by its
address. The loops over tiles are `sglibrary.run.motion_loop`, `sglibrary.run.team_loop` and `sglibrary.run.sample_loop`.
"""

from functools import cache

from numba import types
from numba.core import cgutils
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic

from sglibrary.convention import formula
from sglibrary.laws import OTHER, evaluate
from sglibrary.trigonometry import cosine_sine

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
    """A kernel as `call` takes it: the address of its machine code, or itself where nothing is compiled."""
    if DISABLE_JIT:
        return kernel
    kernel.compile(SIGNATURE)
    compiled = kernel.overloads[SIGNATURE]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


@formula
def load(times, driving, state, first, n):
    """Write times and drivers of n steps, from step `first` on, into the state.

    Parameters
    ----------
    times : (t,) array
        s; written to row 0.
    driving : tuple of arrays
        Of d drivers: kinds of their laws (d,), numbers (d, 4) and table (m,), as in `sglibrary.laws`; whether they are
        angles (d,); the first row of each in the state (d,), of three if it is an angle; and values, rates and
        accelerations of those whose law is OTHER (d, 3, t).
    state : tuple of arrays
        q, v, a (rows, pitch), and conditioning.
    """
    kinds, numbers, table, angles, rows, given = driving
    q, v, a, _ = state
    ahead = times[first : first + n]
    fill(q[0, :n], ahead)
    for k in range(rows.size):
        row = rows[k]
        value, rate, gain = q[row, :n], v[row, :n], a[row, :n]
        if kinds[k] == OTHER:
            fill(value, given[k, 0, first : first + n])
            fill(rate, given[k, 1, first : first + n])
            fill(gain, given[k, 2, first : first + n])
        else:
            evaluate(ahead, kinds[k], numbers[k], table, (value, rate, gain))
        if angles[k]:
            cosine_sine(value, q[row + 1, :n], q[row + 2, :n])


@formula
def fill(target, source):
    """Copy numbers."""
    for j in range(target.size):
        target[j] = source[j]


@formula
def solve(calls, k, state, status, at, n):
    """Call number k of some calls for n steps of the state; its status goes to the columns from `at` on.

    `calls`: see `sglibrary.run.motion_loop.sweep`.
    """
    handles, rows, constants, memory, places, groups = calls
    group = groups[k]
    call(
        handles[k],
        (
            state[0],
            state[1],
            state[2],
            memory[places[k, 2] : places[k + 1, 2]],
            rows[places[k, 0] : places[k + 1, 0]],
            constants[places[k, 1] : places[k + 1, 1]],
            status[group, at : at + n],
            state[3][group],
            n,
        ),
    )
