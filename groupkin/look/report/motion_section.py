"""The motion in a report: what failed, plots, ranges and conditioning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from groupkin.errors import GroupkinError, NotModeledError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity, quantity
from groupkin.kinematics.motion.residuals import max_residual
from groupkin.kinematics.solving import failures
from groupkin.look.drawing import mechanism_picture
from groupkin.look.markup import Html, element, group_sign, joined, picture
from groupkin.look.plots.plot_values import TIME, Source, source_of
from groupkin.look.plots.plots import plot, text_of
from groupkin.look.report.layout import figure, note, titled
from groupkin.look.report.mechanism_section import listing
from groupkin.look.report.ranges_table import ranges
from groupkin.look.report.subject import Section, Subject
from groupkin.look.scenes.configurations import configuration_at
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.messages import counted
from groupkin.tolerances import COINCIDENT, ROUNDING
from sglibrary.array_types import Array

MOST_POINTS, MOST_DRIVERS, MOST_CURVES = 12, 12, 6
"""Points whose paths, drivers whose values and groups whose conditioning are plotted."""

POOR = 0.02
"""Conditioning below which a report warns that the mechanism comes near a singular position."""

MOST_PLOTTED = 3000
"""Steps that a plot shows, evenly chosen; more would not be seen."""


def section(subject: Subject) -> Section:
    """Report the motion of a mechanism, or why there is none."""
    motion = subject.motion
    if motion is None:
        return Section("Motion", element("p", f"No motion: {subject.without}", class_="alert"))
    if not motion.times.size:
        return Section("Motion", element("p", "The motion has no steps.", class_="alert"))
    parts = [_verdict(motion, subject.seconds)]
    if motion.solved.any():
        named = configuration_at(motion, int(np.flatnonzero(motion.placed)[0])).free_points
        points = [name for name in named if _moves(motion, name)]
        parts += [
            _plots(subject, motion, points),
            ranges(motion),
            *_extremes(motion, points),
            _conditioning(subject, motion),
        ]
    return Section("Motion", joined(parts))


def _moves(motion: Motion, point: str) -> bool:
    """Whether a point moves at all: one on the axis of a hinge at the frame does not."""
    spans = np.ptp(motion.position(point)[motion.placed], axis=0)
    return bool(spans.max() > COINCIDENT * motion.program.geometry.size)


def _verdict(motion: Motion, seconds: float | None) -> Html:
    """What was solved, how exactly and how quickly; steps that failed."""
    solved, steps = int(motion.solved.sum()), motion.times.size
    span = f" from t = {motion.times[0]:.6g} s to {motion.times[-1]:.6g} s" if motion.inputs is None else ""
    text = f"{solved} of {counted(steps, 'step')} solved{span}"
    if solved:
        text += f"; joints close to {max_residual(motion):.1e} of the size"
    if seconds is not None:
        text += f"; {1e6 * seconds:.3g} µs per step for position, velocity and acceleration of all bodies"
    if solved == steps:
        return element("p", f"{text}.", class_="good")
    listed = (element("li", line.removesuffix("; --json lists all")) for line in failures.described(motion, 20))
    return element(
        "div", joined([element("span", f"{text}. Not solved:"), element("ul", joined(listed))]), class_="alert"
    )


# --- plots -----------------------------------------------------------------------------------


def _plots(subject: Subject, motion: Motion, points: Sequence[str]) -> Html:
    """Plots of what was asked for, of the driven joints, of what moves at the frame, of the outputs and of paths."""
    shown = thinned(motion)
    mechanism = motion.program.mechanism
    driven = [Quantity("joint", name) for name in list(mechanism.driven)[:MOST_DRIVERS]]
    outputs = [Quantity("output", name) for name in mechanism.outputs]
    paths = [Quantity("position", name) for name in points[:MOST_POINTS]]
    moved = [Quantity("joint", joint.name) for joint in output_joints(mechanism)[:MOST_DRIVERS]]
    over = "over time" if subject.against in (None, TIME) else f"over {text_of(quantity(subject.against, mechanism))}"
    wanted: list[tuple[str, Sequence[Quantity], str | Quantity | None]] = [
        (f"Chosen quantities {over}", subject.plot, subject.against),
        ("Driven joints over time", driven, None),
        ("Joints at the frame that are not driven, over time", moved, None),
    ]
    wanted += [(f"Output {output.of}", [output], "time") for output in outputs]
    wanted += [("Paths of the named points", paths, None)]
    made = [_plotted(shown, *each) for each in wanted]
    left_out = len(points) - MOST_POINTS
    more = note(f"The paths of {counted(left_out, 'more point')} are left out.") if left_out > 0 else Html()
    columns = element("div", joined(made), class_="columns")
    return joined([element("h3", "Plots"), columns, more])


def output_joints(mechanism: Mechanism) -> list[Joint]:
    """Joints of one freedom between the frame and a body, that are not driven: where a mechanism gives its motion."""
    return [
        joint
        for joint in mechanism.joints
        if mechanism.frame in joint.bodies
        and joint.name not in mechanism.driven
        and len(mechanism.freedoms(joint)) == 1
    ]


def _plotted(motion: Motion, caption: str, quantities: Sequence[Quantity], against: str | Quantity | None) -> Html:
    """A plot with its caption, empty where there is nothing to plot."""
    if not quantities:
        return Html()
    try:
        return figure(picture(plot(motion, quantities, against), caption), caption)
    except GroupkinError as error:  # a cam has no coordinate, too many lines
        return note(f"{caption}: {error}")


def thinned(motion: Motion) -> Motion:
    """Choose at most `MOST_PLOTTED` steps of a motion, evenly, and all about those that failed."""
    steps = motion.times.size
    if steps <= MOST_PLOTTED:
        return motion
    chosen = np.linspace(0, steps - 1, MOST_PLOTTED).round().astype(np.int64)
    edges = np.flatnonzero(np.diff(motion.solved))[:MOST_PLOTTED]
    return motion.at(np.unique(np.concatenate([chosen, edges, edges + 1])))


# --- least and largest values ----------------------------------------------------------------


EXTREMES = ("", "least", "at", "largest", "at ", "unit")


def _extremes(motion: Motion, points: Sequence[str]) -> Iterator[Html]:
    """Tables of least and largest values: of outputs and points, and of the coordinates of all joints."""
    mechanism, source = motion.program.mechanism, source_of(motion)
    numbers = EXTREMES[1:5]
    kept = [Quantity("output", name) for name in mechanism.outputs]
    for point in points[:MOST_POINTS]:
        kept += [Quantity("position", point), *(Quantity(kind, point, "norm") for kind in ("velocity", "acceleration"))]
    joints = [Quantity("joint", joint.name) for joint in mechanism.joints]
    for title, quantities in (("Values of outputs and points", kept), ("Values of joint coordinates", joints)):
        yield listing(title, EXTREMES, [row for each in quantities for row in _extreme_rows(source, each)], numbers)


def _extreme_rows(source: Source, quantity: Quantity) -> Iterator[tuple[str, ...]]:
    """The least and the largest value of every component of a quantity, and when they are taken."""
    try:
        values = source.read(quantity)
    except NotModeledError:  # a joint without coordinates
        return
    for component, numbers, unit in zip(values.components, values.numbers.T, values.units, strict=True):
        if not np.isfinite(numbers).any():
            continue
        label = ".".join(part for part in (text_of(quantity), component) if part)
        ends = [int(choose(numbers)) for choose in (np.nanargmin, np.nanargmax)]
        times = [f"{source.times[k]:.4g} {source.abscissa[1]}" for k in ends]
        cells = [cell for k, at in zip(ends, times, strict=True) for cell in (_number(numbers[k], numbers, unit), at)]
        yield label, *(cell.removesuffix(" 1") for cell in cells), unit.replace("deg", "°").replace("^2", "²")


def _number(value: float, all_of_them: Array, unit: str) -> str:
    """Write a number with five digits of the largest, so that roundings do not look like values."""
    largest = float(np.nanmax(np.abs(all_of_them)))
    if unit in ("rad", "deg") and largest <= ROUNDING:
        return "0"
    return f"{0.0 if abs(value) < 1e-9 * largest else value:.5g}"


# --- conditioning ----------------------------------------------------------------------------


def _conditioning(subject: Subject, motion: Motion) -> Html:
    """Conditioning of the groups over time, the worst step, and the mechanism there."""
    known = np.where(motion.solved, motion.conditioning, np.nan)
    if not known.size:
        return Html()
    groups = motion.program.structure.groups
    number, step = divmod(int(np.nanargmin(known)), motion.times.size)
    worst, when = float(known[number, step]), float(motion.times[step])
    order = np.argsort(np.nanmin(known, axis=1), kind="stable")[:MOST_CURVES]
    curves = [Quantity("conditioning", groups[k].bodies[0]) for k in sorted(order)]
    which = "all groups" if len(groups) <= MOST_CURVES else f"the {MOST_CURVES} groups where it is least"
    caption = f"Conditioning of {which}, each named by its first body"
    bodies = ", ".join(groups[number].bodies)
    text = (
        f"Worst step: t = {when:.6g} s, where the conditioning of group {number + 1} ({bodies}) is {worst:.3g}. "
        "It is 1 at best and 0 at a singular position"
    )
    text += ", which is near: small errors of the dimensions are magnified there." if worst < POOR else "."
    both = [_plotted(thinned(motion), caption, curves, None), _worst_picture(subject, motion, when, number + 1)]
    rows = []
    for group, row, status in zip(groups, known, motion.status, strict=True):
        least = int(np.nanargmin(row))
        failed = str(int((status != 0).sum()))
        cells = f"{row[least]:.3g}", f"{motion.times[least]:.4g} s", failed
        rows.append((group_sign(group.number), ", ".join(group.bodies), *cells))
    columns = ("group", "bodies", "least conditioning", "at", "steps not solved")
    content = [
        element("p", text, class_="alert" if worst < POOR else "good"),
        element("div", joined(both), class_="columns"),
        listing("Least conditioning of every group", columns, rows, columns[2:]),
    ]
    return titled("Conditioning", joined(content))


def _worst_picture(subject: Subject, motion: Motion, when: float, number: int) -> Html:
    caption = f"At the worst step, t = {when:.4g} s, with the paths of the points (group {number} is the worst)"
    try:
        return figure(picture(mechanism_picture(motion, when, subject.colors, subject.names), caption), caption)
    except GroupkinError as error:  # too many bodies
        return note(f"No picture: {error}")
