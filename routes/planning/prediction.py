"""The predicted cost of routes on hypothetical machines: more cores, and nodes that exchange messages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, log2
from typing import Annotated

from groupkin.arguments import Count, Kind, checked
from groupkin.errors import RouteError
from groupkin.structure.decomposition import Structure
from routes.diagrams.route import Route
from routes.planning.best_route import best
from routes.planning.costs import Costs, cost_in_teams


@dataclass(frozen=True)
class Prediction:
    """One way to use the workers, and what it would cost.

    Attributes
    ----------
    split : str
    teams : int
        Number of teams, which solve different blocks.
    lanes : int
        Workers of each team that solve different groups; the others are idle if no stage has so many groups.
    spanned : int
        Number of nodes over which the lanes of one team are spread.
    route : Route
        The best for these lanes.
    seconds : float
        Per step, predicted.
    speedup : float
        Relative to one worker.
    efficiency : float
        Speed-up per worker.
    """

    split: str
    teams: int
    lanes: int
    spanned: int
    route: Route
    seconds: float
    speedup: float
    efficiency: float


MOST = 100_000
"""Workers of a hypothetical machine at most."""


@checked
def predict(
    structure: Structure,
    costs: Costs,
    workers: Count,
    nodes: Count = 1,
    latency: Annotated[float, Kind("a number from 0 on", lambda seconds: seconds >= 0.0)] = 2e-6,
    bandwidth: Annotated[float, Kind("a number above 0", lambda rate: rate > 0.0)] = 1e10,
) -> tuple[Prediction, ...]:
    """Predict every way to divide workers into teams, the fastest first.

    The lanes of a team share memory on one node and wait for each other at a barrier. On several nodes they also
    exchange what later groups read, in as many rounds as the nodes can be halved; a message costs its latency and its
    bytes (Hockney 1994). The results of blocks solved on other nodes are sent to the node that writes them.

    Parameters
    ----------
    structure : Structure
    costs : Costs
        Of this machine, for any number of workers.
    workers : int
        Number of workers of the hypothetical machine.
    nodes : int
        Number of nodes that have equal shares of the workers.
    latency : float
        Seconds per message between nodes.
    bandwidth : float
        Bytes per second between nodes.

    Raises
    ------
    RouteError
        If the workers cannot be spread evenly over the nodes, or are too many.
    """
    if workers > MOST:
        raise RouteError(f"{workers} workers are too many to try all their teams; take at most {MOST}")
    if workers % nodes:
        raise RouteError(
            f"{workers} workers cannot be spread evenly over {nodes} nodes; choose a multiple of {nodes} workers"
        )
    sequential = Route(tuple((group.number,) for group in structure.groups))
    one_worker = cost_in_teams(costs.with_workers(1), sequential, 1)
    sending = costs.bytes_kept * (1 - 1 / nodes) / bandwidth
    predictions = []
    for lanes in (n for n in range(1, workers + 1) if not workers % n):
        route = best(structure, _on_nodes(costs, lanes, workers // nodes, latency, bandwidth)[0]).route
        used = min(lanes, max(map(len, route.stages), default=1))
        team_costs, spanned = _on_nodes(costs, used, workers // nodes, latency, bandwidth)
        teams = workers // lanes
        seconds = sending + cost_in_teams(team_costs, route, teams)
        split = "time" if lanes == 1 else "groups" if teams == 1 else "hybrid"
        speedup = one_worker / seconds if seconds else 1.0
        predictions.append(Prediction(split, teams, used, spanned, route, seconds, speedup, speedup / workers))
    return tuple(sorted(predictions, key=lambda prediction: prediction.seconds))


def _on_nodes(costs: Costs, lanes: int, per_node: int, latency: float, bandwidth: float) -> tuple[Costs, int]:
    """Costs of one team, and the number of nodes over which it is spread."""
    nodes = ceil(lanes / per_node)
    if nodes == 1:
        return costs.with_workers(lanes), 1
    rounds = ceil(log2(nodes))
    both = 1 / (1 / costs.bandwidth + 1 / bandwidth)
    within_node = costs.with_workers(per_node).barrier if per_node > 1 else 0.0
    return replace(costs, workers=lanes, barrier=within_node, latency=rounds * latency, bandwidth=both), nodes
