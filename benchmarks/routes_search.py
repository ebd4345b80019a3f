"""How good the search for routes is, on random diagrams: against the best, and gaps where that is unknown.

Groups depend on each earlier one with some probability; half of them cost 0.1 to 1, the others 0.2, 1 or 3; a stage
costs 0 to 10 besides, its barrier.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from statistics import mean, median
from typing import TypeVar

from groupkin.mechanism.mechanism import Mechanism
from groupkin.structure.decomposition import Group, Structure
from routes import best, tree, unstaged
from routes.planning.beam_search import beam_search
from routes.planning.best_route import EXAMINED
from routes.planning.costs import Costs
from routes.planning.search_problem import problem_of
from routes.planning.shortest_path import shortest_path

OVERHEADS = (0.0, 0.05, 0.3, 1.0, 10.0)
TRIES = 40

T = TypeVar("T")


def random_structure(draw: Random, size: int, density: float) -> Structure:
    mechanism = Mechanism.from_adjacency(["-R", "R-"], [[0, 1], [1, 0]], dimension=2)
    groups = []
    for k in range(1, size + 1):
        before = tuple(j for j in range(1, k) if draw.random() < density)
        groups.append(Group(k, (), "", "kind", (), (), (), (), depends_on=before))
    return Structure(mechanism, tuple(groups), (), mechanism)


def random_costs(draw: Random, size: int, workers: int, overhead: float) -> Costs:
    loads = [draw.choice([draw.uniform(0.1, 1), draw.choice([0.2, 1.0, 3.0])]) for _ in range(size)]
    return Costs(dict(enumerate(loads, 1)), {}, barrier=overhead, block=1, workers=workers)


def timed(function: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    return function(), time.perf_counter() - start


def excess() -> None:
    print(f"heuristic against the exact search, {TRIES} diagrams of each size")
    print("groups   median     mean    worst  same  given up  s, exact  s, heuristic")
    for size in (6, 8, 10, 12, 14, 16, 18, 20):
        found, slow, quick, given_up = [], [], [], 0
        for seed in range(TRIES):
            draw = Random(1000 * size + seed)
            structure = random_structure(draw, size, draw.uniform(0.05, 0.5))
            problem = problem_of(structure, random_costs(draw, size, draw.randint(2, 4), draw.choice(OVERHEADS)))
            stages, seconds = timed(lambda problem=problem: beam_search(problem))
            quick.append(seconds)
            cost = problem.cost(stages)
            shortest, seconds = timed(lambda problem=problem, cost=cost: shortest_path(problem, EXAMINED, cost))
            slow.append(seconds)
            if shortest is None:
                given_up += 1
                continue
            found.append(cost / (problem.cost(shortest.stages) if shortest.stages else cost) - 1)
        same = sum(value < 1e-9 for value in found)
        print(
            f"{size:>6} {median(found):>8.2%} {mean(found):>8.2%} {max(found):>8.2%} {same:>5} {given_up:>9} "
            f"{max(slow):>9.3f} {max(quick):>13.3f}"
        )


def gaps() -> None:
    print("\ngaps to the lower bound, 4 workers: staged and without stages")
    print(f"{'groups':>6} {'density':>8} {'barrier':>8} {'stages':>7} {'staged':>8} {'s':>6} {'unstaged':>9} {'s':>6}")
    for size, density in ((50, 0.05), (50, 0.2), (200, 0.005), (200, 0.02), (200, 0.1)):
        for overhead in (0.05, 1.0):
            draw = Random(size)
            structure = random_structure(draw, size, density)
            costs = random_costs(draw, size, 4, overhead)
            staged, first = timed(lambda s=structure, c=costs: best(s, c))
            loose, second = timed(lambda s=structure, c=costs: unstaged(s, c))
            print(
                f"{size:>6} {density:>8} {overhead:>8} {len(staged.route.stages):>7} {staged.gap:>8.2%} {first:>6.2f} "
                f"{loose.gap:>9.2%} {second:>6.2f}"
            )


def counting() -> None:
    print("\ncounting")
    mechanism = random_structure(Random(0), 1, 0).mechanism
    for name, before in (
        ("four chains of 15 groups", [() if k < 4 else (k - 3,) for k in range(60)]),
        ("59 interchangeable followers", [(), *[(1,)] * 59]),
    ):
        groups = tuple(Group(k, (), "", "kind", (), (), (), (), depends_on=those) for k, those in enumerate(before, 1))
        found = tree(Structure(mechanism, groups, (), mechanism))
        routes, first = timed(found.count)
        distinct, second = timed(found.distinct)
        print(f"{name}: {routes:.4g} routes in {first:.4f} s, {distinct:.4g} distinct in {second:.4f} s")


if __name__ == "__main__":
    excess()
    gaps()
    counting()
