"""Mechanisms with couplings, each with a closed formula or the same mechanism made of other parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

import groupkin as gk
from tests.support.paths import EXAMPLES

Array = NDArray[np.float64]

LIFT = [(0.0, 0.3), (0.8, 0.31), (1.7, 0.36), (2.9, 0.42), (4.1, 0.37), (5.3, 0.31), (2 * np.pi, 0.3)]
"""Stroke of a tappet over the angle of its cam, m and rad."""

ELLIPSOID = (1.2, 1.0, 0.436 / np.sqrt(1.0 - 0.9**2 / 1.2**2))


class Coupled(NamedTuple):
    """A mechanism, the labels of its groups, and by how much its motion misses what is known of it, (n,) each."""

    mechanism: gk.Mechanism
    labels: list[str]
    missed: Callable[[gk.Motion], list[Array]]


def wheel(name: str, x: float) -> gk.Joint:
    return gk.Joint(name, "R", ("frame", name), point=(x, 0.0))


def differential() -> Coupled:
    """Two wheels and a cage."""
    drivers = [gk.Driver("left", gk.Ramp(2.0)), gk.Driver("right", gk.Polynomial((0.0, 0.5, 1.5)))]
    coupling = gk.Coupling("differential", "{joint left} + {joint right} = 2 * {joint cage}")
    names = ("left", "right", "cage")
    joints = [wheel(name, k) for k, name in enumerate(names)]
    mechanism = gk.Mechanism(2, ["frame", *names], joints, drivers, couplings=[coupling])

    def missed(motion: gk.Motion) -> list[Array]:
        (left, right, cage), rates = (motion.joint(n)[0] for n in names), motion.angular_velocity("cage")
        gains = motion.angular_acceleration("cage")
        return [left + right - 2 * cage, rates - 0.5 * (2.5 + 3.0 * motion.times), gains - 1.5]

    return Coupled(mechanism, ["1R2D", "1R2D", "1R1K2D"], missed)


def tappet() -> Coupled:
    """A cam by its table."""
    joints = [wheel("cam", 0.0), gk.Joint("bore", "P", ("frame", "tappet"), points=((0, 0), (0, 0.3)), axis=(0, 1))]
    coupling = gk.Coupling("lift", of=("joint cam", "joint bore"), table=LIFT, closed=True)
    mechanism = gk.Mechanism(
        2, ["frame", "cam", "tappet"], joints, [gk.Driver("cam", gk.Ramp(20.0))], couplings=[coupling]
    )
    spline = CubicSpline(*np.array(LIFT).T, bc_type="periodic")

    def missed(motion: gk.Motion) -> list[Array]:
        at = np.mod(20.0 * motion.times, 2 * np.pi)
        read = (motion.position, motion.velocity, motion.acceleration)
        return [each("tappet")[:, 1] - 20.0**k * spline(at, k) for k, each in enumerate(read)]

    return Coupled(mechanism, ["1R2D", "1P1K2D"], missed)


def ellipsoid(function: gk.Coupling | None = None) -> Coupled:
    """A point of a telescope on two joints that stays on an ellipsoid."""
    a, b, c = ELLIPSOID
    joints = [
        gk.Joint("yaw", "R", ("frame", "yaw"), point=(0, 0, 0), axis=(0, 0, 1)),
        gk.Joint("pitch", "R", ("yaw", "arm"), point=(0, 0, 0.1), axis=(0, 1, 0)),
        gk.Joint("slide", "P", ("arm", "tip"), point=(0.5, 0, 0.1), axis=(1, 0, 0.2)),
    ]
    bodies = ["frame", "yaw", "arm", gk.Body("tip", points={"T": (0.9, 0.0, 0.436)})]
    drivers = [gk.Driver("yaw", gk.Ramp(2.0)), gk.Driver("pitch", gk.Ramp(-0.4))]
    squares = [f"({{position T.{x}}} / {unit!r} m) ** 2" for x, unit in zip("xyz", map(float, ELLIPSOID), strict=True)]
    coupling = function or gk.Coupling("surface", f"{' + '.join(squares)} = 1")
    mechanism = gk.Mechanism(3, bodies, joints, drivers, couplings=[coupling])

    def missed(motion: gk.Motion) -> list[Array]:
        x, v, g = (read("T") / (a, b, c) for read in (motion.position, motion.velocity, motion.acceleration))
        return [(x * x).sum(axis=1) - 1.0, (x * v).sum(axis=1), (x * g + v * v).sum(axis=1)]

    return Coupled(mechanism, ["1R3D", "1R3D", "1P1K3D"], missed)


def three_joints() -> Coupled:
    """Formulas between freedoms of a ball and of a cylindrical joint, in one group."""
    joints = [
        gk.Joint("ball", "S", ("frame", "ball"), point=(0, 0, 0)),
        gk.Joint("tube", "C", ("frame", "tube"), point=(0.5, 1, 0), axis=(0, 0, 1)),
    ]
    couplings = [
        gk.Coupling("nod", "{joint ball.angle_y} = 0.3 * {joint tube.angle}"),
        gk.Coupling("lift", "{joint tube.displacement} - 0.2 m * sin({joint ball.angle_x})"),
        gk.Coupling("mix", "{joint ball.angle_z} + {joint tube.displacement} / 1 m * {joint ball.angle_y} = 0 rad"),
    ]
    drivers = [gk.Driver("ball", gk.Ramp(0.5), "angle_x"), gk.Driver("tube", gk.Ramp(0.7), "angle")]
    mechanism = gk.Mechanism(3, ["frame", "ball", "tube"], joints, drivers, couplings=couplings)

    def missed(motion: gk.Motion) -> list[Array]:
        (x, y, z), (lift, turn) = motion.joint("ball"), motion.joint("tube")
        return [y - 0.3 * turn, lift - 0.2 * np.sin(x), z + lift * y]

    return Coupled(mechanism, ["1C1S3K3D"], missed)


def bar() -> Coupled:
    """A four-bar whose coupler is the distance of two points."""
    joints = [wheel("crank", 0.0), wheel("rocker", 0.2)]
    bodies = [
        "frame",
        gk.Body("crank", points={"B": (0.05, 0.0)}),
        gk.Body("rocker", points={"C": (0.2, 0.1)}),
    ]
    drivers = [gk.Driver("crank", gk.Ramp(6.0))]
    coupling = gk.Coupling("bar", "norm({position C} - {position B})")
    whole = gk.Mechanism(
        2,
        ["frame", "crank", "bar", "rocker"],
        [
            *joints,
            gk.Joint("B", "R", ("crank", "bar"), point=(0.05, 0.0)),
            gk.Joint("C", "R", ("bar", "rocker"), point=(0.2, 0.1)),
        ],
        drivers,
    )
    return Coupled(
        gk.Mechanism(2, bodies, joints, drivers, couplings=[coupling]), ["1R2D", "1R1K2D"], _as(whole, "rocker")
    )


def gears() -> Coupled:
    """Two wheels, beside a pair of gears on them."""
    joints, drivers = [wheel("pinion", 0.0), wheel("gear", 0.3)], [gk.Driver("pinion", gk.Ramp(3.0))]
    coupling = gk.Coupling("teeth", "{joint pinion} + 2 * {joint gear}")
    whole = gk.Mechanism(
        2,
        ["frame", "pinion", "gear"],
        [*joints, gk.Joint("teeth", "EO", ("pinion", "gear"), points=((0, 0), (0.3, 0)), radii=(0.1, 0.2))],
        drivers,
    )
    mechanism = gk.Mechanism(2, ["frame", "pinion", "gear"], joints, drivers, couplings=[coupling])
    return Coupled(mechanism, ["1R2D", "1R1K2D"], _as(whole, "gear"))


def screw() -> Coupled:
    """A nut on a cylindrical joint that advances as it turns, beside a screw."""

    def joint(symbol: str, **more: float) -> gk.Joint:
        return gk.Joint("nut", symbol, ("frame", "nut"), point=(0.1, 0, 0), axis=(0, 1, 2), **more)  # type: ignore[arg-type]

    coupling = gk.Coupling("thread", "{joint nut.displacement} = 0.02 m * {joint nut.angle} / 1 rad")
    drivers = [gk.Driver("nut", gk.Ramp(4.0), "angle")]
    whole = gk.Mechanism(3, ["frame", "nut"], [joint("H", pitch=0.02)], [gk.Driver("nut", gk.Ramp(4.0))])
    mechanism = gk.Mechanism(3, ["frame", "nut"], [joint("C")], drivers, couplings=[coupling])
    return Coupled(mechanism, ["1C1K3D"], _as(whole, "nut"))


def rocker() -> Coupled:
    """A slider and a wheel on it, led by the rocker and the coupler of a four-bar that other groups solve."""
    four_bar = gk.load(EXAMPLES / "four_bar.toml")
    joints = [
        *four_bar.joints,
        gk.Joint("S", "P", (four_bar.frame, "slider"), points=((0, 0), (0.0, 0)), axis=(1, 0)),
        gk.Joint("W", "R", ("slider", "wheel"), point=(0, 0)),
    ]
    couplings = [
        gk.Coupling("slide", "{joint S} = 0.1 m * sin({joint D})"),
        gk.Coupling("roll", "{joint W} - 2 * {joint D} + {angle coupler} * {joint S} / 1 m"),
    ]
    mechanism = gk.Mechanism(
        2,
        [*four_bar.bodies, "slider", "wheel"],
        joints,
        four_bar.drivers,
        points=four_bar.points,
        couplings=couplings,
    )

    def missed(motion: gk.Motion) -> list[Array]:
        swing, slide, roll = (motion.joint(name)[0] for name in "DSW")
        whole = roll - 2 * swing + motion.angle("coupler") * slide
        return [slide - 0.1 * np.sin(swing), whole - whole[0]]

    return Coupled(mechanism, ["1R2D", "3R2D", "1P1K2D", "1R1K2D"], missed)


def _as(whole: gk.Mechanism, body: str) -> Callable[[gk.Motion], list[Array]]:
    """Compare a body with that of a mechanism without couplings, accelerations by their largest."""

    def missed(motion: gk.Motion) -> list[Array]:
        other = gk.solve(whole, motion.times)
        names = ("position", "velocity", "acceleration", "angular_velocity", "angular_acceleration")
        found = []
        for name in names:
            x, y = (np.atleast_2d(getattr(each, name)(body).T) for each in (motion, other))
            found.append(np.abs(x - y).max(axis=0) / max(1.0, float(np.abs(y).max())))
        return found

    return missed


ALL: dict[str, Callable[[], Coupled]] = {
    each.__name__: each for each in (differential, tappet, ellipsoid, three_joints, bar, gears, screw, rocker)
}
