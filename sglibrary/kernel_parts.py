"""Compiled functions as parts of those that call them.

The compiler makes machine code and two wrappers for every function, and optimizes a function again in each one that
calls it, over all levels of calls. Most functions here are called by compiled functions only. As a part of these, a
function is translated once, for one type of number whatever literal a caller states, and it is optimized and becomes
machine code with its callers only. That takes less than half of the time.
"""

from typing import Any

from numba import njit, types
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import InlineOverloads, NativeLowering, NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes

from sglibrary.compilation import mark

NOT_NEEDED = (InlineClosureLikes, InlineOverloads, NopythonRewrites)
"""Passes for closures, overloads that are inlined, and expressions of whole arrays, none of which parts have."""


def as_part(compiled: Any, options: dict[str, Any]) -> Any:
    """Let other compiled functions take a function as a part of theirs; from Python it is called as before."""
    alone = options | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    part: Any = njit(pipeline_class=_PartCompiler, **alone)(compiled.py_func)
    mark(compiled)
    mark(part)

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


class _Lower(Lower):
    """Translates a function, and says whether it may become a part of its callers' machine code."""

    def post_lower(self) -> None:
        super().post_lower()
        attributes = self.function.attributes
        if compute_cfg_from_blocks(self.blocks).loops() and "alwaysinline" not in attributes:
            # a call costs nothing beside a loop, and a vectorized loop is large: one copy is enough
            attributes.add("noinline")


@register_pass(mutates_CFG=True, analysis_only=False)
class _Translation(NativeLowering):
    """Translate a function and stop there; its callers link it with all that it calls."""

    _name = "translation of a part"

    @property
    def lowering_class(self) -> type[Lower]:
        return _Lower

    def run_pass(self, state: Any) -> bool:
        library = state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        function, key = state.cr.fndesc, object()
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
