"""The tree of routes: all of them, and how many there are.

Routes are ordered partitions of the groups into stages in which every group comes after those it depends on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from groupkin.arguments import checked
from groupkin.errors import TooManyRoutesError
from groupkin.showing import InNotebooks
from groupkin.structure.decomposition import Structure
from routes.diagrams.diagram import Diagram, bits_of, colors_of, diagram_of, isomorphic, next_stages
from routes.diagrams.route import Route
from routes.diagrams.route_counting import Counts, count_routes


@dataclass(frozen=True)
class Tree(InNotebooks):
    """All ways to solve the groups of a structure, from one after another to all side by side.

    Attributes
    ----------
    diagram : Diagram
    structure : Structure, optional
        What it is the diagram of, for a picture of the tree.
    """

    diagram: Diagram
    structure: Structure | None = field(default=None, compare=False, repr=False)

    def count(self) -> int:
        """Number of routes.

        Raises
        ------
        TooManyRoutesError
            If the groups can be solved in too many ways to count them.
        """
        return sum(self.by_stages())

    def distinct(self) -> int:
        """Number of routes up to exchange of interchangeable groups, or an upper bound if not `distinct_is_exact`.

        Groups are interchangeable if the diagram and the signatures stay the same when they are exchanged.
        """
        return sum(self.by_stages(distinct=True))

    def by_stages(self, distinct: bool = False) -> tuple[int, ...]:
        """Numbers of routes of 0, 1, 2 … stages."""
        return self._counts(distinct).by_stages

    @property
    def distinct_is_exact(self) -> bool:
        """False if there are too many symmetries, so that only exchanges of single groups were counted."""
        return self._counts(distinct=True).exact

    def _counts(self, distinct: bool) -> Counts:
        counts = self._counted.get(distinct)
        if counts is None:
            try:
                counts = count_routes(self.diagram, distinct)
            except TooManyRoutesError as error:
                counts = error
            self._counted[distinct] = counts
        if isinstance(counts, TooManyRoutesError):
            raise counts
        return counts

    @cached_property
    def _counted(self) -> dict[bool, Counts | TooManyRoutesError]:
        """Numbers of routes that were counted before, or the error that this raised."""
        return {}

    @cached_property
    def sequential(self) -> Route:
        """One group after another."""
        return Route(tuple((k + 1,) for k in range(self.diagram.size)))

    @cached_property
    def parallel(self) -> Route:
        """Every group as early as possible."""
        levels = self.diagram.levels
        stages: list[list[int]] = [[] for _ in range(max(levels, default=-1) + 1)]
        for k, level in enumerate(levels):
            stages[level].append(k + 1)
        return Route(tuple(map(tuple, stages)))

    def routes(self, limit: int | None = None, distinct: bool = False) -> Iterator[Route]:
        """Routes one by one, the sequential one first and the parallel one last.

        Parameters
        ----------
        limit : int, optional
            Largest number of routes.
        distinct : bool
            Give only one of several routes that differ by an exchange of interchangeable groups.
        """
        return islice(_routes(self.diagram, distinct), limit)


@checked
def tree(structure: Structure) -> Tree:
    """The tree of routes of a structure.

    Examples
    --------
    >>> from groupkin.structure.generation import generate
    >>> from groupkin.structure.decomposition import decompose
    >>> routes = tree(decompose(generate(assur_class=2, groups=3, seed=5)))
    >>> routes.count(), str(routes.sequential), str(routes.parallel)
    (3, '1 → 2 → 3 → 4', '1 → 2 → (3 ‖ 4)')
    """
    return Tree(diagram_of(structure), structure)


def _routes(diagram: Diagram, distinct: bool) -> Iterator[Route]:
    everything = (1 << diagram.size) - 1
    if not everything:
        yield Route(())
    stages: list[tuple[int, ...]] = []
    branches = [_following(diagram, stages, 0, distinct)]
    while branches:
        stage = next(branches[-1], None)
        if stage is None:
            branches.pop()
            if stages:
                stages.pop()
            continue
        stages.append(stage)
        solved = bits_of(k for groups in stages for k in groups)
        if solved == everything:
            yield Route(tuple(tuple(k + 1 for k in groups) for groups in stages))
            stages.pop()
        else:
            branches.append(_following(diagram, stages, solved, distinct))


def _following(
    diagram: Diagram, stages: Sequence[tuple[int, ...]], solved: int, distinct: bool
) -> Iterator[tuple[int, ...]]:
    """Stages that may come next.

    If only distinct routes are asked for: one of several stages that a symmetry which keeps the earlier stages turns
    into each other.
    """
    if not distinct:
        yield from next_stages(diagram, solved, [[k] for k in range(diagram.size)])
        return
    marks = [-1] * diagram.size
    for n, stage in enumerate(stages):
        for k in stage:
            marks[k] = n
    seen: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for stage in next_stages(diagram, solved, diagram.twins):
        colors = colors_of(diagram, [len(stages) if k in stage else mark for k, mark in enumerate(marks)])
        alike = seen.setdefault(tuple(sorted(colors)), [])
        if not any(isomorphic(diagram, diagram, colors, other) for other in alike):
            alike.append(colors)
            yield stage
