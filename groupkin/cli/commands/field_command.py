"""The command ``groupkin field``."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groupkin.cli import options
from groupkin.cli.terminal import notice
from groupkin.text_forms import written

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from groupkin.kinematics.fields import Field
    from groupkin.kinematics.motion.motion import Motion
    from groupkin.mechanism.mechanism import Mechanism


@click.command()
@options.mechanism_argument
@click.argument("value", metavar="QUANTITY")
@click.option(
    "--over",
    type=(str, float, float),
    multiple=True,
    required=True,
    metavar="FREEDOM FROM TO",
    help="A driven freedom such as 'joint pose.x' and its range, in the units of the file; the first is put to the "
    "right, the second upward.",
)
@click.option(
    "--at",
    type=(str, float),
    multiple=True,
    metavar="FREEDOM VALUE",
    help="Hold another driven freedom there (repeatable); default: as in the reference configuration.",
)
@click.option(
    "--by",
    multiple=True,
    metavar="FREEDOM",
    help="Plot how far QUANTITY is from singular positions if this freedom were driven (repeatable): 0 where it can "
    "move although these are locked, 1 at most.",
)
@click.option("--length", type=float, help="By which --by divides lengths where angles are compared with them.")
@click.option("--steps", type=int, default=101, show_default=True, help="Values of each of the two.")
@click.option("--mark", type=float, default=0.0, show_default=True, help="The level at which a curve is drawn.")
@options.pose_options
@click.option("--out", "--picture", "out", type=options.PATH, help="An .svg, .png or .pdf file; needed without --json.")
@click.option("--width", type=float, default=86.0, show_default=True, help="Of the plot, in mm: 178 is a page.")
@options.json_option
def field(
    file: Path,
    value: str,
    over: tuple[tuple[str, float, float], ...],
    at: tuple[tuple[str, float], ...],
    by: tuple[str, ...],
    length: float | None,
    steps: int,
    mark: float,
    assemble: bool,
    modes: tuple[str, ...],
    out: Path | None,
    width: float,
    as_json: bool,
) -> None:
    """Plot QUANTITY of the mechanism in FILE over a plane section of its workspace.

    Two driven freedoms take all values between two, all others are held; what cannot be reached stays blank: positions
    that cannot be assembled, are singular, or are outside of ranges of the mechanism.
    QUANTITY is one number that follows from positions, such as conditioning or 'joint leg_1'.
    """
    if len(over) != 2:
        raise click.UsageError("a field is over two driven freedoms; state --over twice")
    if length is not None and not by:
        raise click.UsageError("--length belongs to --by")
    if out is None and not as_json:
        raise click.UsageError("state --out, or --json")
    import numpy as np

    from groupkin.kinematics.fields import field as run
    from groupkin.picture_files import check_optional

    described = options.read_file(file)
    check_optional(out)
    mechanism = described.mechanism
    ranges = {_freedom(text, mechanism): bounds for text, *bounds in over}
    factors = {text: _factor(text, mechanism) for text in ranges}
    program = options.prepared(described, assemble, np.zeros(1), modes)
    wanted: Any = value
    if by:
        own = None if length is None else length / _per_meter(mechanism)
        wanted = _distance(value, [_freedom(text, mechanism) for text in by], own)
    with notice("solving"):
        found = run(
            program,
            wanted,
            {text: (low / factors[text], high / factors[text]) for text, (low, high) in ranges.items()},
            in_meters(dict(at), mechanism),
            steps,
        )
    if out is not None:
        from groupkin.look.plots.field_plots import drawn

        drawn(found, wanted, mark, out, width, "distance from singular positions" if by else "")
    click.echo(json.dumps(_as_data(found, "" if by else value, factors)) if as_json else found.summary)
    if out is not None:
        click.echo(f"written: {out}", err=True)


def _as_data(found: Field, value: str, factors: dict[str, float]) -> dict[str, Any]:
    """Convert a field to plain data in the units of the file; null where a position is not reached."""
    from groupkin.kinematics.fields import MEANING

    factor = _factor(value, found.program.mechanism) if value else 1.0
    return {
        "over": {text: (factors[text] * x).tolist() for text, x in zip(found.over, found.sides, strict=True)},
        "values": [[factor * x if math.isfinite(x) else None for x in row] for row in found.values.tolist()],
        "status": found.status.tolist(),
        "meanings": MEANING,
        "positions": found.counts,
        "outside": found.outside,
    }


def in_meters(held: Mapping[str, float], mechanism: Mechanism) -> dict[str, float]:
    """Convert values of freedoms from the units of the file to m and rad."""
    named = {_freedom(text, mechanism): number for text, number in held.items()}
    return {text: number / _factor(text, mechanism) for text, number in named.items()}


def _factor(text: str, mechanism: Mechanism) -> float:
    """Return how many units of the file a meter or radian of a freedom has."""
    from groupkin.kinematics.motion.quantities import quantity, unit
    from groupkin.mechanism.units import conversion

    return conversion(unit(quantity(text, mechanism), mechanism), mechanism.units)[0]


def _per_meter(mechanism: Mechanism) -> float:
    from groupkin.mechanism.units import conversion

    return conversion("m", mechanism.units)[0]


def _freedom(text: str, mechanism: Mechanism) -> str:
    """Return the text form of a freedom, which is one of a joint even if a body or point has the same name."""
    name = text.removeprefix("joint ")
    return f"joint {written(name) if name in mechanism.joint else name}"


def _distance(of: str, by: list[str], length: float | None) -> Any:
    from groupkin.kinematics.jacobians.jacobian import jacobian

    def second(motion: Motion) -> NDArray[Any]:
        return jacobian(motion, of, by).singularities(length).second

    return second
