"""Loads carried from the bodies of a mechanism back through its groups, as expressions: the adjoint of the rates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from groupkin.kinematics.rates.formulas import Formulas
from groupkin.kinematics.rates.vectors import Term
from sglibrary.code.graph import Expr, total
from sglibrary.code.passes.adjoint import adjoint

LAST = -1
"""In place of a group: after all of them."""

BodyLoads = Mapping[str, Sequence[tuple[Expr, Expr]]]
"""Of bodies: rates, which depend on their twists, and what they are multiplied by in the power of the loads."""

Parts = Mapping[Expr, Sequence[tuple[Expr, int]]]
"""Of the rates of drivers, and of what opens joints: what the sum is of that does power with them, and in which groups
the parts are known."""


@dataclass
class Carried:
    """Values that are computed group by group, the last one first.

    What another group needs of a value, wrenches on the bodies that both share, is stored in a row.

    Attributes
    ----------
    formulas : Formulas
    rows : int
        How many rows of the state are in use.
    places : dict of Expr to int
        Rows of leaves that have no place of their own.
    stored : list of dict of Expr to int
        Of every group: values that others need, and their rows.
    outputs : list of (Expr, int)
        Value and group of every output; `LAST` are those that are computed after all groups.
    """

    formulas: Formulas
    rows: int
    places: dict[Expr, int] = field(default_factory=dict)
    outputs: list[tuple[Expr, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        groups = range(len(self.formulas.program.structure.groups))
        for group in groups:
            self.formulas.grow(group)
        self.stored: list[dict[Expr, int]] = [{} for _ in groups]
        inverses = (x for _, inverse in self.formulas.inverses for x in inverse)
        self.places |= {x: self.allocate() for x in (*self.formulas.vectors.given, *inverses)}

    def allocate(self) -> int:
        """Return a row that is not yet in use."""
        self.rows += 1
        return self.rows - 1

    def carry(self, loads: BodyLoads) -> Parts:
        """Carry loads back to the drivers and to what opens joints."""
        formulas, graph = self.formulas, self.formulas.vectors.graph
        found, handed = defaultdict[Expr, list[tuple[Expr, int]]](list), defaultdict[Expr, list[tuple[Expr, int]]](list)
        groups = formulas.program.structure.groups
        for number in range(len(groups) - 1, -1, -1):
            weights: dict[Expr, Expr] = {}
            tree = formulas.tree(number)
            before = {x: None for body in tree.solved for x in formulas.twist(body).values()}
            inputs = dict.fromkeys(formulas.drivers)  # and what opens joints, also of others that a coupling measures
            joints = [*(move.joint for move in tree.moves), *(equation.joint for equation in tree.equations)]
            for name in dict.fromkeys(joints):
                inputs |= dict.fromkeys(formulas.gaps[name].inputs) if name in formulas.gaps else {}
            for body in groups[number].bodies:
                of_body = [(x, load) for x, load in loads.get(body, ()) if x.known is None]
                for x in formulas.twist(body).values():
                    if x not in before:
                        of_body += [(x, self._kept(value, group)) for value, group in handed.pop(x, ())]
                for x, load in of_body:
                    weights[x] = weights[x] + load if x in weights else load
            ends = [*before, *(x for x in inputs if x not in before)]
            for end, value in zip(ends, adjoint(graph, weights, ends), strict=True):
                if value.known != 0.0:
                    (found if end in inputs else handed)[end].append((value, number))
        return found

    def meet(self, parts: Parts, inputs: Iterable[Expr]) -> tuple[list[Expr], int]:
        """Return what does power with some rates, and the group in which it is known, for which others store parts."""
        of_inputs = [parts.get(x, ()) for x in inputs]
        group = min((group for each in of_inputs for _, group in each), default=0)
        return [self._sum(each, group) for each in of_inputs], group

    def at_last(self, parts: Parts, inputs: Iterable[Expr]) -> list[Expr]:
        """Return what does power with some rates, known after all groups."""
        return [self._sum(parts.get(x, ()), LAST) for x in inputs]

    def put_out(self, terms: Iterable[Term], group: int) -> None:
        """Add the sum of some terms to the outputs."""
        self.outputs.append((total(self.formulas.vectors.graph, terms, positive=True), group))

    def _sum(self, parts: Sequence[tuple[Expr, int]], group: int) -> Expr:
        found = self.formulas.vectors.zero
        for value, known in parts:
            found = found + (value if known == group else self._kept(value, known))
        return found

    def _kept(self, value: Expr, group: int) -> Expr:
        """A value that a group stores."""
        if not value.is_leaf and value not in self.stored[group]:
            self.stored[group][value] = self.allocate()
        return value
