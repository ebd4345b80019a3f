"""Parallel robots whose plates only shift, shafts with two joints of Cardan, and doors."""

from __future__ import annotations

import numpy as np

from tests.support.over_constrained.loops import Family, Joints, Rng, Z


def tripteron(rng: Rng) -> Family:
    """Three legs P-R-R-R with axes along their slides, which are across each other: the plate only shifts."""
    bodies, joints, unit = ["frame", "plate"], [], np.eye(3)
    for k in range(3):
        axis, out, side = unit[k], unit[(k + 1) % 3], unit[(k + 2) % 3]
        bodies += [f"s{k}", f"p{k}", f"d{k}"]
        ends = [("frame", f"s{k}"), (f"s{k}", f"p{k}"), (f"p{k}", f"d{k}"), (f"d{k}", "plate")]
        knee = 1.5 * out + rng.uniform(0.7, 1.1) * side
        places = [3 * out, 3 * out, knee, 0.4 * out]
        for n, kind, pair, place in zip(("m", "u", "w", "v"), "PRRR", ends, places, strict=True):
            joints.append((f"{n}{k}", kind, pair, place + rng.uniform(-0.2, 0.2) * axis, axis))
    return bodies, joints, ["m0", "m1", "m2"]


def orthoglide(rng: Rng) -> Family:
    """Three legs of a slide, a hinge, a parallelogram and a hinge (Wenger and Chablat 2000)."""
    bodies, joints, table = ["frame", "plate"], Joints(), rng.uniform(-0.1, 0.1, 3)
    for k, along in enumerate(np.eye(3)):
        side = np.eye(3)[(k + 1) % 3]
        head = table + rng.uniform(0.1, 0.2) * along
        away = (
            rng.uniform(0.7, 1.0) * along
            + rng.uniform(-0.2, 0.2) * side
            + rng.uniform(-0.2, 0.2) * np.cross(along, side)
        )
        foot, across, wide = head + away, np.cross(side, away), rng.uniform(0.05, 0.15) * side
        across /= np.linalg.norm(across)
        bodies += [f"{n}{k}" for n in "sfxyg"]
        joints += [
            (f"m{k}", "P", ("frame", f"s{k}"), foot, along),
            (f"r{k}", "R", (f"s{k}", f"f{k}"), foot, side),
            (f"i{k}", "R", (f"f{k}", f"x{k}"), foot + wide, across),
            (f"j{k}", "R", (f"f{k}", f"y{k}"), foot - wide, across),
            (f"v{k}", "R", (f"x{k}", f"g{k}"), head + wide, across),
            (f"w{k}", "R", (f"y{k}", f"g{k}"), head - wide, across),
            (f"t{k}", "R", (f"g{k}", "plate"), head, side),
        ]
    return bodies, joints, ["m0", "m1", "m2"]


def three_upu(rng: Rng) -> Family:
    """Three telescopes between U joints whose axes are alike on frame and plate (Tsai 1996): no row repeats others."""
    bodies, joints, shift = ["frame", "plate"], Joints(), np.array([*rng.uniform(-0.3, 0.3, 2), rng.uniform(0.8, 1.2)])
    for k in range(3):
        turn = 2 * np.pi / 3 * k + rng.uniform(-0.1, 0.1)
        out, side = np.array([np.cos(turn), np.sin(turn), 0.0]), np.array([-np.sin(turn), np.cos(turn), 0.0])
        foot, head = 1.2 * out, 0.5 * out + shift
        along = (head - foot) / np.linalg.norm(head - foot)
        across = np.cross(side, along)
        bodies += [f"p{k}", f"d{k}"]
        joints += [
            (f"u{k}", "U", ("frame", f"p{k}"), foot, np.array([side, across])),
            (f"m{k}", "P", (f"p{k}", f"d{k}"), 0.5 * (foot + head), along),
            (f"v{k}", "U", (f"d{k}", "plate"), head, np.array([across, side])),
        ]
    return bodies, joints, ["m0", "m1", "m2"]


def cardan(rng: Rng) -> Family:
    """Two double-Cardan branches between the same two shafts, which turn alike."""
    return shafts(rng.uniform(0.1, 0.7))


def shafts(angle: float) -> Family:
    """The same, with half of the angle (rad) between the shafts."""
    c, s = np.cos(angle), np.sin(angle)
    along, across, far = (
        np.array([c, s, 0.0]),
        np.array([-s, c, 0.0]),
        np.array([np.cos(2 * angle), np.sin(2 * angle), 0]),
    )
    joints: Joints = [("in", "R", ("frame", "in"), np.array([-0.3, 0, 0]), np.array([1.0, 0, 0]))]
    joints.append(("out", "R", ("frame", "out"), along + 0.3 * far, far))
    for k in range(2):
        joints += [
            (f"u{k}", "U", ("in", f"a{k}"), np.zeros(3), np.array([Z, across])),
            (f"slide{k}", "P", (f"a{k}", f"b{k}"), 0.5 * along, along),
            (f"v{k}", "U", (f"b{k}", "out"), along, np.array([across, Z])),
        ]
    return ["frame", "in", "out", "a0", "b0", "a1", "b1"], joints, ["in"]


def door(rng: Rng) -> Family:
    """A body on three hinges along one line."""
    axis = rng.normal(size=3)
    joints = [
        (n, "R", ("frame", "door"), x * axis, axis) for n, x in zip("ABC", rng.uniform(-2.0, 2.0, 3), strict=True)
    ]
    return ["frame", "door"], joints, ["B"]
