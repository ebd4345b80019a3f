"""What machine code is taken from the compiler, by what it promises nobody."""

from __future__ import annotations

import llvmlite.binding
import numpy as np
import pytest
from numba import types
from numba.core.codegen import CPUCodeLibrary
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]

from sglibrary.convention import formula, kernel
from sglibrary.exported.objects import Target, module_of, object_file

pytestmark = pytest.mark.skipif(bool(DISABLE_JIT), reason="nothing is compiled")

KINDS = (types.float64, types.float64)


@formula
def _square(x):  # type: ignore[no-untyped-def]
    return x * x


@kernel
def _sum(x, y):  # type: ignore[no-untyped-def]
    return _square(x) + np.sqrt(y)


def test_the_compiler_has_what_is_taken_of_it() -> None:
    assert hasattr(CPUCodeLibrary, "_get_module_for_linking"), "modules of compiled functions have another name"
    _sum.compile(KINDS)
    compiled = _sum.overloads[KINDS]
    module = compiled.library._get_module_for_linking()
    names = [function.name for function in module.functions]
    assert compiled.fndesc.llvm_func_name in names, "functions have other names in their modules"
    written = module.get_function(compiled.fndesc.llvm_func_name)
    assert not written.is_declaration, "modules do not hold their functions"
    parameters = [str(x.type) for x in written.arguments]
    assert parameters[2:] == ["double", "double"], "compiled functions take other arguments than (result, error, ...)"


def test_nothing_but_what_is_asked_for_can_be_seen() -> None:
    module = module_of({"exported_sum": (_sum, KINDS)})
    seen = [x.name for x in module.functions if not x.is_declaration and x.linkage == llvmlite.binding.Linkage.external]
    assert seen == ["exported_sum"]


@pytest.mark.parametrize(
    ("triple", "magic"),
    [
        ("x86_64-unknown-linux-gnu", b"\x7fELF"),
        ("aarch64-unknown-linux-gnu", b"\x7fELF"),
        ("x86_64-w64-windows-gnu", b"\x64\x86"),
        ("arm64-apple-macosx11.0.0", b"\xcf\xfa\xed\xfe"),
    ],
)
def test_machine_code_is_made_for_other_machines(triple: str, magic: bytes) -> None:
    code = object_file(module_of({"exported_sum": (_sum, KINDS)}), Target(triple))
    assert code.startswith(magic)
    assert b"exported_sum" in code
