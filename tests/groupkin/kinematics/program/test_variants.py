"""Constants of many variants at once: those of programs built one by one, from what is fixed in single bodies alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import groupkin as gk
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.program import Program, variant_of
from groupkin.kinematics.program.solver_choice import HUB, NEWTON
from groupkin.kinematics.program.variants import constants_of
from groupkin.kinematics.solver import solve
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.model.geometry.coordinates import reference_coordinates
from groupkin.model.geometry.geometry import Geometry, gather, resolve, select
from sglibrary.catalog import GROUPS, Solver
from tests.support import oracle
from tests.support.paths import ROOT
from tests.support.random_mechanisms import JIT, Workshop
from tests.support.shares import in_part
from tests.support.varied import moved, varied

Array = NDArray[np.float64]

ALL = [pytest.param(solver, id=f"{solver.name} {solver.dimension}D") for solver in GROUPS]
ITERATED = {
    2: ([(-1, 0, "R"), (-1, 0, "RP")], [(-1, 0, "R"), (-1, 0, "EO")]),
    3: (
        [(-1, 0, "R"), (0, 1, "C"), (1, -1, "S")],
        [(-1, 0, "H"), (-1, 0, "SP")],
        [(-1, 0, "R"), (0, 1, "U"), (1, -1, "PL")],
    ),
}
"""Chains without a closed form, some with constants that belong to no single body."""
CHAINS = [pytest.param(2, chain, id=str(k)) for k, chain in enumerate(ITERATED[2])]
CHAINS += [pytest.param(3, chain, id=str(k + 2)) for k, chain in enumerate(ITERATED[3])]

TIMES = np.linspace(0.0, 0.2, 5 if JIT else 3)

EXACT = 1e-12
"""Largest difference of numbers that are computed in the same way, relative to the mechanism's size."""


def grown(dimension: int, chain: object, seed: int) -> Mechanism:
    """A group between two bodies that move, and on its last body one more, driven."""
    shop = Workshop(dimension, np.random.default_rng(seed))
    known = [shop.moving_body(), shop.moving_body()]
    bodies = shop.make_tree(chain, known)  # type: ignore[arg-type]
    shop.make_tree([(-1, 0, "R*1")], [bodies[-1]])
    return shop.mechanism()


def steady(solver: Solver) -> tuple[Program, Motion]:
    """A program with a group of the solver's kind, and a motion clear of singular positions."""
    for seed in range(100):
        program = build(grown(solver.dimension, solver.chain, seed))
        motion = solve(program, TIMES, on_failure="nan")
        if solver.name in program.solvers and motion.solved.all() and motion.conditioning.min() > 0.05:
            return program, motion
    raise AssertionError("no random mechanism can move")


def shaken(geometry: Geometry, mechanism: Mechanism, rng: np.random.Generator) -> Geometry:
    """Other body-local geometry, whose reference configuration does not close; coordinates of joints are kept."""
    joints = {}
    for joint in mechanism.joints:
        own, d = geometry.joints[joint.name], mechanism.dimension
        turns = np.eye(d) if d == 2 else Rotation.from_rotvec(0.1 * rng.normal(size=(2, 3))).as_matrix()
        joints[joint.name] = replace(
            own,
            points=own.points + 0.1 * rng.normal(size=(2, d)),
            frames=turns @ own.frames,
            values=reference_coordinates(mechanism.form(joint), own),
        )
    return replace(geometry, joints=joints)


def displaced(program: Program, rng: np.random.Generator) -> tuple[Geometry, dict[str, tuple[Array, Array]]]:
    """The same geometry in other coordinates of all movable bodies; local X is now turn X + shift."""
    mechanism, geometry, d = program.mechanism, program.geometry, program.mechanism.dimension
    moves = {mechanism.frame: (np.eye(d), np.zeros(d))}
    for body in mechanism.movable:
        angle = rng.uniform(-3, 3)
        flat = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        moves[body] = (flat if d == 2 else Rotation.random(random_state=rng).as_matrix(), rng.normal(size=d))

    def place(body: str, point: Array) -> Array:
        return moves[body][0] @ point + moves[body][1]

    joints = {}
    for joint in mechanism.joints:
        own = geometry.joints[joint.name]
        joints[joint.name] = replace(
            own,
            points=np.array([place(body, own.points[side]) for side, body in enumerate(joint.bodies)]),
            frames=np.array([moves[body][0] @ own.frames[side] for side, body in enumerate(joint.bodies)]),
            values=reference_coordinates(mechanism.form(joint), own),
        )
    origins = {body: place(body, origin) for body, origin in geometry.origins.items()}
    return replace(geometry, joints=joints, origins=origins), moves


