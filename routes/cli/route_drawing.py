"""Pictures of the tree of routes."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from pathlib import Path
from typing import Any

from groupkin.errors import OutputError
from groupkin.kinematics.modes.mode_drawing import check_file
from groupkin.mechanism.pairs import counted
from groupkin.structure.decomposition import Structure
from routes.cli.route_listing import Stages, branches, numbers, shown_whole
from routes.diagrams.route import Route, stage_text
from routes.diagrams.route_tree import Tree
from routes.planning.best_route import BestRoute
from routes.planning.costs import Costs, predicted_cost

PREDICTED = 5_000
"""Routes up to which the cost of each is predicted for the histogram."""

NUMBERED = 40
"""Groups up to which their numbers are written into the picture of a route."""

BEST, OTHER = "C3", "0.35"


def draw(structure: Structure, tree: Tree, costs: Costs, found: BestRoute, path: Path) -> int:
    """Draw the tree, whole if it is small, and how many routes that shows.

    A larger one is shown by its sequential, parallel and best route and by how many routes there are of each number of
    stages and, if they can be gone through, of each predicted cost.

    Raises
    ------
    OutputError
        If matplotlib is missing or the file cannot be written.
    """
    check_file(path)
    from matplotlib.figure import Figure

    whole = shown_whole(tree)
    if whole:
        routes, merged = whole
        figure = Figure(figsize=(_width(routes), 1 + 0.26 * len(routes)), layout="constrained")
        _draw_tree(figure.subplots(), routes, found.route)
        title = f"{structure.mechanism.name}: {counted(len(routes), 'route')}"
        figure.suptitle(title + " up to exchange of interchangeable groups" * merged, fontsize=9)
    else:
        routes = [tree.sequential, found.route, tree.parallel]
        figure = Figure(figsize=(10, 9), layout="constrained")
        _draw_summary(figure, structure, tree, costs, found)
    try:
        figure.savefig(path)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from None
    return len(routes)


# --- a small tree ----------------------------------------------------------------------------


def _width(routes: Sequence[Route]) -> float:
    """Inches that the longest route takes when written."""
    return max(4.0, max(1 + 0.085 * len(str(route)) + 0.1 * len(route.stages) for route in routes))


def _draw_tree(panel: Any, routes: Sequence[Route], chosen: Route) -> None:
    """Stages as text from left to right, routes from top to bottom; the chosen one in color."""
    panel.set_axis_off()
    places: dict[int, int] = {}
    for stages in (route.stages for route in routes):
        for n, stage in enumerate(stages):
            places[n] = max(places.get(n, 0), len(stage_text(stage)))
    left = [0.0]
    for n in range(len(places)):
        left.append(left[-1] + places[n] + 4)
    _subtree(panel, (), [route.stages for route in routes], chosen.stages, left, 0)
    panel.set_xlim(-2, left[-1])
    panel.set_ylim(-len(routes), 1)


def _subtree(
    panel: Any, done: Stages, rest: Sequence[Stages], chosen: Stages, left: Sequence[float], line: int
) -> tuple[int, float]:
    """Draw what follows some stages from a line on; the next free line, and the height at which the stages go."""
    heights = []
    for path, further in branches(rest):
        here = (*done, *path)
        first = line
        line, height = _subtree(panel, here, further, chosen, left, line)
        if line == first:
            line, height = line + 1, float(-line)
        heights.append(height)
        on = chosen[: len(here)] == here
        for n in range(len(done), len(here)):
            color = BEST if on else OTHER
            panel.text(left[n], height, stage_text(here[n]), fontsize=7, color=color, va="center", clip_on=False)
            if n > len(done):
                panel.plot([left[n] - 3.2, left[n] - 0.8], [height, height], color=color, linewidth=0.7)
    middle = sum(heights) / len(heights) if heights else 0.0
    if done:
        for (path, _), height in zip(branches(rest), heights, strict=True):
            on = chosen[: len(done) + len(path)] == (*done, *path)
            x = left[len(done)]
            panel.plot([x - 3.2, x - 0.8], [middle, height], color=BEST if on else OTHER, linewidth=0.7)
    return line, middle


# --- a large tree ----------------------------------------------------------------------------


def _draw_summary(figure: Any, structure: Structure, tree: Tree, costs: Costs, found: BestRoute) -> None:
    routes, distinct = numbers(tree)
    grid = figure.add_gridspec(4, 2, height_ratios=(1, 1, 1, 1.6))
    names = {"sequential": tree.sequential, "best": found.route, "parallel": tree.parallel}
    for place, (name, route) in enumerate(names.items()):
        panel = figure.add_subplot(grid[place, :])
        _draw_route(panel, route)
        seconds = predicted_cost(costs, route)
        stages = counted(len(route.stages), "stage")
        panel.set_title(f"{name}: {stages}, {1e6 * seconds:.3g} µs per step predicted", fontsize=8, loc="left")
    _draw_depths(figure.add_subplot(grid[3, 0]), tree, routes)
    _draw_predictions(figure.add_subplot(grid[3, 1]), tree, costs, routes)
    number = f"{routes} routes, {distinct} up to exchange" if routes is not None else "too many routes to count"
    figure.suptitle(f"{structure.mechanism.name}: {number}; {costs.workers} workers", fontsize=9)


def _draw_route(panel: Any, route: Route) -> None:
    """Stages as columns of boxes, one for each group."""
    panel.set_axis_off()
    for n, stage in enumerate(route.stages):
        for k, number in enumerate(stage):
            panel.barh(-k, 0.8, left=n, height=0.8, color="C0", alpha=0.5)
            if len(route.order) <= NUMBERED:
                panel.text(n + 0.4, -k, str(number), ha="center", va="center", fontsize=7)
    panel.set_xlim(-0.2, max(8, len(route.stages)))
    panel.set_ylim(0.6 - max(3, *map(len, route.stages)), 0.6)


def _draw_depths(panel: Any, tree: Tree, routes: int | None) -> None:
    panel.set_xlabel("stages", fontsize=8)
    panel.xaxis.get_major_locator().set_params(integer=True)
    panel.set_ylabel("routes, powers of ten", fontsize=8)
    if routes is None:
        panel.text(0.5, 0.5, "too many to count", ha="center", transform=panel.transAxes)
        return
    counts = {n: number for n, number in enumerate(tree.by_stages()) if number}
    panel.bar(list(counts), [log10(number) + 0.05 for number in counts.values()], color=OTHER)


def _draw_predictions(panel: Any, tree: Tree, costs: Costs, routes: int | None) -> None:
    panel.set_xlabel("µs per step, predicted", fontsize=8)
    if routes is None or routes > PREDICTED:
        panel.text(0.5, 0.5, "too many to go through", ha="center", transform=panel.transAxes)
        return
    panel.hist([1e6 * predicted_cost(costs, route) for route in tree.routes()], bins=40, color=OTHER)
    panel.set_ylabel("routes", fontsize=8)
