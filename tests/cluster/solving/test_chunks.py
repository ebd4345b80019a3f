"""Samples are the same whatever they are solved with; those that fail are recorded with their reason, alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import cluster
import groupkin as gk
import routes
from cluster import AssemblyMode, JointPoint, LawValue, Listed, Normal, Parameter, Point, Quantity
from cluster.solving.chunks import Prepared, prepare, size, solve_chunk, variables
from groupkin.errors import (
    CannotAssembleError,
    FileError,
    LawError,
    ParameterError,
    SingularPositionError,
    SolveError,
    SweepError,
)
from groupkin.kinematics.samples import sample_bands
from groupkin.kinematics.samples.sample_blocks import needed_quantities
from groupkin.kinematics.samples.sample_motions import NO_MODE
from groupkin.mechanism.mechanism import Mechanism
from sglibrary.status import CANNOT_ASSEMBLE, JOINT_OPEN, SINGULAR
from tests.groupkin.dynamics.reactions.test_passed_gears import passing
from tests.support.mechanisms import FOUR_BAR
from tests.support.paths import EXAMPLES

TIMES = np.linspace(0.0, 1.0, 21)
BOX = cluster.Occupancy("P", (-5.0, -5.0), (5.0, 5.0), (7, 9))
KEEP = [
    cluster.TimeHistory(Quantity("position", "P")),
    cluster.PathLength("P"),
    cluster.Conditioning(),
    cluster.Range(Quantity("joint", "c")),
    BOX,
]


def tolerance(draws: int, mechanism: Mechanism = FOUR_BAR, deviation: float = 0.05) -> cluster.Sweep:
    parameters = [Parameter(Point(name), Normal(deviation)) for name in ("B", "C")]
    parameters.append(Parameter(LawValue("a", "rate"), cluster.Uniform(5.0, 7.0)))
    return cluster.sweep(mechanism, parameters, TIMES, KEEP, draws=draws, seed=1)


def parts(prepared: Prepared, edges: list[int]) -> dict[str, np.ndarray]:
    """All variables, solved in chunks."""
    found = [solve_chunk(prepared, start, stop) for start, stop in pairwise(edges)]
    joined = {}
    for one in variables(prepared.sweep):
        arrays = [part[one.name] for part in found]
        joined[one.name] = np.sum(arrays, axis=0) if one.total else np.concatenate(arrays)
    return joined


@pytest.mark.filterwarnings("ignore:.*may lack whole turns")  # of the most unlike samples
def test_chunks_change_no_bit() -> None:
    """Chunks smaller and larger than what is prepared and solved together, 1,024 samples."""
    prepared = prepare(tolerance(2500, deviation=0.5))
    whole = solve_chunk(prepared, 0, 2500)
    assert 0 < np.count_nonzero(whole["status"]) < 1000
    for edges in ([0, 1, 2, 700, 1023, 1024, 1025, 2500], [0, 1500, 1501, 2499, 2500]):
        for name, array in parts(prepared, edges).items():
            np.testing.assert_array_equal(array, whole[name])


@pytest.mark.smoke
def test_bands_change_no_bit() -> None:
    """The same where a band is but a part of what is prepared together."""
    prepared = replace(prepare(tolerance(300)), band=37)
    whole, other = solve_chunk(prepared, 0, 300), parts(prepared, [0, 36, 38, 120, 299, 300])
    for name, array in other.items():
        np.testing.assert_array_equal(array, whole[name])


def test_the_order_of_reading_changes_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each quantity is found by what it is, not by when it was recorded."""
    prepared = prepare(tolerance(40))
    whole = solve_chunk(prepared, 0, 40)
    monkeypatch.setattr(sample_bands, "needed_quantities", lambda variation: needed_quantities(variation)[::-1])
    for name, array in solve_chunk(prepared, 0, 40).items():
        np.testing.assert_array_equal(array, whole[name])


def test_threads_change_no_bit() -> None:
    alone = cluster.solve(tolerance(3000))
    assert alone.identical(cluster.solve(tolerance(3000), workers=3, chunk=251))
    assert alone.identical(cluster.solve(tolerance(3000), workers=routes.threads(2)))


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    cluster.solve(tolerance(10), chunk=4, progress=lambda done, of: told.append((done, of)))
    assert told == [(4, 10), (8, 10), (10, 10)]


