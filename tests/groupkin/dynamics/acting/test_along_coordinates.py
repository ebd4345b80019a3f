"""Springs and dampers by table against linear ones, closed integrals, differences, and the balance of power."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.dynamics.acting.along_coordinates import amount_of
from groupkin.errors import ForceError, LawError
from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.forces.pull import Pairs, Pull
from tests.support.energy import rate_of_energy

STOP = ((0.3, -40.0), (0.4, -10.0), (0.55, 0.0), (0.9, 30.0), (1.0, 200.0))
"""Pull over distance: soft, then a stop."""
VALVE = ((-2.0, -9.0), (-0.2, -6.0), (0.0, 0.0), (0.2, 3.0), (2.0, 5.0))
"""Pull over rate of a damper whose valve opens."""


def pendulum(*forces: gk.Spring | gk.JointSpring, drivers: tuple[gk.Driver, ...] = ()) -> gk.Mechanism:
    bob = gk.Body("bob", mass=1.3, center=(0.3, -0.2), inertia=0.02)
    hinge = gk.Joint("hinge", "R", ("ground", "bob"), point=(0.0, 0.0))
    return gk.Mechanism(2, ["ground", bob], [hinge], drivers, forces=forces, gravity=(0.0, -9.81))


def spring(**numbers: object) -> gk.Spring:
    return gk.Spring("rope", ("ground", "bob"), ((1.0, 0.0), (0.3, -0.2)), **numbers)  # type: ignore[arg-type]


def torsion(**numbers: object) -> gk.JointSpring:
    return gk.JointSpring("torsion", "hinge", **numbers)  # type: ignore[arg-type]


def pulled(table: Pairs, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pull (n,) of a spring with a table at lengths (n,)."""
    return -amount_of(Pull(table=table), x, np.zeros_like(x), True)


LINEAR = (spring(stiffness=200, length=0.5, damping=3, preload=1), torsion(stiffness=4, damping=0.2, position=0.1))
TABLES = (
    spring(table=[(0.6, 21), (0.65, 31), (0.9, 81)], damping_table=[(-0.1, -0.3), (0.2, 0.6)]),
    torsion(table=[(-0.1, -0.8), (0, -0.4), (0.2, 0.4)], damping_table=[(-0.1, -0.02), (0.3, 0.06)]),
)
"""The same, and both go beyond the ends of their tables."""
SWING = gk.Driver("hinge", gk.Harmonic(amplitude=0.9, frequency=1.0))


@pytest.mark.parametrize("velocities", [True, False])
def test_pairs_on_a_line_are_a_linear_spring(velocities: bool) -> None:
    times = np.linspace(0.0, 1.0, 41)
    linear, table = (
        gk.inverse_dynamics(pendulum(*x, drivers=(SWING,)), times, velocities=velocities) for x in (LINEAR, TABLES)
    )
    largest = np.abs(linear.driver("hinge")).max()
    assert np.allclose(table.driver("hinge"), linear.driver("hinge"), rtol=0, atol=1e-12 * largest)
    stored = linear.energy().springs - table.energy().springs
    assert np.allclose(stored, stored[0], rtol=0, atol=1e-12 * linear.energy().springs.max())


def test_tables_are_simulated_and_linearized_as_linear_springs_are() -> None:
    times = np.linspace(0.0, 1.0, 11)
    linear, table = (gk.simulate(pendulum(*x), times, rtol=1e-11) for x in (LINEAR, TABLES))
    # both follow the same equations, with roundings that tell the steps apart: some tens of the tolerance
    assert np.allclose(linear.angle("bob"), table.angle("bob"), rtol=0, atol=1e-9)
    linear_rest, rest = (gk.equilibrium(pendulum(*x)) for x in (LINEAR, TABLES))
    for part in ("position", "stiffness", "damping"):
        # of central differences with steps of about 1e-5, whose roundings are 1e-11
        assert np.allclose(getattr(linear_rest, part), getattr(rest, part), rtol=1e-8, atol=0)


def test_forces_go_through_the_pairs_rise_with_them_and_go_on_as_lines() -> None:
    x, y = np.array(STOP).T
    assert np.allclose(pulled(STOP, x), y, rtol=1e-14, atol=1e-12)
    dense = np.linspace(0.0, 1.3, 2001)
    forces = pulled(STOP, dense)
    assert (np.diff(forces) >= 0).all()
    for beyond in (dense < 0.3, dense > 1.0):
        slopes = np.diff(forces[beyond]) / np.diff(dense[beyond])
        assert np.allclose(slopes, slopes[0], rtol=1e-9)
    step = 1e-7
    slopes = [(pulled(STOP, x + s) - y) / s for s in (step, -step)]
    assert np.allclose(*slopes, rtol=0, atol=1e5 * step)  # no corners: curvature is below 1e5 N/m²


def test_energy_is_the_integral_of_the_force() -> None:
    from scipy.integrate import quad

    for at in (0.1, 0.47, 0.98, 1.2):
        ends = sorted((0.3, at))
        inner = [x for x, _ in STOP if ends[0] < x < ends[1]]
        work = quad(lambda x: float(pulled(STOP, np.array([x]))[0]), 0.3, at, points=inner or None)[0]
        assert np.isclose(Pull(table=STOP).stored(np.array([at]))[0], work, rtol=1e-10)


