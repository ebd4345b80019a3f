"""Rises and sequences of them: published peaks, closed forms, limits that are met, and what is refused."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import FileError, LawError
from groupkin.mechanism.files.reading import parse
from groupkin.mechanism.laws.profiles import peaks, profile
from groupkin.mechanism.laws.rises import JUMPING, KINDS, LIMITS, Kind, Rise
from groupkin.mechanism.laws.sequences import ConstantVelocity, Dwell, Sequence

Array = NDArray[np.float64]
PUBLISHED = {
    "cycloid": (2.0, 6.2832, 39.478),
    "modified sine": (1.7596, 5.5280, 69.466),
    "modified trapezoid": (2.0, 4.8881, 61.426),
    "3-4-5": (1.875, 5.7735, 60.0),
    "4-5-6-7": (2.1875, 7.5132, 52.5),
    "simple harmonic": (1.5708, 4.9348, math.inf),
    "trapezoid": (1.5, 4.5, math.inf),
    "s-curve": (1.5, 6.75, 60.75),
}
"""Peak speed, acceleration and jerk of a rise of 1 in 1 s: Norton (2009), table 3-2, and VDI 2143."""

FRACTIONS = np.linspace(0.0, 1.0, 4001)


def modified_sine(u: Array) -> Array:
    """Norton (2009), equations 3.18."""
    b = math.pi / (4 + math.pi)
    first = b * (u - np.sin(4 * math.pi * u) / (4 * math.pi))
    middle = 2 / (4 + math.pi) + b * u - 9 / (4 * (4 + math.pi)) * np.sin((math.pi + 4 * math.pi * u) / 3)
    last = 4 / (4 + math.pi) + b * u - np.sin(4 * math.pi * u) / (4 * (4 + math.pi))
    return np.where(u < 1 / 8, first, np.where(u < 7 / 8, middle, last))


CLOSED = {
    "cycloid": lambda u: u - np.sin(2 * np.pi * u) / (2 * np.pi),
    "simple harmonic": lambda u: 0.5 - 0.5 * np.cos(np.pi * u),
    "modified sine": modified_sine,
    "3-4-5": lambda u: 10 * u**3 - 15 * u**4 + 6 * u**5,
    "4-5-6-7": lambda u: 35 * u**4 - 84 * u**5 + 70 * u**6 - 20 * u**7,
}


@pytest.mark.parametrize("kind", CLOSED)
def test_profiles_are_their_closed_forms(kind: Kind) -> None:
    found = Rise(kind, 1.0, 1.0).at(FRACTIONS)[0]
    np.testing.assert_allclose(found, CLOSED[kind](FRACTIONS.astype(np.longdouble)), rtol=0, atol=4e-16)


@pytest.mark.smoke
@pytest.mark.parametrize("kind", KINDS)
def test_peaks_are_the_published_ones(kind: Kind) -> None:
    law = Rise(kind, 1.0, 1.0)
    computed = peaks(kind, law.proportions)
    np.testing.assert_allclose(computed, PUBLISHED[kind], rtol=2e-5)
    along = np.abs(law.slope(FRACTIONS[:-1] + 1e-12)).max(axis=1)
    np.testing.assert_allclose(along[:2], computed[:2], rtol=1e-5)
    if computed.jerk < math.inf:
        np.testing.assert_allclose(along[2], computed[2], rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_rise_rests_before_and_after(kind: Kind) -> None:
    law = Rise(kind, -0.9, 0.4, start=0.2, begin=1.5)
    value, rate, gain = law.at([-3.0, 1.5 - 1e-9, 1.9 + 1e-9, 7.0])
    np.testing.assert_array_equal(value, [0.2, 0.2, 0.2 - 0.9, 0.2 - 0.9])
    assert not rate.any()
    assert not gain.any()
    value, rate, gain = law.at([1.5, np.nextafter(1.9, 0.0)])
    np.testing.assert_allclose(value, [0.2, -0.7], atol=1e-15)
    np.testing.assert_allclose(rate, 0.0, atol=1e-13)
    if kind not in JUMPING:
        np.testing.assert_allclose(gain, 0.0, atol=2e-12)
    if kind == "4-5-6-7":
        np.testing.assert_allclose(law.slope(np.array([1.5, 1.9 - 1e-13]))[2], 0.0, atol=1e-8)


@pytest.mark.parametrize("kind", KINDS)
def test_the_sections_of_a_profile_meet(kind: Kind) -> None:
    parts = profile(kind, Rise(kind, 1.0, 1.0).proportions)
    assert math.fsum(width for width, _ in parts) == pytest.approx(1.0, abs=1e-15)
    orders = 2 if kind in JUMPING else 3
    for (width, before), (_, after) in pairwise(parts):
        for order in range(orders):
            end = np.polynomial.polynomial.polyval(width, np.polynomial.polynomial.polyder(before, order))
            assert abs(end - math.factorial(order) * (after[order] if order < after.size else 0.0)) < 1e-13


# --- limits ----------------------------------------------------------------------------------


def along(law: Rise) -> Array:
    """Speed, acceleration and jerk inside of the phases of a rise."""
    ends = np.concatenate([[0.0], np.cumsum(law.proportions)])
    inside = [low + (high - low) * np.linspace(0.01, 0.99, 9) for low, high in pairwise(ends) if high - low > 1e-9]
    return np.abs(law.slope(np.concatenate(inside)))


POSITIVE = st.floats(0.01, 100.0)


@given(POSITIVE, POSITIVE, POSITIVE, POSITIVE, st.sampled_from(["", "speed", "acceleration"]))
def test_an_s_curve_is_the_fastest(rise: float, speed: float, acceleration: float, jerk: float, free: str) -> None:
    """Some limit is reached at every time, and the motion ends at rest where it is to end."""
    limits = {"speed": speed, "acceleration": acceleration, "jerk": jerk}
    limits.pop(free, None)
    law = Rise("s-curve", rise, **limits)
    rates = along(law)
    bounds = np.array([[limits.get(name, math.inf)] for name in LIMITS])
    assert (rates <= bounds * (1 + 1e-9)).all()
    assert (rates >= bounds * (1 - 1e-9)).any(axis=0).all()
    assert law.at([law.time])[0, 0] == pytest.approx(rise, rel=1e-12)


@given(POSITIVE, POSITIVE, POSITIVE, st.booleans())
def test_a_trapezoid_is_the_fastest(rise: float, speed: float, acceleration: float, fast: bool) -> None:
    law = Rise("trapezoid", -rise, speed=None if fast else speed, acceleration=acceleration)
    least = 2 * math.sqrt(rise / acceleration)  # of short moves, which do not reach the speed
    if not fast and rise > speed**2 / acceleration:
        least = rise / speed + speed / acceleration
    assert law.time == pytest.approx(least, rel=1e-12)
    rates = law.slope(np.linspace(0.0, law.time, 1001))
    assert np.abs(rates[1]).max() == pytest.approx(acceleration, rel=1e-9)
    if not fast:
        assert np.abs(rates[0]).max() <= speed * (1 + 1e-9)


def test_an_s_curve_of_each_case() -> None:
    """L. Biagiotti and C. Melchiorri (2008), section 3.4: which limits are reached."""
    time = {
        (10.0, 5.0, 10.0, 30.0): 2.0 + 5 / 10 + 10 / 30,  # all of them
        (10.0, 1.0, 10.0, 30.0): 10.0 + 2 * math.sqrt(1 / 30),  # speed, but not acceleration
        (10.0, 100.0, 10.0, 30.0): 1 / 3 + math.sqrt(1 / 9 + 4.0),  # acceleration, but not speed
        (0.1, 5.0, 10.0, 30.0): 4 * math.cbrt(0.1 / 60),  # jerk alone
    }
    for (rise, speed, acceleration, jerk), expected in time.items():
        law = Rise("s-curve", rise, speed=speed, acceleration=acceleration, jerk=jerk)
        assert law.time == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("trapezoid", "s-curve")])
@pytest.mark.parametrize("limit", LIMITS)
def test_the_shortest_duration_meets_its_limit(kind: Kind, limit: str) -> None:
    if kind in JUMPING and limit == "jerk":
        return
    law = Rise(kind, -3.0, **{limit: 7.0})
    top = np.abs(law.slope(law.time * FRACTIONS)).max(axis=1)[LIMITS.index(limit)]
    assert top == pytest.approx(7.0, rel=1e-5)
    assert Rise(kind, -3.0, law.time, **{limit: 7.0}).time == law.time
    with pytest.raises(LawError, match=rf"the {limit} reaches 7.*, more than the limit 7; give it .* s or more"):
        Rise(kind, -3.0, 0.999 * law.time, **{limit: 7.0})


def test_the_strictest_limit_counts() -> None:
    each = [Rise("cycloid", 3.0, **{name: 2.0}).time for name in LIMITS]  # type: ignore[arg-type]
    assert Rise("cycloid", 3.0, speed=2.0, acceleration=2.0, jerk=2.0).time == max(each)


def test_no_rise_within_limits_takes_no_time() -> None:
    for kind in KINDS:
        law = Rise(kind, 0.0, start=0.3, acceleration=1.0, jerk=None if kind in JUMPING else 1.0)
        np.testing.assert_array_equal(law.at([-1.0, 0.0, 1.0]), [[0.3] * 3, [0.0] * 3, [0.0] * 3])


def test_shares_are_phases_of_the_duration() -> None:
    value, rate, gain = Rise("trapezoid", 1.0, 4.0, shares=(1, 1, 2)).at([0.5, 1.5, 3.0])
    speed = 1.0 / (0.5 + 1.0 + 1.0)
    np.testing.assert_allclose(rate, [speed / 2, speed, speed / 2], rtol=1e-14)
    np.testing.assert_allclose(gain, [speed, 0.0, -speed / 2], atol=1e-15)
    assert value[1] == pytest.approx(speed * (0.5 + 0.5))
    assert Rise("s-curve", 1.0, 4.0, shares=(0, 1, 0, 1, 0, 2, 0)).at([0.3]) == pytest.approx(
        Rise("trapezoid", 1.0, 4.0, shares=(1, 1, 2)).at([0.3])
    )
    assert peaks("s-curve", (0, 1, 0, 1, 0, 2, 0)).jerk == math.inf
    assert peaks("s-curve", (1, 0, 1, 0, 1, 0, 1)).jerk == pytest.approx(32.0)  # two ramps of 1/4 up, two down


# --- sequences -------------------------------------------------------------------------------


def test_a_timing_diagram() -> None:
    law = Sequence([Rise("cycloid", 90.0, 1.0), Dwell(0.5), Rise("3-4-5", -90.0, 1.0)], start=10.0, begin=0.2)
    np.testing.assert_allclose(law.at([0.0, 0.7, 1.2, 1.5, 2.2, 3.0])[0], [10, 55, 100, 100, 55, 10], atol=1e-12)
    assert not law.at([0.1, 1.3, 1.6, 2.8])[1:].any()


def test_a_periodic_sequence_repeats() -> None:
    law = Sequence([Rise("cycloid", 90.0, 1.0), Dwell(0.5), Rise("3-4-5", -90.0, 1.0)], begin=0.3, periodic=True)
    t = np.linspace(0.0, 2.4, 25)
    np.testing.assert_allclose(law.at(t + 4 * 2.5), law.at(t), atol=1e-10)
    np.testing.assert_allclose(law.at(t - 2.5), law.at(t), atol=1e-10)


def test_an_indexing_sequence_goes_on_from_where_it_ended() -> None:
    law = Sequence([Rise("modified sine", 0.25, 0.3), Dwell(0.7)], start=1.0, periodic=True)
    np.testing.assert_allclose(law.at([-0.1, 0.15, 0.5, 1.5, 100.5])[0], [1.0, 1.125, 1.25, 1.5, 26.25], rtol=1e-14)


@pytest.mark.parametrize("kind", ["3-4-5", "4-5-6-7"])
def test_polynomials_meet_constant_velocity(kind: Kind) -> None:
    law = Sequence([Rise(kind, 0.2, 0.4), ConstantVelocity(1.0, 0.5), Rise(kind, 0.3, 0.6), Dwell(1.0)])
    for time, speed in ((0.4, 2.0), (0.9, 2.0), (0.0, 0.0), (1.5, 0.0)):
        for near in (time - 1e-12, time + 1e-12):
            assert law.at([near])[1:, 0] == pytest.approx([speed, 0.0], abs=1e-8)
    np.testing.assert_allclose(law.at([0.4, 0.65, 0.9, 1.5])[0], [0.2, 0.7, 1.2, 1.5], rtol=1e-14)
    if kind == "4-5-6-7":  # no jerk there either
        h = 1e-4
        assert abs(law.at([0.4 - h])[2, 0]) < 2e4 * h**2


def test_constant_velocity_at_the_ends_goes_on() -> None:
    law = Sequence([ConstantVelocity(1.0, 0.5), Rise("3-4-5", 0.5, 0.5)], start=0.1)
    np.testing.assert_allclose(law.at([-1.0, 0.0, 0.25, 9.0])[:2], [[-1.9, 0.1, 0.6, 1.6], [2.0, 2.0, 2.0, 0.0]])
    around = Sequence([ConstantVelocity(1.0, 0.5), Rise("3-4-5", 0.5, 0.5)], periodic=True)
    assert around.speeds == (2.0, 2.0, 2.0)
    np.testing.assert_allclose(around.at([0.0, 0.9999999, 1.0, 7.25])[1], 2.0, rtol=1e-6)


def test_limits_of_pieces() -> None:
    law = Sequence([Rise("s-curve", 1.0, speed=1.0, acceleration=4.0, jerk=40.0), Rise("cycloid", -1.0, speed=2.0)])
    first, _ = law.pieces
    assert isinstance(first, Rise)
    assert law.at([first.time])[0, 0] == pytest.approx(1.0)
    assert np.abs(law.at(np.linspace(0, first.time, 2001))[1]).max() == pytest.approx(1.0)
    assert law.linear == ()


# --- refusals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        ("parabola", {"duration": 1.0}, r"Rise: kind must be 'cycloid', .* or 's-curve', not 'parabola'"),
        ("cycloid", {}, r"cycloid: state a `duration`, or limits by `speed`, `acceleration` and `jerk`"),
        ("cycloid", {"duration": 0.0}, r"cycloid: its duration must be from 1e-12 s to 1e\+12 s, not 0 s"),
        ("cycloid", {"duration": -1.0}, r"not -1 s"),
        ("cycloid", {"duration": np.nan}, r"Rise: duration must be finite numbers, not nan"),
        ("cycloid", {"speed": 1e-40}, r"cycloid: its duration must be from .* not 2e\+40 s"),
        ("s-curve", {"rise": 5e-324, "jerk": 1.0}, r"s-curve: its duration must be from .* not 0 s"),
        ("cycloid", {"speed": -1.0}, r"cycloid: speed is a limit, which must be at least 1e-50, not -1"),
        ("cycloid", {"duration": 1.0, "shares": (1, 1, 1)}, r"has no phases, .* are trapezoid and s-curve"),
        ("simple harmonic", {"jerk": 5.0}, r"jumps, so no duration keeps a jerk of 5; .* take a modified sine"),
        ("s-curve", {"jerk": 5.0, "duration": 1.0, "shares": (0, 1, 0, 1, 0, 1, 0)}, r"no duration keeps a jerk of 5"),
        ("trapezoid", {"jerk": 5.0, "duration": 1.0}, r"leave `jerk` out, or take an s-curve"),
        ("trapezoid", {"speed": 5.0}, r"its acceleration needs a limit if no duration is stated"),
        ("s-curve", {"speed": 5.0, "acceleration": 1.0}, r"its jerk needs a limit .*; state `jerk` or `duration`"),
        (
            "s-curve",
            {"duration": 1.0, "shares": (1, 1, 1)},
            r"shares must be 7 numbers, each 0 .*not \(1.0, 1.0, 1.0\)",
        ),
        ("trapezoid", {"duration": 1.0, "shares": (1, -1, 1)}, r"shares must be 3 numbers, each 0 or"),
        ("trapezoid", {"duration": 1.0, "shares": (0, 1, 1)}, r"shares must leave time to speed up and to slow down"),
        ("trapezoid", {"duration": 1.0, "shares": (0, 0, 0)}, r"shares must leave time"),
        ("trapezoid", {"acceleration": 1.0, "shares": (1, 1, 1)}, r"the limits tell its phases; leave `shares` out"),
        (
            "cycloid",
            {"duration": 1.0, "speed": 1.0},
            r"cycloid: in a rise of 1 in 1 s the speed reaches 2, more than the limit 1; give it 2 s or more, or leave",
        ),
        ("cycloid", {"duration": 1.0, "acceleration": 2.0}, r"the acceleration reaches 6.28319, more .* 1.77245 s"),
    ],
)
def test_rises_that_are_refused(kind: Any, values: dict[str, Any], message: str) -> None:
    with pytest.raises(LawError, match=message):
        Rise(kind, **{"rise": 1.0} | values)


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ([], r"Sequence: takes no time"),
        ([Rise("cycloid", 0.0, speed=1.0)], r"Sequence: takes no time; give it a piece that rises or dwells"),
        ([3.0], r"Sequence: pieces\[0\] must be a Rise"),
        ([Dwell(1.0), Rise("cycloid", 1.0, 1.0, 0.1)], r"pieces\[1\] \(cycloid\) has a `start` or `begin` of its own"),
        (
            [Rise("cycloid", 1.0, 1.0), ConstantVelocity(1.0, 2.0)],
            r"pieces\[0\] ends at a speed of 0, but pieces\[1\] begins at 0.5; put a 3-4-5 or 4-5-6-7 between them",
        ),
        ([ConstantVelocity(1.0, 1.0), ConstantVelocity(1.0, 2.0)], r"ends at a speed of 1, but pieces\[1\]"),
        ([ConstantVelocity(1.0, 1.0), Rise("3-4-5", 1.0, speed=9.0)], r"pieces\[1\] \(3-4-5\) has limits"),
    ],
)
def test_sequences_that_are_refused(pieces: Any, message: str) -> None:
    with pytest.raises(LawError, match=message):
        Sequence(pieces)


def test_a_periodic_sequence_that_does_not_close_is_refused() -> None:
    with pytest.raises(LawError, match=r"pieces\[1\] ends at a speed of 0, but pieces\[0\] begins at 1"):
        Sequence([ConstantVelocity(1.0, 1.0), Rise("3-4-5", 1.0, 1.0), Dwell(1.0)][::2], periodic=True)


def test_pieces_that_take_no_time_are_refused() -> None:
    for kind, values in ((Dwell, (0.0,)), (ConstantVelocity, (1.0, 0.0))):
        with pytest.raises(LawError, match="its duration must be from"):
            kind(*values)
    with pytest.raises(LawError, match="ConstantVelocity: rise must be finite numbers"):
        ConstantVelocity(math.inf, 1.0)


# --- in files --------------------------------------------------------------------------------


def law_of(law: dict[str, Any], folder: Path = Path()) -> Any:
    joint = {"name": "A", "type": "R", "bodies": ["frame", "table"], "point": [0, 0]}
    head = {"dimension": 2, "units": {"angle": "deg"}, "bodies": ["frame", "table"], "joints": [joint]}
    return parse({**head, "drivers": [{"joint": "A", "law": law}]}, folder).drivers[0].law


def test_numbers_of_files_are_in_their_units() -> None:
    law = law_of({"type": "s-curve", "rise": 90, "speed": 45, "acceleration": 180, "jerk": 900, "start": 180})
    expected = Rise("s-curve", math.pi / 2, None, math.pi, 0.0, math.pi / 4, math.pi, 5 * math.pi)
    np.testing.assert_allclose(law.at(FRACTIONS), expected.at(FRACTIONS), rtol=1e-12, atol=1e-12)


TIMING = """# of the table
duration, rise, law
1.0, 90, cycloid
0.5, 0, dwell
0.5, -30, 3-4-5
1.0, -60, constant velocity
"""


def test_a_timing_table(tmp_path: Path) -> None:
    (tmp_path / "timing.csv").write_text(TIMING)
    law = law_of({"type": "sequence", "csv": "timing.csv", "start": 45}, tmp_path)
    degree = math.pi / 180
    turns = (Rise("cycloid", 90 * degree, 1.0), Dwell(0.5), Rise("3-4-5", -30 * degree, 0.5))
    assert law == Sequence([*turns, ConstantVelocity(-60 * degree, 1.0)], start=45 * degree)
    (tmp_path / "timing.csv").write_text("law;t;h;note\ncycloid;1;90;up\ndwell;2;0;\n")
    law = law_of({"type": "sequence", "csv": "timing.csv", "columns": ["t", "h", "law"]}, tmp_path)
    assert law == Sequence([turns[0], Dwell(2.0)])
    (tmp_path / "timing.csv").write_text("1,90,cycloid\n")
    assert law_of({"type": "sequence", "csv": "timing.csv"}, tmp_path) == Sequence([turns[0]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "timing.csv has no samples"),
        ("duration,rise,law\n", "timing.csv has no samples"),
        ("1,90\n", "timing.csv has 2 columns, not 3"),
        ("1,90,cycloid\n1,90,bounce\n", r"timing.csv, line 2: its type must be cycloid, .* or dwell"),
        ("1,90\n2,3,cycloid\n", "line 2: there are 3 cells for 2 columns"),
        ("1,90,cycloid\n2,3\n", "line 2: its type must be"),
        ("1,90,dwell\n", "line 1: a dwell must have a rise of 0"),
        ("1,,cycloid\n", "line 1, column 2: must be a finite number"),
        ("0,90,cycloid\n", "timing.csv, line 1: cycloid: its duration must be"),
    ],
)
def test_timing_tables_that_are_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "timing.csv").write_text(text)
    with pytest.raises(LawError, match=r"drivers\[0\].law \(joint 'A'\): .*" + message):
        law_of({"type": "sequence", "csv": "timing.csv"}, tmp_path)


@pytest.mark.parametrize(
    ("law", "message"),
    [
        ({"type": "sequence"}, "a sequence has either `pieces` or `csv`"),
        ({"type": "sequence", "pieces": [], "csv": "a.csv"}, "at least 1 item"),
        (
            {"type": "sequence", "pieces": [{"type": "ramp", "rate": 3}]},
            r"unknown type 'ramp' \(did you mean constant velocity\?\); the types are cycloid",
        ),
        ({"type": "sequence", "pieces": [{"type": "cycloid", "rise": 1, "begin": 2}]}, "unknown key 'begin'"),
        ({"type": "cycloid", "rise": 1, "duration": 0}, "must be greater than 0, not 0"),
        ({"type": "cycloidal", "rise": 1}, r"unknown type 'cycloidal' \(did you mean cycloid\?\)"),
        ({"type": "motion program"}, r"unknown type 'motion program' \(did you mean sequence\?\)"),
    ],
)
def test_laws_of_files_that_are_refused(law: dict[str, Any], message: str) -> None:
    with pytest.raises(FileError, match=message):
        law_of(law)


# --- in motions ------------------------------------------------------------------------------


def crank(law: gk.Rise | gk.Sequence, **more: Any) -> gk.Mechanism:
    body = gk.Body("arm", mass=2.0, center=(0.3, 0.0), inertia=0.1, points={"P": (1.0, 0.0)})
    joint = gk.Joint("A", "R", ("frame", "arm"), point=(0.0, 0.0))
    return gk.Mechanism(2, ["frame", body], [joint], [gk.Driver("A", law)], **more)


TIMES = np.linspace(0.0, 2.0, 41)
DESIGNED = [
    (Rise("cycloid", 0.7, 1.2, begin=0.1), {"rise": 0.9, "duration": 1.5, "begin": 0.3}),
    (Rise("trapezoid", 0.7, acceleration=3.0), {"rise": -0.9, "acceleration": 2.0}),
    (Rise("trapezoid", 0.7, 1.0, shares=(1, 1, 1)), {"shares[1]": 2.0}),
    (
        Sequence([Rise("3-4-5", 0.3, 0.4), ConstantVelocity(0.5, 0.5), Rise("3-4-5", 0.2, 0.6)], periodic=True),
        {"rise[1]": -0.9, "duration[0]": 0.5, "start": 0.2},
    ),
]


@pytest.mark.parametrize(("law", "values"), DESIGNED, ids=["cycloid", "limits", "shares", "sequence"])
def test_numbers_of_rises_vary(law: gk.Rise | gk.Sequence, values: dict[str, float]) -> None:
    design = gk.design(crank(law), [f"{name} A" for name in values])
    one = design.solve(list(values.values()), TIMES).angle("arm")
    other = law
    for name, value in values.items():
        field, _, index = name.rstrip("]").partition("[")
        numbers: Any = value
        if index:
            numbers = [value if k == int(index) else x for k, x in enumerate(other.numbers[field])]
        other = other.changed(field, numbers)
    np.testing.assert_allclose(one, gk.solve(crank(other), TIMES).angle("arm"), rtol=0, atol=1e-14)
    many = design.solve([design.nominal, list(values.values())], TIMES, keep=["angle arm"]).read("angle arm")
    np.testing.assert_allclose(many[1], one, rtol=0, atol=1e-13)


def test_a_number_that_a_piece_lacks_is_refused() -> None:
    law = Sequence([Rise("cycloid", 0.3, speed=1.0), Dwell(0.5)])
    for text, message in (
        ("duration[0] A", r"pieces\[0\] of the Sequence of joint 'A' has no 'duration'"),
        ("rise[1] A", r"pieces\[1\] of the Sequence of joint 'A' has no 'rise'"),
        ("jerk A", "it has start, begin, rise, duration, speed"),
        ("rise A", "needs an `index` from 0 to 1"),
    ):
        with pytest.raises(gk.GroupkinError, match=message):
            gk.design(crank(law), [text])


def test_simulations_and_forces_follow_rises() -> None:
    """A free body pushed by a force whose law is a rise; the driven one needs the torque of its inertia."""
    law = Rise("modified trapezoid", 0.8, 1.0)
    forces = gk.inverse_dynamics(crank(law), TIMES)
    torque = (0.1 + 2.0 * 0.3**2) * law.at(TIMES)[2]
    np.testing.assert_allclose(forces.driver("A"), torque, atol=1e-12)
    push = gk.Torque("push", "arm", 1.0, Sequence([Rise("cycloid", 1.0, 1.0), Rise("cycloid", -1.0, 1.0)]))
    free = replace(crank(law), drivers=[], forces=[push])
    turned = gk.simulate(free, TIMES).angle("arm")
    # twice the integral of a cycloid up and down again, over the moment of inertia
    assert turned[-1] == pytest.approx(1.0 / 0.28, rel=1e-6)
