"""One body on R or P and on a pin in a slot (CR), the slot in the solved body or in the moving one.

A body hinged at A whose pin runs in a solved slot is the first one of the dyad RRP; with the slot in the body and a
solved pin, it is the first one of RPR, and as these it has two assembly modes. A slider keeps its directions: its point
lies on two solved lines, or on one line of its guide and on the line through the solved pin along its own slot, which
is the dyad RPP.
"""

import numpy as np

from sglibrary.arrays import components, in_frame, inner, length, quarter, sign, stack, unit
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.planar import rpr, rrp
from sglibrary.planar.slides import meet
from sglibrary.status import report


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


def measure_hinged(g: ChainGeometry) -> Measured:
    """Constants and base of a body on R and CR."""
    hinge, solved, own = g.point(0, 1), g.point(1, 0), g.point(1, 1)
    arm = own - hinge
    if g.signs[1] < 0:
        slot = g.frame(1, 1)
        constants = stack(inner(slot[..., 1], arm), sign(inner(slot[..., 0], solved - hinge)), 0.0)
        return Measured(constants, (Base(("in", 0), (("out", 0),), hinge, slot),))
    distance, u = length(arm), unit(arm)
    base = Base(("in", 0), (("out", 0),), hinge, stack(u, quarter(u)))
    constants = stack(distance, sign(inner(arm, g.frame(1, 0)[..., 0])), 1.0)
    return Measured(constants, (base,), valid=g.long(distance))


def measure_sliding(g: ChainGeometry) -> Measured:
    """Constants and base of a body on P and CR."""
    guide, own = g.frame(0, 1), g.point(1, 1)
    h1 = inner(guide[..., 1], own - g.point(0, 1))
    angle = in_frame(guide, g.frame(1, 1)[..., 0]) if g.signs[1] < 0 else np.zeros(2)
    return Measured(stack(h1, 0.0, *components(angle)), (Base(("out", 0), (("in", 1),), own, guide),))
