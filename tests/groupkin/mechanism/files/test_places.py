"""Messages on a file begin with the path of what they are about."""

from __future__ import annotations

from typing import Any

import pytest

from groupkin.errors import MechanismError
from groupkin.mechanism.files.reading import parse

JOINTS = [
    {"name": "A", "type": "R", "bodies": ["ground", "arm"], "point": [0, 0]},
    {"name": "slide", "type": "P", "bodies": ["arm", "block"], "point": [1, 0], "axis": [1, 0]},
]


def file(**changes: Any) -> dict[str, Any]:
    return {"dimension": 2, "bodies": ["ground", "arm", "block"], "joints": JOINTS} | changes


def with_joint(**changes: Any) -> dict[str, Any]:
    return file(joints=[JOINTS[0], JOINTS[1] | changes])


CASES: dict[str, tuple[dict[str, Any], str]] = {
    "axis": (with_joint(axis=[0, 0]), "joints[1].axis: axis of joint 'slide' has zero length"),
    "body": (with_joint(bodies=["arm", "blok"]), "joints[1]: joint 'slide' names body 'blok'"),
    "point": (with_joint(point="Q"), "joints[1]: joint 'slide' refers to 'Q'"),
    "reference": (with_joint(reference={"angle": 3}), "joints[1].reference: reference of joint 'slide'"),
    "a joint": (with_joint(point="A"), "which is a joint, not a named point: name a point there in `points`"),
    "driver": (file(drivers=[{"joint": "A"}, {"joint": "slid"}]), "drivers[1].joint: a driver names joint 'slid'"),
    "freedom": (file(drivers=[{"joint": "A", "freedom": "x"}]), "drivers[0]: driver of joint 'A'"),
    "origin": (
        file(bodies=["ground", "arm", {"name": "block", "origin": "Q"}]),
        "bodies[2].origin: origin of body 'block' refers to 'Q'",
    ),
    "origin in a table": (
        file(bodies={"ground": {}, "arm": {"origin": "Q"}, "block": {}}),
        "bodies.arm.origin: origin of body 'arm' refers to 'Q'",
    ),
    "coupling": (
        file(couplings=[{"name": "k", "equation": "{joint A} = {joint slide}"}]),
        "couplings[0]: coupling 'k': `{joint A}` is a number in rad",
    ),
}


@pytest.mark.parametrize("what", list(CASES))
def test_messages_begin_with_the_path(what: str) -> None:
    data, expected = CASES[what]
    with pytest.raises(MechanismError) as caught:
        parse(data)
    assert expected in str(caught.value)
