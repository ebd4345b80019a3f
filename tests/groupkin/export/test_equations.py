"""Equations of motion in libraries: the bits of simulations, and the forces of drivers."""

from __future__ import annotations

import ctypes
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.dynamics.simulation.free_motion import equations_of
from groupkin.errors import ExportError
from groupkin.export.free_models import shared_equations
from tests.support.examples import described
from tests.support.foreign import pointer

Array = NDArray[np.float64]

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


@dataclass(eq=False)
class Dynamics:
    library: ctypes.CDLL
    memory: Array
    count: int

    def call(self, name: str, time: float, *given: Array, sizes: tuple[int, ...]) -> list[Array]:
        found = [np.zeros(size) for size in sizes]
        arguments = map(pointer, [np.ascontiguousarray(x, float) for x in given] + found)
        assert getattr(self.library, name)(pointer(self.memory), ctypes.c_double(time), *arguments) == 0
        return found


def exported(mechanism: gk.Mechanism, folder: Path) -> Dynamics:
    program = gk.program(mechanism)
    library = ctypes.CDLL(str(gk.export_library(mechanism, folder, name="mechanism", dynamics=True)[1]))
    memory = shared_equations(program).memory
    found = Dynamics(library, np.zeros(memory.numbers + memory.codes // 8 + 1), len(program.drivers))
    library.gk_init_dynamics(pointer(found.memory))
    return found


def require_bits(mechanism: gk.Mechanism, folder: Path) -> None:
    program = gk.program(mechanism)
    n, random = len(program.drivers), np.random.default_rng(0)
    free, foreign = equations_of(program, (None,) * n), exported(program.mechanism, folder)
    z = np.array([driven.reference for driven in program.drivers])
    for _ in range(10):
        z, rates = z + 0.01 * program.units * random.uniform(-1.0, 1.0, n), random.uniform(-1.0, 1.0, n)
        mass, force = foreign.call("gk_equations", 0.0, z, rates, sizes=(n * n, n))
        expected = free.equations(0.0, z, rates)
        np.testing.assert_array_equal(mass.reshape(n, n), expected[0])
        np.testing.assert_array_equal(force, expected[1])
        (found,) = foreign.call("gk_free_accelerations", 0.0, z, rates, sizes=(n,))
        scale = np.abs(np.linalg.solve(*expected)).max()
        np.testing.assert_allclose(found, np.linalg.solve(*expected), rtol=1e-9, atol=1e-9 * scale)
        for _ in range(2):  # groups that are followed have the bits of as many calls
            free.equations(0.0, z, rates)
        gains = random.uniform(-1.0, 1.0, n)
        (exerted,) = foreign.call("gk_driving_forces", 0.0, z, rates, gains, sizes=(n,))
        needed = expected[0] @ gains - expected[1]
        np.testing.assert_allclose(exerted, needed, rtol=1e-12, atol=1e-12 * np.abs(needed).max())


@pytest.mark.parametrize("name", ["eccentric_press"])
def test_same_bits_as_in_python(name: str, tmp_path: Path) -> None:
    require_bits(described(name).mechanism, tmp_path)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["inline_four", "stewart_inverse", "stephenson_six_bar", "stewart_forward"])
def test_same_bits_as_in_python_in_space_and_by_newtons_method(name: str, tmp_path: Path) -> None:
    mechanism = described(name).mechanism
    if not any(body.mass for body in mechanism.bodies):
        heavy = [replace(body, mass=1.0, center="middle") for body in mechanism.bodies if body.name != mechanism.frame]
        mechanism = replace(mechanism, bodies=[mechanism.frame, *heavy], frame=mechanism.frame)
    require_bits(mechanism, tmp_path)


@pytest.mark.exhaustive
def test_driving_forces_are_those_of_inverse_dynamics(tmp_path: Path) -> None:
    mechanism = described("eccentric_press").mechanism
    times = np.linspace(0.0, 0.5, 5)
    motion = gk.solve(mechanism, times)
    forces = gk.inverse_dynamics(motion)
    foreign = exported(mechanism, tmp_path)
    for j in range(5):
        value, rate, gain = motion.driven[:, :, j].T
        (found,) = foreign.call("gk_driving_forces", times[j], value, rate, gain, sizes=(1,))
        expected = forces.driver(mechanism.drivers[0].joint)[j]
        np.testing.assert_allclose(found[0], expected, rtol=1e-9, atol=1e-9)


def test_forces_by_functions_of_python_are_refused(tmp_path: Path) -> None:
    mechanism = described("four_bar").mechanism
    force = gk.Force("push", "rocker", (0.0, 0.0), function=lambda t, x: (0.0, 1.0))
    with pytest.raises(ExportError, match="force 'push' is a function of Python"):
        gk.export_library(replace(mechanism, forces=[force]), tmp_path, dynamics=True)
