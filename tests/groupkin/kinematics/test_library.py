"""The catalog for people: complete, and what it says of a group is so."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.kinematics.library import Chain, catalog, instance, picture, step_cost
from groupkin.kinematics.modes import substitutes
from groupkin.kinematics.modes.mode_search import group_calls, snapshot, solutions, solve_group, state_at
from groupkin.kinematics.program import closed_forms
from groupkin.kinematics.program.building import build
from groupkin.tolerances import SAME_POSE
from sglibrary.catalog import COUPLED, GROUPS, REPEATING, Solver
from tests.support.random_mechanisms import CHAINS, JIT
from tests.support.shares import in_part

Array = NDArray[np.float64]

ALL = [pytest.param(solver, id=f"{solver.name} {solver.dimension}D") for solver in GROUPS]


def test_every_closed_form_is_listed_and_what_solves_the_rest() -> None:
    *closed, hub, rest = catalog()
    known = (*GROUPS, *REPEATING, *COUPLED)
    assert [(entry.name, entry.dimension, entry.closed) for entry in closed] == [
        (solver.name, solver.dimension, True) for solver in known
    ]
    assert len({entry.signature for entry in closed}) == len(GROUPS) + len(REPEATING) + 1  # coupled ones have none
    assert [(x.name, x.closed, x.modes) for x in (hub, rest)] == [("hub", False, None), ("Newton", False, None)]
    assert {entry.nanoseconds for entry in (*closed, hub, rest)} == {None}


@pytest.mark.parametrize(
    ("chain", "dimension", "expected"),
    [
        (CHAINS[3]["UPS"], 3, "▮─U─○─P─○─S─▮"),
        ([(0, -1, "S"), (0, 1, "P"), (-1, 1, "U")], 3, "▮─S─○─P─○─U─▮"),
        (CHAINS[3]["driven C"], 3, "▮─C*─○"),
        ([(-1, 0, "C*1"), (0, -1, "S*2")], 3, "▮─C*1─○─S*2─▮"),
        (CHAINS[2]["3-RR"], 2, "▮─R─2, 2─R─1, ▮─R─3, 3─R─1, ▮─R─4, 4─R─1"),
    ],
)
def test_pictures(chain: Chain, dimension: int, expected: str) -> None:
    assert picture(chain, dimension) == expected


@pytest.mark.parametrize("solver", [*ALL, *(pytest.param(x, id=f"{x.name} {x.dimension}D") for x in COUPLED)])
def test_a_random_chain_is_that_of_the_catalog_and_moves(solver: Solver) -> None:
    program = build(instance(solver.dimension, solver.chain, np.random.default_rng(0), solver.coupled))
    assert program.solvers[-1] == solver.name
    for driven in program.drivers:
        value, rate, acceleration = driven.law.at(np.linspace(0.0, 1.0, 100))
        assert np.ptp(value) > 0
        assert np.abs(rate).max() > 0
        assert np.abs(acceleration).max() > 0


@pytest.mark.skipif(not JIT, reason="nothing to measure")
def test_costs_are_measured() -> None:
    costs = [step_cost(2, CHAINS[2]["RRR"]), step_cost(2, COUPLED[0].chain, coupled=True)]
    costs += [step_cost(3, solver.chain, plane=True) for solver in REPEATING]
    assert all(cost is not None and cost > 0 for cost in costs)


@pytest.mark.parametrize("solver", REPEATING, ids=lambda solver: solver.name)
def test_a_plane_chain_in_space_is_that_of_the_catalog(solver: Solver) -> None:
    program = build(instance(3, solver.chain, np.random.default_rng(0), plane=True))
    assert program.solvers[-1] == solver.name


@pytest.mark.skipif(not JIT, reason="a search takes thousands of iterations")
@pytest.mark.parametrize("solver", in_part(ALL, 10))
def test_modes_of_a_closed_form_are_those_that_a_search_finds(solver: Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    """All real solutions, and no more: Newton's method from many starts, on other equations, knows of no signs."""
    compared = 0
    for seed in range(3):
        mechanism = instance(solver.dimension, solver.chain, np.random.default_rng(seed))
        closed = gk.assembly_modes(mechanism, 0.4)
        with monkeypatch.context() as patched:
            patched.setattr(closed_forms, "roles", lambda group: None)
            iterated = build(mechanism)
        state, groups = state_at(iterated, 0.4), group_calls(iterated)
        for part in groups[:-1]:
            assert solve_group(state, part.calls)
        with monkeypatch.context() as patched:
            patched.setattr(substitutes, "solutions", lambda *_: None)
            found, complete = solutions(state, groups[-1])
        assert not complete
        listed = closed.of(groups[-1].group.number)
        assert len(found) == len(listed)
        for one in found:
            solve_group(state, one.calls)
            motion = snapshot(state)
            here = np.concatenate(
                [_place(motion.position(b)[0], motion.rotation(b)[0]) for b in groups[-1].group.bodies]
            )
            there = [np.concatenate([_place(*pose) for pose in mode.poses.values()]) for mode in listed]
            assert min(np.abs(here - other).max() for other in there) < SAME_POSE
        compared += len(found)
    assert compared >= (2 if solver.modes else 3)


def _place(origin: Array, rotation: Array) -> Array:
    return np.concatenate([origin, rotation.ravel()])
