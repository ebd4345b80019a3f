"""The tables of a report on a store, for terminals and pages."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cluster.reports.columns import TIMES
from cluster.reports.sensitivity import Sensitivity
from cluster.reports.statistics import Range
from cluster.reports.summary import Ranked, Report
from cluster.reports.units import name_with_unit
from cluster.sweeps.reductions import OUTSIDE
from groupkin.messages import counted

FAILURES = ("failed", "group", "reason", "earliest", "first sample")
"""Heading of `failure_rows`."""

OUTSIDE_OF = ("outside", "of the range of", "earliest", "first sample")
"""Heading of `outside_rows`."""

Rows = list[tuple[str, ...]]

NO_INTERVAL = (math.nan, math.nan)


def summary(result: Report) -> str:
    """Say how many samples there are, how many failed, and how many leave ranges."""
    missing = f", {result.samples - result.done} not computed yet" if result.done < result.samples else ""
    outside = f", {sum(each.samples for each in result.outside)} outside of ranges" if result.outside else ""
    return f"{counted(result.samples, 'sample')}{missing}, {result.failed} failed{outside}"


def failure_rows(result: Report) -> Rows:
    """Samples that failed, by reason."""
    return [
        (
            str(reason.samples),
            f"{reason.group} ({reason.bodies})" if reason.group else "none",
            reason.status,
            f"{number(reason.earliest)} s",
            str(reason.first),
        )
        for reason in result.failures
    ]


def outside_rows(result: Report) -> Rows:
    """Samples that leave ranges, by the range that they leave first."""
    return [(str(x.samples), x.range, f"{number(x.earliest)} s", str(x.first)) for x in result.outside]


def range_table(result: Report) -> tuple[list[str], Rows]:
    """Heading and rows of the statistics of all parameters and of what was kept."""
    titles = _titles(result)
    rows = [
        (titles[column.name], *map(number, _statistics(column).values()), str(column.known), column.text)
        for column in result.ranges
    ]
    return ["", *(_statistics(result.ranges[0]) if result.ranges else ()), "known", "what it is"], rows


def remarks(result: Report) -> list[str]:
    """Say which quantiles are those of a part of the numbers, and what sums over samples are."""
    lines = [
        f"the quantiles of {column.name} are those of {column.sampled} random numbers of it"
        for column in result.ranges
        if column.sampled < column.known
    ]
    outside = {total.name: total.sum for total in result.totals if total.name.endswith(f".{OUTSIDE}")}
    for total in (total for total in result.totals if total.name not in outside):
        missed = outside.get(f"{total.name}.{OUTSIDE}")
        more = "" if missed is None else f", {missed} outside of the box"
        lines.append(
            f"{total.name}: {total.seen} of {counted(total.cells, 'cell')} not empty, {total.sum} in all{more}"
        )
    return lines


def sensitivity_table(result: Report) -> tuple[list[str], Rows]:
    """Heading and rows of the shares of variances that parameters have; no rows if none were asked for."""
    blocks = any(one.first_interval for one in result.sensitivities)
    intervals = ["first", "95 %", "total", "95 %", "blocks"] if blocks else ["first", "samples"]
    rows = [
        (one.of, one.parameter, *(_shares(one) if blocks else (share(one.first),)), str(one.known))
        for one in result.sensitivities
    ]
    return ["variance of", "by", *intervals], rows


def _shares(one: Sensitivity) -> tuple[str, ...]:
    """First and total index, each with its interval."""
    (a, b), (c, d) = one.first_interval or NO_INTERVAL, one.total_interval or NO_INTERVAL
    return share(one.first), f"{share(a)} … {share(b)}", share(one.total), f"{share(c)} … {share(d)}"


def share(value: float) -> str:
    """Write a share with three decimals, or a dash where it is not known."""
    return f"{round(value, 3) + 0.0:.3f}" if math.isfinite(value) else "–"


def sample_tables(result: Report) -> list[tuple[str, list[str], Rows]]:
    """Title, heading and rows of the samples at each end: the value they are ranked by, and their other parameters."""
    titles, tables = _titles(result), []
    for end, samples in (("least", result.lowest), ("largest", result.highest)):
        if samples and result.by:
            tables.append((f"{end} {titles[result.by]}", *_samples(samples, result.by, titles)))
    return tables


def _samples(samples: Sequence[Ranked], by: str, titles: dict[str, str]) -> tuple[list[str], Rows]:
    others = [name for name in samples[0].parameters if name != by]
    rows = [
        (str(ranked.sample), number(ranked.value), *(number(ranked.parameters[name]) for name in others))
        for ranked in samples
    ]
    return ["sample", titles[by], *(titles[name] for name in others)], rows


def _titles(result: Report) -> dict[str, str]:
    titles = {column.name: name_with_unit(column.name, column.units) for column in result.ranges}
    return {**titles, **{name: f"{name} [s]" for name in TIMES}}


def _statistics(column: Range) -> dict[str, float]:
    """The numbers of a range that are shown, with their headings."""
    ends = {name: getattr(column, name) for name in ("largest", "mean", "deviation")}
    return {"least": column.least, **column.quantiles, **ends}


def number(value: float) -> str:
    """Write a number, or a dash where it is not known."""
    return f"{value:.6g}" if math.isfinite(value) else "–"
