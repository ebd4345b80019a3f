"""Limits of drivers against closed formulas and independent equations."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, fsolve

import groupkin as gk
from groupkin.errors import ArgumentError, CannotAssembleError, TimesError, UnknownNameError
from tests.support.mechanisms import FOUR_BAR, four_bar
from tests.support.paths import EXAMPLES
from tests.support.shares import in_part

EXACT = 1e-10
"""Share of a turn, or of the size, by which a limit may be off."""


def linkage(crank: float, coupler: float, rocker: float, frame: float, angle: float) -> gk.Mechanism:
    """A four-bar of these lengths, m, in one of its modes, driven at the crank, which is at an angle to the frame."""
    b = crank * np.array([np.cos(angle), np.sin(angle)])
    d = np.array([frame, 0.0])
    away = np.linalg.norm(d - b)
    along = (coupler**2 - rocker**2 + away**2) / (2 * away)
    x, y = (d - b) / away
    c = b + along * np.array([x, y]) + np.sqrt(coupler**2 - along**2) * np.array([-y, x])
    points = {"A": (0.0, 0.0), "B": tuple(b), "C": tuple(c), "D": tuple(d)}
    return four_bar(points, [gk.Driver("A", gk.Constant(0.0))])


def expected(crank: float, coupler: float, rocker: float, frame: float, angle: float) -> list[float]:
    """Values of the driver, from its start on and modulo a turn, where coupler and rocker are in line."""
    cosines = [(crank**2 + frame**2 - reach**2) / (2 * crank * frame) for reach in (coupler + rocker, coupler - rocker)]
    angles = [sign * np.arccos(x) for x in cosines if abs(x) < 1.0 for sign in (1.0, -1.0)]
    return sorted(float((x - angle) % (2 * np.pi)) for x in angles)


def modulo(values: tuple[float, ...]) -> list[float]:
    """Values modulo a turn, in order."""
    return sorted(value % (2 * np.pi) for value in values)


@pytest.mark.parametrize(
    ("lengths", "angle", "count", "turns"),
    [
        ((1.0, 3.2, 3.0, 4.0), 0.5, 2, True),  # crank-rocker
        ((3.0, 3.2, 4.0, 1.0), 0.5, 2, True),  # double-crank
        ((3.0, 3.2, 1.0, 4.0), 0.9, 2, False),  # rocker-crank, driven at the rocker
        ((3.0, 1.0, 3.2, 4.0), 0.7, 2, False),  # double-rocker
        ((3.0, 2.5, 2.6, 4.0), 0.7, 1, False),  # not of Grashof's kind
        ((4.0, 2.4, 2.5, 3.2), 0.7, 1, False),
    ],
)
def test_four_bars(lengths, angle, count, turns):
    found = gk.limits(linkage(*lengths, angle))
    wanted = expected(*lengths, angle)
    if turns:
        assert found.values == ()
    else:
        wanted = sorted(wanted * (2 if count == 2 and len(wanted) == 2 else 1))  # each circuit has them
        np.testing.assert_allclose(modulo(found.values), wanted, rtol=0, atol=EXACT)
    assert (len(found.circuits), found.turns_fully) == (count, turns)
    assert all(limit.kind == "turning point" and limit.groups == (2,) for limit in found.limits)
    for branch in found.branches:
        assert gk.max_residual(branch.motion) < 1e-12


@pytest.mark.parametrize("examples", in_part([5, 12], 2))
def test_random_four_bars(examples):
    drawn = st.lists(st.floats(0.5, 3.0), min_size=4, max_size=4), st.floats(0.0, 6.28)
    settings(max_examples=examples, deadline=None)(given(*drawn)(limits_are_those_of_grashof))()


def limits_are_those_of_grashof(lengths, angle):
    crank, coupler, rocker, frame = lengths
    away = np.sqrt(crank**2 + frame**2 - 2 * crank * frame * np.cos(angle))
    shortest, *_, longest = ordered = sorted(lengths)
    excess = shortest + longest - ordered[1] - ordered[2]
    # away from dead centers at the start, from change points, and from limits that are double
    assume(abs(coupler - rocker) + 1e-2 < away < coupler + rocker - 1e-2)
    assume(abs(excess) > 1e-3)
    assume(min(abs(abs(crank - frame) - abs(coupler - rocker)), abs(crank + frame - coupler - rocker)) > 1e-3)
    found = gk.limits(linkage(crank, coupler, rocker, frame, angle))
    wanted = expected(crank, coupler, rocker, frame, angle)
    assert len(found.circuits) == (2 if excess < 0.0 else 1)  # Grashof (1883)
    assert (len(wanted) == 0) == (len(found.limits) == 0) == found.turns_fully
    for values in (modulo(found.values), wanted):
        others = wanted if values is not wanted else modulo(found.values)
        assert all(min(abs(x - y) for y in others) < EXACT for x in values)


@pytest.mark.smoke
@pytest.mark.parametrize(("offset", "rod"), [(0.0, 0.12), (0.02, 0.12), (0.03, 0.06)])
def test_a_slider_crank_driven_at_either_end(offset, rod):
    crank, angle = 0.05, 1.0
    pin = crank * np.array([np.cos(angle), np.sin(angle)])
    wrist = np.array([pin[0] + np.sqrt(rod**2 - (pin[1] - offset) ** 2), offset])
    joints = [
        gk.Joint("bearing", "R", ("frame", "crank"), point=(0, 0)),
        gk.Joint("pin", "R", ("crank", "rod"), point=tuple(pin)),
        gk.Joint("wrist", "R", ("rod", "piston"), point=tuple(wrist)),
        gk.Joint("bore", "P", ("frame", "piston"), point=tuple(wrist), axis=(1, 0)),
    ]
    bodies = ["frame", "crank", "rod", "piston"]
    by_piston = gk.limits(gk.Mechanism(2, bodies, joints, [gk.Driver("bore", gk.Constant(0.0))]))
    reaches = [np.sqrt(reach**2 - offset**2) for reach in (crank + rod, rod - crank) if reach > offset]
    ends = np.sort([sign * reach - wrist[0] for reach in reaches for sign in (1.0, -1.0)])
    np.testing.assert_allclose(np.sort(by_piston.values), ends, rtol=0, atol=EXACT * rod)
    by_crank = gk.limits(gk.Mechanism(2, bodies, joints, [gk.Driver("bearing", gk.Constant(0.0))]))
    if rod > crank + offset:
        assert (by_crank.values, by_crank.turns_fully, len(by_crank.circuits)) == ((), True, 2)
    else:  # the rod is vertical
        wanted = modulo(tuple(x - angle for x in np.arcsin((offset - rod) / crank) * np.array([1, -1]) + [0, np.pi]))
        np.testing.assert_allclose(modulo(by_crank.values), wanted, rtol=0, atol=EXACT)


def test_a_spatial_four_bar_with_two_balls():
    def crank_end(angle):
        return np.array([0.4 * np.cos(angle), 0.4 * np.sin(angle), 0.0])

    center, x, y = np.array([0.5, 0.1, 0.2]), np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
    radius = 0.5

    def rocker_end(angle):
        return center + radius * (np.cos(angle) * x + np.sin(angle) * y)

    start, other = 0.7, 1.1
    length = float(np.linalg.norm(crank_end(start) - rocker_end(other)))

    def discriminant(angle):
        """Of A cos ψ + B sin ψ = C, the distance of the two ends for a position of the crank."""
        way = center - crank_end(angle)
        a, b = 2 * radius * way @ x, 2 * radius * way @ y
        c = length**2 - way @ way - radius**2
        return a * a + b * b - c * c

    joints = [
        gk.Joint("A", "R", ("ground", "crank"), point=(0, 0, 0), axis=(0, 0, 1)),
        gk.Joint("B", "S", ("crank", "coupler"), point=tuple(crank_end(start))),
        gk.Joint("C", "S", ("coupler", "rocker"), point=tuple(rocker_end(other))),
        gk.Joint("D", "R", ("rocker", "ground"), point=tuple(center), axis=(1, 0, 0)),
    ]
    bodies = ["ground", "crank", "coupler", "rocker"]
    found = gk.limits(gk.Mechanism(3, bodies, joints, [gk.Driver("A", gk.Constant(0.0))]))
    grid = np.linspace(0.0, 2 * np.pi, 721)
    roots = [
        brentq(discriminant, a, b, xtol=1e-15) for a, b in pairwise(grid) if discriminant(a) * discriminant(b) < 0.0
    ]
    assert roots
    np.testing.assert_allclose(
        sorted(set(np.round(modulo(found.values), 9))), modulo(tuple(np.array(roots) - start)), rtol=0, atol=1e-9
    )
    for value in modulo(found.values):
        assert np.abs(np.array(modulo(tuple(np.array(roots) - start))) - value).min() < EXACT
    assert all("rocker" in found.structure.groups[k - 1].bodies for limit in found.limits for k in limit.groups)


def test_a_3rrr_platform_along_one_actuator():
    mechanism = gk.load(EXAMPLES / "planar_3rrr.toml")
    found = gk.limits(mechanism, "O1")
    program = gk.program(mechanism)
    joints = program.geometry.joints
    ends = ("O", 0), ("E", 1), ("M", 0)
    feet, elbows, tops = (np.array([joints[f"{x}{k}"].points[side] for k in (1, 2, 3)]) for x, side in ends)
    arms = np.linalg.norm(tops - elbows, axis=1)
    held = [float(driven.law.at(np.zeros(1))[0, 0]) for driven in program.drivers]

    def turned(angle, vector):
        c, s = np.cos(angle), np.sin(angle)
        return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])

    def gaps(pose, value):
        angles = [value, held[1], held[2]]
        ends = [foot + turned(a, elbow - foot) for foot, elbow, a in zip(feet, elbows, angles, strict=True)]
        return np.array([
            np.sum((tops[0] + pose[:2] + turned(pose[2], top - tops[0]) - end) ** 2) - arm**2
            for top, end, arm in zip(tops, ends, arms, strict=True)
        ])  # fmt: skip

    def singular(z):
        """The gaps of the three legs, and the determinant of their rates by the pose of the platform."""
        step = 1e-30j
        rates = [gaps(z[:3] + step * axis, z[3]).imag / step.imag for axis in np.eye(3)]
        return np.append(gaps(z[:3], z[3]), 10 * np.linalg.det(np.array(rates)))

    assert [driven.joint for driven in program.drivers] == ["O1", "O2", "O3"]
    assert found.limits
    for limit in found.limits:
        branch, end = next((b, k) for b in found.branches for k in (0, 1) if b.limits[k] == limit.number)
        at = -1 if end else 0
        top = branch.motion.point_on("platform", tops[0])[at]
        guess = np.array([*(top - tops[0]), branch.motion.angle("platform")[at], limit.value])
        exact = fsolve(singular, guess, xtol=1e-13)
        assert np.abs(singular(exact)).max() < 1e-12
        assert abs(exact[3] - limit.value) < EXACT
        assert limit.groups == (4,)


def double_four_bar(angle: float = 1.2, spans: tuple[float, float] = (2.0, 2.0)) -> gk.Mechanism:
    """Two parallelograms side by side, three parallel cranks of 1 m."""
    feet = np.cumsum([0.0, *spans])
    points = {f"A{k}": (x, 0.0) for k, x in enumerate(feet)}
    points |= {f"B{k}": (x + np.cos(angle), np.sin(angle)) for k, x in enumerate(feet)}
    joints = [gk.Joint(f"A{k}", "R", ("ground", f"crank {k}"), point=f"A{k}") for k in range(3)]
    joints += [
        gk.Joint("B0", "R", ("crank 0", "coupler 1"), point="B0"),
        gk.Joint("B1", "R", ("coupler 1", "crank 1"), point="B1"),
        gk.Joint("C1", "R", ("crank 1", "coupler 2"), point="B1"),
        gk.Joint("B2", "R", ("coupler 2", "crank 2"), point="B2"),
    ]
    bodies = ["ground", "crank 0", "coupler 1", "crank 1", "coupler 2", "crank 2"]
    return gk.Mechanism(2, bodies, joints, [gk.Driver("A0", gk.Ramp(1.0))], points=points)


def test_change_points_of_a_parallelogram():
    found = gk.limits(linkage(1.0, 3.0, 1.0, 3.0, 0.9))
    np.testing.assert_allclose(modulo(found.values), [np.pi - 0.9, 2 * np.pi - 0.9], rtol=0, atol=EXACT)
    assert [limit.kind for limit in found.limits] == ["change point"] * 2
    assert (len(found.circuits), len(found.branches), found.turns_fully) == (1, 4, True)
    assert "turns fully, through change points" in repr(found)


def test_a_double_four_bar():
    found = gk.limits(double_four_bar())
    np.testing.assert_allclose(modulo(found.values), [np.pi - 1.2, 2 * np.pi - 1.2], rtol=0, atol=EXACT)
    assert all(limit.kind == "change point" and limit.groups == (2, 3) for limit in found.limits)
    # four combinations of parallel and antiparallel, each in two halves, all of which meet where it is flat
    assert (len(found.circuits), len(found.branches), found.turns_fully) == (1, 8, True)


def test_almost_a_parallelogram():
    """Curves that pass each other at 1e-4 are told apart, and not followed across the gap."""
    lengths = (1.0, 3.0, 1.0 + 1e-8, 3.0)
    found = gk.limits(linkage(*lengths, 0.9))
    assert {limit.kind for limit in found.limits} <= {"turning point"}
    shortest, *rest, longest = sorted(lengths)
    assert (shortest + longest < sum(rest)) == (len(found.circuits) == 2)
    for value in modulo(found.values):
        assert np.abs(np.array(expected(*lengths, 0.9)) - value).min() < EXACT


def stephenson(points: dict[str, tuple[float, float]]) -> gk.Mechanism:
    """A Stephenson III six-bar, driven at the crank of its four-bar A, B, C, D; E on the coupler leads to F and G."""
    coupler = gk.Body("coupler", points=["E"])
    joints = [
        gk.Joint("A", "R", ("ground", "crank"), point="A"),
        gk.Joint("B", "R", ("crank", "coupler"), point="B"),
        gk.Joint("C", "R", ("coupler", "rocker"), point="C"),
        gk.Joint("D", "R", ("rocker", "ground"), point="D"),
        gk.Joint("E", "R", ("coupler", "link"), point="E"),
        gk.Joint("F", "R", ("link", "output"), point="F"),
        gk.Joint("G", "R", ("output", "ground"), point="G"),
    ]
    bodies = ["ground", "crank", coupler, "rocker", "link", "output"]
    return gk.Mechanism(2, bodies, joints, [gk.Driver("A", gk.Constant(0.0))], points=points)


def circle_intersections(a, b, first, second):
    """Both points at distances from two others, (2, 2); None where there is none."""
    away = np.linalg.norm(b - a)
    along = (first**2 - second**2 + away**2) / (2 * away)
    square = first**2 - along**2
    if square < 0.0:
        return None
    x, y = (b - a) / away
    return a + along * np.array([x, y]) + np.sqrt(square) * np.array([[-y, x], [y, -x]])


@pytest.mark.exhaustive
def test_branches_of_a_six_bar_are_those_of_dense_tracking():
    points = {"A": (0.0, 0.0), "B": (0.6, 0.8), "C": (3.0, 2.2), "D": (3.4, 0.0)}
    points |= {"E": (1.2, 2.6), "F": (3.6, 3.4), "G": (4.6, 1.2)}
    found = gk.limits(stephenson(points))
    at = {name: np.array(p) for name, p in points.items()}
    lengths = {pair: np.linalg.norm(at[pair[0]] - at[pair[1]]) for pair in ("AB", "BC", "CD", "EF", "FG")}
    c, e = at["C"] - at["B"], at["E"] - at["B"]
    local = np.array([c @ e, c[0] * e[1] - c[1] * e[0]]) / (c @ c)
    start = np.arctan2(at["B"][1], at["B"][0])
    grid = start + np.linspace(0.0, 2 * np.pi, 40_001)
    reach = np.zeros((4, grid.size), bool)
    for k, angle in enumerate(grid):
        b = lengths["AB"] * np.array([np.cos(angle), np.sin(angle)])
        knees = circle_intersections(b, at["D"], lengths["BC"], lengths["CD"])
        for m in range(2) if knees is not None else ():
            along = knees[m] - b
            ee = b + local[0] * along + local[1] * np.array([-along[1], along[0]])
            reach[2 * m : 2 * m + 2, k] = circle_intersections(ee, at["G"], lengths["EF"], lengths["FG"]) is not None
    # each mode of each dyad is a run of positions that can be assembled; runs end in pairs where two modes meet
    inner = reach[:, :-1]
    changes = [np.flatnonzero(row != np.roll(row, 1)) for row in inner]
    assert len(found.branches) == sum(max(len(x) // 2, int(row.all())) for x, row in zip(changes, inner, strict=True))
    ends = sorted((grid[k] - start) % (2 * np.pi) for x in changes[::2] for k in x)
    assert len(found.limits) == len(ends)
    np.testing.assert_allclose(modulo(found.values), ends, rtol=0, atol=2 * np.pi / 40_000)
    assert len(found.circuits) > 1


def test_a_driver_without_a_limit():
    slide = gk.Joint("bore", "P", ("frame", "piston"), point=(0, 0), axis=(1, 0))
    found = gk.limits(gk.Mechanism(2, ["frame", "piston"], [slide], [gk.Driver("bore", gk.Constant(0.1))]))
    assert found.limits == ()
    assert "bore has no limit" in repr(found)
    inside = gk.limits(linkage(3.0, 3.2, 1.0, 4.0, 0.9), start=-0.05, stop=0.05)
    assert inside.limits == ()
    assert "has no limit in its range" in repr(inside)
    assert {end for branch in inside.branches for end in branch.ends} == {"end of the range"}


def test_a_range_cuts_branches_off():
    mechanism = linkage(3.0, 3.2, 1.0, 4.0, 0.9)
    whole, part = gk.limits(mechanism), gk.limits(mechanism, start=0.0, stop=3.0)
    assert set(np.round(part.values, 9)) == {value for value in np.round(whole.values, 9) if 0.0 < value < 3.0}
    assert all(0.0 <= x <= 3.0 for branch in part.branches for x in (branch.start, branch.stop))


def test_a_turn_that_the_range_allows_on_one_side_only():
    found = gk.limits(linkage(1.0, 3.2, 3.0, 4.0, 0.5), stop=0.5)
    assert (found.values, found.turns_fully, len(found.circuits)) == ((), True, 2)
    assert all(branch.ends == ("closed", "closed") for branch in found.branches)


def test_a_mechanism_far_from_the_origin():
    near = linkage(3.0, 3.2, 1.0, 4.0, 0.9)
    points = {name: (x + 1e5, y - 2e5) for name, (x, y) in near.points.items()}
    far = four_bar(points, [gk.Driver("A", gk.Constant(0.0))])
    np.testing.assert_allclose(gk.limits(far).values, gk.limits(near).values, rtol=0, atol=1e-8)


def test_outputs_are_read_along_branches():
    found = gk.limits(linkage(3.0, 3.2, 1.0, 4.0, 0.9))
    for branch in found.branches:
        driven, rocker = branch.motion.read("joint A"), branch.motion.read("joint D")
        np.testing.assert_allclose(driven[[0, -1]], [branch.start, branch.stop], atol=1e-12)
        assert np.abs(np.diff(rocker)).max() < 0.2


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"driver": "b"}, UnknownNameError, "there is no driver 'b'"),
        ({"start": 1.0, "stop": 1.0}, ArgumentError, "from a smaller to a larger"),
        ({"time": float("nan")}, TimesError, "finite number of seconds"),
        ({"start": "x"}, ArgumentError, "start must be a number"),
    ],
)
def test_what_is_refused(options, error, message):
    with pytest.raises(error, match=message):
        gk.limits(FOUR_BAR, **options)


def test_a_range_in_which_nothing_can_be_assembled():
    with pytest.raises(CannotAssembleError, match="group 2"):
        gk.limits(linkage(3.0, 3.2, 1.0, 4.0, 0.9), start=2.0, stop=2.1)


def test_several_drivers_must_be_told_apart():
    with pytest.raises(ArgumentError, match="driver must name one of O1, O2, O3"):
        gk.limits(gk.load(EXAMPLES / "planar_3rrr.toml"))
