"""Joints as SDF writes them, in SDF models and in URDF models that close loops so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from groupkin.errors import ModelError, shown
from groupkin.exchange.graph import WELD, Edge, Following, Link, Pose, Term, stated_edge
from groupkin.exchange.xml_input import Element
from groupkin.mechanism.forces.forces import JointFriction, JointSpring, Load
from groupkin.mechanism.points import direction
from sglibrary.array_types import Array

FREE = 1e16
"""Limits beyond which a range has no end, rad or m: SDF writes it so."""

TYPES = {"revolute": "R", "continuous": "R", "prismatic": "P", "ball": "S", "fixed": WELD, "screw": "H"}
"""Pairs by the types of joints that are one pair."""

CHAINS = ("universal", "revolute2")
"""Types that are two hinges with a massless link between."""

Find = Callable[[str, Element], tuple[str, Pose]]
"""Finds the link of a frame by its name, and where the frame is; the element is for messages."""


@dataclass
class JointParts:
    """What joints of a file are made of, to which others are added."""

    edges: dict[str, Edge] = field(default_factory=dict)
    links: dict[str, Link] = field(default_factory=dict)
    loads: list[Load] = field(default_factory=list)
    followings: list[Following] = field(default_factory=list)
    start: dict[str, Array] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    def add(self, edge: Edge, at: Element) -> None:
        """Add an edge.

        Raises
        ------
        ModelError
            If there is one of its name.
        """
        if edge.name in self.edges:
            raise ModelError(f"{at.where}: there are two joints of this name; rename one")
        self.edges[edge.name] = edge

    def add_forces(self, name: str, stiff: float, rest: float, damp: float, dry: float, friction: bool) -> None:
        """Add spring, damper and dry friction of a joint."""
        if stiff or damp:
            at = rest if stiff else 0.0
            self.loads.append(JointSpring(f"spring {name}", name, stiffness=stiff, position=at, damping=damp))
        if dry and friction:
            self.loads.append(JointFriction(f"friction {name}", name, dry))
            self.left_out.append(f"joint {name!r}: its friction {dry:g} grows below a speed, and does not hold at rest")
        elif dry:
            self.left_out.append(f"joint {name!r}: friction {dry:g}")


def axis_of(element: Element, text: str | None, default: tuple[float, ...]) -> Array:
    """Read an axis as a unit vector (3,).

    Raises
    ------
    ModelError
        If it is zero.
    """
    found = element.numbers(text, 3, default)
    if not found.any():
        raise ModelError(f"{element.where}: its axis is zero; give a direction")
    return direction(found.tolist(), 3, "axis")


def add_joint(parts: JointParts, joint: Element, find: Find, old: bool, friction: bool) -> None:
    """Add a joint of SDF.

    Parameters
    ----------
    parts : JointParts
    joint : Element
    find : callable
    old : bool
        Whether axes are in the frame of the model by default, as up to version 1.4.
    friction : bool
        Whether dry friction is read.

    Raises
    ------
    ModelError
        If it is of a type that is not read, or names what does not exist.
    """
    name, kind = joint.attribute("name"), joint.attribute("type")
    if kind not in TYPES and kind not in CHAINS:
        raise ModelError(
            f"{joint.where} is of type {shown(kind)}, which is not read; read are {', '.join([*TYPES, *CHAINS])}"
        )
    ends = [joint.text_of(key) for key in ("parent", "child")]
    if not all(ends):
        raise ModelError(f"{joint.where} needs a parent and a child")
    links = find(ends[0], joint)[0], find(ends[1], joint)[0]
    if links[0] == links[1]:
        raise ModelError(f"{joint.where} joins link {links[0]!r} to itself")
    at = find(name, joint)[1]
    axes = [_axis(each, at, find, old) for key in ("axis", "axis2") if (each := joint.one(key)) is not None]
    symbol = TYPES.get(kind, "R")
    if len(axes) < (2 if kind in CHAINS else 1 if symbol in ("R", "P", "H") else 0):
        raise ModelError(f"{joint.where} needs an axis")
    if kind in CHAINS:
        between = f"{name} cross"
        parts.links[between] = Link(between, at.shift)
        for k, pair in enumerate(((links[0], between), (between, links[1]))):
            hinge = f"{name}.{k + 1}"
            parts.add(stated_edge(hinge, "R", pair, at.shift, axes[k], where=joint.where), joint)
            _read_axis(parts, joint.all("axis", "axis2")[k], hinge, friction)
        return
    made = stated_edge(name, symbol, links, at.shift, axes[0] if symbol in ("R", "P", "H") else None, where=joint.where)
    if symbol == "H":
        made = replace(made, pitch=_pitch(joint))
    parts.add(made, joint)
    stated = joint.one("axis")
    if stated is not None and symbol in ("R", "P", "H"):
        _read_axis(parts, stated, name, friction)


def _axis(axis: Element, at: Pose, find: Find, old: bool) -> Array:
    """The direction (3,) of an axis."""
    xyz = axis.one("xyz")
    found = axis_of(axis, xyz.text if xyz is not None else None, (0.0, 0.0, 1.0))
    stated = xyz.attributes.get("expressed_in", "") if xyz is not None else ""
    in_model = axis.text_of("use_parent_model_frame", default="1" if old else "0") in ("1", "true")
    if stated or in_model:
        return np.asarray(find(stated or "__model__", axis)[1].rotation @ found)
    return np.asarray(at.rotation @ found)


def _pitch(joint: Element) -> float:
    """Advance per radian of a screw, m; by its own parameter rad/m, negative where right-handed, or by m per turn."""
    per_turn = joint.one("screw_thread_pitch")
    if per_turn is not None:
        return joint.number(per_turn.text) / (2.0 * np.pi)
    given = joint.number(joint.text_of("thread_pitch") or None, 1.0)
    if not given:
        raise ModelError(f"{joint.where}: its thread_pitch is zero; give a number of rad/m")
    return -1.0 / given


def _read_axis(parts: JointParts, axis: Element, name: str, friction: bool) -> None:
    """Read range, forces, start and mimic of an axis."""

    def number(*path: str) -> float:
        return axis.number(axis.text_of(*path) or None, 0.0)

    low, high = (
        axis.number(axis.text_of("limit", key) or None, end) for key, end in (("lower", -FREE), ("upper", FREE))
    )
    if max(-low, high) < FREE and low < high:
        parts.edges[name] = replace(parts.edges[name], range=(low, high))
    stiff, rest, damp, dry = (
        number("dynamics", key) for key in ("spring_stiffness", "spring_reference", "damping", "friction")
    )
    parts.add_forces(name, stiff, rest, damp, dry, friction)
    if axis.one("initial_position") is not None:
        parts.start[name] = np.array([number("initial_position"), *([0.0] if parts.edges[name].type == "H" else [])])
    mimic = axis.one("mimic")
    if mimic is not None:
        terms = [Term(name, 1.0)], [Term(mimic.attribute("joint"), 1.0)]
        powers = [number("mimic", "offset"), axis.number(axis.text_of("mimic", "multiplier") or None, 1.0)]
        zeros = (0.0, number("mimic", "reference"))
        parts.followings.append(Following(f"mimic {name}", *terms, powers, zeros))
