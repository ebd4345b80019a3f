"""Routes as text and as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from groupkin.errors import TooManyRoutesError
from groupkin.mechanism.pairs import counted
from groupkin.structure.decomposition import Structure
from routes.diagrams.route import Route, stage_text
from routes.diagrams.route_tree import Tree
from routes.planning.best_route import BestRoute, best
from routes.planning.costs import Costs, in_teams, on_lanes
from routes.planning.prediction import Prediction

if TYPE_CHECKING:
    from rich.tree import Tree as Drawn

WHOLE = 60
"""Routes up to which the tree is shown whole."""

LISTED = 100_000
"""Routes up to which all are listed."""

COLUMNS = ("", "split", "workers", "µs per step", "speed-up", "route")
PREDICTION_COLUMNS = ("split", "teams", "lanes", "nodes of a team", "µs per step", "speed-up", "efficiency", "route")
SPREAD = ("stages", "routes", "distinct")


@dataclass(frozen=True)
class Row:
    """What is said of one route.

    Attributes
    ----------
    route, split : str
    block, workers : int
    backend : str, optional
        What measured it.
    predicted_us_per_step, measured_us_per_step : float, optional
    """

    route: str
    split: str
    block: int
    workers: int
    backend: str | None
    predicted_us_per_step: float | None
    measured_us_per_step: float | None = None


def row(route: Route, split: str, costs: Costs, teams: int = 1) -> Row:
    """The prediction for a route on teams that have all workers of the costs each."""
    microseconds = 1e6 * in_teams(costs, route, teams)
    return Row(str(route), split, costs.block, costs.workers * teams, None, microseconds)


def compared(
    structure: Structure, tree: Tree, costs: Costs, found: BestRoute, split: str | None
) -> list[tuple[str, Row]]:
    """Routes worth comparing, with what each is: sequential, parallel, best, and the other ways to split the work."""
    chosen = [("sequential", row(tree.sequential, "groups", on_lanes(costs, 1)))]
    if costs.workers > 1:
        if split in (None, "groups"):
            chosen += [("best", row(found.route, "groups", costs)), ("parallel", row(tree.parallel, "groups", costs))]
        if split in (None, "hybrid"):
            for lanes in (n for n in range(2, costs.workers) if not costs.workers % n):
                own = on_lanes(costs, lanes)
                teams = costs.workers // lanes
                chosen.append((f"{teams} × {lanes}", row(best(structure, own).route, "hybrid", own, teams)))
        if split in (None, "time"):
            chosen.append((f"{costs.workers} × 1", row(tree.sequential, "time", on_lanes(costs, 1), costs.workers)))
    return chosen


def every(tree: Tree, costs: Costs, split: str | None) -> Iterator[Row]:
    """All routes with what is predicted for them, for every split unless one is chosen.

    Raises
    ------
    TooManyRoutesError
        If there are more than `LISTED`.
    """
    number = tree.count()
    if number > LISTED:
        raise TooManyRoutesError(
            f"{number} routes are too many to list; routes.tree(structure).routes(limit=...) gives some in Python"
        )
    ways = [(name, teams) for name, teams in _ways(costs.workers) if split in (None, name)]
    own = {teams: on_lanes(costs, costs.workers // teams) for _, teams in ways}
    return (row(route, name, own[teams], teams) for route in tree.routes() for name, teams in ways)


def _ways(workers: int) -> list[tuple[str, int]]:
    hybrid = [("hybrid", teams) for teams in range(2, workers) if not workers % teams]
    return [("groups", 1), *hybrid, *([("time", workers)] if workers > 1 else [])]


def cells(named: Iterable[tuple[str, Row]]) -> list[tuple[str, ...]]:
    """Rows of a table with `COLUMNS`; the first row is what the others are compared with."""
    rows = list(named)
    first = rows[0][1].predicted_us_per_step or 0.0
    return [
        (name, item.split, str(item.workers), f"{value:.4g}", f"{first / value:.2f}" if value else "–", item.route)
        for name, item in rows
        for value in [item.predicted_us_per_step or 0.0]
    ]


def prediction_cells(items: Sequence[Prediction]) -> list[tuple[str, ...]]:
    """Rows of a table with the columns `PREDICTION_COLUMNS`."""
    return [
        (
            item.split,
            str(item.teams),
            str(item.lanes),
            str(item.spanned),
            f"{1e6 * item.seconds:.4g}",
            f"{item.speedup:.2f}",
            f"{item.efficiency:.0%}",
            str(item.route),
        )
        for item in items
    ]


def as_data(tree: Tree, found: BestRoute, costs: Costs, rows: Iterable[Row]) -> dict[str, Any]:
    """Everything as plain data; numbers of routes are missing where these are too many to count."""
    routes, distinct = numbers(tree)
    return {
        "routes": routes,
        "distinct": distinct,
        "distinct_is_exact": distinct is not None and tree.distinct_is_exact,
        "best": asdict(row(found.route, "groups", costs))
        | {"how": found.how, "bound_us_per_step": 1e6 * found.bound, "gap": found.gap},
        "table": [asdict(item) for item in rows],
    }


def numbers(tree: Tree) -> tuple[int | None, int | None]:
    """Numbers of routes and of distinct routes, where they can be counted."""
    return _unless_too_many(tree.count), _unless_too_many(tree.distinct)


def _unless_too_many(counted: Callable[[], int]) -> int | None:
    try:
        return counted()
    except TooManyRoutesError:
        return None


def title(structure: Structure, tree: Tree) -> str:
    """One line: how many groups and routes."""
    routes, distinct = numbers(tree)
    start = f"{structure.mechanism.name}: {counted(len(structure.groups), 'structural group')}, "
    if routes is None:
        return start + "too many routes to count them"
    if distinct is None:
        return start + counted(routes, "route")
    at_most = "" if tree.distinct_is_exact else "at most "
    return f"{start}{counted(routes, 'route')}, {at_most}{distinct} up to exchange of interchangeable groups"


def spread(tree: Tree) -> list[tuple[str, ...]]:
    """How many routes have how many stages, as rows of a table with the columns `SPREAD`."""
    labeled = tree.by_stages()
    distinct = ["–"] * len(labeled) if numbers(tree)[1] is None else list(map(str, tree.by_stages(distinct=True)))
    return [(str(n), str(routes), distinct[n]) for n, routes in enumerate(labeled) if routes]


def shown_whole(tree: Tree) -> tuple[list[Route], bool] | None:
    """All routes if they are few, or one of each kind if these are, and whether it is the latter."""
    routes, distinct = numbers(tree)
    if routes is not None and routes <= WHOLE:
        return list(tree.routes()), False
    if distinct is not None and distinct <= WHOLE:
        return list(tree.routes(distinct=True)), True
    return None


def drawn(routes: Sequence[Route], chosen: Route) -> Drawn:
    """The routes as a tree whose branches are stages; the end of the chosen one is marked."""
    from rich.tree import Tree as Drawn

    root = Drawn("", hide_root=True)
    _branch(root, (), [route.stages for route in routes], chosen.stages)
    return root


Stages = tuple[tuple[int, ...], ...]


def _branch(parent: Drawn, done: Stages, routes: Sequence[Stages], chosen: Stages) -> None:
    for path, rest in branches(routes):
        here = (*done, *path)
        text = " → ".join(map(stage_text, path))
        _branch(parent.add(text + "  ← best" * (here == chosen)), here, rest, chosen)


def branches(routes: Sequence[Stages]) -> Iterator[tuple[Stages, list[Stages]]]:
    """The ways to begin, as many stages at once as nothing forks, and how each goes on."""
    following: dict[tuple[int, ...], list[Stages]] = {}
    for stages in routes:
        if stages:
            following.setdefault(stages[0], []).append(stages[1:])
    for stage, rest in following.items():
        path = [stage]
        while rest[0] and len({stages[0] for stages in rest}) == 1:
            path.append(rest[0][0])
            rest = [stages[1:] for stages in rest]
        yield tuple(path), rest
