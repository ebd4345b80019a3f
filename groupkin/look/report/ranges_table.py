"""The ranges of a mechanism in a report: what a motion reaches in them, and when it leaves them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.ranges import Range, ranges_of, values_in
from groupkin.look.markup import Html, element, joined
from groupkin.look.plots.plots import text_of
from groupkin.look.report.mechanism_section import listing
from groupkin.look.scenes.stops import state
from groupkin.tolerances import ROUNDING
from sglibrary.array_types import Flags

MOST_SPANS = 6
"""Spans of times outside a range that are listed."""

COLUMNS = ("range of", "lower end", "upper end", "least", "at", "largest", "at ", "outside")


def ranges(motion: Motion) -> Html:
    """Write a table of the ranges, with the least and the largest value reached, and when each is left."""
    mechanism = motion.program.mechanism
    rows = [_row(motion, each) for each in ranges_of(motion.program)] if mechanism.has_ranges else []
    if not rows:
        return Html()
    left = [row[0] for row in rows if row[-1] not in ("never", "–")]
    text = f"Ranges are left: {', '.join(left)}." if left else "All ranges are kept."
    verdict = element("p", text, class_="alert" if left else "good")
    return joined([listing("Ranges", COLUMNS, rows, COLUMNS[1:7]), verdict])


def _row(motion: Motion, within: Range) -> tuple[str, ...]:
    values = np.where(motion.solved, values_in(motion, within), np.nan)
    write = motion.program.mechanism.units.text
    low, high = (write(end, within.unit) if np.isfinite(end) else "–" for end in (within.low, within.high))
    if not np.isfinite(values).any():
        return text_of(within.quantity), low, high, "–", "–", "–", "–", "–"
    least = ROUNDING * float(np.nanmax(np.abs(values)))
    reached = []
    for choose in (np.nanargmin, np.nanargmax):
        step = int(choose(values))
        value = float(values[step])
        reached += [write(value if abs(value) > least else 0.0, within.unit, digits=5), _time(motion, step)]
    left = motion.solved & (np.abs(state(within, values, motion.program.geometry.size)) == 2)
    return text_of(within.quantity), low, high, *reached, ", ".join(_spans(motion, left)) or "never"


def _time(motion: Motion, step: int) -> str:
    return f"{motion.times[step]:.4g} s" if motion.inputs is None else f"step {step}"


def _spans(motion: Motion, flags: Flags) -> Iterator[str]:
    """Write the spans of steps at which flags (n,) are set, by their first and last time."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    spans = edges.reshape(-1, 2)
    for start, stop in spans[:MOST_SPANS]:
        first, last = _time(motion, start), _time(motion, stop - 1)
        yield first if stop - start == 1 else f"{first} to {last}"
    if len(spans) > MOST_SPANS:
        yield f"and {len(spans) - MOST_SPANS} more times"
