"""Every pair of the table, as it is listed: driven in all its freedoms, in the tree of a group, and as a cut."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from groupkin.errors import DeterminedByCountOnlyError, SolveError
from groupkin.kinematics.global_formulation.comparison import compare
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program import closed_forms
from groupkin.kinematics.solver import solve
from groupkin.mechanism.pairs import PAIRS, Form
from groupkin.model.tree_making import WELD, make_tree
from tests.support import oracle
from tests.support.forces import check_reactions
from tests.support.random_cams import FOLLOWERS
from tests.support.random_mechanisms import FREE, JIT, Chain, Workshop, on_rods
from tests.support.rates import check_rates
from tests.support.shares import in_part

TIMES = np.linspace(0.0, 0.4, 21 if JIT else 5)


def forms() -> Iterator[tuple[int, str, Form]]:
    """All pairs that are solved, in the plane and in space."""
    for symbol, pair in PAIRS.items():
        for dimension, form in ((2, pair.plane), (3, pair.space)):
            if form is not None and pair.modeled:
                yield dimension, symbol, form


EVERY = [
    pytest.param(dimension, symbol, len(form.freedoms), follower, id=f"{symbol} {dimension}D {follower}".strip())
    for dimension, symbol, form in forms()
    for follower in (FOLLOWERS if form.curved else ("",))
]


def moved(dimension: int, chain: Chain, follower: str, reverse: float) -> Motion:
    """A group on a moving body and the frame, with the first random geometry that lets it move."""
    for seed in range(40):
        shop = Workshop(dimension, np.random.default_rng(seed), amplitude=0.1, follower=follower)
        shop.make_tree(chain, [shop.moving_body(), "ground"], reverse)
        try:
            motion = solve(shop.mechanism(), TIMES)
        except (DeterminedByCountOnlyError, SolveError):
            continue
        if motion.conditioning.min() > 0.02:  # lines of five or six rods are often nearly dependent
            return motion
    raise AssertionError("no geometry lets it move")


def check(motion: Motion) -> None:
    """Against two references; rounding errors are divided by the conditioning, in rates once more."""
    check_rates(motion)
    check_reactions(motion)
    conditioning = motion.conditioning.min()
    gaps = compare(motion)
    assert gaps.position < 1e-10 / conditioning
    assert max(gaps.velocity, gaps.acceleration) < 1e-9 / conditioning**2
    chosen = [0, TIMES.size - 1]
    expected = oracle.of_poses(oracle.solve(motion.program.mechanism, TIMES[chosen]))
    found = {b: (o[:, chosen], r[:, chosen]) for b, (o, r) in oracle.of_motion(motion).items()}
    position, *rates = oracle.differences(found, expected, motion.program.geometry.size)
    assert position < 1e-10 / conditioning
    assert max(rates) < 1e-9 / conditioning**2


@pytest.mark.parametrize("reverse", in_part([0.0, 1.0], 2))
@pytest.mark.parametrize(("dimension", "symbol", "freedoms", "follower"), in_part(EVERY[0:] + EVERY[:0], 3))
def test_every_freedom_can_be_driven(dimension: int, symbol: str, freedoms: int, follower: str, reverse: float) -> None:
    numbers = "".join(str(1 + k) for k in range(freedoms))
    check(moved(dimension, [(-1, 0, f"{symbol}*{numbers}")], follower, reverse))


@pytest.mark.parametrize(("dimension", "symbol", "freedoms", "follower"), in_part(EVERY[1:] + EVERY[:1], 3))
def test_every_pair_carries_a_body_on_rods(dimension: int, symbol: str, freedoms: int, follower: str) -> None:
    """A rod takes one freedom, so there are as many rods as the pair has freedoms; they are cut, and the pair is not.

    Cams and rods themselves are always cut.
    """
    check(moved(dimension, on_rods(symbol, freedoms), follower, 0.5))


@pytest.mark.parametrize(("dimension", "symbol", "freedoms", "follower"), in_part(EVERY[2:] + EVERY[:2], 3))
def test_every_pair_is_cut(
    dimension: int, symbol: str, freedoms: int, follower: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the end of a chain of hinges, or beside the drivers of a body that leave it nothing to constrain."""
    monkeypatch.setattr(closed_forms, "roles", lambda group: None)
    hinges = {2: 3, 3: 6}[dimension] - freedoms
    chain = [(k - 1, k, "R") for k in range(hinges)] or [(-1, 0, FREE[dimension])]
    motion = moved(dimension, [*chain, (len(chain) - 1, -1, symbol)], follower, 0.5)
    program = motion.program
    tree = make_tree(program.mechanism, program.geometry, program.structure.groups[-1])
    joint = program.mechanism.joints[-1]
    cut = program.mechanism.form(joint).cut
    kinds = [kind for kind, *_ in (WELD[dimension] if cut is None else cut)]
    assert [equation.kind for equation in tree.equations][-len(kinds) or None :] == kinds
    check(motion)
