"""The equations of a group by Newton's method as texts (`sglibrary.code.instructions`), from its scheme.

The bodies of the group hang on solved bodies by a tree of moves, each a rotation about, or a displacement along, an
axis of the frame it starts from, a free rotation (ball), or along a curve. The moves not driven are the unknowns; the
joints that were cut give the equations (Samin and Fisette 2003 for trees and cuts). In the plane the third coordinate
is zero. Rows and constants are no part of a text, so that groups of one kind share it. The lines that read and write
are

========= ==========================================================
q k i     row ``rows[k] + i`` of q; with v and a likewise
w k       row k of working memory (`sglibrary.straight.places`)
c k       number ``constants[k]``
= x ...   none: x goes to such a row of q, v, a or working memory
========= ==========================================================
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from sglibrary.code.graph import Expr, Graph, Vector, axpy, fma, inverse, least, root, select, size
from sglibrary.code.systems import (
    Pivot,
    determinant_sign,
    dot,
    factored,
    largest,
    length_of,
    normal,
    smallest,
    smallest_of_tall,
    solved,
    with_rest,
)
from sglibrary.straight.equations import derivatives, equations, most_moved
from sglibrary.straight.frames import Frame, direction, place, point, solved_frames, speed, speed_up
from sglibrary.straight.group import Group
from sglibrary.straight.opposite_axes import opposite
from sglibrary.straight.places import CHANGE, FARTHEST, HIGH, LEAST, LENGTH, SHARE, SIGN, SINE, Places
from sglibrary.straight.rods import placed_rod
from sglibrary.straight.scheme import Scheme


def conditioning(solution: list[Expr], vector: list[Expr], sine: Expr) -> Expr:
    """Smallest singular value over the scale of the Jacobian, or how far rods are from turning over; 0 for neither.

    The smallest follows from the solution for its left vector, which like the largest is a line between two knots.
    """
    graph = sine.graph
    zero, one = graph.number(0.0), graph.number(1.0)
    share = length_of(graph, vector) * inverse(graph.value("w", HIGH) * length_of(graph, solution))
    found = least(select(share, one, one, share), sine) if vector else sine
    return select(found, zero, found, zero)


def stored(first: int, values: list[Expr]) -> list[tuple[Expr, str]]:
    return [(value, f"w {first + k}") for k, value in enumerate(values)]


def measured(graph: Graph, at: Places, matrix: list[list[Expr]]) -> list[tuple[Expr, str]]:
    """What a knot keeps of its Jacobian: singular values, their vectors from those in working memory on, the sign."""
    one = graph.number(1.0)
    if not matrix or not matrix[0]:
        return [(one, f"w {k}") for k in (LEAST, HIGH, SIGN)] + [(graph.number(0.0), f"w {CHANGE}")]
    n, tall = range(len(matrix[0])), len(matrix) > len(matrix[0])
    left = [graph.value("w", at.low + k) for k in range(len(matrix))]
    if tall:
        low, sign = smallest_of_tall(matrix, factored(normal(matrix)), left), one
    else:
        factors = factored(matrix)
        low, sign = smallest(factors, left), determinant_sign(graph, factors)
    high = largest(matrix, [graph.value("w", at.high + k) for k in n])
    change = graph.number(0.0)
    for extreme in (low, high):
        share = size(fma(-extreme.before, inverse(extreme.value), one))
        change = select(share, change, share, change)
    return [
        *stored(at.low, low.vector),
        *stored(at.high, high.vector),
        (inverse(root(low.value)), f"w {LEAST}"),
        (root(high.value), f"w {HIGH}"),
        (change, f"w {CHANGE}"),
        (sign, f"w {SIGN}"),
        *(stored(at.matrix, [x for row in matrix for x in row]) if tall else ()),
    ]


def _least(group: Group, matrix: list[list[Expr]]) -> tuple[list[Pivot], Callable[[list[Expr]], list[Expr]]]:
    """Factors of the rows of a group, and what they take instead of a right-hand side.

    Rows that agree to few digits only are solved by least squares, those of the normal equations.
    """
    if not group.scheme.least_squares:
        return factored(matrix), lambda right: right
    columns = [[row[c] for row in matrix] for c in range(group.unknowns)]
    return factored(normal(matrix)), lambda right: [dot(column, right) for column in columns]


def _placed(group: Group, first: int) -> tuple[list[Frame], tuple[Vector, Vector, Vector]]:
    frames, base = solved_frames(group)
    for m in range(group.tree):
        place(group, frames, m, first)
    return frames, base


def step(scheme: Scheme) -> str:
    """Newton's step, its length, and the unknowns after it."""
    group = Group(scheme)
    at = group.places
    frames, _ = _placed(group, at.x)
    sides, matrix = equations(group, frames, at.x)
    factors, least_of = _least(group, matrix)
    found = solved(factors, least_of([-x for x in sides]))
    after = group.advanced(at.x, found)
    length = length_of(group.graph, found)
    return group.graph.text([*stored(at.step, found), *stored(at.after, after), (length, f"w {LENGTH}")])


