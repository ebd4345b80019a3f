"""Samples are the motions of mechanisms that are described with the changed dimensions and built from scratch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import cluster
import groupkin as gk
from cluster import AssemblyMode, Axis, JointPoint, LawValue, Length, Listed, Parameter, Point, Quantity
from cluster.sweeps.description import as_text
from groupkin.errors import GroupkinError, NotModeledError, ParameterError, UnknownNameError
from groupkin.kinematics.parameters.nominal_values import unit
from groupkin.mechanism.laws.laws import Law
from groupkin.mechanism.mechanism import Mechanism
from tests.support.mechanisms import FOUR_BAR
from tests.support.paths import EXAMPLES

Array = NDArray[np.float64]
TIMES = np.linspace(0.0, 1.0, 13)

SAME = 1e-11
"""Positions are compared to rounding errors, which a closed reference configuration and the dead centers amplify."""


def swept(mechanism: Mechanism, parameters: Sequence[Parameter], point: str, times: Array = TIMES) -> Array:
    """Path (samples, times, d) of a point."""
    keep = [cluster.TimeHistory(Quantity("position", point), "path")]
    found = cluster.solve(cluster.sweep(mechanism, parameters, times, keep))
    assert not found.status.values.any()
    return found["path"].values


def compare(paths: Array, each: Sequence[Mechanism], point: str, times: Array = TIMES, assemble: bool = False) -> None:
    for path, one in zip(paths, each, strict=True):
        expected = gk.solve(gk.program(one, assemble=assemble), times).position(point)
        np.testing.assert_allclose(path, expected, atol=SAME)
    assert np.ptp(paths, axis=0).max() > 1e-3


def with_points(mechanism: Mechanism, **points: Sequence[float]) -> Mechanism:
    return replace(mechanism, points={**mechanism.points, **{name: tuple(at) for name, at in points.items()}})


def with_joint(mechanism: Mechanism, name: str, **changes: object) -> Mechanism:
    joints = [replace(joint, **changes) if joint.name == name else joint for joint in mechanism.joints]  # type: ignore[arg-type]
    return replace(mechanism, joints=joints)


def open_at_c(coupler: Sequence[float], rocker: Sequence[float]) -> Mechanism:
    """The four-bar with other points of joint c on its two bodies."""
    points = {name: at for name, at in FOUR_BAR.points.items() if name != "C"}
    other = [
        replace(joint, point=None, points=(coupler, rocker)) if joint.name == "c" else joint
        for joint in FOUR_BAR.joints
    ]
    return replace(FOUR_BAR, points=points, joints=other)


def test_a_point_on_all_bodies() -> None:
    places = [(3.0, 2.5), (2.9, 2.6), (3.2, 2.4)]
    paths = swept(FOUR_BAR, [Parameter(Point("C"), Listed(places))], "P")
    compare(paths, [with_points(FOUR_BAR, C=place) for place in places], "P")


def test_a_coordinate_of_a_point_on_all_bodies() -> None:
    heights = [0.9, 1.0, 1.2]
    paths = swept(FOUR_BAR, [Parameter(Point("B", component="y"), Listed(heights))], "P")
    compare(paths, [with_points(FOUR_BAR, B=(0.0, height)) for height in heights], "P")


def test_a_point_on_one_body() -> None:
    """The joint then has two points, one on each body, and is open until it is assembled."""
    places = [(3.0, 2.5), (2.9, 2.6), (3.2, 2.4)]
    paths = swept(FOUR_BAR, [Parameter(Point("C", "coupler"), Listed(places))], "P")
    compare(paths, [open_at_c(place, (3.0, 2.5)) for place in places], "P", assemble=True)


def test_a_point_that_is_only_read() -> None:
    places = [(1.0, 3.0), (1.5, 2.0)]
    paths = swept(FOUR_BAR, [Parameter(Point("P", "coupler"), Listed(places))], "P")
    compare(paths, [with_points(FOUR_BAR, P=place) for place in places], "P")


def test_the_point_of_a_joint_on_both_bodies() -> None:
    places = [(3.1, 0.1), (2.8, -0.2)]
    joints = [replace(joint, point=(3.0, 0.0)) if joint.name == "d" else joint for joint in FOUR_BAR.joints]
    points = {name: at for name, at in FOUR_BAR.points.items() if name != "D"}
    without_name = replace(FOUR_BAR, points=points, joints=joints)
    for mechanism in (FOUR_BAR, without_name):
        paths = swept(mechanism, [Parameter(JointPoint("d"), Listed(places))], "P")
        compare(paths, [with_points(FOUR_BAR, D=place) for place in places], "P")


def test_the_point_of_a_joint_on_one_body_and_the_origin_that_is_there() -> None:
    places = [(3.1, 2.6), (2.8, 2.5)]
    parameter = Parameter(JointPoint("c", "rocker"), Listed(places))
    keep = [cluster.TimeHistory(Quantity("position", name), f"path of {name}") for name in ("P", "rocker", "C")]
    found = cluster.solve(cluster.sweep(FOUR_BAR, [parameter], TIMES, keep))
    each = [open_at_c((3.0, 2.5), place) for place in places]
    compare(found["path of P"].values, each, "P", assemble=True)
    np.testing.assert_allclose(found["path of rocker"], found["path of C"], atol=SAME)


def test_a_joint_leaves_others_at_a_point_of_the_same_name() -> None:
    """Pin and guide of the piston are both at C: the guide alone moves, and the slider-crank is eccentric."""
    mechanism = gk.load(EXAMPLES / "slider_crank.toml")
    offset = 0.01
    parameter = Parameter(JointPoint("cylinder", "piston", "y"), Listed([0.0, offset]))
    keep = [cluster.TimeHistory(Quantity("position", name), name + ".path") for name in ("B", "C")]
    found = cluster.solve(cluster.sweep(mechanism, [parameter], TIMES / 10, keep))
    crank, pin = found["B.path"].values, found["C.path"].values
    np.testing.assert_allclose(pin[0, :, 1], 0.0, atol=1e-15)
    np.testing.assert_allclose(pin[1, :, 1], -offset, atol=1e-15)
    rod = np.linalg.norm(np.subtract(mechanism.points["C"], mechanism.points["B"]))
    np.testing.assert_allclose(np.linalg.norm(pin - crank, axis=2), rod, rtol=1e-13)


def test_relative_values_are_added_to_the_nominal_one() -> None:
    one = swept(FOUR_BAR, [Parameter(Point("C"), Listed([(0.1, 0.0), (0.0, -0.1)]), relative=True)], "P")
    other = swept(FOUR_BAR, [Parameter(Point("C"), Listed([(3.1, 2.5), (3.0, 2.4)]))], "P")
    np.testing.assert_allclose(one, other, atol=SAME)


def test_a_length() -> None:
    lengths = [3.3, 3.4, 3.5]
    paths = swept(FOUR_BAR, [Parameter(Length("coupler", ("B", "C")), Listed(lengths))], "C")
    each = []
    for length in lengths:
        bodies = [
            gk.Body("coupler", points=["P"], lengths={("B", "C"): length}) if b.name == "coupler" else b
            for b in FOUR_BAR.body.values()
        ]
        each.append(replace(FOUR_BAR, bodies=bodies))
    compare(paths, each, "C", assemble=True)
    # by hand: C is where two circles meet
    crank = np.stack([-np.sin(6.0 * TIMES), np.cos(6.0 * TIMES)], axis=1)
    for path, length in zip(paths, lengths, strict=True):
        np.testing.assert_allclose(np.linalg.norm(path - crank, axis=1), length, rtol=1e-13)
        np.testing.assert_allclose(np.linalg.norm(path - (3.0, 0.0), axis=1), 2.5, rtol=1e-13)
        (x, y), (u, w) = (path - crank).T, (np.array([3.0, 0.0]) - crank).T
        assert (x * w - y * u < 0).all()


def test_stated_lengths_are_met_where_points_vary() -> None:
    body = gk.Body("coupler", points=["P"], lengths={("B", "C"): 3.4})
    mechanism = replace(FOUR_BAR, bodies=["ground", "crank", body, "rocker"])
    keep = [cluster.TimeHistory(Quantity("position", name), name + ".path") for name in "BC"]
    parameters = [Parameter(Point("C", "coupler"), Listed([(3.0, 2.4), (2.8, 2.5)]))]
    found = cluster.solve(cluster.sweep(mechanism, parameters, TIMES, keep, assemble=True))
    distance = np.linalg.norm(found["B.path"].values - found["C.path"].values, axis=2)
    np.testing.assert_allclose(distance, 3.4, rtol=1e-13)


RSSR = gk.Mechanism(
    3,
    ["ground", "crank", "rod", "rocker"],
    [
        gk.Joint("a", "R", ("ground", "crank"), point="A", axis=(0, 0, 2)),
        gk.Joint("b", "S", ("crank", "rod"), point="B"),
        gk.Joint("c", "S", ("rod", "rocker"), point="C"),
        gk.Joint("d", "R", ("rocker", "ground"), point="D", axis=(0, 1, 0.3)),
    ],
    [gk.Driver("a", gk.Ramp(rate=3.0))],
    points={"A": (0.0, 0.0, 0.0), "B": (0.5, 0.0, 0.1), "C": (1.5, 1.0, 1.5), "D": (2.0, 1.0, 0.0)},
)


def test_an_axis_on_both_bodies() -> None:
    axes = [(0, 0, 2), (0.2, 0, 2), (0.1, -0.3, 1)]
    paths = swept(RSSR, [Parameter(Axis("a"), Listed(axes))], "C")
    compare(paths, [with_joint(RSSR, "a", axis=axis) for axis in axes], "C")


def turned(start: Sequence[float], end: Sequence[float]) -> Array:
    """The least rotation from one direction to another, by Rodrigues's formula."""
    u, w = (np.asarray(x, float) / np.linalg.norm(x) for x in (start, end))
    n, cosine = np.cross(u, w), u @ w
    skew = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.eye(3) + skew + skew @ skew / (1 + cosine)


