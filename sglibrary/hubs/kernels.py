"""Groups around one body, the hub, whose pose is the only unknown: rods and telescopes keep it at distances.

What the others do to the hub is that points of it stay at given distances of solved points, or in planes of solved
bodies; so three numbers in the plane and six in space are iterated, and the legs follow in closed form from the two
points that each hangs on (Kinzel and Chang 1984: a mechanism as solved from the choice of inputs that is easy, under
the condition of those that are given). There is no other singular position than those of the group.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from sglibrary.convention import kernel
from sglibrary.hubs.legs import legs_in_plane, legs_in_space
from sglibrary.hubs.texts import texts
from sglibrary.run.calls import SIGNATURE
from sglibrary.straight.group import Ints
from sglibrary.straight.kernels import WRITTEN_OUT, address, let_run, run

LEGS = {2: (legs_in_plane, SIGNATURE), 3: (legs_in_space, SIGNATURE)}
"""Loops over the legs of a hub, and the types of their arguments."""


def kernel_of(rows: Ints, still: Iterable[int] = ()) -> Callable[..., Any]:
    """Make the kernel of a hub with such tables (`sglibrary.hubs.tables`); some rows of the state never change."""
    return _made(int(rows[0]), *texts(tuple(rows.tolist()), frozenset(still).intersection(rows.tolist())))


@lru_cache(maxsize=256)
def _made(dimension: int, step: str, finish: str, measures: str) -> Callable[..., Any]:
    steps, legs = let_run(*WRITTEN_OUT), let_run(*LEGS[dimension])

    @kernel
    def hub(q, v, a, memory, rows, constants, status, conditioning, n):
        texts = address(step), address(finish), address(measures)
        run(steps, (True, *texts, q, v, a, memory, rows, constants, status, conditioning, n))
        run(legs, (q, v, a, memory, rows, constants, status, conditioning, n))

    return hub
