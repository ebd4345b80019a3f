"""Mechanisms with random masses, gravity, springs, dampers, forces and torques."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import groupkin as gk
from groupkin.mechanism.pairs import PAIRS

CONTACTS = ("EO", "EPI", "RP", "RW", "RD", "SPSP", "L", "F", "FP")
"""Pairs that take no springs and forces."""


def loaded(mechanism: gk.Mechanism, seed: int = 0, rotors: bool = False) -> gk.Mechanism:
    """The mechanism with a mass on every body and forces of every kind, and rotors in joints on request."""
    rng, d = np.random.default_rng(seed), mechanism.dimension
    geometry = gk.program(mechanism).geometry
    size, origins = geometry.size, geometry.origins
    bodies = [
        body
        if body.name == mechanism.frame
        else replace(
            body,
            mass=float(rng.uniform(0.5, 3.0)),
            center=tuple(origins[body.name] + 0.2 * size * rng.normal(size=d)),
            inertia=_inertia(rng, size, d),
        )
        for body in mechanism.bodies
    ]
    first, last = mechanism.movable[0], mechanism.movable[-1]
    forces: list[gk.Spring | gk.JointSpring | gk.Force | gk.Torque | gk.JointForce | gk.JointInertia] = [
        gk.Spring(
            "to frame",
            (mechanism.frame, last),
            (tuple(origins[first] + size), tuple(origins[last] + 0.1 * size)),
            50.0,
            0.3 * size,
            5.0,
            2.0,
        ),
        gk.Force(
            "push",
            first,
            tuple(origins[first] + 0.3 * size),
            tuple(30.0 * rng.normal(size=d)),
            gk.Harmonic(amplitude=1.0, frequency=0.7),
            axes="" if last in mechanism.joint else last,  # not where the name has two meanings
        ),
        gk.Torque("twist", last, float(rng.normal()) if d == 2 else tuple(20.0 * rng.normal(size=3))),
    ]
    if first != last:
        ends = (tuple(origins[first] + size), tuple(origins[last] - 0.3 * size))
        forces.append(gk.Spring("between", (first, last), ends, 70.0, damping=3.0))
    for joint in mechanism.joints:
        freedoms = mechanism.freedoms(joint)
        if joint.type in CONTACTS or PAIRS[joint.type].cam or any(freedom.middle for freedom in freedoms):
            continue
        for freedom in freedoms:
            forces.append(gk.JointSpring(f"spring {joint.name} {freedom.name}", joint.name, freedom.name, 12.0, 0.1, 3))
            forces.append(gk.JointForce(f"force {joint.name} {freedom.name}", joint.name, 4.0, freedom.name))
            inertia = 0.3 * size**2 if freedom.rotation else 0.7
            rotor = gk.JointInertia(f"rotor {joint.name} {freedom.name}", joint.name, inertia, freedom.name)
            forces += [rotor] if rotors else []
    gravity = 6.0 * rng.normal(size=d)
    gravity *= max(1.0, 1.5 / float(np.linalg.norm(gravity)))  # less is warned of as in other units
    return replace(mechanism, bodies=bodies, forces=forces, gravity=tuple(gravity))


def _inertia(rng: np.random.Generator, size: float, dimension: int) -> float | list[list[float]]:
    if dimension == 2:
        return float(rng.uniform(0.01, 0.1) * size**2)
    points = rng.normal(size=(3, 3)) * size * 0.1
    second = points @ points.T
    return (np.trace(second) * np.eye(3) - second).tolist()
