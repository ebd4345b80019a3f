"""A mechanism as a shared library, with a header of C, that needs no Python."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from groupkin.arguments import checked
from groupkin.durable_files import disk_errors, replacing_file
from groupkin.errors import ExportError
from groupkin.export.c_files import (
    compiled_entry,
    compiled_groups,
    dynamics_header,
    dynamics_source,
    header,
    source,
)
from groupkin.export.c_names import file_name
from groupkin.export.free_models import SharedEquations, shared_equations
from groupkin.export.linking import compiler, link
from groupkin.export.models import SharedModel, shared_model
from groupkin.export.targets import machine
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import program
from groupkin.mechanism.mechanism import Mechanism
from sglibrary.exported.dynamics import equations_entry
from sglibrary.exported.entries import ENTRY, KINDS_OF_ENTRIES, LOOPS, solve_followed, solve_given
from sglibrary.exported.objects import Target, module_of, object_file
from sglibrary.iterative.tables import FUNCTIONS, TEXTS
from sglibrary.run.calls import SIGNATURE
from sglibrary.written_out import LOOP


@checked
def export_library(
    mechanism: Mechanism,
    folder: str | Path,
    *,
    name: str | None = None,
    target: str | None = None,
    dynamics: bool = False,
) -> tuple[Path, Path]:
    """Write a mechanism as a shared library and its header, for programs without Python.

    The library solves the mechanism at values of its drivers with the same bits as `Program.evaluate` with
    ``path=True``. It needs the libraries of C and of mathematics alone, allocates no memory and has no state of its
    own. A C compiler links it: ``cc``, or the package ziglang.

    Parameters
    ----------
    mechanism : Mechanism
    folder : str or Path
        Where the files go: ``NAME.h`` and ``libNAME.so``, or as libraries of the target are called. Files of these
        names are replaced.
    name : str, optional
        Default: that of the mechanism.
    target : {"x86-64", "x86-64-v3", "aarch64-linux", "windows", "macos-arm64"}, optional
        The machine that the library is for; default: this one, with all instructions that it has. Others need ziglang.
    dynamics : bool
        Whether it has the equations of motion too: reduced masses and forces, the motion under forces, and what drivers
        exert.

    Returns
    -------
    (Path, Path)
        The header and the library.

    Raises
    ------
    ExportError
        If the mechanism calls functions of this process, there is no such target, or no compiler for it.
    OutputError
        If a file cannot be written.
    """
    wanted = machine(target)
    command = compiler(wanted)
    solved = program(mechanism)
    require_no_functions(solved)
    shared, own = shared_model(solved), file_name(name or mechanism.name)
    equations = shared_equations(solved) if dynamics else None
    folder = Path(folder)
    head, library = folder / f"{own}.h", folder / wanted.library.format(own)
    with tempfile.TemporaryDirectory() as work, disk_errors(folder, begun=False):
        texts, code = groups_of(shared, equations, wanted.code)
        more = ("", "") if equations is None else (dynamics_header(equations.memory), dynamics_source(equations.memory))
        files = {
            ".h": header(shared, more[0]).encode(),
            ".c": source(shared, f"{own}.h", texts, more[1]).encode(),
            ".o": code,
        }
        parts = {f"{own}{suffix}": content for suffix, content in files.items()}
        for part, content in parts.items():
            (Path(work) / part).write_bytes(content)
        made = Path(work) / library.name
        link(command, [Path(work) / f"{own}.c", Path(work) / f"{own}.o"], made)
        folder.mkdir(parents=True, exist_ok=True)
        for place, content in ((head, parts[f"{own}.h"]), (library, made.read_bytes())):
            with replacing_file(place) as temporary:
                temporary.write_bytes(content)
        library.chmod(0o755)
    return head, library


def groups_of(shared: SharedModel, equations: SharedEquations | None, target: Target) -> tuple[str, bytes]:
    """C that calls the groups of a model, and its equations of motion, and their machine code."""
    iterates, every = shared.program.iterates, [*shared.kernels, *(equations.kernels if equations else ())]
    called = {"groupkin_solve": solve_followed if iterates else solve_given}
    if iterates:
        prepared = {f"groupkin_{x}" for kernel in every for x in getattr(kernel, "prepared", ())}
        called |= {name: loop for name, loop in LOOPS.items() if name == LOOP or name in prepared}
    functions: dict[str, tuple[Any, tuple[Any, ...]]]
    functions = {name: (function, KINDS_OF_ENTRIES[function]) for name, function in called.items()}
    kernels = {kernel: f"groupkin_kernel_{k}" for k, kernel in enumerate(dict.fromkeys(every))}
    functions |= {name: (kernel, SIGNATURE) for kernel, name in kernels.items()}
    entries = [compiled_entry(shared.memory, "groupkin_solve", [kernels[x] for x in shared.kernels], "gk_model")]
    if equations is not None:
        functions["groupkin_equations"] = (equations_entry(equations.kind), ENTRY)
        names = [kernels[x] for x in equations.kernels]
        entries.append(compiled_entry(equations.memory, "groupkin_equations", names, "gk_dynamics"))
    return compiled_groups(entries, [*kernels.values()]), object_file(module_of(functions), target)


def require_no_functions(solved: Program) -> None:
    """Refuse couplings by functions of this process.

    Raises
    ------
    ExportError
    """
    for call in solved.calls:
        if call.knot is None or "functions" not in getattr(call.kernel, "prepared", ()):
            continue
        k, rows = call.rows[FUNCTIONS], call.rows
        while k < rows[TEXTS]:
            if rows[k + 1] != 0:
                bodies = ", ".join(solved.structure.groups[call.group - 1].bodies)
                raise ExportError(
                    f"the group of {bodies} is coupled by a function of Python, which no other program has; "
                    "couple it by a formula or a table"
                )
            k += 4 + rows[k + 3]
