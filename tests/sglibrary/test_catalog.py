"""Every solver of the catalog between moving bodies, against the oracle, against Newton's method and against itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import Rotation

from groupkin.errors import DeterminedByCountOnlyError, SingularPositionError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program import closed_forms
from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import solve
from groupkin.mechanism.laws.laws import Harmonic, Polynomial
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from sglibrary import status as codes
from sglibrary.catalog import GROUPS, Solver
from tests.support import oracle
from tests.support.random_mechanisms import (
    FREE,
    GLOBAL,
    JIT,
    Workshop,
    mirrored,
    moved,
    reference_value,
    reversed_joints,
    shuffled,
)
from tests.support.rates import check_rates
from tests.support.shares import in_part

Array = NDArray[np.float64]

TIMES = np.linspace(0.0, 1.0, 25 if JIT else 3)
MANY = np.linspace(0.0, 1.0, 700 if JIT else 9)  # more than one block
ALL = [pytest.param(solver, id=f"{solver.name} {solver.dimension}D") for solver in GROUPS]
BRANCHING = [pytest.param(solver, id=f"{solver.name} {solver.dimension}D") for solver in GROUPS if solver.modes]


@dataclass
class Case:
    """A mechanism with one group of the solver's kind, and its motion."""

    mechanism: Mechanism
    bodies: list[str]
    motion: Motion

    @property
    def program(self) -> Program:
        return self.motion.program

    @property
    def group(self) -> int:
        """Place of the group among all, from 0."""
        return self.program.structure.group_of[self.bodies[0]].number - 1

    @property
    def conditioning(self) -> float:
        return float(self.motion.conditioning.min())

    def differences(self, other: oracle.Trajectories) -> Array:
        return oracle.differences(oracle.of_motion(self.motion), other, self.program.geometry.size)


def workshop(solver: Solver, rng: np.random.Generator, arms: bool, reverse: float) -> tuple[Workshop, list[str]]:
    """A group of the solver's kind on two bodies that move, with velocity and acceleration of all inputs."""
    shop = Workshop(solver.dimension, rng)
    known = [shop.arm() if arms else shop.moving_body() for _ in range(2)]
    if rng.random() < 0.3:
        known[rng.integers(2)] = "ground"
    return shop, shop.make_tree(solver.chain, known, reverse)


def draw(solver: Solver, seed: int, arms: bool = False, times: Array = TIMES, reverse: float = 0.5) -> Case:
    """A random case that moves clear of singular positions."""
    rng = np.random.default_rng(seed)
    for _ in range(200):
        shop, bodies = workshop(solver, rng, arms, reverse)
        mechanism = shop.mechanism()
        motion = solve(mechanism, times, on_failure="nan")
        case = Case(mechanism, bodies, motion)
        if motion.solved.all() and case.conditioning > 0.1 and (JIT or clear_between(case, times)):
            assert case.program.solvers[case.group] == solver.name
            return case
    raise AssertionError("no random mechanism can move: this solver always fails")


def clear_between(case: Case, times: Array) -> bool:
    """Whether a motion of few steps is clear of singular positions between them too: the oracle walks all the way."""
    way = solve(case.program, np.linspace(times[0], times[-1], 25), on_failure="nan")
    return bool(way.solved.all() and way.conditioning.min() > 0.1)


