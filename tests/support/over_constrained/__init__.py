"""Random movable mechanisms whose joints repeat each other, in any orientation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from zlib import crc32

import numpy as np
from scipy.spatial.transform import Rotation

import groupkin as gk
from groupkin.mechanism.couplings.couplings import Coupling
from groupkin.mechanism.laws.laws import Ramp
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from tests.support.over_constrained import paradoxical, parallel, plane, sphere
from tests.support.over_constrained.loops import Family, Rng

RATE = 0.4
"""Of motors, rad/s or m/s, over a second."""


def over_constrained(name: str, seed: int) -> Mechanism:
    """A random mechanism of a family, turned and shifted at random."""
    rng = np.random.default_rng([crc32(name.encode()), seed])
    return placed(FAMILIES[name](rng), rng, geared="geared" in name)


def placed(family: Family, rng: Rng, geared: bool = False) -> Mechanism:
    """A mechanism, turned and shifted at random, whose motors move steadily."""
    bodies, joints, motors = family
    turn, shift = Rotation.random(random_state=rng).as_matrix(), rng.uniform(-1.0, 1.0, 3)
    joints_there = [
        Joint(
            name, kind, ends, point=tuple(turn @ point + shift),
            **({"axis": tuple(turn @ axes)} if np.ndim(axes) == 1 else {"axes": tuple(map(tuple, axes @ turn.T))}),
        )
        for name, kind, ends, point, axes in joints
    ]  # fmt: skip
    couplings = [Coupling("gear", "{joint D} = -0.5 * {joint A}")] if geared else []
    drivers = [Driver(motor, Ramp(rate=float(rng.choice([-1, 1]) * rng.uniform(0.5, 1.0) * RATE))) for motor in motors]
    return Mechanism(3, bodies, joints_there, drivers, couplings=couplings)


FAMILIES: dict[str, Callable[[Rng], Family]] = {
    "plane four-bar": plane.plane_four_bar,
    "plane slider-crank": plane.slider_crank,
    "plane five-bar": plane.plane_five_bar,
    "plane five-bar, geared": plane.geared_five_bar,
    "plane six-bar": plane.watt,
    "plane eight-bar": plane.eight_bar,
    "parallel cranks": plane.cranks,
    "plane 3-RRR": plane.plane_3rrr,
    "scissors": plane.scissors,
    "Hoberman ring": plane.hoberman,
    "spherical four-bar": sphere.spherical_four_bar,
    "spherical five-bar": sphere.spherical_five_bar,
    "spherical six-bar": sphere.spherical_six_bar,
    "spherical 3-RRR": sphere.spherical_3rrr,
    "Bennett": paradoxical.bennett,
    "Goldberg": paradoxical.goldberg,
    "Myard": paradoxical.myard,
    "Bricard, threefold": paradoxical.bricard_threefold,
    "Bricard, line-symmetric": paradoxical.bricard_line_symmetric,
    "Bricard, plane-symmetric": paradoxical.bricard_plane_symmetric,
    "Bricard, trihedral": paradoxical.bricard_trihedral,
    "Schatz": paradoxical.schatz,
    "Sarrus": paradoxical.sarrus,
    "Tripteron": parallel.tripteron,
    "Orthoglide": parallel.orthoglide,
    "3-UPU": parallel.three_upu,
    "double Cardan, twice": parallel.cardan,
    "door": parallel.door,
}


def heavy(mechanism: Mechanism) -> Mechanism:
    """The mechanism with masses and gravity."""
    rng, origins = np.random.default_rng(1), gk.program(mechanism).geometry.origins
    bodies = [
        replace(
            body, mass=float(rng.uniform(1.0, 2.0)), inertia=np.diag(rng.uniform(0.1, 0.15, 3)).tolist(),
            center=tuple(origins[body.name] + rng.uniform(-0.2, 0.2, 3)),
        )
        if body.name != mechanism.frame
        else body
        for body in mechanism.bodies
    ]  # fmt: skip
    return replace(mechanism, bodies=bodies, gravity=(0.0, 0.0, -9.81))
