"""Pictures of the tree of routes."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groupkin.errors import GroupkinError
from groupkin.look.notebook import framed
from groupkin.messages import counted
from groupkin.picture_files import check_file, check_matplotlib, write_picture
from groupkin.structure.decomposition import Structure
from routes.cli.route_listing import BLOCK, Stages, branches, numbers, small_tree, title
from routes.diagrams.route import Route, stage_text
from routes.diagrams.route_tree import Tree
from routes.planning.best_route import BestRoute
from routes.planning.best_route import best as find_best
from routes.planning.costs import Costs, guess_costs, predicted_cost
from routes.running.cores import available_cores

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PREDICTED = 5_000
"""Number of routes up to which the cost of each is predicted for the histogram."""

NUMBERED = 40
"""Number of groups up to which their numbers are written into the picture of a route."""

BEST, OTHER = "C3", "0.35"


def draw(structure: Structure, tree: Tree, costs: Costs, best: BestRoute, path: Path) -> int:
    """Draw the tree, whole if it is small.

    A larger tree is shown by its sequential, best and parallel route, by the number of routes of each number of stages
    and, if there are not too many, by a histogram of their predicted costs.

    Returns
    -------
    int
        Number of routes in the picture.

    Raises
    ------
    OutputError
        If matplotlib is missing or the file cannot be written.
    """
    check_file(path)
    figure, count = tree_picture(structure, tree, costs, best)
    write_picture(figure, path)
    return count


def tree_picture(structure: Structure, tree: Tree, costs: Costs, best: BestRoute) -> tuple[Figure, int]:
    """Make the figure that `draw` writes, and count the routes in it."""
    from matplotlib.figure import Figure

    small = small_tree(tree)
    if small:
        routes, merged = small
        figure = Figure(figsize=(_width(routes), 1 + 0.26 * len(routes)), layout="constrained")
        _draw_tree(figure.subplots(), routes, best.route)
        title = f"{structure.mechanism.name}: {counted(len(routes), 'route')}"
        figure.suptitle(title + " up to exchange of interchangeable groups" * merged, fontsize=9)
    else:
        routes = [tree.sequential, best.route, tree.parallel]
        figure = Figure(figsize=(10, 9), layout="constrained")
        _draw_summary(figure, structure, tree, costs, best)
    return figure, len(routes)


def tree_html(tree: Tree) -> str | None:
    """What a notebook shows of a tree, with costs that are guessed; nothing where it cannot be drawn."""
    if tree.structure is None:
        return None
    try:
        check_matplotlib()
        costs = guess_costs(tree.structure, available_cores(), BLOCK)
        figure, _ = tree_picture(tree.structure, tree, costs, find_best(tree.structure, costs))
        return framed(figure, f"{title(tree.structure, tree)}; the best for {costs.workers} workers in red")
    except GroupkinError:
        return None


# --- a small tree ----------------------------------------------------------------------------


def _width(routes: Sequence[Route]) -> float:
    """Inches that the longest route takes when written."""
    return max(4.0, max(1 + 0.085 * len(str(route)) + 0.1 * len(route.stages) for route in routes))


def _draw_tree(panel: Any, routes: Sequence[Route], chosen: Route) -> None:
    """Stages as text from left to right, routes from top to bottom; the chosen one in color."""
    panel.set_axis_off()
    widths: dict[int, int] = {}
    for stages in (route.stages for route in routes):
        for n, stage in enumerate(stages):
            widths[n] = max(widths.get(n, 0), len(stage_text(stage)))
    left = [0.0]
    for n in range(len(widths)):
        left.append(left[-1] + widths[n] + 4)
    _subtree(panel, (), [route.stages for route in routes], chosen.stages, left, 0)
    panel.set_xlim(-2, left[-1])
    panel.set_ylim(-len(routes), 1)


def _subtree(
    panel: Any, above: Stages, rest: Sequence[Stages], chosen: Stages, left: Sequence[float], line: int
) -> tuple[int, float]:
    """Draw what follows some stages.

    Parameters
    ----------
    panel : matplotlib axes
    above : tuple of stages
        The stages already drawn.
    rest : sequence of tuple of stages
        The ways in which they continue.
    chosen : tuple of stages
        The route in color.
    left : sequence of float
        Where the text of each stage begins.
    line : int
        The first free line, from the top.

    Returns
    -------
    line : int
        The next free line.
    height : float
        The height at which the stages above belong.
    """
    ends: list[tuple[float, str]] = []
    for path, further in branches(rest):
        stages = (*above, *path)
        first = line
        line, height = _subtree(panel, stages, further, chosen, left, line)
        if line == first:
            line, height = line + 1, float(-line)
        color = BEST if chosen[: len(stages)] == stages else OTHER
        ends.append((height, color))
        for n in range(len(above), len(stages)):
            panel.text(left[n], height, stage_text(stages[n]), fontsize=7, color=color, va="center", clip_on=False)
            if n > len(above):
                _line(panel, left[n], height, height, color)
    middle = sum(height for height, _ in ends) / len(ends) if ends else 0.0
    if above:
        for height, color in ends:
            _line(panel, left[len(above)], middle, height, color)
    return line, middle


def _line(panel: Any, x: float, start: float, stop: float, color: str) -> None:
    """A line to the stage whose text begins at x."""
    panel.plot([x - 3.2, x - 0.8], [start, stop], color=color, linewidth=0.7)


# --- a large tree ----------------------------------------------------------------------------


def _draw_summary(figure: Any, structure: Structure, tree: Tree, costs: Costs, best: BestRoute) -> None:
    routes, distinct = numbers(tree)
    grid = figure.add_gridspec(4, 2, height_ratios=(1, 1, 1, 1.6))
    names = {"sequential": tree.sequential, "best": best.route, "parallel": tree.parallel}
    for row, (name, route) in enumerate(names.items()):
        panel = figure.add_subplot(grid[row, :])
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
        panel.text(0.5, 0.5, "too many to predict", ha="center", transform=panel.transAxes)
        return
    panel.hist([1e6 * predicted_cost(costs, route) for route in tree.routes()], bins=40, color=OTHER)
    panel.set_ylabel("routes", fontsize=8)
