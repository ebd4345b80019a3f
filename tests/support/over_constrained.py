"""Random movable mechanisms whose joints repeat each other, in any orientation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

from groupkin.mechanism.couplings import Coupling
from groupkin.mechanism.laws import Ramp
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism

Array = NDArray[np.float64]
Rng = np.random.Generator

RATE = 0.4
"""Of motors, rad/s or m/s, over a second."""


def over_constrained(name: str, seed: int) -> Mechanism:
    """A random mechanism of a family, turned and shifted at random."""
    rng = np.random.default_rng([sorted(FAMILIES).index(name), seed])
    bodies, joints, motors = FAMILIES[name](rng)
    turn, shift = Rotation.random(random_state=rng).as_matrix(), rng.uniform(-1.0, 1.0, 3)
    placed = [
        Joint(
            name, kind, ends, point=tuple(turn @ point + shift),
            **({"axis": tuple(turn @ axes)} if np.ndim(axes) == 1 else {"axes": tuple(map(tuple, axes @ turn.T))}),
        )
        for name, kind, ends, point, axes in joints
    ]  # fmt: skip
    couplings = [Coupling("gear", "{joint D} = -0.5 * {joint A}")] if "geared" in name else []
    drivers = [Driver(motor, Ramp(rate=float(rng.choice([-1, 1]) * rng.uniform(0.5, 1.0) * RATE))) for motor in motors]
    return Mechanism(3, bodies, placed, drivers, couplings=couplings)


Joints = list[tuple[str, str, tuple[str, str], Array, Array]]
Family = tuple[list[str], Joints, list[str]]

Z = np.array([0.0, 0.0, 1.0])
LETTERS = "ABCDEFGHIJKL"


def _loop(points: Sequence[Array], axes: Sequence[Array], motors: str = "A", kinds: str = "") -> Family:
    """A loop of joints A, B, … from the frame back to it; hinges unless `kinds` says otherwise."""
    bodies = ["frame", *(f"b{k}" for k in range(1, len(points)))]
    kinds = kinds or "R" * len(points)
    ends = zip(bodies, [*bodies[1:], "frame"], strict=True)
    each = zip(LETTERS, kinds, ends, points, axes, strict=False)
    return (
        bodies,
        [(n, kind, pair, np.asarray(p, float), np.asarray(a, float)) for n, kind, pair, p, a in each],
        [*motors],
    )


def _plane(places: Sequence[tuple[float, float]], rng: Rng) -> list[Array]:
    """Points of a plane loop, moved a little in the plane, and along its normal."""
    return [np.array([*(np.array(place) + rng.uniform(-0.2, 0.2, 2)), rng.uniform(-1.0, 1.0)]) for place in places]


def _plane_four_bar(rng: Rng) -> Family:
    return _loop(_plane([(0, 0), (0, 1), (3, 2.5), (3, 0)], rng), [Z] * 4)


def _slider_crank(rng: Rng) -> Family:
    axes = [Z, Z, Z, np.array([1.0, rng.uniform(-0.2, 0.2), 0.0])]
    return _loop(_plane([(0, 0), (0, 1), (3, 0.4), (3, 0.4)], rng), axes, kinds="RRRP")


def _plane_five_bar(rng: Rng) -> Family:
    return _loop(_plane([(0, 0), (-0.6, 1.5), (1, 2.6), (2.6, 1.5), (2, 0)], rng), [Z] * 5, "AE")


def _geared_five_bar(rng: Rng) -> Family:
    """A five-bar whose cranks are geared; the coupling takes the place of a motor."""
    bodies, joints, _ = _plane_five_bar(rng)
    joints[-1] = ("D", "R", ("frame", "b4"), *joints[-1][3:])
    joints[3] = ("E", "R", ("b3", "b4"), *joints[3][3:])
    return bodies, joints, ["A"]


def _watt(rng: Rng) -> Family:
    bodies, joints, motors = _plane_four_bar(rng)
    more = _plane([(3.6, 1.5), (7, 2), (6.5, 0)], rng)
    ends = [("b3", "b4"), ("b4", "b5"), ("b5", "frame")]
    joints += [(n, "R", pair, p, Z) for n, pair, p in zip("EFG", ends, more, strict=True)]
    return [*bodies, "b4", "b5"], joints, motors


def _cranks(rng: Rng) -> Family:
    """A bar on three equal parallel cranks, one of which is redundant in the plane too."""
    crank, feet = rng.uniform(0.5, 1.5, 2), [(0.0, 0.0), (2.0, 0.3), (3.3, -0.6)]
    bodies, joints = ["frame", "bar"], []
    for k, foot in enumerate(feet):
        bodies.append(f"crank{k}")
        joints.append((f"{'AFG'[k]}", "R", ("frame", f"crank{k}"), np.array([*foot, 0.1 * k]), Z))
        joints.append((f"head{k}", "R", (f"crank{k}", "bar"), np.array([*np.add(foot, crank), 0.2 * k]), Z))
    return bodies, joints, ["A"]


def _plane_3rrr(rng: Rng) -> Family:
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


def _sphere(axes: Array, rng: Rng) -> tuple[list[Array], list[Array]]:
    """Hinges anywhere on axes through one point."""
    axes = axes + rng.uniform(-0.1, 0.1, axes.shape)
    return [rng.uniform(0.5, 1.5) * axis for axis in axes], list(axes)


def _spherical_four_bar(rng: Rng) -> Family:
    return _loop(*_sphere(np.array([(0, 0, 1), (0.3, 0, 1), (0.5, 0.8, 0.5), (1, 0.2, 0.1)]), rng))


def _spherical_five_bar(rng: Rng) -> Family:
    axes = np.array([(0, 0, 1), (-0.5, 0.5, 1), (0.2, 1.2, 0.6), (0.9, 0.8, 0.4), (1, 0, 0.5)])
    return _loop(*_sphere(axes, rng), "AE")


def _spherical_3rrr(rng: Rng) -> Family:
    bodies, joints, unit = ["frame", "eye"], [], np.eye(3)
    for k in range(3):
        axes = unit[[k, (k + 2) % 3, (k + 1) % 3]] + rng.uniform(-0.15, 0.15, (3, 3))
        bodies += [f"p{k}", f"d{k}"]
        ends = [("frame", f"p{k}"), (f"p{k}", f"d{k}"), (f"d{k}", "eye")]
        for n, pair, axis in zip("mwv", ends, axes, strict=True):
            joints.append((f"{n}{k}", "R", pair, rng.uniform(0.5, 1.5) * axis, axis))
    return bodies, joints, ["m0", "m1", "m2"]


def _chain(*links: tuple[float, float, float, float]) -> tuple[list[Array], list[Array]]:
    """Points and axes of a closed chain by Denavit and Hartenberg: angle, length, twist, offset."""
    frame, points, axes = np.eye(4), [], []
    for angle, length, twist, offset in links:
        points.append(frame[:3, 3])
        axes.append(frame[:3, 2])
        c, s, ca, sa = np.cos(angle), np.sin(angle), np.cos(twist), np.sin(twist)
        along = [[c, -s * ca, s * sa, length * c], [s, c * ca, -c * sa, length * s], [0, sa, ca, offset], [0, 0, 0, 1]]
        frame = frame @ np.array(along)
    np.testing.assert_allclose(frame, np.eye(4), rtol=0.0, atol=1e-11)
    return points, axes


def _bennett(rng: Rng) -> Family:
    """Bennett (1914): opposite links alike, lengths as the sines of twists."""
    a, alpha = 1.0, rng.uniform(0.4, 0.8)
    beta = alpha + rng.uniform(0.2, 0.6)
    b, first = np.sin(beta) / np.sin(alpha) * a, rng.uniform(0.7, 1.5)
    second = 2 * np.arctan(np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2) / np.tan(first / 2))
    return _loop(*_chain((first, a, alpha, 0), (second, b, beta, 0), (-first, a, alpha, 0), (-second, b, beta, 0)))


def _bricard(rng: Rng) -> Family:
    """Threefold symmetric (Bricard 1927; Chen, You and Tarnai 2005): twists of a right angle, back and forth."""
    angle = rng.uniform(0.9, 1.5)
    cosine = np.cos(angle)
    other = -brentq(lambda x: cosine + np.cos(x) + cosine * np.cos(x), 1.0, 3.1)
    return _loop(*_chain(*[(angle, 1.0, np.pi / 2, 0), (other, 1.0, -np.pi / 2, 0)] * 3))


def _sarrus(rng: Rng) -> Family:
    """Two chains of three parallel hinges, whose directions differ: the plate moves straight (Sarrus 1853)."""
    bodies, joints, height = ["frame", "plate"], [], rng.uniform(1.0, 1.6)
    for k, turn in enumerate(np.cumsum(rng.uniform(0.8, 1.6, 3))):
        out, axis = np.array([np.cos(turn), np.sin(turn), 0.0]), np.array([-np.sin(turn), np.cos(turn), 0.0])
        places = [out, (1.4 + 0.2 * k) * out + 0.45 * height * Z, out + height * Z]
        bodies += [f"p{k}", f"d{k}"]
        ends = [("frame", f"p{k}"), (f"p{k}", f"d{k}"), (f"d{k}", "plate")]
        for n, pair, place in zip("mwv", ends, places, strict=True):
            joints.append((f"{n}{k}", "R", pair, place + rng.uniform(-0.3, 0.3) * axis, axis))
    return bodies, joints, ["m0"]


def _tripteron(rng: Rng) -> Family:
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


def _cardan(rng: Rng) -> Family:
    """Two double-Cardan branches between the same two shafts, which turn alike."""
    angle = rng.uniform(0.1, 0.7)
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


def _door(rng: Rng) -> Family:
    """A body on three hinges along one line."""
    axis = rng.normal(size=3)
    joints = [
        (n, "R", ("frame", "door"), x * axis, axis) for n, x in zip("ABC", rng.uniform(-2.0, 2.0, 3), strict=True)
    ]
    return ["frame", "door"], joints, ["B"]


FAMILIES: dict[str, Callable[[Rng], Family]] = {
    "plane four-bar": _plane_four_bar,
    "plane slider-crank": _slider_crank,
    "plane five-bar": _plane_five_bar,
    "plane five-bar, geared": _geared_five_bar,
    "plane six-bar": _watt,
    "parallel cranks": _cranks,
    "plane 3-RRR": _plane_3rrr,
    "spherical four-bar": _spherical_four_bar,
    "spherical five-bar": _spherical_five_bar,
    "spherical 3-RRR": _spherical_3rrr,
    "Bennett": _bennett,
    "Bricard": _bricard,
    "Sarrus": _sarrus,
    "Tripteron": _tripteron,
    "double Cardan, twice": _cardan,
    "door": _door,
}
