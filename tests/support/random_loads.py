"""Random mechanisms of every kind of pair, gear and coupling, with random masses and forces; each is a seed's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import GroupkinError
from groupkin.mechanism.forces.force_checks import is_loose
from groupkin.mechanism.forces.friction import RUBBING
from groupkin.model.geometry.geometry import resolve
from tests.support.platforms import KINDS, platform
from tests.support.random_cams import CAMS, FOLLOWERS
from tests.support.random_mechanisms import CHAINS, HIGHER, Chain, Workshop
from tests.support.triads import triad
from tests.support.whole import Whole

Array = NDArray[np.float64]

TIMES = np.array([0.1, 0.35, 0.6])

CONDITIONING = 0.02
"""Smallest conditioning of motions that are compared."""

DRIVEN: dict[int, dict[str, Chain]] = {
    2: {f"driven {code}": [(-1, 0, code)] for code in ("RD*12", "CR*12", "EO*12", "EPI*12", "RP*12")},
    3: {
        f"driven {code}": [(-1, 0, code)]
        for code in ("SC*1234", "PC*1234", "SP*12345", "PL*123", "CR*123", "HF*12345", "ER*12", "EO*12345", "RP*12345")
    },
}
"""Pairs all of whose freedoms are driven, beside those of `CHAINS` and `HIGHER`."""

EVERY: dict[int, dict[str, Chain]] = {d: {**CHAINS[d], **HIGHER[d], **DRIVEN[d]} for d in (2, 3)}

FAMILIES: list[tuple[int, str]] = [
    *((d, name) for d in (2, 3) for name in EVERY[d]),
    *((d, f"gears {kind}") for d in (2, 3) for kind in ("EO", "EPI") for _ in range(3)),
    *((2, f"cam {name} {follower}") for name in CAMS for follower in FOLLOWERS),
    *((KINDS[kind][0], f"hub {kind}") for kind in KINDS for _ in range(2)),
    (2, "triad"),
]
"""Dimension and kind of what is in a mechanism at least; seeds take them in turn."""


def moved(seed: int) -> gk.Motion | None:
    """The motion of a random mechanism with masses and forces; None if no geometry of the seed moves.

    Of a third of the mechanisms couplings take the place of drivers and rods.
    """
    d, kind = FAMILIES[seed % len(FAMILIES)]
    rng = np.random.default_rng([d, seed])
    for mechanism in _drawn(d, kind, rng):
        if rng.random() < 0.35:
            mechanism = coupled(mechanism, rng)
        motion = _moving(with_forces(mechanism, rng))
        if motion is not None:
            return motion
    return None


def _moving(mechanism: gk.Mechanism) -> gk.Motion | None:
    try:
        motion = gk.solve(mechanism, TIMES)
    except GroupkinError:
        return None
    return motion if motion.conditioning.min(initial=1.0) > CONDITIONING else None


def _drawn(d: int, kind: str, rng: np.random.Generator) -> Iterator[gk.Mechanism]:
    """Mechanisms of a kind, with fewer groups beside it the later they are."""
    for most in (2, 2, 1, 1, 0, 0, 0, 0):
        if kind == "triad":
            yield triad(int(rng.integers(2**31)))
            continue
        if kind.startswith("hub "):
            yield platform(kind[4:], int(rng.integers(2**31)))
            continue
        shop = Workshop(d, np.random.default_rng(rng.integers(2**31)), amplitude=0.12)
        base = [["ground"], [shop.moving_body(), "ground"], [shop.arm(), "ground"]][int(rng.integers(3))]
        if kind.startswith("cam "):
            _, *words, shop.follower = kind.split()
            shop.make_tree(CAMS[" ".join(words)], [*base, shop.moving_body(), "ground"])
        elif kind.startswith("gears "):
            gears(shop, kind[6:])
        else:
            shop.make_tree(EVERY[d][kind], base)
        for _ in range(int(rng.integers(most + 1))):
            shop.make_tree(EVERY[d][str(rng.choice(list(EVERY[d])))])
        yield shop.mechanism()


def gears(shop: Workshop, symbol: str) -> None:
    """Two wheels on a driven arm, or one on a bearing beside its center, that gears lead."""
    d, rng = shop.dimension, shop.rng
    arm, *wheels = (f"w{len(shop.bodies) + k}" for k in range(3))
    shop.bodies += [arm, *wheels]
    axis = shop.direction() if d == 3 else np.zeros(2)
    start, way = shop.point(), shop.direction()
    way = way - axis * (axis @ way)
    radii = np.sort(rng.uniform(0.1, 0.6, 2))[:: rng.choice([-1, 1])]
    distance = radii.sum() if symbol == "EO" else abs(radii[0] - radii[1])
    centers = start, start + distance * way / np.linalg.norm(way)
    turning: dict[str, Any] = {"axis": axis} if d == 3 else {}
    places = [*centers] if rng.random() < 0.7 else [centers[0], centers[1] + 0.1 * (way - 0.5 * centers[0])]
    if d == 3:
        places = [at + rng.uniform(-0.3, 0.3) * axis for at in places]
    shop.join("R*1", ["ground", arm], point=shop.point(), **turning)
    shop.join("R*1", [arm, wheels[0]], point=places[0], **turning)
    shop.join("R", [arm, wheels[1]], point=places[1], **turning)
    more: dict[str, Any] = {"axes": (axis, axis)} if d == 3 else {}
    if rng.random() < 0.5:
        more |= {"pressure_angle": float(rng.uniform(0.2, 0.5))}
        more |= {"helix_angle": float(rng.uniform(-0.4, 0.4))} if d == 3 else {}
    shop.join(symbol, wheels, points=centers, radii=tuple(map(float, radii)), **more)


# --- couplings -------------------------------------------------------------------------------


Freedom = tuple[str, int]
"""A joint, and the number of its freedom."""


def coupled(mechanism: gk.Mechanism, rng: np.random.Generator) -> gk.Mechanism:
    """The mechanism with couplings in place of a rod, and of the laws of some drivers."""
    mechanism = _bar(mechanism, rng)
    drivers, couplings = list(mechanism.drivers), list(mechanism.couplings)
    every = [(joint.name, k) for joint in mechanism.joints for k in range(len(mechanism.freedoms(joint)))]
    for _ in range(int(rng.integers(1, 3))):
        if len(drivers) < 2:
            break
        follower = _freedom(mechanism, drivers.pop(int(rng.integers(len(drivers)))))
        leader = _freedom(mechanism, drivers[int(rng.integers(len(drivers)))])
        if rng.random() < 0.4:  # any, of which some are told from there
            leader = every[int(rng.integers(len(every)))]
        if leader != follower:
            couplings.append(_follow(mechanism, leader, follower, f"k{len(couplings)}", rng))
    return replace(mechanism, drivers=drivers, couplings=couplings)


def _freedom(mechanism: gk.Mechanism, driver: gk.Driver) -> Freedom:
    return driver.joint, next(k for k, each in mechanism.driven[driver.joint].items() if each is driver)


def _follow(
    mechanism: gk.Mechanism, leader: Freedom, follower: Freedom, name: str, rng: np.random.Generator
) -> gk.Coupling:
    """A coupling by which one coordinate follows another: linear, a formula, or a table."""
    (x, one), (y, unit), share = _named(mechanism, leader), _named(mechanism, follower), rng.uniform(-0.8, 0.8)
    ratio = f"{share:.6f} {unit} * {{{x}}} / 1 {one}"
    kind = int(rng.integers(4))
    if kind == 0:
        return gk.Coupling(name, f"{{{y}}} - {ratio}")
    argument = f"1 rad * {{{x}}} / 1 {one}"
    if kind == 1:
        return gk.Coupling(name, f"{{{y}}} + {share:.6f} {unit} * sin({argument})")
    if kind == 2:
        return gk.Coupling(name, f"{{{y}}} * (2 + cos({argument})) - {ratio}")
    at, reference = (_reference(mechanism, each) for each in (leader, follower))
    rows = [(at + step, reference + share * step + 0.3 * step**2) for step in np.linspace(-0.6, 0.6, 7)]
    return gk.Coupling(name, of=(x, y), table=rows)


def _named(mechanism: gk.Mechanism, freedom: Freedom) -> tuple[str, str]:
    """A freedom as a quantity, and its unit."""
    joint, k = freedom
    freedoms = mechanism.freedoms(mechanism.joint[joint])
    return f"joint {joint}" + (f".{freedoms[k].name}" if len(freedoms) > 1 else ""), freedoms[k].unit


def _reference(mechanism: gk.Mechanism, freedom: Freedom) -> float:
    """Value of a freedom in the reference configuration."""
    whole = Whole(mechanism)
    return float(whole.reference[whole.coordinate(freedom[0], _named(mechanism, freedom)[0].partition(".")[2] or None)])


def _bar(mechanism: gk.Mechanism, rng: np.random.Generator) -> gk.Mechanism:
    """The mechanism with the distance of two points in place of a rod that is nothing but held."""
    driven = {driver.joint for driver in mechanism.drivers}
    rods = [joint for joint in mechanism.joints if joint.type == "SPSP" and joint.name not in driven]
    if not rods or rng.random() < 0.3:
        return mechanism
    rod = rods[int(rng.integers(len(rods)))]
    ends = dict(zip(rod.bodies, ("P", "Q"), strict=True))
    assert rod.points is not None
    at = dict(zip(("P", "Q"), (tuple(map(float, point)) for point in rod.points), strict=True))
    if mechanism.frame in ends:
        return mechanism
    bodies = [
        replace(body, points={ends[body.name]: at[ends[body.name]]}) if body.name in ends else body
        for body in mechanism.body.values()
    ]
    joints = [joint for joint in mechanism.joints if joint is not rod]
    bar = gk.Coupling("bar", "norm({position P} - {position Q})")
    return replace(mechanism, bodies=bodies, joints=joints, couplings=[bar])


# --- masses and forces -----------------------------------------------------------------------


def with_forces(mechanism: gk.Mechanism, rng: np.random.Generator, falling: bool = False) -> gk.Mechanism:
    """The mechanism with masses on all, some, one or none of its bodies, and some forces of every kind.

    One that is to fall has masses on all or most bodies, and no friction by reactions.
    """
    geometry, d = resolve(mechanism), mechanism.dimension
    size, origins = min(geometry.size, 3.0), geometry.origins
    movable, bodies = mechanism.movable, list(mechanism.body)

    def near(body: str) -> tuple[float, ...]:
        return tuple((origins[body] + 0.3 * size * rng.normal(size=d)).tolist())

    def drawn(names: Sequence[str]) -> str:
        return str(rng.choice(list(names)))

    share = float(rng.choice([1.0, 1.0, 0.8] if falling else [1.0, 1.0, 0.5, -1.0, 0.0]))
    heavy = {name for name in movable if rng.random() < share} if share >= 0 else {drawn(movable)}
    masses = [
        replace(body, mass=float(rng.uniform(0.5, 3.0)), center=near(body.name), inertia=_inertia(rng, size, d))
        if body.name in heavy
        else body
        for body in mechanism.body.values()
    ]
    forces: list[Any] = []
    for k in range(int(rng.integers(3))):
        ends = tuple(map(str, rng.permutation(bodies)[:2]))
        more: dict[str, Any] = {"length": float(size * rng.uniform(0.2, 1.5))} if rng.random() < 0.5 else {}
        if rng.random() < 0.3:
            more["table"] = [(0.1 * size * x, float(rng.normal() * 5)) for x in range(0, 30, 3)]
        if rng.random() < 0.3:
            more["damping_table"] = [(-1.0, -3.0), (-0.2, -0.5), (0.0, 0.0), (0.4, 1.0), (1.0, 6.0)]
        numbers = {"stiffness": rng.uniform(5, 50), "damping": rng.uniform(0, 3), "preload": rng.normal()}
        points = (near(ends[0]), near(ends[1]))
        forces.append(gk.Spring(f"spring {k}", ends, points, **{x: float(y) for x, y in numbers.items()}, **more))
    if rng.random() < 0.25:
        ends = tuple(map(str, rng.permutation(bodies)[:2]))
        forces.append(gk.Bushing("bushing", ends, near(ends[1]), *map(float, rng.uniform(0.2, 20.0, 4))))
    law = gk.Harmonic(amplitude=1.0, frequency=float(rng.uniform(0.2, 0.8)), phase=float(rng.uniform(0, 6)))
    axes = ["", drawn(bodies), drawn(list(mechanism.joint))]
    if rng.random() < 0.6:
        body, vector = drawn(movable), tuple((10.0 * rng.normal(size=d)).tolist())
        laws = (law if rng.random() < 0.5 else None, axes[int(rng.integers(3))])
        forces.append(gk.Force("push", body, near(body), vector, *laws))
    if rng.random() < 0.6:
        turn = float(5 * rng.normal()) if d == 2 else tuple((5.0 * rng.normal(size=3)).tolist())
        laws = (law if rng.random() < 0.5 else None, axes[int(rng.integers(3))])
        forces.append(gk.Torque("twist", drawn(movable), turn, *laws))
    joints = [joint for joint in mechanism.joints if not is_loose(mechanism, joint) and joint.type not in ("F", "FP")]
    freedoms = [(joint.name, freedom.name) for joint in joints for freedom in mechanism.freedoms(joint)]
    for k in rng.permutation(len(freedoms))[: int(rng.integers(4))]:
        forces.append(_in_joint(*freedoms[k], rng))
    rubbing = [joint for joint in mechanism.joints if joint.type in RUBBING]
    for k in rng.permutation(len(rubbing))[: int(rng.integers(3)) if not falling and rng.random() < 0.4 else 0]:
        forces.append(_friction(rubbing[k], d, rng))
    gravity = rng.normal(size=d)
    gravity *= rng.uniform(3.0, 12.0) / np.linalg.norm(gravity)
    return replace(mechanism, bodies=masses, forces=forces, gravity=tuple(gravity) if rng.random() < 0.8 else ())


def _in_joint(joint: str, freedom: str, rng: np.random.Generator) -> Any:
    kind, name = int(rng.integers(3)), f"in {joint} {freedom}"
    numbers = list(map(float, rng.uniform(0.2, 10.0, 4)))
    if kind == 0:
        table = [(-4.0, -3.0), (-1.0, -2.5), (0.5, 1.0), (2.0, 1.5), (4.0, 9.0)] if rng.random() < 0.3 else ()
        return gk.JointSpring(name, joint, freedom, *numbers, table=table)
    if kind == 1:
        law = gk.Harmonic(amplitude=1.0, frequency=0.7, phase=1.0) if rng.random() < 0.5 else None
        return gk.JointForce(name, joint, numbers[0], freedom, law)
    return gk.JointFriction(name, joint, numbers[0], freedom, numbers[1], speed=0.1)


def _friction(joint: gk.Joint, d: int, rng: np.random.Generator) -> gk.Friction:
    more: dict[str, Any] = {"coefficient": float(rng.uniform(0.02, 0.15)), "speed": float(rng.choice([0.001, 0.05]))}
    if joint.type != "P":
        more["radius"] = float(rng.uniform(0.01, 0.08))
    if joint.type in ("P", "C") or (joint.type == "R" and d == 3):
        more |= {"length": float(rng.uniform(0.3, 1.0))} if rng.random() < 0.4 else {}
    if joint.type == "R" and d == 3 and "length" not in more:
        more |= {"axial": bool(rng.random() < 0.4)}
    if joint.type == "H" and rng.random() < 0.3:
        more = {"radius": more["radius"], "efficiency": float(rng.uniform(0.4, 0.9)), "speed": more["speed"]}
    return gk.Friction(f"friction in {joint.name}", joint.name, **more)


def _inertia(rng: np.random.Generator, size: float, d: int) -> float | list[list[float]]:
    if d == 2:
        return float(rng.uniform(0.01, 0.1) * size**2)
    points = 0.1 * size * rng.normal(size=(4, 3))
    second = points.T @ points
    found: list[list[float]] = (np.trace(second) * np.eye(3) - 0.5 * (second + second.T)).tolist()
    return found


# --- motion under forces ---------------------------------------------------------------------


def falling(seed: int) -> tuple[gk.Mechanism, dict[str, tuple[float, float]]] | None:
    """A random mechanism some of whose drivers have no law, and values and rates of these at the start.

    It starts in the reference configuration. None if no geometry of the seed moves.
    """
    d, kind = FAMILIES[seed % len(FAMILIES)]
    rng = np.random.default_rng([d, seed, 1])
    for mechanism in _drawn(d, kind, rng):
        if rng.random() < 0.35:
            mechanism = coupled(mechanism, rng)
        drivers, most = list(mechanism.drivers), len(mechanism.drivers)
        count = most if rng.random() < 0.3 else min(most, int(rng.integers(1, 3)))
        free = {int(k) for k in rng.permutation(most)[:count]}
        start = {}
        for k in free:
            freedom = _freedom(mechanism, drivers[k])
            start[mechanism.driver_name(*freedom)] = (_reference(mechanism, freedom), float(rng.uniform(-0.6, 0.6)))
            drivers[k] = replace(drivers[k], law=None)
        loaded = with_forces(mechanism, rng, falling=True)
        if _moving(loaded) is not None:
            return replace(loaded, drivers=drivers), start
    return None
