"""Outputs in sweeps: the numbers of single motions, in reductions, events and limits, from Python and from files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cluster
import groupkin as gk
from cluster.sweeps.description import as_text
from groupkin.errors import FormulaError, NotModeledError, SweepError
from tests.support.mechanisms import FOUR_BAR

TIMES = np.linspace(0.0, 0.5, 21)
OUTPUTS = {
    "arm": "{position P} - {position C}",
    "tilt": "asin({arm.y} / norm({arm}))",
    "least": "min({conditioning}, {transmission_angle B-C-D} / 1 rad) * 2",
    "fixed": "3 mm",
    "root": "sqrt({position P.x} - 1.45 m)",
    "gap": "{residual} * 2",
}
MECHANISM = replace(FOUR_BAR, outputs=OUTPUTS, units=gk.Units("mm", "deg"))
LENGTHS = (1.0, 1.05, 0.95)


def swept(*keep: cluster.sweeps.reductions.Keep) -> cluster.Sweep:
    return cluster.sweep(MECHANISM, [cluster.Parameter("length crank A-B", cluster.Listed(LENGTHS))], TIMES, keep)


def test_outputs_of_samples_are_those_of_single_motions() -> None:
    texts = ["tilt", "arm", "arm.x", "output_rate tilt", "output_acceleration arm.y", "least", "fixed", "arm.norm"]
    results = cluster.solve(swept(*(cluster.TimeHistory(text) for text in texts), cluster.Maximum("tilt")))
    motion = gk.solve(MECHANISM, TIMES)
    for text in texts:
        wanted = gk.quantity(text, MECHANISM)
        found = results[wanted.label]
        # lengths and directions are read from other rows of the state, one rounding apart
        np.testing.assert_allclose(found[0], motion.read(text), rtol=1e-12, atol=1e-12)
        assert found.long_name == str(wanted)
    assert (results["tilt"].units, results["tilt.output_rate"].units, results["arm"].units) == ("rad", "rad/s", "m")
    assert results["arm"].dims == ("sample", "time", "axis")
    np.testing.assert_array_equal(results["maximum.tilt"], results["tilt"].max("time"))
    assert len({float(x) for x in results["maximum.tilt"]}) == len(LENGTHS)


def test_outputs_in_events_and_limits() -> None:
    event = cluster.At("position P.x", event=cluster.When("tilt", 0.2))
    limits = (cluster.Limit("tilt", low=0.2),)
    box = cluster.Occupancy("P", (-10.0, -10.0), (10.0, 10.0), (1, 1), limits)
    results = cluster.solve(swept(event, box, cluster.TimeHistory("tilt"), cluster.TimeHistory("P.x")))
    assert int(results["occupancy.P"].sum()) == int((results["tilt"] >= 0.2).sum()) > 0
    for k in range(len(LENGTHS)):
        tilt, x = results["tilt"][k].values, results["P.position.x"][k].values
        passed = np.flatnonzero((tilt[:-1] - 0.2) * (tilt[1:] - 0.2) <= 0.0)
        share = (0.2 - tilt[passed[0]]) / (tilt[passed[0] + 1] - tilt[passed[0]])
        expected = x[passed[0]] + share * (x[passed[0] + 1] - x[passed[0]])
        assert float(results["value.P.position.x"][k]) == pytest.approx(expected, rel=1e-12)


def test_an_output_without_a_value_is_nan_in_sweeps() -> None:
    results = cluster.solve(swept(cluster.TimeHistory("root"), cluster.TimeHistory("P.x")))
    assert 0 < int(np.isnan(results["root"]).sum()) < results["root"].size
    inside = results["P.position.x"] > 1.45
    np.testing.assert_array_equal(np.isfinite(results["root"]), inside)
    expected = np.sqrt((results["P.position.x"] - 1.45).where(inside))
    np.testing.assert_allclose(results["root"], expected, rtol=1e-12)
    assert int(results.status.sum()) == 0


def test_what_sweeps_cannot_compute_is_refused() -> None:
    with pytest.raises(SweepError, match=r"sweeps do not compute residuals"):
        swept(cluster.Maximum("gap"))
    with pytest.raises(NotModeledError, match=r"needs the derivative of `conditioning`"):
        swept(cluster.Maximum("output_rate least"))
    wrong = replace(FOUR_BAR, outputs={"wrong": "{P.x} + 1"})
    with pytest.raises(FormulaError, match=r"output 'wrong': `\+` needs"):
        cluster.sweep(wrong, [], TIMES, [cluster.Maximum("P.x")])


def test_outputs_in_files_have_the_units_of_the_file(tmp_path: Path) -> None:
    gk.save(MECHANISM, tmp_path / "four_bar.toml", motion={"duration": 0.5, "steps": 21})
    (tmp_path / "sweep.toml").write_text(
        'mechanism = "four_bar.toml"\nparameters = []\n'
        '[[keep]]\nname = "area"\nvalue = "product"\nwhen = { quantity = "tilt", equals = 45.0 }\n'
        '[[keep]]\nvalue = "tilt"\nwhen = { quantity = "product", equals = 5e6 }\n'
    )
    text = (tmp_path / "four_bar.toml").read_text()
    (tmp_path / "four_bar.toml").write_text(text.replace("[outputs]", '[outputs]\nproduct = "{P.x} * {P.y}"'))
    read = cluster.read_sweep(tmp_path / "sweep.toml")
    events = [kept.event for kept in read.keep if isinstance(kept, cluster.At)]
    assert [event.equals for event in events if event] == pytest.approx([np.pi / 4.0, 5.0], rel=1e-15)


def test_only_mechanisms_with_outputs_say_so_in_stores() -> None:
    keep = [cluster.Maximum("P.x")]
    assert "outputs" not in cluster.sweep(FOUR_BAR, [], TIMES, keep).as_data()["mechanism"]
    one, other = (
        as_text(cluster.sweep(replace(FOUR_BAR, outputs={"a": text}), [], TIMES, keep)) for text in ("1", "2")
    )
    assert one != other


def test_results_in_memory_are_in_the_units_asked_for() -> None:
    box = cluster.Occupancy("P", (-10.0, -10.0), (10.0, 10.0), (2, 2))
    pose = cluster.TimeHistory("joint_rate b")
    described = swept(cluster.Maximum("tilt"), cluster.TimeHistory("arm"), box, pose, cluster.Conditioning())
    data = cluster.solve(described)
    for units in ("file", gk.Units("mm", "deg")):
        other = cluster.solve(described, units=units)  # type: ignore[arg-type]
        name = described.names[0]
        for each, factor, unit in (
            *((name, 1e3, "mm"), ("arm", 1e3, "mm"), ("maximum.tilt", 180.0 / np.pi, "deg")),
            *(("b.joint_rate", 180.0 / np.pi, "deg/s"), ("conditioning", 1.0, "1"), ("occupancy.P.x", 1e3, "mm")),
        ):
            assert other[each].units == unit
            np.testing.assert_allclose(other[each], factor * data[each], rtol=1e-15)
        assert other[name].nominal == pytest.approx(1e3 * data[name].nominal, rel=1e-15)
        np.testing.assert_array_equal(other["time"], data["time"])
        np.testing.assert_array_equal(other["occupancy.P"], data["occupancy.P"])
        assert other.comment == "lengths in mm, angles in deg, seconds; global components"
