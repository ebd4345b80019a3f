"""Predictions for hypothetical machines, by hand."""

from __future__ import annotations

import pytest

from groupkin.errors import RouteError
from routes.planning.costs import Costs, predicted_cost
from routes.planning.prediction import predict
from tests.support.diagrams import structure

GIVEN = structure([[], [0], [0], [0], [0]])
COSTS = Costs(
    seconds={1: 1.0, 2: 8.0, 3: 8.0, 4: 8.0, 5: 8.0},
    bytes_read={1: 100.0},
    barrier=0.5,
    bandwidth=1000.0,
    unassigned_io=2.0,
    block=10,
    workers=2,
    bytes_kept=40.0,
)
STAGES = 10 * 9.0  # of a block: the first group, then the others side by side
BYTES = 10 * 100.0


def test_one_node_is_the_same_model() -> None:
    found = {(item.teams, item.lanes): item for item in predict(GIVEN, COSTS, workers=2)}
    assert set(found) == {(1, 2), (2, 1)}
    for (teams, _), split in {(1, 2): "groups", (2, 1): "time"}.items():
        item = found[teams, 2 // teams]
        assert (item.split, item.spanned) == (split, 1)
        assert item.seconds == pytest.approx(predicted_cost(COSTS, item.route, split))
        assert item.speedup == pytest.approx(35.0 / item.seconds)
        assert item.efficiency == pytest.approx(item.speedup / 2)


def test_lanes_over_nodes_exchange_messages() -> None:
    found = {item.teams: item for item in predict(GIVEN, COSTS, 4, nodes=4, latency=3.0, bandwidth=500.0)}
    sent = 40.0 * 3 / 4 / 500
    groups = found[1]
    assert (groups.split, groups.lanes, groups.spanned) == ("groups", 4, 4)
    messages = 2 * 2 * 3.0 + BYTES / 1000 + BYTES / 500  # two stages of two rounds each
    assert groups.seconds == pytest.approx(sent + 2.0 + (STAGES + messages) / 10)
    assert found[4].seconds == pytest.approx(sent + 35.0 / 4)
    assert [item.seconds for item in found.values()] == sorted(item.seconds for item in found.values())


def test_a_team_within_a_node_meets_at_a_barrier() -> None:
    found = {item.teams: item for item in predict(GIVEN, COSTS, 8, nodes=2, latency=3.0, bandwidth=500.0)}
    within = found[2]
    assert (within.split, within.lanes, within.spanned) == ("hybrid", 4, 1)
    sent = 40.0 / 2 / 500
    assert within.seconds == pytest.approx(sent + (2.0 + (STAGES + 2 * 2 * 0.5 + BYTES / 1000) / 10) / 2)


def test_workers_without_groups_are_idle() -> None:
    found = {item.teams: item for item in predict(GIVEN, COSTS, 16)}
    assert found[1].lanes == 4
    assert found[1].efficiency == pytest.approx(found[1].speedup / 16)


def test_uneven_nodes_are_refused() -> None:
    with pytest.raises(
        RouteError, match="64 workers cannot be spread evenly over 7 nodes; choose a multiple of 7 workers"
    ):
        predict(GIVEN, COSTS, 64, nodes=7)
