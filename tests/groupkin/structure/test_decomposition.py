"""Decomposition against a search by the definition, and refusals whose advice helps."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from groupkin.errors import NotDeterminedError
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.structure.counting import over_driven, share
from groupkin.structure.decomposition import Structure, decompose
from groupkin.structure.idle_spins import balance
from groupkin.structure.not_determined import offers
from tests.support.mechanisms import four_bar
from tests.support.shares import in_part

PAIRS_OF = {2: ["R", "R", "R", "P"], 3: ["R", "P", "C", "U", "S", "S"]}


def random_mechanism(rng: np.random.Generator, most: int = 7) -> Mechanism:
    """A connected mechanism of some movable bodies, with as many drivers, or nearly, as its mobility asks for."""
    dimension, movable = int(rng.integers(2, 4)), int(rng.integers(1, most + 1))
    names = [str(k) for k in range(movable + 1)]
    joints = [(k, int(rng.integers(k))) for k in range(1, movable + 1)]
    kinds = [str(rng.choice(PAIRS_OF[dimension])) for _ in range(4 * movable)]
    goal = int(rng.integers(0, 4))
    while True:  # close loops until few freedoms are left
        described = [Joint(f"j{k}", kinds[k], (names[a], names[b])) for k, (a, b) in enumerate(joints)]
        mechanism = Mechanism(dimension, names, described)
        if mechanism.mobility <= goal or len(joints) == len(kinds):
            break
        a, b = (int(x) for x in rng.choice(movable + 1, 2, replace=False))
        joints.append((a, b))
    spare = [(j.name, f.name) for j in described for f in mechanism.freedoms(j)]
    wanted = mechanism.mobility + int(rng.integers(-1, 2)) * (rng.random() < 0.2)
    chosen = rng.permutation(len(spare))[: max(0, wanted)]
    return replace(mechanism, drivers=[Driver(spare[k][0], None, spare[k][1]) for k in chosen])


def surplus(mechanism: Mechanism) -> NDArray[np.int64]:
    """What is left over in every set of movable bodies, as bits: its equations less those it needs.

    The equations of joints among these bodies and the frame, so that sets of solved bodies have 0, and a set of bodies
    together with what is solved meets Eq. (5) of Celdran et al. (2022) if it has 0 as well.
    """
    place = {body: k for k, body in enumerate(mechanism.movable)}
    sets, need = np.arange(1 << len(place)), 3 if mechanism.dimension == 2 else 6
    total = -need * sum((sets >> k & 1 for k in place.values()), np.zeros_like(sets))
    for joint in mechanism.joints:
        equations = need - len(mechanism.freedoms(joint)) + len(mechanism.driven.get(joint.name, ()))
        mask = sum(1 << place[body] for body in joint.bodies if body in place)
        total += equations * (sets & mask == mask)
    return total


def by_equation_5(mechanism: Mechanism) -> list[set[str]] | None:
    """Groups by trying sets, smallest first: each has as many equations as it needs; None if at some point none has."""
    left, names = surplus(mechanism), mechanism.movable
    sizes = [[s for s in range(1, len(left)) if s.bit_count() == size] for size in range(1, len(names) + 1)]
    order = [s for same in sizes for s in sorted(same, key=lambda s: [k for k in range(len(names)) if s >> k & 1])]
    solved, groups = 0, []
    while solved < len(left) - 1:
        found = next((s for s in order if not s & solved and left[s | solved] == 0), None)
        if found is None:
            return None
        groups.append({name for k, name in enumerate(names) if found >> k & 1})
        solved |= found
    return groups


def brute_force(mechanism: Mechanism) -> list[set[str]] | None:
    """The same, but None as well if some set has equations to spare."""
    return None if surplus(mechanism).max() > 0 else by_equation_5(mechanism)


def decomposed(mechanism: Mechanism) -> Structure | None:
    try:
        return decompose(mechanism)
    except NotDeterminedError:
        return None


@pytest.mark.parametrize(("seed", "count"), in_part([(0, 300), *((seed, 1000) for seed in range(4))], 5))
def test_groups_are_the_smallest_tight_sets(seed: int, count: int) -> None:
    rng = np.random.default_rng([1, seed])
    accepted, refused, large = [0] * 4, 0, 0
    for _ in range(count):
        mechanism = random_mechanism(rng, most=9)
        structure, solved_as = decomposed(mechanism), balance(mechanism).solved_as  # with idle spins held
        expected = brute_force(solved_as)
        assert (structure is None) == (expected is None)
        if structure is None or expected is None:
            refused += 1
            continue
        # the smallest first, ties by declaration: the order of both
        assert [set(group.bodies) for group in structure.groups] == expected
        accepted[mechanism.dimension] += 1
        large += max(len(group.bodies) for group in structure.groups) > 1
        check_dependencies(solved_as, structure)
    assert min(accepted[2], accepted[3], refused, large) > count // 20  # all kinds of answers are tried


def check_dependencies(mechanism: Mechanism, structure: Structure) -> None:
    """What a group is said to depend on is enough to solve it, and all of it is needed."""
    left = surplus(mechanism)
    bits = {name: 1 << k for k, name in enumerate(mechanism.movable)}
    closed: dict[int, int] = {}  # everything that must be solved with a group
    for group in structure.groups:
        own = sum(bits[body] for body in group.bodies)
        before = 0
        for number in group.depends_on:
            before |= closed[number]
        assert left[before] == left[before | own] == 0
        for number in group.depends_on:
            members = sum(bits[body] for body in structure.groups[number - 1].bodies)
            assert left[before & ~members | own] < left[before & ~members]
        closed[group.number] = before | own


@pytest.mark.exhaustive
def test_equation_5_alone_accepts_what_is_over_driven_in_parts() -> None:
    """A part with one equation too many and another with one too few cancel, if nothing but totals is looked at.

    Whatever is determined is found by Eq. (5) alone too, and as the same groups; but it accepts more.
    """
    rng, wrong, right = np.random.default_rng(8), [], 0
    for _ in range(2000):
        mechanism = random_mechanism(rng, most=6)
        found, expected = by_equation_5(mechanism), brute_force(mechanism)
        if expected is not None:
            right += 1
            assert found == expected
        elif found is not None:
            wrong.append(mechanism)
    assert right > 300
    assert wrong
    for mechanism in wrong:
        error = refused(mechanism)
        assert error.excess > 0
        assert error.over_driven


def test_the_order_of_declaration_does_not_change_the_groups() -> None:
    rng = np.random.default_rng(2)
    for _ in range(100):
        mechanism = random_mechanism(rng)
        joints = [mechanism.joints[k] for k in rng.permutation(len(mechanism.joints))]
        bodies = [list(mechanism.body)[k] for k in rng.permutation(len(mechanism.body))]
        other = replace(mechanism, joints=joints, bodies=bodies, frame=mechanism.frame)
        first, second = decomposed(mechanism), decomposed(other)
        assert (first is None) == (second is None)
        if first and second:
            assert summary(first) == summary(second)


def summary(structure: Structure) -> set[tuple[object, ...]]:
    return {
        (
            frozenset(group.bodies),
            group.signature,
            group.level,
            frozenset(b for k in group.depends_on for b in structure.groups[k - 1].bodies),
        )
        for group in structure.groups
    }


# --- refusals --------------------------------------------------------------------------------


def refused(mechanism: Mechanism) -> NotDeterminedError:
    with pytest.raises(NotDeterminedError) as caught:
        decompose(mechanism)
    return caught.value


def suggested(error: NotDeterminedError, advice: str) -> list[str]:
    """Joints that a line of the message names."""
    found = re.search(rf"{advice} one of(?: the joints)?: (.*)", str(error))
    return found.group(1).split(", ") if found else []


def test_a_missing_driver_is_asked_for_where_it_helps() -> None:
    error = refused(four_bar({}))
    assert (error.over_driven, error.excess, error.lack) == ((), 0, 1)
    assert set(error.under_driven) == {"crank", "coupler", "rocker"}
    assert "mobility 1, 0 driven" in str(error)
    assert suggested(error, "add a driver at") == ["A", "B", "C", "D"]


def test_a_driver_too_many_is_named() -> None:
    error = refused(four_bar({}, [Driver("A"), Driver("C")]))
    assert (error.under_driven, error.excess, error.lack) == ((), 1, 0)
    assert "over-driven by 1 equation: bodies crank, coupler, rocker" in str(error)
    assert suggested(error, "drop a driver at") == ["A", "C"]


def test_a_joint_too_many_is_named_where_no_driver_is() -> None:
    mechanism = four_bar({})
    extra = Joint("E", "R", ("coupler", "ground"))
    second = Joint("F", "R", ("crank", "rocker"))
    error = refused(replace(mechanism, joints=[*mechanism.joints, extra, second]))
    assert error.excess == 3
    assert set(suggested(error, "free or remove")) == {"A", "B", "C", "D", "E", "F"}


TRIANGLE = (("A", "a", "b", (0.0, 0.0)), ("B", "b", "c", (1.0, 0.0)), ("C", "c", "a", (0.0, 1.0)))


@pytest.mark.parametrize("geometry", [True, False])
@pytest.mark.parametrize("driven", ["ABC", ""])
def test_a_frame_that_holds_nothing_is_refused_by_name(driven: str, geometry: bool) -> None:
    """Whether or not drivers make up for the equations by count."""
    joints = [Joint(name, "R", (a, b), point=point if geometry else None) for name, a, b, point in TRIANGLE]
    drivers = [Driver(name) for name in driven]
    error = refused(Mechanism(2, ["wall", "a", "b", "c"], joints, drivers))
    expected = "no chain of joints connects a, b, c to the frame 'wall': join them to it, or name another frame"
    assert expected in str(error)
    assert "add a driver" not in str(error)
    # beside something that the frame does hold as well
    hinge = Joint("O", "R", ("wall", "door"), point=(0.0, 5.0) if geometry else None)
    error = refused(Mechanism(2, ["wall", "door", "a", "b", "c"], [hinge, *joints], [Driver("O"), *drivers]))
    assert expected in str(error)


def test_a_frame_that_holds_nothing_is_refused_in_the_published_form() -> None:
    inputs = [[0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]]
    error = refused(Mechanism.from_adjacency(["----", "--RR", "-R-R", "-RR-"], inputs, dimension=2))
    assert "no chain of joints connects 2, 3, 4 to the frame '1'" in str(error)


def test_a_body_that_nothing_holds_needs_a_joint() -> None:
    error = refused(Mechanism(2, ["ground", "loose"], []))
    assert "under-driven by 3 equations: bodies loose" in str(error)
    assert "add a joint that holds them" in str(error)


@pytest.mark.exhaustive
def test_suggestions_mend_what_is_refused() -> None:
    """Every suggested change is carried out; it must bring the mechanism nearer to an accepted one."""
    rng, tried, mended = np.random.default_rng(3), 0, 0
    for _ in range(300):
        mechanism = with_a_driver_more_or_less(random_mechanism(rng), rng)
        if decomposed(mechanism):
            continue
        error = refused(mechanism)
        for action, name, freedom in error.remedies:
            tried += 1
            if action == "drop":
                number = driven_by(mechanism, name, freedom)
                drivers = [driver for k, driver in enumerate(mechanism.drivers) if k != number]
                mended += helps(replace(mechanism, drivers=drivers), error.excess - 1, error.lack)
            else:
                drivers = [*mechanism.drivers, Driver(name, None, freedom)]
                mended += helps(replace(mechanism, drivers=drivers), error.excess, error.lack - 1)
    assert tried > 300
    assert mended > 100


def with_a_driver_more_or_less(mechanism: Mechanism, rng: np.random.Generator) -> Mechanism:
    """One change to a mechanism that is accepted; others stay as they are."""
    if decomposed(mechanism) is None:
        return mechanism
    loose = [j.name for j in mechanism.joints if len(mechanism.driven.get(j.name, ())) < len(mechanism.freedoms(j))]
    if loose and (rng.random() < 0.5 or not mechanism.drivers):
        name = loose[rng.integers(len(loose))]
        return replace(mechanism, drivers=[*mechanism.drivers, Driver(name, None, undriven(mechanism, name))])
    return replace(mechanism, drivers=mechanism.drivers[1:])


def driven_by(mechanism: Mechanism, name: str, freedom: str) -> int:
    """The number of the driver of a freedom."""
    joint = next(joint for joint in mechanism.joints if joint.name == name)
    names = [each.name for each in mechanism.freedoms(joint)]
    [number] = [
        k
        for k, driver in enumerate(mechanism.drivers)
        if driver.joint == name and (driver.freedom or names[0]) == (freedom or names[0])
    ]
    return number


def undriven(mechanism: Mechanism, name: str) -> str:
    """The first freedom of a joint that is not driven."""
    joint = next(joint for joint in mechanism.joints if joint.name == name)
    taken = set(mechanism.driven.get(name, ()))
    return next(freedom.name for k, freedom in enumerate(mechanism.freedoms(joint)) if k not in taken)


def helps(mechanism: Mechanism, excess: int, lack: int) -> bool:
    """Check that exactly this is left; whether nothing is."""
    shares = balance(mechanism).shares
    assert (shares.excess.sum(), shares.lack.sum()) == (excess, lack)
    assert (decomposed(mechanism) is not None) == (excess == lack == 0)
    return excess == lack == 0


def test_parts_that_are_wrong_in_themselves_are_listed_apart() -> None:
    names = ["ground", "a", "b", "c", "d"]
    joints = [Joint(name, "R", ("ground", name)) for name in names[1:]]
    drivers = [Driver("a")]
    joints += [Joint("a2", "R", ("ground", "a")), Joint("b2", "R", ("ground", "b"))]
    error = refused(Mechanism(2, names, joints, drivers))
    assert str(error) == (
        "mechanism is not determined: mobility 0, 1 driven, but some parts have drivers or constraints too many and "
        "others too few\n"
        "  over-driven by 2 equations: bodies a; joints a, a2\n"
        "  drop a driver at one of: a\n"
        "  over-driven by 1 equation: bodies b; joints b, b2\n"
        "  free or remove one of the joints: b, b2\n"
        "  under-driven by 1 equation: bodies c; joints c\n"
        "  add a driver at one of: c\n"
        "  under-driven by 1 equation: bodies d; joints d\n"
        "  add a driver at one of: d\n"
        "  or a joint is missing: c (c), d (d) have only one each"
    )
    assert (error.excess, error.lack) == (3, 2)


def test_a_body_without_joints_needs_some() -> None:
    error = refused(Mechanism(2, ["ground", "a"], []))
    assert str(error).endswith("under-driven by 3 equations: bodies a; joints none\n  add a joint that holds them")


@pytest.mark.exhaustive
def test_all_that_a_maximum_flow_can_do_without_is_suggested() -> None:
    """Against trying: one equation less at a joint leaves fewer to spare exactly where it is suggested."""
    rng, seen = np.random.default_rng(7), Counter[bool]()
    for _ in range(300):
        mechanism = with_a_driver_more_or_less(random_mechanism(rng), rng)
        found = balance(mechanism)
        if found.spins or not found.shares.excess.any():
            continue
        over = set(over_driven(found.counts, found.shares))
        for j in range(len(mechanism.joints)):
            equations = found.counts.equations.copy()
            equations[j] -= 1
            helps = share(replace(found.counts, equations=equations)).excess.sum() < found.shares.excess.sum()
            assert offers(found.counts, found.shares, over, j) == helps
            seen[helps] += 1
    assert min(seen[True], seen[False]) > 50


@pytest.mark.exhaustive
def test_every_remedy_can_be_followed() -> None:
    """A driver that is added or dropped where a remedy says leaves one equation less that is lacking or too many."""
    rng, seen = np.random.default_rng(11), Counter[tuple[str, bool]]()
    for _ in range(150):
        mechanism = with_a_driver_more_or_less(random_mechanism(rng), rng)
        found = balance(mechanism)
        if found.spins or decomposed(mechanism) is not None:
            continue
        error = refused(mechanism)
        for action, joint, freedom in error.remedies:
            names = [each.name for each in mechanism.freedoms(mechanism.joint[joint])]
            if action == "add":
                drivers = [*mechanism.drivers, Driver(joint, None, freedom)]
            else:
                left = {k: each for k, each in mechanism.driven[joint].items() if names[k] != freedom}
                drivers = [each for each in mechanism.drivers if each.joint != joint] + list(left.values())
                assert len(drivers) == len(mechanism.drivers) - 1
            shares = balance(replace(mechanism, drivers=drivers)).shares
            counts = error.excess - (action == "drop"), error.lack - (action == "add")
            assert (shares.excess.sum(), shares.lack.sum()) == counts
            several = len(names) > 1
            named = rf"{re.escape(joint)} \([^)]*{freedom}| more" if several else ""
            assert re.search(named, str(error))
            seen[action, several] += 1
    assert min(seen[action, several] for action in ("add", "drop") for several in (True, False)) > 20


def test_of_a_large_mechanism_the_first_names_are_given() -> None:
    """A refusal of thousands of bodies is short, and takes no longer than the decomposition itself."""
    count = 3000
    names = ["ground", *(f"b{k}" for k in range(count))]
    chain = [Joint(f"j{k}", "R", pair) for k, pair in enumerate(pairwise(names))]
    error = refused(Mechanism(2, names, chain))
    assert str(error) == (
        "mechanism is not determined: mobility 3000, 0 driven\n"
        "  under-driven by 3000 equations: bodies b0, b1, b2, b3, b4, b5, b6, b7, b8, b9 and 2990 more; "
        "joints j0, j1, j2, j3, j4, j5, j6, j7, j8, j9 and 2990 more\n"
        "  add a driver at one of: j0, j1, j2, j3, j4, j5, j6, j7, j8, j9 and 2990 more\n"
        "  or a joint is missing: ground (j0), b2999 (j2999) have only one each\n"
        "  or let it move under its forces (simulate)"
    )
    assert len(error.under_driven) == count
    apart = [Joint(f"j{k}", "R", ("ground", name)) for k, name in enumerate(names[1:])]
    lines = str(refused(Mechanism(2, names, apart))).splitlines()
    assert len(lines) == 1 + 2 * 10 + 3
    assert lines[-3] == "  and 2990 other under-driven parts"


def test_a_forgotten_joint_is_asked_for_with_the_bodies_that_have_only_one() -> None:
    joints = [Joint("A", "R", ("ground", "crank")), Joint("B", "R", ("crank", "coupler", "cap"))]
    joints.append(Joint("C", "R", ("coupler", "rocker")))
    names = ["ground", "crank", "coupler", "rocker", "cap"]
    lines = str(refused(Mechanism(2, names, joints, [Driver("A")]))).splitlines()
    assert lines[-2] == "  or a joint is missing: ground (A), rocker (C), cap (B) have only one each"
    closed = [*joints, Joint("D", "R", ("rocker", "ground"))]
    assert "missing: cap (B) has only one\n" in str(refused(Mechanism(2, names, closed, [Driver("A")])))
    four = [replace(joint, bodies=joint.bodies[:2]) for joint in closed]
    assert "\n  or a joint is missing\n" in str(refused(Mechanism(2, names[:4], four)))
