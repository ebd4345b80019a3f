"""Random mechanisms of a moving body that rods and telescopes hold, on bodies that move themselves."""

from __future__ import annotations

import numpy as np

import groupkin as gk

LEGS = {"bars": (2, "R", False), "telescopes": (2, "R", True), "rods": (3, "U", False), "legs": (3, "U", True)}
HINGED = {"hinged rods": (3, "R", False), "hinged legs": (3, "R", True), "hung legs": (3, "S", True)}
KINDS = LEGS | HINGED
"""By name: dimension, joint at the foot, and whether the legs are telescopes."""


def platform(kind: str, seed: int) -> gk.Mechanism:
    """Make a platform on legs of a kind, their feet on cranks, or on a base that rocks where the legs are driven."""
    d, foot, driven = KINDS[kind]
    rng = np.random.default_rng(seed)
    count = 6 if foot in ("U", "S") else 3
    bodies, joints, drivers = ["ground", "base", "platform"], [], []
    rocking = gk.Harmonic(amplitude=0.1, frequency=0.3, phase=rng.uniform(0, 6))
    joints.append(gk.Joint("rock", "R", ("ground", "base"), point=(0.1, -0.4, 0.0)[:d], axis=_axis(d, rng)))
    drivers.append(gk.Driver("rock", rocking))
    for k in range(count):
        angle = 2 * np.pi * (k + 0.3 * rng.uniform(-1, 1)) / count
        ring = np.array([np.cos(angle), np.sin(angle), 0.0])
        below = 1.5 * ring + rng.uniform(-0.15, 0.15, 3)
        turned = angle + (1 if k % 2 else -1) * rng.uniform(0.5, 0.8) if count == 6 else angle + rng.uniform(0.3, 0.6)
        above = 0.7 * np.array([np.cos(turned), np.sin(turned), 0.0]) + rng.uniform(-0.1, 0.1, 3)
        above[2] += 1.3
        if foot == "R" and d == 3:  # the hinge lies across the leg
            above = 0.6 * ring + np.array([0.0, 0.0, 1.3])
        start, end, on = tuple(below[:d]), tuple(above[:d]), "base"
        if not driven:
            on = f"crank_{k}"
            bodies.append(on)
            center = below + rng.uniform(-0.2, 0.2, 3) + (0.0, 0.0, 0.3)
            joints.append(gk.Joint(f"O{k}", "R", ("base", on), point=tuple(center[:d]), axis=_axis(d, rng)))
            law = gk.Harmonic(amplitude=0.15, frequency=rng.uniform(0.2, 0.5), phase=0.0)
            drivers.append(gk.Driver(f"O{k}", law))
        across = {"axis": tuple(np.cross(ring, (0, 0, 1)))} if d == 3 else {}
        if foot in ("U", "S"):
            first = rng.normal(size=3)
            across = {"axes": (tuple(first), tuple(np.cross(first, above - below)))}
        ends = (on, f"leg_{k}") if rng.random() < 0.5 else (f"leg_{k}", on)
        if foot == "U" and ends[0] != on:
            across = {"axes": across["axes"][::-1]}
        joints.append(gk.Joint(f"B{k}", foot, ends, point=start, **({} if foot == "S" else across)))
        bodies.append(f"leg_{k}")
        last = f"leg_{k}"
        if driven:
            last = f"rod_{k}"
            bodies.append(last)
            pair = (f"leg_{k}", last) if rng.random() < 0.5 else (last, f"leg_{k}")
            joints.append(gk.Joint(f"P{k}", "P", pair, point=start, axis=tuple((above - below)[:d])))
            law = gk.Harmonic(amplitude=0.15, frequency=rng.uniform(0.2, 0.5), phase=0.0)
            drivers.append(gk.Driver(f"P{k}", law))
        if foot == "S":  # the universal joint is on the platform
            joints.append(gk.Joint(f"S{k}", "U", ("platform", last), point=end, **across))
        else:
            joints.append(gk.Joint(f"S{k}", "S" if d == 3 else "R", (last, "platform"), point=end))
    return gk.Mechanism(d, bodies, joints, drivers, name=f"platform on {kind}")


def _axis(d: int, rng: np.random.Generator) -> tuple[float, ...] | None:
    return tuple(rng.normal(size=3)) if d == 3 else None
