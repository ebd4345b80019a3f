"""SDF models: links, frames and joints of any graph, so that loops are stated as they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from groupkin.errors import ModelError, shown
from groupkin.exchange.graph import HERE, Graph, Link, Pose
from groupkin.exchange.sdf_joints import JointParts, add_joint
from groupkin.exchange.xml_input import Element
from groupkin.exchange.xml_poses import ONE_SHAPE, by_angles, by_quaternion, shape_of, tensor
from groupkin.mechanism.files.decoding import Folder
from groupkin.mechanism.parts import Shape
from groupkin.messages import hint

GRAVITY = (0.0, 0.0, -9.8)
"""Gravity of SDF where no world states it, m/s²."""

WORLD = "world"

LARGEST_DEPTH = 100
"""Largest number of frames, each relative to the next."""


@dataclass
class _Frames:
    """Frames of a model by name: their elements, and where they are in the world."""

    model: Element
    elements: dict[str, Element] = field(default_factory=dict)
    known: dict[str, tuple[str, Pose]] = field(default_factory=dict)

    def find(self, name: str, at: Element, depth: int = 0) -> tuple[str, Pose]:
        """Find the link of a frame, and where the frame is.

        Raises
        ------
        ModelError
            If there is no such frame, or it is relative to itself.
        """
        if name in self.known:
            return self.known[name]
        element = self.elements.get(name)
        if element is None:
            raise ModelError(f"{at.where}: there is no link, joint or frame {shown(name)}{hint(name, self.elements)}")
        if depth > LARGEST_DEPTH:
            raise ModelError(f"{element.where}: its pose is relative to itself")
        stated = element.one("pose")
        relative = "" if stated is None else stated.attributes.get("relative_to", "")
        attached = element.text_of("child") if element.tag == "joint" else element.attributes.get("attached_to", "")
        base = self.find(relative or attached or "__model__", element, depth + 1)
        own = pose_of(element)
        link = name if element.tag == "link" else self.find(attached, element, depth + 1)[0] if attached else base[0]
        self.known[name] = link, base[1].after(own)
        return self.known[name]


def pose_of(element: Element) -> Pose:
    """Read the pose that an element states, the identity where it states none.

    Raises
    ------
    ModelError
    """
    stated = element.one("pose")
    if stated is None or not stated.text.strip():
        return HERE
    if stated.attributes.get("rotation_format") == "quat_xyzw":
        numbers = stated.numbers(stated.text, 7)
        if not numbers[3:].any():
            raise ModelError(f"{element.where}: its quaternion is zero")
        return by_quaternion(numbers[:3], *numbers[3:].tolist())
    numbers = stated.numbers(stated.text, 6)
    degrees = stated.attributes.get("degrees", "false") in ("true", "1")
    return by_angles(numbers[:3], np.deg2rad(numbers[3:]) if degrees else numbers[3:])


def read_sdf(root: Element, path: Path, folder: Folder, friction: bool) -> Graph:
    """Read an SDF model.

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
    model, gravity = _model(root, path)
    frames = _Frames(model)
    place = pose_of(model)
    frames.known = {WORLD: (WORLD, HERE), "__model__": ("", place)}
    for child in model.all("link", "joint", "frame"):
        name = child.attribute("name")
        if name in frames.elements or name in frames.known:
            raise ModelError(f"{child.where}: there are two links, joints or frames of this name; rename one")
        frames.elements[name] = child
    parts = JointParts()
    links = {link.name: _link(link, frames, folder, parts.left_out) for link in model.all("link")}
    if not links:
        raise ModelError(f"{model.where} has no links")
    frames.known["__model__"] = next(iter(links)), place  # of frames that are attached to the model
    version = root.attributes.get("version", "1.7")
    for joint in model.all("joint"):
        add_joint(parts, joint, frames.find, _is_old(root, version), friction)
    _list_others(model, parts.left_out)
    held = any(WORLD in edge.links for edge in parts.edges.values())
    fixed = WORLD if held else next(iter(links))
    if held:
        links = {WORLD: Link(WORLD), **links}
    else:
        parts.left_out.append(f"no joint holds the model to the world: link {fixed!r} is taken as fixed (--fix, fix=)")
    return Graph(
        name=model.name or path.stem,
        fixed=fixed,
        links={**links, **parts.links},
        edges=parts.edges,
        followings=tuple(parts.followings),
        loads=tuple(parts.loads),
        gravity=np.array(gravity),
        start=parts.start,
        left_out=tuple(parts.left_out),
        frames={name: frames.find(name, element) for name, element in frames.elements.items()},
    )


