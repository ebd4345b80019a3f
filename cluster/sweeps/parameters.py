"""What varies from sample to sample: geometry of single bodies, motion laws, assembly modes.

A changed point or axis belongs to one body and is changed in the coordinates of that body, which are the global ones
of the reference configuration. Nothing else changes there: coordinates of joints keep their zeros and their meaning,
rods and wheels their sizes. So the reference configuration of a variant need not close; a group is put together from
what is fixed in its bodies, starting from where it is nominally.
"""

from __future__ import annotations

from dataclasses import dataclass

from cluster.sweeps.sampling import Variation


@dataclass(frozen=True)
class Point:
    """A named point on one body, or on all bodies that carry it; `component` x, y or z, or all of them; m."""

    point: str
    body: str = ""
    component: str = ""


@dataclass(frozen=True)
class JointPoint:
    """The point of a joint, on both of its bodies or on one; m.

    Other joints of a body stay where they are, also those at a point of the same name.
    """

    joint: str
    body: str = ""
    component: str = ""


@dataclass(frozen=True)
class Axis:
    """The axis of a joint on one of its bodies, or on both; of any length but zero, nominally of length 1.

    The joint's frame on the body turns with it by the smallest rotation.
    """

    joint: str
    body: str = ""
    component: str = ""


@dataclass(frozen=True)
class Length:
    """The distance of two named points of a body, m. They are moved as little as possible to meet it."""

    body: str
    between: tuple[str, str]


@dataclass(frozen=True)
class LawValue:
    """A number of the motion law of a driver, in the units of the law (m, rad, s, Hz).

    Parameters
    ----------
    joint : str
    field : str
        Of the law, such as ``offset`` of a `Harmonic`.
    index : int, optional
        Of a field that is a sequence.
    freedom : str, optional
        Which of the driven freedoms of the joint; needed where there are several.
    """

    joint: str
    field: str
    index: int | None = None
    freedom: str = ""


@dataclass(frozen=True)
class AssemblyMode:
    """The assembly mode of a group, by the name of one of its bodies: numbers as `groupkin modes` lists them."""

    group: str


Dimension = Point | JointPoint | Axis | Length
"""What changes the geometry of bodies."""

Target = Dimension | LawValue | AssemblyMode


@dataclass(frozen=True)
class Parameter:
    """One thing that varies.

    Parameters
    ----------
    of : Target
    varies : Variation
    name : str
        In results and messages; default: made of what varies.
    relative : bool
        Add the values to the nominal one.
    """

    of: Target
    varies: Variation
    name: str = ""
    relative: bool = False


def label(target: Target) -> str:
    """Make the default name of a parameter."""
    match target:
        case Point(point, body, component):
            parts = [body, point, component]
        case JointPoint(joint, body, component) | Axis(joint, body, component):
            kind = "axis" if isinstance(target, Axis) else "point" if body else ""
            parts = [joint, body, kind, component]
        case Length(body, between):
            parts = [body, "-".join(between)]
        case LawValue(joint, field, index, freedom):
            parts = [joint, freedom, field, "" if index is None else str(index)]
        case AssemblyMode(group):
            parts = ["mode", group]
    return ".".join(part for part in parts if part)
