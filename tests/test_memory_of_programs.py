"""Programs are gone when nobody refers to them any more, with all that was made of them once."""

from __future__ import annotations

import gc
import pickle
import time
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any
from weakref import WeakSet, ref

import numpy as np
import pytest

import cluster
import groupkin as gk
import routes
from groupkin.dynamics.bodies.masses import masses
from groupkin.kinematics.program import once_per_program as kept
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.driver_values import driver_tables
from tests.support.paths import EXAMPLES

TIMES = np.linspace(0.0, 0.2, 21)


def solved(program: gk.Program) -> None:
    motion = gk.solve(program, TIMES)
    gk.solve(program, TIMES, out=motion)
    program.evaluate(motion.driven[:, 0], motion.driven[:, 1])
    motion.to_xarray()


def forces(program: gk.Program) -> None:
    found = gk.inverse_dynamics(gk.solve(program, TIMES))
    for joint in program.mechanism.joints:
        found.reaction(joint.name)
        found.determined(joint.name)


def jacobians(program: gk.Program) -> None:
    motion = gk.solve(program, TIMES)
    gk.jacobian(motion, program.mechanism.movable)
    program.rates_transposed(motion, program.rates(motion, np.ones((len(program.drivers), 1, TIMES.size))))


def designs(program: gk.Program) -> None:
    design, of = gk.design(program, [*program.mechanism.positions][:1]), position(program)
    motion = design.solve(design.nominal, TIMES)
    assert isinstance(motion, gk.Motion)
    pickle.loads(pickle.dumps(motion)).read(of)
    design.solve(np.stack([design.nominal] * 3), TIMES, keep=[of])
    design.solve(np.stack([design.nominal] * 3), TIMES, keep=[of], derivatives=True)
    design.solve(design.nominal, TIMES, derivatives=True).read(of)
    design.mechanism(design.nominal)


def sweeps(program: gk.Program) -> None:
    parameters = [
        cluster.Parameter(f"{next(iter(program.mechanism.positions))}.x", cluster.Uniform(0.0, 1e-4), relative=True)
    ]
    reductions = [cluster.TimeHistory(of) for of in (position(program), f"angle {program.mechanism.movable[0]}")]
    cluster.solve(cluster.sweep(program.mechanism, parameters, TIMES, reductions, draws=5))


def position(program: gk.Program) -> str:
    return f"position {program.mechanism.movable[0]}"


def side_by_side(program: gk.Program) -> None:
    for workers in (1, 2):
        motion = routes.solve(program, TIMES, workers=workers, route="sequential", cache=False)
        assert motion is not None
        routes.solve(program, TIMES, workers=workers, route="sequential", cache=False, out=motion)


def simulated(program: gk.Program) -> None:
    mechanism = program.mechanism
    heavy = [
        replace(body, mass=1.0, center="middle", inertia=0.01)
        for body in mechanism.body.values()
        if body.name != mechanism.frame
    ]
    bodies = [mechanism.body[mechanism.frame], *heavy]
    free = replace(mechanism, bodies=bodies, drivers=[gk.Driver(driver.joint) for driver in mechanism.drivers])
    gk.simulate(free, TIMES)


def limited(program: gk.Program) -> None:
    gk.limits(program)
    gk.assembly_modes(program.mechanism)


def living() -> WeakSet[Program]:
    """All programs that there are."""
    gc.collect()
    return WeakSet(each for each in gc.get_referrers(Program) if type(each) is Program)  # they refer to their class


@pytest.mark.parametrize(
    "use", [solved, forces, jacobians, designs, sweeps, side_by_side, simulated, limited], ids=lambda use: use.__name__
)
@pytest.mark.parametrize("name", ["eccentric_press", "stephenson_six_bar"])
def test_nothing_of_a_program_is_kept(name: str, use: Callable[[gk.Program], None]) -> None:
    before = living()
    program = gk.program(gk.load(EXAMPLES / f"{name}.toml"))
    of_program = ref(program)
    use(program)
    del program
    for _ in range(200):
        if not living() - before:
            break
        time.sleep(0.01)  # a thread that has worked on it may not have ended yet
    assert not living() - before
    assert of_program() is None


def test_functions_run_once_for_each_program_and_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = list[Any]()

    @once_per_program
    def counted(program: gk.Program, number: int, *, twice: bool = False) -> None:
        calls.append((program, number, twice))

    programs = [gk.program(gk.load(EXAMPLES / "four_bar.toml")) for _ in range(2)]
    for _ in range(3):
        for program in programs:
            counted(program, 1)
            counted(program, 1, twice=True)
            counted(program, 2)
    assert calls == [(program, *each) for program in programs for each in ((1, False), (1, True), (2, False))]
    monkeypatch.setattr(kept, "MOST", 3)
    counted(programs[0], 3)  # the others are dropped
    counted(programs[0], 3)
    counted(programs[0], 1)
    assert [number for _, number, _ in calls[6:]] == [3, 1]


def test_changed_programs_copies_and_unpickled_ones_begin_with_nothing() -> None:
    program = gk.program(gk.load(EXAMPLES / "four_bar.toml"))
    assert masses(program) is masses(program)
    assert driver_tables(program) is driver_tables(program)
    for other in (replace(program), copy(program), pickle.loads(pickle.dumps(program))):
        assert not other.ready
        assert driver_tables(other) is not driver_tables(program)
