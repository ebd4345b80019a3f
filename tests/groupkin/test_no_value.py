"""Formulas without a value, parts that nothing holds, points on each body: refused by errors of the project."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cluster
import groupkin as gk
from groupkin.errors import CouplingError, DeterminedByCountOnlyError, GroupkinError, QuantityError, SweepError
from tests.support.examples import EXAMPLES

TIMES = np.linspace(0.0, 1.0, 5)


def pair(equation: str, at: float = 0.0) -> gk.Mechanism:
    """Two arms, the first of them driven, whose coordinates are `at` in the reference configuration."""
    points = {"O": (0.0, 0.0), "E": (0.5, 0.0)}
    joints = [
        gk.Joint("a", "R", ("frame", "one"), point="O", reference=at),
        gk.Joint("b", "R", ("frame", "two"), point=(1.0, 0.0), reference=at),
    ]
    bodies = ["frame", gk.Body("one", points=["O", "E"]), "two"]
    return gk.Mechanism(
        2, bodies, joints, [gk.Driver("a", gk.Ramp(2.0, at))], points=points, couplings=[gk.Coupling("k", equation)]
    )


NO_VALUE = {
    "{joint b} / {joint a} = 1": "no finite value",
    "1 / {joint a} = {joint b}": "no finite value",
    "{joint b} = {joint a} / 0": "no finite value",
    "{joint b} = 1 / (0 * {joint a})": "no finite value",
    "{joint a}**(-2) = {joint b}": "no finite value",
    "{joint b} = asin(2 + {joint a} / 1 rad)": "no finite value",
    "sqrt({joint a}) = {joint b}": "no finite derivatives",
    "{joint b} = norm({position O}) / 1 m": "no finite derivatives",
}


@pytest.mark.complete
@pytest.mark.parametrize("equation", NO_VALUE)
@pytest.mark.parametrize("use", [gk.analyze, gk.program, lambda mechanism: gk.program(mechanism, assemble=True)])
def test_couplings_without_a_value_are_refused(equation: str, use: Callable[[gk.Mechanism], Any]) -> None:
    with pytest.raises(GroupkinError) as refused:
        use(pair(equation))
    if isinstance(refused.value, CouplingError):
        assert NO_VALUE[equation] in str(refused.value)
        assert "state one in which it has" in str(refused.value)


def test_a_point_without_a_direction_is_refused() -> None:
    arm = gk.Body("arm", points={"O": (0.0, 0.0)})
    joint = gk.Joint("A", "R", ("frame", "arm"), point="O")
    crank = gk.Mechanism(2, ["frame", arm], [joint], couplings=[gk.Coupling("k", "norm({position O}) = 1 m")])
    for use in (gk.analyze, gk.program):
        with pytest.raises(CouplingError, match=r"`norm\({position O}\) = 1 m` has no finite derivatives"):
            use(crank)


def test_a_coupling_that_loses_its_value_on_the_way_ends_the_motion() -> None:
    """The arms meet 1 / (a - 1) where a passes 1; up to there the closed formula holds."""
    times = np.linspace(0.0, 1.0, 11)
    coupled = pair("{joint b} / 1 rad = 1 / ({joint a} / 1 rad - 1)", at=0.0)
    moved = gk.Mechanism(
        2,
        coupled.bodies,
        [coupled.joints[0], gk.Joint("b", "R", ("frame", "two"), point=(1.0, 0.0), reference=-1.0)],
        coupled.drivers,
        points=coupled.points,
        couplings=coupled.couplings,
    )
    found = gk.solve(moved, times, on_failure="nan")
    before = times < 0.45
    assert found.solved[before].all()
    assert not found.solved[5]
    np.testing.assert_allclose(found.joint("b")[0, before], 1.0 / (2.0 * times[before] - 1.0), rtol=1e-9)
    with pytest.raises(GroupkinError, match=r"t = 0\.5"):
        gk.solve(moved, times)


def works_or_refuses(use: Callable[[], Any]) -> None:
    with suppress(GroupkinError):
        use()


def test_outputs_without_a_value_are_nan_or_refused(tmp_path: Path) -> None:
    joint = gk.Joint("A", "R", ("frame", "arm"), point=(0, 0))
    outputs = {"o": "{joint A} / {joint A}", "p": "sqrt({joint A})", "q": "{o} + 1"}
    arm = gk.Body("arm", points={"P": (1.0, 0.0)})
    crank = gk.Mechanism(2, ["frame", arm], [joint], [gk.Driver("A", gk.Ramp(1.0))], outputs=outputs)
    motion = gk.solve(crank, TIMES)
    for name in ("o", "q"):
        with pytest.raises(QuantityError, match=r"`output .` is not a finite number at t = 0 s: .* has no value there"):
            motion.read(f"output {name}")
    for use in (
        motion.to_xarray,
        lambda: motion.save(tmp_path / "m.csv"),
        lambda: gk.plot(motion, ["output o", "output_rate p"], out=tmp_path / "p.svg"),
        lambda: gk.animate(motion, tmp_path / "p.html", plot=["output o"]),
        lambda: gk.report(motion, tmp_path / "r.html", plot=["output o"]),
        lambda: gk.jacobian(motion, ["output o"]),
    ):
        works_or_refuses(use)
    design = gk.design(crank, ["rate A", "P"])
    found = design.solve(np.stack([design.nominal] * 2), TIMES, keep=["output o", "output_rate p"])
    assert np.isnan(found.read("output o")[:, 0]).all()
    varied = cluster.Parameter(gk.parameter("rate A", crank), cluster.Listed([1.0, 2.0]))
    for kept in (cluster.Maximum("output o"), cluster.TimeHistory("output q"), cluster.At("output o", time=0.0)):
        cluster.solve(cluster.sweep(crank, [varied], TIMES, [kept]))


def test_a_part_that_nothing_holds_is_determined_by_count_only() -> None:
    """Four bodies with six hinges are rigid in themselves by count, and are solved before what holds them."""
    random = np.random.default_rng(0)

    def at() -> tuple[float, ...]:
        return tuple(random.uniform(-1, 1, 2))

    joints = [
        gk.Joint("s", "CR", ("f", "a"), point=at(), axis=(1.0, 0.3)),
        gk.Joint("l", "SPSP", ("a", "b"), points=(at(), at())),
        *(gk.Joint(x + y, "R", (x, y), point=at()) for x, y in itertools.combinations("bcde", 2)),
    ]
    held = gk.Mechanism(2, ["f", "a", *"bcde"], joints, [gk.Driver("s", gk.Ramp(1.0), freedom="angle")])
    with pytest.raises(DeterminedByCountOnlyError, match=r"b, c, d, e; .* 6 unknowns but rank 3"):
        gk.program(held)


def test_a_singular_group_with_points_on_each_body_is_named() -> None:
    random = np.random.default_rng(5)

    def axes() -> tuple[Any, Any]:
        one = random.normal(size=3)
        return tuple(one), tuple(np.cross(one, random.normal(size=3)))

    a = random.normal(size=3)
    b, p = np.cross(a, random.normal(size=3)), random.normal(size=3)
    joints = [
        gk.Joint("j0", "U", ("f", "x"), point=tuple(random.normal(size=3)), axes=axes()),
        gk.Joint("j1", "U", ("x", "y"), point=tuple(random.normal(size=3)), axes=axes()),
        gk.Joint("j2", "U", ("x", "z"), point=tuple(random.normal(size=3)), axes=axes()),
        gk.Joint("j3", "PC", ("y", "z"), points=(tuple(p), tuple(p + 0.3 * a)), axes=(tuple(a), tuple(b))),
    ]
    driven = [("j0", "angle_1"), ("j1", "angle_1"), ("j2", "angle_1"), ("j2", "angle_2")]
    drivers = [gk.Driver(joint, gk.Ramp(0.1), freedom=freedom) for joint, freedom in driven]
    with pytest.raises(DeterminedByCountOnlyError, match=r"x, y, z; 3U1PC3D.* j1, j2 and j3 are redundant"):
        gk.program(gk.Mechanism(3, ["f", "x", "y", "z"], joints, drivers))


def test_residuals_are_not_kept_of_many_designs() -> None:
    design = gk.design(gk.load(EXAMPLES / "four_bar.toml"), ["C@coupler.x"])
    for text in ("residual", "residual C"):
        with pytest.raises(QuantityError, match=f"`{text}`: residuals are not computed of many designs"):
            design.solve(np.stack([design.nominal] * 2), TIMES, keep=[text])
        with pytest.raises(QuantityError, match=f"`{text}`: residuals are not computed of many designs"):
            design.tolerance(1e-4, TIMES, keep=[text])


def test_derivatives_of_forces_are_refused_by_sweeps() -> None:
    mechanism = gk.load(EXAMPLES / "four_bar.toml")
    varied = cluster.Parameter(gk.parameter("joint D.x", mechanism), cluster.Listed([0.1, 0.101]))
    with pytest.raises(SweepError, match=r"derivatives of forces, such as of .*B.reaction"):
        cluster.sweep(mechanism, [varied], TIMES, [cluster.Minimum("reaction B.norm")], derivatives=True)


def test_a_least_value_is_that_of_a_number() -> None:
    design = gk.design(gk.load(EXAMPLES / "four_bar.toml"), ["P@coupler"])
    with pytest.raises(QuantityError, match=r"`position P` is no number that has a least value; name one of x, y"):
        gk.fit(design, {"position P": np.zeros((2, 2))}, [0.0, 0.1], least={"position P": 0.0})


def test_coordinates_of_a_joint_whose_geometry_varies_in_groups_of_iteration() -> None:
    """Of many designs as of each alone, though more is read of the state than the groups need."""
    mechanism = gk.load(EXAMPLES / "rotor_control.toml")
    design, times = gk.design(mechanism, ["joint left_slide@airframe"]), np.array([0.0, 0.01])
    values = design.nominal + np.array([[0.0] * design.nominal.size, [1e-4] * design.nominal.size])
    many = design.solve(values, times, keep=["joint left_slide"]).read("joint left_slide")
    for row, found in zip(values, many, strict=True):
        alone = design.solve(row, times).read("joint left_slide")
        np.testing.assert_allclose(np.ravel(found), np.ravel(alone), atol=1e-9)
