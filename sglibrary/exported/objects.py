"""Machine code of compiled functions as an object file, by the compiler's modules of these.

This takes of the compiler what it promises nobody: `numba.core.codegen.CPUCodeLibrary._get_module_for_linking`, the
names of functions in its modules, and that a library lists those of what it calls itself
(`tests/sglibrary/exported/test_objects.py`).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import llvmlite.binding as llvm


class Target(NamedTuple):
    """A machine that code is made for.

    Attributes
    ----------
    triple : str
        As LLVM names it; "" for this machine.
    cpu, features : str
        As LLVM names them.
    """

    triple: str = ""
    cpu: str = ""
    features: str = ""


def module_of(functions: Mapping[str, tuple[Any, tuple[Any, ...]]]) -> Any:
    """Link compiled functions, with all that they call, to one module, in which nothing else can be seen.

    Parameters
    ----------
    functions : mapping of str to (dispatcher, tuple of types)
        By the names that they get, which others of them may call them by; each with the types of its arguments.

    Returns
    -------
    llvmlite.binding.ModuleRef
    """
    whole = llvm.parse_assembly("")
    for name, (function, kinds) in functions.items():
        function.compile(kinds)
        compiled = function.overloads[kinds]
        part = compiled.library._get_module_for_linking().clone()
        entry = part.get_function(compiled.fndesc.llvm_func_name)
        entry.linkage = "external"  # else it would be dropped, as nothing calls it
        whole.link_in(part)
        whole.get_function(compiled.fndesc.llvm_func_name).name = name
    for name in functions:
        whole.get_function(name).visibility = "hidden"
    for symbol in (*whole.functions, *whole.global_variables):
        if not symbol.is_declaration and symbol.name not in functions:
            symbol.linkage = "internal"
    return whole


def object_file(module: Any, target: Target = Target()) -> bytes:  # noqa: B008
    """Compile a module to a position independent object file; what none of its functions calls is left out."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    if target.triple:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
    triple = target.triple or llvm.get_process_triple()
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=target.cpu or ("" if target.triple else llvm.get_host_cpu_name()),
        features=target.features or ("" if target.triple else llvm.get_host_cpu_features().flatten()),
        opt=3,
        reloc="pic",
        codemodel="default",
    )
    module.triple, module.data_layout = triple, str(machine.target_data)
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3)))
    module.verify()
    return bytes(machine.emit_object(module))
