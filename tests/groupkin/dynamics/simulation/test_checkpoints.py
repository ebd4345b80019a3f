"""Simulations that are killed and taken up again: the same bits; checkpoints of something else; other starts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

import numpy as np
import pytest

import groupkin as gk
from groupkin.dynamics.simulation import checkpoints
from groupkin.errors import ArgumentError, CheckpointError, GroupkinError
from groupkin.resumable_files import HEADER, ResumableFile
from tests.groupkin.dynamics.simulation.test_coordinate_changes import NO_LINK_TURNS, swinging
from tests.groupkin.dynamics.simulation.test_ends_of_simulations import wheel
from tests.groupkin.dynamics.simulation.test_integrators import stiff_four_bar
from tests.groupkin.dynamics.simulation.test_orientations import top
from tests.groupkin.dynamics.simulation.test_simulation import parallelogram, pendulum
from tests.support.examples import described
from tests.support.loaded import loaded


class Killed(BaseException):
    """What nothing catches."""


@pytest.fixture(autouse=True)
def _always_due(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "EVERY", 0.0)


def killed_at(time: float) -> Callable[[float], None]:
    def told(now: float) -> None:
        if now >= time:
            raise Killed

    return told


def newton() -> gk.Mechanism:
    mechanism = loaded(described("assur_class_three").mechanism)
    return replace(mechanism, drivers=[replace(driver, law=None) for driver in mechanism.drivers], forces=[])


def stopped() -> gk.Mechanism:
    """A pendulum that bumps against two stops."""
    still = pendulum()
    joints = [replace(still.joints[0], range=(-0.5, 0.7))]
    return replace(still, joints=joints, forces=[gk.Stop("bump", "pin", stiffness=500.0, damping=0.1)])


EVENTS = [gk.Event("level", "angle coupler", 0.2), gk.Event("stop", "joint A", -0.9, "down", True)]
CASES = {
    "changes of coordinates": (swinging(NO_LINK_TURNS, "A"), 6.0, {"A": (0.0, 2.0)}, {"rtol": 1e-10}),
    "events": (swinging(NO_LINK_TURNS, "A"), 6.0, {"A": (0.0, 2.0)}, {"events": EVENTS}),
    "ranges": (stopped(), 3.0, {"pin": 0.6}, {"ranges": "event"}),
    "stops": (stopped(), 3.0, {"pin": 0.6}, {}),
    "stops, implicit": (stopped(), 3.0, {"pin": 0.6}, {"method": "implicit", "rtol": 1e-6}),
    "stops, scipy": (stopped(), 3.0, {"pin": 0.6}, {"method": "DOP853"}),
    "straight on": (parallelogram(), 3.0, {"A": (0.0, -2.0)}, {"on_singular": "continue"}),
    "orientations": (top(), 3.0, {"point.angle_x": 2.6, "point.angle_y": (0.0, 6.0)}, {}),
    "stiff": (stiff_four_bar(), 0.5, None, {}),
    "implicit": (pendulum(), 2.0, {"pin": 1.0}, {"method": "implicit"}),
    "scipy": (pendulum(), 2.0, {"pin": 1.0}, {"method": "RK45"}),
    "Newton": (newton(), 0.05, None, {}),
    "closed forms, then Newton": (wheel(0.02, [gk.Driver("foot")]), 4.0, {"foot": (0.0, 3.0)}, {"rtol": 1e-10}),
}


SLOW = ("changes of coordinates", "Newton")


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.exhaustive) if case in SLOW else case for case in CASES]
)
def test_a_killed_simulation_goes_on_with_the_same_bits(case: str, tmp_path: Path) -> None:
    mechanism, end, start, more = CASES[case]
    times, file = np.linspace(0.0, end, 101), tmp_path / "kept"
    whole = gk.simulate(mechanism, times, start, **more)  # type: ignore[arg-type]
    for share in (0.3, 0.31, 0.7):
        with pytest.raises(Killed):
            gk.simulate(
                mechanism,
                times,
                start,
                checkpoint=file,
                resume=True,
                progress=killed_at(share * whole.times[-1]),
                **more,  # type: ignore[arg-type]
            )
        assert file.exists()
    for _ in range(2):  # what is complete is read
        found = gk.simulate(mechanism, times, start, checkpoint=file, resume=True, **more)  # type: ignore[arg-type]
        for name in ("times", "q", "v", "a", "conditioning"):
            assert np.array_equal(getattr(found, name), getattr(whole, name))
        assert [(x.name, x.time) for x in found.events] == [(x.name, x.time) for x in whole.events]
    assert sorted(tmp_path.iterdir()) == [file]
    if case == "events":
        assert {x.name for x in whole.events} == {"level", "stop"}


OTHERS = (None, True, "x", -1, 10**9, 0.5, [], {}, [[]], [0, 1], ["x", "x", "x", "x"])
"""Values that are put in the place of each value of a checkpoint."""

ARRAYS = (np.zeros(0), np.zeros((3, 3)), np.zeros((2, 10**4)), np.full((2, 3), np.nan), np.zeros((4, 5), np.int64))
"""Arrays that are put in the place of each array as well."""


def replaced(data: object, value: object) -> Iterator[object]:
    """Copies of nested dicts and lists in which one value is another, or left out; of a list the first and last."""
    yield value
    if isinstance(data, dict):
        for key, item in data.items():
            yield {k: v for k, v in data.items() if k != key}
            yield from ({**data, key: other} for other in replaced(item, value))
    if isinstance(data, list) and data:
        yield data[:-1]
        yield [*data, data[-1]]
        for k in sorted({0, len(data) - 1}):
            yield from ([*data[:k], other, *data[k + 1 :]] for other in replaced(data[k], value))


@pytest.mark.parametrize(
    ("case", "every"),
    [
        ("events", 11),
        *(
            pytest.param(case, 1, marks=pytest.mark.exhaustive)
            for case in ("events", "scipy", "straight on", "orientations", "Newton")
        ),
    ],
)
def test_a_checkpoint_that_was_made_up_is_refused_or_leads_to_an_end(case: str, every: int, tmp_path: Path) -> None:
    """Content under right digests, any part of which is of another kind, shape or size: no error but our own."""
    mechanism, end, start, more = CASES[case]
    times, file, refused = np.linspace(0.0, end, 11), tmp_path / "kept", 0

    def go_on(share: float) -> gk.Motion:
        told = killed_at(share * end)
        asked = {"checkpoint": file, "resume": True, "progress": told, **more}
        return gk.simulate(mechanism, times, start, **asked)  # type: ignore[arg-type]

    with pytest.raises(Killed):
        go_on(0.2 if case == "events" else 0.6)
    header = HEADER.match(file.read_bytes())
    assert header is not None
    kept = ResumableFile(file, "simulation", checkpoints.FORM, header[5].decode(), "", CheckpointError)
    data = kept.read()
    assert data["values"].shape[1] > 1
    tried = list(islice(chain(*(replaced(data, value) for value in (*OTHERS, *ARRAYS))), 0, None, every))
    for made_up in tried:
        kept.write(made_up)
        try:
            go_on(0.0)
        except CheckpointError:
            refused += 1
        except (Killed, GroupkinError):
            pass
    kept.write(data)
    with pytest.raises(Killed):
        go_on(0.0)
    assert refused > 0.8 * len(tried)


def test_what_is_no_checkpoint_of_a_simulation_is_refused(tmp_path: Path) -> None:
    file, times = tmp_path / "kept", [0.0, 1.0]
    gk.simulate(pendulum(), times, checkpoint=file)
    with pytest.raises(CheckpointError, match="exists: go on from it with --resume"):
        gk.simulate(pendulum(), times, checkpoint=file)
    others = (
        (pendulum(), [0.0, 2.0], {}, {}),
        (pendulum(), times, {"pin": 0.1}, {}),
        (pendulum(), times, {}, {"rtol": 1e-9}),
        (replace(pendulum(), gravity=(0.0, -1.62)), times, {}, {}),
        (pendulum(forces=[gk.JointSpring("oil", "pin", damping=0.1)]), times, {}, {}),
    )
    for mechanism, at, start, more in others:
        with pytest.raises(CheckpointError, match="is of another simulation"):
            gk.simulate(mechanism, at, start, checkpoint=file, resume=True, **more)  # type: ignore[arg-type]
    whole = file.read_bytes()
    for broken in (b"", b"text", whole[:-40], whole[:100] + b"\0" + whole[101:]):
        file.write_bytes(broken)
        with pytest.raises(CheckpointError, match="is damaged, or is not a file from which a simulation"):
            gk.simulate(pendulum(), times, checkpoint=file, resume=True)
    with pytest.raises(ArgumentError, match="method LSODA keeps no checkpoint"):
        gk.simulate(pendulum(), times, method="LSODA", checkpoint=tmp_path / "other")


def test_a_motion_goes_on_from_the_last_state_of_another() -> None:
    """Across changes of coordinates, and with other drivers free."""
    mechanism, times = swinging(NO_LINK_TURNS, "A"), np.linspace(0.0, 4.0, 41)
    whole = gk.simulate(mechanism, times, {"A": (0.0, 2.0)}, rtol=1e-12)
    begun = gk.simulate(mechanism, times[:31], {"A": (0.0, 2.0)}, rtol=1e-12)
    for free in ("A", "D"):
        later = gk.simulate(replace(mechanism, drivers=[gk.Driver(free)]), times[30:], begun, rtol=1e-12)
        for body in mechanism.movable:
            assert np.allclose(later.rotation(body), whole.rotation(body)[30:], rtol=0, atol=1e-9)
    with pytest.raises(ArgumentError, match="with other bodies or joints"):
        gk.simulate(pendulum(), times, begun)


def test_a_motion_goes_on_from_an_event() -> None:
    stop = gk.Event("low", "pin", terminal=True)
    first = gk.simulate(pendulum(), [0.0, 3.0], {"pin": 1.0}, rtol=1e-12, events=[stop])
    later = gk.simulate(pendulum(), [first.times[-1], 3.0], first.events[-1].motion, rtol=1e-12)
    whole = gk.simulate(pendulum(), [0.0, 3.0], {"pin": 1.0}, rtol=1e-12)
    assert np.allclose(later.joint("pin")[0, -1], whole.joint("pin")[0, -1], rtol=0, atol=1e-10)
