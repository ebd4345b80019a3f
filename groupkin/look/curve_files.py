"""Curves of cams as files for machines and drawings: DXF and CSV."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from groupkin.durable_files import disk_errors, write_atomically
from groupkin.errors import NoGeometryError, OutputError, UnknownNameError
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.units import Units
from groupkin.messages import hint, listed

INSERT_UNITS = {"m": 6, "dm": 14, "cm": 5, "mm": 4, "um": 9, "km": 7, "in": 1, "ft": 2}
"""Codes of units of length in DXF files (header variable INSUNITS)."""


def cam_curves(mechanism: Mechanism, joint: str | None = None) -> dict[str, Curve]:
    """List the curves of the cams of a mechanism, or of one joint, by names.

    Raises
    ------
    UnknownNameError, NoGeometryError
        If there is no such joint, or it has no curve.
    """
    if joint is not None and joint not in mechanism.joint:
        raise UnknownNameError(f"there is no joint {joint!r}{hint(joint, mechanism.joint)}")
    found: dict[str, Curve] = {}
    for each in mechanism.joints if joint is None else [mechanism.joint[joint]]:
        curves = (each.curve,) if each.curve is not None else each.curves or ()
        names = [each.name] if len(curves) == 1 else [f"{each.name} {k}" for k in range(1, len(curves) + 1)]
        found |= dict(zip(names, curves, strict=True))
    if not found:
        what = mechanism.name if joint is None else f"joint {joint!r}"
        raise NoGeometryError(f"{what} has no curve: only cams (L) have curves to export")
    return found


def write_dxf(curves: Mapping[str, Curve], path: Path, units: Units) -> None:
    """Write curves as polylines through their points, one layer each, to a DXF file.

    Raises
    ------
    OutputError
        If ezdxf is missing, or the file cannot be written.
    """
    drawing = new_drawing(units)
    for name, curve in curves.items():
        layer = plain_layer(name)
        drawing.layers.add(layer)
        points = [(x / units.meters, y / units.meters) for x, y in curve.points]
        drawing.modelspace().add_lwpolyline(points, close=curve.closed, dxfattribs={"layer": layer})
    with disk_errors(path, begun=False):
        drawing.saveas(path)


def new_drawing(units: Units) -> Any:
    """Begin a DXF drawing, of the package ezdxf, in a unit of length.

    Raises
    ------
    OutputError
        If ezdxf is missing.
    """
    try:
        import ezdxf
    except ImportError:
        raise OutputError("DXF files need ezdxf: pip install 'groupkin[dxf]'") from None
    return ezdxf.new("R2010", units=INSERT_UNITS[units.length])  # type: ignore[attr-defined]


def plain_layer(name: str) -> str:
    """Write a name with signs that the name of a layer may have."""
    return "".join(sign if sign.isalnum() or sign in "_- " else "_" for sign in name)


def write_csv(curves: Mapping[str, Curve], path: Path, units: Units) -> None:
    """Write the points of one curve to a CSV file with the columns x and y.

    Raises
    ------
    OutputError
        If there are several, or the file cannot be written.
    """
    if len(curves) > 1:
        raise OutputError(f"a CSV file holds one curve, and these are {listed(curves)}: name the joint of one")
    (curve,) = curves.values()
    lines = [f"{x / units.meters!r}, {y / units.meters!r}" for x, y in curve.points]
    with disk_errors(path, begun=False):
        write_atomically(path, "\n".join(["x, y", *lines, ""]))