def _is_old(root: Element, version: str) -> bool:
    """Whether axes are in the frame of the model by default."""
    try:
        return tuple(int(part) for part in version.split(".")[:2]) <= (1, 4)
    except ValueError:
        raise ModelError(f"{root.where}: its version is no number: {shown(version)}") from None


def _model(root: Element, path: Path) -> tuple[Element, tuple[float, ...]]:
    """Find the only model of a file, and gravity.

    Raises
    ------
    ModelError
        If there is none, or several, or what cannot be read.
    """
    worlds = root.all("world")
    inside = [*root.all("model"), *(model for world in worlds for model in world.all("model"))]
    models = [model for model in inside if model.text_of("static") not in ("true", "1")]
    for element in (*root.walk(),):
        if element.tag == "include":
            raise ModelError(f"{element.where}: files that are included are not read; write them into one file")
    if len(models) != 1:
        raise ModelError(f"{path.name} has {len(models)} models that are not static; one is read from a file")
    nested = models[0].one("model")
    if nested is not None:
        raise ModelError(f"{nested.where}: models within models are not read; write its links into the outer one")
    for key in ("placement_frame", "merge"):
        if models[0].attributes.get(key):
            raise ModelError(f"{models[0].where}: {key} is not read; give its pose instead")
    stated = worlds[0].one("gravity") if worlds else None
    return models[0], GRAVITY if stated is None else tuple(stated.numbers(stated.text, 3).tolist())


def _link(element: Element, frames: _Frames, folder: Folder, left_out: list[str]) -> Link:
    """Read a link with its mass and its first mesh."""
    pose = frames.find(element.name, element)[1]
    inertial = element.one("inertial")
    if inertial is None:
        left_out.append(f"link {element.name!r} states no inertia: by SDF it has 1 kg and 1 kg m²")
    mass, inside, at = 1.0, np.eye(3), pose
    if inertial is not None:
        at = pose.after(pose_of(inertial))
        keys = zip(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), (1.0, 1.0, 1.0, 0.0, 0.0, 0.0), strict=True)
        mass = inertial.number(inertial.text_of("mass") or None, 1.0)
        inside = tensor(*(inertial.number(inertial.text_of("inertia", key) or None, default) for key, default in keys))
    turned = at.rotation @ inside @ at.rotation.T
    shape = _shape(element, pose, folder, left_out)
    return Link(element.name, pose.shift, mass, at.shift, 0.5 * (turned + turned.T), {}, shape)


def _shape(link: Element, pose: Pose, folder: Folder, left_out: list[str]) -> Shape | None:
    found = None
    for visual in link.all("visual"):
        mesh = visual.at("geometry", "mesh")
        if mesh is None:
            continue
        if found is not None:
            left_out.append(f"{mesh.where}: {ONE_SHAPE}")
            continue
        scale = mesh.numbers(mesh.text_of("scale") or None, 3, (1.0, 1.0, 1.0))
        found = shape_of(mesh, mesh.text_of("uri"), scale, pose.after(pose_of(visual)), folder, left_out)
    return found


def _list_others(model: Element, left_out: list[str]) -> None:
    """List what a mechanism does not have."""
    touching = sum(len(link.all("collision")) for link in model.all("link"))
    if touching:
        left_out.append(f"contacts of {touching} collision shapes")
    for element in model.children:
        if "bushing" in element.tag:
            left_out.append(f"{element.where}: a bushing; a loop that it closes can be stated by --loops (loops=)")
        elif element.tag in ("plugin", "gripper"):
            left_out.append(f"{element.where}")