def test_long_motions_are_solved_in_tiles() -> None:
    """More times than a block of 128, drivers shared or not; of some samples the end is not reached."""
    times = np.linspace(0.0, 2.0, 1000)
    places = [(3.0, 2.5), (2.6, 2.9), (2.0, 1.2), (2.9, 2.5)]
    keep = [cluster.TimeHistory(Quantity("acceleration", "P"), "motion")]
    for rates in ([6.0] * 4, [3.0, 5.0, 4.0, 6.0]):
        laws = [] if rates[0] == rates[1] else [Parameter(LawValue("a", "rate"), Listed(rates))]
        found = cluster.solve(cluster.sweep(FOUR_BAR, [Parameter(Point("C"), Listed(places)), *laws], times, keep))
        for motion, place, rate, status in zip(found.motion.values, places, rates, found.status.values, strict=True):
            other = replace(FOUR_BAR, points={**FOUR_BAR.points, "C": place}, drivers=[gk.Driver("a", gk.Ramp(rate))])
            expected = gk.solve(other, times, on_failure="nan")
            stop = int(np.argmin(expected.solved)) if status else times.size
            scale = np.nanmax(np.abs(expected.acceleration("P")[:stop]))
            np.testing.assert_allclose(motion[:stop], expected.acceleration("P")[:stop], atol=1e-10 * scale)
            assert np.isnan(motion[stop:]).all()
        assert found.status.values.tolist() == [0, 0, 1, 0]


def test_a_chunk_is_of_whole_bands() -> None:
    prepared = prepare(tolerance(5000))
    assert size(prepared) % prepared.band == 0


def test_one_time_is_enough() -> None:
    sweep = cluster.sweep(FOUR_BAR, [Parameter(Point("C"), Normal(0.01))], [0.1], KEEP[:3], draws=3)
    found = cluster.solve(sweep)
    assert found["P.position"].shape == (3, 1, 2)
    event = cluster.When(Quantity("angle", "crank"), 0.1)
    with pytest.raises(SweepError, match="there is only one"):
        cluster.sweep(FOUR_BAR, [], [0.1], [cluster.At(Quantity("angle", "rocker"), event=event)])
    assert found["path_length.P"].values.tolist() == [0.0, 0.0, 0.0]


# --- failures --------------------------------------------------------------------------------


def failure(mechanism: Mechanism, times: np.ndarray) -> tuple[int, int, float]:
    """Status, group and time by which a mechanism built from scratch fails."""
    try:
        gk.solve(mechanism, times)
    except SolveError as error:
        code = {CannotAssembleError: CANNOT_ASSEMBLE, SingularPositionError: SINGULAR}[type(error)]
        return code, error.group, error.time
    return 0, 0, np.nan


def test_every_failure_is_that_of_the_mechanism_by_itself() -> None:
    sweep = tolerance(60, deviation=0.8)
    found = cluster.solve(sweep)
    ends = []
    for k in range(60):
        points = {**FOUR_BAR.points, **{name: tuple(found[name].values[k]) for name in ("B", "C")}}
        rate = float(found["a.rate"].values[k])
        other = replace(FOUR_BAR, points=points, drivers=[gk.Driver("a", gk.Ramp(rate=rate))])
        ends.append(failure(other, TIMES))
    status, group, time = (np.array(each) for each in zip(*ends, strict=True))
    assert 10 < np.count_nonzero(status) < 50
    np.testing.assert_array_equal(found.status, status)
    np.testing.assert_array_equal(found.failed_group, group)
    np.testing.assert_array_equal(found.failed_time, time)
    lost = np.isnan(found["P.position"].values).all(axis=2)
    np.testing.assert_array_equal(lost, np.where(status == 0, np.inf, time)[:, None] <= TIMES)