def by_newton(mechanism: Mechanism, times: ArrayLike, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Motion:
    with monkeypatch.context() as patched:
        patched.setattr(closed_forms, "roles", lambda group: None)
        program = build(mechanism)
    assert set(program.solvers) == {"Newton"}
    return solve(program, times, **options)


# rounding errors grow with the inverse of the conditioning, which is above 0.1 in all cases drawn
EXACT = 1e-10


@pytest.mark.parametrize("reverse", in_part([0.5, 0.0, 1.0], 3))
@pytest.mark.parametrize("solver", ALL)
def test_motion_is_that_of_the_oracle(solver: Solver, reverse: float) -> None:
    """Joints declared along the chain, in any direction, or against it: the drivers then act the other way."""
    case = draw(solver, int(2 * reverse), reverse=reverse)
    expected = oracle.of_poses(oracle.solve(case.mechanism, TIMES[:: 6 if JIT else 1]))
    sampled = solve(case.program, TIMES[:: 6 if JIT else 1])
    found = oracle.differences(oracle.of_motion(sampled), expected, case.program.geometry.size)
    assert found.max() < EXACT / case.conditioning


@pytest.mark.parametrize("solver", in_part(ALL, 4))
def test_motion_is_that_of_newton(solver: Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    case = draw(solver, 10)
    expected = by_newton(case.mechanism, TIMES, monkeypatch)
    assert case.differences(oracle.of_motion(expected)).max() < EXACT / case.conditioning


@pytest.mark.parametrize("reverse", in_part([1.0, 0.0], 2))
@pytest.mark.parametrize("solver", in_part(ALL, 4))
def test_rates_are_a_linear_map(solver: Solver, reverse: float) -> None:
    check_rates(draw(solver, 20, reverse=reverse).motion)


@pytest.mark.parametrize("solver", in_part(ALL, 4))
def test_rates_are_those_of_the_positions(solver: Solver) -> None:
    case = draw(solver, 20)
    step = 1e-3
    around = solve(case.program, 0.4 + step * np.arange(-2, 3))
    weights = {1: np.array([1, -8, 0, 8, -1]) / (12 * step), 2: np.array([-1, 16, -30, 16, -1]) / (12 * step**2)}
    for origin, rotation in oracle.of_motion(around).values():
        for order, weight in weights.items():
            for x in (origin, rotation):
                # truncation 1e-12 · (sixth derivative), rounding 1e-16 / step²
                np.testing.assert_allclose(
                    np.tensordot(weight, x[0], 1), x[order][2], atol=1e-6 / case.conditioning, rtol=1e-6
                )


def constants_of(case: Case) -> Array:
    """What the solver knows of the group's geometry."""
    return next(step for step in case.program.calls if step.group == case.group + 1).constants


passing = pytest.mark.filterwarnings("ignore:.*passes a singular position between")
"""Random drivers may pass a gap or a singular position between two steps; what is tested are the steps."""

pytestmark = (
    [pytest.mark.complete] if JIT else [pytest.mark.complete, passing]
)  # the few steps without the compiler are far apart


@passing
@pytest.mark.parametrize("solver", in_part(BRANCHING, 4))
def test_every_assembly_mode_is_met(solver: Solver) -> None:
    """The modes are the constants that are one sign or the other; each combination occurs and follows its own branch.

    Drivers have signs as well, 1 where their joint is declared along the chain.
    """
    found: dict[tuple[float, ...], Case] = {}
    cases = [draw(solver, 100 + seed, times=TIMES[:3], reverse=0.0) for seed in range(40)]
    constants = np.array([constants_of(case) for case in cases])
    signs = np.flatnonzero((np.abs(constants) == 1.0).all(axis=0) & np.ptp(constants, axis=0).astype(bool))
    assert signs.tolist() == sorted(solver.signs)
    for case, values in zip(cases, constants, strict=True):
        found.setdefault(tuple(values[signs]), case)
    assert len(found) == 2**solver.modes
    for case in found.values():
        expected = oracle.of_poses(oracle.solve(case.mechanism, TIMES[:3]))
        assert case.differences(expected).max() < EXACT / case.conditioning


@pytest.mark.parametrize("solver", in_part(ALL, 4))
def test_a_rigid_motion_of_everything_moves_the_result(solver: Solver) -> None:
    if any(symbol in GLOBAL and driven for symbol, _, driven in (code.partition("*") for *_, code in solver.chain)):
        pytest.skip("driven freedoms that refer to the global axes")
    case = draw(solver, 30, arms=True)
    d, rng = solver.dimension, np.random.default_rng(0)
    rotation = np.eye(d) if d == 2 else Rotation.random(random_state=1).as_matrix()
    if d == 2:
        rotation = np.array([[0.6, -0.8], [0.8, 0.6]])
    shift = rng.normal(size=d)
    carried = oracle.of_motion(solve(moved(case.mechanism, rotation, shift), TIMES))
    for origin, turn in carried.values():  # back to the old place
        origin[0] -= shift
        origin[:] = origin @ rotation
        turn[:] = rotation.T @ turn @ rotation
    assert case.differences(carried).max() < EXACT / case.conditioning


@pytest.mark.parametrize("solver", in_part(ALL, 4))
def test_the_mirror_image_moves_as_the_mirror_image(solver: Solver) -> None:
    case = draw(solver, 40)
    flip = np.diag([-1.0, *[1.0] * (solver.dimension - 1)])
    image = oracle.of_motion(solve(mirrored(case.mechanism), TIMES))
    for origin, turn in image.values():
        origin[:] = origin @ flip
        turn[:] = flip @ turn @ flip
    assert case.differences(image).max() < EXACT / case.conditioning


@pytest.mark.parametrize("solver", in_part(ALL, 4))
def test_declaring_joints_from_the_other_end_changes_nothing(solver: Solver) -> None:
    case = draw(solver, 50)
    assert case.differences(oracle.of_motion(solve(reversed_joints(case.mechanism), TIMES))).max() < (
        EXACT / case.conditioning
    )


@pytest.mark.parametrize("solver", in_part(ALL, 4))
def test_names_and_order_change_nothing(solver: Solver) -> None:
    case = draw(solver, 60)
    rng = np.random.default_rng(0)
    bodies = list(case.mechanism.body)
    names = {body: f"n{k}" for body, k in zip(bodies, rng.permutation(len(bodies)), strict=True)}
    # origins are given, since their default follows from the order of the joints
    other = shuffled(case.mechanism, rng, names)
    placed = [replace(b, origin=case.program.geometry.origins[_key(names, b.name)]) for b in other.body.values()]
    result = oracle.of_motion(solve(replace(other, bodies=placed), TIMES))
    assert case.differences({_key(names, name): x for name, x in result.items()}).max() < EXACT / case.conditioning


def _key(names: dict[str, str], value: str) -> str:
    return next(key for key, own in names.items() if own == value)


# --- blocks ----------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", in_part(ALL, 4))
def test_the_block_size_does_not_change_a_bit(solver: Solver) -> None:
    case = draw(solver, 70, times=MANY)
    for block in (1, 7, 64):
        again = solve(case.program, MANY, block=block)
        for name in ("q", "v", "a", "status", "conditioning"):
            np.testing.assert_array_equal(getattr(again, name), getattr(case.motion, name), err_msg=name)


@pytest.mark.parametrize("solver", in_part(ALL, 4))
def test_the_block_size_does_not_change_newton(solver: Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    case = draw(solver, 80, times=MANY)
    expected = by_newton(case.mechanism, MANY, monkeypatch)
    blocks = (1, 7) if JIT else (2,)
    for block in blocks:
        again = solve(expected.program, MANY, block=block)
        for name in ("q", "v", "a"):
            gap = getattr(again, name) - getattr(expected, name)
            assert np.abs(gap).max() < 1e-12 / case.conditioning, name


# --- failures --------------------------------------------------------------------------------


FAR = np.linspace(0.0, 1.0, 60 if JIT else 12)


def overdriven_case(solver: Solver, seed: int) -> tuple[Mechanism, list[str], Motion]:
    """A group between the frame and a slide that carries its other end out of reach for a while.

    On the last body of the group a closed form and a Newton group depend; one more body has nothing to do with it.
    """
    rng = np.random.default_rng(seed)
    for _ in range(400):
        shop = Workshop(solver.dimension, rng)
        slide = shop.make_tree([(-1, 0, "P*1")], ["ground"])[0]
        shop.drivers[-1] = far(shop.drivers[-1])
        bodies = shop.make_tree(solver.chain, ["ground", slide])
        shop.make_tree([(-1, 0, "R*1")], [bodies[-1]])
        shop.make_tree([(-1, 0, FREE[2] if solver.dimension == 2 else "C*12")], [bodies[-1]])
        shop.make_tree([(-1, 0, "R*1")], ["ground"])
        mechanism = shop.mechanism()
        motion = solve(mechanism, FAR, on_failure="nan")
        if 0.3 < motion.solved.mean() < 0.8 and motion.conditioning[:, motion.solved].min() > 0.01:
            return mechanism, bodies, motion
    raise AssertionError("nothing can be brought out of reach")


def far(driver: Driver) -> Driver:
    assert isinstance(driver.law, Harmonic)
    return replace(driver, law=replace(driver.law, amplitude=3.0, frequency=1.0))


def lost_at(motion: Motion, body: str) -> np.ndarray:
    """(n,): whether a body's place is unknown; a slider may still have the directions of the body that guides it."""
    return np.isnan(motion.rotation(body)).any(axis=(1, 2)) | np.isnan(motion.position(body)).any(axis=1)


@passing
@pytest.mark.parametrize("solver", in_part(BRANCHING, 6))
def test_out_of_reach_only_the_steps_concerned_fail(solver: Solver) -> None:
    _, bodies, motion = overdriven_case(solver, 3)
    structure, solved = motion.program.structure, motion.solved
    group = structure.group_of[bodies[0]]
    others = [g for g in structure.groups if g is not group]
    dependent = [g for g in others if group.number in g.depends_on]
    assert len(dependent) == 2
    assert set(motion.status[group.number - 1, ~solved]) == {codes.CANNOT_ASSEMBLE}
    assert not motion.conditioning[group.number - 1, ~solved].any()
    for body in group.bodies:
        assert lost_at(motion, body)[~solved].all()
    for other in others:
        expected = codes.NO_INPUT if other in dependent else codes.SOLVED
        assert set(motion.status[other.number - 1, ~solved]) == {expected}
        for body in other.bodies:
            lost = lost_at(motion, body)[~solved]
            assert lost.all() if other in dependent else not lost.any()
    # neighbors in the block are what they are when solved alone
    alone = solve(motion.program, FAR[solved], on_failure="nan")  # its sub-steps may cross the gap
    for name in ("q", "v", "a"):
        np.testing.assert_array_equal(getattr(alone, name), getattr(motion, name)[:, solved])


def test_two_bodies_reach_as_far_as_their_lengths_allow() -> None:
    solver = next(solver for solver in GROUPS if solver.name == "RRR")
    mechanism, _, motion = overdriven_case(solver, 5)
    first, middle, last = mechanism.joints[1:4]  # those of the chain, after the slide
    points = [np.array(joint.point) for joint in (first, middle, last)]
    l1, l2 = np.linalg.norm(points[1] - points[0]), np.linalg.norm(points[2] - points[1])
    slide = next(joint for joint in mechanism.joints if joint.type == "P")
    direction = np.array(slide.axis) / np.linalg.norm(slide.axis)
    travel = motion.joint(slide.name)[0] - reference_value(slide, "displacement")
    sign = 1.0 if slide.bodies[0] == "ground" else -1.0
    span = points[2] - points[0] + sign * travel[:, None] * direction
    distance = np.linalg.norm(span, axis=1)
    np.testing.assert_array_equal(motion.solved, (distance < l1 + l2) & (distance > abs(l1 - l2)))


@passing
@pytest.mark.parametrize("solver", in_part(BRANCHING, 6))
def test_what_is_solved_beyond_a_gap_satisfies_the_joints(solver: Solver) -> None:
    mechanism, _, motion = overdriven_case(solver, 5)
    solved = np.flatnonzero(motion.solved)
    chosen = solved[:: max(1, len(solved) // 4)]
    poses = {body: (motion.rotation(body)[chosen], motion.position(body)[chosen]) for body in mechanism.movable}
    expected = oracle.of_poses(oracle.solve(mechanism, FAR[chosen], start=poses))
    found = {body: (o[:, chosen], r[:, chosen]) for body, (o, r) in oracle.of_motion(motion).items()}
    # conditioning above 0.01, and rates there are large
    assert oracle.differences(found, expected, motion.program.geometry.size).max() < 1e-7


@pytest.mark.smoke
@passing
@pytest.mark.parametrize("solver", in_part(BRANCHING, 4))
def test_conditioning_falls_to_zero_at_the_end_of_the_reach(solver: Solver) -> None:
    _, bodies, motion = overdriven_case(solver, 3)
    number = motion.program.structure.group_of[bodies[0]].number - 1
    edge = int(np.flatnonzero(motion.solved[:-1] != motion.solved[1:])[0])
    inside, outside = FAR[edge : edge + 2] if motion.solved[edge] else FAR[edge : edge + 2][::-1]
    for _ in range(60):
        middle = 0.5 * (inside + outside)
        if solve(motion.program, middle, on_failure="nan").status[number, 0] == codes.CANNOT_ASSEMBLE:
            outside = middle
        else:
            inside = middle
    last = solve(motion.program, inside, on_failure="nan")
    # square root of the rounding of the drivers
    assert last.conditioning[number, 0] < 1e-6


def dead_center(solver: Solver, edge: float) -> Mechanism:
    """Two equal links, or a crank and a rod of length 1, stretched where a slide has gone from 1 to `edge` = 2."""
    law = Polynomial((1.0, edge - 1.0))
    bodies = ["ground", "slide", "first", "second"]
    if solver.dimension == 2:
        middle = (0.5, np.sqrt(0.75))
        joints = [
            Joint("s", "P", ("ground", "slide"), points=((0, 0), (1, 0)), axis=(1, 0)),
            Joint("a", "R", ("ground", "first"), point=(0, 0)),
            Joint("b", "R", ("first", "second"), point=middle),
            Joint("c", "R", ("second", "slide"), point=(1, 0)),
        ]
        return Mechanism(2, bodies, joints, [Driver("s", law)])
    middle = (0.5, np.sqrt(0.75), 0.0)
    inner = {"R-U-S": ("U", "S"), "R-S-U": ("S", "U")}[solver.name]
    axes = {"axes": ((0, 0, 1), (1, 1, 0))}
    ends = zip("bc", inner, (("first", "second"), ("slide", "second")), (middle, (1.0, 0.0, 0.0)), strict=True)
    joints = [
        Joint("s", "P", ("ground", "slide"), points=((0, 0, 0), (1, 0, 0)), axis=(1, 0, 0)),
        Joint("a", "R", ("ground", "first"), point=(0, 0, 0), axis=(0, 0, 1)),
        *(Joint(n, kind, bodies, point=at, **(axes if kind == "U" else {})) for n, kind, bodies, at in ends),
    ]
    return Mechanism(3, bodies, joints, [Driver("s", law)])


@pytest.mark.parametrize("solver", [p for p in BRANCHING if p.values[0].name in ("RRR", "R-U-S", "R-S-U")])
def test_at_a_dead_center_the_step_is_singular_or_out_of_reach(solver: Solver) -> None:
    """Rounding decides on which side of the dead center the step lies; never may it be called solved."""
    motion = solve(dead_center(solver, 2.0), [0.0, 0.5, 1.0], on_failure="nan")
    assert motion.solved[:2].all()
    assert motion.status[-1, 2] in (codes.SINGULAR, codes.CANNOT_ASSEMBLE)


def test_a_dead_center_is_singular_and_beyond_it_is_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lengths 1.25 from (0, 0) and from (1.5, 0), stretched at (2.5, 0): all numbers are exact in binary."""
    joints = [
        Joint("s", "P", ("ground", "slide"), points=((0, 0), (1.5, 0)), axis=(1, 0)),
        Joint("a", "R", ("ground", "first"), point=(0, 0)),
        Joint("b", "R", ("first", "second"), point=(0.75, 1)),
        Joint("c", "R", ("second", "slide"), point=(1.5, 0)),
    ]
    mechanism = Mechanism(2, ["ground", "slide", "first", "second"], joints, [Driver("s", Polynomial((1.5, 1.0)))])
    expected = [codes.SOLVED, codes.SOLVED, codes.SINGULAR, codes.CANNOT_ASSEMBLE]
    times = [0.0, 0.5, 1.0, 1.5]
    motion = solve(mechanism, times, on_failure="nan")
    assert motion.program.solvers[-1] == "RRR"
    assert motion.status[-1].tolist() == expected
    assert by_newton(mechanism, times, monkeypatch, on_failure="nan").status[-1].tolist() == expected
    with pytest.raises(SingularPositionError) as caught:
        solve(mechanism, times)
    assert (caught.value.group, caught.value.time) == (2, 1.0)
    assert caught.value.motion.solved.tolist() == [True, True, False, False]


# --- where closed forms do not apply ---------------------------------------------------------


DEGENERATE = {
    "crank of length zero": (2, [("R", (0.3, 0.2)), ("R", (0.3, 0.2)), ("R", (1.0, 0.0))]),
    "crank of radius zero": (3, [("R", (0.0, 0, 0)), ("U", (0.0, 0, 0.5)), ("S", (1.0, 0.2, 0.3))]),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_a_closed_form_steps_back_where_a_direction_is_not_defined(name: str) -> None:
    """A body whose two joints coincide, or lie on one axis, cannot be moved by its other end."""
    dimension, joints = DEGENERATE[name]
    bodies = ["ground", "first", "second"]
    ends = [("ground", "first"), ("first", "second"), ("second", "ground")]
    given = {"R": {"axis": (0, 0, 1)} if dimension == 3 else {}, "U": {"axes": ((1, 0, 0), (0, 1, 0))}, "S": {}}
    described = [
        Joint(str(k), kind, pair, point=point, **given[kind])
        for k, ((kind, point), pair) in enumerate(zip(joints, ends, strict=True))
    ]
    mechanism = Mechanism(dimension, bodies, described)
    with pytest.raises(DeterminedByCountOnlyError):  # not a division by zero
        build(mechanism)


def test_a_leg_whose_slide_is_along_its_second_axis_keeps_its_closed_form() -> None:
    """The direction of the slide then defines no plane with the axis; another one is taken."""
    rng = np.random.default_rng(0)
    shop = Workshop(3, rng)
    known = [shop.moving_body(), shop.moving_body()]
    along = np.array([0.6, 0.0, 0.8])
    shop.bodies += ["leg", "rod"]
    shop.join("U", (known[0], "leg"), point=(0.1, 0.2, 0.3), axes=((0, 1, 0), along), reference={})
    shop.join("P", ("leg", "rod"), points=((0.1, 0.2, 0.3), (0.7, 0.2, 1.1)), axis=along)
    shop.join("S", ("rod", known[1]), point=(0.9, 0.2, 1.1))
    mechanism = shop.mechanism()
    motion = solve(mechanism, TIMES, on_failure="nan")
    assert motion.program.solvers[-1] == "U-P-S"
    sampled = motion.solved & (motion.conditioning.min(axis=0) > 0.1)
    assert sampled.sum() >= 2
    chosen = np.flatnonzero(sampled)[:: 8 if JIT else 1]
    expected = oracle.of_poses(oracle.solve(mechanism, TIMES[chosen]))
    found = {b: (o[:, chosen], r[:, chosen]) for b, (o, r) in oracle.of_motion(motion).items()}
    assert oracle.differences(found, expected, motion.program.geometry.size).max() < 1e-9
