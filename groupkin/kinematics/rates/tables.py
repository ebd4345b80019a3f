"""The tables of the map of rates of a program (`sglibrary.rates`).

Twists are the angular velocity of a body and the velocity of the point of it at the mechanism's center, in a unit of
length per second, which is the size of the mechanism or the meter. The core of a group has a row for each equation of
its cuts, a wrench C, and a column for each undriven freedom of its tree, a twist S: the entry is ± C · S, where the
freedom moves one side of the cut. So

    core · θ' = ∓ C · (difference of the twists at the cut, θ' being zero)

gives the rates θ' of the freedoms, and with them the twists of the group's bodies. Loads are carried back by the
transposed map.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.changes import Change, opening
from groupkin.kinematics.rates.freedoms import Frames, Line
from groupkin.kinematics.rates.sheet_builder import WRITTEN_OUT, Builder, Gap, Sums, Term, Vector, needed_sheet
from groupkin.model import trees
from groupkin.model.tree_making import make_tree
from sglibrary.iterative import kinds
from sglibrary.rates.linear_map import Map, Sheet
from sglibrary.traced import array_of, plain, samples

Array = NDArray[np.float64]


@dataclass(frozen=True)
class RateMap:
    """The map of rates of a program.

    Attributes
    ----------
    sheet : Sheet
    forward, transposed : Map
        From the rates of the drivers to the components of all movable bodies, one body after another: angular velocity
        and velocity of the body's origin; and back.
    computed : tuple of (str, int, int)
        Joint, number and kind of the moves whose twists are computed from coordinates. Their components, one row each,
        are read after the rows `program.kept`: of one twist, of a ball of three; the point of a `CONTACT`, or a
        `SLOPE` of a coupling, by its name and the number of a coordinate.
    center : (d,) array
        The point whose velocity twists have, m.
    """

    sheet: Sheet
    forward: Map
    transposed: Map
    computed: tuple[tuple[str, int, int], ...]
    center: Array


Twists = dict[str, dict[int, int]]
"""Of every body, by component: the register that holds it."""


def grown(program: Program, opened: bool = False, changes: Sequence[Change] = ()) -> tuple[Builder, Twists]:
    """Make the registers of the twists of all bodies; the first registers are the inputs.

    Parameters
    ----------
    program : Program
    opened : bool
        Whether the inputs are the rates of the drivers and, after them, those that open every joint (`Gap`). The unit
        of length is then the meter, which saves operations, if no matrix is inverted by elimination.
    changes : sequence of Change
        How local geometry changes, instead: the inputs after those of the drivers.
    """
    geometry, d = program.solved_geometry, program.mechanism.dimension
    points = np.array([point for joint in geometry.joints.values() for point in joint.points])
    center = samples(points).mean(axis=0) if points.size else np.zeros(d)
    constants = [0.0] * (program.rows + 2)  # the last ones are 0 and 1
    constants[-1] = 1.0
    for row, value in program.fixed.items():
        constants[row] = plain(value)
    grown_trees = [make_tree(program.structure.solved_as, geometry, group) for group in program.structure.groups]
    length = 1.0 if opened and max((tree.count for tree in grown_trees), default=0) <= WRITTEN_OUT else geometry.size
    rows = program.kept.tolist(), program.rows, program.rows + 1
    b = Builder(program, center, geometry.size, length, constants, *rows)
    inputs = {(driven.joint, driven.freedom): k for k, driven in enumerate(program.drivers)}
    b.registers += [[] for _ in inputs]
    for change in changes:
        b.changes[change] = len(b.registers)
        b.registers += [[] for _ in range(change.count(d))]
    for tree in grown_trees if opened or changes else ():
        _open(b, Frames(tree, geometry.size, length), _measured(program, tree))
    twists: Twists = {program.mechanism.frame: {}}
    for group, tree in zip(program.structure.groups, grown_trees, strict=True):
        _add_group(b, Frames(tree, geometry.size, length), group.bodies, twists, inputs)
        b.groups.append(len(b.registers))
    return b, twists


def _measured(program: Program, tree: trees.Tree) -> set[str]:
    """List the joints whose coordinates couplings of other groups than that of a tree take."""
    own = {equation.relation.coupling.name for equation in tree.equations if equation.relation is not None}
    others = (each for name, each in program.mechanism.relations.items() if name not in own)
    return {each.joint.name for relation in others for each in relation.coordinates}


def _open(b: Builder, frames: Frames, measured: set[str]) -> None:
    """Add what opens the joints of a group: inputs, or sums of changes of geometry.

    A joint that is cut opens along the wrenches of its equations; if a coupling of another group measures it, it opens
    in all directions, as joints of the tree do.
    """
    tree, wrenches = frames.tree, dict[str, list[Vector] | None]()
    for body in set(tree.seats) - set(tree.solved):
        joint = tree.moves[frames.chain(tree.seats[body].frame)[1][0]].joint
        wrenches[joint] = None
    for equation in tree.equations:
        if equation.joint in measured:
            wrenches[equation.joint] = None
        elif equation.joint and equation.kind != kinds.LINEAR:
            wrenches[equation.joint] = [*(wrenches.get(equation.joint) or ()), *b.wrenches(equation, frames)]
    wrenches.pop("", None)  # of a body that floats
    changed = {change.name for change in b.changes}
    for joint, of_joint in sorted(wrenches.items()):
        if changed and joint not in changed:
            continue
        count = b.components if of_joint is None else len(of_joint)
        sums = opening(b, joint, of_joint) if changed else [[] for _ in range(count)]
        b.gaps[joint] = Gap(len(b.registers), count, of_joint)
        b.registers += sums


def build(program: Program) -> RateMap:
    """Make the map of rates of a program."""
    b, twists = grown(program)
    origins, inputs = program.geometry.origins, len(program.drivers)
    outputs = [r for body in program.mechanism.movable for r in velocities(b, body, origins[body], twists[body])]
    back, found = transposed(b, inputs, outputs)
    sheet, computed, (there, back) = needed_sheet(b, b.registers, back)
    forward = linear_map(there, inputs, outputs)
    return RateMap(sheet, forward, linear_map(back, len(outputs), found), computed, b.center)


def linear_map(registers: list[list[Term]], inputs: int, outputs: list[int]) -> Map:
    """The tables of a map; outputs are registers, -1 for zero."""
    sums = registers[inputs:]
    terms = [term for each in sums for term in each]
    needed = {register for _, register, _ in terms} | set(range(-1, inputs))
    count = Counter(outputs)
    direct = {r: k for k, r in enumerate(outputs) if r not in needed and count[r] == 1}
    copied = [(k, register) for k, register in enumerate(outputs) if register not in direct]
    return Map(
        inputs,
        np.cumsum([0, *map(len, sums)]),
        np.array([term[:2] for term in terms], np.int64).reshape(-1, 2),
        array_of([term[2] for term in terms]),
        np.array([direct.get(inputs + k, -1) for k in range(len(sums))], np.int64),
        np.array(copied, np.int64).reshape(-1, 2),
    )


def transposed(b: Builder, inputs: int, outputs: list[int]) -> tuple[list[list[Term]], list[int]]:
    """Registers of the transposed map: what each is used for, from the last to the first; and those of the inputs."""
    uses: list[list[Term]] = [[] for _ in b.registers]
    for k, register in enumerate(outputs):
        if register >= 0:
            uses[register].append((b.one, k, 1.0))
    made: list[list[Term]] = [[] for _ in outputs]
    found = [-1] * inputs
    for register in range(len(b.registers) - 1, -1, -1):
        if not uses[register]:
            continue
        made.append(uses[register])
        if register < inputs:
            found[register] = len(made) - 1
        for row, other, factor in b.registers[register]:
            uses[other].append((row, len(made) - 1, factor))
    return made, found


Core = list[dict[tuple[int, int], int]]
"""Rows of a core, by freedom."""


def _add_group(
    b: Builder,
    frames: Frames,
    bodies: tuple[str, ...],
    twists: Twists,
    inputs: dict[tuple[str, int], int],
) -> None:
    """Add what a group needs to the tables, and the registers of its bodies' twists, by component."""
    tree = frames.tree
    vectors = [b.twists(*each) for each in zip(tree.moves, frames.freedoms(), strict=True)]
    # by freedom, which is a move and which of its freedoms: the register of its rate
    rates: dict[tuple[int, int], int] = {}
    unknown: list[tuple[int, int]] = []
    for m, move in enumerate(tree.moves):
        if move.driven is None:
            unknown += [(m, k) for k in range(len(vectors[m]))]
        else:
            rates[m, 0] = b.register([(b.one, inputs[move.driven], move.sign / frames.unit(move))])
    core, lacking = _core(b, frames, vectors, twists, rates)
    if unknown:
        _solve(b, core, lacking, unknown, rates)
    pending = list(bodies)
    while pending:
        body = pending.pop(0)
        before, moves = frames.chain(tree.seats[body].frame)
        if before not in twists:
            pending.append(body)
            continue
        sums: Sums = {i: [(b.one, register, 1.0)] for i, register in twists[before].items()}
        for m in moves:
            for k, vector in enumerate(vectors[m]):
                for i, row in vector if (m, k) in rates else ():
                    sums.setdefault(i, []).append((row, rates[m, k], 1.0))
        for i, register, sign in _opened(b, tree, moves):
            sums.setdefault(i, []).append((b.one, register, sign))
        twists[body] = {i: b.register(terms) for i, terms in sums.items()}


