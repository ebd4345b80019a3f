"""One body on R or P and on a pin in a slot (CR), the slot in the solved body or in the moving one.

A body hinged at A whose pin runs in a solved slot is the first one of the dyad RRP; with the slot in the body and a
solved pin, it is the first one of RPR, and as these it has two assembly modes. A slider keeps its directions: its point
lies on two solved lines, or on one line of its guide and on the line through the solved pin along its own slot, which
is the dyad RPP.
"""

import numpy as np

from sglibrary.chain import DEGENERATE, Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.planar import rpr, rrp
from sglibrary.planar.slides import meet
from sglibrary.report import report


@kernel
def hinged(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: A, B, s; written: u, C (solved slot), or s (solved pin).

    constants: length or offset, sign of the mode, 1 for a solved slot and 0 for a solved pin.
    """
    out, size, mode = rows[3], constants[0], constants[1]
    if constants[2] == 1.0:
        rrp.follow(q, v, a, rows[0], rows[1], rows[2], out, size, 0.0, mode, conditioning, n)
        report(q, v, a, rows, 3, out, 4, status, conditioning, n)
    else:
        rpr.follow(q, v, a, rows[0], rows[1], out, size, mode, conditioning, n)
        report(q, v, a, rows, 2, out, 2, status, conditioning, n)


@kernel
def sliding(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: B1, s1 of the guide, B2, s2 of the slot or pin; written: C. constants: h1, h2, angle from s1 to the slot.

    The angle is given by its cosine and sine; both are 0 where the slot is solved and its direction is that of s2.
    """
    out, h1, h2, c, s = rows[4], constants[0], constants[1], constants[2], constants[3]
    if c == 0.0 and s == 0.0:
        meet(q, v, a, rows[0], rows[1], rows[2], rows[3], out, 1.0, 0.0, h1, h2, conditioning, n)
    else:
        meet(q, v, a, rows[2], rows[1], rows[0], rows[1], out, c, s, h2, h1, conditioning, n)
    report(q, v, a, rows, 4, out, 2, status, conditioning, n)


def measure_hinged(g: ChainGeometry) -> Measured | None:
    """Constants and base of a body on R and CR."""
    hinge, (solved, own) = g.points[0, 1], g.points[1]
    if g.signs[1] < 0:
        slot = g.frames[1, 1]
        span = slot.T @ (solved - hinge)
        mode = 1.0 if span[0] >= 0 else -1.0
        return Measured(np.array([span[1], mode, 0.0]), (Base(("in", 0), (("out", 0),), hinge, slot),))
    arm = own - hinge
    length = np.linalg.norm(arm)
    if length <= DEGENERATE * np.linalg.norm(own - g.points[1, 0]):
        return None
    u = arm / length
    mode = 1.0 if u @ g.frames[1, 0][:, 0] >= 0 else -1.0
    base = Base(("in", 0), (("out", 0),), hinge, np.array([u, [-u[1], u[0]]]).T)
    return Measured(np.array([length, mode, 1.0]), (base,))


def measure_sliding(g: ChainGeometry) -> Measured | None:
    """Constants and base of a body on P and CR."""
    guide, own = g.frames[0, 1], g.points[1, 1]
    h1 = guide[:, 1] @ (own - g.points[0, 1])
    angle = guide.T @ g.frames[1, 1][:, 0] if g.signs[1] < 0 else np.zeros(2)
    return Measured(np.array([h1, 0.0, *angle]), (Base(("out", 0), (("in", 1),), own, guide),))