def test_an_axis_on_one_body() -> None:
    """As if the rest of the body were turned the other way: its other joint is at another place, and open."""
    values = [0.0, 0.2, -0.3]
    paths = swept(RSSR, [Parameter(Axis("a", "crank", "y"), Listed(values))], "C")
    each = []
    for value in values:
        other = turned((0, 0, 1), (0, value, 1)).T @ np.array(RSSR.points["B"])  # the axis is stated as (0, 0, 2)
        joints = [replace(j, point=None, points=(tuple(other), "B")) if j.name == "b" else j for j in RSSR.joints]
        each.append(replace(RSSR, joints=joints))
    compare(paths, each, "C", assemble=True)


def test_an_axis_in_the_plane() -> None:
    mechanism = gk.load(EXAMPLES / "slider_crank.toml")
    axes = [(1.0, 0.0), (1.0, 0.1), (2.0, -0.3)]
    name = next(joint.name for joint in mechanism.joints if joint.type == "P")
    paths = swept(mechanism, [Parameter(Axis(name), Listed(axes))], mechanism.movable[-1])
    compare(paths, [with_joint(mechanism, name, axis=axis) for axis in axes], mechanism.movable[-1], assemble=True)


TIMING = gk.Sequence([gk.Rise("cycloid", 0.5, 0.3), gk.Dwell(0.2), gk.Rise("3-4-5", -0.3, 0.4)], periodic=True)
LAWS: dict[str, tuple[Law, str, int | None, list[float]]] = {
    "rate": (gk.Ramp(rate=6.0), "rate", None, [5.0, 6.5]),
    "start": (gk.Ramp(rate=6.0), "start", None, [0.0, 0.4]),
    "amplitude": (gk.Harmonic(0.5, 1.0, 0.1, 0.2), "amplitude", None, [0.4, 0.6]),
    "frequency": (gk.Harmonic(0.5, 1.0, 0.1, 0.2), "frequency", None, [0.9, 1.2]),
    "phase": (gk.Harmonic(0.5, 1.0, 0.1, 0.2), "phase", None, [0.0, 0.6]),
    "coefficients": (gk.Polynomial((0.1, 0.2, 0.3)), "coefficients", 2, [-0.3, 0.6]),
    "cosine": (gk.Fourier(1.0, (0.1, 0.2), (0.3,), 0.1), "cosine", 1, [-0.2, 0.3]),
    "values": (gk.Spline((0.0, 0.3, 0.6, 1.0), (0.0, 0.2, 0.3, 0.1)), "values", 2, [0.1, 0.5]),
    "times": (gk.Spline((0.0, 0.3, 0.6, 1.0), (0.0, 0.2, 0.3, 0.1)), "times", 1, [0.2, 0.4]),
    "duration": (gk.Rise("modified sine", 0.6, 0.8), "duration", None, [0.5, 0.9]),
    "rise": (TIMING, "rise", 2, [-0.5, 0.4]),
    "duration of a dwell": (TIMING, "duration", 1, [0.1, 0.3]),
    "speed": (gk.Rise("s-curve", 0.6, speed=1.0, acceleration=5.0, jerk=60.0), "speed", None, [0.8, 2.0]),
}


