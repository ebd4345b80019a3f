"""Instruction lists of groups as C and as object files: the bits of the interpreter."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding
import numpy as np
import pytest
from llvmlite import ir
from numpy.typing import NDArray

import groupkin as gk
from sglibrary.code import call
from sglibrary.code.bytecode import ENCODED, encode
from sglibrary.code.c_source import c_source, object_file
from sglibrary.code.graph import Graph, floor, fma, function, inverse, inverse_root, root, select, size
from sglibrary.code.llvm import LANES
from sglibrary.code.operations import OPERATIONS
from tests.support.examples import EXAMPLES

Array = NDArray[np.float64]
Executor = Callable[[str, list[Array], NDArray[np.int64], Array, int, int], None]

COMPILER = shutil.which("cc")
STEPS, FIRST, PITCH = 19, 3, 32
GROUPS = ("eccentric_press", "rotor_control", "planar_3rrr", "stewart_forward", "spatial_3prs", "five_rod_suspension")

needs_a_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")


def every_operation() -> str:
    graph = Graph()
    x, y, z = (graph.value(kind, 0, i) for i, kind in enumerate("qva"))
    w, c, number = graph.value("w", 0), graph.value("c", 0), graph.number(1 / 3)
    found = [
        x * y,
        x + c,
        y - number,
        fma(x, y, z),
        -x,
        inverse(y),
        inverse_root(w),
        root(z),
        size(x - y),
        floor(x * 9.0),
    ]
    found += [select(x, y, z, w), x / y]
    # those of the mathematical library, also where they have no value
    found += [function(name, *(x, z)[: of.operands]) for name, of in OPERATIONS.items() if len(name) > 1]
    return graph.text(
        [(value, f"w {1 + k}") for k, value in enumerate(found)], [(x, "v 1 0"), (y, "q 1 2"), (z, "a 1 1")]
    )


def lists_of(name: str) -> dict[str, str]:
    """The instruction lists of the groups of an example that are solved by iteration."""
    if not name:
        return {"every_operation": every_operation()}
    kernels = {
        call.kernel for call in gk.program(gk.load(EXAMPLES / f"{name}.toml")).calls if hasattr(call.kernel, "texts")
    }
    found = sorted({text for kernel in kernels for text in kernel.texts[3:] if not text.startswith(ENCODED)})
    return {f"list_{k}": text for k, text in enumerate(found)}


def arguments(text: str) -> tuple[list[Array], NDArray[np.int64], Array]:
    """Random state and working memory, and the rows and constants that an instruction list takes."""
    rng, lines = np.random.default_rng(len(text)), [line.split() for line in text.split(";")]
    places = [line[2:] if line[0] == "=" else line for line in lines]
    count = 1 + max((int(place[1]) for place in places if place[0] in "qva"), default=0)
    kept = 1 + max((int(place[1]) for place in places if place[0] == "w"), default=0)
    constants = 1 + max((int(place[1]) for place in places if place[0] == "c"), default=0)
    arrays = [rng.uniform(0.5, 2.0, (16 * count, PITCH)) for _ in "qva"]
    arrays.append(np.concatenate([rng.uniform(0.5, 2.0, (kept, PITCH)), np.zeros((4000, PITCH))]))
    return arrays, 16 * rng.permutation(count), rng.uniform(0.5, 2.0, constants)


def computed(execute: Callable[..., None], text: str) -> list[Array]:
    """State and working memory, as far as the list knows it, after a list."""
    arrays, rows, constants = arguments(text)
    kept = len(arrays[3]) - 4000
    execute(arrays, rows, constants)
    return [*arrays[:3], arrays[3][:kept, :STEPS]]


def call_at(address: int, arrays: list[Array], rows: NDArray[np.int64], constants: Array) -> None:
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 6, *[ctypes.c_int64] * 4)(address)
    pointers = [x.ctypes.data for x in (*arrays, rows, constants)]
    function(*pointers, PITCH, PITCH, FIRST, STEPS)


def interpreted(text: str) -> list[Array]:
    """What the interpreter makes of a list's bytecode, which is among the rows."""

    def execute(arrays: list[Array], rows: NDArray[np.int64], constants: Array) -> None:
        code, _ = encode(text, len(arrays[3]) - 3999)
        module = ir.Module("interpreted")
        function = call.defined(module, f"{ENCODED}{len(rows)}", LANES)
        function.linkage = "external"
        llvmlite.binding.initialize_native_target()
        llvmlite.binding.initialize_native_asmprinter()
        machine = llvmlite.binding.Target.from_default_triple().create_target_machine(
            cpu=llvmlite.binding.get_host_cpu_name(), features=llvmlite.binding.get_host_cpu_features().flatten()
        )
        engine = llvmlite.binding.create_mcjit_compiler(llvmlite.binding.parse_assembly(str(module)), machine)
        engine.finalize_object()
        with_code = np.concatenate([rows, [len(rows) + 1], code]).astype(np.int64)
        call_at(engine.get_function_address(function.name), arrays, with_code, constants)

    return computed(execute, text)


def assert_same(library: Path, lists: dict[str, str]) -> None:
    loaded = ctypes.CDLL(str(library))
    for name, text in lists.items():
        address: Any = ctypes.cast(getattr(loaded, name), ctypes.c_void_p).value
        found = computed(lambda *given, at=address: call_at(at, *given), text)
        for x, expected in zip(found, interpreted(text), strict=True):
            np.testing.assert_array_equal(x, expected, err_msg=name)


@needs_a_compiler
@pytest.mark.parametrize("name", ["", *GROUPS])
def test_c_computes_the_bits_of_the_interpreter(name: str, tmp_path: Path) -> None:
    lists, source, library = lists_of(name), tmp_path / "lists.c", tmp_path / "lists.so"
    source.write_text(c_source(lists))
    strict = [
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-Wno-unused-parameter",
        "-Werror",
        "-pedantic",
        "-O2",
        "-mfma",
        "-ffp-contract=off",
    ]
    subprocess.run([str(COMPILER), *strict, "-shared", "-fPIC", "-o", library, source, "-lm"], check=True, timeout=120)
    assert_same(library, lists)


@needs_a_compiler
@pytest.mark.parametrize("name", ["", *GROUPS])
def test_object_files_compute_them_as_well(name: str, tmp_path: Path) -> None:
    lists, made, library = lists_of(name), tmp_path / "lists.o", tmp_path / "lists.so"
    for machine in ({}, {"cpu": "x86-64-v3", "lanes": 4}):
        made.write_bytes(object_file(lists, **machine))
        subprocess.run([str(COMPILER), "-shared", "-o", library, made, "-lm"], check=True, timeout=120)
        other = library.with_name(f"{len(machine)}.so")  # a library that is loaded stays as it was
        shutil.copy(library, other)
        assert_same(other, lists)


def test_numbers_that_c_has_no_digits_for() -> None:
    graph = Graph()
    text = graph.text([(graph.number(x), f"w {k}") for k, x in enumerate((np.inf, -np.inf, np.nan, 0.1))])
    source = c_source({"numbers": text})
    assert all(f"= {number};" in source for number in ("INFINITY", "-INFINITY", "NAN", (0.1).hex()))