def same_numbers(first: Program, second: Program) -> None:
    """Both programs compute the same in the same rows."""
    size = first.geometry.size
    for one, other in zip(first.calls, second.calls, strict=True):
        assert one.kernel is other.kernel
        np.testing.assert_array_equal(one.rows, other.rows)
        np.testing.assert_allclose(one.constants, other.constants, rtol=EXACT, atol=EXACT * size)
        if one.knot is not None:
            np.testing.assert_allclose(one.knot, other.knot, rtol=EXACT, atol=EXACT)
    assert first.fixed.keys() == second.fixed.keys()
    for row, value in first.fixed.items():
        assert second.fixed[row] == pytest.approx(value, rel=EXACT, abs=EXACT * size)
    for one, other in zip(first.drivers, second.drivers, strict=True):
        assert one.reference == pytest.approx(other.reference, rel=EXACT, abs=EXACT)
    for body, pose in first.poses.items():
        np.testing.assert_allclose(pose.origin, second.poses[body].origin, rtol=EXACT, atol=EXACT * size)
        np.testing.assert_allclose(pose.directions, second.poses[body].directions, rtol=EXACT, atol=EXACT)


def one_by_one(dimension: int, chain: object) -> None:
    rng = np.random.default_rng(1)
    program = build(grown(dimension, chain, 0))
    others = [shaken(program.geometry, program.mechanism, rng) for _ in range(5)]
    variants = constants_of(program, others)
    assert len(variants) == 5
    assert variants.valid.all()
    for k, geometry in enumerate(others):
        alone = constants_of(program, [geometry])
        same_numbers(variant_of(variants.family, k), variant_of(alone.family, 0))
        for step, nominal in zip(variant_of(variants.family, k).calls, program.calls, strict=True):
            places = list(step.signs)
            np.testing.assert_array_equal(step.constants[places], nominal.constants[places])
    spread = np.ptp(np.concatenate([call.constants for call in variants.family.calls], axis=1), axis=0)
    assert spread.max() > 0.01 * program.geometry.size


@pytest.mark.parametrize("solver", in_part(ALL, 4))
def test_together_is_one_by_one(solver: Solver) -> None:
    one_by_one(solver.dimension, solver.chain)


@pytest.mark.parametrize(("dimension", "chain"), CHAINS)
def test_together_is_one_by_one_without_a_closed_form(dimension: int, chain: object) -> None:
    one_by_one(dimension, chain)


@pytest.mark.parametrize("solver", ALL)
def test_of_the_mechanism_itself_nothing_changes(solver: Solver) -> None:
    program = build(grown(solver.dimension, solver.chain, 0))
    same_numbers(program, variant_of(constants_of(program, [program.geometry]).family, 0))


def displaced_motion_is_the_same(program: Program, motion: Motion) -> None:
    """A rigid change of a body's coordinates turns and shifts what is read from its motion, and nothing else."""
    geometry, moves = displaced(program, np.random.default_rng(2))
    other = oracle.of_motion(solve(variant_of(constants_of(program, [geometry]).family, 0), TIMES))
    for body, (_, turn) in other.items():
        turn[:] = turn @ moves[body][0]
    found = oracle.differences(oracle.of_motion(motion), other, program.geometry.size)
    assert found.max() < 1e-10 / motion.conditioning.min()


@pytest.mark.parametrize("solver", ALL)
def test_only_what_is_fixed_in_single_bodies_matters(solver: Solver) -> None:
    displaced_motion_is_the_same(*steady(solver))


@pytest.mark.parametrize(("dimension", "chain"), CHAINS)
def test_only_what_is_fixed_in_single_bodies_matters_without_a_closed_form(dimension: int, chain: object) -> None:
    for seed in range(100):
        program = build(grown(dimension, chain, seed))
        motion = solve(program, TIMES, on_failure="nan")
        if {HUB, NEWTON} & {*program.solvers} and motion.solved.all() and motion.conditioning.min() > 0.05:
            break
    displaced_motion_is_the_same(program, motion)


# --- geometry of variants --------------------------------------------------------------------

FOUR_BAR = Mechanism(
    2,
    ["ground", "crank", "coupler", "rocker"],
    [
        Joint("a", "R", ("ground", "crank"), point="A"),
        Joint("b", "R", ("crank", "coupler"), point="B"),
        Joint("c", "R", ("coupler", "rocker"), point="C"),
        Joint("d", "R", ("rocker", "ground"), point="D"),
    ],
    [gk.Driver("a", gk.Ramp(rate=1.0))],
    points={"A": (0.0, 0.0), "B": (0.0, 1.0), "C": (3.0, 2.5), "D": (3.0, 0.0)},
)


def test_a_moved_point_moves_the_joints_there() -> None:
    rng = np.random.default_rng(0)
    places = {"C": np.array([3.0, 2.5]) + 0.2 * rng.normal(size=(4, 2))}
    variants = constants_of(build(FOUR_BAR), varied(FOUR_BAR, places))
    for k in range(4):
        points = {**FOUR_BAR.points, "C": tuple(places["C"][k])}
        expected = solve(replace(FOUR_BAR, points=points), TIMES)
        found = solve(variant_of(variants.family, k), TIMES)
        np.testing.assert_allclose(found.position("C"), expected.position("C"), atol=1e-12)
        np.testing.assert_allclose(found.joint("c"), expected.joint("c"), atol=1e-12)
        np.testing.assert_allclose(found.acceleration("rocker"), expected.acceleration("rocker"), atol=1e-11)