@pytest.mark.parametrize("key", LAWS)
def test_numbers_of_laws(key: str) -> None:
    law, field, index, values = LAWS[key]
    driven = replace(FOUR_BAR, drivers=[gk.Driver("a", law)])
    keep = [cluster.TimeHistory(Quantity("acceleration", "P"), "a_P")]
    found = cluster.solve(cluster.sweep(driven, [Parameter(LawValue("a", field, index), Listed(values))], TIMES, keep))
    for accelerations, value in zip(found["a_P"].values, values, strict=True):
        given: object = value
        if index is not None:
            numbers = list(law.numbers[field])
            numbers[index] = value
            given = tuple(numbers)
        other = replace(driven, drivers=[gk.Driver("a", law.changed(field, given))])
        expected = gk.solve(other, TIMES).acceleration("P")
        np.testing.assert_allclose(accelerations, expected, atol=1e-12 * max(1.0, np.abs(expected).max()))


UNITS = {"rate": "rad/s", "frequency": "Hz", "phase": "rad", "coefficients": "rad/s^2", "times": "s"}
UNITS |= {"duration": "s", "duration of a dwell": "s", "speed": "rad/s"}
"""Units of the other numbers are rad."""


@pytest.mark.parametrize("key", LAWS)
def test_units_of_laws(key: str) -> None:
    law, field, index, values = LAWS[key]
    driven = replace(FOUR_BAR, drivers=[gk.Driver("a", law)])
    sweep = cluster.sweep(driven, [Parameter(LawValue("a", field, index), Listed(values))], TIMES, [])
    assert unit(sweep.parameters[0].target, sweep.program) == UNITS.get(key, "rad")


