"""A route: stages one after another, the groups of a stage side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from groupkin.errors import RouteError
from groupkin.mechanism.pairs import counted
from groupkin.structure.decomposition import Structure

EXAMPLE = "1 → (2 ‖ 3) → 4, or 1 > (2|3) > 4"

_NEXT, _BESIDE = re.compile("→|->|>"), re.compile(r"‖|\|\||\||,")


@dataclass(frozen=True)
class Route:
    """An order in which the groups of a mechanism are solved.

    Attributes
    ----------
    stages : tuple of tuple of int
        Numbers of the groups of each stage, in ascending order.

    Examples
    --------
    >>> str(Route(((1,), (3, 2))))
    '1 → (2 ‖ 3)'
    """

    stages: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "stages", tuple(tuple(sorted(stage)) for stage in self.stages))

    def __str__(self) -> str:
        return " → ".join(map(stage_text, self.stages))

    @property
    def order(self) -> tuple[int, ...]:
        """The groups one after another."""
        return tuple(number for stage in self.stages for number in stage)


def stage_text(stage: Iterable[int]) -> str:
    """A stage as it is written: 1, or (2 ‖ 3)."""
    text = " ‖ ".join(map(str, stage))
    return f"({text})" if "‖" in text else text


def parse_route(text: str, structure: Structure) -> Route:
    """Read a route and check that it solves a structure.

    Parameters
    ----------
    text : str
        Numbers of the groups, such as ``1 → (2 ‖ 3) → 4`` or ``1 > (2|3) > 4``.
    structure : Structure

    Raises
    ------
    RouteError
        If it cannot be read, a group is missing, unknown or there twice, or a group comes before one it depends on.
    """
    return checked(Route(tuple(_stage(part, text) for part in _NEXT.split(text))), structure)


def _stage(part: str, text: str) -> tuple[int, ...]:
    inner = part.strip()
    if inner.startswith("(") and inner.endswith(")"):
        inner = inner[1:-1]
    words = [word.strip() for word in _BESIDE.split(inner)]
    if not all(re.fullmatch("[0-9]+", word) for word in words):
        where = part.strip() or "a stage without groups"
        raise RouteError(f"route {text!r}: cannot read {where!r}; write numbers of groups, as in {EXAMPLE}")
    return tuple(map(int, words))


def checked(route: Route, structure: Structure) -> Route:
    """The route, if it solves the structure.

    Raises
    ------
    RouteError
        Names the group, what it lacks and what to do.
    """
    groups = {group.number: group for group in structure.groups}
    place: dict[int, int] = {}
    for n, stage in enumerate(route.stages):
        for number in stage:
            if number not in groups:
                raise RouteError(f"route {route}: there is no group {number}; there {_all(len(groups))}")
            if number in place:
                raise RouteError(f"route {route}: group {number} is there twice; solve it once")
            place[number] = n
    missing = [str(number) for number in groups if number not in place]
    if missing:
        raise RouteError(
            f"route {route}: {counted(len(missing), 'group')} missing: {', '.join(missing)}; every group is solved once"
        )
    for number, n in place.items():
        late = [other for other in groups[number].depends_on if place[other] >= n]
        if late:
            beside = "beside" if place[late[0]] == n else "after"
            raise RouteError(
                f"route {route}: group {number} depends on group {late[0]}, which is solved {beside} it; "
                f"put {late[0]} into an earlier stage than {number}"
            )
    return route


def _all(count: int) -> str:
    return "is group 1 only" if count == 1 else f"are groups 1 to {count}"
