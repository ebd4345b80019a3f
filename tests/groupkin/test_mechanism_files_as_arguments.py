"""What `groupkin.read` gives stands wherever a mechanism is expected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cluster
import groupkin as gk
import routes
from groupkin.errors import ArgumentError, TimesError
from groupkin.mechanism.files.reading import MechanismFile, MotionSettings
from groupkin.transformations.inverse import redrive
from tests.support.paths import EXAMPLES

TIMES = np.linspace(0.0, 0.1, 5)


def swinging() -> gk.Mechanism:
    """Free to move, and with a mass."""
    arm = gk.Body("arm", mass=1.0, center=(0.0, -1.0), points={"P": (0.0, -1.0)})
    pin = gk.Joint("A", "R", ("frame", arm.name), point=(0, 0))
    return gk.Mechanism(2, ["frame", arm], [pin], outputs={"o": "{joint A}"}, gravity=(0.0, -9.81))


def driven() -> gk.Mechanism:
    return replace(swinging(), drivers=[gk.Driver("A", gk.Ramp(1.0))])


DRIVEN: dict[str, Callable[[Any, Path], Any]] = {
    "solve": lambda m, _: gk.solve(m, TIMES).q,
    "program": lambda m, _: gk.program(m).rows,
    "analyze": lambda m, _: gk.analyze(m).groups,
    "design": lambda m, _: gk.design(m, ["P"]).nominal,
    "limits": lambda m, _: gk.limits(m, start=-0.1, stop=0.1).driver,
    "assembly_modes": lambda m, _: len(gk.assembly_modes(m).modes),
    "solve_globally": lambda m, _: gk.solve_globally(m, TIMES).times,
    "transform": lambda m, _: len(gk.transform(m).structures),
    "redrive": lambda m, _: redrive(m, {"joint A": gk.Ramp(2.0)}).drivers,
    "counterweights": lambda m, _: gk.counterweights(m, {"arm": 0.5}, TIMES).weights["arm"].mass,
    "inverse_dynamics": lambda m, _: gk.inverse_dynamics(m, TIMES).driver("A"),
    "quantity": lambda m, _: str(gk.quantity("joint A", m)),
    "parameter": lambda m, _: str(gk.parameter("P@arm", m)),
    "nominal_value": lambda m, _: gk.nominal_value("P@arm", m),
    "draw": lambda m, folder: gk.draw(m, folder / "d.svg") and "",
    "animate": lambda m, folder: gk.animate(m, folder / "a.html"),
    "report": lambda m, folder: gk.report(m, folder / "r.html") and "",
    "save": lambda m, folder: gk.save(m, folder / "m.toml"),
    "routes.solve": lambda m, _: routes.solve(m, TIMES).q,
    "sweep": lambda m, _: cluster.sweep(m, [RATES], TIMES, [cluster.Maximum("joint A")]).names,
}
RATES = cluster.Parameter(gk.LawValue("A", "rate"), cluster.Listed([1.0, 2.0]))
FREE: dict[str, Callable[[Any, Path], Any]] = {
    "simulate": lambda m, _: gk.simulate(m, [0.0, 0.01], {"A": 0.1}).q,
    "simulate_many": lambda m, _: gk.simulate_many(m, [0.0, 0.01], {"A": [0.1, 0.2]}).times,
    "equilibrium": lambda m, _: gk.equilibrium(m, {"A": 0.1}).position,
    "linearize": lambda m, _: gk.linearize(m, {"A": 0.0}).stiffness,
}


@pytest.mark.complete
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*DRIVEN, *FREE])
def test_every_public_function_takes_files(name: str, tmp_path: Path) -> None:
    use, mechanism = (DRIVEN | FREE)[name], driven() if name in DRIVEN else swinging()
    np.testing.assert_equal(
        use(MechanismFile(mechanism, MotionSettings(1.0, 11, 0.0)), tmp_path), use(mechanism, tmp_path)
    )


def test_a_file_that_was_read_is_solved_at_its_times() -> None:
    file = gk.read(EXAMPLES / "four_bar.toml")
    found, wanted = gk.solve(file), gk.solve(file.mechanism, file.motion.times)
    assert np.array_equal(found.q, wanted.q)
    assert np.array_equal(gk.solve(file, [0.0, 0.1]).times, [0.0, 0.1])
    assert gk.analyze(file).groups == gk.analyze(file.mechanism).groups
    with pytest.raises(TimesError, match="solve needs times"):
        gk.solve(file.mechanism)
    with pytest.raises(ArgumentError, match="mechanism must be a Mechanism"):
        gk.analyze(3)  # type: ignore[arg-type]
