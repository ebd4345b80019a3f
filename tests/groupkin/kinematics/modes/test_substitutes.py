"""All solutions of plane groups that one substitute makes simple, against resultants and dense searches."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.kinematics.modes import mode_search, substitutes
from groupkin.kinematics.modes.mode_search import (
    GroupCalls,
    StateAtRest,
    group_calls,
    snapshot,
    solutions,
    solve_group,
    started,
    state_at,
)
from tests.support.paths import EXAMPLES
from tests.support.random_mechanisms import CHAINS, HIGHER, JIT, Chain, Workshop, legs
from tests.support.shares import in_part
from tests.support.triads import positions, triad

Array = NDArray[np.float64]

ITERATED = pytest.mark.skipif(not JIT, reason="a search takes thousands of iterations")


def before_last(mechanism: gk.Mechanism, time: float) -> tuple[StateAtRest, GroupCalls]:
    """Solve all groups but the last."""
    program = gk.program(mechanism)
    state, groups = state_at(program, time), group_calls(program)
    for part in groups[:-1]:
        assert solve_group(state, part.calls)
    return state, groups[-1]


# --- triads ----------------------------------------------------------------------------------


def angles_of_resultant(state: StateAtRest, part: GroupCalls) -> Array:
    """Angles (rad) of the body that three bars hold, by the polynomial of degree 6; false roots left out."""
    mechanism, geometry, motion = state.program.mechanism, state.program.geometry.joints, snapshot(state)
    tops = [mechanism.joint[name] for name in part.group.internal]
    held = next(body for body in part.group.bodies if all(body in top.bodies for top in tops))
    feet, hinges, lengths = [], [], []
    for top in tops:
        k = top.bodies.index(held)
        leg = top.bodies[1 - k]
        foot = next(mechanism.joint[name] for name in part.group.external if leg in mechanism.joint[name].bodies)
        j = foot.bodies.index(leg)
        feet.append(motion.point_on(foot.bodies[1 - j], geometry[foot.name].points[1 - j])[0])
        hinges.append(geometry[top.name].points[k])
        lengths.append(np.linalg.norm(geometry[top.name].points[1 - k] - geometry[foot.name].points[j]))
    found = positions(np.array(feet), np.array(hinges), np.array(lengths))
    assert found is not None
    turns = np.exp(1j * found[:, 0])
    first = found[:, 1] + 1j * found[:, 2]
    local = (np.array(hinges) - hinges[0]) @ [1, 1j]
    reached = np.abs(first[:, None] + turns[:, None] * local - np.array(feet) @ [1, 1j])
    real = np.abs(reached - lengths).max(axis=1) < 1e-7  # two rounding errors of a double root
    return np.sort(np.angle(turns[real]))


def angles_found(state: StateAtRest, part: GroupCalls) -> Array:
    """Angles (rad) of the same body in all solutions."""
    mechanism = state.program.mechanism
    tops = [mechanism.joint[name].bodies for name in part.group.internal]
    held = next(body for body in part.group.bodies if all(body in top for top in tops))
    found, complete = solutions(state, part)
    assert complete
    turns = []
    for solution in found:
        solve_group(state, solution.calls)
        turns.append(snapshot(state).rotation(held)[0])
    return np.sort([np.arctan2(turn[1, 0], turn[0, 0]) for turn in turns])


def agree(seeds: Iterable[int]) -> set[int]:
    """Compare triads of these seeds with the resultant; how many solutions they have."""
    numbers = set()
    for seed in seeds:
        state, part = before_last(triad(seed), 0.2)
        found, expected = angles_found(state, part), angles_of_resultant(state, part)
        # roots of the polynomial next to a double one are off by the square root of their rounding errors
        np.testing.assert_allclose(found, expected, atol=1e-6, err_msg=f"seed {seed}")
        numbers.add(len(found))
    return numbers


@ITERATED
def test_modes_of_triads_are_those_of_the_resultant() -> None:
    assert {2, 4} <= agree(range(8))


@ITERATED
@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 1000, 50))
def test_modes_of_a_thousand_triads_are_those_of_the_resultant(first: int) -> None:
    assert agree(range(first, first + 50)) >= {2, 4}


def test_the_resultant_finds_up_to_six_positions() -> None:
    rng, numbers = np.random.default_rng(0), set[int]()
    for _ in range(200):
        known, local = rng.uniform(-1, 1, (2, 3, 2))
        angle, shift = rng.uniform(-3, 3), rng.uniform(-1, 1, 2)
        lengths = np.linalg.norm(turned(local, angle) + shift - known, axis=1)
        found = positions(known, local, lengths)
        assert found is not None
        numbers.add(len(found))
        assert np.abs(np.exp(1j * found[:, 0]) - np.exp(1j * angle)).min() < 1e-6  # roots near a double one
        for theta, *first in found:
            hinges = first + turned(local - local[0], theta)
            np.testing.assert_allclose(np.linalg.norm(hinges - known, axis=1), lengths, atol=1e-6)
    assert numbers == {2, 4, 6}


def turned(points: Array, angle: float) -> Array:
    return points @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


# --- other groups ----------------------------------------------------------------------------


def bars(feet: str, tops: str) -> Chain:
    """A body on three bars, whose joints are given by their symbols."""
    return [edge for k in range(3) for edge in ((-1, k + 1, feet[k]), (k + 1, 0, tops[k]))]


CLASS_THREE = [(-1, 0, "R"), (0, 1, "R"), (1, 2, "R"), (2, -1, "R"), (1, 3, "R"), (3, 4, "R"), (4, -1, "R")]
CLASS_THREE += [(3, 5, "R"), (5, -1, "R")]
GROUPS: dict[str, Chain] = {
    "telescopes": CHAINS[2]["3-RPR"],
    "slider on the frame": bars("PRR", "RRR"),
    "class III": CLASS_THREE,
    "three rods": HIGHER[2]["three rods"],
    "two sliders": bars("PPR", "RRR"),
    "sliders on the body": bars("RRR", "PPR"),
    "both": bars("PRR", "RPR"),
    "driven cranks": legs("R*1", "R", "R"),
}


@ITERATED
@pytest.mark.parametrize("name", in_part(GROUPS, every=3))
def test_modes_are_those_of_a_dense_search(name: str) -> None:
    numbers = []
    for seed in range(2):
        shop = Workshop(2, np.random.default_rng(seed), 0.3)
        cranks = [shop.make_tree([(-1, 0, "R*1")], ["ground"])[0] for _ in range(3)]
        shop.make_tree(GROUPS[name], cranks, reverse=0.5)
        state, part = before_last(shop.mechanism(), 0.1)
        exact, complete = solutions(state, part)
        assert complete
        ends = mode_search._searched(state, part)
        searched = [mode_search._solution(state, part, 0, started(part, end)).pose for end in ends]
        assert len(exact) == len(searched)
        for pose in searched:
            assert min(np.abs(one.pose - pose).max() for one in exact) < 1e-9
        numbers.append(len(exact))
    assert max(numbers) > 1


def crossings(state: StateAtRest) -> int:
    """Count the solutions of the class III group by circles that intersect, at many angles of its first bar."""
    geometry, motion = state.program.geometry, snapshot(state)

    def at(name: str) -> complex:
        return complex(*geometry.points[name][1])

    a = complex(*motion.point_on("crank", geometry.joints["A"].points[0])[0])
    theta = np.linspace(-np.pi, np.pi, 200_001)
    b = a + abs(at("B") - at("A")) * np.exp(1j * theta)
    count = 0
    for first in (1, -1):
        left = third(b, at("G"), at("B"), at("C"), at("G"), first)
        d = left(at("D"))
        for second in (1, -1):
            right = third(d, at("H"), at("D"), at("E"), at("H"), second)
            gap = abs(right(at("F")) - at("I")) - abs(at("F") - at("I"))
            count += int((gap[:-1] * gap[1:] < 0).sum())
    return count


def third(start, end, b, c, g, sign):  # type: ignore[no-untyped-def]
    """Place a body whose point b is at `start`, and c on the circle about `end` through c around g."""
    one, other, span = abs(c - b), abs(c - g), end - start
    along = (one**2 - other**2 + abs(span) ** 2) / (2 * abs(span))
    across = np.sqrt(np.where(one >= abs(along), one**2 - along**2, np.nan))
    turn = (along + 1j * sign * across) * span / abs(span) / (c - b)
    return lambda point: start + turn * (point - b)


@ITERATED
def test_modes_of_the_class_three_group_are_those_of_circles_that_intersect() -> None:
    mechanism, numbers = gk.load(EXAMPLES / "assur_class_three.toml"), set()
    for time in (0.0, 0.15, 0.4, 0.7):
        state, part = before_last(mechanism, time)
        found, complete = solutions(state, part)
        assert complete
        assert len(found) == crossings(state)
        numbers.add(len(found))
    assert max(numbers) >= 4
    listed = gk.assembly_modes(mechanism)
    assert listed.complete
    assert not listed.searched


# --- where a substitute does not do ----------------------------------------------------------


def folding_triad() -> gk.Mechanism:
    """A triad two of whose bars fold together where the first reaches the foot of the second.

    With the first bar driven and the third left out, the dyad of body and second bar, as long as the distance of its
    hinges on the body, can turn freely there.
    """
    first = np.array([np.cos(1.2), np.sin(1.2)])
    middle, across = 0.5 * (first + np.array([1.0, 0.0])), np.array([first[1], 1.0 - first[0]])
    points = {"A1": (0.0, 0.0), "A2": (1.0, 0.0), "A3": (1.9, -0.5), "O": (2.2, -0.5)}
    points |= {"B1": tuple(first), "B2": tuple(middle + 0.8 * across), "B3": (1.0, 1.6)}
    feet = [gk.Joint(f"A{k}", "R", ("crank" if k == 3 else "ground", f"bar_{k}"), point=f"A{k}") for k in (3, 1, 2)]
    tops = [gk.Joint(f"B{k}", "R", (f"bar_{k}", "body"), point=f"B{k}") for k in (1, 2, 3)]
    crank = gk.Joint("O", "R", ("ground", "crank"), point="O")
    bodies = ["ground", "crank", "bar_1", "bar_2", "bar_3", "body"]
    return gk.Mechanism(2, bodies, [crank, *feet, *tops], [gk.Driver("O", gk.Ramp(1.0))], points=points)


@ITERATED
def test_where_a_dyad_turns_freely_another_substitute_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    state, part = before_last(folding_triad(), 0.1)
    tried, search = list[bool](), substitutes._placed

    def placed(links: substitutes.Links, substitute: substitutes.Substitute) -> substitutes.Placed | None:
        found = search(links, substitute)
        tried.append(found is not None)
        return found

    monkeypatch.setattr(substitutes, "_placed", placed)
    expected = angles_of_resultant(state, part)
    assert len(expected) >= 2
    np.testing.assert_allclose(angles_found(state, part), expected, atol=1e-6)
    assert tried == [False, True]


@ITERATED
@pytest.mark.parametrize("name", ["EO on rods", "R, R and RW"])
def test_groups_that_no_substitute_makes_simple_are_searched(name: str) -> None:
    shop = Workshop(2, np.random.default_rng(0), 0.3)
    shop.make_tree(HIGHER[2][name], ["ground"])
    state, part = before_last(shop.mechanism(), 0.0)
    assert part.tree is not None
    assert substitutes.solutions(snapshot(state), {}, part.group) is None