def test_points_that_coincide_in_the_mechanism_only_get_rows_of_their_own() -> None:
    """Two joints of the frame at the same point share rows, until a variant takes one of them away."""
    bodies = ["ground", "one", "two"]
    joints = [
        Joint("p", "R", ("ground", "one"), point="P"),
        Joint("q", "R", ("ground", "two"), point="Q"),
    ]
    drivers = [gk.Driver("p", gk.Ramp(rate=1.0)), gk.Driver("q", gk.Ramp(rate=1.0))]
    mechanism = Mechanism(2, bodies, joints, drivers, points={"P": (1.0, 1.0), "Q": (1.0, 1.0)})
    program = build(mechanism)
    variants = constants_of(program, varied(mechanism, {"Q": np.array([[1.0, 1.0], [2.0, 3.0]])}))
    assert variants.family.rows == program.rows + 2
    for k, expected in enumerate([(1.0, 1.0), (2.0, 3.0)]):
        np.testing.assert_allclose(solve(variant_of(variants.family, k), TIMES).position("Q")[0], expected)


def test_a_variant_whose_closed_form_does_not_apply_fails_alone() -> None:
    places = np.array([[3.0, 2.5], [0.0, 1.0]])  # C at B: a coupler without length
    variants = constants_of(build(FOUR_BAR), varied(FOUR_BAR, {"C": places}))
    assert variants.valid.tolist() == [[True, True], [True, False]]
    assert np.isnan(solve(variant_of(variants.family, 1), TIMES, on_failure="nan").angle("rocker")).all()
    assert solve(variant_of(variants.family, 0), TIMES).solved.all()


def test_modes_of_a_variant_are_those_of_the_program() -> None:
    program = gk.program(FOUR_BAR, modes={"rocker": 2})
    variants = constants_of(program, varied(FOUR_BAR, {"C": np.array([[3.0, 2.4], [2.9, 2.5]])}))
    for k, place in enumerate([(3.0, 2.4), (2.9, 2.5)]):
        other = replace(FOUR_BAR, points={**FOUR_BAR.points, "C": place})
        expected = solve(gk.program(other, modes={"rocker": 2}), TIMES)
        np.testing.assert_allclose(solve(variant_of(variants.family, k), TIMES).q, expected.q, atol=1e-12)


def test_a_held_spin_is_held_in_every_variant() -> None:
    """The rod of an RSSR linkage, held by axes that depend on where its ends are."""
    joints = [
        Joint("a", "R", ("ground", "crank"), point="A", axis=(0, 0, 1)),
        Joint("b", "S", ("crank", "rod"), point="B"),
        Joint("c", "S", ("rod", "rocker"), point="C"),
        Joint("d", "R", ("rocker", "ground"), point="D", axis=(0, 1, 0.3)),
    ]
    points = {"A": (0.0, 0.0, 0.0), "B": (0.5, 0.0, 0.1), "C": (1.5, 1.0, 1.5), "D": (2.0, 1.0, 0.0)}
    bodies = ["ground", "crank", "rod", "rocker"]
    mechanism = Mechanism(3, bodies, joints, [gk.Driver("a", gk.Ramp(rate=1.0))], points=points)
    program = build(mechanism)
    assert program.structure.spins
    places = np.array(points["C"]) + 0.1 * np.random.default_rng(0).normal(size=(3, 3))
    variants = constants_of(program, varied(mechanism, {"C": places}))
    for k, place in enumerate(places):
        alone = replace(mechanism, points={**points, "C": tuple(place)})
        same_numbers(
            build(alone, geometry=replace(resolve(alone), size=program.geometry.size)), variant_of(variants.family, k)
        )


@pytest.mark.exhaustive
def test_a_thousand_stewart_platforms() -> None:
    mechanism = gk.load(ROOT / "examples" / "stewart_inverse.toml")
    rng = np.random.default_rng(0)
    points = {
        name: place + 0.02 * rng.normal(size=(1000, 3))
        for name, place in mechanism.positions.items()
        if name[0] in "BP"
    }
    program = build(mechanism)
    variants = constants_of(program, varied(mechanism, points))
    assert variants.valid.all()
    for k in (0, 1, 500, 999):
        alone = moved(mechanism, {name: places[k] for name, places in points.items()})
        expected = build(alone, geometry=replace(resolve(alone), size=program.geometry.size))
        same_numbers(expected, variant_of(variants.family, k))


def test_gathered_and_selected_is_the_same() -> None:
    one, other = resolve(FOUR_BAR), varied(FOUR_BAR, {"A": np.ones((1, 2))})
    both = gather([one, select(other, 0)])
    np.testing.assert_array_equal(select(both, 0).joints["a"].points, one.joints["a"].points)
    np.testing.assert_array_equal(select(both, 1).joints["a"].points, [[1.0, 1.0], [1.0, 1.0]])
