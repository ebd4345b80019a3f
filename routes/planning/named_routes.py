"""Routes by their names, and the route that a name or a text means."""

from __future__ import annotations

from groupkin.errors import RouteError
from groupkin.structure.decomposition import Structure
from routes.diagrams.route import Route, parse_route, validated
from routes.diagrams.route_tree import tree
from routes.planning.best_route import best
from routes.planning.costs import Costs
from routes.planning.unstaged_schedule import Schedule, unstaged

NAMES = ("best", "sequential", "parallel", "unstaged")
"""Names of routes."""


def route_by_name(route: str | Route, structure: Structure, costs: Costs, lanes: int) -> Route | Schedule:
    """The route that a name or a text means on teams of so many lanes.

    Raises
    ------
    RouteError
        If there is no such route, or it does not fit the structure.
    """
    decided = decided_route(route, structure)
    if decided is not None:
        return decided
    return best(structure, costs, lanes).route if route == "best" else unstaged(structure, costs, lanes)


def decided_route(route: str | Route, structure: Structure) -> Route | None:
    """The route that a name or a text means on any machine; None if it depends on costs.

    Raises
    ------
    RouteError
        If there is no such route, or it does not fit the structure.
    """
    if isinstance(route, Route):
        return validated(route, structure)
    if route in ("best", "unstaged"):
        return None
    if route in NAMES:
        return getattr(tree(structure), route)
    if any(letter.isalpha() for letter in route):
        raise RouteError(f"there is no route {route!r}; write {', '.join(NAMES)}, or stages such as 1 > (2|3) > 4")
    return parse_route(route, structure)
