"""Compiled functions as parts of those that call them.

The compiler makes machine code and two wrappers for every function, and optimizes a function again in each one that
calls it, over all levels of calls. Most functions here are called by compiled functions only. As a part of these, a
function is translated once, for one type of number whatever literal a caller states, and it is optimized and becomes
machine code with its callers only. That takes less than half of the time.

Two functions of the compiler itself, which it calls again and again with the same result, are replaced by ones that
give it faster, for whatever is compiled in this process.
"""

from functools import cache
from typing import Any

from numba import njit, types
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.typed_passes import InlineOverloads, NativeLowering, NopythonRewrites
from numba.core.types.functions import BaseFunction
from numba.core.untyped_passes import InlineClosureLikes

NOT_NEEDED = (InlineClosureLikes, InlineOverloads, NopythonRewrites)
"""Passes for closures, overloads that are inlined, and expressions of whole arrays, none of which parts have."""


@cache
def _defaults(kind: type[TargetConfig]) -> dict[str, Any]:
    return {name: option.default for name, option in kind.options.items()}


def _values(flags: TargetConfig) -> dict[str, Any]:
    """All flags of a function: what the compiler returns itself, but it compares them a hundred thousand times."""
    return _defaults(type(flags)) | flags._values


TargetConfig.values = _values  # type: ignore[method-assign]

_find_call_type = BaseFunction.get_call_type
_call_types: dict[tuple[Any, ...], Any] = {}


def _call_type(function: Any, context: Any, arguments: Any, named: Any) -> Any:
    """Types of a call: what the compiler finds itself, but it asks for those of x + y in every function anew."""
    flags = ConfigStack.top_or_none()
    if named or flags is None or flags.fastmath:
        return _find_call_type(function, context, arguments, named)
    # what is compiled for a call takes these flags over
    key = function, context, arguments, flags.nrt, flags.forceinline, flags.error_model
    if key not in _call_types:
        _call_types[key] = _find_call_type(function, context, arguments, named)
    return _call_types[key]


BaseFunction.get_call_type = _call_type  # type: ignore[assignment]


def as_part(compiled: Any, options: dict[str, Any]) -> Any:
    """Let other compiled functions take a function as a part of theirs; from Python it is called as before."""
    alone = options | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    part: Any = njit(pipeline_class=_PartCompiler, **alone)(compiled.py_func)

    def add_overload(result: Any) -> None:
        part.overloads[tuple(result.signature.args)] = result

    def get_call_template(arguments: Any, named: Any) -> Any:
        numbers = {name: types.unliteral(kind) for name, kind in named.items()}
        return part.get_call_template([types.unliteral(kind) for kind in arguments], numbers)

    part.add_overload = add_overload  # there is nothing that Python could call
    compiled.get_call_template, compiled.get_overload = get_call_template, part.get_overload
    return compiled


class _Part(JITCodeLibrary):
    """The code of one function, to be linked into that of others, which optimize it."""

    def finalize(self) -> None:
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _Translation(NativeLowering):
    """Translate a function and stop there; its callers link it with all that it calls."""

    _name = "translation of a part"

    def run_pass(self, state: Any) -> bool:
        library = state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        function, key = state.cr.fndesc, object()
        if compute_cfg_from_blocks(state.func_ir.blocks).loops():
            # a call costs nothing beside a loop, and a vectorized loop is large: one copy is enough
            library.get_function(function.llvm_func_name).add_function_attribute("noinline")
        state.targetctx.insert_user_function(key, function, list(dict.fromkeys([library, *library._linking_libraries])))
        state.cr = state.cr._replace(cfunc=key)
        return True


class _PartCompiler(CompilerBase):
    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps = [(step, text) for step, text in passes.passes if step not in NOT_NEEDED]
        passes.passes = [(_Translation if step is NativeLowering else step, text) for step, text in steps]
        passes.finalize()
        return [passes]