def test_the_freedom_of_a_law() -> None:
    mechanism = gk.load(EXAMPLES / "stewart_inverse.toml")
    parameter = Parameter(LawValue("pose", "offset", freedom="z"), Listed([0.45, 0.55]))
    paths = swept(mechanism, [parameter], "T")
    assert paths[1, 0, 2] - paths[0, 0, 2] == pytest.approx(0.1)


def test_texts_are_taken_for_what_they_mean() -> None:
    pairs = [
        ("C@coupler.x", Point("C", "coupler", "x"), cluster.Uniform(2.9, 3.1)),
        ("joint d@rocker.y", JointPoint("d", "rocker", "y"), cluster.Uniform(-0.1, 0.1)),
        ("length crank A-B", Length("crank", ("A", "B")), cluster.Normal(0.01)),
        ("rate a", LawValue("a", "rate"), cluster.Grid([5.0, 6.0])),
        ("mode rocker", AssemblyMode("rocker"), cluster.Grid([1, 2])),
    ]
    keep = [
        (cluster.Maximum("velocity P.norm"), cluster.Maximum(Quantity("velocity", "P", "norm"))),
        (cluster.TimeHistory("P"), cluster.TimeHistory(Quantity("position", "P"))),
        (
            cluster.At("angle rocker", event=cluster.When("joint a", 1.0)),
            cluster.At(Quantity("angle", "rocker"), event=cluster.When(Quantity("joint", "a"), 1.0)),
        ),
        (
            cluster.Occupancy("P", (0, 0), (2, 4), (2, 2), [cluster.Limit("a", 0.0, 1.0)]),
            cluster.Occupancy("P", (0, 0), (2, 4), (2, 2), [cluster.Limit(Quantity("joint", "a"), 0.0, 1.0)]),
        ),
    ]
    sweeps = [
        cluster.sweep(
            FOUR_BAR, [Parameter(pair[k], pair[2]) for pair in pairs], TIMES, [pair[k] for pair in keep], draws=3
        )
        for k in (0, 1)
    ]
    assert sweeps[0].parameters == sweeps[1].parameters
    assert sweeps[0].keep == sweeps[1].keep
    assert as_text(sweeps[0]) == as_text(sweeps[1])


