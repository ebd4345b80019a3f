"""A route: stages one after another, the groups of a stage side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from groupkin.arguments import check_fields, checked
from groupkin.errors import RouteError, shown
from groupkin.messages import counted
from groupkin.structure.decomposition import Structure

EXAMPLE = "1 → (2 ‖ 3) → 4, or 1 > (2|3) > 4"

_NEXT_STAGE, _SAME_STAGE = re.compile("→|->|>"), re.compile(r"‖|\|\||\||,")


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
        check_fields(self, RouteError)
        object.__setattr__(self, "stages", tuple(tuple(sorted(stage)) for stage in self.stages))

    def __str__(self) -> str:
        return " → ".join(map(stage_text, self.stages))

    @property
    def order(self) -> tuple[int, ...]:
        """The groups one after another."""
        return tuple(number for stage in self.stages for number in stage)


def stage_text(stage: Iterable[int]) -> str:
    """A stage as text, such as ``1`` or ``(2 ‖ 3)``."""
    text = " ‖ ".join(map(str, stage))
    return f"({text})" if "‖" in text else text


@checked
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
        If it cannot be read, a group is missing, unknown or listed twice, or a group comes before one it depends on.
    """
    return validated(Route(tuple(_stage(part, text) for part in _NEXT_STAGE.split(text))), structure)


def _stage(part: str, text: str) -> tuple[int, ...]:
    inner = part.strip()
    if inner.startswith("(") and inner.endswith(")"):
        inner = inner[1:-1]
    words = [word.strip() for word in _SAME_STAGE.split(inner)]
    if not all(re.fullmatch("[0-9]{1,9}", word) for word in words):
        problem = f"cannot read {shown(part.strip())}" if part.strip() else "a stage has no groups"
        raise RouteError(f"route {shown(text)}: {problem}; write numbers of groups, as in {EXAMPLE}")
    return tuple(map(int, words))


def validated(route: Route, structure: Structure) -> Route:
    """The same route, if it solves the structure.

    Raises
    ------
    RouteError
        If it does not; the message names the group, the reason and the remedy.
    """
    groups = {group.number: group for group in structure.groups}
    stage_of: dict[int, int] = {}
    for n, stage in enumerate(route.stages):
        for number in stage:
            if number not in groups:
                raise RouteError(f"route {route}: there is no group {number}; there {_range_text(len(groups))}")
            if number in stage_of:
                raise RouteError(f"route {route}: group {number} is listed twice; every group is solved once")
            stage_of[number] = n
    missing = [str(number) for number in groups if number not in stage_of]
    if missing:
        raise RouteError(
            f"route {route}: {counted(len(missing), 'group')} missing: {', '.join(missing)}; every group is solved once"
        )
    for number, n in stage_of.items():
        late = [other for other in groups[number].depends_on if stage_of[other] >= n]
        if late:
            when = "in the same stage" if stage_of[late[0]] == n else "later"
            raise RouteError(
                f"route {route}: group {number} depends on group {late[0]}, which is solved {when}; "
                f"move {late[0]} to an earlier stage than {number}"
            )
    return route


def _range_text(count: int) -> str:
    return "is group 1 only" if count == 1 else f"are groups 1 to {count}"
