"""Rates and forces of changed designs, whose loops are open in the reference configuration of their bodies.

Against velocities and differences of positions, against the equilibrium of every body, and against the mechanism of the
design, whose reference configuration is closed.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import NamedTuple
from zlib import crc32

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import CannotAssembleError, SingularPositionError
from groupkin.kinematics.motion.quantities import Quantity
from tests.support.design_differences import parameters_of
from tests.support.energy import rate_of_energy
from tests.support.equilibrium import unbalanced
from tests.support.examples import described
from tests.support.line_by_line import line_by_line
from tests.support.random_loads import FAMILIES, moved
from tests.support.rates import check_rates

Array = NDArray[np.float64]


@pytest.fixture(autouse=True, scope="module")
def lines() -> Iterator[None]:
    """Compile nothing of the single mechanisms."""
    with line_by_line():
        yield


# --- random mechanisms of every kind of pair, all points and axes of joints changed -----------


SEEDS = [seed for seed, (_, kind) in enumerate(FAMILIES) if not kind.startswith("cam ")]
"""One of each family; geometry of cams cannot change."""


@cache
def changed(seed: int) -> gk.Motion:
    """The motion of a random mechanism with all points and axes of its joints changed, and plain forces."""
    drawn = moved(seed)
    assert drawn is not None
    mechanism = drawn.program.mechanism
    program = gk.program(replace(mechanism, forces=[load for load in mechanism.forces if _plain(load)]))
    design, rng = gk.design(program, parameters_of(program)), np.random.default_rng(seed)
    units = np.where([name.startswith("axis") for name in design.names], 1.0, program.geometry.size)
    way = units * rng.normal(size=units.size)
    for share in (1e-2, 1e-3, 1e-4):  # the last where ends are nearly out of reach
        try:
            return design.solve(design.nominal + share * way, drawn.times)
        except (CannotAssembleError, SingularPositionError):
            continue
    raise AssertionError(FAMILIES[seed])


def _plain(load: object) -> bool:
    """Whether the check of equilibrium knows a force."""
    return isinstance(load, gk.Force | gk.Torque) or (
        isinstance(load, gk.Spring) and not (load.table or load.damping_table)
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_rates_of_a_changed_mechanism_are_its_velocities(seed: int) -> None:
    check_rates(changed(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_rates_by_each_driver_are_differences_of_positions(seed: int) -> None:
    motion, h = changed(seed), 1e-5
    program, d = motion.program, motion.program.mechanism.dimension
    found = program.rates(motion, np.eye(len(program.drivers)))
    for k in range(len(program.drivers)):
        aside = h * np.eye(len(program.drivers))[:, [k]]
        values = motion.driven[:, 0]
        ahead, behind = (program.evaluate(values + x, start=motion.at(np.arange(1))) for x in (aside, -aside))
        for body, rates in zip(program.mechanism.movable, found[:, :, k], strict=True):
            ways = (ahead.position(body) - behind.position(body)).T / (2 * h)
            turns = (ahead.rotation(body) - behind.rotation(body)) @ np.swapaxes(motion.rotation(body), 1, 2) / (2 * h)
            spins = turns[:, 1:, 0].T if d == 2 else np.stack([turns[:, 2, 1], turns[:, 0, 2], turns[:, 1, 0]])
            expected = np.concatenate([spins, ways])
            # truncation h² times the third derivative, rounding 1e-15 / h, both over the conditioning
            bound = 1e-7 * (program.geometry.size + np.abs(expected).max()) / motion.conditioning.min() ** 2
            assert np.abs(rates - expected).max() < bound


@pytest.mark.parametrize("seed", SEEDS)
def test_rates_of_joints_are_theirs(seed: int) -> None:
    motion = changed(seed)
    mechanism = motion.program.mechanism
    for joint in mechanism.joints:
        if not mechanism.freedoms(joint):
            continue
        rates = gk.jacobian(motion, Quantity("joint", joint.name)).values @ motion.driven[:, 1].T[..., None]
        expected = motion.joint_rate(joint.name).T
        scale = 1.0 + np.abs(expected).max()
        assert np.abs(rates[..., 0] - expected).max() <= 1e-11 * scale / motion.conditioning.min() ** 2, joint


@pytest.mark.parametrize("seed", SEEDS)
def test_a_changed_mechanism_is_in_equilibrium(seed: int) -> None:
    """Reactions hold every body, and driving forces have the power of what moves."""
    motion = changed(seed)
    forces = gk.inverse_dynamics(motion)
    left, largest = unbalanced(forces)
    barred = {
        motion.program.geometry.points[end][0] for end in ("P", "Q") if "bar" in motion.program.mechanism.relations
    }
    known = [body not in barred for body in motion.program.mechanism.movable]  # the check knows no force of a bar
    assert np.abs(left[known]).max() <= 1e-12 * largest / motion.conditioning.min()
    powers, rates = list(forces.power().values()), rate_of_energy(motion)
    most = max(np.abs(x).max() for x in (*powers, *rates))
    bound = 1e-9 if motion.program.iterates else 1e-12  # as exact as velocities are
    assert np.abs(sum(powers) - sum(rates)).max() <= bound / motion.conditioning.min() * most


# --- examples, one parameter at a time, against the mechanism of the design -------------------


CHANGES: dict[str, tuple[str, ...]] = {
    "double_wishbone": (
        *("LF@chassis", "LR@chassis", "LF@lower", "LR@lower", "LB@lower", "UF@chassis", "UR@upper", "UB@upright"),
        *("RI@rack", "RO@tie_rod", "SL@lower", "SU@chassis", "W@upright", "axis rack@chassis", "axis lower@chassis"),
    ),
    "delta_robot": ("axis S1@base", "axis S2@arm_2", "S3@base", "E1a@arm_1", "P1b@platform", "T"),
    "eccentric_press": ("axis slide@frame", "C@rod", "joint B@crank", "joint A@frame"),
    "five_rod_suspension": ("A1@chassis", "B3@carrier", "W@carrier", "N"),
    "four_bar": ("C@coupler", "D@ground", "length crank A-B", "length rocker C-D", "P"),
    "geared_press": ("D@pinion", "C@wheel", "F@link"),
    "jansen_leg": ("W@upper_triangle", "Y@frame", "U@foot"),
    "planar_3rrr": ("O1@base", "E2@crank_2", "M3@platform", "length link_1 E1-M1"),
    "scara": ("E@upper_arm", "E@forearm", "S@base", "P", "length upper_arm S-E"),
    "slider_crank": ("B@crank", "C@rod", "axis cylinder@engine", "joint cylinder@engine", "joint cylinder@piston"),
    "spatial_3prs": ("axis rail_1@base", "axis B2@slider_2", "axis B3@leg_3", "M1@leg_1", "M2@platform", "B3@slider_3"),
    "spatial_four_bar": (
        *(
            "axis A@ground",
            "axis A@crank",
            "axis bore@rod",
            "axis bore@slider",
            "axis guide@ground",
            "axis guide@slider",
        ),
        *("B@crank", "B@rod", "joint bore@rod", "joint guide@ground"),
    ),
    "stephenson_six_bar": ("length crank O-A", "D@coupler", "F@frame"),
    "stewart_forward": ("P1@platform", "B2@base", "axis leg_3@rod_3", "axis leg_4@cylinder_4"),
    "stewart_inverse": (
        "P1@platform",
        "B2@base",
        "axis leg_3@rod_3",
        "axis P4@rod_4",
        "axis P5@platform",
        "T@platform",
    ),
    "three_cylinder": ("axis main@block", "axis bore_1@piston_1", "axis wrist_pin_2@rod_2", "joint big_end_3@rod_3"),
}
"""Points that define axes, axes, ends of bodies and lengths of examples, each of them changed by itself."""

TOOLS = {
    "delta_robot": gk.Robot("platform", stiffness={"joint S1": 10.0}, errors={"joint S2": 1e-3}),
    "four_bar": gk.Robot("P", stiffness={"joint A": 20.0}, errors={"joint A": 1e-3, "length rocker C-D": 1e-4}),
    "planar_3rrr": gk.Robot("platform", motion="twist", length=0.1, errors={"joint O1": 1e-3, "E2@crank_2.x": 1e-4}),
    "scara": gk.Robot("P", stiffness={"joint elbow": 5.0}, errors={"joint elbow": 1e-3, "length forearm E-P": 1e-4}),
    "stewart_forward": gk.Robot("T", motion="twist", length=0.3, errors={"joint leg_1": 1e-4}),
}
OF_RATES = ("camber_gain", "bump_steer", "motion_ratio", "roll_center_height", "anti_dive")
"""Outputs of suspensions that follow from velocities."""

ROBOT = ("dexterity", "largest_singular_value", "manipulability", "worst_error", "rss_error")


class Pair(NamedTuple):
    """The motion of a design and that of its mechanism."""

    design: gk.Motion
    stated: gk.Motion


@cache
def pair(example: str, parameter: str) -> Pair:
    """Both motions of an example with masses, gravity and a tool, of which one parameter is changed."""
    of, rng = described(example), np.random.default_rng(crc32(f"{example} {parameter}".encode()))
    plain = replace(of.mechanism, robots=[TOOLS[example]] if example in TOOLS else [])
    program = gk.program(plain)
    size, spinning = program.geometry.size, {body for spin in program.structure.spins for body in spin.bodies}
    # bodies that may spin do so about another axis in the mechanism of the design
    heavy = [body for body in plain.movable if body not in spinning]
    loads = [gk.Torque("twist", heavy[-1], 1.0 if plain.dimension == 2 else (0.3, -0.2, 0.5))]
    bodies = [
        replace(body, mass=rng.uniform(0.5, 2.0), center="middle", inertia=0.1 * size**2, about=None)
        if body.name in heavy
        else replace(body, mass=0.0, inertia=0.0, center=None, about=None)
        for body in plain.body.values()
    ]
    gravity = (0.0, 0.0, -9.81)[-plain.dimension :]
    design = gk.design(replace(plain, bodies=bodies, gravity=gravity, forces=loads), [parameter])
    unit = 1.0 if parameter.startswith("axis") else size
    values = design.nominal + 0.01 * unit * rng.uniform(0.3, 1.0, design.nominal.size)
    times = np.linspace(0.05, 0.3, 4) * of.motion.duration
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".* is on no body")  # the origin of a body, stated as coordinates
        return Pair(design.solve(values, times), gk.solve(design.mechanism(values), times))


def near(found: Array, expected: Array, both: Pair, order: float = 1.0) -> None:
    """Compare what follows from positions that differ by roundings, over the conditioning."""
    conditioning = min(motion.conditioning.min(initial=1.0) for motion in both)
    scale = np.nanmax(np.abs(expected), initial=0.0) + order
    assert np.array_equal(np.isfinite(found), np.isfinite(expected))
    assert np.abs(found - expected)[np.isfinite(expected)].max(initial=0.0) <= 1e-11 * scale / conditioning**2


def every(names: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(example, parameter) for example, parameters in names.items() for parameter in parameters]


def still(program: gk.Program) -> list[bool]:
    """Whether each movable body cannot spin by itself."""
    spinning = {body for spin in program.structure.spins for body in spin.bodies}
    return [body not in spinning for body in program.mechanism.movable]


def order_of(both: Pair) -> list[int]:
    """Numbers of the drivers of the design among those of the mechanism."""
    keys = [[(driven.joint, driven.freedom) for driven in motion.program.drivers] for motion in both]
    return [keys[1].index(key) for key in keys[0]]


@pytest.mark.parametrize(("example", "parameter"), every(CHANGES))
def test_rates_and_jacobians_are_those_of_the_mechanism_of_the_design(example: str, parameter: str) -> None:
    both = pair(example, parameter)
    one, other = both
    size, kept, order = one.program.geometry.size, still(one.program), order_of(both)
    assert max(np.abs(one.position(b) - other.position(b)).max() for b in one.program.mechanism.movable) < 1e-9 * size
    directions = np.eye(len(order))
    found, expected = (motion.program.rates(motion, directions)[kept] for motion in both)
    near(found, expected[:, :, order], both)
    loads = np.random.default_rng(0).normal(size=(len(kept), found.shape[1])) * np.array(kept)[:, None]
    found, expected = (motion.program.rates_transposed(motion, loads) for motion in both)
    near(found, expected[order], both)
    names = [name for name, (body, _) in one.program.geometry.points.items() if body != one.program.mechanism.frame]
    slides = [joint.name for joint in one.program.mechanism.joints if joint.type in ("R", "P")]
    wanted = [Quantity("position", name) for name in names] + [Quantity("joint", name) for name in slides]
    wanted += [Quantity("output", name) for name in one.program.mechanism.outputs if name not in OF_RATES]
    for quantity in wanted:
        found, expected = (gk.jacobian(motion, quantity).values for motion in both)
        near(found, expected[..., order], both)


TRAVEL = {"double_wishbone": "'wheel.z'", "five_rod_suspension": "'travel.z'"}


@pytest.mark.parametrize(("example", "parameter"), every({name: CHANGES[name] for name in TRAVEL}))
def test_outputs_of_suspensions_are_those_of_the_mechanism_of_the_design(example: str, parameter: str) -> None:
    """With their derivatives by the travel of the wheel, which are read from Jacobians."""
    both = pair(example, parameter)
    for name in both.design.program.mechanism.outputs:
        near(*(motion.read(f"output {name}") for motion in both), both)
        if name not in OF_RATES:
            near(*(motion.read(f"output_influence {name}-{TRAVEL[example]}") for motion in both), both)


@pytest.mark.parametrize(("example", "parameter"), every({name: CHANGES[name] for name in TOOLS}))
def test_quantities_of_robots_are_those_of_the_mechanism_of_the_design(example: str, parameter: str) -> None:
    both = pair(example, parameter)
    stiff = bool(TOOLS[example].stiffness)
    for kind in (*ROBOT, *(("stiffness",) if stiff else ())):
        found, expected = (motion.read(f"{kind} robot") for motion in both)
        near(found, expected, both, 0.0)


@pytest.mark.parametrize(("example", "parameter"), every(CHANGES))
def test_forces_are_those_of_the_mechanism_of_the_design(example: str, parameter: str) -> None:
    both = pair(example, parameter)
    found, expected = (gk.inverse_dynamics(motion) for motion in both)
    mechanism = both.design.program.mechanism
    names = [mechanism.driver_name(driven.joint, driven.freedom) for driven in both.design.program.drivers]
    near(*(np.array([forces.driver(name) for name in names]) for forces in (found, expected)), both)
    most = max(
        (np.nanmax(np.abs(expected.reaction(name).force), initial=0.0) for name in expected.reactions), default=0
    )
    for joint in expected.reactions:
        one, other = found.reaction(joint), expected.reaction(joint)
        near(one.force, other.force, both, most)
        near(one.moment, other.moment, both, most)