def test_assembly_modes() -> None:
    paths = swept(FOUR_BAR, [Parameter(AssemblyMode("rocker"), Listed([2, 1]))], "P")
    for path, mode in zip(paths, (2, 1), strict=True):
        np.testing.assert_allclose(path, gk.solve(FOUR_BAR, TIMES, modes={"rocker": mode}).position("P"), atol=SAME)


def test_modes_and_geometry_together() -> None:
    places = [(3.0, 2.5), (2.9, 2.6), (3.2, 2.4)]
    parameters = [Parameter(AssemblyMode("rocker"), Listed([2, 1, 2])), Parameter(Point("C"), Listed(places))]
    start = replace(FOUR_BAR, modes={"rocker": 2})
    paths = swept(start, parameters, "P")
    for path, mode, place in zip(paths, (2, 1, 2), places, strict=True):
        other = with_points(FOUR_BAR, C=place)
        np.testing.assert_allclose(path, gk.solve(other, TIMES, modes={"rocker": mode}).position("P"), atol=SAME)


PIN = replace(
    FOUR_BAR,
    bodies=["ground", "crank", "coupler", "rocker", "link", gk.Body("arm", points=["P"])],
    joints=[
        *(joint for joint in FOUR_BAR.joints if joint.name in "abd"),
        gk.Joint("pin", "R", ("coupler", "rocker", "link"), point=(3.0, 2.5)),
        gk.Joint("e", "R", ("link", "arm"), point=(4.0, 3.5)),
        gk.Joint("f", "R", ("arm", "ground"), point=(5.0, 0.0)),
    ],
    points={name: at for name, at in FOUR_BAR.points.items() if name != "C"},
)


def test_the_point_of_a_joint_of_three_bodies() -> None:
    places = [(3.0, 2.5), (2.9, 2.6)]
    paths = swept(PIN, [Parameter(JointPoint("pin"), Listed(places))], "P")
    joints = [
        [replace(joint, point=place) if joint.name == "pin" else joint for joint in whole(PIN)] for place in places
    ]
    compare(paths, [replace(PIN, joints=each) for each in joints], "P")


def whole(mechanism: Mechanism) -> list[gk.Joint]:
    """Joints as they were described, those of several bodies not in pairs."""
    return list(dict.fromkeys(joint.of or joint for joint in mechanism.joints))


STEPHENSON = "stephenson_six_bar.toml"


def test_iterated_groups() -> None:
    mechanism = gk.load(EXAMPLES / STEPHENSON)
    places = [(0.087, 0.132), (0.086, 0.131)]
    paths = swept(mechanism, [Parameter(Point("C"), Listed(places))], "coupler")
    for path, place in zip(paths, places, strict=True):
        expected = gk.solve(with_points(mechanism, C=place), TIMES).position("coupler")
        np.testing.assert_allclose(path, expected, atol=1e-10)  # Newton's method stops at 1e-12 of the size, or so


@pytest.mark.parametrize("with_geometry", [True, False])
def test_iterated_groups_with_laws_and_modes(with_geometry: bool) -> None:
    mechanism = gk.load(EXAMPLES / STEPHENSON)
    rates, places = [5.0, 6.0], [(0.087, 0.132), (0.086, 0.131)]
    parameters = [Parameter(LawValue("O", "rate"), Listed(rates)), Parameter(AssemblyMode("coupler"), Listed([1, 2]))]
    if with_geometry:
        parameters.append(Parameter(Point("C"), Listed(places)))
    paths = swept(mechanism, parameters, "coupler", TIMES[:5])
    for path, rate, mode, place in zip(paths, rates, (1, 2), places, strict=True):
        other = with_points(mechanism, C=place) if with_geometry else mechanism
        other = replace(other, drivers=[gk.Driver("O", gk.Ramp(rate=rate))])
        expected = gk.solve(other, TIMES[:5], modes={"coupler": mode}).position("coupler")
        np.testing.assert_allclose(path, expected, atol=1e-10)


