"""What the ranks of `test_mpi_backend.py` do; the first argument says which part."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cluster
import groupkin as gk
import routes
from groupkin.errors import ArgumentError, CannotAssembleError, LawError, LoadError, RankError, RouteError
from groupkin.mechanism.laws.laws import Law
from tests.groupkin.dynamics.reactions.test_inverse_dynamics import slider_crank
from tests.support.loaded import loaded

EXAMPLES = Path(__file__).parents[3] / "examples"
NAMES = ("q", "v", "a", "status", "conditioning")


class Broken(Law):
    """A law that fails in the middle of the motion; `end`: with the process."""

    end = False

    def at(self, times):  # type: ignore[no-untyped-def]
        t = np.atleast_1d(times)
        if t.size > 2 and t.max() > 0.5:
            if self.end:
                os.kill(os.getpid(), signal.SIGKILL)
            raise LawError("the driver broke")
        return np.zeros((3, t.size))


def same(backend: routes.Backend, first: bool) -> None:
    """Routes, splits and blocks against the sequential answer."""
    for name, times in (("rotor_control", np.linspace(0, 0.2, 60)), ("stewart_inverse", np.linspace(0, 1, 200))):
        program = gk.program(gk.load(EXAMPLES / f"{name}.toml"))
        expected = gk.solve(program, times)
        for split in ("groups", "time", "hybrid"):
            for route in ("sequential", "parallel", "unstaged") if split != "time" else ("sequential",):
                for block in (16, 50):
                    ways = {"route": route, "split": split, "block": block, "cache": False}
                    compare(routes.solve(program, times, workers=backend, **ways), expected, first, f"{name} {ways}")
        steps = routes.solve(program, times[:20], route="sequential", block=1, cache=False)
        for route in ("parallel", "unstaged"):
            found = routes.solve(
                program, times[:20], route=route, workers=backend, split="groups", block=1, cache=False
            )
            compare(found, steps, first, f"{name} {route} step by step")


def motions(backend: routes.Backend, first: bool) -> None:
    """One motion that all ranks write into: used again, with others beside it, and gone when nobody has it."""
    program = gk.program(gk.load(EXAMPLES / "rotor_control.toml"))
    kept: list[gk.Motion | None] = []
    for steps in (3, 500, 20_000, 500):
        times, out = np.linspace(0, 0.2, steps), None
        expected = gk.solve(program, times)
        for _ in range(3):
            out = routes.solve(program, times, workers=backend, split="time", out=out)
            compare(out, expected, first, f"{steps} steps")
        kept.append(out)
    for k, steps in enumerate((3, 500, 20_000, 500)):  # none has been overwritten
        compare(kept[k], gk.solve(program, np.linspace(0, 0.2, steps)), first, f"{steps} steps, kept")
    known = len(backend.motions.kept)  # type: ignore[attr-defined]
    kept.clear()
    out = None
    compare(routes.solve(program, times, workers=backend, split="time"), expected, first, "after others have gone")
    if not first and backend.shares:
        assert len(backend.motions.kept) < known  # type: ignore[attr-defined]
    if backend.shares:
        with pytest.raises(ArgumentError, match="same ranks"):
            routes.solve(program, times, workers=backend, split="time", out=gk.solve(program, times) if first else None)
    crank, times = gk.program(gk.load(EXAMPLES / "four_bar.toml")), np.linspace(0.0, 1.0, 3001)
    compare(routes.solve(crank, times, workers=backend), gk.solve(crank, times), first, "by the best way")


def forces(backend: routes.Backend, first: bool) -> None:
    """Loads carried back: in each block, and when forces have been evaluated; and what only the first rank finds."""
    for name, kinds in (("stewart_inverse", ()), ("rear_axle", ()), ("nine_bar", ("push", "to frame"))):
        mechanism = loaded(gk.load(EXAMPLES / f"{name}.toml"))
        program = gk.program(replace(mechanism, forces=[x for x in mechanism.forces if x.name in kinds]))
        times = np.linspace(0, 0.2, 60)
        expected = gk.inverse_dynamics(program, times)
        for split in ("groups", "time", "hybrid"):
            for route in ("parallel", "unstaged") if split == "groups" else ("sequential",):
                ways = {"route": route, "split": split, "block": 16, "cache": False}
                found = routes.inverse_dynamics(program, times, workers=backend, **ways)
                compare(None if found is None else found.motion, expected.motion, first, f"{name} {ways}")
                if found is not None:
                    for joint in expected.reactions:
                        assert np.array_equal(found.reactions[joint], expected.reactions[joint]), (name, joint, ways)
                    for driver in expected.drivers:
                        assert np.array_equal(found.driver(driver), expected.driver(driver)), (name, driver, ways)
    try:
        routes.inverse_dynamics(slider_crank(), [0.0, 0.01], actuators=["bore"], workers=backend, cache=False)
    except LoadError:
        say("LoadError")


def say(line: str) -> None:
    """A line that others' do not get into."""
    os.write(1, f"{line}\n".encode())


