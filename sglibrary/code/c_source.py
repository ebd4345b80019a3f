"""Instruction lists as C functions, and as object files without a C compiler, for programs that run without Python.

Either computes the bits of compiled and interpreted lists, if C is compiled without contracting products and sums
(``-ffp-contract=off``): `fma` is the only operation that is fused.
"""

from __future__ import annotations

from collections.abc import Mapping

import llvmlite.binding
from llvmlite import ir

from sglibrary.code.llvm import LANES, function
from sglibrary.code.operations import OPERATIONS

HEADER = """\
#include <math.h>
#include <stdint.h>
"""

SIGNATURE = """\
void {name}(double *q, double *v, double *a, double *work, const int64_t *rows, const double *constants,
    int64_t pitch, int64_t work_pitch, int64_t first, int64_t n)"""
"""Arguments as those of `sglibrary.code.llvm.FUNCTION`."""


UNUSED = "    (void)q, (void)v, (void)a, (void)work, (void)rows, (void)constants, (void)pitch, (void)work_pitch;"
"""No warning of arguments that a list does not need."""


def c_source(lists: Mapping[str, str]) -> str:
    """Write instruction lists as functions in C99.

    Parameters
    ----------
    lists : mapping of str to str
        Instruction lists by the names of their functions.

    Returns
    -------
    str
        Source that needs the headers of C's standard library only.
    """
    return f"{HEADER}\n{c_functions(lists)}"


def c_functions(lists: Mapping[str, str]) -> str:
    """The same without the lines that include these headers."""
    return "\n".join(_function(name, text) for name, text in lists.items())


def _function(name: str, text: str) -> str:
    lines = [SIGNATURE.format(name=name), "{", UNUSED, "    for (int64_t j = 0; j < n; j++) {"]
    for k, line in enumerate(text.split(";")):
        kind, *numbers = line.split()
        if kind == "=":
            lines.append(f"        {_place(*numbers[1:])} = x{numbers[0]};")
            continue
        if kind == "#":
            value = _number(float(numbers[0]))
        elif kind == "c":
            value = f"constants[{numbers[0]}]"
        elif kind in OPERATIONS:
            value = OPERATIONS[kind].c.format(*(f"x{number}" for number in numbers))
        else:
            value = _place(kind, *numbers)
        lines.append(f"        const double x{k} = {value};")
    return "\n".join([*lines, "    }", "}", ""])


def _place(kind: str, *numbers: str) -> str:
    """The element of an array that a leaf, or target, of a list stands for."""
    if kind == "w":
        return f"work[{numbers[0]} * work_pitch + j]"
    return f"{kind}[(rows[{numbers[0]}] + {numbers[1]}) * pitch + first + j]"


def _number(x: float) -> str:
    if x != x:
        return "NAN"
    return x.hex() if abs(x) != float("inf") else ("INFINITY" if x > 0 else "-INFINITY")


def object_file(lists: Mapping[str, str], cpu: str = "", features: str = "", lanes: int = LANES) -> bytes:
    """Compile instruction lists to an object file.

    Parameters
    ----------
    lists : mapping of str to str
        Instruction lists by the names of their functions, which are those of `c_source`.
    cpu, features : str, optional
        Of the machine, such as "x86-64-v3"; default: this one.
    lanes : int
        Steps that are taken at once.

    Returns
    -------
    bytes
        In the format of this machine (ELF, Mach-O or COFF), position independent.
    """
    module = ir.Module("groupkin")
    module.triple = llvmlite.binding.get_process_triple()
    for name, text in lists.items():
        exported = function(module, text, lanes, name)
        exported.linkage = "external"
    llvmlite.binding.initialize_native_target()
    llvmlite.binding.initialize_native_asmprinter()
    machine = llvmlite.binding.Target.from_triple(module.triple).create_target_machine(
        cpu=cpu or llvmlite.binding.get_host_cpu_name(),
        features=features or ("" if cpu else llvmlite.binding.get_host_cpu_features().flatten()),
        opt=3,
        reloc="pic",
        codemodel="default",
    )
    parsed = llvmlite.binding.parse_assembly(str(module))
    parsed.verify()
    if hasattr(llvmlite.binding, "create_pass_builder"):  # since llvmlite 0.44
        options = llvmlite.binding.create_pipeline_tuning_options(speed_level=3)
        passes = llvmlite.binding.create_pass_builder(machine, options)
        passes.getModulePassManager().run(parsed, passes)
    return bytes(machine.emit_object(parsed))