def bent() -> gk.Mechanism:
    return pendulum(
        spring(table=STOP, damping_table=VALVE, preload=2.0),
        torsion(table=[(-1.0, -3.0), (0.0, 0.0), (1.0, 9.0)], damping_table=[(-4.0, -1.0), (0.0, 0.0), (1.0, 1.0)]),
    )


def test_power_balances_with_tables() -> None:
    motion = gk.solve(replace(bent(), drivers=[SWING]), np.linspace(0.0, 1.0, 81))
    powers, rates = list(gk.inverse_dynamics(motion).power().values()), rate_of_energy(motion)
    largest = max(np.abs(x).max() for x in (*powers, *rates))
    assert np.abs(sum(powers) - sum(rates)).max() <= 1e-12 * largest


def test_simulated_motions_need_no_driver_and_lose_what_dampers_take() -> None:
    times = np.linspace(0.0, 2.0, 4001)
    motion = gk.simulate(bent(), times, {"hinge": (0.2, 3.0)}, rtol=1e-10)
    assert isinstance(motion, Motion)
    forces = gk.inverse_dynamics(motion)
    largest = max(np.abs(x).max() for x in forces.acting["torsion"].amount[None])
    assert np.abs(forces.driver("hinge")).max() <= 1e-10 * max(largest, 1.0)  # kernels and NumPy agree on the forces
    total = forces.energy().total
    taken = sum(
        pulled(load.damping_table, forces.acting[load.name].rate) * forces.acting[load.name].rate
        for load in motion.program.mechanism.forces
        if isinstance(load, gk.Spring | gk.JointSpring)
    )
    lost = np.concatenate([[0.0], np.cumsum(0.5 * (taken[1:] + taken[:-1]) * np.diff(times))])
    assert np.allclose(total[0] - total, lost, rtol=0, atol=1e-5 * lost.max())  # of the trapezoidal rule


FILE = """
dimension = 2
units = { length = "mm", angle = "deg", force = "N" }
gravity = [0, -9.81]
bodies = ["ground", { name = "bob", mass = 1.3, center = [300, -200], inertia = 2e4 }]
joints = [{ name = "hinge", type = "R", bodies = ["ground", "bob"], point = [0, 0] }]
drivers = [{ joint = "hinge", law = { type = "harmonic", amplitude = 40, frequency = 1 } }]
forces = [
  { name = "rope", type = "spring", between = ["ground", "bob"], points = [[1000, 0], [300, -200]], table = TABLE },
  { name = "torsion", type = "joint_spring", joint = "hinge", damping_table = [[-90, -200], [0, 0], [90, 100]] },
]
"""


def test_files_hold_tables_and_name_csv_files_in_their_units(tmp_path: Path) -> None:
    inline, named = tmp_path / "inline.toml", tmp_path / "named.toml"
    rows = [[1000 * x, y] for x, y in STOP]
    inline.write_text(FILE.replace("TABLE", str(rows)))
    named.write_text(FILE.replace("TABLE", '{ csv = "rope.csv", columns = ["mm", "N"] }'))
    (tmp_path / "rope.csv").write_text("mm,extra,N\n" + "".join(f"{x},0,{y}\n" for x, y in rows))
    first, second = gk.load(inline), gk.load(named)
    assert first.forces == second.forces
    rope, turn = first.forces
    assert isinstance(rope, gk.Spring)
    assert isinstance(turn, gk.JointSpring)
    assert np.allclose(rope.table, STOP, rtol=1e-15)
    assert np.allclose(turn.damping_table, [[-np.pi / 2, -0.2], [0, 0], [np.pi / 2, 0.1]], rtol=1e-15)
    gk.save(first, tmp_path / "again.toml")
    assert gk.load(tmp_path / "again.toml").forces == first.forces


def test_tables_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ForceError, match=r"'rope': its table must have at least two rows of two finite numbers"):
        pendulum(spring(table=[(0.0, 1.0)]))
    with pytest.raises(ForceError, match=r"'torsion': the first numbers of its damping_table must increase.*row 3"):
        pendulum(torsion(damping_table=[(0.0, 1.0), (1.0, 2.0), (1.0, 3.0)]))
    named = tmp_path / "named.toml"
    named.write_text(FILE.replace("TABLE", '{ csv = "rope.csv" }'))
    (tmp_path / "rope.csv").write_text("1,2\n3,x\n")
    with pytest.raises(LawError, match=r"forces\[0\] \('rope'\).table: rope.csv, line 2, column 2"):
        gk.load(named)


def test_rows_that_touch_are_refused() -> None:
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0))
    bodies = ["frame", gk.Body("arm", mass=1.0, center=(1.0, 0.0))]
    table = ((-1.0, -2.0), (0.0, 0.0), (5e-324, 1.0))
    with pytest.raises(ForceError, match="rows 2 and 3 of its damping_table are too close"):
        gk.Mechanism(2, bodies, [pin], forces=[gk.JointSpring(name="valve", joint="pin", damping_table=table)])
