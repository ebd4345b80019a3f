"""Mechanisms as source of C99: strict, and with the bits of compiled code."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import ExportError
from groupkin.export.models import shared_model
from groupkin.kinematics.solving.driver_values import drive
from sglibrary.chain import Solver
from tests.groupkin.export.test_library import steps
from tests.sglibrary.test_catalog import ALL, draw
from tests.support.examples import SOLVABLE, described
from tests.support.foreign import Foreign, pointer

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")

SOME = ("four_bar", "rotor_control_transformed", "stewart_inverse")

STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-ffp-contract=off")


def compiled(mechanism: gk.Mechanism, folder: Path, optimize: str = "-O2") -> Foreign:
    files = gk.export_c(mechanism, folder, name="mechanism")
    library = folder / "mechanism.so"
    command = ["cc", *STRICT, optimize, "-fPIC", "-shared", "-o", str(library), str(files[1]), "-lm"]
    subprocess.run(command, check=True)
    return Foreign.loaded(library, shared_model(gk.program(mechanism)))


def require_bits(name: str, folder: Path, n: int) -> None:
    program, given = steps(name, n)
    motion, foreign = program.evaluate(*np.swapaxes(given[:, :3], 0, 1)), compiled(program.mechanism, folder)
    for j in range(n):
        assert foreign.evaluate(*given[:, :3, j].T) == 0
        for kept, row in (("q", motion.q), ("v", motion.v), ("a", motion.a)):
            np.testing.assert_array_equal(foreign.rows(kept), row[:, j])


@pytest.mark.parametrize("name", SOME)
def test_same_bits_as_python(name: str, tmp_path: Path) -> None:
    require_bits(name, tmp_path, 51)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", sorted({*SOLVABLE} - {*SOME}))
def test_same_bits_as_python_or_refused_by_name(name: str, tmp_path: Path) -> None:
    program = gk.program(described(name).mechanism)
    if not program.iterates and not any("coupled" in solver for solver in program.solvers):
        require_bits(name, tmp_path, 201)
        return
    with pytest.raises(ExportError, match=r"cannot be written as C: .*--library"):
        gk.export_c(program.mechanism, tmp_path)


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore:.*passes a singular position")  # cases that are drawn and not taken
@pytest.mark.parametrize("solver", ALL)
def test_every_closed_form_has_the_bits_of_its_kernel(solver: Solver, tmp_path: Path) -> None:
    program = draw(solver, 0, times=np.linspace(0.0, 1.0, 3)).program
    given = drive(program, np.linspace(0.0, 1.0, 5))
    motion = program.evaluate(*np.swapaxes(given[:, :3], 0, 1))
    foreign = compiled(program.mechanism, tmp_path, "-O1")
    assert solver.name in program.solvers
    for j in range(5):
        foreign.evaluate(*given[:, :3, j].T)
        np.testing.assert_array_equal(foreign.rows("q"), motion.q[:, j])
        np.testing.assert_array_equal(foreign.rows("a"), motion.a[:, j])


def test_positions_that_are_none_are_told_as_in_python(tmp_path: Path) -> None:
    program = gk.program(described("eccentric_press").mechanism)
    foreign = compiled(program.mechanism, tmp_path)
    values = [[driven.reference, np.nan, 1e6, 1e12] for driven in program.drivers]
    motion = program.evaluate(values, np.ones((len(values), 4)))
    for j in range(4):
        foreign.evaluate(np.array(values)[:, j], np.ones(len(values)))
        np.testing.assert_array_equal(foreign.rows("v"), motion.v[:, j])
        for k, status in enumerate(motion.status[:, j]):
            assert foreign.library.gk_group_status(pointer(foreign.memory), k) == status


def test_the_header_is_that_of_the_library(tmp_path: Path) -> None:
    mechanism = described("four_bar").mechanism
    source = gk.export_c(mechanism, tmp_path / "c")[0]
    library = gk.export_library(mechanism, tmp_path / "library")[0]
    assert source.name == library.name == "four_bar_linkage.h"
    assert source.read_bytes() == library.read_bytes()


def test_the_examples_run(tmp_path: Path) -> None:
    gk.export_c(described("stewart_inverse").mechanism, tmp_path, name="platform")
    subprocess.run(["cc", *STRICT, "-c", "platform.c", "-o", "platform.o"], cwd=tmp_path, check=True)
    subprocess.run(["cc", *STRICT, "example.c", "platform.o", "-lm", "-o", "in_c"], cwd=tmp_path, check=True)
    said = subprocess.run([tmp_path / "in_c"], capture_output=True, text=True, check=True).stdout
    assert said.count("status 0") == 5
    if shutil.which("c++"):
        command = ["c++", "-std=c++14", *STRICT[1:], "example.cpp", "platform.o", "-lm", "-o", "in_cpp"]
        subprocess.run(command, cwd=tmp_path, check=True)
        said = subprocess.run([tmp_path / "in_cpp"], capture_output=True, text=True, check=True).stdout
        assert said.startswith("base: 0 0 0\nplatform: ")


def test_groups_that_are_iterated_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(
        ExportError, match=r"no closed form, and cannot be written as C: cylinder_1, .*platform \(hub\)"
    ):
        gk.export_c(described("stewart_forward").mechanism, tmp_path)
    with pytest.raises(ExportError, match=r"chooses between formulas.*: pinion \(coupled R\).*--library"):
        gk.export_c(described("geared_press").mechanism, tmp_path)
    assert not list(tmp_path.iterdir())