FOLDING = gk.Mechanism(
    2,
    ["ground", "slider", "rod", "lever"],
    [
        gk.Joint("a", "P", ("ground", "slider"), point="A", axis=(1, 0)),
        gk.Joint("b", "R", ("slider", "rod"), point="B"),
        gk.Joint("c", "R", ("rod", "lever"), point="C"),
        gk.Joint("d", "R", ("lever", "ground"), point="D"),
    ],
    [gk.Driver("a", gk.Ramp(rate=1.0))],
    points={"A": (0.0, 0.0), "B": (0.0, 0.0), "C": (-0.5, 1.0), "D": (-1.0, 0.0)},
)
"""A slider that draws a dyad straight; D is where it hangs."""


def test_a_singular_position_is_told_from_one_out_of_reach() -> None:
    """The dyad is straight when the slider has come as far as both its bodies are long, at 1 s or between two times."""
    reach = 2 * np.hypot(0.5, 1.0)
    times = np.linspace(0.0, 2.0, 5)
    places = [-1.0, 1.0 - reach * (1 - 1e-14), 1.1 - reach, 1.6 - reach]
    sweep = cluster.sweep(
        FOLDING, [Parameter(Point("D", "ground", "x"), Listed(places))], times, [cluster.Conditioning()]
    )
    found = cluster.solve(sweep)
    # straight at reach - 1 = 1.236 s, at 1 s exactly, at 1.1 s, at 1.6 s
    assert found.status.values.tolist() == [CANNOT_ASSEMBLE, SINGULAR, CANNOT_ASSEMBLE, CANNOT_ASSEMBLE]
    assert found.failed_time.values.tolist() == [1.5, 1.0, 1.5, 2.0]
    assert (found.failed_group.values == 2).all()


TWO_DYADS = gk.Mechanism(
    2,
    ["ground", "crank", "rod", "lever", "link", "arm"],
    [
        *(gk.Joint("a", "R", ("ground", "crank"), point="A"), gk.Joint("b", "R", ("crank", "rod"), point="B")),
        *(gk.Joint("c", "R", ("rod", "lever"), point="C"), gk.Joint("d", "R", ("lever", "ground"), point="D")),
        *(gk.Joint("e", "R", ("lever", "link"), point="C"), gk.Joint("f", "R", ("link", "arm"), point="F")),
        gk.Joint("g", "R", ("arm", "ground"), point="G"),
    ],
    [gk.Driver("a", gk.Ramp(rate=1.0))],
    points={
        "A": (0.0, 0.0),
        "B": (0.5, 0.0),
        "C": (1.0, 1.0),
        "D": (2.0, 0.0),
        "F": (1.3, 1.8),
        "G": (2.0, 2.0),
    },
)
"""The second dyad cannot reach the other position of the first one, below the frame."""


def test_a_mode_that_does_not_assemble() -> None:
    times = np.linspace(0.0, 0.2, 5)
    parameters = [
        Parameter(AssemblyMode("lever"), cluster.Grid([1, 2])),
        Parameter(AssemblyMode("arm"), cluster.Grid([1, 2])),
    ]
    found = cluster.solve(
        cluster.sweep(TWO_DYADS, parameters, times, [cluster.TimeHistory(Quantity("position", "F"), "F")])
    )
    assert found.status.values.tolist() == [0, 0, CANNOT_ASSEMBLE, CANNOT_ASSEMBLE]
    assert found.failed_group.values.tolist() == [0, 0, 3, 3]
    assert found.failed_time.values[2:].tolist() == [0.0, 0.0]
    assert np.isfinite(found["F"].values[:2]).all()
    with pytest.raises(CannotAssembleError):
        gk.solve(TWO_DYADS, times, modes={"lever": 2})


def test_failures_of_iterated_groups() -> None:
    """A mode that was not found, a dimension out of reach, and the mechanism itself between them."""
    mechanism = gk.load(EXAMPLES / "stephenson_six_bar.toml")
    parameters = [
        Parameter(AssemblyMode("coupler"), Listed([1, 99, 1, 1])),
        Parameter(JointPoint("E", "frame"), Listed([(0.111, 0.002), (0.111, 0.002), (0.5, 0.5), (0.111, 0.002)])),
    ]
    times = np.linspace(0.0, 1.0, 7)
    found = cluster.solve(
        cluster.sweep(mechanism, parameters, times, [cluster.TimeHistory(Quantity("position", "coupler"), "x")])
    )
    assert found.status.values.tolist() == [0, NO_MODE, CANNOT_ASSEMBLE, 0]
    assert found.failed_group.values.tolist() == [0, 2, 2, 0]
    expected = gk.solve(mechanism, times).position("coupler")
    for k in (0, 3):
        np.testing.assert_allclose(found.x.values[k], expected, atol=1e-10)
    assert np.isnan(found.x.values[1:3]).all()


