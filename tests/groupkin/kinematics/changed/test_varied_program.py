"""Dimensions that lead a gear off its bearing end what was linear in the nominal mechanism: its group is iterated."""

from __future__ import annotations

import numpy as np
import pytest

import cluster
import groupkin as gk
from tests.support.paths import EXAMPLES

TIMES = np.linspace(0.0, 1.0, 41)
OFF = ["joint teeth@wheel.x", "joint teeth@pinion.y", "joint pinion_bearing@pinion.x"]
ON = ["A.x", "C@wheel.x", "length left_rod C-E"]


def press() -> gk.Mechanism:
    return gk.load(EXAMPLES / "geared_press.toml")


@pytest.mark.parametrize("parameter", OFF)
def test_a_design_leads_a_gear_off_its_bearing(parameter: str) -> None:
    design = gk.design(press(), [parameter])
    assert "Newton" in design.program.solvers
    values = design.nominal + 1e-3
    found = design.solve(values, TIMES)
    assert gk.compare(found).agree
    other = gk.solve(design.mechanism(values), TIMES)
    np.testing.assert_allclose(found.position("F"), other.position("F"), atol=1e-12)
    assert np.abs(found.position("F") - gk.solve(press(), TIMES).position("F")).max() > 1e-4


@pytest.mark.parametrize("parameter", ON)
def test_other_dimensions_keep_the_closed_form(parameter: str) -> None:
    program = gk.program(press())
    assert gk.design(program, [parameter]).program is program
    assert gk.design(program, ["rate wheel_bearing"]).program is program


def test_samples_lead_a_gear_off_its_bearing() -> None:
    values = [-1e-3, 0.0, 2e-3]
    varied = [cluster.Parameter(OFF[0], cluster.Listed(values))]
    sweep = cluster.sweep(press(), varied, TIMES, [cluster.TimeHistory("position F.y")])
    found, design = cluster.solve(sweep), gk.design(press(), [OFF[0]])
    for k, value in enumerate(values):
        expected = gk.solve(design.mechanism([value]), TIMES).position("F")[:, 1]
        np.testing.assert_allclose(found["F.position.y"][k], expected, atol=1e-12)


def test_a_screw_that_leads_a_nut_is_traced() -> None:
    along = (0, 0, 1)
    joints = [
        gk.Joint("bearing", "R", ("frame", "screw"), point=(0, 0, 0), axis=along),
        gk.Joint("guide", "P", ("frame", "nut"), point=(0, 0, 0.3), axis=along),
        gk.Joint("thread", "HF", ("screw", "nut"), point=(0, 0, 0.3), axis=along, pitch=0.002),
    ]
    drivers = [gk.Driver("bearing", gk.Ramp(1.0))]
    bodies = ["frame", "screw", gk.Body("nut", points={"P": (0.1, 0, 0.3)})]
    design = gk.design(gk.Mechanism(3, bodies, joints, drivers), ["P", "joint guide@nut"])
    values = design.nominal + 1e-3
    found = design.solve(values, TIMES)
    np.testing.assert_allclose(found.position("P"), gk.solve(design.mechanism(values), TIMES).position("P"), atol=1e-12)
