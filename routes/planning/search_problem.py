"""What the searches for the best route need to know of a structure and its costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from groupkin.structure.decomposition import Structure
from routes.diagrams.diagram import Diagram, diagram_of
from routes.planning.bounds import longest_after
from routes.planning.costs import Costs
from routes.planning.load_balancing import makespan

Stage = tuple[int, ...]


@dataclass(frozen=True)
class Problem:
    """A diagram with the load of every group.

    Attributes
    ----------
    diagram : Diagram
    loads : tuple of float
        Seconds per block of every group.
    overhead : float
        Seconds that every stage costs in addition.
    lanes : int
        Number of workers that solve different groups.
    """

    diagram: Diagram
    loads: tuple[float, ...]
    overhead: float
    lanes: int

    @cached_property
    def tails(self) -> list[float]:
        """For every group the least seconds from the beginning of its stage to the end."""
        loads = [load + self.overhead for load in self.loads]
        return [load + after for load, after in zip(loads, longest_after(self.diagram, loads), strict=True)]

    @cached_property
    def depths(self) -> list[float]:
        """For every group the least number of stages after the beginning of its own."""
        return [1 + after for after in longest_after(self.diagram, [1] * self.diagram.size)]

    def length(self, stage: Sequence[int]) -> float:
        """Makespan of the groups of a stage."""
        return makespan([self.loads[k] for k in stage], self.lanes)[0]

    def cost(self, stages: Sequence[Sequence[int]]) -> float:
        """Seconds per block of a route, up to what is the same in all of them."""
        return sum(self.overhead + self.length(stage) for stage in stages)

    def lower_bound(self, solved: int, left: float) -> float:
        """Seconds that the unsolved groups take at least, given the set of solved groups and the sum of loads left."""
        ready = list(self.diagram.ready(solved))
        if not ready:
            return 0.0
        path = max(self.tails[k] for k in ready)
        return max(path, max(self.depths[k] for k in ready) * self.overhead + left / self.lanes)

    def subproblem(self, groups: Sequence[int]) -> Problem:
        """The problem of some groups alone."""
        return Problem(self.diagram.subdiagram(groups), tuple(self.loads[k] for k in groups), self.overhead, self.lanes)


def problem_of(structure: Structure, costs: Costs) -> Problem:
    """The search problem; groups of one signature that cost the same are of one kind."""
    kinds = {
        group.number: (group.signature, costs.seconds[group.number], costs.bytes_read.get(group.number, 0.0))
        for group in structure.groups
    }
    loads = tuple(costs.block * costs.seconds[group.number] for group in structure.groups)
    return Problem(diagram_of(structure, kinds), loads, costs.overhead, costs.workers)
