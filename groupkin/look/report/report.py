"""The front door of reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from groupkin.arguments import checked
from groupkin.durable_files import check_place, disk_errors, write_atomically
from groupkin.errors import OutputError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity, quantity
from groupkin.look.plots.plot_values import check_plot
from groupkin.look.report.layout import document
from groupkin.look.report.subject import Section, Subject, mechanism_of, subject_of
from groupkin.look.scenes.configurations import check_shown
from groupkin.mechanism.files.reading import MechanismFile
from groupkin.mechanism.mechanism import Mechanism
from groupkin.messages import counted
from groupkin.picture_files import check_matplotlib

SECTIONS = (
    "groupkin.look.report.mechanism_section",
    "groupkin.look.report.structure_section",
    "groupkin.look.report.motion_section",
    "groupkin.look.report.forces_section",
    "groupkin.look.report.limits_section",
    "routes.cli.report_section",
    "groupkin.look.report.origin_section",
)
"""Modules with a function `section` that makes a `Section` of a `Subject`, or None; a report has them in this order."""


@checked
def report(
    what: Motion | Mechanism | MechanismFile,
    out: str | Path,
    file: str | Path | None = None,
    plot: Sequence[str | Quantity] = (),
    against: str | Quantity | None = None,
    limits: bool | None = None,
    colors: str | None = None,
    names: str | None = None,
) -> None:
    """Write all that is known about a mechanism and its motion as one page that can be printed.

    The page has the mechanism with its dimensions and drivers, its structural groups, the motion with its ranges, plots
    and failures, the forces of a mechanism with masses, how far its drivers go, how long solving takes, the routes
    through the groups, and the versions of all that was used. It needs no network and runs no script.

    Parameters
    ----------
    what : Motion, Mechanism or MechanismFile
        A mechanism is solved for one second, at 201 times; that of a file, or of its path, at the times of the file.
        Without geometry or laws the structure is reported.
    out : str or Path
        Ends in .html; a file of this name is replaced.
    file : str or Path, optional
        The mechanism's file, which the page quotes. Default: what `groupkin.save` would write.
    plot : sequence of str or Quantity
        Quantities that are plotted besides the driven joints, the outputs, the joints of one freedom at the frame and
        the paths of the named points.
    against : str or Quantity, optional
        What `plot` is plotted over, see `groupkin.plot`. Default: time.
    limits : bool, optional
        Whether to find how far each driver goes, see `groupkin.limits`, which may take minutes. Default: if there is
        one driver and it takes seconds, as groups have closed forms, or in the plane a hub.
    colors : {"groups", "bodies"}, optional
        What has a color of its own in pictures of the mechanism, as in `draw`. Default: groups.
    names : {"joints", "bodies"}, optional
        What is named in them. Default: joints.

    Raises
    ------
    ArgumentError
        If colors or names are others than these.
    QuantityError, UnknownNameError
        If the mechanism does not have a quantity.
    OutputError
        If matplotlib is missing, the file to be quoted cannot be read, or the page cannot be written.
    NotDeterminedError, NotAssembledError
        If the mechanism cannot be analyzed or solved.
    """
    path = Path(out)
    check_report(path)
    check_shown(colors, names)
    mechanism = mechanism_of(what)
    check_plot(mechanism, plot, against)
    chosen = tuple(quantity(text, mechanism) for text in plot)
    subject = replace(
        subject_of(what, None if file is None else Path(file)),
        plot=chosen,
        against=against,
        limits=limits,
        colors=colors,
        names=names,
    )
    made = [import_module(name).section(subject) for name in SECTIONS]
    sections = [section for section in made if isinstance(section, Section)]
    text = document("Kinematic report", subject.mechanism.name, _summary(subject), _facts(subject), sections)
    with disk_errors(path, begun=False):
        write_atomically(path, text)


def check_report(path: Path) -> None:
    """Refuse a file that no report can be written to.

    Raises
    ------
    OutputError
    """
    if path.suffix.lower() != ".html":
        raise OutputError(f"{path}: a report ends in .html")
    check_place(path)
    check_matplotlib()


def _summary(subject: Subject) -> str:
    where = "the plane" if subject.structure.dimension == 2 else "space"
    bodies = counted(len(subject.mechanism.movable), "movable body", "movable bodies")
    return f"{bodies} and {counted(len(subject.mechanism.stated_joints), 'joint')} in {where}"


def _facts(subject: Subject) -> list[tuple[str, str]]:
    structure, motion = subject.structure, subject.motion
    facts = [
        ("mobility", str(structure.mobility)),
        ("driven freedoms", str(structure.driven)),
        ("structural groups", str(len(structure.groups))),
    ]
    if motion is not None:
        solved = int(motion.solved.sum())
        facts.append(
            ("steps solved", f"{solved} of {motion.times.size}" if solved < motion.times.size else str(solved))
        )
        if solved:
            facts.append(("least conditioning", f"{motion.conditioning[:, motion.solved].min(initial=1.0):.3g}"))
    if subject.seconds is not None:
        facts.append(("time per step", f"{1e6 * subject.seconds:.3g} µs"))
    return facts
