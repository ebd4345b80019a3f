"""Diagrams and structures to try routes on, and slow ways to find the same answers."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import permutations, product
from random import Random
from typing import Any

from groupkin.mechanism.mechanism import Mechanism
from groupkin.structure.decomposition import Group, Structure
from routes.diagrams.diagram import Diagram, bits_of, members
from routes.planning.costs import Costs
from tests.support.paths import DATA

PUBLISHED = json.loads((DATA / "published_structures.json").read_text())

CHAINS = tuple(() if k < 4 else (k - 4,) for k in range(60))
"""Four chains of 15 groups."""

STAR = ((), *((0,) for _ in range(59)))
"""A group and 59 that depend on it."""

Stages = tuple[tuple[int, ...], ...]


def diagram(before: Sequence[Sequence[int]], kinds: Sequence[Hashable] | None = None) -> Diagram:
    return Diagram(tuple(map(bits_of, before)), tuple(kinds or ["kind"] * len(before)))


def structure(before: Sequence[Sequence[int]], kinds: Sequence[str] | None = None) -> Structure:
    """Groups of nothing, that depend on each other as given, from 0."""
    mechanism = Mechanism.from_adjacency(["-R", "R-"], [[0, 1], [1, 0]], dimension=2, name="nothing")
    names = kinds or ["kind"] * len(before)
    groups = tuple(
        Group(k + 1, (), "", names[k], (), (), (), (), depends_on=tuple(j + 1 for j in those))
        for k, those in enumerate(before)
    )
    return Structure(mechanism, groups, (), mechanism)


def published(case: Mapping[str, Any]) -> Structure:
    groups = case["groups"]
    before = [[number - 1 for number in group["depends_on"]] for group in groups]
    return structure(before, [group["type"] for group in groups])


def random_before(draw: Random, size: int, density: float) -> list[list[int]]:
    return [[j for j in range(k) if draw.random() < density] for k in range(size)]


def random_costs(draw: Random, size: int, lanes: int, overhead: float) -> Costs:
    """Costs in round units: blocks of 2 steps, loads around 1, one byte takes 0.01."""
    loads = {k + 1: draw.choice([draw.uniform(0.1, 1), draw.choice([0.2, 1.0, 3.0])]) for k in range(size)}
    published = {k + 1: float(draw.randint(0, 3)) for k in range(size)}
    return Costs(loads, published, barrier=overhead, bandwidth=100.0, block=2, workers=lanes)


# --- the slow ways ---------------------------------------------------------------------------


def every_placement(given: Diagram) -> set[tuple[int, ...]]:
    """All routes, as the stage of every group: of all ways to place groups, those that are right."""
    found = set()
    for places in product(range(given.size), repeat=given.size):
        if set(places) == set(range(max(places, default=-1) + 1)) and all(
            places[j] < places[k] for k, bits in enumerate(given.before) for j in members(bits)
        ):
            found.add(places)
    return found


def every_symmetry(given: Diagram) -> Iterator[tuple[int, ...]]:
    """All permutations that keep kinds and dependencies, tried one by one."""
    for images in permutations(range(given.size)):
        kept = all(given.kinds[k] == given.kinds[image] for k, image in enumerate(images))
        if kept and all(
            bits_of(images[j] for j in members(bits)) == given.before[images[k]] for k, bits in enumerate(given.before)
        ):
            yield images


def least_makespan(loads: Sequence[float], lanes: int) -> float:
    """Of all ways to spread loads over lanes the shortest."""
    return min(
        max(sum(load for load, lane in zip(loads, chosen, strict=True) if lane == k) for k in range(lanes))
        for chosen in product(range(lanes), repeat=len(loads))
    )
