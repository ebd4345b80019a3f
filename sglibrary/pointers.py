"""Calls of compiled functions by their addresses in memory."""

import ctypes
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic

from sglibrary.convention import allocating


def _call(address: int, given: Any, out: Any) -> None:
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(int(address))(given.ctypes.data, out.ctypes.data)


@intrinsic
def _call_compiled(context: Any, address: Any, given: Any, out: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = ir.FunctionType(ir.VoidType(), [ir.IntType(64), ir.IntType(64)]).as_pointer()
        builder.call(builder.inttoptr(arguments[0], pointer), arguments[1:])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


def _call_at(address, given, out):
    """Call a function at an address with those of two arrays."""
    _call_compiled(address, given.ctypes.data, out.ctypes.data)


call_at = _call if DISABLE_JIT else allocating(_call_at)
