"""Couplings that are functions in Python: compiled, and their derivatives checked by differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import CouplingError
from groupkin.tolerances import FORWARD_STEP, ROUNDING, WRONG_DERIVATIVE

Array = NDArray[np.float64]


@dataclass(frozen=True)
class CompiledFunction:
    """A function of k numbers as machine code, which writes its value, and its first and second derivatives.

    Attributes
    ----------
    count : int
        Number k of its coordinates.
    call : callable
        In Python: ``call(x, out)`` with arrays (k,) and (1 + k + k²,).
    address : int
        Of the same function in memory, with the addresses of both arrays.
    kept : object
        What must stay in memory.
    """

    count: int
    call: Callable[[Array, Array], None]
    address: int
    kept: Any

    def at(self, x: Array) -> tuple[float, Array, Array]:
        """Compute value, first (k,) and second (k, k) derivatives."""
        out = np.full(1 + self.count + self.count**2, np.nan)
        self.call(np.ascontiguousarray(x, float), out)
        return float(out[0]), out[1 : 1 + self.count], out[1 + self.count :].reshape(self.count, self.count)


def compiled(
    name: str, count: int, function: Callable[..., float], derivatives: Callable[..., None]
) -> CompiledFunction:
    """Compile a function of `count` numbers with its derivatives.

    Raises
    ------
    CouplingError
        If numba cannot compile it.
    """
    from numba import carray, cfunc, njit  # type: ignore[attr-defined]
    from numba.core.errors import NumbaError

    size = 1 + count + count * count
    try:
        value, slopes = (x if hasattr(x, "py_func") else njit(x) for x in (function, derivatives))

        def both(x: Any, out: Any) -> None:
            out[0] = value(x)
            slopes(x, out[1 : 1 + count], out[1 + count : size].reshape(count, count))

        inner = njit("void(float64[::1], float64[::1])")(both)

        def at(x: Any, out: Any) -> None:
            inner(carray(x, (count,), np.float64), carray(out, (size,), np.float64))

        outer = cfunc("void(voidptr, voidptr)")(at)
    except NumbaError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = next((line for line in lines if not line.startswith("Failed in")), "")
        raise CouplingError(f"coupling {name!r}: numba cannot compile its function or derivatives: {reason}") from None
    return CompiledFunction(count, inner, int(outer.address or 0), outer)


def require_derivatives(name: str, of: tuple[str, ...], function: CompiledFunction, x: Array) -> None:
    """Compare derivatives with central differences at some values of the coordinates (k,), and near them.

    Raises
    ------
    CouplingError
        With the coordinates by which a derivative is wrong.
    """
    steps = FORWARD_STEP * np.maximum(np.abs(x), 1.0)
    for shift in (0.0, 0.01, -0.013):
        here = x + shift * np.maximum(np.abs(x), 1.0) * np.cos(np.arange(x.size))
        value, first, second = function.at(here)
        if not np.isfinite(value):
            if not shift:
                raise CouplingError(f"coupling {name!r}: its function is {value} in the reference configuration")
            continue
        for k, step in enumerate(steps):
            ends = [function.at(here + sign * step * np.eye(x.size)[k]) for sign in (1.0, -1.0)]
            slope = (ends[0][0] - ends[1][0]) / (2 * step)
            bends = (ends[0][1] - ends[1][1]) / (2 * step)
            unit = max(float(np.abs(first).max()), abs(value), ROUNDING)
            if not abs(first[k] - slope) <= WRONG_DERIVATIVE * unit:
                raise CouplingError(
                    f"coupling {name!r}: the derivative of its function by `{of[k]}` is {first[k]:.6g}, where "
                    f"differences of the function give {slope:.6g}"
                )
            unit = max(float(np.abs(second).max()), unit)
            for i, bend in enumerate(bends):
                if not abs(second[i, k] - bend) <= WRONG_DERIVATIVE * unit:
                    raise CouplingError(
                        f"coupling {name!r}: the second derivative of its function by `{of[i]}` and `{of[k]}` is "
                        f"{second[i, k]:.6g}, where differences of the first give {bend:.6g}"
                    )
