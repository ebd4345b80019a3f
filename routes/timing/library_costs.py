"""Measure every kind of structural group, there and back, so that mechanisms made of them need no measurement."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from groupkin.errors import GroupkinError
from groupkin.kinematics.library import TRIAD, TRIES, Chain, instance
from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import solve
from groupkin.mechanism.mechanism import Mechanism
from routes.timing.cost_cache import Key
from routes.timing.group_costs import disturbed, profile, way_back
from sglibrary.catalog import COUPLED, GROUPS, REPEATING

TIMES = np.linspace(0.0, 1.0, 101)
"""Of the motion over which a group is measured, s."""


def measure_library(
    blocks: Sequence[int], progress: Callable[[int, int], None] | None = None
) -> Iterator[dict[Key, float]]:
    """Measure one kind of group after another; the planar triad represents groups solved by Newton's method.

    Parameters
    ----------
    blocks : sequence of int
        Steps per block.
    progress : callable, optional
        Called with the number of kinds measured and of all.

    Yields
    ------
    dict of Key to float
        Costs of one kind, as `routes.timing.cost_cache` keeps them.
    """
    kinds: list[tuple[int, Chain, bool, bool]] = [(x.dimension, x.chain, x.coupled, False) for x in (*GROUPS, *COUPLED)]
    kinds += [(2, TRIAD, False, False), *((x.dimension, x.chain, False, True) for x in REPEATING)]
    for k, (dimension, chain, coupled, plane) in enumerate(kinds):
        program = _moving_instance(dimension, chain, coupled, plane)
        if program is not None:
            yield {
                (name, block, "serial"): seconds
                for block in blocks
                for measured in [profile(program, TIMES, block, None if coupled else way_back(program))]
                if not disturbed(measured.spread)
                for name, seconds in measured.seconds.items()
            }
        if progress is not None:
            progress(k + 1, len(kinds))


def _moving_instance(dimension: int, chain: Chain, coupled: bool, plane: bool = False) -> Program | None:
    """A random mechanism with such a group that can move; None if none of those tried can."""
    for seed in range(TRIES):
        program = build(_heavy(instance(dimension, chain, np.random.default_rng(seed), coupled, plane)))
        try:
            motion = solve(program, TIMES)
        except GroupkinError:
            continue
        if motion.conditioning[-1].min() > 0.1:
            return program
    return None


def _heavy(mechanism: Mechanism) -> Mechanism:
    """The mechanism with masses, so that there are forces to compute."""
    d = mechanism.dimension
    inertia = 0.1 if d == 2 else (0.1, 0.1, 0.1)
    bodies = [replace(body, mass=1.0, center=(0.1,) * d, inertia=inertia) for body in mechanism.body.values()]
    return replace(mechanism, bodies=bodies)
