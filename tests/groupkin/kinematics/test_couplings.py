"""Couplings: solved as closed formulas and other parts say, checked, refused, written, and solved like any other."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cluster
import groupkin as gk
import routes
from groupkin.errors import (
    CouplingError,
    FormulaError,
    GroupkinError,
    NotAssembledError,
    NotDeterminedError,
    NotModeledError,
    OutputError,
)
from tests.support.coupled import ALL, ELLIPSOID, differential, ellipsoid, rocker, tappet, wheel

TIMES = np.linspace(0.0, 1.0, 41)


@pytest.mark.parametrize("name", ALL)
def test_motions_are_as_closed_formulas_and_other_parts_say(name: str) -> None:
    mechanism, labels, missed = ALL[name]()
    program = gk.program(mechanism)
    assert [group.label for group in program.structure.groups] == labels
    motion = gk.solve(program, TIMES)
    # conditioning of the groups here is 0.005 at least
    assert max(np.abs(part).max() for part in missed(motion)) < 1e-9
    differences = gk.compare(motion)
    assert differences.agree, differences


@pytest.mark.smoke
@pytest.mark.parametrize("name", ALL)
def test_rates_are_those_of_the_motion(name: str) -> None:
    mechanism = ALL[name]().mechanism
    program = gk.program(mechanism)
    motion = gk.solve(program, TIMES)
    found = program.rates(motion, motion.driven[:, 1][:, None, :])[:, :, 0]
    split = 1 if mechanism.dimension == 2 else 3
    for k, body in enumerate(mechanism.movable):
        spin = np.atleast_2d(motion.angular_velocity(body).T)
        np.testing.assert_allclose(found[k, :split], spin, atol=1e-9 * max(1.0, np.abs(spin).max()))
        velocity = motion.velocity(body).T
        np.testing.assert_allclose(found[k, split:], velocity, atol=1e-9 * max(1.0, np.abs(velocity).max()))


def surface(x: Any) -> Any:
    a, b, c = ELLIPSOID
    return (x[0] / a) ** 2 + (x[1] / b) ** 2 + (x[2] / c) ** 2 - 1.0


def slopes(x: Any, first: Any, second: Any) -> None:
    a, b, c = ELLIPSOID
    second[:] = 0.0
    for k, unit in enumerate((a, b, c)):
        first[k] = 2.0 * x[k] / unit**2
        second[k, k] = 2.0 / unit**2


def wrong_slope(x: Any, first: Any, second: Any) -> None:
    second[:] = 0.0
    for k, unit in enumerate(ELLIPSOID):
        first[k] = (2.0 if k != 2 else 1.9) * x[k] / unit**2
        second[k, k] = 2.0 / unit**2


def wrong_bend(x: Any, first: Any, second: Any) -> None:
    second[:] = 0.0
    for k, unit in enumerate(ELLIPSOID):
        first[k] = 2.0 * x[k] / unit**2
    second[0, 0] = 2.0 / ELLIPSOID[0] ** 2


OF = ("position T.x", "position T.y", "position T.z")


def test_a_function_is_as_good_as_a_formula() -> None:
    mechanism = ellipsoid(gk.Coupling("surface", of=OF, function=surface, derivatives=slopes)).mechanism
    motion, other = gk.solve(mechanism, TIMES), gk.solve(ellipsoid().mechanism, TIMES)
    np.testing.assert_allclose(motion.position("T"), other.position("T"), atol=1e-12)
    np.testing.assert_allclose(motion.acceleration("T"), other.acceleration("T"), atol=1e-11)
    assert gk.compare(motion).agree


@pytest.mark.parametrize(
    ("derivatives", "message"),
    [
        (wrong_slope, "by `position T.z` is .*, where differences of the function give"),
        (wrong_bend, "second derivative of its function by `position T.y` and `position T.y` is 0, where"),
    ],
)
def test_wrong_derivatives_of_a_function_are_found_and_named(derivatives: Any, message: str) -> None:
    coupling = gk.Coupling("surface", of=OF, function=surface, derivatives=derivatives)
    with pytest.raises(CouplingError, match=message):
        gk.program(ellipsoid(coupling).mechanism)


def test_functions_stay_in_their_process(tmp_path: Path) -> None:
    coupling = gk.Coupling("surface", of=OF, function=surface, derivatives=slopes)
    with pytest.raises(CouplingError, match="cannot be saved or sent"):
        pickle.dumps(coupling)
    with pytest.raises(OutputError, match="function in Python, which files do not hold"):
        gk.save(ellipsoid(coupling).mechanism, tmp_path / "surface.toml")
    assert not list(tmp_path.iterdir())

    def unknown(x: Any) -> Any:
        return tmp_path.stat(x)

    with pytest.raises(CouplingError, match="numba cannot compile its function"):
        gk.Coupling("surface", of=OF, function=unknown, derivatives=slopes)


@pytest.mark.parametrize("name", ["tappet", "rocker", "ellipsoid"])
def test_files_hold_equations_and_tables(name: str, tmp_path: Path) -> None:
    mechanism = ALL[name]().mechanism
    for suffix in ("toml", "json"):
        gk.save(mechanism, tmp_path / f"{name}.{suffix}")
        loaded = gk.load(tmp_path / f"{name}.{suffix}")
        assert loaded.couplings == mechanism.couplings
        assert (gk.solve(loaded, TIMES).q == gk.solve(mechanism, TIMES).q).all()


FILE = """
dimension = 2
units = { length = "mm", angle = "deg" }
bodies = ["frame", "cam", "tappet"]
joints = [
  { name = "cam", type = "R", bodies = ["frame", "cam"], point = [0, 0] },
  { name = "bore", type = "P", bodies = ["frame", "tappet"], points = [[0, 0], [0, 40]], axis = [0, 1] },
]
drivers = [{ joint = "cam", law = { type = "ramp", rate = 90 } }]
couplings = [COUPLING]
"""


def coupled(text: str, folder: Path) -> gk.Mechanism:
    (folder / "cam.toml").write_text(FILE.replace("COUPLING", text))
    return gk.load(folder / "cam.toml")


def test_tables_are_in_the_units_of_the_file_and_may_be_csv(tmp_path: Path) -> None:
    (tmp_path / "lift.csv").write_text("angle,lift\n0,40\n90,50\n200,45\n360,40\n")
    inline = '{ name = "lift", of = ["joint cam", "joint bore"], table = [[0, 40], [90, 50], [200, 45], [360, 40]] }'
    listed = '{ name = "lift", of = ["joint cam", "joint bore"], csv = "lift.csv" }'
    mechanisms = [coupled(text, tmp_path) for text in (inline, listed)]
    assert mechanisms[0] == mechanisms[1]
    assert gk.solve(mechanisms[0], [0.0, 1.0]).joint("bore")[0, 1] == pytest.approx(0.05, abs=1e-15)
    with pytest.raises(GroupkinError, match=r"group 2 \(tappet; 1P1K2D\)"):
        gk.solve(mechanisms[0], np.linspace(0.0, 5.0, 50))


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("{ name = 'k' }", GroupkinError, "either `equation`, or `of` with `table` or `csv`"),
        ("{ name = 'k', equation = '{joint bore}', table = [[0, 1]] }", GroupkinError, "`equation` has no table"),
        (
            "{ name = 'k', equation = '{joint cam} = {joint bore}' }",
            FormulaError,
            "both sides of `=` need the same unit",
        ),
        ("{ name = 'k', equation = '{joint cm}' }", FormulaError, "there is no joint 'cm'.*cam"),
        ("{ name = 'k', equation = '{position P.x}' }", FormulaError, "there is no named point 'P'"),
        ("{ name = 'k', equation = '{velocity P}' }", FormulaError, "a coupling takes"),
        ("{ name = 'k', of = ['joint cam'], function = 'os.system' }", GroupkinError, "function"),
        ("{ name = 'k', equation = '2 + 3' }", FormulaError, "has no quantity"),
        ("{ name = 'k', equation = '{joint cam} = 1 rad = 2 rad' }", FormulaError, "one equals sign"),
        ("{ name = 'k', equation = 'open({joint cam})' }", FormulaError, "there is no function 'open'"),
        ("{ name = 'k', of = ['joint cam', 'joint cam'], table = [[0, 0], [1, 1], [2, 2]] }", CouplingError, "twice"),
        ("{ name = 'k', of = ['joint cam', 'joint bore'], table = [[0, 0], [1, 1]] }", CouplingError, "three rows"),
        (
            "{ name = 'k', of = ['joint cam', 'joint bore'], table = [[0, 0], [1e-300, 1e300], [1, 2]] }",
            CouplingError,
            "no spline goes through its table",
        ),
        (
            "{ name = 'k', of = ['joint cam', 'joint bore'], table = [[0, 0], [1, 1], [1, 2]] }",
            CouplingError,
            "must increase",
        ),
        (
            "{ name = 'k', of = ['joint cam', 'joint bore'], table = [[0, 0], [1, 1], [2, 2]], closed = true }",
            CouplingError,
            "ends with the second number that it begins with",
        ),
    ],
)
def test_what_files_cannot_couple(text: str, error: type[GroupkinError], message: str, tmp_path: Path) -> None:
    with pytest.raises(error, match=message):
        coupled(text, tmp_path)


def test_couplings_that_do_not_hold_are_open() -> None:
    mechanism = differential().mechanism
    wrong = gk.Coupling("differential", "{joint left} + {joint right} = 2 * {joint cage} + 0.5 rad")
    with pytest.raises(NotAssembledError, match=r"coupling differential by 0.25 rad"):
        gk.solve(replace(mechanism, couplings=[wrong]), TIMES)
    closed = gk.solve(replace(mechanism, couplings=[wrong]), TIMES, assemble=True)
    (left,), (right,), (cage,) = (closed.joint(name) for name in ("left", "right", "cage"))
    # joints count from the closed configuration, whose cage has turned
    turned = closed.angle("cage") - closed.angle("left") / 2 - closed.angle("right") / 2
    np.testing.assert_allclose(left + right - 2 * cage, 0.5, atol=1e-9)
    assert np.ptp(turned) < 1e-12


def test_too_many_and_too_few_equations_name_couplings() -> None:
    mechanism = differential().mechanism
    more = replace(mechanism, couplings=[*mechanism.couplings, gk.Coupling("second", "{joint left} - {joint cage}")])
    with pytest.raises(NotDeterminedError, match="leave out one of the couplings differential, second") as caught:
        gk.analyze(more)
    assert caught.value.excess == 1
    with pytest.raises(NotDeterminedError, match="couplings differential") as caught:
        gk.analyze(replace(mechanism, drivers=mechanism.drivers[:1]))
    assert caught.value.lack == 1


def test_repeated_couplings_lack_rank() -> None:
    names = ("a", "b", "c")
    mechanism = gk.Mechanism(
        2,
        ["frame", *names],
        [wheel(name, k) for k, name in enumerate(names)],
        [gk.Driver("a", gk.Ramp(1.0))],
        couplings=[gk.Coupling("one", "{joint b} + {joint c}"), gk.Coupling("two", "2 * {joint b} + 2 * {joint c}")],
    )
    with pytest.raises(GroupkinError, match=r"rank 1"):
        gk.solve(mechanism, TIMES)


def test_what_does_not_know_couplings_says_so() -> None:
    mechanism = differential().mechanism
    with pytest.raises(NotModeledError, match="limits of mechanisms with couplings"):
        gk.limits(mechanism, "left")
    with pytest.raises(NotModeledError, match="transformations of mechanisms with couplings"):
        gk.transform(mechanism)


def test_modes_of_coupled_groups_hold_the_couplings() -> None:
    """The cage has the same pose after whole turns of the wheels, or the opposite one."""
    listing = gk.assembly_modes(differential().mechanism)
    assert sum(mode.group == 3 for mode in listing.modes) <= 2


@pytest.mark.parametrize("split", ["groups", "time"])
def test_routes_give_the_same_bits(split: str) -> None:
    program = gk.program(rocker().mechanism)
    found = routes.solve(program, TIMES, workers=routes.threads(2), split=split, block=16, cache=False)
    expected = gk.solve(program, TIMES)
    for name in ("q", "v", "a", "status", "conditioning"):
        assert (getattr(found, name) == getattr(expected, name)).all()


def test_sweeps_and_designs_change_dimensions_of_coupled_mechanisms() -> None:
    mechanism = rocker().mechanism
    design = gk.design(mechanism, ["length rocker C-D"])
    rows = design.nominal * np.array([[1.0], [1.01], [0.98]])
    many = design.solve(rows, TIMES, keep=["joint W", "joint S"])
    assert many.solved.all()
    for k, row in enumerate(rows):
        one = design.solve(row, TIMES)
        for name in ("joint W", "joint S"):
            np.testing.assert_allclose(many.read(name)[k].ravel(), one.read(name).ravel(), atol=1e-9)
        assert np.abs(one.joint("S")[0] - 0.1 * np.sin(one.joint("D")[0])).max() < 1e-12
    varied = [cluster.Parameter("length rocker C-D", cluster.Listed(rows[:, 0].tolist()))]
    kept = [cluster.TimeHistory(cluster.Quantity("joint", "W"), "roll")]
    found = cluster.solve(cluster.sweep(mechanism, varied, TIMES, kept))
    np.testing.assert_allclose(found["roll"].values.reshape(3, -1), many.read("joint W").reshape(3, -1), atol=1e-9)


def test_energy_balances_with_couplings() -> None:
    """Power of the drivers is the rate of the energy; a motion under forces keeps it."""
    mechanism = differential().mechanism
    bodies = [
        replace(body, mass=1.0 + k, center=(k - 0.95, 0.1), inertia=0.1)
        for k, body in enumerate(mechanism.body.values())
        if body.name != "frame"
    ]
    heavy = replace(mechanism, bodies=["frame", *bodies], gravity=(0.0, -9.81))
    times = np.linspace(0.0, 1.0, 201)
    forces = gk.inverse_dynamics(gk.solve(heavy, times))
    energy, power = np.sum(forces.energy(), axis=0), np.sum(list(forces.power().values()), axis=0)
    h = times[1]
    rate = (energy[:-4] - 8 * energy[1:-3] + 8 * energy[3:-1] - energy[4:]) / (12 * h)
    # of the fourth order, over the largest
    assert np.abs(rate - power[2:-2]).max() < 1e-6 * np.abs(power).max()
    free = replace(heavy, drivers=[gk.Driver("left"), gk.Driver("right")])
    motion = gk.simulate(free, times, rtol=1e-11)
    kept = np.sum(gk.inverse_dynamics(motion).energy(), axis=0)
    assert np.ptp(kept) < 1e-8 * np.abs(kept).max()


def test_a_cam_by_its_table_ends_where_an_open_table_ends() -> None:
    mechanism = tappet().mechanism
    (coupling,) = mechanism.couplings
    opened = replace(mechanism, couplings=[gk.Coupling("lift", of=coupling.of, table=coupling.table)])
    motion = gk.solve(opened, TIMES, on_failure="nan")
    assert (motion.solved == (2 * np.pi >= 20.0 * TIMES)).all()
