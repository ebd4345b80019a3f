"""Twists of all bodies as expressions, which are linear in the rates of the drivers (and in what opens joints).

Twists are the angular velocity of a body and the velocity of the point of it at the mechanism's center, in a unit of
length per second. The core of a group has a row for each equation of its cuts, a wrench C, and a column for each
undriven freedom of its tree, a twist S: the entry is ± C · S, where the freedom moves one side of the cut. So

    core · θ' = ∓ C · (difference of the twists at the cut, θ' being zero)

gives the rates θ' of the freedoms, and with them the twists of the group's bodies. Loads are carried back to the
drivers by the adjoint of these expressions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.changes import Change, opening
from groupkin.kinematics.rates.freedoms import Frames, Line
from groupkin.kinematics.rates.group_core import CoreRow, TreeFreedom, rates_of
from groupkin.kinematics.rates.screws import twists_of, wrenches_of
from groupkin.kinematics.rates.vectors import SLOPE, Screw, Term, Vectors
from groupkin.model import trees
from groupkin.model.tree_making import make_tree
from sglibrary.code.graph import Expr
from sglibrary.iterative import kinds
from sglibrary.traced import samples

Array = NDArray[np.float64]

COMPILED, INTERPRETED = 3, 30
"""Unknowns up to which the equations of a group are solved in the expressions, where these are compiled or not; of more
the matrix is inverted beside them."""


@dataclass(frozen=True)
class Gap:
    """What opens a joint: motions of its second body relative to the first beyond what the joint allows.

    Attributes
    ----------
    inputs : list of Expr
        By how much, along each of the wrenches; or the components of a twist.
    wrenches : list of Screw, optional
        Of a joint that is cut, those of its equations.
    """

    inputs: list[Expr]
    wrenches: list[Screw] | None


@dataclass
class Formulas:
    """Twists of the bodies of a program, each made when it is asked for.

    Attributes
    ----------
    program : Program
    opened : bool
        Whether joints open (`Gap`). The unit of length is then the meter, which saves operations, if no matrix is
        inverted beside.
    changes : sequence of Change
        How local geometry changes, which opens joints too.
    drivers : list of Expr
        Their rates.
    numbers : dict of (str, int) to int
        Of drivers, by joint and freedom.
    changed : dict of Change to list of Expr
        Components of the changes.
    twists : dict of str to Screw
    gaps : dict of str to Gap
        By joint.
    inverses : list of (list of Expr, list of Expr)
        Entries of matrices that are inverted beside, and of their inverses.
    trees : dict of int to Tree
        Of groups, by their numbers.
    """

    program: Program
    opened: bool = False
    changes: Sequence[Change] = ()

    def __post_init__(self) -> None:
        program, self.size = self.program, self.program.solved_geometry.size
        self.trees: dict[int, trees.Tree] = {}
        small = self.opened and all(self.tree(k).count <= COMPILED for k in range(len(program.structure.groups)))
        self.vectors = Vectors(program, center_of(program), 1.0 if small else self.size)
        self.written_out = COMPILED if self.opened else INTERPRETED
        self.drivers = [self.vectors.symbol() for _ in program.drivers]
        self.numbers = {(driven.joint, driven.freedom): k for k, driven in enumerate(program.drivers)}
        counts = {change: change.count(self.vectors.dimension) for change in self.changes}
        self.changed = {change: [self.vectors.symbol() for _ in range(n)] for change, n in counts.items()}
        self.twists: dict[str, Screw] = {program.mechanism.frame: {}}
        self.gaps: dict[str, Gap] = {}
        self.inverses: list[tuple[list[Expr], list[Expr]]] = []

    @property
    def inputs(self) -> list[Expr]:
        """Rates of the drivers, and changes."""
        return [*self.drivers, *(x for of_change in self.changed.values() for x in of_change)]

    def twist(self, body: str) -> Screw:
        """Return the twist of a body."""
        if body not in self.twists:
            self.grow(self.program.structure.group_of[body].number - 1)
        return self.twists[body]

    def grow(self, number: int) -> None:
        """Make the twists of the bodies of a group, and of those before it."""
        groups, waiting = self.program.structure.groups, [number]
        while waiting:
            missing = [body for body in self.tree(waiting[-1]).solved if body not in self.twists]
            if missing:
                waiting.append(self.program.structure.group_of[missing[0]].number - 1)
                continue
            made = waiting.pop()
            if any(body not in self.twists for body in groups[made].bodies):
                _grow(self, made)

    def velocities(self, body: str, local: Array) -> list[Expr]:
        """Return the angular velocity of a body, and the velocity of a point (d,), m, of it, m/s."""
        vectors, twist = self.vectors, self.twist(body)
        spins, one = vectors.components - vectors.dimension, vectors.one
        terms: list[list[Term]] = [[] for _ in range(vectors.components)]
        for i, x in twist.items():
            terms[i].append((one, x, 1.0 if i < spins else vectors.length))
        arm = vectors.arm(Line(body, trees.padded(local)))
        for k in range(spins):
            for i, x in vectors.carried_around(arm, k).items() if k in twist else ():
                terms[i].append((x, twist[k], vectors.length))
        return [vectors.sum(each) for each in terms]

    def tree(self, number: int) -> trees.Tree:
        """Return the tree of a group."""
        if number not in self.trees:
            structure = self.program.structure
            self.trees[number] = make_tree(structure.solved_as, self.program.solved_geometry, structure.groups[number])
        return self.trees[number]


def center_of(program: Program) -> Array:
    """Compute the mean (d,) of the points of all joints, m."""
    points = np.array([point for joint in program.solved_geometry.joints.values() for point in joint.points])
    return np.asarray(samples(points).mean(axis=0)) if points.size else np.zeros(program.mechanism.dimension)


def _grow(formulas: Formulas, number: int) -> None:
    """Make the twists of the bodies of a group."""
    vectors, tree = formulas.vectors, formulas.tree(number)
    frames = Frames(tree, formulas.size, vectors.length)
    if formulas.opened or formulas.changes:
        _open(formulas, frames)
    columns = [twists_of(vectors, *each) for each in zip(tree.moves, frames.freedoms(), strict=True)]
    # by freedom, which is a move and which of its freedoms
    rates: dict[TreeFreedom, Expr] = {}
    unknown: list[TreeFreedom] = []
    for m, move in enumerate(tree.moves):
        if move.driven is None:
            unknown += [(m, k) for k in range(len(columns[m]))]
        else:
            driver = formulas.drivers[formulas.numbers[move.driven]]
            rates[m, 0] = vectors.sum([(vectors.one, driver, move.sign / frames.unit(move))])
    rows = list(_core(formulas, frames, columns, rates))
    if unknown:
        rates |= rates_of(vectors, rows, unknown, formulas.written_out, formulas.inverses)
    pending = list(formulas.program.structure.groups[number].bodies)
    while pending:
        body = pending.pop(0)
        before, moves = frames.chain(tree.seats[body].frame)
        if before in pending:
            pending.append(body)
            continue
        terms: dict[int, list[Term]] = {i: [(vectors.one, x, 1.0)] for i, x in formulas.twist(before).items()}
        for m in moves:
            for k, column in enumerate(columns[m]):
                for i, x in column.items() if (m, k) in rates else ():
                    terms.setdefault(i, []).append((x, rates[m, k], 1.0))
        for i, x, sign in _opened(formulas, tree, moves):
            terms.setdefault(i, []).append((vectors.one, x, sign))
        sums = {i: vectors.sum(of_component) for i, of_component in terms.items()}
        formulas.twists[body] = {i: x for i, x in sums.items() if x.known != 0.0}


def _open(formulas: Formulas, frames: Frames) -> None:
    """Add what opens the joints of a group: inputs, or sums of changes of geometry.

    A joint that is cut opens along the wrenches of its equations; if a coupling of another group measures it, it opens
    in all directions, as joints of the tree do.
    """
    tree, vectors = frames.tree, formulas.vectors
    wrenches = dict[str, list[Screw] | None]()
    for body in set(tree.seats) - set(tree.solved):
        joint = tree.moves[frames.chain(tree.seats[body].frame)[1][0]].joint
        wrenches[joint] = None
    measured = _measured(formulas.program, tree)
    for equation in tree.equations:
        if equation.joint in measured:
            wrenches[equation.joint] = None
        elif equation.joint and equation.kind != kinds.LINEAR:
            of_equation = wrenches_of(vectors, equation, frames)
            wrenches[equation.joint] = [*(wrenches.get(equation.joint) or ()), *of_equation]
    wrenches.pop("", None)  # of a body that floats
    changed = {change.name for change in formulas.changes}
    for joint, of_joint in sorted(wrenches.items()):
        if changed and joint not in changed:
            continue
        if changed:
            inputs = opening(formulas, joint, of_joint)
        else:
            inputs = [vectors.symbol() for _ in range(vectors.components if of_joint is None else len(of_joint))]
        formulas.gaps[joint] = Gap(inputs, of_joint)


def _measured(program: Program, tree: trees.Tree) -> set[str]:
    """List the joints whose coordinates couplings of other groups than that of a tree take."""
    own = {equation.relation.coupling.name for equation in tree.equations if equation.relation is not None}
    others = (each for name, each in program.mechanism.relations.items() if name not in own)
    return {each.joint.name for relation in others for each in relation.coordinates}


def _core(
    formulas: Formulas, frames: Frames, columns: list[list[Screw]], rates: Mapping[TreeFreedom, Expr]
) -> Iterator[CoreRow]:
    """The rows of the core, and what else than unknown freedoms moves the cuts."""
    tree, vectors, cut = frames.tree, formulas.vectors, dict[str, int]()
    laid = {move.joint for move in tree.moves}  # which open where their moves are

    def row(entries: dict[TreeFreedom, Expr], terms: list[Term]) -> CoreRow:
        known = [(x, rates[freedom], 1.0) for freedom, x in entries.items() if freedom in rates]
        return CoreRow(
            {freedom: x for freedom, x in entries.items() if freedom not in rates}, vectors.sum(terms + known)
        )

    for equation in tree.equations:
        if equation.kind == kinds.LINEAR:
            both = (equation.first, equation.second)
            yield row({(m, 0): vectors.number(frames.coefficient(equation, k)) for k, m in enumerate(both)}, [])
            continue
        if equation.relation is not None:
            count = len(equation.moves)
            felt = [vectors.compute(equation.relation.coupling.name, k, SLOPE)[0] for k in range(count)]
            units = [vectors.number(frames.felt(equation, m)) for m in equation.moves]
            yield row({(m, 0): x * y for m, x, y in zip(equation.moves, felt, units, strict=True)}, [])
            continue
        paths = [frames.paths[frame] for frame in (equation.first, equation.second)]
        roots = [frames.root(frame) for frame in (equation.first, equation.second)]
        opened = list(_opened(formulas, tree, set(paths[0]) - set(paths[1])))
        opened += [(i, x, -sign) for i, x, sign in _opened(formulas, tree, set(paths[1]) - set(paths[0]))]
        gap, count = formulas.gaps.get(equation.joint), vectors.dimension if equation.kind == kinds.COINCIDE else 1
        first = cut.get(equation.joint, 0)
        if gap is not None and gap.wrenches is not None:
            wrenches, cut[equation.joint] = gap.wrenches[first : first + count], first + count
        else:
            wrenches = wrenches_of(vectors, equation, frames)
        for number, wrench in enumerate(wrenches, first):
            terms: list[Term] = []
            for root, sign in zip(roots, (1.0, -1.0), strict=True) if roots[0] != roots[1] else ():
                twist = formulas.twist(root)
                terms += [(x, twist[i], sign) for i, x in wrench.items() if i in twist]
            terms += [(wrench[i], x, sign) for i, x, sign in opened if i in wrench]
            if gap is not None and gap.wrenches is None and equation.joint not in laid:
                terms += [(x, gap.inputs[i], 1.0) for i, x in wrench.items()]
            if gap is not None and gap.wrenches is not None:
                terms.append((vectors.one, gap.inputs[number], 1.0))
            entries = {}
            for m in sorted(set(paths[0]) ^ set(paths[1])):
                for k, column in enumerate(columns[m]):
                    if wrench.keys() & column.keys():
                        entries[m, k] = vectors.power(wrench, column, 1.0 if m in paths[0] else -1.0)
            yield row(entries, terms)


def _opened(formulas: Formulas, tree: trees.Tree, moves: Iterable[int]) -> Iterator[tuple[int, Expr, float]]:
    """Components, inputs and signs of the twists by which opened joints of the tree move what comes after moves."""
    signs = {tree.moves[m].joint: tree.moves[m].sign for m in sorted(moves)}
    for joint, sign in signs.items():
        if joint in formulas.gaps and formulas.gaps[joint].wrenches is None:
            yield from ((i, x, sign) for i, x in enumerate(formulas.gaps[joint].inputs))
