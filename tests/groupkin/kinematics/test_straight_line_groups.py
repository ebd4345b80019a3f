"""Groups whose equations are written out: compiled, and line by line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

import groupkin as gk
from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.program import Program
from groupkin.structure.generation import generate
from sglibrary import written_out
from tests.support import coupled
from tests.support.motions import assert_same_bits

EXAMPLES = Path(__file__).parents[3] / "examples"
CLASSES = {"class IV": 4, "class VI": 6}
"""Assur groups of this class are generated; they have as many unknowns."""

GROUPS = {
    "assur_class_three": "substitute",
    "cam_roller": "substitute",
    "rotor_control": "substitute",
    "stephenson_six_bar": "newton",
    "planar_3rrr": "newton",
    "gear off its bearing": "substitute",
    "spatial_3prs": "newton",
    "class IV": "substitute",
    "class VI": "newton",
    "cam and formula": "substitute",
    "ellipsoid": "substitute",
    "bar": "substitute",
}
"""Examples, generated and coupled mechanisms, and solvers with which they have such groups."""


def cam_and_formula() -> gk.Mechanism:
    """A cam, a tappet with a roller, and a wheel that turns by the product of the cam's angle and the stroke."""
    loaded = gk.load(EXAMPLES / "cam_roller.toml")
    cam, slide = loaded.drivers[0].joint, next(joint.name for joint in loaded.joints if joint.type == "P")
    wheel = gk.Joint("wheel", "R", (loaded.frame, "wheel"), point=(0.5, 0.0))
    turned = f"{{joint wheel}} * 1 m = {{joint {cam}}} * {{joint {slide}}}"
    return replace(
        loaded,
        bodies=[*loaded.bodies, gk.Body("wheel")],
        joints=[*loaded.joints, wheel],
        couplings=[gk.Coupling("turned", turned)],
    )


def gear_off_its_bearing() -> gk.Mechanism:
    """A pinion whose turn is no linear function of the wheel's, as the wheel's center goes around the bearing."""
    design = gk.design(gk.load(EXAMPLES / "geared_press.toml"), ["joint teeth@wheel.x"])
    return design.mechanism([0.002])


def mechanism(name: str) -> gk.Mechanism:
    if name in CLASSES:
        return generate(CLASSES[name], 1, seed=1)
    if name in coupled.ALL:
        return coupled.ALL[name]().mechanism
    built = {"cam and formula": cam_and_formula, "gear off its bearing": gear_off_its_bearing}
    return built[name]() if name in built else gk.load(EXAMPLES / f"{name}.toml")


def programs(name: str) -> list[Program]:
    """A mechanism with compiled texts, and with those that are computed line by line."""
    found = []
    for compiled in (True, False):
        with mock.patch.object(written_out, "is_compiled", return_value=compiled):
            found.append(build(mechanism(name), wanted=GROUPS[name]))
    return found


@pytest.mark.parametrize("name", GROUPS)
def test_both_give_the_same_bits(name: str) -> None:
    compiled, by_lines = programs(name)
    kernels = [[call.kernel for call in each.calls if call.knot is not None] for each in (compiled, by_lines)]
    assert kernels[0] != kernels[1]
    times = np.linspace(0.0, 0.5, 181)
    assert_same_bits(gk.solve(by_lines, times), gk.solve(compiled, times))


def test_groups_of_one_kind_share_their_kernel_wherever_their_rows_are() -> None:
    loaded = gk.load(EXAMPLES / "rotor_control.toml")
    wheel = gk.Joint("wheel", "R", (loaded.frame, "wheel"), point=(0.0,) * loaded.dimension, axis=(0, 0, 1))
    larger = replace(
        loaded,
        bodies=[*loaded.bodies, gk.Body("wheel")],
        joints=[wheel, *loaded.joints],
        drivers=[gk.Driver("wheel", gk.Ramp(1.0)), *loaded.drivers],
    )
    found = [[call for call in build(each).calls if call.knot is not None] for each in (loaded, larger)]
    assert [call.kernel for call in found[0]] == [call.kernel for call in found[1]]
    assert (found[0][0].rows != found[1][0].rows).any()


def test_groups_that_are_not_compiled_share_their_kernel() -> None:
    kernels = {
        call.kernel
        for name in ("gear off its bearing", "class VI")
        for call in programs(name)[1].calls
        if call.knot is not None
    }
    assert len(kernels) == 1