def _solve(
    b: Builder, core: Core, lacking: list[int], unknown: list[tuple[int, int]], rates: dict[tuple[int, int], int]
) -> None:
    """Add the rates of the unknown freedoms of a group, from the rows of its core and what these lack."""
    size, tall = len(unknown), len(core) > len(unknown)
    square = _normal(b, core, unknown) if tall else core
    right = _by_columns(b, core, lacking, unknown) if tall else lacking
    inverse = b.inverse([square[e].get(freedom, b.zero) for e in range(size) for freedom in unknown])
    for k, freedom in enumerate(unknown):
        if terms := _product(b, inverse[k * size : (k + 1) * size], right):
            rates[freedom] = b.register(terms)
    if not tall:
        return
    # products of columns have the square of the conditioning: what is left of the rows corrects that
    first = {freedom: rates[freedom] for freedom in unknown if freedom in rates}
    left = [_left(b, row, register, first) for row, register in zip(core, lacking, strict=True)]
    right = _by_columns(b, core, left, unknown)
    for k, freedom in enumerate(unknown):
        if terms := _product(b, inverse[k * size : (k + 1) * size], right):
            rates[freedom] = b.register([(b.one, first[freedom], 1.0), *terms] if freedom in first else terms)


def _normal(b: Builder, core: Core, unknown: list[tuple[int, int]]) -> Core:
    """The products of all columns of the core of a group with more rows than unknowns.

    Its rates are those of all rows by least squares; carried back, loads are borne by its cuts with the least norm.
    """
    return [
        {
            other: b.total([(row[one], row[other], 1.0) for row in core if one in row and other in row])
            for other in unknown
        }
        for one in unknown
    ]


