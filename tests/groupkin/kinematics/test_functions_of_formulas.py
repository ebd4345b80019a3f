"""Functions of formulas: what is in the table is known to couplings, outputs, derivatives, simulation and C."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.mechanism.formulas.operations import ANGLE, FUNCTIONS, Measure, MisfitError
from groupkin.mechanism.units import NO_UNIT
from sglibrary.code.bytecode import decode
from sglibrary.code.c_source import c_source
from sglibrary.code.operations import OPERATIONS
from sglibrary.iterative.tables import TEXTS
from tests.support.coupled import wheel
from tests.support.design_differences import check_derivatives

Array = NDArray[np.float64]

OF_ONE_NUMBER = [name for name, entry in FUNCTIONS.items() if name in OPERATIONS and entry.most == 1]
TIMES = np.linspace(0.0, 0.5, 21)
RATE = 0.8


def formula(name: str) -> str:
    """A function of the angle of the first wheel, as an angle."""
    angle, per = "(0.2 rad + 0.3 * {joint in})", " / 1 rad"
    try:
        given = FUNCTIONS[name].measure([Measure(ANGLE)]).unit
        per = ""
    except MisfitError:
        given = FUNCTIONS[name].measure([Measure(NO_UNIT)]).unit
    return f"{name}({angle}{per})" + ("" if given == ANGLE else " * 1 rad")


def coupled(name: str) -> gk.Mechanism:
    """Two wheels with masses, the second of which turns by a function of the first."""
    bodies = [gk.Body(each, mass=1.0 + k, center=(k + 0.05, 0.1), inertia=0.1) for k, each in enumerate(("in", "out"))]
    return gk.Mechanism(
        2,
        ["frame", *bodies],
        [wheel("in", 0.0), wheel("out", 1.0)],
        [gk.Driver("in", gk.Ramp(RATE))],
        gravity=(0.0, -9.81),
        couplings=[gk.Coupling("function", f"{{joint out}} - {formula(name)}")],
        outputs={"value": formula(name).replace("joint", "angle")},
    )


@pytest.mark.complete
@pytest.mark.parametrize("name", OF_ONE_NUMBER)
def test_functions_are_known_everywhere(name: str) -> None:
    program = gk.program(coupled(name))
    motion = gk.solve(program, TIMES)
    turned = motion.joint("out")[0]

    def of(t: Array) -> Array:
        return np.asarray(OPERATIONS[name].numeric(0.2 + 0.3 * RATE * t) - OPERATIONS[name].numeric(0.2))

    np.testing.assert_allclose(turned, of(TIMES), atol=1e-14)
    h = 1e-4  # truncated at h⁴, and roundings over h²
    rate = (of(TIMES - 2 * h) - 8 * of(TIMES - h) + 8 * of(TIMES + h) - of(TIMES + 2 * h)) / (12 * h)
    np.testing.assert_allclose(motion.angular_velocity("out"), rate, atol=1e-10)
    bend = (of(TIMES - h) - 2 * of(TIMES) + of(TIMES + h)) / h**2
    np.testing.assert_allclose(motion.angular_acceleration("out"), bend, atol=1e-6)
    value = motion.read("value")
    np.testing.assert_allclose(value - value[0], turned, atol=1e-14)
    np.testing.assert_allclose(motion.read("output_rate value"), motion.angular_velocity("out"), atol=1e-13)
    np.testing.assert_allclose(motion.read("output_acceleration value"), motion.angular_acceleration("out"), atol=1e-13)
    quantities = ["joint out", "angular_velocity out", "angular_acceleration out", "output_acceleration value"]
    assert check_derivatives(gk.design(program, ["rate in"]), TIMES, quantities) == 1
    (rows,) = (call.rows for call in program.calls if hasattr(call.kernel, "texts"))
    assert f"= {name}(" in c_source({"step": decode(rows[rows[TEXTS] :])})


@pytest.mark.parametrize("name", OF_ONE_NUMBER)
def test_energy_is_kept_where_functions_couple(name: str) -> None:
    free = replace(coupled(name), drivers=[gk.Driver("in")])
    motion = gk.simulate(free, TIMES, rtol=1e-11)
    kept = np.sum(gk.inverse_dynamics(motion).energy(), axis=0)
    assert np.ptp(motion.joint("in")[0]) > 0.1
    assert np.ptp(kept) < 1e-8 * np.abs(kept).max()
