"""Drivers of over-constrained mechanisms that follow from each other, though there are as many as are needed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import DeterminedByCountOnlyError, NotDeterminedError
from groupkin.kinematics.program.solver_choice import BY_RANK, NOT_HERE
from groupkin.mechanism.laws.laws import Ramp
from groupkin.mechanism.mechanism import Driver, Mechanism
from groupkin.structure.not_determined import Remedy
from tests.support.over_constrained import FAMILIES, over_constrained
from tests.support.shares import in_part

TRIALS = 4
"""Choices of drivers of every mechanism."""


def driven(mechanism: Mechanism, freedoms: list[tuple[str, str]]) -> Mechanism:
    """Drive some freedoms slowly."""
    drivers = [
        Driver(joint, Ramp(rate=0.01), name if len(mechanism.freedoms(mechanism.joint[joint])) > 1 else None)
        for joint, name in freedoms
    ]
    return replace(mechanism, drivers=drivers, modes={})


def refused(mechanism: Mechanism) -> NotDeterminedError | None:
    """The refusal of a mechanism; None if it is determined, though its reference may be a singular position."""
    try:
        structure = gk.analyze(mechanism)
    except NotDeterminedError as error:
        return error
    if not mechanism.drivers:  # counting takes rows that repeat others for drivers
        with pytest.raises(DeterminedByCountOnlyError, match="mobility 1, 0 driven"):
            gk.program(mechanism)
        return NotDeterminedError("", lack=1, remedies=(Remedy("add", mechanism.joints[0].name, "angle"),))
    assert {group.determined for group in structure.groups} <= {BY_RANK, NOT_HERE}
    return None


@pytest.mark.parametrize("name", in_part(FAMILIES, 4))
@pytest.mark.parametrize("seed", in_part(range(3), 3))
def test_each_remedy_is_one(name: str, seed: int) -> None:
    """Random choices, too few, too many or dependent: a driver added and one dropped, as told, until it is solved."""
    mechanism = over_constrained(name, seed)
    rng = np.random.default_rng([seed, len(name)])
    every = [
        (joint.name, freedom.name) for joint in mechanism.joints for freedom in mechanism.freedoms(joint)
        if joint.name not in {each for spin in gk.analyze(mechanism).spins for each in spin.joints}
    ]  # fmt: skip
    mobility = len(mechanism.drivers)
    assert mechanism.couplings or gk.transform(mechanism).number == mobility
    for trial in range(TRIALS):
        count = max(mobility + (0, 0, -1, 1)[trial % 4], 0)
        chosen = [every[k] for k in rng.permutation(len(every))[:count]]
        error = refused(driven(mechanism, chosen))
        for _ in range(2 * mobility + 1):
            if error is None:
                break
            assert error.excess + error.lack > 0
            assert error.excess - error.lack == len(chosen) - mobility
            action = "drop" if error.excess else "add"
            remedy = error.remedies[int(rng.choice([k for k, x in enumerate(error.remedies) if x.action == action]))]
            freedom = (remedy.joint, remedy.freedom)
            chosen = [x for x in chosen if x != freedom] if action == "drop" else [*chosen, freedom]
            before, error = error, refused(driven(mechanism, chosen))
            left = (error.excess, error.lack) if error else (0, 0)
            assert left == (before.excess - (action == "drop"), before.lack - (action == "add"))
        assert error is None


@pytest.mark.parametrize(
    ("name", "drivers"),
    [("double Cardan, twice", ["slide1"]), ("scissors", ["c1", "r2"]), ("Orthoglide", ["v1", "t1", "i2"])],
)
def test_a_right_count_with_a_wrong_rank_is_told(name: str, drivers: list[str]) -> None:
    mechanism = over_constrained(name, 1)
    chosen = [(joint, mechanism.freedoms(mechanism.joint[joint])[0].name) for joint in drivers]
    for solve in (gk.analyze, gk.program, lambda each: gk.solve(each, [0.0])):
        with pytest.raises(NotDeterminedError, match="not every driver leads a motion of its own") as caught:
            solve(driven(mechanism, chosen))
        assert (caught.value.excess, caught.value.lack) == (1, 1)
        assert {each.joint for each in caught.value.remedies if each.action == "drop"} <= set(drivers)
        assert caught.value.under_driven


def test_rows_that_repeat_others_do_not_stand_in_for_drivers() -> None:
    """Two double Cardan shafts repeat one row: counting finds no motion, with which none is left to drive."""
    bare = driven(over_constrained("double Cardan, twice", 1), [])
    assert [group.determined for group in gk.analyze(bare).groups] == [NOT_HERE]
    with pytest.raises(
        DeterminedByCountOnlyError, match=r"mobility 1, 0 driven\n(.*\n)*  add a driver at one of: in, out"
    ):
        gk.program(bare)
    assert gk.transform(bare).valid == gk.transform(over_constrained("double Cardan, twice", 1)).valid == 6


def with_leg(*drivers: Driver) -> Mechanism:
    """A Bennett linkage beside an arm on a leg S-C-S, which spins and whose tube and rod spin by themselves."""
    bennett = over_constrained("Bennett", 0)
    foot, head = np.array([3.0, 0.0, 0.0]), np.array([4.0, 1.0, 0.5])
    joints = [
        gk.Joint("hinge", "R", (bennett.frame, "arm"), point=(5.0, 0.0, 0.0), axis=(0.2, 0.3, 1.0)),
        gk.Joint("foot", "S", (bennett.frame, "lower"), point=tuple(foot)),
        gk.Joint("slide", "C", ("lower", "upper"), point=tuple((foot + head) / 2), axis=tuple(head - foot)),
        gk.Joint("head", "S", ("upper", "arm"), point=tuple(head)),
    ]
    bodies = [*bennett.bodies, "arm", "lower", "upper"]
    return replace(bennett, bodies=bodies, joints=[*bennett.joints, *joints], drivers=drivers, modes={})


def test_freedoms_of_legs_that_spin_have_their_own_names() -> None:
    """The C joint is solved as a P joint, so that its displacement is its first freedom there."""
    motor = over_constrained("Bennett", 0).drivers[0]
    hinge, slide = Driver("hinge", Ramp(rate=0.1)), Driver("slide", Ramp(rate=0.1), "displacement")
    for driver in (hinge, slide):
        assert gk.solve(with_leg(motor, driver), [0.0, 0.1]).solved.all()
    with pytest.raises(NotDeterminedError, match="mobility 2, 3 driven") as caught:
        gk.analyze(with_leg(motor, hinge, slide))
    assert {(each.joint, each.freedom) for each in caught.value.remedies} == {
        ("hinge", "angle"),
        ("slide", "displacement"),
    }
    with pytest.raises(NotDeterminedError, match="mobility 2, 2 driven, but not every") as caught:
        gk.analyze(with_leg(hinge, slide))
    assert {each.joint for each in caught.value.remedies if each.action == "add"} == set("ABCD")
    assert caught.value.under_driven == ("b1", "b2", "b3")
