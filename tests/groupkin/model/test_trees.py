"""Trees and cuts: square and of full rank for every group, and short of rank where geometry says so."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import EQUATIONS_PER_BODY
from groupkin.model.geometry.geometry import resolve
from groupkin.model.rank.rank import Rank, rank
from groupkin.model.tree_making import make_tree
from groupkin.model.trees import Tree
from groupkin.structure.decomposition import decompose
from sglibrary.iterative.kinds import BALL, COINCIDE, TRANSLATION
from tests.support.random_mechanisms import CHAINS, Workshop
from tests.support.shares import in_part

Array = NDArray[np.float64]

EVERY = [pytest.param(d, name, id=f"{name} {d}D") for d in CHAINS for name in CHAINS[d]]


def trees(mechanism: Mechanism, aimed: bool = False) -> list[tuple[Tree, Rank]]:
    """Tree and rank of every group, all joints in tree and cuts or rods left out."""
    geometry = resolve(mechanism)
    grown = [make_tree(mechanism, geometry, group, aimed) for group in decompose(mechanism).groups]
    return [(tree, rank(tree, geometry.size)) for tree in grown]


WAYS = pytest.mark.parametrize("aimed", [False, True], ids=["all joints", "without rods"])


@WAYS
@pytest.mark.parametrize(("dimension", "name"), in_part(EVERY, 5))
def test_equations_are_as_many_as_unknowns_and_independent(dimension: int, name: str, aimed: bool) -> None:
    for seed in range(10):
        shop = Workshop(dimension, np.random.default_rng(seed))
        shop.make_tree(CHAINS[dimension][name], [shop.moving_body(), "ground", shop.moving_body()])
        mechanism = shop.mechanism()
        for group, (tree, found) in zip(decompose(mechanism).groups, trees(mechanism, aimed), strict=True):
            assert found.unknowns == found.equations == found.rank
            assert found.full
            # a tree has fewer unknowns than the bodies have freedoms
            assert tree.unknowns <= EQUATIONS_PER_BODY[dimension] * len(group.bodies)
            assert set(group.bodies) <= set(tree.seats)


@WAYS
@pytest.mark.parametrize(("dimension", "name"), in_part(EVERY, 5))
def test_start_values_put_every_body_at_its_reference(dimension: int, name: str, aimed: bool) -> None:
    """There a frame coordinate turnᵀ (X - point) is turned and shifted back to X."""
    for seed in range(10):
        shop = Workshop(dimension, np.random.default_rng(seed))
        shop.make_tree(CHAINS[dimension][name], [shop.moving_body(), "ground"])
        for tree, _ in trees(shop.mechanism(), aimed):
            frames = start_frames(tree)
            for seat in tree.seats.values():
                rotation, origin = frames[seat.frame]
                np.testing.assert_allclose(rotation, seat.turn, atol=1e-14)
                np.testing.assert_allclose(origin, seat.point, atol=1e-14)


def start_frames(tree: Tree) -> list[tuple[Array, Array]]:
    """Rotation and origin of every frame with undriven moves at their start values, driven ones at theirs."""
    frames = [(tree.seats[body].turn, tree.seats[body].point) for body in tree.solved]
    for move in tree.moves:
        rotation, origin = frames[move.frame]
        before, origin = rotation @ move.turn, origin + rotation @ move.shift
        own = Rotation.identity()
        if move.kind == BALL:
            own = Rotation.from_quat(move.start[1:] + move.start[:1])
        elif move.kind != TRANSLATION:
            own = Rotation.from_rotvec(move.start[0] * np.eye(3)[move.axis])
        else:
            origin = origin + before[:, move.axis] * move.start[0]
        frames.append((before @ own.as_matrix(), origin))
    return frames


@pytest.mark.parametrize(
    ("dimension", "name", "unknowns"),
    [
        (2, "RRR", 2),
        (2, "3-RR", 4),
        (2, "3-RPR", 4),
        (3, "UPS", 3),
        (3, "RUS", 3),
        (3, "RSU", 3),
        (3, "CCC", 4),
        (3, "all joints driven in part", 6),
        (3, "driven S", 0),
        (3, "floating", 0),
    ],
)
def test_unknowns_are_the_undriven_freedoms_of_the_cheapest_tree(dimension: int, name: str, unknowns: int) -> None:
    shop = Workshop(dimension, np.random.default_rng(0))
    shop.make_tree(CHAINS[dimension][name], [shop.moving_body(), "ground"])
    assert trees(shop.mechanism())[-1][0].unknowns == unknowns


def test_a_driven_joint_that_is_cut_is_laid_to_a_phantom_and_welded() -> None:
    """All four joints of this loop are driven in part, so the one that is cut is: its moves are there as well."""
    shop = Workshop(3, np.random.default_rng(0))
    shop.make_tree(CHAINS[3]["all joints driven in part"], [shop.moving_body(), "ground"])
    mechanism = shop.mechanism()
    group = decompose(mechanism).groups[-1]
    tree, _ = trees(mechanism)[-1]
    joints = [joint for joint in mechanism.joints if joint.name in group.external + group.internal]
    driven = {(joint.name, k) for joint in joints for k in mechanism.driven.get(joint.name, ())}
    assert {move.driven for move in tree.moves if move.driven} == driven
    assert len(tree.moves) == sum(len(mechanism.freedoms(joint)) for joint in joints)
    assert tree.count == 6  # a weld
    assert [equation.kind for equation in tree.equations].count(COINCIDE) == 1


@pytest.mark.smoke
def test_paths_follow_the_tree() -> None:
    shop = Workshop(3, np.random.default_rng(1))
    shop.make_tree(CHAINS[3]["RRRS"], ["ground", shop.moving_body()])
    tree, _ = trees(shop.mechanism())[-1]
    paths = tree.paths()
    assert not paths[: len(tree.solved)].any()
    for m, move in enumerate(tree.moves):
        own = paths[len(tree.solved) + m] - paths[move.frame]
        assert (own >= 0).all()
        assert own.sum() == 1


# --- rank missing ----------------------------------------------------------------------------


def chain(dimension: int, *joints: Joint) -> Rank:
    """Rank of the only group of a mechanism without drivers."""
    bodies = list(dict.fromkeys(["ground", *(body for joint in joints for body in joint.bodies)]))
    ((_, found),) = trees(Mechanism(dimension, bodies, joints))
    return found


def test_three_sliding_pairs_in_the_plane_leave_a_freedom() -> None:
    found = chain(
        2,
        Joint("1", "P", ("ground", "a"), point=(0, 0), axis=(1, 0)),
        Joint("2", "P", ("a", "b"), point=(1, 0), axis=(0, 1)),
        Joint("3", "P", ("b", "ground"), point=(2, 1), axis=(1, 1)),
    )
    assert (found.unknowns, found.equations) == (2, 2)
    assert not found.full
    assert found.rank == 1  # the rotation is constrained twice


def test_a_body_on_two_spherical_joints_spins() -> None:
    found = chain(
        3,
        Joint("1", "S", ("ground", "rod"), point=(0, 0, 0)),
        Joint("2", "S", ("rod", "ground"), point=(1, 2, 3)),
    )
    assert (found.unknowns, found.equations, found.rank) == (3, 3, 2)


def dyad(x: float, y: float) -> Rank:
    """Two links from (0, 0) and from (2, 0), hinged at (x, y)."""
    return chain(
        2,
        Joint("1", "R", ("ground", "a"), point=(0, 0)),
        Joint("2", "R", ("a", "b"), point=(x, y)),
        Joint("3", "R", ("b", "ground"), point=(2, 0)),
    )


@pytest.mark.parametrize("x", [1.0, 3.0, -0.5])
def test_a_stretched_or_folded_dyad_is_singular(x: float) -> None:
    assert dyad(x, 0.0).rank == 1
    assert dyad(x, 0.0).conditioning < 1e-12
    assert dyad(x, 0.1).full


def test_conditioning_tells_how_far_it_is() -> None:
    shares = [dyad(1.0, y).conditioning for y in (1e-4, 1e-2, 1.0)]
    assert shares == sorted(shares)
    assert shares[1] == pytest.approx(100 * shares[0], rel=0.01)  # proportional to the sine of a small angle


def test_conditioning_does_not_depend_on_the_unit_of_length() -> None:
    def scaled(factor: float) -> float:
        return chain(
            2,
            Joint("1", "R", ("ground", "a"), point=(0, 0)),
            Joint("2", "R", ("a", "b"), point=(factor * 1.0, factor * 0.5)),
            Joint("3", "P", ("b", "ground"), point=(factor * 2.0, 0), axis=(1, 1)),
        ).conditioning

    assert scaled(1000.0) == pytest.approx(scaled(1.0), rel=1e-12)
