"""Forces that sweeps keep, against inverse dynamics of each sample and closed formulas."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cluster
import groupkin as gk
from groupkin.errors import QuantityError, SweepError, UnknownNameError
from tests.support.examples import described
from tests.support.loaded import loaded
from tests.support.mechanisms import crank_rocker

TIMES = np.linspace(0.0, 1.0, 21)


def test_the_force_of_a_turning_mass_grows_with_the_square_of_its_rate() -> None:
    arm = gk.Body("arm", mass=2.0, center=(0.3, 0.0))
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0.0, 0.0))
    spun = gk.Mechanism(2, ["frame", arm], [pin], [gk.Driver("pin", gk.Ramp(rate=1.0))])
    keep = [cluster.Maximum("reaction pin.norm"), cluster.Range("driver pin"), cluster.TimeHistory("moment pin")]
    rates = np.array([1.0, 3.0, 10.0])
    found = cluster.solve(cluster.sweep(spun, [cluster.Parameter("rate pin", cluster.Listed(rates))], TIMES, keep))
    assert np.allclose(found["maximum.pin.reaction.norm"], 2.0 * 0.3 * rates**2, rtol=1e-12)
    assert np.abs(found["range.pin.driver"]).max() < 1e-12
    assert found["pin.moment"].shape == (3, TIMES.size)
    assert found["pin.moment"].attrs["units"] == "N*m"


def test_forces_of_samples_are_those_of_designs() -> None:
    mechanism = loaded(crank_rocker())
    parameters = [
        cluster.Parameter("joint C", cluster.Normal(0.01)),
        cluster.Parameter("rate A", cluster.Uniform(5, 6)),
    ]
    keep = [cluster.TimeHistory("reaction C"), cluster.TimeHistory("driver A"), cluster.Conditioning()]
    found = cluster.solve(cluster.sweep(mechanism, parameters, TIMES, keep, draws=3, seed=4), workers=2)
    design = gk.design(mechanism, ["joint C", "rate A"])
    for k in range(3):
        values = np.r_[found[next(x for x in found.coords if "C" in str(x))][k], found["A.rate"][k]]
        forces = gk.inverse_dynamics(design.solve(values, TIMES))
        assert np.array_equal(found["C.reaction"][k], forces.reaction("C").force)
        assert np.array_equal(found["A.driver"][k], forces.read("driver A"))


def test_groups_that_nothing_loads() -> None:
    mechanism = replace(described("planar_3rrr").mechanism, forces=(), gravity=())
    light = replace(mechanism.body["crank_1"], mass=1.0, center="O1", inertia=0.0)
    keep = [cluster.Maximum("reaction M1.norm"), cluster.Maximum("reaction O1.norm"), cluster.Maximum("driver O2")]
    varied = [cluster.Parameter("joint M2", cluster.Normal(1e-3))]
    for one in (mechanism, replace(mechanism, bodies=[light if x.name == "crank_1" else x for x in mechanism.bodies])):
        found = cluster.solve(cluster.sweep(one, varied, TIMES, keep, draws=2, seed=1))
        assert all(not found[name].values.any() for name in found if name.startswith("maximum"))


def test_samples_that_fail_have_no_forces_from_there_on() -> None:
    mechanism = loaded(crank_rocker())
    keep = [cluster.TimeHistory("reaction D.norm"), cluster.Maximum("driver A")]
    far = cluster.Parameter("joint D@ground", cluster.Listed([(0.0, 0.0), (2.0, 0.0)]), relative=True)
    found = cluster.solve(cluster.sweep(mechanism, [far], TIMES, keep))
    solved = np.nan_to_num(found["failed_time"].values, nan=2.0)[:, None] > TIMES
    assert solved[0].all()
    assert 0 < solved[1].sum() < TIMES.size
    assert np.array_equal(np.isfinite(found["D.reaction.norm"]), solved)
    assert np.array_equal(np.isfinite(found["maximum.A.driver"]), [True, False])


def test_a_file_may_keep_forces(tmp_path: Path) -> None:
    gk.save(loaded(crank_rocker()), tmp_path / "bar.toml")
    (tmp_path / "bar.sweep.toml").write_text(
        'mechanism = "bar.toml"\ntimes = { duration = 1, steps = 11 }\nunits = { force = "kN" }\n'
        'parameters = [{ parameter = "rate A", list = [1, 2] }]\n'
        'keep = [{ maximum = "reaction B.norm" }, { value = "driver A", at = 0.5 },\n'
        '  { name = "when", value = "angle crank", when = { quantity = "reaction B.norm", equals = 0.05 } }]\n'
    )
    sweep = cluster.read_sweep(tmp_path / "bar.sweep.toml")
    assert sweep.keep[2].event.equals == pytest.approx(50.0, rel=1e-15)  # N
    found = cluster.solve(sweep)
    assert np.isfinite(found["maximum.B.reaction.norm"]).all()
    assert np.isfinite(found["value.A.driver"]).all()


def test_forces_are_refused_where_there_are_none() -> None:
    mechanism = loaded(crank_rocker())
    varied = [cluster.Parameter("rate A", cluster.Listed([1.0]))]
    with pytest.raises(SweepError, match="joint 'D' has no driver"):
        cluster.sweep(mechanism, varied, TIMES, [cluster.Maximum("driver D")])
    with pytest.raises(UnknownNameError, match="'E'"):
        cluster.sweep(mechanism, varied, TIMES, [cluster.Maximum("reaction E")])
    with pytest.raises(QuantityError, match="components x, y, norm"):
        cluster.sweep(mechanism, varied, TIMES, [cluster.Maximum("reaction B.z")])
    motion = gk.solve(replace(mechanism, forces=[]), TIMES)
    with pytest.raises(QuantityError, match=r"`reaction B` is a force.*inverse_dynamics"):
        motion.read("reaction B")
    with pytest.raises(UnknownNameError, match="no driver or actuator in joint 'D'"):
        gk.inverse_dynamics(motion).read("driver D")
    assert gk.inverse_dynamics(motion, actuators=["D"]).read("driver D").shape == TIMES.shape