def measures(scheme: Scheme) -> str:
    """What is measured of the Jacobian after Newton's step, and the scale that it is compared with."""
    group = Group(scheme)
    at = group.places
    frames, _ = _placed(group, at.after)
    _, matrix = equations(group, frames, at.after)
    scale = most_moved(group, frames)
    return group.graph.text([*measured(group.graph, at, matrix), (scale, f"w {FARTHEST}")])


def finish(scheme: Scheme) -> str:
    """Newton's step after the last one, the unknowns after it, their rates and second derivatives, all poses."""
    group = Group(scheme)
    at, n = group.places, range(group.unknowns)
    frames, base = _placed(group, at.after)
    sides, matrix = equations(group, frames, at.after)
    factors, least_of = _least(group, matrix)
    found, rest = with_rest(factors, least_of([-x for x in sides]))
    rest = sides if scheme.least_squares else rest
    low = [group.graph.value("w", at.low + u) for u in range(len(matrix))]
    sized = solved(factors, least_of(low))
    resting = [group.zero() for _ in n]
    rates = solved(factors, least_of(derivatives(group, frames, resting, resting, 1)))
    gains = solved(factors, least_of(derivatives(group, frames, rates, resting, 2)))
    for m in range(group.tree):
        speed(group, frames, m, rates)
        speed_up(group, frames, m, rates, gains)
    sine = group.graph.number(1.0)
    for r in range(len(scheme.rods)):
        sine = placed_rod(group, frames, r, sine)
    targets = [
        *stored(at.step, found),
        *stored(at.x, group.advanced(at.after, found)),
        *stored(at.rate, rates),
        *stored(at.gain, gains),
        # a root at which axes are opposite, or joints are open, counts as one that is not reached
        (
            length_of(group.graph, [*found, _opened(group, rest), opposite(group, frames)]),
            f"w {LENGTH}",
        ),
        (conditioning(sized, low, sine), f"w {SHARE}"),
        (sine, f"w {SINE}"),
    ]
    return group.graph.text([*targets, *_poses(group, frames, base)])


def _opened(group: Group, rest: list[Expr]) -> Expr:
    """What is left of some rows, by the bound up to which joints are closed; 0 where it is smaller."""
    if not rest:
        return group.zero()
    open_by = length_of(group.graph, rest) * inverse(group.constant(1))
    return select(open_by, group.graph.number(1.0), open_by, group.zero())


def _poses(group: Group, frames: list[Frame], base: tuple[Vector, Vector, Vector]) -> list[tuple[Expr, str]]:
    """Point and directions of every body, with derivatives, and where they go."""
    size, found = group.constant(0), []
    for k, number in enumerate(group.scheme.bodies):
        at, data, frame = group.outputs_at + group.vectors * k, group.output_data + 12 * k, frames[number]
        for m in range(group.vectors):
            local = group.vector(data + 3 * m)
            moving = point(frame, local) if m == 0 else direction(frame, local)
            for order, kind in enumerate("qva"):
                vector = axpy(size, moving[order], base[order]) if m == 0 else moving[order]
                found += [(vector[i], f"{kind} {at + m} {i}") for i in range(group.dimension)]
    return found


@lru_cache(maxsize=256)
def texts(scheme: Scheme) -> tuple[str, str, str]:
    """The texts of a group: `step`, `finish` and `measures`."""
    return step(scheme), finish(scheme), measures(scheme)
