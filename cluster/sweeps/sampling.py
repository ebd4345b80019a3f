"""How parameters vary, and the values of sample number i: a function of the sweep and i alone.

Samples are counted through lists, then grids, then draws, the last of these fastest: `draws` random samples for every
point of the grid, whose axes are all grids and ranges, for every row of the lists, which advance together. Draws are
points of the unit cube, one dimension per random number, made into deviates by the inverse of their distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import Any, Literal, get_args

import numpy as np

from groupkin.arguments import Count
from groupkin.errors import SweepError
from groupkin.messages import hint
from sglibrary.array_types import Array, Ints

Numbers = float | Sequence[float]

Method = Literal["random", "sobol", "latin hypercube", "saltelli"]
"""How draws are made: independently; from a scrambled Sobol sequence; from a Latin hypercube, which is drawn as a whole
(8 bytes per sample and random number); in Saltelli's blocks (`Plan.block`)."""

METHODS: tuple[str, ...] = get_args(Method)

HYPERCUBE, DIMENSIONS, MOST = 2**30, 21201, 10**15
"""Random numbers of a Latin hypercube, dimensions of a Sobol sequence, and samples of a sweep, at most."""


@dataclass(frozen=True)
class Listed:
    """Values one after another, m or rad; all lists of a sweep advance together. Those of a vector are vectors."""

    values: Sequence[Numbers]


@dataclass(frozen=True)
class Grid:
    """Values along an axis of the grid of all combinations."""

    values: Sequence[Numbers]


@dataclass(frozen=True)
class Evenly:
    """Equidistant values along an axis of the grid, both ends counted."""

    low: Numbers
    high: Numbers
    count: Count


@dataclass(frozen=True)
class Uniform:
    """Drawn evenly between two values."""

    low: Numbers
    high: Numbers


@dataclass(frozen=True)
class Normal:
    """Drawn from a normal distribution, as tolerances are.

    Parameters
    ----------
    deviation : float or sequence of float
        Standard deviation.
    mean : float or sequence of float, optional
        Default: the nominal value.
    limit : float or sequence of float, optional
        Largest distance from the mean; what lies beyond is not drawn.
    """

    deviation: Numbers
    mean: Numbers | None = None
    limit: Numbers | None = None


Variation = Listed | Grid | Evenly | Uniform | Normal


@dataclass(frozen=True)
class Plan:
    """How all parameters vary: in lists, along the grid and by draws.

    Attributes
    ----------
    variations : tuple of Variation
    widths : tuple of int
        Numbers per value of each; 0 of a scalar.
    draws : int
        Samples per point of the grid.
    method : str
    seed : int
    """

    variations: tuple[Variation, ...]
    widths: tuple[int, ...]
    draws: int
    method: str
    seed: int

    @property
    def rows(self) -> int:
        """Length of the lists."""
        return max((len(lists.values) for lists in self.variations if isinstance(lists, Listed)), default=1)

    @property
    def axes(self) -> tuple[int, ...]:
        """Lengths of the axes of the grid."""
        counts = (_axis_length(variation) for variation in self.variations)
        return tuple(count for count in counts if count is not None)

    @property
    def samples(self) -> int:
        """Number of samples."""
        return self.rows * prod(self.axes) * self.draws

    @cached_property
    def tables(self) -> tuple[Array, ...]:
        """Values of lists and along axes of the grid; of what is drawn, nothing."""
        return tuple(_table(variation) for variation in self.variations)

    @property
    def drawn(self) -> tuple[int, ...]:
        """Random numbers of each parameter that is drawn."""
        pairs = zip(self.widths, self.variations, strict=True)
        return tuple(max(width, 1) for width, variation in pairs if isinstance(variation, Uniform | Normal))

    @property
    def numbers(self) -> int:
        """Random numbers per draw."""
        return sum(self.drawn)

    @property
    def block(self) -> int:
        """Draws of one block of Saltelli et al. (2010): two points A and B, and A with each parameter from B."""
        return len(self.drawn) + 2


