"""Assembly of compiled functions for other systems and processors: ``python foreign_code.py TRIPLE CPU FUNCTIONS``.

FUNCTIONS is a pickled list of (module, name, types of the arguments), and for functions that are made by others what
these take. The assembly goes to standard output. A process
of its own, since functions that they call are compiled for the other machine too.
"""

from __future__ import annotations

import importlib
import pickle
import sys
from pathlib import Path

import llvmlite.binding as llvm
from numba.core.codegen import AOTCPUCodegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from sglibrary import kernel_cache


class Foreign(AOTCPUCodegen):
    """Generates code that is never executed here."""

    def _init(self, module: object) -> None:
        machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
            cpu=self._cpu_name, opt=1, reloc="pic", codemodel="default"
        )
        self._tm, self._tm_features, self._target_data = machine, "", machine.target_data
        self._data_layout, self._loopvect, self._opt_level = str(machine.target_data), True, 1


def assembly(triple: str, processor: str, functions: Path) -> str:
    """The assembly of some functions and of all that they call, after the names of those that are not theirs."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    context = cpu_target.target_context
    llvm.get_process_triple = lambda: triple
    context._internal_codegen = Foreign("foreign", processor)
    context.get_executable = lambda *arguments: [].append  # stands for the address: a compiled function of its own
    kernel_cache.cached = lambda compiled: compiled
    texts = []
    for module, name, arguments, *made_of in pickle.loads(functions.read_bytes()):  # which imports them
        dispatcher = getattr(importlib.import_module(module), name)
        dispatcher = dispatcher(*made_of) if made_of else dispatcher
        dispatcher.compile(arguments)
        library = dispatcher.overloads[arguments].library
        with global_compiler_lock:
            library._ensure_finalized()
        texts += [
            f"# calls {function.name}\n" for function in library._final_module.functions if function.is_declaration
        ]
        texts.append(context.codegen()._tm.emit_assembly(library._final_module))
    return "".join(texts)


if __name__ == "__main__":
    sys.stdout.write(assembly(sys.argv[1], sys.argv[2], Path(sys.argv[3])))
