"""Reductions against NumPy on whole motions, and what is read against `Motion`."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

import cluster
import groupkin as gk
from cluster import At, Listed, Normal, Parameter, Point, Quantity, When
from cluster.sweeps.reductions import first_passage
from groupkin.errors import ArgumentError, GroupkinError, GroupkinWarning, UnknownNameError
from tests.support.mechanisms import FOUR_BAR
from tests.support.paths import EXAMPLES

TIMES = np.linspace(0.0, 1.3, 27)
PLACES = [(3.0, 2.5), (2.9, 2.6), (3.2, 2.4)]
P, ROCKER, JOINT = Quantity("position", "P"), Quantity("angle", "rocker"), Quantity("joint", "c")
SAME = 1e-12


def each_alone() -> list[gk.Motion]:
    return [gk.solve(replace(FOUR_BAR, points={**FOUR_BAR.points, "C": place}), TIMES) for place in PLACES]


def swept(*keep: cluster.sweeps.reductions.Keep, times: np.ndarray = TIMES) -> xr.Dataset:
    return cluster.solve(cluster.sweep(FOUR_BAR, [Parameter(Point("C"), Listed(PLACES))], times, keep))


def test_everything_that_can_be_read_in_the_plane() -> None:
    kinds = ("position", "velocity", "acceleration")
    names = ("P", "coupler", "rocker", "ground", "A", "D")
    bodies = ("crank", "coupler", "rocker")
    wanted = [Quantity(kind, name) for kind in kinds for name in names]
    spins = ("angle", "angular_velocity", "angular_acceleration", "rotation")
    wanted += [Quantity(kind, body) for kind in spins for body in bodies]
    wanted += [Quantity(kind, name) for kind in ("joint", "joint_rate") for name in "abcd"]
    wanted += [
        Quantity("transmission_angle", ("B", "C", "D")),
        Quantity("conditioning", "rocker"),
        Quantity("conditioning"),
    ]
    found = swept(*(cluster.TimeHistory(one) for one in wanted))
    for k, motion in enumerate(each_alone()):
        for one in wanted:
            expected = motion.read(one)
            here = found[one.label].values[k]
            np.testing.assert_allclose(here, expected, atol=SAME * max(1.0, np.abs(expected).max()), err_msg=one.label)


SPATIAL = [
    "stewart_inverse.toml",
    pytest.param("spatial_four_bar.toml", marks=pytest.mark.exhaustive),
    "rotor_control.toml",
    "rotor_control_transformed.toml",
]


@pytest.mark.parametrize("name", SPATIAL)
def test_everything_that_can_be_read_in_space(name: str) -> None:
    described = gk.read(EXAMPLES / name)
    mechanism, times = described.mechanism, np.linspace(0.0, 0.4 * described.motion.duration, 9)
    motion = gk.solve(mechanism, times)
    wanted = [
        Quantity(kind, body)
        for kind in ("position", "velocity", "acceleration", "angular_velocity", "angular_acceleration", "rotation")
        for body in mechanism.movable
    ]
    joints = [Quantity(kind, joint.name) for kind in ("joint", "joint_rate") for joint in mechanism.joints]
    keep = [cluster.TimeHistory(one, f"{one.kind} {one.of}") for one in (*wanted, *joints)]
    driven = mechanism.drivers[0]
    law = cluster.LawValue(driven.joint, "rate", freedom=driven.freedom or "")
    if not isinstance(driven.law, gk.Ramp):
        law = replace(law, field=driven.law.AMPLITUDES[-1])  # type: ignore[union-attr]
    nominal = getattr(driven.law, law.field)
    found = cluster.solve(cluster.sweep(mechanism, [Parameter(law, Listed([nominal]))], times, keep))
    for one in wanted:
        expected = getattr(motion, one.kind)(one.of)
        scale = max(1.0, np.abs(expected).max())
        np.testing.assert_allclose(found[f"{one.kind} {one.of}"].values[0], expected, atol=1e-11 * scale)
    for one in joints:
        expected = motion.read(one)
        here = found[f"{one.kind} {one.of}"].values[0].reshape(expected.shape)
        np.testing.assert_allclose(here, expected, atol=1e-7, err_msg=str(one))  # angles whose cosine is nearly one


def test_components() -> None:
    speed, height = Quantity("velocity", "P", "norm"), Quantity("position", "P", "y")
    angle = Quantity("joint", "c", "angle")
    found = swept(cluster.TimeHistory(speed), cluster.TimeHistory(height), cluster.TimeHistory(angle))
    for k, motion in enumerate(each_alone()):
        np.testing.assert_allclose(found["P.velocity.norm"][k], np.linalg.norm(motion.velocity("P"), axis=1), rtol=SAME)
        np.testing.assert_allclose(found["P.position.y"][k], motion.position("P")[:, 1], rtol=SAME)
        np.testing.assert_allclose(found["c.angle"][k], motion.joint("c")[0], atol=SAME)


@pytest.mark.smoke
def test_extremes() -> None:
    keep = [kind(one) for kind in (cluster.Minimum, cluster.Maximum, cluster.Range) for one in (P, ROCKER)]
    found = swept(*keep)
    for k, motion in enumerate(each_alone()):
        for name, values in (("P.position", motion.position("P")), ("rocker.angle", motion.angle("rocker"))):
            np.testing.assert_allclose(found[f"minimum.{name}"][k], values.min(axis=0), rtol=SAME)
            np.testing.assert_allclose(found[f"maximum.{name}"][k], values.max(axis=0), rtol=SAME)
            np.testing.assert_allclose(found[f"range.{name}"][k], np.ptp(values, axis=0), rtol=SAME)


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("time", [0.0, 0.31, TIMES[4], 1.3])
def test_the_value_at_a_time(time: float, way: int) -> None:
    found = swept(At(P, "there", time=time), times=TIMES[::way])
    for k, motion in enumerate(each_alone()):
        expected = [np.interp(time, TIMES, values) for values in motion.position("P").T]
        np.testing.assert_allclose(found.there[k], expected, rtol=SAME)


def crank(rates: list[float], starts: list[float]) -> list[Parameter]:
    both = zip(("rate", "start"), (rates, starts), strict=True)
    return [Parameter(cluster.LawValue("a", field), Listed(values)) for field, values in both]


def test_angles_of_all_samples_are_next_to_the_nominal_one() -> None:
    """Not a turn apart where the first of them are about half a turn."""
    half = replace(FOUR_BAR, drivers=[gk.Driver("a", gk.Ramp(rate=6.0, start=np.pi))])
    parameters = crank([6.0] * 3, [np.pi - 1e-3, np.pi, np.pi + 1e-3])
    keep = [cluster.TimeHistory(Quantity("angle", "crank")), cluster.TimeHistory(Quantity("joint", "d"))]
    found = cluster.solve(cluster.sweep(half, parameters, TIMES, keep))
    nominal = gk.solve(half, TIMES)
    np.testing.assert_allclose(found["crank.angle"][1], nominal.angle("crank"), atol=SAME)
    np.testing.assert_allclose(found["d.joint"][1], nominal.joint("d")[0], atol=SAME)
    for name in ("crank.angle", "d.joint"):
        assert np.abs(found[name] - found[name][1]).max() < 0.1
    # the nominal motion tells the turn of the first, not what the sample is in the list
    assert abs(found["crank.angle"].values[1, 0]) == pytest.approx(np.pi)


def test_angles_of_fast_bodies_have_all_their_turns() -> None:
    rates = [1.0, 60.0, -200.0]
    keep = [cluster.TimeHistory(Quantity("angle", "crank"))]
    with pytest.warns(GroupkinWarning, match="body 'crank' .* may lack whole turns"):  # by 10 rad from time to time
        found = cluster.solve(cluster.sweep(FOUR_BAR, crank(rates, [0.0] * 3), TIMES, keep))
    np.testing.assert_allclose(found["crank.angle"], np.outer(rates, TIMES), atol=1e-10)


def test_undriven_angles_that_may_lack_turns_are_warned_of() -> None:
    """A double crank, in which all turn round."""
    points = {"A": (0.0, 0.0), "B": (0.0, 2.0), "C": (1.5, 2.5), "D": (0.5, 0.0), "P": (1.5, 3.0)}
    mechanism = replace(FOUR_BAR, points=points)
    keep = [cluster.TimeHistory(Quantity("joint", "d"))]
    for rate, warned in ((6.0, 0), (60.0, 0), (80.0, 1)):  # by 0.3, 3 and 4 rad from time to time
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            found = cluster.solve(cluster.sweep(mechanism, crank([rate], [0.0]), TIMES, keep))
        assert sum("may lack whole turns" in str(one.message) for one in told) == warned
        fine = np.linspace(TIMES[0], TIMES[-1], 50 * (TIMES.size - 1) + 1)
        followed = cluster.solve(cluster.sweep(mechanism, crank([rate], [0.0]), fine, keep))
        np.testing.assert_allclose(found["d.joint"], followed["d.joint"][..., ::50], atol=1e-12)


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_events_at_the_first_and_last_time_are_found(way: float) -> None:
    """Exactly there, and in spite of rounding errors; a value that is reached and kept too."""
    times = np.linspace(0.0, 1.0, 361)
    direction = "rising" if way > 0 else "falling"
    for joint in (Quantity("angle", "crank"), Quantity("joint", "a")):
        for angle, sign, expected in (
            *((2.0 * np.pi, one, [1.0, np.nan]) for one in (direction, "either")),
            *((np.pi, one, [0.5, 1.0]) for one in (direction, "either")),
            *((0.0, one, [0.0, 0.0]) for one in (direction, "either")),
        ):
            keep = [At(Quantity("joint", "a"), "there", event=When(joint, way * angle, sign))]
            sweep = cluster.sweep(FOUR_BAR, crank([way * 2.0 * np.pi, way * np.pi], [0.0, 0.0]), times, keep)
            rates = np.array([way * 2.0 * np.pi, way * np.pi])
            np.testing.assert_allclose(cluster.solve(sweep).there / rates, expected, atol=1e-12)
    for event, expected in ((When(P, 2.0), [1, 0.0]), (When(P, 2.0, "falling"), [0, np.nan])):
        place, share = first_passage(np.array([[0.0, 1.0, 2.0, 2.0, 2.0]]), event)
        np.testing.assert_equal([place[0], share[0]], expected if np.isnan(expected[1]) else [1, 1.0])
    place, share = first_passage(np.array([[2.0, 2.0, 1.0]]), When(P, 2.0, "rising"))
    assert (place[0], share[0]) == (0, 0.0)
    place, share = first_passage(np.array([[2.0, 1.0, 3.0]]), When(P, 2.0, "rising"))
    assert (place[0], share[0]) == (1, 0.5)


def test_the_value_at_an_event() -> None:
    """Of the driven angle times are known, and values between them to the second order of the steps."""
    rising = When(Quantity("angle", "crank"), 1.0, "rising")
    falling = When(Quantity("angle", "crank"), 1.0, "falling")
    turning = When(Quantity("velocity", "P", "y"), 0.0, "falling")
    found = swept(At(ROCKER, "at", event=rising), At(ROCKER, "never", event=falling), At(P, "top", event=turning))
    assert np.isnan(found.never).all()
    for k, motion in enumerate(each_alone()):
        np.testing.assert_allclose(found["at"][k], np.interp(1.0, 6.0 * TIMES, motion.angle("rocker")), rtol=1e-11)
        speed = motion.velocity("P")[:, 1]
        first = int(np.argmax((speed[:-1] >= 0) & (speed[1:] < 0)))
        share = speed[first] / (speed[first] - speed[first + 1])
        expected = motion.position("P")[first] * (1 - share) + motion.position("P")[first + 1] * share
        np.testing.assert_allclose(found.top[k], expected, rtol=1e-11)


def test_path_length() -> None:
    found = swept(cluster.PathLength("P"))
    for k, motion in enumerate(each_alone()):
        expected = np.linalg.norm(np.diff(motion.position("P"), axis=0), axis=1).sum()
        assert float(found["path_length.P"][k]) == pytest.approx(expected, rel=SAME)


def test_conditioning() -> None:
    found = swept(cluster.Conditioning(), cluster.Conditioning("rocker"), cluster.Conditioning("crank"))
    for k, motion in enumerate(each_alone()):
        assert float(found["conditioning"][k]) == pytest.approx(motion.conditioning.min(), rel=1e-12)
        assert float(found["conditioning.rocker"][k]) == pytest.approx(motion.conditioning[1].min(), rel=1e-12)
        assert float(found["conditioning.crank"][k]) == 1.0


def test_transmission_angle() -> None:
    found = swept(cluster.TransmissionAngle(("B", "C", "D")))
    for k, motion in enumerate(each_alone()):
        lines = [motion.position(name) - motion.position("C") for name in "BD"]
        units = [line / np.linalg.norm(line, axis=1, keepdims=True) for line in lines]
        angle = np.arccos(np.abs((units[0] * units[1]).sum(axis=1))).min()
        assert float(found["transmission_angle.B-C-D"][k]) == pytest.approx(angle, abs=1e-12)


def test_occupancy() -> None:
    low, high, cells = (-1.1, 0.0), (1.9, 4.0), (6, 5)
    limit = cluster.Limit(ROCKER, -0.2, 0.15)
    found = swept(
        cluster.Occupancy("P", low, high, cells, name="all"), cluster.Occupancy("P", low, high, cells, [limit], "some")
    )
    paths = [motion.position("P") for motion in each_alone()]
    held = [(motion.angle("rocker") >= -0.2) & (motion.angle("rocker") <= 0.15) for motion in each_alone()]
    span = list(zip(low, high, strict=True))
    for name, places in (("all", np.concatenate(paths)), ("some", np.concatenate(paths)[np.concatenate(held)])):
        expected = np.histogram2d(*places.T, bins=cells, range=span)[0]
        np.testing.assert_array_equal(found[name], expected)
        assert int(found[f"{name}.outside"]) == len(places) - expected.sum() > 0
        assert found[name].dtype == found[f"{name}.outside"].dtype == np.int64
        assert found[name].dims == (f"{name}.x", f"{name}.y")
    assert 0 < int(found["some"].sum()) < int(found["all"].sum())
    np.testing.assert_allclose(found["all.x"], np.arange(-0.85, 1.9, 0.5))


def test_what_needs_an_unsolved_part_is_not_a_number() -> None:
    keep = [
        cluster.Maximum(P, "most"),
        At(P, "early", time=0.05),
        At(P, "late", time=1.2),
        cluster.PathLength("P", "path"),
    ]
    places = [(3.0, 2.5), (2.0, 1.2)]
    found = cluster.solve(cluster.sweep(FOUR_BAR, [Parameter(Point("C"), Listed(places))], TIMES, keep))
    assert found.status.values.tolist() == [0, 1]
    assert 0.05 < float(found.failed_time[1]) < 1.2
    assert np.isfinite(found.isel(sample=0).drop_vars("failed_time").to_array()).all()
    assert [bool(np.isnan(found[name][1]).all()) for name in ("most", "early", "late", "path")] == [
        True,
        False,
        True,
        True,
    ]


def test_a_dataset_describes_itself() -> None:
    found = swept(cluster.TimeHistory(P), cluster.Range(Quantity("velocity", "P")), cluster.Conditioning())
    assert found["P.position"].dims == ("sample", "time", "axis")
    assert found["P.position"].attrs["units"] == "m"
    assert found["range.P.velocity"].attrs["units"] == "m/s"
    assert found["time"].attrs["units"] == "s"
    assert "C" in found.coords
    assert found["C"].attrs == {"units": "m", "nominal": [3.0, 2.5], "long_name": "C"}
    assert found["P.position"].attrs["long_name"] == "position P"
    assert found["range.P.velocity"].attrs["long_name"] == "range of velocity P"
    assert found["axis"].values.tolist() == ["x", "y"]
    assert found["status"].attrs["flag_meanings"].split()[:2] == ["solved", "cannot_assemble"]
    assert len(found["status"].attrs["flag_meanings"].split()) == len(found["status"].attrs["flag_values"])


@pytest.mark.parametrize(
    ("keep", "words"),
    [
        (cluster.TimeHistory(Quantity("position", "Q")), "no body or point 'Q'"),
        (cluster.TimeHistory(Quantity("postion", "P")), "did you mean position"),
        (cluster.TimeHistory(Quantity("angle", "cupler")), "did you mean coupler"),
        (cluster.TimeHistory(Quantity("position", "P", "z")), "x, y, norm"),
        (cluster.TimeHistory(Quantity("angle", "rocker", "x")), "no components"),
        (cluster.TimeHistory(Quantity("joint", "e")), "no joint 'e'"),
        (At(P), "at a time or at an event"),
        (At(P, time=2.0), "between 0 s and 1.3 s"),
        (At(P, event=When(P, 1.0)), "name one of them"),
        (At(P, event=When(ROCKER, 1.0, "up")), "must be 'rising', 'falling' or 'either', not 'up'"),
        (cluster.Conditioning("lever"), "no movable body 'lever'"),
        (cluster.Occupancy("P", (0.0,), (1.0, 1.0), (2, 2)), "must have 2 numbers"),
        (cluster.Occupancy("P", (0.0, 0.0), (1.0, 0.0), (2, 2)), "above `low`"),
        (cluster.TransmissionAngle(("B", "C", "Z")), "no body or point 'Z'"),
        (cluster.TransmissionAngle(()), "is between three points"),  # type: ignore[arg-type]
        (cluster.TimeHistory(P, "failed_time"), "meaning of its own"),
        (cluster.Minimum("velocity Q.norm"), "no body or point 'Q'"),
        (cluster.Minimum("crank"), "`crank` can be read as `position crank` or"),
        (cluster.Maximum("residual"), "do not compute residuals"),
    ],
)
def test_what_cannot_be_kept_is_refused(keep: cluster.sweeps.reductions.Keep, words: str) -> None:
    with pytest.raises(GroupkinError, match=words):
        cluster.sweep(FOUR_BAR, [Parameter(Point("C"), Normal(0.1))], TIMES, [keep])


def test_a_name_is_nothing_to_keep() -> None:
    with pytest.raises(ArgumentError, match=r"keep\[0\] must be a TimeHistory or .*, not 'P'"):
        cluster.sweep(FOUR_BAR, [], TIMES, ["P"])  # type: ignore[list-item]


def test_a_freedom_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="no freedom 'turn'"):
        cluster.sweep(FOUR_BAR, [], TIMES, [cluster.TimeHistory(Quantity("joint", "c", "turn"))])
