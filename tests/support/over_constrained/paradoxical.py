"""Single loops that move because of their dimensions, which counting cannot tell."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

from tests.support.over_constrained.loops import Array, Family, Rng, Z, chain, loop, turns


def bennett(rng: Rng) -> Family:
    """Bennett (1914): opposite links alike, lengths as the sines of twists."""
    alpha = rng.uniform(0.4, 0.8)
    return loop(*_four_hinges(alpha, alpha + rng.uniform(0.2, 0.6), rng.uniform(0.7, 1.5)))


def _four_hinges(alpha: float, beta: float, first: float) -> tuple[list[Array], list[Array]]:
    """Points and axes of Bennett's linkage with links of length 1 and twist alpha, and others of twist beta."""
    b = np.sin(beta) / np.sin(alpha)
    second = 2 * np.arctan(np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2) / np.tan(first / 2))
    return chain((first, 1, alpha, 0), (second, b, beta, 0), (-first, 1, alpha, 0), (-second, b, beta, 0))


def goldberg(rng: Rng) -> Family:
    """Two linkages of Bennett with a common link, which is left out (Goldberg 1943)."""
    alpha, (first, other) = rng.uniform(0.4, 0.8), rng.uniform(0.7, 1.5, 2)
    one = _four_hinges(alpha, alpha + rng.uniform(0.2, 0.6), first)
    points, axes = map(np.array, _four_hinges(alpha, alpha + rng.uniform(0.2, 0.6), -other))
    c, s = np.cos(first + other), np.sin(first + other)
    back = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    points, axes = points @ back.T, axes @ back.T
    np.testing.assert_allclose(points[1], one[0][1], rtol=0.0, atol=1e-12)
    return loop(
        [one[0][3], one[0][2], one[0][1], points[2], points[3]], [one[1][3], one[1][2], one[1][1], axes[2], axes[3]]
    )


def myard(rng: Rng) -> Family:
    """Plane-symmetric, of two linkages of Bennett with right angles (Myard 1931; Chen and You 2008)."""
    twist, right = rng.uniform(0.5, 0.9), np.pi / 2
    short = np.sin(twist)
    links = [(short, twist, 0), (1, right, 0), (0, np.pi - 2 * twist, 0), (1, right, 0), (short, np.pi - twist, 0)]
    return loop(*chain(*((angle, *link) for angle, link in zip(turns(rng, *links), links, strict=True))))


def bricard_threefold(rng: Rng) -> Family:
    """Threefold symmetric (Bricard 1927; Chen, You and Tarnai 2005): twists of a right angle, back and forth."""
    angle = rng.uniform(0.9, 1.5)
    cosine = np.cos(angle)
    other = -brentq(lambda x: cosine + np.cos(x) + cosine * np.cos(x), 1.0, 3.1)
    return loop(*chain(*[(angle, 1.0, np.pi / 2, 0), (other, 1.0, -np.pi / 2, 0)] * 3))


def bricard_line_symmetric(rng: Rng) -> Family:
    """Three hinges anywhere, and where half a turn about a line takes them (Bricard 1927)."""
    points, axes, half = rng.uniform(-1.0, 1.0, (3, 3)), rng.normal(size=(3, 3)), np.array([-1.0, -1.0, 1.0])
    return loop([*points, *points * half], [*axes, *axes * half])


def bricard_plane_symmetric(rng: Rng) -> Family:
    """Two hinges in a plane, two others anywhere, and their images in the plane (Bricard 1927)."""
    image = np.array([1.0, 1.0, -1.0])
    points, axes = rng.uniform(-1.0, 1.0, (4, 3)), rng.normal(size=(4, 3))
    for each in (points, axes):
        each[[0, 3], 2] = 0.0
    order = [*zip(points, axes, strict=True)] + [(image * points[k], image * axes[k]) for k in (2, 1)]
    return loop([point for point, _ in order], [axis for _, axis in order])


def bricard_trihedral(rng: Rng) -> Family:
    """All twists are right angles and squares of lengths add up alike (Bricard 1927)."""
    a, c, e = rng.uniform(1.0, 1.2, 3)
    b, d = rng.uniform(0.8, 1.0, 2)
    f = np.sqrt(a**2 + c**2 + e**2 - b**2 - d**2)
    twists = [np.pi / 2, 3 * np.pi / 2] * 3
    links = [(length, twist, 0) for length, twist in zip((a, b, c, d, e, f), twists, strict=True)]
    return loop(*chain(*((angle, *link) for angle, link in zip(turns(rng, *links), links, strict=True))))


def schatz(rng: Rng) -> Family:
    """The invertible linkage (Schatz 1942), at any angle."""
    right, offset = np.pi / 2, rng.uniform(0.3, 1.0)
    links = [(0, right, offset), (1, right, 0), (1, right, 0), (1, right, 0), (0, right, 0), (np.sqrt(3), 0, -offset)]
    return loop(*chain(*((angle, *link) for angle, link in zip(turns(rng, *links), links, strict=True))))


def sarrus(rng: Rng) -> Family:
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
