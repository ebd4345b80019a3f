"""The legs of a hub: bodies between two points, in closed form (`sglibrary.catalog`), where both points are known.

A rod counts as a telescope whose slide is free, and a driven telescope as one that is not driven: the hub is where they
have the lengths that they must have.
"""

import numpy as np

from sglibrary import attachments
from sglibrary.convention import allocating, kernel
from sglibrary.hubs.tables import HEADER, LEG, NUMBERS, attachment_numbers, pose_vectors
from sglibrary.iterative.follow import FORCE
from sglibrary.iterative.kinds import UPS
from sglibrary.iterative.knots import GAP, knot_numbers
from sglibrary.planar import rpr
from sglibrary.spatial import bore, ups
from sglibrary.status import OPEN, SINGULAR, SOLVED


@allocating
def legs_in_plane(q, v, a, memory, rows, constants, status, conditioning, n):
    """Points of the hub that legs hang on, and all legs, where its pose is known."""
    _run(q, v, a, memory, rows, constants, (0, 1), status, conditioning, n)


@allocating
def legs_in_space(q, v, a, memory, rows, constants, status, conditioning, n):
    """Do the same in space."""
    _run(q, v, a, memory, rows, constants, (0, 1, 2), status, conditioning, n)


@allocating
def _run(q, v, a, memory, rows, constants, coordinates, status, conditioning, n):
    """Points of the hub that legs hang on, and all legs; what fails becomes NaN in the whole group."""
    unknowns, variables = rows[1], rows[2]
    at, taken = HEADER + 4 * unknowns + 6 * (rows[0] + 1), 1 + NUMBERS * unknowns
    size, legs = rows[6], rows[7]
    if size > 1:
        d = len(coordinates)
        points = (size - 1) // attachment_numbers(d) * d
        there = rows[at : at + size]
        attachments.motion(q, v, a, memory, there, constants[taken : taken + points], status, conditioning, n)
        taken += points
    at += size
    codes, shares = np.empty(n, np.uint8), np.empty(n)
    for _ in range(legs):
        kind, first, last, end = rows[at], at + LEG, at + LEG + rows[at + 1], taken + rows[at + 2]
        own, numbers = rows[first:last], constants[taken:end]
        if len(coordinates) == 2:
            rpr.motion(q, v, a, memory, own, numbers, codes, shares, n)
        elif kind == UPS:
            ups.motion(q, v, a, memory, own, numbers, codes, shares, n)
        else:
            bore.cps(q, v, a, memory, own, numbers, codes, shares, n)
        _join(status[:n], conditioning[:n], codes, shares)
        at, taken = last, end
    if memory[0] < 0.0:
        _reject(memory, knot_numbers(unknowns, variables), status[:n])
    if _any_fails(status[:n]):
        _blank_all((q, v, a), rows, status[:n])


@kernel
def _join(status, conditioning, codes, shares):
    """The status of a group and its conditioning, from those of what was solved before and of a leg."""
    for j in range(status.size):
        worst = min(conditioning[j], shares[j])
        conditioning[j] = worst if status[j] == SOLVED else conditioning[j]
    for j in range(status.size):
        status[j] = codes[j] if status[j] == SOLVED else status[j]


@kernel
def _reject(memory, width, status):
    """Reject knots from the first one on where a leg fails, unless the group was lost before or a verdict is wanted."""
    for j in range(status.size):
        knot = memory[1 + (j + 1) * width : 1 + (j + 2) * width]
        if status[j] in (SOLVED, OPEN) or knot[GAP] != 0.0:
            continue
        if memory[1 + j * width + GAP] == 0.0 and not (j == 0 and memory[0] == FORCE):
            status[j:] = OPEN
            return
        knot[GAP] = status[j]


@kernel
def _any_fails(status):
    fails = 0
    for j in range(status.size):
        fails += status[j] != SOLVED
    return fails > 0


@kernel
def _blank_all(state, rows, status):
    """NaN in all rows of a group where it is not solved, at singular positions in rates alone."""
    d, at = rows[0], HEADER + 4 * rows[1] + 6 * (rows[0] + 1)
    _blank(state, rows[5], d * pose_vectors(d), status)
    for k in range(at + 1, at + rows[6], attachment_numbers(d)):
        _blank(state, rows[k], d, status)
    at += rows[6]
    for _ in range(rows[7]):
        _blank(state, rows[at + LEG - 1 + rows[at + 1]], rows[at + 3], status)
        at += LEG + rows[at + 1]


@kernel
def _blank(state, first, count, status):
    q, v, a = state
    for j in range(status.size):
        if status[j] in (SOLVED, OPEN):
            continue
        for row in range(first, first + count):
            q[row, j] = q[row, j] if status[j] == SINGULAR else np.nan
            v[row, j] = a[row, j] = np.nan
