"""What a notebook shows of results: their tables, and a picture where there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.errors import OutputError
from groupkin.look.markup import Html, element, joined, picture, table
from groupkin.look.notebook import STYLE, mechanism_html, motion_html
from groupkin.mechanism.units import Units, conversion
from groupkin.messages import counted, listed
from groupkin.picture_files import check_matplotlib
from groupkin.structure import tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from groupkin.dynamics.bodies.counterweights import Counterweights
    from groupkin.dynamics.reactions.forces import Forces
    from groupkin.dynamics.reactions.harmonics import Harmonics
    from groupkin.dynamics.simulation.many_simulations import Simulations
    from groupkin.dynamics.vibrations.periodic_motion import PeriodicMotion
    from groupkin.dynamics.vibrations.small_motions import Linearization
    from groupkin.example_files import Examples
    from groupkin.exchange.importing import ImportedModel
    from groupkin.kinematics.design.design import Design
    from groupkin.kinematics.design.many_designs import Designs
    from groupkin.kinematics.design.tolerances import Tolerance
    from groupkin.kinematics.fields import Field
    from groupkin.kinematics.global_formulation.comparison import Differences
    from groupkin.kinematics.jacobians.matrices import Jacobian
    from groupkin.kinematics.limits.limits import Limits
    from groupkin.kinematics.modes.modes import AssemblyModes
    from groupkin.kinematics.program.program import Program
    from groupkin.kinematics.workspace.workspace import Workspace
    from groupkin.mechanism.cams.cam_profiles import CamProfile
    from groupkin.mechanism.files.reading import MechanismFile
    from groupkin.synthesis.fit import Fit
    from groupkin.transformations.atlas import Atlas
    from groupkin.transformations.exploration import Transformation, Transformations

    Table = tuple[Sequence[str], Sequence[Sequence[object]]]

FIELD_WIDTH = 120.0
"""Width of the picture of a field, mm."""

MOST_ROWS = 40
"""Rows of a table that a notebook shows."""


def shown(title: str, *parts: Table, notes: Iterable[str] = (), figure: Callable[[], Figure] | None = None) -> str:
    """Write a title, tables, notes and a picture, which is left out where matplotlib is missing."""
    found = [element("style", Html(STYLE)), element("p", title)]
    if figure is not None:
        with suppress(OutputError):
            check_matplotlib()
            found.append(element("figure", picture(figure(), title)))
    for columns, rows in parts:
        found.append(table(columns, rows[:MOST_ROWS]))
        if len(rows) > MOST_ROWS:
            found.append(element("p", f"and {len(rows) - MOST_ROWS} more"))
    found += [element("p", note) for note in notes]
    return element("div", joined(found), class_="groupkin")


def _title(found: object) -> str:
    """The representation of a result, which is one line between < and >."""
    return repr(found).removeprefix("<").removesuffix(">")


# --- mechanisms and their structure ----------------------------------------------------------


def file_html(file: MechanismFile) -> str:
    """The mechanism, and the times and units of the file."""
    above = element("p", f"{_title(file)}{f'. {file.description}' if file.description else ''}")
    return joined([above, Html(mechanism_html(file.mechanism) or "")])


def program_html(program: Program) -> str:
    """The groups, with the solvers that the program uses."""
    from dataclasses import replace

    groups = zip(program.structure.groups, program.solvers, strict=True)
    structure = replace(program.structure, groups=tuple(replace(group, solver=name) for group, name in groups))
    return shown(tables.summary(structure), (tables.COLUMNS, tables.rows(structure)))


def modes_html(found: AssemblyModes) -> str:
    """The assembly modes of all groups."""
    from groupkin.kinematics.modes import mode_listing as listing

    return shown(listing.title(found), (listing.columns(found), listing.rows(found)), notes=listing.notes(found))


def transformations_html(found: Transformations) -> str:
    """The structures that the ways to drive a mechanism lead to."""
    return shown(_title(found), _structures(found.structures))


def atlas_html(found: Atlas) -> str:
    """The driven linkages."""
    return shown(found.summary, _structures(found.structures))


def _structures(structures: Sequence[Transformation]) -> Table:
    names = list(structures[0].values) if structures else []
    rows = [
        (
            ", ".join(name if w == 1 else f"{name} ×{w}" for name, w in each.drivers.items()),
            ", ".join(each.types),
            *(f"{each.values[name]:.8g}" for name in names),
            each.symmetric,
        )
        for each in structures
    ]
    return ("driven joints", "groups", *names, "symmetric"), rows


# --- motions ---------------------------------------------------------------------------------


def limits_html(found: Limits) -> str:
    """The limits, the branches and the circuits."""
    from groupkin.kinematics.limits import limit_listing as listing

    limits, branches = listing.limit_rows(found), listing.branch_rows(found)
    return shown(
        listing.title(found),
        (listing.LIMIT_COLUMNS, limits),
        (listing.BRANCH_COLUMNS, branches),
        notes=listing.notes(found),
    )


def workspace_html(found: Workspace) -> str:
    """The boundaries, and a table of the regions of a section."""
    from groupkin.kinematics.workspace import workspace_listing as listing

    rows = [] if np.isfinite(found.volume) else listing.rows(found)
    regions = (listing.columns(found), rows)
    return shown(listing.title(found), regions, notes=listing.notes(found), figure=found.plot)


def field_html(found: Field) -> str:
    """The values over both drivers, and what became of the positions."""
    from groupkin.look.plots.field_plots import drawn

    figure = partial(drawn, found, lambda _: found.values, 0.0, None, FIELD_WIDTH, "")
    return shown(_title(found), (("positions", "number"), [*found.counts.items()]), figure=figure)


def jacobian_html(found: Jacobian) -> str:
    """The matrix at the first step that is solved."""
    solved = np.flatnonzero(np.isfinite(found.values).all(axis=(1, 2)))
    if not solved.size:
        return shown(_title(found))
    values = found.values[solved[0]]
    rows = [(name, *(f"{x:.6g}" for x in row)) for name, row in zip(found.outputs, values, strict=True)]
    return shown(f"{_title(found)}; at t = {found.times[solved[0]]:g} s", (("", *found.inputs), rows))


def differences_html(found: Differences) -> str:
    """The largest differences."""
    names = ("position", "velocity", "acceleration")
    rows = [(name, f"{getattr(found, name):.1e}") for name in names]
    said = "agree" if found.agree else "differ"
    title = f"groups and the global formulation {said} at {counted(found.steps, 'step')}"
    return shown(title, (("of", "largest difference"), rows))


# --- designs ---------------------------------------------------------------------------------


def design_html(found: Design) -> str:
    """The parameters with their nominal values, in the units of the mechanism."""
    from groupkin.kinematics.parameters.nominal_values import unit

    units = found.program.mechanism.units
    rows = []
    for name, target, value in zip(found.names, found.parameters, found.nominal.tolist(), strict=True):
        factor, symbol = conversion(unit(target, found.program), units)
        rows.append((name, f"{factor * value:.6g}", symbol))
    return shown(f"Design of {found.program.mechanism.name}", (("parameter", "nominal", "unit"), rows))


def designs_html(found: Designs) -> str:
    """The ranges of what is kept of all designs, and how the others ended."""
    from groupkin.kinematics.motion.quantities import unit

    mechanism, rows = found.program.mechanism, []
    for of, values in found.kept.items():
        finite = values[np.isfinite(values)]
        each = unit(of, mechanism).split(", ")[0]
        if finite.size:
            rows.append((of, *(mechanism.units.text(float(x), each) for x in (finite.min(), finite.max()))))
    failed = [each for each, solved in zip(found.outcomes, found.solved, strict=True) if not solved]
    ends = [f"{counted(failed.count(each), 'design')}: {each}" for each in dict.fromkeys(failed)]
    return shown(_title(found), (("quantity", "least", "largest"), rows), notes=ends)


def tolerance_html(found: Tolerance) -> str:
    """The largest standard deviation of every quantity, and the parameters that it comes from."""
    rows = [line.strip().removesuffix(">").split(": ", 1) for line in repr(found).splitlines()[1:]]
    return shown(_title(found).splitlines()[0].removesuffix(":"), (("quantity", "standard deviation"), rows))


def fit_html(found: Fit) -> str:
    """The targets with what meets them, and the parameters before and after."""
    from groupkin.synthesis.fit_listing import COLUMNS, rows

    return shown(_title(found), (COLUMNS, rows(found)), figure=found.plot)


def imported_html(found: ImportedModel) -> str:
    """Show the mechanism of a robot model, and what is free in it and left out."""
    free = [("free besides the drivers", name) for name in found.free]
    lines = [("left out", line) for line in found.left_out]
    told = shown(repr(found), (("", ""), [*free, *lines][:MOST_ROWS])) if free or lines else element("p", repr(found))
    return joined([Html(mechanism_html(found.mechanism)), Html(told)])


def cam_html(found: CamProfile) -> str:
    """The profile, the path of the follower on it and the base circle."""
    notes = [f"the follower cuts the profile away at {listed(_degrees(found.undercut))}"] if found.undercut.size else []
    return shown(_title(found), notes=notes, figure=partial(_drawn_cam, found))


def _degrees(angles: Any) -> list[str]:
    return [f"{x:.4g}°" for x in np.degrees(angles)]


def _drawn_cam(found: CamProfile) -> Figure:
    from matplotlib.figure import Figure
    from matplotlib.patches import Circle

    from groupkin.look.palette import GROUPS, INK, PAPER

    figure = Figure(figsize=(3.4, 3.4), layout="constrained", facecolor=PAPER)
    axes = figure.add_subplot(aspect="equal")
    for points, color, width in ((found.pitch, GROUPS[1], 0.7), (found.profile, GROUPS[0], 1.5)):
        axes.plot(*np.vstack([points, points[:1]]).T, color=color, linewidth=width)
    axes.add_patch(Circle((0.0, 0.0), found.base, fill=False, edgecolor=INK, linewidth=0.5, linestyle="--"))
    axes.plot([0.0], [0.0], "+", color=INK)
    axes.set_xlabel("x, m")
    axes.set_ylabel("y, m")
    return figure


# --- forces, and motions under forces --------------------------------------------------------


def forces_html(found: Forces) -> str:
    """The forces of drivers, those that act, and reactions: the largest of each."""
    from groupkin.dynamics.reactions import force_tables

    return shown(
        _title(found),
        (force_tables.DRIVERS, force_tables.driver_rows(found)),
        (force_tables.FORCES, force_tables.force_rows(found)),
        (force_tables.REACTIONS, force_tables.reaction_rows(found)),
        notes=force_tables.notes(found),
    )


def harmonics_html(found: Harmonics) -> str:
    """The amplitude and phase of every order; of several values their amplitudes."""
    if found.amplitudes.ndim > 1:
        each = found.amplitudes.reshape(len(found.orders), -1)
        rows = [(k, *(f"{x:.6g}" for x in row)) for k, row in zip(found.orders, each, strict=True)]
        return shown(_title(found), (("order", *(f"amplitude {k}" for k in range(1, each.shape[1] + 1))), rows))
    pairs = zip(found.orders, found.amplitudes, np.degrees(found.phases), strict=True)
    return shown(_title(found), (("order", "amplitude", "phase"), [(k, f"{x:.6g}", f"{y:.4g}°") for k, x, y in pairs]))


def counterweights_html(found: Counterweights) -> str:
    """The counterweights, and the shaking force and moment without and with them."""
    units = found.mechanism.units
    weights = [(body, _in(units, each.mass, "kg"), units.vector(each.center)) for body, each in found.weights.items()]
    shaking = [
        (name, _in(units, each.force, "N"), _in(units, each.moment, "N*m"))
        for name, each in (("without", found.before), ("with", found.after))
    ]
    return shown(
        f"Counterweights of {found.mechanism.name}",
        (("body", "mass", "center"), weights),
        (("", "shaking force, RMS", "shaking moment, RMS"), shaking),
    )


def _in(units: Units, value: float, unit: str) -> str:
    return units.text(value, unit)


def linearization_html(found: Linearization) -> str:
    """The frequencies and damping ratios of small motions."""
    head, *lines = found.text(found.motion.program.mechanism.units).splitlines()
    return shown(head, (("mode", ""), [line.strip().removeprefix("mode ").split(": ", 1) for line in lines]))


def periodic_html(found: PeriodicMotion) -> str:
    """The page that plays a period, and its multipliers."""
    title = joined([element("p", _title(found))])
    return joined([title, Html(motion_html(found.motion) or "")])


def simulations_html(found: Simulations) -> str:
    """Where each simulation begins, and how it ends."""
    rows = [
        (k, *(f"{x:.6g}" for x in values[:, 0]), message or f"at its end, t = {found.times[-1]:g} s")
        for k, (values, message) in enumerate(zip(found.values[:MOST_ROWS], found.messages, strict=False))
    ]
    columns = ("", *(f"{name} at first" for name in found.coordinates), "ended")
    return shown(_title(found), (columns, rows), notes=[f"the first {MOST_ROWS}"] if len(found) > MOST_ROWS else [])


def examples_html(found: Examples) -> str:
    """The names of the examples, and what each is."""
    return shown(_title(found).splitlines()[0], (("name", "what it is"), [*found.about.items()]))
