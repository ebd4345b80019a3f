"""The cost model, by hand and against all ways to spread groups over lanes."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import groupkin as gk
from groupkin.errors import ArgumentError
from groupkin.transformations.criteria import force_operations
from routes.diagrams.route import Route
from routes.planning.costs import Costs, _graph, guess_costs, predicted_cost, stage_cost
from routes.planning.load_balancing import EXACT_UP_TO, makespan
from routes.timing.group_costs import way_back
from routes.timing.library_costs import _moving_instance
from sglibrary.catalog import GROUPS
from tests.support.diagrams import least_makespan
from tests.support.paths import EXAMPLES
from tests.support.shares import in_part

COSTS = Costs(
    seconds={1: 1.0, 2: 3.0, 3: 2.0, 4: 2.0},
    bytes_read={1: 50.0, 2: 0.0, 3: 10.0, 4: 0.0},
    barrier=7.0,
    latency=4.0,
    bandwidth=100.0,
    unassigned_io=0.5,
    startup=0.25,
    following=0.125,
    block=10,
    workers=2,
)
ROUTE = Route(((1,), (2, 3, 4)))


@pytest.mark.parametrize("seed", range(100))
def test_makespan_is_the_least(seed: int) -> None:
    draw = Random(seed)
    lanes = draw.randint(1, 4)
    loads = [draw.choice([draw.random(), 0.25, 0.5]) for _ in range(draw.randint(0, 7))]
    largest, lane = makespan(loads, lanes)
    assert largest == pytest.approx(least_makespan(loads, lanes), rel=1e-12)
    sums = [sum(load for load, k in zip(loads, lane, strict=True) if k == chosen) for chosen in range(lanes)]
    assert max(sums) == pytest.approx(largest, rel=1e-12)
    assert len(lane) == len(loads)


def test_longest_first_is_used_beyond_and_only_there() -> None:
    """Graham's worst case of longest first, 4/3 - 1/(3 lanes) of the best: exact with few loads, as bad with many."""
    lanes = 4
    loads = [7, 7, 6, 6, 5, 5, 4, 4, 4]
    assert makespan(loads, lanes)[0] == 12
    more = [*loads, *[0.0] * (EXACT_UP_TO + 1 - len(loads))]
    assert makespan(more, lanes)[0] == 15


def test_a_stage_by_hand() -> None:
    assert stage_cost(COSTS, (1,)) == 10 * 1.0 + 7 + 4 + 10 * 50 / 100
    assert stage_cost(COSTS, (2, 3, 4)) == 10 * 4.0 + 7 + 4 + 10 * 10 / 100
    alone = COSTS.with_workers(1)
    assert stage_cost(alone, (2, 3, 4)) == 10 * 7.0


def test_splits_by_hand() -> None:
    common, unassigned_io, stages = 0.25 + 0.125, 0.5, 26 + 52
    assert predicted_cost(COSTS, ROUTE) == pytest.approx(common + unassigned_io + stages / 10)
    assert predicted_cost(COSTS, ROUTE, "time") == pytest.approx(common + (unassigned_io + 8.0) / 2)
    four = COSTS.with_workers(4)
    assert four.barrier == 14  # two rounds instead of one
    assert predicted_cost(four, ROUTE, "hybrid") == pytest.approx(common + (unassigned_io + stages / 10) / 2)
    assert predicted_cost(four, ROUTE, "hybrid", teams=4) == pytest.approx(predicted_cost(four, ROUTE, "time"))
    assert predicted_cost(four, ROUTE, "hybrid", teams=1) == pytest.approx(predicted_cost(four, ROUTE, "groups"))


def test_one_worker_pays_for_nothing_but_the_work() -> None:
    alone = COSTS.with_workers(1)
    for route in (ROUTE, Route(((1,), (2,), (3,), (4,)))):
        for split in ("groups", "time", "hybrid"):
            assert predicted_cost(alone, route, split) == pytest.approx(0.25 + 0.125 + 0.5 + 8.0)


def test_splits_that_do_not_exist() -> None:
    with pytest.raises(ArgumentError, match="split must be groups, time or hybrid, not 'steps'"):
        predicted_cost(COSTS, ROUTE, "steps")
    with pytest.raises(ArgumentError, match="2 workers cannot be divided into 3 teams"):
        predicted_cost(COSTS, ROUTE, "hybrid", teams=3)


def test_guesses_before_anything_is_measured() -> None:
    """Newton's method costs more than a closed form, larger groups more than small ones; no one reads the last ones."""
    rotor = gk.analyze(gk.load(EXAMPLES / "rotor_control.toml"))
    costs = guess_costs(rotor)
    newton = [group.number for group in rotor.groups if group.solver == "Newton"]
    assert newton == [4]
    assert min(costs.seconds[k] for k in newton) > 10 * max(costs.seconds[k] for k in costs.seconds if k not in newton)
    read = {number for group in rotor.groups for number in group.depends_on}
    assert {number for number, size in costs.bytes_read.items() if size} == read
    forward = guess_costs(gk.analyze(gk.load(EXAMPLES / "stewart_forward.toml")))
    assert forward.seconds[1] > max(costs.seconds.values())


@pytest.mark.parametrize("solver", in_part(GROUPS, 6), ids=lambda solver: f"{solver.dimension} {solver.name}")
def test_operations_for_forces_are_about_those_of_the_compiled_pass(solver: Any) -> None:
    program = _moving_instance(solver.dimension, solver.chain, coupled=False)
    if program is None:
        pytest.skip("no instance of this kind moves")
    backward, group = way_back(program), program.structure.groups[-1]
    first, last = backward.in_state.flows[0].calls  # the last group comes first
    lines = sum(int(name.split()[2]) for name in backward.in_state.names[first:last])
    assert 0.65 * lines <= force_operations(_graph(program.structure, group)) <= 1.3 * lines
