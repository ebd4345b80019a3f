"""A mechanism whose point is led, instead of its drivers: by slides along the axes and a pivot that they carry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from groupkin.errors import ArgumentError
from groupkin.kinematics.motion.freedoms import freedoms_of
from groupkin.kinematics.motion.quantities import Quantity, quantity
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.laws.laws import Constant
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.parts import Driver, Joint, Point
from groupkin.messages import counted, listed
from groupkin.model.geometry.geometry import resolve
from sglibrary.array_types import Array

SLIDES = ("led along x", "led along y", "led along z")
"""Names of the slides, and of the bodies that they carry."""

PIVOT = "led pivot"
"""Name of the joint between the last of them and the body of the point."""

LEADING = frozenset((*SLIDES, PIVOT))
"""All names of what leads a point."""


@dataclass(frozen=True, eq=False)
class Led:
    """A point that is led.

    Attributes
    ----------
    mechanism : Mechanism
        With the slides in place of the drivers that are released.
    start : (d,) array
        Where the point is in the reference configuration, m.
    released : tuple of Quantity
        The freedoms whose drivers are released.
    turned : bool
        Whether the body of the point turns as the mechanism makes it; else it keeps its directions.
    held : dict of Quantity to float
        Values of drivers that stay, rad or m.
    """

    mechanism: Mechanism
    start: Array
    released: tuple[Quantity, ...]
    turned: bool
    held: dict[Quantity, float]

    def values(self, program: Program, points: Array) -> list[Array]:
        """List the values of all drivers of its program where the point is led to some places (n, d), m."""
        shifts = dict(zip(SLIDES, (points - self.start).T, strict=False))
        n = len(points)
        found = []
        for driven in program.drivers:
            if driven.joint in shifts:
                found.append(shifts[driven.joint])
                continue
            freedom = driven_freedom(program, driven.joint, driven.freedom)
            found.append(np.full(n, self.held.get(freedom, driven.reference)))
        return found


def driven_freedom(program: Program, joint: str, index: int) -> Quantity:
    """Return a driven freedom as a quantity."""
    return freedoms_of(Quantity("joint", joint), program.mechanism)[index]


def led(program: Program, of: str | Quantity, instead_of: Sequence[str] | None, at: Mapping[str, float]) -> Led:
    """Lead a point of a mechanism instead of its drivers.

    Parameters
    ----------
    program : Program
    of : str or Quantity
        Such as ``position P``.
    instead_of : sequence of str, optional
        Driven freedoms that are released; default: all.
    at : mapping of str to float
        Values of other drivers, rad or m; default: those of the reference configuration.

    Raises
    ------
    ArgumentError, QuantityError, UnknownNameError
        If it is no position, or the drivers that are released are not as many as the point needs.
    """
    mechanism = program.mechanism
    wanted = quantity(of, mechanism)
    if wanted.kind != "position" or wanted.component:
        raise ArgumentError(f"a workspace is that of a position, such as `position P`, not of `{wanted}`")
    drivers = {driven_freedom(program, each.joint, each.freedom): each for each in program.drivers}
    known = [*map(str, drivers)]
    released = tuple(drivers) if instead_of is None else _chosen(instead_of, program, drivers)
    held = {freedom: x for text, x in at.items() for freedom in _chosen([text], program, drivers)}
    both = next((freedom for freedom in held if freedom in released and instead_of is not None), None)
    if both is not None:
        raise ArgumentError(f"`{both}` is both released and held; take it out of one of them")
    released = tuple(each for each in released if each not in held)
    d, turns = mechanism.dimension, 1 if mechanism.dimension == 2 else 3
    if len(released) not in (d, d + turns):
        where, many = "the plane" if d == 2 else "space", counted(len(released), "driver")
        raise ArgumentError(
            f"a point in {where} is led instead of {d} drivers, or of {d + turns} where its body keeps its directions, "
            f"not of {many}; name those that are released, or hold others: driven are {listed(known)}"
        )
    body = _body(mechanism, wanted.name)
    named = wanted.name in mechanism.positions
    # as it is stated, in whatever modes the program is: slides count from there
    start = mechanism.positions[wanted.name] if named else resolve(mechanism).origins[body]
    turned, gone = len(released) == d, {(drivers[each].joint, drivers[each].freedom) for each in released}
    pivot = wanted.name if named else tuple(map(float, start))
    return Led(_with_slides(mechanism, body, start, pivot, gone, turned), start, released, turned, held)


def _chosen(texts: Sequence[str], program: Program, drivers: Mapping[Quantity, object]) -> tuple[Quantity, ...]:
    found = tuple(dict.fromkeys(each for text in texts for each in freedoms_of(text, program.mechanism)))
    other = next((each for each in found if each not in drivers), None)
    if other is not None:
        raise ArgumentError(f"`{other}` is not driven; driven are {listed([*map(str, drivers)])}")
    return found


def _body(mechanism: Mechanism, name: str) -> str:
    """Return the body that carries a point."""
    body = name if name in mechanism.body else next(iter(mechanism.carriers[name]))
    if body == mechanism.frame:
        raise ArgumentError(f"{name} is on the frame {body!r}, and goes nowhere")
    return body


def _with_slides(
    mechanism: Mechanism, body: str, start: Array, at: Point, released: Set[tuple[str, int]], turned: bool
) -> Mechanism:
    """Put slides and a pivot in place of drivers; the pivot stands still unless the body turns."""
    d, point = mechanism.dimension, tuple(map(float, start))
    for name in LEADING:
        if name in mechanism.body or name in mechanism.joint:
            raise ArgumentError(f"the name {name!r} is that of what leads a point; name the body or joint otherwise")
    before = (mechanism.frame, *SLIDES)
    slides = [
        Joint(name, "P", (before[k], name), point=point, axis=tuple(np.eye(d)[k])) for k, name in enumerate(SLIDES[:d])
    ]
    pivot = Joint(PIVOT, "R" if d == 2 else "S", (SLIDES[d - 1], body), point=at)
    standing = [Driver(name, Constant(0.0)) for name in SLIDES[:d]]
    if not turned:
        standing += [Driver(PIVOT, Constant(0.0), freedom.name) for freedom in mechanism.freedoms(pivot)]
    kept = [
        replace(driver, law=Constant(0.0))  # values are given
        for joint, indices in mechanism.driven.items()
        for index, driver in indices.items()
        if (joint, index) not in released
    ]
    return replace(
        mechanism,
        bodies=[*mechanism.body.values(), *SLIDES[:d]],
        joints=[*mechanism.joints, *slides, pivot],
        drivers=[*kept, *standing],
        modes={},
    )