def test_cams_have_laws() -> None:
    mechanism = gk.load(EXAMPLES / "cam_roller.toml")
    driven = mechanism.drivers[0]
    field = next(iter(driven.law.AMPLITUDES))  # type: ignore[union-attr]
    value = 0.9 * getattr(driven.law, field)
    paths = swept(
        mechanism, [Parameter(LawValue(driven.joint, field), Listed([value]))], mechanism.movable[-1], TIMES[:3]
    )
    other = replace(mechanism, drivers=[replace(driven, law=replace(driven.law, **{field: value}))])  # type: ignore[type-var]
    np.testing.assert_allclose(paths[0], gk.solve(other, TIMES[:3]).position(mechanism.movable[-1]), atol=1e-10)


# --- refusals --------------------------------------------------------------------------------

ONE = Listed([1.0])


def refuse(
    parameter: Parameter | list[Parameter],
    words: str,
    mechanism: Mechanism = FOUR_BAR,
    kind: type[GroupkinError] = GroupkinError,
) -> None:
    given = parameter if isinstance(parameter, list) else [parameter]
    with pytest.raises(kind, match=words):
        cluster.sweep(mechanism, given, TIMES, [])


@pytest.mark.parametrize(
    ("parameter", "words"),
    [
        (Parameter(Point("Q"), Listed([(1.0, 1.0)])), "no named point 'Q'"),
        (Parameter(Point("P", "rocker"), Listed([(1.0, 1.0)])), "not on body 'rocker', but on coupler"),
        (Parameter(Point("P", "copler"), Listed([(1.0, 1.0)])), "did you mean coupler"),
        (Parameter(Point("P", component="z"), ONE), "`P.z`: the component must be x or y"),
        (Parameter(Point("P"), ONE), "2 finite numbers per value"),
        (Parameter(Point("P", component="x"), Listed([np.nan])), "a finite number per value"),
        (Parameter(JointPoint("e"), ONE), "no joint 'e'"),
        (Parameter(JointPoint("c", "crank"), ONE), "it joins coupler, rocker"),
        (Parameter(Axis("c"), ONE), "has no axis"),
        (Parameter(Length("coupler", ("B", "D")), ONE), "'D' is not on body 'coupler'"),
        (Parameter(Length("couple", ("B", "D")), ONE), "did you mean coupler"),
        (Parameter(LawValue("a", "rte"), ONE), r"did you mean rate\?"),
        (Parameter(LawValue("a", "AMPLITUDES"), ONE), "it has rate, start"),
        (Parameter("A", ONE), "parameter 'A': values must be 2 finite numbers"),
        (Parameter("joint A B", ONE), "is no parameter"),
        (Parameter(3, ONE), "a Point or a JointPoint or .* not 3"),  # type: ignore[arg-type]
        (
            [Parameter(LawValue("a", "rate"), ONE), Parameter(LawValue("a", "rate", freedom="angle"), ONE, "again")],
            "change the same",
        ),
        (Parameter(Length("coupler", ("B", "B")), ONE), "two different points"),
        (Parameter(Length("coupler", ("B", "C")), Listed([3.0, -1.0])), "above 0, not -1 m"),
        (Parameter(Length("coupler", ("B", "C")), cluster.Uniform(0.0, 1.0)), "above 0, not 0 m"),
        (Parameter(Point("P", component="x"), cluster.Uniform(2.0, 1.0)), "`low` is above `high`"),
        (Parameter(Point("P", component="x"), cluster.Evenly(1.0, 2.0, 2.5)), "whole number from 1"),  # type: ignore[arg-type]
        (Parameter(Point("P", component="x"), Listed(None)), "Listed: values must be a list, not None"),  # type: ignore[arg-type]
        (Parameter(Point("P", component="x"), ONE, name="my P"), "has blanks"),
        (Parameter(LawValue("b", "rate"), ONE), "no driven joint 'b'"),
        (Parameter(LawValue("a", "rate", 1), ONE), "without `index`"),
        (Parameter(AssemblyMode("rocker"), Listed([3])), "from 1 to 2, not 3"),
        (Parameter(AssemblyMode("rocker"), cluster.Uniform(1, 2)), "by a list or a grid"),
        (Parameter(Point("P", component="x"), Listed([])), "no values"),
        (Parameter(Point("P", component="x"), cluster.Normal(-1.0)), "must be positive"),
        (Parameter(Point("P", component="x"), 3.0), "varies must be a Listed or a Grid"),  # type: ignore[arg-type]
        (Parameter(Point("P", component="x"), ONE, name="status"), "meaning of its own"),
    ],
)
def test_what_cannot_vary_is_refused(parameter: Parameter, words: str) -> None:
    refuse(parameter, words)