def _by_columns(b: Builder, core: Core, registers: list[int], unknown: list[tuple[int, int]]) -> list[int]:
    """Registers, one for each row of a core, times its columns; -1 where nothing is."""
    found = []
    for one in unknown:
        terms = [
            (row[one], register, 1.0)
            for row, register in zip(core, registers, strict=True)
            if one in row and register >= 0 and row[one] != b.zero
        ]
        found.append(b.register(terms) if terms else -1)
    return found


def _product(b: Builder, shares: Sequence[int], registers: list[int]) -> list[tuple[int, int, float]]:
    """The terms of a rate: a row of the inverse times registers, of which -1 is nothing."""
    pairs = zip(shares, registers, strict=True)
    return [(row, register, -1.0) for row, register in pairs if register >= 0 and row != b.zero]


def _left(b: Builder, row: dict[tuple[int, int], int], lacking: int, rates: dict[tuple[int, int], int]) -> int:
    """What rates leave of a row of a core; -1 where there is nothing."""
    terms = [(share, rates[freedom], 1.0) for freedom, share in row.items() if freedom in rates and share != b.zero]
    terms += [(b.one, lacking, 1.0)] if lacking >= 0 else []
    return b.register(terms) if terms else -1


def _core(
    b: Builder,
    frames: Frames,
    vectors: list[list[Vector]],
    twists: Twists,
    rates: dict[tuple[int, int], int],
) -> tuple[list[dict[tuple[int, int], int]], list[int]]:
    """Rows of the core, by freedom, and registers for what else moves the cuts; -1 where nothing does."""
    tree, cut = frames.tree, dict[str, int]()
    laid = {move.joint for move in tree.moves}  # which open where their moves are
    rows: list[dict[tuple[int, int], int]] = []
    lacking: list[int] = []

    def add(entries: dict[tuple[int, int], int], terms: list[Term]) -> None:
        terms = terms + [(row, rates[freedom], 1.0) for freedom, row in entries.items() if freedom in rates]
        rows.append(entries)
        lacking.append(b.register(terms) if terms else -1)

    for equation in tree.equations:
        if equation.kind == kinds.LINEAR:
            both = (equation.first, equation.second)
            add({(m, 0): b.rows([frames.coefficient(equation, k)]) for k, m in enumerate(both)}, [])
            continue
        if equation.relation is not None:
            felt = b.slopes(equation.relation.coupling.name, len(equation.moves))
            entries = {
                (m, 0): b.total([(row, b.one, frames.felt(equation, m))])
                for m, row in zip(equation.moves, felt, strict=True)
            }
            add(entries, [])
            continue
        paths = [frames.paths[frame] for frame in (equation.first, equation.second)]
        roots = [frames.root(frame) for frame in (equation.first, equation.second)]
        opened = [(i, register, sign) for i, register, sign in _opened(b, tree, set(paths[0]) - set(paths[1]))]
        opened += [(i, register, -sign) for i, register, sign in _opened(b, tree, set(paths[1]) - set(paths[0]))]
        gap, count = b.gaps.get(equation.joint), b.dimension if equation.kind == kinds.COINCIDE else 1
        first = cut.get(equation.joint, 0)
        if gap is not None and gap.wrenches is not None:
            wrenches, cut[equation.joint] = gap.wrenches[first : first + count], first + count
        else:
            wrenches = b.wrenches(equation, frames)
        for k, wrench in enumerate(wrenches, first):
            terms = [
                (row, twists[root][i], sign)
                for root, sign in zip(roots, (1.0, -1.0), strict=True)
                for i, row in wrench
                if roots[0] != roots[1] and i in twists[root]
            ]
            rows_of = dict(wrench)
            terms += [(rows_of[i], register, sign) for i, register, sign in opened if i in rows_of]
            if gap is not None and gap.wrenches is None and equation.joint not in laid:
                terms += [(row, gap.first + i, 1.0) for i, row in wrench]
            if gap is not None and gap.wrenches is not None:
                terms.append((b.one, gap.first + k, 1.0))
            entries = {}
            for m in sorted(set(paths[0]) ^ set(paths[1])):
                for k, vector in enumerate(vectors[m]):
                    pairs = _common(wrench, vector)
                    if pairs:
                        sign = 1.0 if m in paths[0] else -1.0
                        entries[m, k] = b.total([(*pair, sign) for pair in pairs])
            add(entries, terms)
    return rows, lacking


