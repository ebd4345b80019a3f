"""Groups that nothing loads: inverse dynamics of all examples without masses, and with a mass or a spring at one body.

Where nothing loads a group, what carries loads back through it is left out of the compiled pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import groupkin as gk
import routes
from groupkin.cli.main import main
from tests.support.equilibrium import unbalanced
from tests.support.examples import SOLVABLE, described
from tests.support.paths import EXAMPLES

NEWTON = ("five_rod_suspension", "planar_3rrr")
"""Examples of groups whose matrices are inverted by elimination."""


def unloaded(name: str) -> gk.Mechanism:
    mechanism = described(name).mechanism
    bodies = [replace(body, mass=0.0, inertia=0.0, center=None, about=None) for body in mechanism.bodies]
    return replace(mechanism, bodies=bodies, forces=(), gravity=())


def always(values: Iterable[Any], chosen: Iterable[Any]) -> list[Any]:
    """Parameters of which some are run always, the others if all are to be."""
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=pytest.mark.complete if value in chosen else pytest.mark.exhaustive,
        )
        for value in values
    ]


def times(name: str) -> Any:
    return np.linspace(0.0, described(name).motion.duration, 3)


@pytest.mark.parametrize("name", always(SOLVABLE, [*NEWTON, "geared_press"]))
def test_without_loads_there_are_no_forces(name: str) -> None:
    motion = gk.solve(unloaded(name), times(name))
    for velocities in (True, False):
        forces = gk.inverse_dynamics(motion, velocities=velocities)
        assert not any(x.any() for x in (*forces.drivers.values(), *forces.reactions.values()))


EVERY = [(name, body) for name in SOLVABLE for body in described(name).mechanism.movable]
FEW = [("planar_3rrr", "crank_1"), ("five_rod_suspension", "rod_1"), ("geared_press", "pinion")]


@pytest.mark.parametrize(("name", "body"), always(EVERY, FEW))
def test_one_load_is_carried_to_the_frame(name: str, body: str) -> None:
    """A mass on one body, then a spring."""
    mechanism = unloaded(name)
    origin, d = gk.program(mechanism).geometry.origins[body], mechanism.dimension
    tensor: Any = 0.01 if d == 2 else (0.01 * np.eye(3)).tolist()
    heavy = replace(mechanism.body[body], mass=1.0, center=tuple(origin + 0.01), inertia=tensor)
    # at the origin, as a rod that may spin about its line bears no torque about it
    spring = gk.Spring("spring", (mechanism.frame, body), (tuple(origin + 0.7), tuple(origin)), 20.0, 0.1)
    for one in (
        replace(mechanism, bodies=[heavy if each.name == body else each for each in mechanism.bodies]),
        replace(mechanism, forces=[spring]),
    ):
        forces = gk.inverse_dynamics(one, times(name))
        if one.forces or not forces.motion.program.structure.spins:
            left, most = unbalanced(forces)
            assert np.abs(left).max() <= 1e-12 / forces.motion.conditioning.min() * most


@pytest.mark.parametrize("name", NEWTON)
def test_routes_without_loads(name: str) -> None:
    forces = routes.inverse_dynamics(unloaded(name), times(name))
    assert forces is not None
    assert not any(x.any() for x in (*forces.drivers.values(), *forces.reactions.values()))


@pytest.mark.parametrize("name", NEWTON)
def test_pages_without_loads(name: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = CliRunner().invoke(main, ["animate", str(EXAMPLES / f"{name}.toml"), "--forces", "--out", str(page)])
    assert result.exit_code == 0, result.output
    assert page.exists()