def compare(found: gk.Motion | None, expected: gk.Motion | None, first: bool, what: str) -> None:
    assert (found is not None) == first, what
    if found is not None:
        assert all(np.array_equal(getattr(found, x), getattr(expected, x), equal_nan=True) for x in NAMES), what


def two_cranks(law: Law) -> gk.Program:
    joints = [gk.Joint("A", "R", ("frame", "left"), point=(0, 0)), gk.Joint("B", "R", ("left", "right"), point=(1, 0))]
    drivers = [gk.Driver("A", gk.Ramp(1.0)), gk.Driver("B", law)]
    return gk.program(gk.Mechanism(2, ["frame", "left", "right"], joints, drivers))


def broken(backend: routes.Backend, first: bool) -> None:
    """An exception on the rank whose group has the broken driver reaches all ranks."""
    try:
        routes.solve(
            two_cranks(Broken()),
            np.linspace(0, 1, 9000),
            route="parallel",
            workers=backend,
            block=64,
            split="groups",
            cache=False,
        )
    except (LawError, RankError) as error:
        say(type(error).__name__)
        return
    raise AssertionError("nothing was raised")


def killed(backend: routes.Backend, first: bool) -> None:
    law = Broken()
    object.__setattr__(law, "end", True)
    program = two_cranks(law)
    while True:
        routes.solve(
            program, np.linspace(0, 1, 9000), route="parallel", workers=backend, block=64, split="groups", cache=False
        )
        time.sleep(0)


def stuck(backend: routes.Backend, first: bool) -> None:
    """A motion that cannot be assembled, and a route that does not fit, are refused on every rank."""
    mechanism = gk.load(EXAMPLES / "slider_crank.toml")
    program = gk.program(mechanism)
    try:
        routes.solve(program, [0.0, 0.1], route="2 > 1", workers=backend, cache=False)
    except RouteError:
        say("RouteError")
    crank = gk.Mechanism(
        2,
        ["frame", "crank", "coupler", "rocker"],
        [
            gk.Joint("A", "R", ("frame", "crank"), point=(0.0, 0.0)),
            gk.Joint("B", "R", ("crank", "coupler"), point=(1.0, 0.0)),
            gk.Joint("C", "R", ("coupler", "rocker"), point=(2.0, 1.0)),
            gk.Joint("D", "R", ("rocker", "frame"), point=(3.0, 0.0)),
        ],
        [gk.Driver("A", gk.Ramp(1.0))],
    )
    try:
        routes.solve(crank, np.linspace(0.0, 3.0, 200), workers=backend, cache=False)
    except CannotAssembleError as error:
        say(f"CannotAssembleError {error.time:.4f}")


def main() -> None:
    from mpi4py import MPI

    part, window = sys.argv[1], sys.argv[2] == "window"
    backend = cluster.ranks(window=window)
    try:
        {"same": same, "motions": motions, "forces": forces, "broken": broken, "killed": killed, "stuck": stuck}[part](
            backend, MPI.COMM_WORLD.rank == 0
        )
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        MPI.COMM_WORLD.Abort(1)  # the other ranks would wait
    if MPI.COMM_WORLD.rank == 0:
        say("finished")


if __name__ == "__main__":
    main()
