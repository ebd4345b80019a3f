"""Many designs at once: their constants computed together, their motions solved by one compiled loop."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import checked
from groupkin.errors import ParameterError, QuantityError
from groupkin.kinematics.derivatives.sample_derivatives import SampleDerivatives
from groupkin.kinematics.design.design_blocks import Prototype, make_design_block
from groupkin.kinematics.design.one_design import prototype_of
from groupkin.kinematics.motion.quantities import Quantity, quantity
from groupkin.kinematics.motion.ranges import Range, ranges_of
from groupkin.kinematics.parameters.named_values import changes_laws
from groupkin.kinematics.parameters.parameters import Target
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.samples.sample_bands import Band, outcome, read_band, results_of, states
from groupkin.kinematics.samples.sample_blocks import SampleBlock, make_block, require_computed, select
from groupkin.kinematics.samples.sample_motions import STATUS, driven_of
from groupkin.kinematics.samples.sample_ranges import Excesses, excesses, farthest, first_left
from groupkin.kinematics.samples.sources import Components
from groupkin.kinematics.samples.variation import Variation
from groupkin.kinematics.solving.driver_values import drive, require_laws
from groupkin.memory import require_memory
from groupkin.showing import InNotebooks

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

PREPARED, PREPARED_SINGLY = 8192, 32
"""Designs whose constants are computed together; the second where groups are followed, or idle spins held, singly."""

BAND = 2**17
"""Steps that are solved and read together, about, so that they stay in the caches."""


@dataclass(frozen=True, eq=False)
class Designs(InNotebooks):
    """The motions of many designs: what is kept of them, and how each ended.

    Attributes
    ----------
    program : Program
        The nominal one.
    names : tuple of str
        Of the parameters.
    values : (n, parameters) array
    times : (t,) array
        s.
    kept : dict of Quantity to array
        (n, t, ...), shaped as of a motion; NaN from the first step on that is not solved.
    status : (n,) array of uint8
        0 if a design is solved at all times, else why not, see `outcomes`.
    failed_group : (n,) array of int
        Number of the group that failed, 0 if none.
    failed_time : (n,) array
        First time at which it failed, s; NaN if none did.
    slopes : dict of Quantity to array
        Derivatives (n, parameters, t, ...) of what is kept, where they were wanted.
    outside : (n,) array of int
        Number of the range that a design leaves first, from 1 in the order of `ranges`; 0 if it leaves none.
    outside_time : (n,) array
        When it leaves it, s; NaN if it leaves none.
    excess : dict of Quantity to (n,) array
        Of every quantity that has a range how far it is beyond that at worst: above 0 past the upper end, below 0 past
        the lower one; NaN of designs that are not solved at all times.
    """

    program: Program
    names: tuple[str, ...]
    values: Array
    times: Array
    kept: dict[Quantity, Array]
    status: NDArray[np.uint8]
    failed_group: NDArray[np.int64]
    failed_time: Array
    slopes: dict[Quantity, Array] = field(default_factory=dict)
    outside: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    outside_time: Array = field(default_factory=lambda: np.zeros(0))
    excess: dict[Quantity, Array] = field(default_factory=dict)

    def __repr__(self) -> str:
        count, outside = self.status.size, int(np.count_nonzero(self.outside))
        left = f", {outside} outside of ranges" if self.excess else ""
        return f"<{count} designs of {self.program.mechanism.name}, {int(self.solved.sum())} solved{left}>"

    def __len__(self) -> int:
        return self.status.size

    @property
    def solved(self) -> NDArray[np.bool_]:
        """Designs (n,) that are solved at all times."""
        return np.asarray(self.status == 0)

    @property
    def outcomes(self) -> list[str]:
        """How each design ended, in words."""
        return [STATUS[int(code)] for code in self.status]

    @property
    def ranges(self) -> tuple[Range, ...]:
        """The ranges of the nominal mechanism."""
        return ranges_of(self.program)

    @checked
    def read(self, of: str | Quantity) -> Array:
        """Read a quantity that is kept, (n, t) or, where it has components, (n, t, ...)."""
        wanted = quantity(of, self.program)
        if wanted not in self.kept:
            raise QuantityError(f"`{wanted}` is not kept of these designs: {', '.join(map(str, self.kept))} are")
        return self.kept[wanted]

    @checked
    def derivatives(self, of: str | Quantity) -> Array:
        """Read the derivatives of a quantity that is kept by all parameters, (n, parameters, t, ...)."""
        wanted = quantity(of, self.program)
        if wanted not in self.slopes:
            known = f"those of {', '.join(map(str, self.slopes))} are" if self.slopes else "say derivatives=True"
            raise QuantityError(f"derivatives of `{wanted}` are not kept of these designs: {known}")
        return self.slopes[wanted]


def solve_many(
    program: Program,
    targets: tuple[Target, ...],
    values: Array,
    times: Array,
    keep: Sequence[Quantity],
    whole: bool = False,
    differentiated: SampleDerivatives | None = None,
    ranged: bool = False,
) -> Designs:
    """Solve many designs.

    Parameters
    ----------
    program : Program
        The nominal one.
    targets : tuple of Target
    values : (n, parameters) array
    times : (t,) or (n, t) array
        s; those of each design are its own where they are rows, whose angles may differ by whole turns.
    keep : sequence of Quantity
    whole : bool
        Whether only designs that are solved at all times matter; others are examined less, and may seem to end later.
    differentiated : SampleDerivatives, optional
        What is differentiated.
    ranged : bool
        Whether it is told where they leave ranges.
    """
    count, d = len(values), program.mechanism.dimension
    require_computed(keep, program.mechanism)
    of_ranges = [each.quantity for each in ranges_of(program)] if ranged else []
    read = tuple(dict.fromkeys([*keep, *of_ranges]))
    variation = Variation(program, targets, times, read, 0 if differentiated is None else differentiated.orders)
    require_laws(program, times.ravel())
    ends = np.zeros(count, np.uint8), np.zeros(count, np.int64), np.full(count, np.nan)
    left = np.zeros(count, np.int64), np.full(count, np.nan)
    excess = {of: np.full(count, np.nan) for of in of_ranges}
    filling = _Filling(variation, tuple(keep), values, {}, ends, left, excess, whole, differentiated, {})
    shared = prototype_of(variation)
    with np.errstate(invalid="ignore", divide="ignore"):  # designs that fail are NaN from some step on
        others = np.arange(count) if shared is None else _by_table(filling, shared)
        size = PREPARED_SINGLY if program.iterates or program.structure.spins else filling.size
        for start in range(0, others.size, size):
            some = others[start : start + size]
            _solve_block(filling, make_block(variation, tuple(np.ascontiguousarray(values[some].T)), {}), some)
    kept = {of: _shaped(x, of, d) for of, x in filling.parts.items()}
    return Designs(program, tuple(map(str, targets)), values, times, kept, *ends, filling.slopes, *left, excess)


@dataclass(frozen=True, eq=False)
class _Filling:
    """Designs while they are solved: (n, parameters) values, components of what is kept, and how each ends."""

    variation: Variation
    keep: tuple[Quantity, ...]
    values: Array
    parts: dict[Quantity, Array]
    ends: tuple[NDArray[Any], ...]
    left: tuple[NDArray[Any], ...]
    excess: dict[Quantity, Array]
    whole: bool
    differentiated: SampleDerivatives | None
    slopes: dict[Quantity, Array]

    @property
    def size(self) -> int:
        """Designs whose numbers are computed together."""
        return min(PREPARED, max(1, 2**22 // self.variation.times.shape[-1]))

    @cached_property
    def shared(self) -> Array | None:
        """What drivers do in all designs; None if that differs."""
        program, targets, times = self.variation.program, self.variation.targets, self.variation.times
        own = times.ndim > 1 or changes_laws(program, targets)
        return None if own else drive(program, times)[None]


def _by_table(filling: _Filling, shared: Prototype) -> Ints:
    """Solve designs whose numbers come from a table; those for which it is not right are returned."""
    left: list[Ints] = []
    for start in range(0, len(filling.values), filling.size):
        here = slice(start, min(start + filling.size, len(filling.values)))
        block, valid = make_design_block(shared, filling.values[here])
        _solve_block(filling, block, here)
        left.append(start + np.flatnonzero(~valid))
    return np.concatenate(left)


def _solve_block(filling: _Filling, block: SampleBlock, where: slice | Ints) -> None:
    """Solve the designs of a block band by band; `where` says which of all designs they are."""
    variation, times = filling.variation, filling.variation.times
    count, steps = block.lost.size, times.shape[-1]
    width = max(1, BAND // steps)
    results = results_of(block, min(width, count) * steps, ())
    for low in range(0, count, width):
        samples = slice(low, min(low + width, count))
        here = where[samples] if not isinstance(where, slice) else slice(where.start + low, where.start + samples.stop)
        own = times if times.ndim == 1 else times[here]
        drivers = driven_of(variation, select(block, samples), own) if filling.shared is None else filling.shared
        seen = variation if times.ndim == 1 else replace(variation, times=own)
        band = Band(seen, block, samples, drivers, results, filling.whole)
        components, failures = read_band(band)
        for of, parts in components.items():
            if of in filling.keep:
                _put(filling.parts, of, parts, here, (len(filling.values), steps))
        for target, x in zip(filling.ends, outcome(failures, own), strict=True):
            target[here] = x
        if filling.excess:
            _put_excesses(filling, excesses(band, components, failures), own, here)
        if filling.differentiated is not None:
            _differentiate(filling, filling.differentiated, here, own, band)


def _put_excesses(filling: _Filling, found: Excesses, times: Array, here: slice | Ints) -> None:
    """Write how some designs leave ranges."""
    for target, x in zip(filling.left, first_left(found, times), strict=False):
        target[here] = x
    for of, x in found.items():
        filling.excess[of][here] = farthest(x)


def _differentiate(
    filling: _Filling, differentiated: SampleDerivatives, here: slice | Ints, times: Array, band: Band
) -> None:
    """Write the derivatives of some designs."""
    found = differentiated.of(filling.values[here], times, band.block.variants.family, states(band))
    for of, slopes in zip(differentiated.wanted, found, strict=True):
        if of not in filling.slopes:
            shape = len(filling.values), *slopes.shape[1:]
            remedy = "solve fewer at a time"
            require_memory(
                8.0 * math.prod(shape), f"derivatives of `{of}` of {shape[0]} designs", remedy, ParameterError
            )
            filling.slopes[of] = np.empty(shape)
        filling.slopes[of][here] = slopes


def _shaped(parts: Array, of: Quantity, d: int) -> Array:
    """Shape components (n, t, k) as a motion has them."""
    if of.kind == "rotation" and not of.component:
        return parts.reshape(*parts.shape[:2], d, d)
    return parts[..., 0] if parts.shape[-1] == 1 else parts


def _put(
    kept: dict[Quantity, Array],
    of: Quantity,
    parts: Components,
    here: slice | Ints,
    shape: tuple[int, int],
) -> None:
    """Write the components of a quantity of some designs; memory for those of all is taken when they first come."""
    if of not in kept:
        needed = 8.0 * math.prod(shape) * len(parts)
        require_memory(needed, f"`{of}` of {shape[0]} designs", "solve fewer at a time", ParameterError)
        kept[of] = np.moveaxis(np.empty((len(parts), *shape)), 0, -1)  # each component in one piece
    for k, part in enumerate(parts):
        kept[of][here, :, k] = part
