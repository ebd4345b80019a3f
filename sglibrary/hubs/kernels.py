"""Groups around one body, the hub, whose pose is the only unknown: rods and telescopes keep it at distances.

What the others do to the hub is that points of it stay at given distances of solved points, or in planes of solved
bodies; so three numbers in the plane and six in space are iterated, and the legs follow in closed form from the two
points that each hangs on (Kinzel and Chang 1984: a mechanism as solved from the choice of inputs that is easy, under
the condition of those that are given). There is no other singular position than those of the group.
"""

from collections.abc import Callable, Iterable
from typing import Any

from sglibrary.convention import allocating
from sglibrary.hubs.legs import run_legs
from sglibrary.hubs.tables import unpack
from sglibrary.hubs.texts import texts
from sglibrary.straight.group import Ints
from sglibrary.straight.kernels import made, solve_steps


@allocating
def hub_in_plane(step, finish, measures, q, v, a, memory, rows, constants, status, conditioning, n):
    """Position, velocity and acceleration of a hub in the plane and of its legs; or knots."""
    group = unpack((step, finish, measures), rows, constants)
    solve_steps(group, q, v, a, memory, status, conditioning, n)
    run_legs(q, v, a, memory, rows, constants, (0, 1), status, conditioning, n)


@allocating
def hub_in_space(step, finish, measures, q, v, a, memory, rows, constants, status, conditioning, n):
    """Do the same in space."""
    group = unpack((step, finish, measures), rows, constants)
    solve_steps(group, q, v, a, memory, status, conditioning, n)
    run_legs(q, v, a, memory, rows, constants, (0, 1, 2), status, conditioning, n)


def kernel_of(rows: Ints, still: Iterable[int] = ()) -> Callable[..., Any]:
    """Make the kernel of a hub with such tables (`sglibrary.hubs.tables`); some rows of the state never change."""
    loop = hub_in_plane if rows[0] == 2 else hub_in_space
    return made(loop, texts(tuple(rows.tolist()), frozenset(still).intersection(rows.tolist())))
