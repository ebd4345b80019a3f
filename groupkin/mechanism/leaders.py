"""The drivers that lead others: whose coordinates the laws of these are over."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from groupkin.errors import UnknownNameError
from groupkin.mechanism.laws.laws import Law
from groupkin.mechanism.laws.over import Coordinate, Over, linked
from groupkin.mechanism.parts import Driver
from groupkin.messages import hint
from groupkin.text_forms import NAME, plain, written

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism

_LEADER = re.compile(rf"({NAME})(?:\.({NAME}))?")


def linked_drivers(mechanism: Mechanism) -> tuple[Driver, ...]:
    """Fill in what the drivers of a mechanism tell of the leaders of others; the drivers themselves, if none leads.

    Raises
    ------
    UnknownNameError, LawError
    """
    if not any(isinstance(driver.law, Over) for driver in mechanism.drivers):
        return tuple(mechanism.drivers)
    stated = {(joint, k): driver for joint, drivers in mechanism.driven.items() for k, driver in drivers.items()}
    found = linked({driven: _placed(mechanism, driver) for driven, driver in stated.items()})
    laws_of = {id(driver): found[driven] for driven, driver in stated.items()}
    return tuple(replace(driver, law=laws_of[id(driver)]) for driver in mechanism.drivers)


def _placed(mechanism: Mechanism, driver: Driver) -> Law | None:
    """Fill in the coordinate of the leader of a driver, and its unit."""
    if not isinstance(driver.law, Over):
        return driver.law
    name, index = coordinate_of(driver.law.leader, mechanism)
    turns = mechanism.freedoms(mechanism.joint[name])[index].rotation
    return replace(driver.law, joint=name, freedom=index, argument="rad" if turns else "m")


def coordinate_of(leader: str, mechanism: Mechanism) -> Coordinate:
    """Find the coordinate that a law is over, by its text form; the driven one of a joint that has several.

    Raises
    ------
    UnknownNameError
    """
    parts = _LEADER.fullmatch(leader)
    name, freedom = map(plain, parts.groups()) if parts and leader not in mechanism.joint else (leader, "")
    # one of several bodies is named by what it joins; its only driver by its name alone
    shared = [joint for joint in mechanism.driven if getattr(mechanism.joint[joint].of, "name", None) == name]
    name = shared[0] if len(shared) == 1 else name
    if name not in mechanism.joint:
        raise UnknownNameError(f"a law is over joint {name!r}, which does not exist{hint(name, list(mechanism.joint))}")
    names = [each.name for each in mechanism.freedoms(mechanism.joint[name])]
    if freedom and freedom not in names:
        raise UnknownNameError(f"a law is over {leader}, but joint {name!r} has no {freedom!r}{hint(freedom, names)}")
    driven = [names.index(freedom)] if freedom else list(mechanism.driven.get(name, [0]))
    if len(driven) > 1:
        raise UnknownNameError(
            f"a law is over joint {name!r}, which has several freedoms: name one, as in {written(name)}.{names[0]}"
        )
    return name, driven[0]