UP = (0.0, 0.0, 1.0)
IN_SPACE = gk.Mechanism(
    3,
    ["ground", "crank", gk.Body("coupler", points=["P"]), "rocker"],
    [replace(joint, axis=UP) for joint in FOUR_BAR.joints],
    FOUR_BAR.drivers,
    points={name: (*at, 0.1 * k) for k, (name, at) in enumerate(FOUR_BAR.points.items())},
    name="four-bar in space",
)
"""A loop of the plane, whose four hinges hold each other more often than needed."""


def test_gears_whose_centers_pass_through_each_other_are_read_as_those_of_one_motion() -> None:
    mechanism, times = passing(), np.linspace(0.0, 1.2, 25)
    keep = [
        cluster.TimeHistory(Quantity("joint", "mesh"), "mesh"),
        cluster.TimeHistory(Quantity("joint_rate", "mesh"), "rate"),
    ]
    pins = Listed([(-0.635, -0.318, 0.564 + 0.01 * k) for k in range(3)])
    found = cluster.solve(cluster.sweep(mechanism, [Parameter(JointPoint("pin"), pins)], times, keep))
    alone = gk.solve(mechanism, times)
    assert (found["mesh"].values[:, -1, 1] < -0.3).all()
    np.testing.assert_allclose(found["mesh"][0].values.T, alone.joint("mesh"), rtol=0, atol=1e-11)
    np.testing.assert_allclose(found["rate"][0].values.T, alone.joint_rate("mesh"), rtol=0, atol=1e-10)


def test_other_dimensions_of_a_loop_with_repeated_rows() -> None:
    """Within its plane it moves as in the plane. Out of it a hinge opens, unless both bodies go along."""
    plane, keep = [(3.0, 2.5), (2.9, 2.6), (2.0, 1.2)], [cluster.TimeHistory(Quantity("position", "P"), "path")]
    expected = cluster.solve(cluster.sweep(FOUR_BAR, [Parameter(Point("C"), Listed(plane))], TIMES, keep))
    places = [(*place, 0.2) for place in plane]
    found = cluster.solve(cluster.sweep(IN_SPACE, [Parameter(Point("C"), Listed(places))], TIMES, keep))
    np.testing.assert_allclose(found["path"].values[..., :2], expected["path"], atol=1e-11)
    assert expected.status.values.tolist() == found.status.values.tolist() == [0, 0, 1]
    np.testing.assert_array_equal(found.failed_time, expected.failed_time)
    heights = Listed([0.2, 0.2 + 1e-6, 0.3])
    for body, status in (("", [0, 0, 0]), ("coupler", [0, JOINT_OPEN, JOINT_OPEN])):
        found = cluster.solve(cluster.sweep(IN_SPACE, [Parameter(Point("C", body, "z"), heights)], TIMES, keep))
        assert found.status.values.tolist() == status
        assert np.isfinite(found["path"].values).all(axis=(1, 2)).tolist() == [code == 0 for code in status]
    axes = Listed([UP, (0.01, 0.0, 1.0)])
    found = cluster.solve(cluster.sweep(IN_SPACE, [Parameter(cluster.Axis("c"), axes)], TIMES, keep))
    assert found.status.values.tolist() == [0, JOINT_OPEN]
    draws = cluster.Normal(1e-3)
    with pytest.raises(ParameterError, match=r"^`C@coupler.z` opens joints .* coupler.* must change together"):
        cluster.sweep(IN_SPACE, [Parameter(Point("C", "coupler"), draws)], TIMES, keep)
    flat = cluster.sweep(IN_SPACE, [Parameter(Point("C", "coupler", "x"), draws)], TIMES, keep, draws=3)
    assert not cluster.solve(flat).status.any()


