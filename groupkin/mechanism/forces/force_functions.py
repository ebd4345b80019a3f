"""Forces that are functions in Python, of time and of numbers of a motion.

``function(t, x)`` gives a force, torque or pull, a number or components, at a time t, s, from k numbers x. One that
numba has compiled is called for one step, with x (k,), in inverse dynamics and in the equations of motion alike. A
plain one is called for many steps at once, with t (n,) and x (k, n), in simulations for one.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import floats
from groupkin.errors import ForceError, LoadError
from groupkin.messages import counted

Array = NDArray[np.float64]
Function = Callable[..., Any]

WIDTH = 4
"""Numbers that compiled code is given: up to three components, and how many there are, -1 if the function raised."""


@dataclass(frozen=True, eq=False)
class CompiledFunction:
    """A function of the user as machine code.

    Attributes
    ----------
    along : callable
        ``along(t, x, out)`` with arrays (n,), (n, k) and (n, WIDTH), of which the last is filled.
    address : int
        Of the same for one step in memory, with the addresses of two arrays: the count k, t and x, and (WIDTH,).
    kept : object
        What must stay in memory.
    """

    along: Callable[[Array, Array, Array], None]
    address: int
    kept: Any


def is_compiled(function: Function) -> bool:
    """Whether numba compiles a function."""
    return hasattr(function, "py_func")


def compiled(name: str, function: Function) -> CompiledFunction:
    """Compile the calls of a function of numba's.

    Raises
    ------
    ForceError
        If numba cannot compile it.
    """
    from numba import carray, cfunc, njit  # type: ignore[attr-defined]
    from numba.core.errors import NumbaError

    put = _put()

    def one(given: Any, out: Any) -> None:
        try:
            out[3] = put(function(given[1], given[2:]), out)
        except Exception:
            out[3] = -1.0

    def along(t: Any, x: Any, out: Any) -> None:
        given = np.empty(2 + x.shape[1])
        for j in range(t.size):
            given[1] = t[j]
            given[2:] = x[j]
            inner(given, out[j])

    def at(given: Any, out: Any) -> None:
        count = int(carray(given, (1,), np.float64)[0])
        inner(carray(given, (2 + count,), np.float64), carray(out, (WIDTH,), np.float64))

    try:
        inner = njit("void(float64[::1], float64[::1])")(one)
        outer = cfunc("void(voidptr, voidptr)")(at)
        return CompiledFunction(
            njit("void(float64[::1], float64[:,::1], float64[:,::1])")(along), int(outer.address or 0), outer
        )
    except NumbaError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = next((line for line in lines if not line.startswith("Failed in")), "")
        reason = "its result is none" if put.__qualname__ in reason else reason
        raise ForceError(
            f"force {name!r}: numba cannot compile its function(t, x) of a number and an array, whose result is a "
            f"number, a tuple or an array: {reason}"
        ) from None


@cache
def _put() -> Callable[[Any, Any], int]:
    """Make the compiled function that writes what a function gives into an array; how many numbers it is."""
    from numba import types
    from numba.extending import overload

    def put(value: Any, out: Any) -> int:
        raise NotImplementedError

    @overload(put)
    def of(value: Any, out: Any) -> Any:
        if isinstance(value, types.Float | types.Integer):
            return _put_number
        if isinstance(value, types.Array) and value.ndim == 1:
            return _put_array
        if isinstance(value, types.BaseTuple) and 1 <= len(value) <= 3:
            return (_put_one, _put_two, _put_three)[len(value) - 1]
        return None

    return put


def _put_number(value: Any, out: Any) -> int:
    out[0] = value
    return 1


def _put_one(value: Any, out: Any) -> int:
    out[0] = value[0]
    return 1


def _put_two(value: Any, out: Any) -> int:
    out[0], out[1] = value[0], value[1]
    return 2


def _put_three(value: Any, out: Any) -> int:
    out[0], out[1], out[2] = value[0], value[1], value[2]
    return 3


def _put_array(value: Any, out: Any) -> int:
    for k in range(min(len(value), 3)):
        out[k] = value[k]
    return len(value)


# --- calls ---------------------------------------------------------------------------------------


def values(name: str, function: Function, along: CompiledFunction | None, size: int, t: Array, x: Array) -> Array:
    """Compute what a function gives (size, n) at times t (n,) from numbers x (k, n); NaN where these are.

    Raises
    ------
    LoadError
        With the name of the force, and the time, if it raises or does not give that many finite numbers.
    """
    found, known = np.full((size, t.size), np.nan), np.asarray(np.isfinite(x).all(axis=0))
    t, x = t[known], x[:, known]
    if along is None:
        found[:, known] = _by_python(name, function, size, t, x)
    else:
        out = np.full((t.size, WIDTH), np.nan)
        along.along(t, np.ascontiguousarray(x.T), out)
        wrong = np.flatnonzero(out[:, 3] != size)
        if wrong.size:
            raise _refusal(name, getattr(function, "py_func", function), size, float(t[wrong[0]]), x[:, wrong[0]])
        found[:, known] = out[:, :size].T
    lost = np.flatnonzero(~np.isfinite(found[:, known]).all(axis=0))
    if lost.size:
        raise LoadError(not_finite(name, found[:, known][:, lost[0]], float(t[lost[0]])))
    return found


def not_finite(name: str, given: Array, time: float) -> str:
    """Say that a function gives no finite numbers."""
    listed = ", ".join(f"{number:g}" for number in given)
    return f"force {name!r}: its function gives {listed} at t = {time:g} s, where a force is finite"


def _by_python(name: str, function: Function, size: int, t: Array, x: Array) -> Array:
    try:
        return components(name, function(t, x), size, t.size)
    except LoadError:
        raise
    except Exception as error:
        for j in range(t.size) if t.size > 1 else ():  # which of the steps it is
            try:
                function(t[j : j + 1], x[:, j : j + 1])
            except Exception as first:
                raise raised(name, first, float(t[j])) from error
        if t.size == 1:
            raise raised(name, error, float(t[0])) from error
        raise LoadError(f"force {name!r}: its function raised {_told(error)} for {counted(t.size, 'step')}") from error


def _refusal(name: str, function: Function, size: int, time: float, x: Array) -> LoadError:
    """What a compiled function did wrong at a step, by calling it in Python."""
    try:
        given = function(time, x.copy())
    except Exception as error:
        return raised(name, error, time)
    try:
        components(name, given, size, 1)
    except LoadError as error:
        return error
    return LoadError(f"force {name!r}: its compiled function raised an exception at t = {time:g} s")


def raised(name: str, error: BaseException, time: float) -> LoadError:
    """Tell that a function raised an exception."""
    return LoadError(f"force {name!r}: its function raised {_told(error)} at t = {time:g} s")


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def components(name: str, given: Any, size: int, steps: int) -> Array:
    """Return what a function gives for some steps as an array (size, n).

    Raises
    ------
    LoadError
        If it has another shape.
    """
    rows = list(given) if size > 1 and isinstance(given, list | tuple) else None
    array = None if rows else floats(given)
    if array is not None and size == 1 and array.shape in ((), (1,), (steps,)):
        return np.broadcast_to(array, (1, steps))
    if array is not None and array.shape in ((size,), (size, 1), (size, steps)):
        rows = list(array)
    each = [floats(row) for row in rows or ()]
    if len(each) != size or any(row.shape not in ((), (1,), (steps,)) for row in each):
        what = "a number" if size == 1 else f"{size} components, each a number"
        shape = f"{len(each)} rows" if array is None else f"an array of shape {array.shape}"
        raise LoadError(
            f"force {name!r}: its function must give {what} or an array ({steps},) for {counted(steps, 'step')}, not "
            f"{shape}"
        )
    return np.stack([np.broadcast_to(row, (steps,)) for row in each])


@dataclass(eq=False)
class Callback:
    """A function as compiled code calls it in the equations of motion.

    Attributes
    ----------
    name : str
        Of the force.
    size : int
        How many numbers it gives.
    address : int
        See `CompiledFunction`.
    kept : object
    error : BaseException, optional
        What a function in Python has raised last.
    """

    name: str
    size: int
    address: int
    kept: Any
    error: BaseException | None = None


def callback(name: str, function: Function, along: CompiledFunction | None, size: int) -> Callback:
    """Make a function known to compiled code."""
    if along is not None:
        return Callback(name, size, along.address, along)
    found = Callback(name, size, 0, None)

    def call(given: int, out: int) -> None:
        numbers = np.ctypeslib.as_array((ctypes.c_double * WIDTH).from_address(out))
        try:
            count = int(ctypes.c_double.from_address(given).value)
            given_to = np.array((ctypes.c_double * (2 + count)).from_address(given))
            numbers[:size] = components(name, function(given_to[1:2], given_to[2:, None]), size, 1)[:, 0]
            numbers[3] = size
            if not np.isfinite(numbers).all():
                found.error = None
        except BaseException as error:  # an interruption as well: nothing may pass through compiled code
            found.error = error
            numbers[3] = -1.0

    found.kept = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(call)
    found.address = int(ctypes.cast(found.kept, ctypes.c_void_p).value or 0)
    return found