def test_one_number_varies_once() -> None:
    first = Parameter(Point("C"), Listed([(1.0, 1.0)]))
    refuse([first, Parameter(JointPoint("c", "rocker", "x"), ONE)], "change the same")
    refuse([Parameter(Point("C", "coupler"), Listed([(1.0, 1.0)]), name="x")] * 2, "given twice")


def test_geometry_that_cannot_vary_is_refused() -> None:
    cam = gk.load(EXAMPLES / "cam_roller.toml")
    name = next(joint.name for joint in cam.joints if joint.type == "R")
    refuse(Parameter(JointPoint(name), Listed([(0.0, 0.0)])), "is a cam", cam, NotModeledError)
    with pytest.raises(UnknownNameError, match="driver"):
        gk.Mechanism(2, ["a"], [], [gk.Driver("x")])


# --- axes through two named points -----------------------------------------------------------


def suspension(**places: Sequence[float]) -> Mechanism:
    """A wheel carrier on a lower arm, whose axis goes through two pivots, and three rods."""
    points = {"LF": (0.1, 0.3, 0.2), "LR": (-0.15, 0.32, 0.22), "ball": (0.0, 0.7, 0.18), "W": (0.0, 0.75, 0.3)}
    joints = [
        gk.Joint("pivots", "R", ("chassis", "arm"), axis=("LF", "LR")),
        gk.Joint("ball", "S", ("arm", "upright"), point="ball"),
    ]
    ends = {"tie": ((0.12, 0.33, 0.25), (0.13, 0.68, 0.24)), "front": ((0.1, 0.35, 0.5), (0.02, 0.66, 0.52))}
    ends["rear"] = ((-0.12, 0.36, 0.49), (-0.03, 0.65, 0.51))
    joints += [gk.Joint(name, "SPSP", ("chassis", "upright"), points=pair) for name, pair in ends.items()]
    drivers = [gk.Driver("pivots", gk.Harmonic(0.2, 1.0))]
    bodies = ["chassis", "arm", gk.Body("upright", points=["W"])]
    return Mechanism(3, bodies, joints, drivers, points=points | places)


@pytest.mark.parametrize("pivot", ["LF", "LR"])
def test_an_axis_follows_a_point_that_it_goes_through(pivot: str) -> None:
    nominal = np.array(suspension().points[pivot])
    places = [nominal + shift for shift in np.array([(0.0, 0.0, 0.0), (0.0, 0.02, 0.03), (0.03, -0.01, 0.0)])]
    paths = swept(suspension(), [Parameter(Point(pivot), Listed([at.tolist() for at in places]))], "W")
    compare(paths, [suspension(**{pivot: at}) for at in places], "W")
    moved = swept(suspension(), [Parameter(Point(pivot), Listed([at.tolist() for at in places]))], pivot)
    np.testing.assert_allclose(moved[:, 0], places, atol=SAME)


def test_an_axis_and_a_point_that_it_goes_through_do_not_vary_together() -> None:
    both = [Parameter(Point("LR"), Listed([(-0.15, 0.33, 0.22)])), Parameter(Axis("pivots"), Listed([(1.0, 0.0, 0.0)]))]
    with pytest.raises(ParameterError, match="parameters `LR` and `axis pivots` change the same"):
        cluster.sweep(suspension(), both, TIMES, [cluster.PathLength("W")])


def test_a_joint_is_no_named_point() -> None:
    with pytest.raises(UnknownNameError, match=r"no named point 'pivots'.* of joint 'pivots' is `joint pivots`"):
        cluster.sweep(suspension(), [Parameter(Point("pivots"), Listed([1.0]))], TIMES, [cluster.PathLength("W")])