def _axis_length(variation: Variation) -> int | None:
    """Return the length of the axis of the grid along which a parameter varies; None without one."""
    if isinstance(variation, Grid):
        return len(variation.values)
    return variation.count if isinstance(variation, Evenly) else None


def require_whole(what: str, value: Any, least: int) -> None:
    """Refuse what is no whole number, or too small."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise SweepError(f"{what} must be a whole number from {least} on, not {value!r}")


def check_plan(plan: Plan) -> None:
    """Refuse what cannot be drawn.

    Raises
    ------
    SweepError
    """
    if plan.method not in METHODS:
        raise SweepError(f"method {plan.method!r} is not one of {', '.join(METHODS)}{hint(plan.method, METHODS)}")
    require_whole("`draws`", plan.draws, 1)
    lengths = {len(variation.values) for variation in plan.variations if isinstance(variation, Listed)}
    if len(lengths) > 1:
        raise SweepError(
            f"lists advance together and must be of the same length, not {sorted(lengths)}; "
            "use grids for all combinations"
        )
    if plan.draws > 1 and not plan.numbers:
        raise SweepError(f"nothing is drawn at random, so {plan.draws} draws would all be the same; leave them out")
    if plan.method == "saltelli":
        _check_blocks(plan)
    if plan.method == "sobol" and plan.draws > 2**30:
        raise SweepError(f"a Sobol sequence has at most 2^30 points, not {plan.draws}")
    if plan.method == "latin hypercube" and plan.draws * plan.numbers > HYPERCUBE:
        raise SweepError(
            f"a Latin hypercube is drawn whole: {plan.draws} draws of {plan.numbers} random numbers take "
            f"{8e-9 * plan.draws * plan.numbers:.3g} GB; take method sobol or random"
        )
    if plan.samples > MOST:
        raise SweepError(f"these are {plan.samples:.3g} samples, of at most {MOST:.0e} that can be numbered")


def _check_blocks(plan: Plan) -> None:
    """Refuse draws that are no whole blocks of Saltelli's, or that are more than the Sobol sequence has."""
    if len(plan.drawn) < len(plan.variations):
        raise SweepError(
            "method saltelli varies what is drawn, so lists and grids cannot be beside; make a sweep for each of their "
            "values"
        )
    if plan.draws % plan.block:
        less = max(plan.draws // plan.block, 1) * plan.block
        raise SweepError(
            f"method saltelli draws blocks of {plan.block} samples, 2 more than there are parameters: take {less} or "
            f"{less + plan.block} instead of {plan.draws}, best a power of two times {plan.block}"
        )
    if plan.draws // plan.block > 2**30 or 2 * plan.numbers > DIMENSIONS:
        raise SweepError(
            f"a Sobol sequence has at most 2^30 points of {DIMENSIONS} numbers, not {plan.draws // plan.block} of "
            f"{2 * plan.numbers}"
        )


def sample_values(plan: Plan, nominal: Sequence[Array], start: int, stop: int) -> tuple[Array, ...]:
    """Return the values (n,) or (n, width) of every parameter for samples start to stop - 1.

    Parameters
    ----------
    nominal : sequence of () or (width,) arrays
        Of every parameter: the means of those that state none.
    """
    index = np.arange(start, stop)
    row, rest = np.divmod(index, prod(plan.axes) * plan.draws)
    point, draw = np.divmod(rest, plan.draws)
    grid = iter(np.unravel_index(point, plan.axes or (1,)))
    cube = _cube(plan, draw, index)
    values, used = [], 0
    for variation, width, mean, table in zip(plan.variations, plan.widths, nominal, plan.tables, strict=True):
        if isinstance(variation, Listed):
            values.append(table[row])
        elif isinstance(variation, Grid | Evenly):
            values.append(table[next(grid)])
        else:
            columns = cube[:, used : used + width] if width else cube[:, used]
            used += max(width, 1)
            values.append(_deviates(variation, columns, mean))
    return tuple(values)


def _table(variation: Variation) -> Array:
    if isinstance(variation, Evenly):
        return np.linspace(np.asarray(variation.low, float), np.asarray(variation.high, float), variation.count)
    return np.asarray(variation.values, float) if isinstance(variation, Listed | Grid) else np.zeros(0)


def _deviates(variation: Uniform | Normal, cube: Array, nominal: Array) -> Array:
    """Transform uniform random numbers in (0, 1) to those of a distribution."""
    if isinstance(variation, Uniform):
        low, high = np.asarray(variation.low, float), np.asarray(variation.high, float)
        return low + (high - low) * cube
    from scipy.special import ndtr, ndtri

    mean = nominal if variation.mean is None else np.asarray(variation.mean, float)
    deviation = np.asarray(variation.deviation, float)
    if variation.limit is not None:
        # only the truncated distribution's part of (0, 1) is used
        least = ndtr(-np.asarray(variation.limit, float) / deviation)
        cube = least + (1.0 - 2.0 * least) * cube
    return np.asarray(mean + deviation * ndtri(cube))


def _cube(plan: Plan, draw: Ints, index: Ints) -> Array:
    """Draw points (n, numbers) of the open unit cube."""
    numbers = plan.numbers
    if not numbers:
        return np.zeros((index.size, 0))
    if plan.method == "random":
        cube = _independent(plan.seed, numbers, int(index[0]), index.size)
    elif plan.method == "sobol":
        runs = np.split(draw, np.flatnonzero(np.diff(draw) != 1) + 1)  # draws begin anew at every point of the grid
        cube = np.concatenate([_sobol(plan.seed, numbers, int(run[0]), run.size) for run in runs])
    elif plan.method == "saltelli":
        cube = _blocks(plan, draw)
    else:
        cube = _latin(plan.seed, numbers, plan.draws)[draw]
    return np.clip(cube, 2.0**-54, 1.0 - 2.0**-53)


def _independent(seed: int, numbers: int, first: int, count: int) -> Array:
    """Draw independent points by a counter-based generator, whose counter is moved to the first of them."""
    counts = -(-numbers // 4)  # each count of the generator makes four numbers
    bits = np.random.Philox(key=np.random.SeedSequence(seed).generate_state(2, np.uint64))
    bits.advance(first * counts)
    return np.random.Generator(bits).random((count, 4 * counts))[:, :numbers]


def _sobol(seed: int, numbers: int, first: int, count: int) -> Array:
    """Return points of a scrambled Sobol sequence."""
    import warnings

    from scipy.stats import qmc

    sequence = qmc.Sobol(numbers, scramble=True, rng=np.random.default_rng(seed))
    if first:
        sequence.fast_forward(first)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The balance properties")  # which whole chunks need not have
        return np.asarray(sequence.random(count))


def _blocks(plan: Plan, draw: Ints) -> Array:
    """Return points of Saltelli's blocks: A, B, and for each parameter A with the numbers of this parameter from B.

    A and B are the halves of a point of the scrambled Sobol sequence (Saltelli et al. 2010, section 5).
    """
    number, place = np.divmod(draw, plan.block)
    first = int(number.min())
    points = _sobol(plan.seed, 2 * plan.numbers, first, int(number.max()) - first + 1)[number - first]
    owner = np.repeat(np.arange(len(plan.drawn)), plan.drawn)
    from_b = (place[:, None] == 1) | (place[:, None] == owner + 2)
    return np.where(from_b, points[:, plan.numbers :], points[:, : plan.numbers])


@lru_cache(maxsize=1)
def _latin(seed: int, numbers: int, draws: int) -> Array:
    """Draw a whole Latin hypercube."""
    from scipy.stats import qmc

    return np.asarray(qmc.LatinHypercube(numbers, rng=np.random.default_rng(seed)).random(draws))
