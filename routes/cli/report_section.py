"""The routes in a report: how many there are, and the best."""

from __future__ import annotations

from groupkin.errors import TooManyRoutesError
from groupkin.look.markup import Html, element, joined, picture, table
from groupkin.look.report.layout import figure, note, titled
from groupkin.look.report.subject import Section, Subject
from routes.cli.route_drawing import tree_picture
from routes.cli.route_listing import BLOCK, COLUMNS, SPREAD, Overview, cells, small_tree, spread, title
from routes.planning.costs import guess_costs
from routes.running.cores import available_cores

MOST_ROUTES = 24
"""Routes up to which a tree fits on a page."""


def section(subject: Subject) -> Section | None:
    """Report the ways in which workers can share the groups of a mechanism; nothing if there is only one way."""
    structure = subject.structure
    if len(structure.groups) < 2:
        return None
    costs = guess_costs(structure, available_cores(), BLOCK)
    overview = Overview(structure, costs, None, "")
    columns = (*COLUMNS[:3], "predicted µs per step", *COLUMNS[4:])
    parts = [
        element("p", "Routes are orders in which the groups can be solved: one after another (→) or side by side (‖)."),
        element(
            "p", f"{title(structure, overview.tree)}. The best for {costs.workers} workers: {overview.best.route}."
        ),
        table(columns, cells(overview.compared), columns[2:5]),
        note("Costs are guessed by counting operations; groupkin routes --measure times them on this machine."),
        _tree(overview),
    ]
    return Section("Routes", joined(parts))


def _tree(overview: Overview) -> Html:
    """The tree of routes if it is small, else how many routes have how many stages."""
    tree = overview.tree
    routes = small_tree(tree)
    if routes is None or len(routes[0]) > MOST_ROUTES:
        try:
            return titled("Routes by their number of stages", table(SPREAD, spread(tree), SPREAD))
        except TooManyRoutesError:
            return Html()
    drawn, count = tree_picture(overview.structure, tree, overview.costs, overview.best)
    caption = f"Tree of {count} routes, the best in red"
    return figure(picture(drawn, caption), caption, tall=True) if count > 1 else Html()
