"""Plane mechanisms that are described in space."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.support.over_constrained.loops import Array, Family, Joints, Rng, Z, loop


def flat(places: Sequence[tuple[float, float]], rng: Rng) -> list[Array]:
    """Points of a plane loop, moved a little in the plane, and along its normal."""
    return [np.array([*(np.array(place) + rng.uniform(-0.2, 0.2, 2)), rng.uniform(-1.0, 1.0)]) for place in places]


def plane_four_bar(rng: Rng) -> Family:
    return loop(flat([(0, 0), (0, 1), (3, 2.5), (3, 0)], rng), [Z] * 4)


def slider_crank(rng: Rng) -> Family:
    axes = [Z, Z, Z, np.array([1.0, rng.uniform(-0.2, 0.2), 0.0])]
    return loop(flat([(0, 0), (0, 1), (3, 0.4), (3, 0.4)], rng), axes, kinds="RRRP")


def plane_five_bar(rng: Rng) -> Family:
    return loop(flat([(0, 0), (-0.6, 1.5), (1, 2.6), (2.6, 1.5), (2, 0)], rng), [Z] * 5, "AE")


def geared_five_bar(rng: Rng) -> Family:
    """A five-bar whose cranks are geared; the coupling takes the place of a motor."""
    bodies, joints, _ = plane_five_bar(rng)
    joints[-1] = ("D", "R", ("frame", "b4"), *joints[-1][3:])
    joints[3] = ("E", "R", ("b3", "b4"), *joints[3][3:])
    return bodies, joints, ["A"]


def watt(rng: Rng) -> Family:
    bodies, joints, motors = plane_four_bar(rng)
    more = flat([(3.6, 1.5), (7, 2), (6.5, 0)], rng)
    ends = [("b3", "b4"), ("b4", "b5"), ("b5", "frame")]
    joints += [(n, "R", pair, p, Z) for n, pair, p in zip("EFG", ends, more, strict=True)]
    return [*bodies, "b4", "b5"], joints, motors


def cranks(rng: Rng) -> Family:
    """A bar on three equal parallel cranks, one of which is redundant in the plane too."""
    crank, feet = rng.uniform(0.5, 1.5, 2), [(0.0, 0.0), (2.0, 0.3), (3.3, -0.6)]
    bodies, joints = ["frame", "bar"], []
    for k, foot in enumerate(feet):
        bodies.append(f"crank{k}")
        joints.append((f"{'AFG'[k]}", "R", ("frame", f"crank{k}"), np.array([*foot, 0.1 * k]), Z))
        joints.append((f"head{k}", "R", (f"crank{k}", "bar"), np.array([*np.add(foot, crank), 0.2 * k]), Z))
    return bodies, joints, ["A"]


def plane_3rrr(rng: Rng) -> Family:
    bodies, joints = ["frame", "plate"], []
    for k in range(3):
        angle = 2 * np.pi / 3 * k + rng.uniform(-0.2, 0.2)
        out, side = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        foot, knee, head = 3 * out, 2.2 * out + rng.uniform(0.8, 1.3) * side, rng.uniform(0.6, 0.9) * out
        ends = [("frame", f"p{k}"), (f"p{k}", f"d{k}"), (f"d{k}", "plate")]
        bodies += [f"p{k}", f"d{k}"]
        for n, pair, place in zip("mwv", ends, (foot, knee, head), strict=True):
            joints.append((f"{n}{k}", "R", pair, np.array([*place, rng.uniform(-0.5, 0.5)]), Z))
    return bodies, joints, ["m0", "m1", "m2"]


def eight_bar(rng: Rng) -> Family:
    """A six-bar with one more dyad, between two of its floating links."""
    bodies, joints, motors = watt(rng)
    more = flat([(1.5, 4.0), (4.0, 5.0), (6.0, 4.0)], rng)
    ends = [("b2", "b6"), ("b6", "b7"), ("b7", "b4")]
    joints += [(n, "R", pair, p, Z) for n, pair, p in zip("HIJ", ends, more, strict=True)]
    return [*bodies, "b6", "b7"], joints, motors


def scissors(rng: Rng) -> Family:
    """Three to six cells of two crossed bars each; the first two bars have motors."""
    wide, high, joints = rng.uniform(0.3, 0.6), rng.uniform(0.3, 0.6), list[tuple[str, tuple[str, str], float, float]]()
    bodies = ["frame"]
    joints.append(("A", ("frame", "a0"), 0.0, 0.0))
    for k in range(int(rng.integers(3, 7))):
        bodies += [f"a{k}", f"b{k}"]
        joints.append((f"c{k}", (f"a{k}", f"b{k}"), wide / 2, high * (k + 0.5)))
        if k:
            joints.append((f"l{k}", (f"b{k - 1}", f"a{k}"), 0.0, high * k))
            joints.append((f"r{k}", (f"a{k - 1}", f"b{k}"), wide, high * k))
    placed: Joints = [(n, "R", pair, np.array([x, y, rng.uniform(-0.1, 0.1)]), Z) for n, pair, x, y in joints]
    return bodies, placed, ["A", "c0"]


def hoberman(rng: Rng) -> Family:
    """A ring of four to seven pairs of angulated bars, all of whose hinges move along rays (Hoberman 1990)."""
    pairs = int(rng.integers(4, 8))
    return ring(pairs, rng.uniform(0.5, 1.0))


def ring(pairs: int, angle: float) -> Family:
    """A Hoberman ring; `angle` (rad) is that between the halves of bars and the rays of their ends."""
    half = np.pi / pairs
    middle, far = np.sin(angle) / np.sin(half), np.cos(angle)
    radii = [middle * np.cos(half) + far, middle * np.cos(half) - far]
    names = ["frame", *(f"a{k}" for k in range(1, pairs))], [f"b{k}" for k in range(pairs)]
    joints: Joints = []

    def at(radius: float, turn: float) -> Array:
        return np.array([radius * np.cos(turn), radius * np.sin(turn), 0.0])

    for k in range(pairs):
        a, b = (each[k] for each in names)
        before, other = names[0][k - 1], names[1][k - 1]
        joints.append((f"K{k}", "R", (a, b), at(middle, (2 * k + 1) * half), Z))
        joints.append((f"O{k}", "R", (other, a), at(radii[0], 2 * k * half), Z))
        joints.append((f"I{k}", "R", (before, b), at(radii[1], 2 * k * half), Z))
    return [*names[0], *names[1]], joints, ["K0"]
