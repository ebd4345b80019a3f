"""Designs at the edge of what is allowed, beyond which they cannot be assembled, or fall below a `least`.

Steps that make misses smaller lead beyond it there, and shortened ones hardly along it. So logarithms of what is left
to the edge are weighed against the misses, less and less, with damped Newton steps between (Fiacco and McCormick, 1968,
Nonlinear Programming: Sequential Unconstrained Minimization Techniques).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from groupkin.synthesis.least_squares_search import SHARE, damped, squared
from groupkin.synthesis.problem import Problem
from groupkin.tolerances import EDGE_STEP, LEAST_DAMPING
from sglibrary.array_types import Array, Ints

NEAR = 1e-3
"""Of what is left to the edge, see `Problem.room`, where a design is at it."""

STAGES, LIGHTER = 10, 0.2
"""Weights of the logarithms, one after another: how many, and the ratio of each to the last."""

STEPS, SETTLED = 200, 1e-4
"""Steps with one weight at most, and the share of it by which a step must help for another to be taken."""

DAMPINGS = 10.0 ** np.arange(-3.0, 3.0)
"""Of the steps that are tried, as a factor to the damping that was best before."""

LARGEST = 1e9
"""A design goes no further that no step of this damping makes better."""

INWARD = 8
"""Steps at most by which a design is brought inside the edge."""


class Place(NamedTuple):
    """Where some designs are: unknowns (..., u), misses (..., m) and what is left to the edge (..., k)."""

    x: Array
    misses: Array
    room: Array

    def at(self, chosen: tuple[Ints, ...]) -> Place:
        """Some of them."""
        return Place(*(each[chosen] for each in self))

    def worth(self, weights: Array) -> Array:
        """Squared misses less the weighed logarithms, which is to be least; infinite beyond the edge."""
        with np.errstate(invalid="ignore", divide="ignore"):
            found = squared(self.misses) - 2.0 * weights * np.log(self.room).sum(axis=-1)
        return np.where(np.isfinite(found), found, np.inf)


def along_edge(problem: Problem, unknowns: Array, direction: Array) -> tuple[Array, Array]:
    """Improve designs that are at the edge of what is allowed.

    Parameters
    ----------
    problem : Problem
    unknowns : (designs, u) array
    direction : (designs,) array
        Of the driver, 1 or -1.

    Returns
    -------
    (designs, u) array
        Unknowns that are as good or better.
    (designs,) array
        Their squared errors.
    """
    best, least = unknowns.copy(), squared(problem.residuals(unknowns, direction))
    here = _place(problem, unknowns, direction)
    going = (here.room > 0.0).all(axis=1) & (here.room.min(axis=1) < NEAR)
    chosen = np.flatnonzero(going)
    here, direction, weights = here.at((chosen,)), direction[chosen], least[chosen] / here.room.shape[1]
    for _ in range(STAGES if chosen.size else 0):
        here = _settled(problem, here, direction, weights)
        errors = squared(here.misses)
        better = errors < least[chosen]
        best[chosen[better]], least[chosen[better]] = here.x[better], errors[better]
        weights = LIGHTER * weights
    return best, least


def inside(problem: Problem, unknowns: Array, direction: Array) -> Array:
    """Bring designs (n, u) that are a little below a `least` inside the edge, by short steps across it, if these do."""
    x, (low, high) = unknowns.copy(), problem.bounds()
    wide = np.where(np.isfinite(high - low), high - low, 1.0)
    for _ in range(INWARD):
        here = Place(x, np.zeros((len(x), 0)), problem.room(x, direction))
        short = np.maximum(NEAR - here.room, 0.0)
        if not (here.room <= 0.0).any():
            break
        slopes = np.where(short[..., None] > 0.0, _slopes(problem, here, direction, wide), 0.0)
        moves = np.einsum("nuk,nk->nu", np.linalg.pinv(slopes, rcond=1e-3), np.nan_to_num(short))
        x = np.clip(x + wide * moves, low, high)
    return x


def _place(problem: Problem, x: Array, direction: Array) -> Place:
    return Place(x, problem.residuals(x, direction), problem.room(x, direction))


def _settled(problem: Problem, here: Place, direction: Array, weights: Array) -> Place:
    """Take steps with one weight for each design, until they no longer help."""
    x, misses, room = (each.copy() for each in here)
    damping, going = np.ones(len(x)), np.ones(len(x), bool)
    for _ in range(STEPS):
        k = np.flatnonzero(going)
        if not k.size:
            break
        before = Place(x[k], misses[k], room[k])
        after, damping[k] = _step(problem, before, direction[k], weights[k], damping[k])
        x[k], misses[k], room[k] = after
        gained = before.worth(weights[k]) - after.worth(weights[k])
        going[k] = np.where(gained > 0.0, gained > SETTLED * weights[k], damping[k] < LARGEST)
    return Place(x, misses, room)


def _step(problem: Problem, here: Place, direction: Array, weights: Array, damping: Array) -> tuple[Place, Array]:
    """Take the best of some steps from designs: where they lead, and their dampings."""
    low, high = problem.bounds()
    wide = np.where(np.isfinite(high - low), high - low, 1.0)
    of_misses, of_room = problem.jacobian(here.x, direction) * wide, _slopes(problem, here, direction, wide)
    scale = np.sqrt(weights)[:, None]
    # rows whose squares are the second derivatives of the logarithms along straight edges
    jacobian = np.concatenate([of_misses, (scale / here.room)[..., None] * of_room], axis=1)
    rows = np.concatenate([here.misses, np.broadcast_to(-scale, here.room.shape)], axis=1)
    slope = np.einsum("nmu,nm->nu", jacobian, rows)
    held = ((here.x <= low) & (slope > 0)) | ((here.x >= high) & (slope < 0))
    free, tried = np.where(held[:, None], 0.0, jacobian), damping[:, None] * DAMPINGS

    def at(moves: Array) -> Place:
        """Where moves (designs, k, u) lead."""
        moved = np.clip(here.x[:, None] + wide * moves, low, high).reshape(-1, low.size)
        found = _place(problem, moved, np.repeat(direction, moves.shape[1]))
        return Place(*(each.reshape(*moves.shape[:2], -1) for each in found))

    _, values, across = np.linalg.svd(free, full_matrices=False)
    straight = damped(values, across, np.where(held, 0.0, slope)[:, None], tried)
    short = at(SHARE * straight)
    bends = [
        2.0 / SHARE * ((there - each[:, None]) / SHARE - np.einsum("nmu,nku->nkm", slopes, straight))
        for there, each, slopes in (
            (short.misses, here.misses, of_misses),
            (short.room, here.room, of_room),
        )
    ]
    bend = np.nan_to_num(np.concatenate([bends[0], (scale / here.room)[:, None] * bends[1]], axis=2))
    turn = 0.5 * damped(values, across, np.einsum("nmu,nkm->nku", free, bend), tried)
    ways = [Place(*(each[:, None] for each in here)), at(straight), at(straight + turn)]
    whole = Place(*(np.concatenate(each, axis=1) for each in zip(*ways, strict=True)))
    best, each = whole.worth(weights[:, None]).argmin(axis=1), np.arange(len(here.x))
    # where none is better, a larger damping than the largest that was tried
    dampings = np.concatenate([10.0 * tried[:, -1:], tried, tried], axis=1)
    return whole.at((each, best)), dampings[each, best].clip(LEAST_DAMPING)


def _slopes(problem: Problem, here: Place, direction: Array, wide: Array) -> Array:
    """Derivatives (designs, k, u) of the room by unknowns relative to their ranges, by differences that are allowed."""
    n, u = here.x.shape
    sides = np.concatenate([np.eye(u), -np.eye(u)]) * EDGE_STEP
    beside = (here.x[:, None] + wide * sides).reshape(-1, u)
    room = problem.room(beside, np.repeat(direction, 2 * u)).reshape(n, 2, u, -1)
    ahead, behind = (room[:, 0] - here.room[:, None]) / EDGE_STEP, (here.room[:, None] - room[:, 1]) / EDGE_STEP
    both = np.where(np.isfinite(ahead + behind), 0.5 * (ahead + behind), np.where(np.isfinite(ahead), ahead, behind))
    return np.nan_to_num(both).swapaxes(1, 2)