def _opened(b: Builder, tree: trees.Tree, moves: Iterable[int]) -> list[tuple[int, int, float]]:
    """Components, inputs and signs of the twists by which opened joints of the tree move what comes after moves."""
    signs = {tree.moves[m].joint: tree.moves[m].sign for m in sorted(moves)}
    gaps = [(b.gaps[joint], sign) for joint, sign in signs.items() if joint in b.gaps]
    return [(i, gap.first + i, sign) for gap, sign in gaps if gap.wrenches is None for i in range(gap.count)]


def _common(first: Vector, second: Vector) -> list[tuple[int, int]]:
    """Rows of the components that two vectors have in common."""
    other = dict(second)
    return [(row, other[component]) for component, row in first if component in other]


def velocities(b: Builder, body: str, local: Array, twist: dict[int, int]) -> list[int]:
    """Registers of a body's angular velocity and the velocity of a point (d,), m, of it; -1 where it has none."""
    d = b.dimension
    arm = b.arm(Line(body, trees.padded(local)))
    sums: Sums = {i: [(b.one, register, 1.0)] for i, register in twist.items() if i < b.components - d}
    for i, register in twist.items():
        if i >= b.components - d:
            sums[i] = [(b.one, register, b.length)]
    spins = {0: ((1, arm + 3), (2, arm))} if d == 2 else {}
    for k in range(3 if d == 3 else 0):
        s, t = (k + 1) % 3, (k + 2) % 3
        # e_k × p: component s is -p_t, component t is p_s
        spins[k] = ((3 + s, arm + d + t), (3 + t, arm + s))
    for k, parts in spins.items():
        for i, row in parts if k in twist else ():
            sums.setdefault(i, []).append((row, twist[k], b.length))
    return [b.register(sums[i]) if i in sums else -1 for i in range(b.components)]
