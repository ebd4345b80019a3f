"""URDF models: trees of links, with the elements by which programs close loops in them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from groupkin.errors import ModelError, shown
from groupkin.exchange.graph import HERE, WELD, Following, Graph, Link, Pose, Term, joined_edge, moved_link, stated_edge
from groupkin.exchange.sdf_joints import JointParts, add_joint, axis_of
from groupkin.exchange.sdf_reading import pose_of
from groupkin.exchange.xml_input import Element
from groupkin.exchange.xml_poses import ONE_SHAPE, by_angles, shape_of, tensor
from groupkin.mechanism.files.decoding import Folder
from groupkin.mechanism.parts import Shape
from groupkin.messages import hint
from groupkin.model.geometry.frames import triad
from sglibrary.array_types import Array

TYPES = {"revolute": "R", "continuous": "R", "prismatic": "P", "fixed": WELD, "floating": "F", "planar": "PL"}
"""Pairs by the types of joints."""

LOOPS = {"revolute": "R", "hinge": "R", "spherical": "S", "ball": "S", "prismatic": "P", "fixed": WELD}
"""Pairs by the types of ``loop_joint``."""

GRAVITY = (0.0, 0.0, -9.81)
"""Gravity, which URDF does not state, m/s²."""


def read_urdf(root: Element, path: Path, folder: Folder, friction: bool) -> Graph:
    """Read a URDF model.

    Parameters
    ----------
    root : Element
        Of the file.
    path : Path
    folder : Folder
        Where the files are that it names.
    friction : bool
        Whether dry friction is read.

    Raises
    ------
    ModelError
    """
    parts = JointParts()
    parts.left_out.append("gravity is not stated by URDF: 9.81 m/s² against z")
    stated = {link.attribute("name"): link for link in root.all("link")}
    if len(stated) < len(root.all("link")):
        raise ModelError(f"{root.where}: two of its links have the same name; rename one")
    poses, fixed = _poses(root, stated)
    links = {name: _link(link, poses[name], folder, parts.left_out) for name, link in stated.items()}
    for joint in root.all("joint"):
        _add_joint(parts, joint, poses, friction)
    for each in root.all("loop_joint"):
        _add_loop(parts, each, poses)
    for gazebo in root.all("gazebo"):
        for joint in gazebo.all("joint"):
            _add_gazebo_joint(parts, joint, poses, friction)
    driven = [joint.name for each in root.all("transmission") for joint in each.all("joint")]
    single = [name for name in driven if name in parts.edges and parts.edges[name].type in ("R", "P")]
    touching = sum(len(link.all("collision")) for link in stated.values())
    if touching:
        parts.left_out.append(f"contacts of {touching} collision shapes")
    return Graph(
        name=root.name or path.stem,
        fixed=fixed,
        links={**links, **parts.links},
        edges=parts.edges,
        followings=tuple(parts.followings),
        loads=tuple(parts.loads),
        driven=tuple(dict.fromkeys(single)),
        gravity=np.array(GRAVITY),
        left_out=tuple(parts.left_out),
        frames={name: (name, pose) for name, pose in poses.items()},
    )


def _origin(element: Element | None) -> Pose:
    """Read the pose that an ``origin``, or an element like it, states; the identity of none."""
    if element is None:
        return HERE
    xyz, rpy = (element.numbers(element.attributes.get(key), 3, (0.0, 0.0, 0.0)) for key in ("xyz", "rpy"))
    return by_angles(xyz, rpy)


def _end(joint: Element, key: str) -> str:
    """Name of the link of an end of a joint.

    Raises
    ------
    ModelError
    """
    end = joint.one(key)
    if end is None:
        raise ModelError(f"{joint.where} has no {key}; give it")
    return end.attribute("link")


def _poses(root: Element, links: dict[str, Element]) -> tuple[dict[str, Pose], str]:
    """Where all links are with joints at zero, and the root link.

    Raises
    ------
    ModelError
        If the joints are no tree over all links.
    """
    above: dict[str, tuple[str, Element]] = {}
    for joint in root.all("joint"):
        parent, child = _end(joint, "parent"), _end(joint, "child")
        for link in (parent, child):
            if link not in links:
                raise ModelError(f"{joint.where}: there is no link {shown(link)}{hint(link, links)}")
        if child in above:
            raise ModelError(
                f"{joint.where}: link {child!r} has two parents, which URDF does not know; close the loop by "
                "<loop_joint>, by a joint in <gazebo>, or by a file of loops (--loops, loops=)"
            )
        above[child] = parent, joint
    roots = [name for name in links if name not in above]
    if len(roots) != 1:
        what = (
            "no link is the root: the joints go round" if not roots else f"links {', '.join(roots[:4])} have no parent"
        )
        raise ModelError(f"{root.where}: {what}; a model has one root")
    below: dict[str, list[str]] = {}
    for child, (parent, _) in above.items():
        below.setdefault(parent, []).append(child)
    poses, waiting = {roots[0]: HERE}, [roots[0]]
    while waiting:
        parent = waiting.pop()
        for child in below.get(parent, ()):
            poses[child] = poses[parent].after(_origin(above[child][1].one("origin")))
            waiting.append(child)
    if len(poses) < len(links):
        lost = next(name for name in links if name not in poses)
        raise ModelError(f"{links[lost].where}: its joints go round, and do not lead to the root {roots[0]!r}")
    return poses, roots[0]


def _link(element: Element, pose: Pose, folder: Folder, left_out: list[str]) -> Link:
    """Read a link with its mass and its first mesh."""
    inertial, mass, inside, at = element.one("inertial"), 0.0, np.zeros((3, 3)), HERE
    if inertial is not None:
        at = _origin(inertial.one("origin"))
        stated, moments = inertial.one("mass"), inertial.one("inertia")
        mass = inertial.number(stated.attributes.get("value") if stated is not None else None, 0.0)
        if moments is not None:
            keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
            inside = tensor(*(moments.number(moments.attributes.get(key), 0.0) for key in keys))
    turned = at.rotation @ inside @ at.rotation.T
    own = Link(
        element.name, np.zeros(3), mass, at.shift, 0.5 * (turned + turned.T), {}, _shape(element, folder, left_out)
    )
    return moved_link(own, pose)


def _shape(link: Element, folder: Folder, left_out: list[str]) -> Shape | None:
    found = None
    for visual in link.all("visual"):
        mesh = visual.at("geometry", "mesh")
        if mesh is None:
            continue
        if found is not None:
            left_out.append(f"{mesh.where}: {ONE_SHAPE}")
            continue
        scale = mesh.numbers(mesh.attributes.get("scale"), 3, (1.0, 1.0, 1.0))
        found = shape_of(mesh, mesh.attribute("filename"), scale, _origin(visual.one("origin")), folder, left_out)
    return found


def _add_joint(parts: JointParts, joint: Element, poses: dict[str, Pose], friction: bool) -> None:
    """Add a joint of the tree.

    Raises
    ------
    ModelError
    """
    name, kind = joint.attribute("name"), joint.attribute("type")
    if kind not in TYPES:
        raise ModelError(f"{joint.where} is of type {shown(kind)}, which is not read; read are {', '.join(TYPES)}")
    links = _end(joint, "parent"), _end(joint, "child")
    at, symbol, axis = poses[links[1]], TYPES[kind], joint.one("axis")
    along: Array | None = None
    if symbol in ("R", "P", "PL"):
        stated = axis if axis is not None else joint
        along = at.rotation @ axis_of(stated, stated.attributes.get("xyz"), (1.0, 0.0, 0.0))
    made = stated_edge(name, symbol, links, at.shift, along, where=joint.where)
    limit, dynamics, mimic = (joint.one(key) for key in ("limit", "dynamics", "mimic"))
    if limit is not None and kind in ("revolute", "prismatic"):
        low, high = (limit.number(limit.attributes.get(key), 0.0) for key in ("lower", "upper"))
        made = replace(made, range=(low, high) if low < high else None)
    parts.add(made, joint)
    if dynamics is not None and symbol in ("R", "P"):
        damp, dry = (dynamics.number(dynamics.attributes.get(key), 0.0) for key in ("damping", "friction"))
        parts.add_forces(name, 0.0, 0.0, damp, dry, friction)
    if mimic is not None:
        powers = [mimic.number(mimic.attributes.get(key), x) for key, x in (("offset", 0.0), ("multiplier", 1.0))]
        terms = [Term(name, 1.0)], [Term(mimic.attribute("joint"), 1.0)]
        parts.followings.append(Following(f"mimic {name}", *terms, powers))


def _add_gazebo_joint(parts: JointParts, joint: Element, poses: dict[str, Pose], friction: bool) -> None:
    """Add a joint of SDF that closes a loop, which fits where all joints are at zero."""

    def find(name: str, at: Element) -> tuple[str, Pose]:
        if name == "__model__":
            return "", HERE
        if name == joint.name:
            child = joint.text_of("child")
            return child, find(child, at)[1].after(pose_of(joint))
        if name not in poses:
            raise ModelError(f"{at.where}: there is no link {shown(name)}{hint(name, poses)}")
        return name, poses[name]

    add_joint(parts, joint, find, False, friction)
    last = list(parts.edges)[-1]  # of two hinges the second
    parts.edges[last] = replace(parts.edges[last], loop=True)


def _add_loop(parts: JointParts, joint: Element, poses: dict[str, Pose]) -> None:
    """Add a ``loop_joint``: frames on two links (``link1`` and ``link2``, or ``parent`` and ``child``) that coincide.

    Raises
    ------
    ModelError
    """
    kind = joint.attribute("type")
    if kind not in LOOPS:
        raise ModelError(f"{joint.where} is of type {shown(kind)}, which is not read; read are {', '.join(LOOPS)}")
    ends = joint.all("link1", "link2")  # documents call both of them link1
    places = [_origin(end) for end in ends]
    if not ends:
        ends = [*joint.all("parent"), *joint.all("child")]
        places = [_origin(joint.one(f"{end.tag}_origin")) for end in ends]
    if len(ends) != 2:
        raise ModelError(f"{joint.where} needs two links, as <link1 link=… xyz=… rpy=…/> and <link2 …/>")
    links = ends[0].attribute("link"), ends[1].attribute("link")
    for link in links:
        if link not in poses:
            raise ModelError(f"{joint.where}: there is no link {shown(link)}{hint(link, poses)}")
    axis = joint.one("axis")
    turned = Pose(triad(axis_of(axis, axis.attributes.get("xyz"), (0.0, 0.0, 1.0))), np.zeros(3)) if axis else HERE
    first, second = (poses[link].after(place).after(turned) for link, place in zip(links, places, strict=True))
    made = joined_edge(joint.attribute("name"), LOOPS[kind], links, first, second, loop=True, where=joint.where)
    parts.add(replace(made, point_alone=LOOPS[kind] == "S"), joint)
