"""Routes as text and as data, and what ``groupkin routes`` prints about them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from groupkin.cli.terminal import console, notice, print_table
from groupkin.errors import TooManyRoutesError
from groupkin.messages import counted
from groupkin.structure.decomposition import Structure
from routes.diagrams.route import Route, stage_text
from routes.diagrams.route_tree import Tree, tree
from routes.planning.best_route import BestRoute, best
from routes.planning.costs import Costs, cost_in_teams
from routes.planning.prediction import Prediction, predict
from routes.planning.unstaged_schedule import unstaged

if TYPE_CHECKING:
    from rich.tree import Tree as Drawn

BLOCK = 1024
"""Steps per block, unless the user chooses another number."""

WHOLE = 60
"""Number of routes up to which the tree is shown whole."""

LISTED = 100_000
"""Number of routes up to which all are listed."""

COLUMNS = ("", "split", "workers", "µs per step", "speed-up", "route")
PREDICTION_COLUMNS = ("split", "teams", "lanes", "nodes of a team", "µs per step", "speed-up", "efficiency", "route")
SPREAD = ("stages", "routes", "distinct")

BEST = "best stages"
"""Name of the best of the routes whose groups workers share; other ways to share the work may be faster."""


@dataclass(frozen=True)
class Row:
    """A route and its cost in a table.

    Attributes
    ----------
    route, split : str
    block, workers : int
    backend : str, optional
        The backend on which it was measured.
    predicted_us_per_step, measured_us_per_step : float, optional
    """

    route: str
    split: str
    block: int
    workers: int
    backend: str | None
    predicted_us_per_step: float | None
    measured_us_per_step: float | None = None


def predicted_row(route: Route, split: str, costs: Costs, teams: int = 1) -> Row:
    """The prediction for a route on teams, each of which has all workers of the costs."""
    microseconds = 1e6 * cost_in_teams(costs, route, teams)
    return Row(str(route), split, costs.block, costs.workers * teams, None, microseconds)


@dataclass(frozen=True)
class Overview:
    """What is printed about the routes of a structure; `origin` says where the costs come from."""

    structure: Structure
    costs: Costs
    split: str | None
    origin: str

    @cached_property
    def tree(self) -> Tree:
        return tree(self.structure)

    @cached_property
    def best(self) -> BestRoute:
        return best(self.structure, self.costs)

    @cached_property
    def compared(self) -> list[tuple[str, Row]]:
        """Routes worth comparing, by name: sequential, best, parallel, and the other ways to split the work."""
        costs, split, alone = self.costs, self.split, self.costs.with_workers(1)
        rows = [("sequential", predicted_row(self.tree.sequential, "groups", alone))]
        if costs.workers > 1:
            if split in (None, "groups"):
                rows.append((BEST, predicted_row(self.best.route, "groups", costs)))
                rows.append(("parallel", predicted_row(self.tree.parallel, "groups", costs)))
            if split in (None, "hybrid"):
                for lanes in (n for n in range(2, costs.workers) if not costs.workers % n):
                    team_costs, teams = costs.with_workers(lanes), costs.workers // lanes
                    route = best(self.structure, team_costs).route
                    rows.append((f"{teams} × {lanes}", predicted_row(route, "hybrid", team_costs, teams)))
            if split in (None, "time"):
                row = predicted_row(self.tree.sequential, "time", alone, costs.workers)
                rows.append((f"{costs.workers} × 1", row))
        return rows

    def every(self) -> Iterator[Row]:
        """All routes with their predictions, for every split unless one is chosen.

        Raises
        ------
        TooManyRoutesError
            If there are more than `LISTED`.
        """
        number, workers = self.tree.count(), self.costs.workers
        if number > LISTED:
            raise TooManyRoutesError(
                f"{number} routes are too many to list; routes.tree(structure).routes(limit=...) gives some in Python"
            )
        divisions = [("groups", 1), *(("hybrid", teams) for teams in range(2, workers) if not workers % teams)]
        if workers > 1:
            divisions.append(("time", workers))
        team_costs = {teams: self.costs.with_workers(workers // teams) for _, teams in divisions}
        return (
            predicted_row(route, name, team_costs[teams], teams)
            for route in self.tree.routes()
            for name, teams in divisions
            if self.split in (None, name)
        )

    def as_data(self, rows: Iterable[Row]) -> dict[str, Any]:
        """Everything as plain data; numbers of routes are None where they are too many to count."""
        routes, distinct = numbers(self.tree)
        return {
            "routes": routes,
            "distinct": distinct,
            "distinct_is_exact": distinct is not None and self.tree.distinct_is_exact,
            "best": asdict(predicted_row(self.best.route, "groups", self.costs))
            | {"how": self.best.how, "bound_us_per_step": 1e6 * self.best.bound, "gap": self.best.gap},
            "table": [asdict(item) for item in rows],
        }


def cells(rows: Sequence[tuple[str, Row]]) -> list[tuple[str, ...]]:
    """Rows of a table with the columns `COLUMNS`; speed-ups are relative to the first row."""
    first = rows[0][1].predicted_us_per_step or 0.0
    return [
        (name, item.split, str(item.workers), f"{value:.4g}", f"{first / value:.2f}" if value else "–", item.route)
        for name, item in rows
        for value in [item.predicted_us_per_step or 0.0]
    ]


def prediction_cells(predictions: Sequence[Prediction]) -> list[tuple[str, ...]]:
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
        for item in predictions
    ]


def numbers(tree: Tree) -> tuple[int | None, int | None]:
    """Numbers of routes and of distinct routes, each None if it cannot be counted."""
    return _unless_too_many(tree.count), _unless_too_many(tree.distinct)


def _unless_too_many(count: Callable[[], int]) -> int | None:
    try:
        return count()
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


def small_tree(tree: Tree) -> tuple[list[Route], bool] | None:
    """The routes of a tree that is small enough to be shown whole.

    Returns
    -------
    tuple or None
        All routes, and False; or one of several that differ by an exchange of interchangeable groups, and True; None if
        there are too many.
    """
    routes, distinct = numbers(tree)
    if routes is not None and routes <= WHOLE:
        return list(tree.routes()), False
    if distinct is not None and distinct <= WHOLE:
        return list(tree.routes(distinct=True)), True
    return None


def drawn(routes: Sequence[Route], chosen: Route) -> Drawn:
    """The routes as a tree whose branches are stages, with the end of the chosen route marked."""
    from rich.tree import Tree as Drawn

    root = Drawn("", hide_root=True)
    _branch(root, (), [route.stages for route in routes], chosen.stages)
    return root


Stages = tuple[tuple[int, ...], ...]


def _branch(parent: Drawn, stages_above: Stages, routes: Sequence[Stages], chosen: Stages) -> None:
    for path, rest in branches(routes):
        stages = (*stages_above, *path)
        text = " → ".join(map(stage_text, path))
        _branch(parent.add(text + f"  ← {BEST}" * (stages == chosen)), stages, rest, chosen)


def branches(routes: Sequence[Stages]) -> Iterator[tuple[Stages, list[Stages]]]:
    """The branches of a tree of routes: the stages up to the next fork, and how the routes continue after it."""
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


# --- printed ---------------------------------------------------------------------------------


def _assumptions(costs: Costs, origin: str) -> str:
    return f"predicted for {costs.workers} workers and blocks of {costs.block} steps; {origin}"


def print_data(overview: Overview, all_routes: bool) -> None:
    """Print the compared routes, or all, as data."""
    rows = overview.every() if all_routes else (row for _, row in overview.compared)
    click.echo(json.dumps(overview.as_data(rows)))


def print_every(overview: Overview) -> None:
    """Print all routes with their predictions as a table."""
    rows = [("", row) for row in overview.every()]
    click.echo(title(overview.structure, overview.tree) + "\n")
    print_table(COLUMNS[1:], [line[1:] for line in cells(rows)], set(), wide=True)
    click.echo(_assumptions(overview.costs, overview.origin))


def print_overview(overview: Overview, advice: Sequence[str]) -> None:
    """Print the tree of routes, or the numbers of its routes if it is large, a comparison of some, and advice."""
    click.echo(title(overview.structure, overview.tree) + "\n")
    small = small_tree(overview.tree)
    if small:
        shown, merged = small
        if merged:
            click.echo("One of each that differ by exchange of interchangeable groups only:")
        console(wide=True).print(drawn(shown, overview.best.route), soft_wrap=True)
        click.echo()
    elif numbers(overview.tree)[0] is not None:
        print_table(SPREAD, spread(overview.tree), set())
        click.echo()
    _print_comparison(overview, advice)


def _print_comparison(overview: Overview, advice: Sequence[str]) -> None:
    print_table(COLUMNS, cells(overview.compared), {COLUMNS[-1]}, wide=True)
    gap = f"; at most {overview.best.gap:.1%} above the best" if overview.best.gap else ""
    click.echo(f"\n{BEST}: {overview.best.how}{gap}")
    click.echo(_assumptions(overview.costs, overview.origin))
    for line in advice:
        click.echo(line)


def print_best(overview: Overview, as_json: bool, advice: Sequence[str]) -> None:
    """Print the best route, how it was found, advice, and the best schedule without stages."""
    schedule = unstaged(overview.structure, overview.costs)
    if as_json:
        data = overview.as_data(row for _, row in overview.compared)
        data["unstaged"] = {
            "order": schedule.order,
            "lanes": schedule.lanes,
            "predicted_us_per_step": 1e6 * schedule.seconds,
            "bound_us_per_step": 1e6 * schedule.bound,
            "gap": schedule.gap,
        }
        click.echo(json.dumps(data))
        return
    click.echo(f"{overview.structure.mechanism.name}: {overview.best.route}\n")
    _print_comparison(overview, advice)
    click.echo(
        f"without stages, by list scheduling: {1e6 * schedule.seconds:.4g} µs per step, at most {schedule.gap:.1%} "
        f"above the best; {schedule}"
    )


def print_predictions(structure: Structure, costs: Costs, origin: str, network: dict[str, Any], as_json: bool) -> None:
    """Print what every way to divide the workers of a hypothetical machine would cost.

    Parameters
    ----------
    structure : Structure
    costs : Costs
    origin : str
        Where the costs come from.
    network : dict
        Arguments of `routes.predict` that the user has set.
    as_json : bool
        Print data instead of text.
    """
    with notice("searching routes for every way to divide the workers"):
        predictions = predict(structure, costs, costs.workers, **network)
    if as_json:
        data = [asdict(item) | {"route": str(item.route), "us_per_step": 1e6 * item.seconds} for item in predictions]
        click.echo(json.dumps(data))
        return
    nodes = network.get("nodes", 1)
    machine = f"{counted(costs.workers, 'worker')} on {counted(nodes, 'node')}"
    click.echo(f"{structure.mechanism.name}: predicted for {machine}\n")
    print_table(PREDICTION_COLUMNS, prediction_cells(predictions), {PREDICTION_COLUMNS[-1]}, wide=True)
    if nodes > 1:
        click.echo(f"including {costs.bytes_kept:.4g} bytes of every step sent to the node that writes the result")
    click.echo(_assumptions(costs, origin))
