"""What the loops of teams ask of the processor and the system: counters that others see, its clock, and to wait.

Each is a few instructions that the compiler inlines. Which ones depends on the system and the processor that code is
generated for, whose names are the triple of the module: Linux, macOS or Windows on x86 or ARM.
"""

import time

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.extending import intrinsic

ARM = ("aarch64", "arm64")


def _address(context, builder, array_type, array, index):
    return builder.gep(context.make_array(array_type)(context, builder, array).data, [index])


@intrinsic
def _load_acquire(typingctx, counters, i):
    """What another lane wrote to counters.flat[i], and all that it wrote before."""

    def generate(context, builder, signature, arguments):
        return builder.load_atomic(_address(context, builder, signature.args[0], *arguments), "acquire", 8)

    return types.int64(counters, i), generate


@intrinsic
def _store_release(typingctx, counters, i, value):
    """Write counters.flat[i], and make visible all that was written before."""

    def generate(context, builder, signature, arguments):
        place = _address(context, builder, signature.args[0], *arguments[:2])
        builder.store_atomic(arguments[2], place, "release", 8)
        return context.get_dummy_value()

    return types.none(counters, i, types.int64), generate


@intrinsic
def _fetch_add(typingctx, counters, i):
    """Add one to counters.flat[i], and return what it was before."""

    def generate(context, builder, signature, arguments):
        place = _address(context, builder, signature.args[0], *arguments)
        return builder.atomic_rmw("add", place, ir.Constant(ir.IntType(64), 1), "seq_cst")

    return types.int64(counters, i), generate


@intrinsic
def _yield_core(typingctx):
    """Let another thread or process have the core."""

    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(ir.IntType(32), [])
        name = "SwitchToThread" if "windows" in builder.module.triple else "sched_yield"
        builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [])
        return context.get_dummy_value()

    return types.none(), generate


@intrinsic
def _ticks(typingctx):
    """The processor's steady clock: the time stamp counter of x86, the virtual counter of ARM.

    ARM's counter of cycles, which LLVM reads there by default, is for the system alone.
    """

    def generate(context, builder, signature, arguments):
        module, count = builder.module, ir.IntType(64)
        if not module.triple.startswith(ARM):
            kind = ir.FunctionType(count, [])
            return builder.call(cgutils.get_or_insert_function(module, kind, "llvm.readcyclecounter"), [])
        kind = ir.FunctionType(count, [ir.MetaDataType()])
        read = cgutils.get_or_insert_function(module, kind, "llvm.read_volatile_register.i64")
        return builder.call(read, [module.add_metadata([ir.MetaDataString(module, "cntvct_el0")])])

    return types.int64(), generate


def load_acquire(counters, i):
    """What a lane wrote to a counter."""
    return counters.flat[i]


def store_release(counters, i, value):
    """Write a counter that others read."""
    counters.flat[i] = value


def fetch_add(counters, i):
    """Add one to a counter that others add to, and return what it was before."""
    counters.flat[i] += 1
    return counters.flat[i] - 1


def yield_core():
    """Let another thread or process have the core."""
    time.sleep(0)


def ticks():
    """Time by the processor's clock, in its own unit."""
    return time.perf_counter_ns()


if not DISABLE_JIT:
    load_acquire, store_release, fetch_add = _load_acquire, _store_release, _fetch_add  # type: ignore[assignment]
    yield_core, ticks = _yield_core, _ticks  # type: ignore[assignment]
