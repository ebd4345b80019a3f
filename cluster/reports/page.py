"""A report on a store as a page that can be read, printed and attached."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from cluster.reports import tables
from cluster.reports.pictures import picture_of
from cluster.reports.sample_plots import colored_by, plot_parallel, plot_scatter
from cluster.reports.summary import Report
from cluster.reports.units import SI, Units
from groupkin.durable_files import write_atomically
from groupkin.errors import OutputError
from groupkin.look.markup import Html, element, joined, picture, table
from groupkin.look.report.layout import document, figure, note, titled
from groupkin.look.report.origin_section import made_with
from groupkin.look.report.subject import Section


def write_page(result: Report, store: Path, file: Path, units: Units = SI) -> None:
    """Write a report on a store as one page that needs nothing else.

    Parameters
    ----------
    result : Report
        In the units of the page.
    store : Path
        Its pictures are drawn from it.
    file : Path
        An .html file; a file of this name is replaced.
    units : Units, optional

    Raises
    ------
    StoreError
        If there is no store.
    OutputError
        If the file cannot be written, or matplotlib is missing.
    """
    failed, heading = tables.failure_rows(result), tables.range_table(result)[0]
    outside = table(tables.OUTSIDE_OF, tables.outside_rows(result))
    sections = [
        Section("Samples", joined([table(tables.FAILURES, failed) or note("No sample failed."), outside])),
        Section(
            "Results",
            joined([table(*tables.range_table(result), heading[1:-1]), *map(note, tables.remarks(result))]),
        ),
        Section("Pictures", _pictures(result, store, units)),
        Section("Origin", made_with()),
    ]
    if ranked := tables.sample_tables(result):
        ends = joined(titled(title, table(columns, rows, columns[1:])) for title, columns, rows in ranked)
        sections.insert(2, Section("Extreme samples", ends))
    if result.sensitivities:
        columns, rows = tables.sensitivity_table(result)
        sections.insert(2, Section("Sensitivities", table(columns, rows, columns[2:])))
    facts = [("samples", str(result.samples)), ("computed", str(result.done)), ("failed", str(result.failed))]
    write_atomically(file, document("Report on a sweep", result.title, tables.summary(result), facts, sections))


def _pictures(result: Report, store: Path, units: Units) -> Html:
    """The pictures that ``batch-report --picture`` draws, also with ``--scatter`` and ``--parallel``."""
    try:
        drawn, names = picture_of(store, result.by, (), units)
    except OutputError as error:
        return note(str(error))
    left_out = f"; not shown are {', '.join(names.left_out)}" if names.left_out else ""
    parts = [figure(picture(drawn, result.title), f"{', '.join(names.drawn)}{left_out}", True)]
    with suppress(OutputError):  # if there are not two variables
        together = plot_scatter(store, units=units)
        parts.append(figure(picture(together, f"{result.title}, scatter matrix"), "Every two variables", True))
        lines = plot_parallel(store, by=colored_by(result.by), units=units)
        parts.append(figure(picture(lines, f"{result.title}, parallel coordinates"), "A line for each sample", True))
    return element("div", joined(parts))
