"""Random mechanisms, grown group by group, and transformations of mechanisms whose effect on the motion is known.

A body's frame is the global frame in the reference configuration, so any points and axes fit together: a random
mechanism is assembled by construction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.curves import Curve
from groupkin.mechanism.laws.laws import Harmonic
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.mechanism.pairs import FOLLOWERS as FOLLOWER_FORMS
from groupkin.mechanism.pairs import freedom_index
from groupkin.model.geometry.coordinates import reference_coordinates
from groupkin.model.geometry.geometry import resolve
from tests.support import oracle
from tests.support.random_cams import FOLLOWERS, touching

Array = NDArray[np.float64]
Chain = Sequence[tuple[int, int, str]]

JIT = not numba.config.DISABLE_JIT

WIDER = ("H", "RW", "ER", "EO", "EPI", "RP", "RD", "PL", "CR", "SC", "PC", "SP", "SPSP", "HF")
TWO, THREE = ("angle_1", "angle_2"), ("angle_x", "angle_y", "angle_z")

GLOBAL = {"S", "F", "FP", "PL"}
"""Pairs with freedoms along or about the global axes, or axes chosen by them."""

SYMMETRIC = {"R", "P", "C", "H", "U", "ER", "SPSP", "RD"}
"""Pairs that are the same from both ends, their freedoms in reverse order; others have a plane, line or axes in one."""

FREE = {2: "FP*123", 3: "F*123456"}
"""The joint that moves a body in any way, by dimension."""


def legs(first: str, second: str, third: str) -> Chain:
    """A platform, body 0, on three legs of two bodies."""
    return [
        edge
        for k in (0, 1, 2)
        for edge in ((-1, 2 * k + 1, first), (2 * k + 1, 2 * k + 2, second), (2 * k + 2, 0, third))
    ]


CHAINS: dict[int, dict[str, Chain]] = {
    2: {
        "driven R": [(-1, 0, "R*1")],
        "driven P": [(-1, 0, "P*1")],
        "floating": [(-1, 0, "FP*123")],
        "turning on a pin": [(-1, 0, "FP*3"), (-1, 0, "R")],
        "RRR": [(-1, 0, "R"), (0, 1, "R"), (1, -1, "R")],
        "RRP": [(-1, 0, "R"), (0, 1, "R"), (1, -1, "P")],
        "RPR": [(-1, 0, "R"), (0, 1, "P"), (1, -1, "R")],
        "PRP": [(-1, 0, "P"), (0, 1, "R"), (1, -1, "P")],
        "RPP": [(-1, 0, "R"), (0, 1, "P"), (1, -1, "P")],
        "loop driven inside": [(-1, 0, "R"), (0, 1, "R*1"), (1, 2, "R"), (2, -1, "R")],
        "slide driven inside": [(-1, 0, "R"), (0, 1, "P*1"), (1, 2, "R"), (2, -1, "P")],
        "3-RR": [edge for k in (1, 2, 3) for edge in ((-1, k, "R"), (k, 0, "R"))],
        "3-RPR": legs("R", "P*1", "R"),
    },
    3: {
        "driven R": [(-1, 0, "R*1")],
        "driven P": [(-1, 0, "P*1")],
        "driven C": [(-1, 0, "C*12")],
        "driven U": [(-1, 0, "U*12")],
        "driven S": [(-1, 0, "S*123")],
        "floating": [(-1, 0, "F*123456")],
        "turning in a ball": [(-1, 0, "F*456"), (-1, 0, "S")],
        "UPS": [(-1, 0, "U"), (0, 1, "P"), (1, -1, "S")],
        "RUS": [(-1, 0, "R"), (0, 1, "U"), (1, -1, "S")],
        "RSU": [(-1, 0, "R"), (0, 1, "S"), (1, -1, "U")],
        "PUS": [(-1, 0, "P"), (0, 1, "U"), (1, -1, "S")],
        "PSU": [(-1, 0, "P"), (0, 1, "S"), (1, -1, "U")],
        "RCS": [(-1, 0, "R"), (0, 1, "C"), (1, -1, "S")],
        "PSC": [(-1, 0, "P"), (0, 1, "S"), (1, -1, "C")],
        "CCC": [(-1, 0, "C"), (0, 1, "C"), (1, -1, "C")],
        "CUC": [(-1, 0, "C"), (0, 1, "U"), (1, -1, "C")],
        "RRRS": [(-1, 0, "R"), (0, 1, "R"), (1, 2, "R"), (2, -1, "S")],
        "R, C and S driven inside": [(-1, 0, "R"), (0, 1, "C*1"), (1, 2, "U"), (2, -1, "S*2")],
        "all joints driven in part": [(-1, 0, "U*1"), (0, 1, "S*1"), (1, 2, "S*2"), (2, -1, "C*2")],
        "3-RPS": legs("R", "P*1", "S"),
        "3-RRS": legs("R*1", "R", "S"),
    },
}
"""Groups by dimension; those with a part that is driven by itself decompose into several."""


def on_rods(code: str, rods: int) -> Chain:
    """A body on one joint and some rods, which are never part of a tree."""
    return [(-1, 0, code), *[(-1, 0, "SPSP")] * rods]


HIGHER: dict[int, dict[str, Chain]] = {
    2: {
        "RW with pin in slot": [(-1, 0, "RW"), (-1, 0, "CR")],
        "R, R and RW": [(-1, 0, "R"), (0, 1, "R"), (1, -1, "RW")],
        "RW driven": [(-1, 0, "RW*1")],
        "RW driven inside": [(-1, 0, "R"), (0, 1, "R"), (1, 2, "RW*1"), (2, -1, "R")],
        "R and EO": [(-1, 0, "R"), (-1, 0, "EO")],
        "EO on rods": on_rods("EO", 2),
        "R and EPI": [(-1, 0, "R"), (-1, 0, "EPI")],
        "EPI on rods": on_rods("EPI", 2),
        "EO driven inside": [(-1, 0, "R"), (0, 1, "EO*1"), (1, -1, "R")],
        "EO's distance driven": [(-1, 0, "R"), (0, 1, "EO*2"), (1, -1, "RW")],
        "R and RP": [(-1, 0, "R"), (-1, 0, "RP")],
        "P and RP": [(-1, 0, "P"), (-1, 0, "RP")],
        "RP on rods": on_rods("RP", 2),
        "R and RD": [(-1, 0, "R"), (-1, 0, "RD")],
        "P and RD": [(-1, 0, "P"), (-1, 0, "RD")],
        "RD driven in part": [(-1, 0, "R"), (0, 1, "RD*1"), (1, -1, "R")],
        "R and CR": [(-1, 0, "R"), (-1, 0, "CR")],
        "CR on rods": on_rods("CR", 2),
        "three rods": on_rods("SPSP", 2),
    },
    3: {
        "H driven": [(-1, 0, "H*1")],
        "H and SP": [(-1, 0, "H"), (-1, 0, "SP")],
        "C, C, R and H": [(-1, 0, "C"), (0, 1, "C"), (1, 2, "R"), (2, -1, "H")],
        "C, C, U and H driven": [(-1, 0, "C"), (0, 1, "C"), (1, 2, "U"), (2, -1, "H*1")],
        "RW and SP": [(-1, 0, "RW"), (-1, 0, "SP")],
        "C, C, R and RW": [(-1, 0, "C"), (0, 1, "C"), (1, 2, "R"), (2, -1, "RW")],
        "R, ER and S": [(-1, 0, "R"), (0, 1, "ER"), (1, -1, "S")],
        "C, C and ER": [(-1, 0, "C"), (0, 1, "C"), (1, -1, "ER")],
        "R and EO": [(-1, 0, "R"), (-1, 0, "EO")],
        "EO on rods": on_rods("EO", 5),
        "R and EPI": [(-1, 0, "R"), (-1, 0, "EPI")],
        "R and RP": [(-1, 0, "R"), (-1, 0, "RP")],
        "RP on rods": on_rods("RP", 5),
        "R, U and PL": [(-1, 0, "R"), (0, 1, "U"), (1, -1, "PL")],
        "PL on rods": on_rods("PL", 3),
        "PL driven in part": [(-1, 0, "PL*2"), (0, 1, "U"), (1, -1, "U")],
        "R, U and CR": [(-1, 0, "R"), (0, 1, "U"), (1, -1, "CR")],
        "CR on rods": on_rods("CR", 3),
        "CR driven in part": [(-1, 0, "C"), (0, 1, "U"), (1, -1, "CR*1")],
        "C and SC": [(-1, 0, "C"), (-1, 0, "SC")],
        "SC on rods": on_rods("SC", 4),
        "SC driven in part": [(-1, 0, "C"), (0, 1, "SC*1"), (1, -1, "R")],
        "C and PC": [(-1, 0, "C"), (-1, 0, "PC")],
        "PC on rods": on_rods("PC", 4),
        "PC driven in part": [(-1, 0, "C"), (0, 1, "PC*3"), (1, -1, "R")],
        "R and SP": [(-1, 0, "R"), (-1, 0, "SP")],
        "SP on rods": on_rods("SP", 5),
        "SP driven in part": [(-1, 0, "C"), (0, 1, "SP*12"), (1, -1, "R")],
        "R and SPSP": [(-1, 0, "R"), (-1, 0, "SPSP")],
        "P and SPSP": [(-1, 0, "P"), (-1, 0, "SPSP")],
        "six rods": on_rods("SPSP", 5),
        "P and HF": [(-1, 0, "P"), (-1, 0, "HF")],
        "HF on rods": on_rods("HF", 5),
        "HF driven in part": [(-1, 0, "C"), (0, 1, "HF*15"), (1, -1, "R")],
        "SPSP driven in part": [(-1, 0, "C"), (0, 1, "SPSP*12"), (1, -1, "R")],
    },
}
"""Groups with the pairs that are not among those of `CHAINS`: in the tree, cut and driven in part."""


@dataclass
class Workshop:
    """Bodies and joints with random geometry in a box of 2 m, driven harmonically and little from the reference on.

    `follower` is what touches the curves of cams, one of `tests.support.random_cams.FOLLOWERS`; any if it is empty.
    """

    dimension: int
    rng: np.random.Generator
    amplitude: float = 0.15
    bodies: list[str] = field(default_factory=lambda: ["ground"])
    joints: list[Joint] = field(default_factory=list)
    drivers: list[Driver] = field(default_factory=list)
    follower: str = ""

    def make_tree(self, chain: Chain, onto: Sequence[str] = (), reverse: float = 0.5) -> list[str]:
        """Add the bodies and joints of a chain; its ends -1 go to random bodies, or to those given, in turn.

        `reverse` is the probability that a joint is declared from its second end to its first.
        """
        known = list(self.bodies)
        count = 1 + max(body for a, b, _ in chain for body in (a, b))
        new = [f"b{len(self.bodies) + k}" for k in range(count)]
        self.bodies += new
        outside = 0
        for a, b, code in chain:
            ends = []
            for body in (a, b):
                if body >= 0:
                    ends.append(new[body])
                else:
                    ends.append(onto[outside % len(onto)] if onto else known[self.rng.integers(len(known))])
                    outside += 1
            self.join(code, ends[::-1] if self.rng.random() < reverse else ends)
        return new

    def join(self, code: str, ends: Sequence[str], **geometry: Any) -> Joint:
        """Add a joint, such as ``C*1`` with the first freedom driven, with random geometry where none is given."""
        symbol, _, numbers = code.partition("*")
        name = f"j{len(self.joints) + 1}"
        joint = Joint(name, symbol, (ends[0], ends[1]), **(self.geometry(symbol) | geometry))
        self.joints.append(joint)
        freedoms = Mechanism(self.dimension, self.bodies, [joint]).freedoms(joint)
        for number in numbers:
            freedom = freedoms[int(number) - 1]
            reference = reference_value(joint, freedom.name, self.dimension)
            amplitude, phase = self.amplitude * self.rng.uniform(0.3, 1.0), self.rng.uniform(0, 6)
            law = Harmonic(amplitude, self.rng.uniform(0.2, 0.6), phase, reference - amplitude * np.sin(phase))
            self.drivers.append(Driver(name, law, freedom.name))
        return joint

    def geometry(self, symbol: str) -> dict[str, Any]:
        """Random point or points, axes and reference angles of a joint."""
        point = self.point()
        if symbol in WIDER:
            return self._wider(symbol, point)
        if symbol == "L":
            return touching(self.follower or str(self.rng.choice(FOLLOWERS)), self.rng)
        if symbol in ("P", "C"):
            axis = self.direction()
            found: dict[str, Any] = {"points": (point, point + self.rng.uniform(-0.8, 0.8) * axis), "axis": axis}
            return found | ({"reference": self.rng.uniform(-2, 2)} if symbol == "C" else {})
        if symbol == "R":
            axis_given = {"axis": self.direction()} if self.dimension == 3 else {}
            return {"point": point, "reference": self.rng.uniform(-2, 2)} | axis_given
        if symbol == "U":
            first = self.direction()
            second = np.cross(first, self.direction()) + self.rng.uniform(-0.5, 0.5) * first
            names = ("angle_1", "angle_2")
            return {"point": point, "axes": (first, second), "reference": self.angles(names, 2.0)}
        if symbol == "S":
            return {"point": point, "reference": self.angles(("angle_x", "angle_y", "angle_z"), 0.7)}
        if symbol == "F":
            return {"points": (point, self.point()), "reference": self.angles(("angle_x", "angle_y", "angle_z"), 0.7)}
        return {"points": (point, self.point()), "reference": self.rng.uniform(-2, 2)}

    def _wider(self, symbol: str, point: Array) -> dict[str, Any]:
        """Geometry of the pairs of `HIGHER`."""
        d, axis, far = self.dimension, self.direction(), self.point()
        across = np.cross(axis, self.direction()) if d == 3 else axis
        across /= np.linalg.norm(across)
        inside = self.point() - point
        inside -= axis * (axis @ inside)  # in the plane to which the axis is normal
        match symbol:
            case "H":
                points = (point, point + self.rng.uniform(-0.8, 0.8) * axis)
                pitch = self.rng.choice([-1, 1]) * self.rng.uniform(0.1, 0.5)
                return {"points": points, "axis": axis, "pitch": pitch, "reference": self.rng.uniform(-2, 2)}
            case "HF":
                pitch = self.rng.choice([-1, 1]) * self.rng.uniform(0.1, 0.5)
                reference = self.angles(("tilt_x", "tilt_y", "angle"), 0.7)
                return {"points": (point, far), "axis": axis, "pitch": pitch, "reference": reference}
            case "ER":
                return self.geometry("U") | {"axes": (axis, across)}
            case "PL":
                return {"points": (point, point + inside), "axis": axis, "reference": self.rng.uniform(-2, 2)}
            case "SP":
                return {"points": (point, point + inside), "axis": axis, "reference": self.angles(THREE, 0.7)}
            case "SC":
                points = (point, point + self.rng.uniform(-0.8, 0.8) * axis)
                return {"points": points, "axis": axis, "reference": self.angles(THREE, 0.7)}
            case "CR" if d == 2:
                points = (point, point + self.rng.uniform(-0.8, 0.8) * axis)
                return {"points": points, "axis": axis, "reference": self.rng.uniform(-2, 2)}
            case "CR":
                one, two = self.rng.uniform(-0.8, 0.8, 2)
                points = (point, point + one * axis + two * across)
                return {"points": points, "axes": (axis, across), "reference": self.rng.uniform(-2, 2)}
            case "PC":
                return {"points": (point, far), "axes": (axis, across), "reference": self.angles(TWO, 2.0)}
            case "RP" | "RW":
                if symbol == "RW" and d == 3:
                    far = point + inside - across * (across @ inside) + self.rng.uniform(-0.8, 0.8) * axis
                return {"points": (point, far)} | ({"axes": (axis, across)} if d == 3 else {"axis": axis})
            case "EO" | "EPI":
                axes = {"axes": (axis, self.direction())} if d == 3 else {}
                reference = {"angle": self.rng.uniform(-2, 2)}
                return {"points": (point, far), "radii": tuple(self.rng.uniform(0.3, 1.0, 2)), **axes} | {
                    "reference": reference
                }
        if d == 2:
            return {"points": (point, far), "reference": self.angles(TWO, 2.0)}
        return {"points": (point, far), "reference": self.angles(("azimuth", "elevation", *THREE), 0.7)}

    def angles(self, names: Sequence[str], most: float) -> dict[str, float]:
        return {name: self.rng.uniform(-most, most) for name in names}

    def point(self) -> Array:
        return self.rng.uniform(-1, 1, self.dimension)

    def direction(self) -> Array:
        vector = self.rng.normal(size=self.dimension)
        return vector / np.linalg.norm(vector)

    def moving_body(self) -> str:
        """Add a body that floats on the frame, driven in all its freedoms."""
        return self.make_tree([(-1, 0, FREE[self.dimension])], ["ground"], reverse=0.0)[0]

    def arm(self) -> str:
        """Add a body on two driven joints R and P: a known body whose coordinates do not refer to global axes."""
        middle = self.make_tree([(-1, 0, "R*1")], ["ground"])[0]
        return self.make_tree([(-1, 0, "P*1")], [middle])[0]

    def mechanism(self, **changes: Any) -> Mechanism:
        parts: dict[str, Any] = {"bodies": self.bodies, "joints": self.joints, "drivers": self.drivers}
        return Mechanism(self.dimension, **(parts | changes))


def reference_value(joint: Joint, freedom: str, dimension: int = 3) -> float:
    """Value of a freedom in the reference configuration, from what the joint states."""
    shifts = {"x": 0, "y": 1, "z": 2}
    if joint.type == "L":
        own = resolve(Mechanism(2, joint.bodies, [joint])).joints[joint.name]
        form = FOLLOWER_FORMS[joint.follower]
        return float(reference_coordinates(form, own)[[move.name for move in form.moves].index(freedom)])
    if not (freedom in ("displacement", "distance", "shift") or freedom in shifts):
        return float(joint.reference.get(freedom, 0.0) if isinstance(joint.reference, Mapping) else joint.reference)
    assert joint.points is not None
    between = np.subtract(joint.points[1], joint.points[0])
    if freedom in shifts:
        axes = np.eye(3)
        if joint.type in ("PL", "SP", "PC", "HF"):  # which x and y lie in a plane is a convention
            mechanism = Mechanism(3, joint.bodies, [joint])
            axes = resolve(mechanism).joints[joint.name].frames[0]
        return float(between @ axes[: len(between), shifts[freedom]])
    axis = np.array(joint.axis if joint.axis is not None else (joint.axes or [(1.0, 0.0)])[0])
    axis = axis / np.linalg.norm(axis)
    if joint.type in ("EO", "EPI"):
        along = between @ axis if dimension == 3 else 0.0
        return float(along if freedom == "shift" else np.sqrt(between @ between - along**2))
    if freedom == "displacement":
        return float(between @ axis)
    if dimension == 2:
        return float(axis[0] * between[1] - axis[1] * between[0])
    assert joint.axes is not None
    upright = np.array(joint.axes[1])
    return float(between @ (upright if freedom == "shift" else np.cross(upright, axis)))


# --- transformations -------------------------------------------------------------------------


def reversed_joints(mechanism: Mechanism) -> Mechanism:
    """The same mechanism with its joints declared from the other end, as far as they look the same from there."""
    flipped = {joint.name: _reversed(joint) for joint in mechanism.joints if joint.type in SYMMETRIC}
    drivers = []
    for driver in mechanism.drivers:
        if driver.joint in flipped:
            assert driver.law is not None
            freedom = {"angle_1": "angle_2", "angle_2": "angle_1"}.get(driver.freedom or "", driver.freedom)
            driver = Driver(driver.joint, driver.law.scaled(-1.0), freedom)
        drivers.append(driver)
    return replace(mechanism, joints=[flipped.get(j.name, j) for j in mechanism.joints], drivers=drivers)


def _reversed(joint: Joint) -> Joint:
    given: dict[str, Any] = {"bodies": joint.bodies[::-1]}
    if joint.points is not None:
        given["points"] = joint.points[::-1]
    if joint.axes is not None:
        given["axes"] = joint.axes[::-1]
    if isinstance(joint.reference, Mapping):
        swap = {"angle_1": "angle_2", "angle_2": "angle_1"}
        given["reference"] = {swap.get(name, name): -angle for name, angle in joint.reference.items()}
    else:
        given["reference"] = -joint.reference
    return replace(joint, **given)


def shuffled(mechanism: Mechanism, rng: np.random.Generator, names: Mapping[str, str]) -> Mechanism:
    """The same mechanism with its bodies renamed, and bodies and joints declared in another order."""

    def renamed(joint: Joint) -> Joint:
        return replace(joint, bodies=(names[joint.bodies[0]], names[joint.bodies[1]]))

    bodies = [names[body] for body in mechanism.body]
    joints = [renamed(joint) for joint in mechanism.joints]
    return replace(
        mechanism,
        bodies=[bodies[k] for k in rng.permutation(len(bodies))],
        joints=[joints[k] for k in rng.permutation(len(joints))],
        frame=names[mechanism.frame],
    )


def moved(mechanism: Mechanism, rotation: Array, shift: Array) -> Mechanism:
    """The mechanism at another place; if it is turned, freedoms that refer to the global axes must not be driven."""
    driven = {joint.type for joint in mechanism.joints if joint.name in mechanism.driven}
    assert not driven & GLOBAL or np.array_equal(rotation, np.eye(mechanism.dimension))
    return _mapped(mechanism, lambda point: rotation @ point + shift, lambda axis: rotation @ axis)


def mirrored(mechanism: Mechanism) -> Mechanism:
    """The mirror image in the plane x = 0: angles about mirrored axes and displacements along x change sign."""
    flip = np.diag([-1.0, *[1.0] * (mechanism.dimension - 1)])
    image = _mapped(mechanism, lambda point: flip @ point, lambda axis: flip @ axis)
    negative = {"angle", "angle_1", "angle_2", "angle_y", "angle_z", "x"}
    joints = [
        replace(joint, reference=_negated(joint, negative), pitch=None if joint.pitch is None else -joint.pitch)
        for joint in image.joints
    ]
    drivers = []
    for driver in image.drivers:
        assert driver.law is not None
        name = driver.freedom or "angle"
        drivers.append(replace(driver, law=driver.law.scaled(-1.0 if name in negative else 1.0)))
    return replace(image, joints=joints, drivers=drivers)


def _negated(joint: Joint, names: set[str]) -> float | dict[str, float]:
    if isinstance(joint.reference, Mapping):
        return {name: -angle if name in names else angle for name, angle in joint.reference.items()}
    return -joint.reference


def _mapped(mechanism: Mechanism, point: Any, axis: Any) -> Mechanism:
    def placed(stated: Any) -> Any:
        return stated if isinstance(stated, str) else point(np.array(stated))

    joints = []
    for joint in mechanism.joints:
        given: dict[str, Any] = {}
        if joint.point is not None:
            given["point"] = placed(joint.point)
        if joint.points is not None:
            given["points"] = tuple(map(placed, joint.points))
        if joint.axis is not None:
            given["axis"] = axis(np.array(joint.axis))
        if joint.axes is not None:
            given["axes"] = tuple(axis(np.array(a)) for a in joint.axes)
        joints.append(replace(joint, **given))
    return replace(mechanism, joints=joints, points={name: placed(at) for name, at in mechanism.points.items()})


def resized(mechanism: Mechanism, size: float, shift: Array | None = None) -> Mechanism:
    """The mechanism shifted (in its own size), then enlarged by a factor about the origin; its motion is so as well."""
    offset = np.zeros(mechanism.dimension) if shift is None else shift

    def place(point: Any) -> Any:
        return point if isinstance(point, str) or point is None else tuple(size * (np.array(point, float) + offset))

    def curve(given: Curve) -> Curve:
        return replace(given, points=[place(point) for point in given.points])

    joints = []
    for joint in mechanism.joints:
        given: dict[str, Any] = {"point": place(joint.point)}
        if joint.points is not None:
            given["points"] = tuple(map(place, joint.points))
        if joint.curve is not None:
            given["curve"] = curve(joint.curve)
        if joint.curves is not None:
            given["curves"] = tuple(map(curve, joint.curves))
        for key in ("pitch", "radius"):
            if getattr(joint, key) is not None:
                given[key] = size * getattr(joint, key)
        if joint.radii is not None:
            given["radii"] = tuple(size * radius for radius in joint.radii)
        joints.append(replace(joint, **given))
    bodies = []
    for body in mechanism.body.values():
        points = body.points
        if isinstance(points, Mapping):
            points = {name: place(point) for name, point in points.items()}
        lengths = {ends: size * length for ends, length in body.lengths.items()}
        bodies.append(replace(body, origin=place(body.origin), points=points, lengths=lengths))
    drivers = []
    for driver in mechanism.drivers:
        joint = mechanism.joint[driver.joint]
        index = freedom_index(joint.type, mechanism.dimension, driver.freedom, joint.follower)
        turns = mechanism.freedoms(joint)[index].rotation
        drivers.append(driver if turns or driver.law is None else replace(driver, law=driver.law.scaled(size)))
    named = {name: place(point) for name, point in mechanism.points.items()}
    return replace(mechanism, bodies=bodies, joints=joints, drivers=drivers, points=named)


def unsized(motion: Any, size: float, shift: Array | None = None) -> oracle.Trajectories:
    """What the motion of a `resized` mechanism says of that it was made from."""
    found = {}
    for body, (origin, rotation) in oracle.of_motion(motion).items():
        origin = origin / size
        origin[0] -= 0.0 if shift is None else shift
        found[body] = origin, rotation
    return found
