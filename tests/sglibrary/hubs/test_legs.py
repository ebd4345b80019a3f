"""Legs of hubs written as texts, beside the closed forms of the same legs."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest
from numpy.typing import NDArray

from groupkin.kinematics.program import building
from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.driver_values import drive, given_drivers
from groupkin.kinematics.solving.state_memory import block_state
from groupkin.kinematics.solving.tracking import track
from sglibrary.run.calls import State, load
from sglibrary.status import SOLVED
from tests.support.platforms import KINDS, platform

Array = NDArray[np.float64]

TIMES = np.linspace(0.0, 0.4, 40)


def solved(program: Program) -> tuple[State, Array, Array]:
    """The state of a block of steps, with status and conditioning of the last group, which is the hub."""
    state, memories = block_state(program, TIMES.size), track(program, TIMES, True)
    load(TIMES, given_drivers(program, drive(program, TIMES)), state, 0, TIMES.size)
    status, conditioning = np.zeros(TIMES.size, np.uint8), np.zeros(TIMES.size)
    for call, memory in zip(program.calls, memories, strict=True):
        call.kernel(*state[:3], memory, call.rows, call.constants, status, conditioning, TIMES.size)
        if call.knot is not None:
            break
    return state, status, conditioning


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", KINDS)
def test_legs_are_those_of_closed_forms(kind: str, seed: int) -> None:
    with mock.patch.object(building.hub_tables, "pack", wraps=building.hub_tables.pack) as pack:
        program = build(platform(kind, seed))
    packed = pack.call_args.args[7]
    assert program.solvers[-1] == "hub"
    state, status, conditioning = solved(program)
    known = status == SOLVED
    assert known.any()
    for leg, rows_read, first in packed:
        own, constants, size = np.array([*rows_read, first]), leg.measured.constants, leg.solver.written
        q, v, a = (x.copy() for x in state[:3])
        for x in (q, v, a):
            x[own[-1] : own[-1] + size] = 7.0
        codes, shares = np.zeros(TIMES.size, np.uint8), np.zeros(TIMES.size)
        leg.solver.motion(q, v, a, np.zeros(0), own, constants, codes, shares, TIMES.size)
        assert (codes[known] == SOLVED).all()
        assert (conditioning[known] <= shares[known] + 1e-12).all()
        for found, wanted in zip(state[:3], (q, v, a), strict=True):
            there, expected = (x[own[-1] : own[-1] + size, : TIMES.size][:, known] for x in (found, wanted))
            # lengths are kept to 2e-12 of the mechanism's size; what moves a leg is divided by its conditioning twice
            bound = 1e-11 * (1.0 + np.abs(expected).max()) / shares[known] ** 2
            assert (np.abs(there - expected) <= bound).all()
