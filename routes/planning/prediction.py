"""Routes on machines that are not there: more cores, and nodes that exchange messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, log2

from groupkin.errors import RouteError
from groupkin.structure.decomposition import Structure
from routes.diagrams.route import Route
from routes.planning.best_route import best
from routes.planning.costs import Costs, in_teams, on_lanes


@dataclass(frozen=True)
class Prediction:
    """One way to use the workers.

    Attributes
    ----------
    split : str
    teams, lanes : int
        Teams that take different blocks, and workers of each that take different groups; others are idle if a stage
        has not so many groups.
    spanned : int
        Nodes over which the lanes of one team are spread.
    route : Route
        The best for these lanes.
    seconds : float
        Per step, predicted.
    speedup, efficiency : float
        Against one worker, and that for each worker.
    """

    split: str
    teams: int
    lanes: int
    spanned: int
    route: Route
    seconds: float
    speedup: float
    efficiency: float


def predict(
    structure: Structure, costs: Costs, workers: int, nodes: int = 1, latency: float = 2e-6, bandwidth: float = 1e10
) -> tuple[Prediction, ...]:
    """Predict every way to divide workers into teams, the fastest first.

    The lanes of a team share memory on one node and meet at a barrier. On several nodes they also exchange what a stage
    publishes, in as many rounds as the nodes can be halved; a message costs its latency and its bytes (Hockney
    1994). What is kept of blocks solved on other nodes is sent to the one that writes it.

    Parameters
    ----------
    structure : Structure
    costs : Costs
        Of this machine, for any number of workers.
    workers, nodes : int
    latency, bandwidth : float
        Seconds for each message between nodes, and bytes per second.

    Raises
    ------
    RouteError
        If the workers cannot be spread evenly over the nodes.
    """
    if workers % nodes:
        raise RouteError(f"{workers} workers cannot be spread evenly over {nodes} nodes; make it a multiple")
    alone = in_teams(on_lanes(costs, 1), Route(tuple((group.number,) for group in structure.groups)), 1)
    sent = costs.collected * (1 - 1 / nodes) / bandwidth
    found = []
    for lanes in _divisors(workers):
        route = best(structure, _on_nodes(costs, lanes, workers // nodes, latency, bandwidth)[0]).route
        used = min(lanes, max(map(len, route.stages), default=1))
        own, spanned = _on_nodes(costs, used, workers // nodes, latency, bandwidth)
        teams = workers // lanes
        seconds = sent + in_teams(own, route, teams)
        split = "time" if lanes == 1 else "groups" if teams == 1 else "hybrid"
        speedup = alone / seconds if seconds else 1.0
        found.append(Prediction(split, teams, used, spanned, route, seconds, speedup, speedup / workers))
    return tuple(sorted(found, key=lambda item: item.seconds))


def _divisors(number: int) -> Iterator[int]:
    return (k for k in range(1, number + 1) if not number % k)


def _on_nodes(costs: Costs, lanes: int, per_node: int, latency: float, bandwidth: float) -> tuple[Costs, int]:
    """Costs of one team, and over how many nodes it is spread."""
    spanned = ceil(lanes / per_node)
    if spanned == 1:
        return on_lanes(costs, lanes), 1
    rounds = ceil(log2(spanned))
    both = 1 / (1 / costs.bandwidth + 1 / bandwidth)
    inside = on_lanes(costs, per_node).barrier if per_node > 1 else 0.0
    return replace(costs, workers=lanes, barrier=inside, latency=rounds * latency, bandwidth=both), spanned