PARALLEL = gk.Mechanism(
    2,
    ["ground", "one", "two", "three", "bar"],
    [
        joint
        for name, x, y in (("one", 0.0, 0.0), ("two", 2.0, 0.0), ("three", 3.1, 0.2))
        for joint in (
            gk.Joint(f"foot of {name}", "R", ("ground", name), point=(x, y)),
            gk.Joint(f"head of {name}", "R", (name, "bar"), point=(x + 0.3, y + 0.9)),
        )
    ],
    [gk.Driver("foot of one", gk.Ramp(rate=1.0))],
)


def test_a_bar_too_many_blocks_the_motion() -> None:
    """A foot elsewhere closes where the linkage is drawn only; moved along with the head it changes nothing."""
    parameters = [
        Parameter(JointPoint("foot of two"), Listed([(2.0, 0.0), (2.01, 0.0), (2.1, 0.1)])),
        Parameter(JointPoint("head of two"), Listed([(2.3, 0.9), (2.3, 0.9), (2.4, 1.0)])),
    ]
    keep = [cluster.TimeHistory(Quantity("position", "bar"), "path")]
    found = cluster.solve(cluster.sweep(PARALLEL, parameters, TIMES, keep))
    assert found.status.values.tolist() == [0, JOINT_OPEN, 0]
    assert found.failed_time.values[1] == TIMES[1]
    np.testing.assert_allclose(found["path"][0], gk.solve(PARALLEL, TIMES).position("bar"), atol=1e-12)


def test_a_middle_rotation_that_reaches_a_quarter_turn_fails_alone() -> None:
    mechanism = gk.load(EXAMPLES / "stewart_inverse.toml")
    parameter = Parameter(LawValue("pose", "offset", freedom="angle_y"), Listed([0.1, 1.6, -0.1]))
    found = cluster.solve(cluster.sweep(mechanism, [parameter], TIMES, [cluster.Conditioning()]))
    assert found.status.values.tolist() == [0, SINGULAR, 0]
    assert found.failed_group.values.tolist() == [0, 1, 0]
    alone = replace(parameter, varies=Listed([1.6]))
    assert cluster.solve(cluster.sweep(mechanism, [alone], TIMES, [])).status.values.tolist() == [SINGULAR]
    law = replace(mechanism.drivers[4].law, offset=1.6)  # type: ignore[type-var]
    drivers = [replace(one, law=law) if k == 4 else one for k, one in enumerate(mechanism.drivers)]
    nowhere = replace(mechanism, drivers=drivers)
    with pytest.raises(LawError, match="second rotation"):
        cluster.solve(cluster.sweep(nowhere, [Parameter(Point("T"), Normal(0.01))], TIMES, []))


def test_times_are_told_where_nothing_is_kept_along_them() -> None:
    sweep = cluster.sweep(FOUR_BAR, [Parameter(Point("P"), Normal(0.1))], TIMES, [cluster.Conditioning()])
    found = cluster.solve(sweep)
    np.testing.assert_array_equal(found.time, TIMES)
    assert found.time.attrs["units"] == "s"


def test_what_cannot_be_mapped_is_refused() -> None:
    with pytest.raises(FileError, match=r"four_bar\.sweep\.toml: there is no such file"):
        cluster.solve("four_bar.sweep.toml")  # type: ignore[arg-type]
    with pytest.raises(SweepError, match="workers must be a whole number from 1 to 1024"):
        cluster.solve(tolerance(3), workers=0)
    with pytest.raises(SweepError, match=r"GB, and this machine has .* GB of memory; keep less"):
        cluster.solve(tolerance(10**12))


def test_a_sweep_without_parameters_is_one_sample() -> None:
    motion = gk.solve(FOUR_BAR, [0.0, 0.1, 0.2])
    found = cluster.solve(cluster.sweep(FOUR_BAR, [], motion.times, [cluster.Minimum("position P.y")]))
    assert float(found["minimum.P.position.y"].item()) == motion.position("P")[:, 1].min()
