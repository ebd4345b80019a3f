"""Samples that pass a singular position between two steps end there, as one motion of the same mechanism does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cluster
import groupkin as gk
from cluster import LawValue, Length, Listed, Parameter, Quantity
from cluster.solving.chunks import prepare, solve_chunk
from groupkin.errors import SolveError
from groupkin.kinematics.samples.sample_motions import NO_SHAPE
from groupkin.mechanism.mechanism import Mechanism
from sglibrary.status import SINGULAR, SOLVED

JOINTS = [
    gk.Joint("A", "R", ("ground", "crank"), point="A"),
    gk.Joint("B", "R", ("crank", "coupler"), point="B"),
    gk.Joint("C", "R", ("coupler", "rocker"), point="C"),
    gk.Joint("D", "R", ("rocker", "ground"), point="D"),
]
POINTS = {"A": (0.0, 0.0), "B": (0.0, 1.0), "C": (3.0, 1.0), "D": (3.0, 0.0)}
BODIES = ["ground", "crank", "coupler", "rocker"]
PARALLELOGRAM = gk.Mechanism(2, BODIES, JOINTS, [gk.Driver("A", gk.Ramp(2 * np.pi))], points=POINTS)
TIMES = {"short": np.linspace(0.0, 0.9, 37), "long": np.linspace(0.0, 0.9, 401), "back": np.linspace(0.2, -0.7, 40)}


def phases(mechanism: Mechanism, times: np.ndarray, count: int = 9) -> cluster.Sweep:
    """Crank angles to begin with, and speeds: with the slower ones the linkage does not become flat."""
    keep = [cluster.TimeHistory(Quantity("joint", "C")), cluster.Conditioning()]
    varied = [
        Parameter(LawValue("A", "start"), Listed(np.linspace(-1.0, 1.0, count).tolist())),
        Parameter(LawValue("A", "rate"), Listed(np.linspace(0.1, 8.0, count).tolist())),
    ]
    return cluster.sweep(mechanism, varied, times, keep)


def alone(sweep: cluster.Sweep, k: int) -> tuple[int, int, float]:
    """Status, group and time at which sample k ends, solved by itself."""
    start, rate = (one.varies.values[k] for one in sweep.parameters)
    driver = gk.Driver("A", gk.Ramp(rate=rate, start=start))
    try:
        gk.solve(replace(sweep.mechanism, drivers=(driver,)), sweep.times)
    except SolveError as error:
        status = error.motion.status[error.group - 1]
        return int(status[status.nonzero()][0]), error.group, error.time
    return SOLVED, 0, np.nan


@pytest.mark.parametrize("times", TIMES.values(), ids=TIMES)
def test_they_end_where_one_motion_ends(times: np.ndarray) -> None:
    sweep = phases(PARALLELOGRAM, times)
    found = solve_chunk(prepare(sweep), 0, sweep.samples)
    assert {SOLVED, SINGULAR} == set(found["status"].tolist())
    for k in range(sweep.samples):
        status, group, time = alone(sweep, k)
        assert (found["status"][k], found["failed_group"][k]) == (status, group)
        np.testing.assert_equal(found["failed_time"][k], time)
        angles = found[sweep.keep[0].label][k]
        ends = times.size if status == SOLVED else int(np.flatnonzero(times == time)[0])
        assert np.isfinite(angles[:ends]).all()
        assert np.isnan(angles[ends:]).all()
        assert np.isnan(found["conditioning"][k]) == (status != SOLVED)


def test_bands_change_no_bit() -> None:
    prepared = prepare(phases(PARALLELOGRAM, TIMES["short"], 50))
    whole = solve_chunk(prepared, 0, 50)
    small = replace(prepared, band=7)
    for first in range(0, 50, 9):
        for name, values in solve_chunk(small, first, min(first + 9, 50)).items():
            np.testing.assert_array_equal(values, whole[name][first : first + 9])


def test_only_those_of_singular_dimensions_end() -> None:
    """Rockers a little longer than the crank come near a singular position, and pass it by."""
    rockers = [1.0, 1.001, 1.1, 1.0, 1.5]
    varied = [Parameter(Length("rocker", ("C", "D")), Listed(rockers))]
    sweep = cluster.sweep(PARALLELOGRAM, varied, TIMES["short"], [cluster.Conditioning()])
    found = solve_chunk(prepare(sweep), 0, len(rockers))
    assert found["status"].tolist() == [SINGULAR if rocker == 1.0 else SOLVED for rocker in rockers]
    assert np.nanmin(found["conditioning"]) < 0.2


def test_dimensions_that_are_not_possible_come_first() -> None:
    body = gk.Body("coupler", points={"P": (1.0, 2.0), "Q": (2.0, 2.0), "S": (1.5, 3.0)})
    mechanism = replace(PARALLELOGRAM, bodies=["ground", "crank", body, "rocker"])
    varied = [
        Parameter(Length("coupler", pair), Listed(values))
        for pair, values in ((("S", "P"), [1.0, 1.0]), (("S", "Q"), [1.0, 1.0]), (("P", "Q"), [1.5, 2.5]))
    ]
    sweep = cluster.sweep(mechanism, varied, TIMES["short"], [cluster.Conditioning()])
    assert solve_chunk(prepare(sweep), 0, 2)["status"].tolist() == [SINGULAR, NO_SHAPE]


def test_beside_groups_that_are_iterated() -> None:
    """These are followed from the reference on and look for singular positions themselves."""
    other = gk.load("examples/assur_class_three.toml")
    new = {"ground": other.frame, "crank": "crank_2"} | {name: f"{name}_2" for name in POINTS}
    joints = [
        replace(one, name=new[one.name], point=new[one.name], bodies=tuple(new.get(body, body) for body in one.bodies))
        for one in JOINTS
    ]
    both = gk.Mechanism(
        2,
        [*other.bodies, "crank_2", "coupler", "rocker"],
        [*other.joints, *joints],
        [*other.drivers, gk.Driver("A_2", gk.Ramp(2 * np.pi))],
        points=dict(other.points) | {new[name]: point for name, point in POINTS.items()},
    )
    start = Parameter(LawValue("A_2", "start"), Listed([0.0, 0.3, -1.5]))
    sweep = cluster.sweep(both, [start], np.linspace(0.0, 0.24, 26), [cluster.Conditioning()])
    assert sweep.program.iterates
    # flat after a quarter turn
    assert solve_chunk(prepare(sweep), 0, 3)["status"].tolist() == [SOLVED, SINGULAR, SOLVED]
