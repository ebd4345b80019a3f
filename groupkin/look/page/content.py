"""What a page shows, as plain data for its script: shapes, poses, structure, plots."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from groupkin.dynamics.reactions.forces import Forces
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity, components, unit
from groupkin.look.diagrams.signs import dense
from groupkin.look.diagrams.structural_diagram import (
    HEAD,
    RADIUS,
    arrow_ends,
    diagram_layout,
    driven_freedoms,
    label_place,
    smooth,
)
from groupkin.look.force_arrows import LONGEST, arrows, largest, scale
from groupkin.look.page.solids import solid_data
from groupkin.look.palette import FRAME, GRAY, GROUPS, INK, PAPER
from groupkin.look.scenes.configurations import Configuration
from groupkin.look.scenes.plane_scene import PATH, PlaneScene, plane_scene
from groupkin.look.scenes.scene import (
    Between,
    Shape,
    Solid,
    is_stretched,
    local,
    names,
    owner,
    poses_during,
    poses_in,
)
from groupkin.look.scenes.space_scene import SpaceScene, space_scene
from groupkin.mechanism.units import conversion
from groupkin.messages import unknown
from groupkin.structure.decomposition import Group, Structure
from groupkin.tolerances import COINCIDENT, ROUNDING
from sglibrary.array_types import Array, Flags, Ints

LETTER = 0.094
"""Width of a letter of a group's label in the structural diagram, relative to the distance of its layers."""

SHOWN = 8.0
"""Time in which a motion without times is played (s)."""

MOST_TRACED = 12
"""Points that are traced if none are chosen."""


@dataclass(frozen=True)
class Frames:
    """Steps of a motion that a page shows.

    Attributes
    ----------
    steps : (n,) array of int
    parts : (n,) array of int
        First of the steps that each stands for.
    """

    steps: Ints
    parts: Ints


def thinned(count: int, most: int) -> Frames:
    """Choose at most so many steps of a motion, evenly, both ends among them.

    Examples
    --------
    >>> thinned(5, 3)
    Frames(steps=array([0, 2, 4]), parts=array([0, 1, 3]))
    """
    steps = np.unique(np.linspace(0, count - 1, min(count, max(most, 2))).round().astype(np.int64))
    parts = np.concatenate([[0], (steps[:-1] + steps[1:]) // 2 + (steps[:-1] + steps[1:]) % 2])
    return Frames(steps, np.minimum(parts, steps))


def packed(values: Any, kind: type = np.float32) -> str:
    """Numbers in base64, little-endian."""
    return base64.b64encode(np.ascontiguousarray(values, np.dtype(kind).newbyteorder("<")).tobytes()).decode()


# --- mechanism -------------------------------------------------------------------------------


def scene_data(
    view: Configuration, scene: PlaneScene | SpaceScene, trace: Sequence[str] | None = None
) -> dict[str, Any]:
    """Shapes and points in coordinates of what moves them, in multiples of the size of the mechanism.

    They are relative to an `origin` of each owner, so that mechanisms far from the global origin stay exact.
    """
    size, center = view.geometry.size, middle(view)
    parts: Sequence[Shape | Solid] = scene.shapes if isinstance(scene, PlaneScene) else scene.solids
    points = chosen_points(view, trace)
    keys = list(dict.fromkeys([*(part.owner for part in parts), *(point["owner"] for point in points)]))
    poses = poses_in(view, keys, scene.ends)
    origins = {key: origin(view, key) for key in keys}

    def place(key: str, at: Array) -> Array:
        rotation, shift = poses[key]
        return np.asarray(((at - shift) @ rotation - origins[key]) / size)

    listed = []
    for part in sorted(parts, key=lambda part: part.level if isinstance(part, Shape) else 0.0):
        spots = (local(part, poses) - origins[part.owner]) / size
        data = _shape_data(part, spots) if isinstance(part, Shape) else solid_data(part, spots, scene.r, size)
        listed += [{"owner": keys.index(part.owner), "gid": part.gid, **data}] if data else []
    for point in points:
        point["at"] = rounded(place(point["owner"], point["at"]))
        point["owner"] = keys.index(point["owner"])
    group_of = view.structure.group_of
    owners = []
    for key in keys:
        kind, _, name = key.partition(" ")
        group = group_of.get(name if kind == "body" else scene.ends[key].bodies[0])
        number = group.number if group and not is_stretched(key) else 0
        color = view.color(name if kind == "body" else scene.ends[key].bodies[0])[0] if number else 0
        still = {"origin": list(origins[key]), "stretched": is_stretched(key)}
        owners.append({"key": key, "name": name, "group": number, "color": color, **still})
    bodies = [
        {
            "name": body,
            "owner": keys.index(owner(body)),
            "at": rounded(place(owner(body), view.points(body).mean(axis=0))),
        }
        for body in view.mechanism.movable
    ]
    everything = np.concatenate([view.points(body) for body in view.mechanism.body])
    ground = float(scene.ground - center[-1]) / size if isinstance(scene, SpaceScene) else 0.0
    low, high = ((end - center) / size for end in (everything.min(axis=0), everything.max(axis=0)))
    return {
        "size": size,
        "center": list(center),
        "r": scene.r / size,
        "ground": ground,
        "box": [rounded(low), rounded(high)],
        "owners": owners,
        "parts": listed,
        "points": points,
        "bodies": bodies,
    }


def body_colors(data: Mapping[str, Any]) -> dict[str, int]:
    """Numbers of the colors of moving bodies, by their names."""
    return {each["name"]: data["owners"][each["owner"]]["color"] for each in data["bodies"]}


def middle(view: Configuration) -> Array:
    """Middle of the mechanism, to which a page refers all positions, m."""
    everything = np.concatenate([view.points(body) for body in view.mechanism.body])
    return np.asarray(0.5 * (everything.min(axis=0) + everything.max(axis=0)))


def origin(view: Configuration, key: str) -> Array:
    """Point of an owner, in its coordinates, to which its shapes refer, m."""
    kind, _, name = key.partition(" ")
    return view.middle(name) if kind == "body" else np.zeros(view.mechanism.dimension)


def chosen_points(view: Configuration, trace: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """Points that can be traced: named ones on no joint, then joints; with their names and places, and if they are.

    Raises
    ------
    UnknownNameError
        If a point that is to be traced is none of them.
    """
    listed: list[dict[str, Any]] = []
    for name, at in view.free_points.items():
        listed.append({"name": name, "kind": "point", "owner": owner(view.geometry.points[name][0]), "at": at})
    moving = {}
    for joint in view.mechanism.joints:
        bodies = [body for body in joint.bodies if body != view.mechanism.frame]
        moving[(joint.of or joint).name] = owner(bodies[-1] if bodies else joint.bodies[0])
    taken = {point["name"] for point in listed}
    for texts, at in names(view, COINCIDENT * view.geometry.size):
        joints = [text for text in texts if text in moving]
        if joints and not taken & set(texts):
            listed.append({"name": ", ".join(texts), "kind": "joint", "owner": moving[joints[0]], "at": at})
    known = {text: point["name"] for point in listed for text in point["name"].split(", ")}
    known |= {point["name"]: point["name"] for point in listed}
    for name in trace or ():
        if name not in known:
            raise unknown("point or joint", name, list(known))
    if trace is None:
        chosen = {point["name"] for point in listed[:MOST_TRACED] if point["kind"] == "point"}
    else:
        chosen = {known[name] for name in trace}
    return [{**point, "traced": point["name"] in chosen} for point in listed]


def rounded(values: Any) -> list[Any]:
    """Numbers with six decimals of the size, None for NaN."""
    places = np.round(np.asarray(values, float), 6)
    return (
        [[None if not np.isfinite(x) else x for x in row] for row in places.tolist()]
        if places.ndim > 1
        else places.tolist()
    )


def _shape_data(shape: Shape, points: Array) -> dict[str, Any]:
    tones = {"fill": shape.fill, "edge": shape.edge}
    colors = {key: [tone.base, round(tone.share, 4)] for key, tone in tones.items() if tone is not None}
    over = {"over": True} if shape.level >= PATH else {}
    return {"points": rounded(points), "width": shape.width, "butt": shape.butt, **colors, **over}


# --- forces ----------------------------------------------------------------------------------


def force_data(forces: Forces, data: dict[str, Any], frames: Frames) -> dict[str, Any]:
    """Arrows of forces: where they begin, and what they are in multiples of the largest of the motion."""
    most = largest(forces) or 1.0
    steps = filled(forces.motion.placed, frames.steps)
    return {
        "scale": scale(largest(forces), forces.motion.program.mechanism.units),
        "longest": LONGEST,
        "arrows": [
            {
                "kind": "joint" if each.in_joint else "point",
                "name": each.name,
                "at": packed((each.at - np.array(data["center"])) / data["size"]),
                "force": packed(each.force / most),
            }
            for each in arrows(forces, steps)
        ],
    }


# --- motion ----------------------------------------------------------------------------------


def pose_data(motion: Motion, data: dict[str, Any], ends: Mapping[str, Between], frames: Frames) -> list[str]:
    """Poses of all owners: position and quaternion (x, y, z, w) in space, position, cosine and sine in the plane.

    A spring has its stretch besides. Where a step has no positions, those of the one before stand.
    """
    shown = motion.at(filled(motion.placed, frames.steps))
    frame = owner(motion.program.mechanism.frame)
    poses = poses_during(shown, [entry["key"] for entry in data["owners"]], ends)
    listed = []
    for entry in data["owners"]:
        turn, shift = poses[entry["key"]]
        shift = shift + turn @ np.array(entry["origin"])
        shift = (shift - np.array(data["center"])) / data["size"]
        more = []
        if is_stretched(entry["key"]):
            stretch = np.linalg.norm(turn[:, :, 0], axis=1)
            turn = turn / np.linalg.norm(turn, axis=1, keepdims=True)
            more = [stretch[:, None]]
        turned = turn[:, :, 0] if turn.shape[1] == 2 else quaternions(turn)
        rows = np.concatenate([shift, turned, *more], axis=1)
        listed.append(packed(rows[:1] if entry["key"] == frame else rows))
    return listed


def filled(placed: Flags, steps: Ints) -> Ints:
    """Steps, with the last one before, or the first of all, in place of those that have no positions.

    Examples
    --------
    >>> filled(np.array([False, True, False, True]), np.arange(4))
    array([1, 1, 1, 3])
    """
    good = np.flatnonzero(placed)
    return np.asarray(good[np.maximum(np.searchsorted(good, steps, side="right") - 1, 0)])


def quaternions(rotations: Array) -> Array:
    """Quaternions (n, 4), as (x, y, z, w), of rotation matrices (n, 3, 3)."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(rotations).as_quat())


def time_data(motion: Motion, frames: Frames) -> dict[str, Any]:
    """Times, which of them failed, and the conditioning of groups: at them, and the worst of all steps around them."""
    worst = motion.conditioning.min(axis=0, initial=1.0)
    worst = np.where(np.isfinite(worst) & motion.solved, worst, np.inf)
    lost = np.maximum.reduceat(~motion.solved, frames.parts)
    low = np.minimum.reduceat(worst, frames.parts)
    steps = motion.inputs is not None  # no times are known
    found: dict[str, Any] = {
        "clock": "steps" if steps else "s",
        "pace": max(1.0, motion.times.size / SHOWN) if steps else 1.0,
        "times": packed(motion.times[frames.steps], np.float64),
        "failed": np.flatnonzero(~motion.solved[frames.steps]).tolist(),
        "missing": np.flatnonzero(~motion.placed[frames.steps]).tolist(),
        "worst": packed(np.where(np.isfinite(low), low, 0.0)),
        "lost": np.flatnonzero(lost).tolist(),
        "conditioning": [packed(row[frames.steps]) for row in motion.conditioning],
    }
    if np.isfinite(worst).any():
        step = int(worst.argmin())
        group = int(np.nanargmin(motion.conditioning[:, step])) + 1
        found["least"] = {"value": float(worst[step]), "time": float(motion.times[step]), "group": group}
    return found


def plot_data(
    motion: Motion, quantities: Sequence[Quantity], frames: Frames, colors: Mapping[str, int]
) -> list[dict[str, Any]]:
    """Curves of quantities in the units of the mechanism, those of one quantity and unit together.

    They have the color, of those of bodies by their names, of a body that the quantity belongs to.
    """
    mechanism = motion.program.mechanism
    units = mechanism.units
    listed = []
    for what in quantities:
        values = motion.read(what)[frames.steps].reshape(len(frames.steps), -1)
        labels = _labels(what, motion)
        kinds = unit(what, mechanism).split(", ")
        kinds = kinds if len(kinds) == values.shape[1] else kinds * values.shape[1]
        for kind in dict.fromkeys(kinds):
            factor, name = conversion(kind, units)
            rows = [k for k, each in enumerate(kinds) if each == kind]
            series = [{"label": labels[k], "values": packed(factor * _without_roundings(values[:, k]))} for k in rows]
            title = what.name if what.kind == "joint" else f"{what.kind.replace('_', ' ')} {what.name}".strip()
            color = _color(what, motion, colors)
            listed.append({"title": title, "unit": shown_unit(name), "color": color, "series": series})
    return listed


def shown_unit(name: str) -> str:
    """Write a unit beside numbers.

    Examples
    --------
    >>> shown_unit("deg"), shown_unit("mm/s^2"), shown_unit("1")
    ('°', 'mm/s²', '')
    """
    return "" if name == "1" else name.replace("deg", "°").replace("^2", "²")


def _without_roundings(values: Array) -> Array:
    """Zero where values are next to it, compared with the largest."""
    return np.where(np.abs(values) <= ROUNDING * np.nanmax(np.abs(values), initial=0.0), 0.0, values)


def _labels(what: Quantity, motion: Motion) -> list[str]:
    """Names of the components of a quantity."""
    axes = components(what, motion.program.mechanism)[1]
    if not axes:
        return [what.component]
    if len(axes) == 1:
        return list(axes[0])
    return [f"{row}{column}" for row in axes[0] for column in axes[1]]


def _color(what: Quantity, motion: Motion, colors: Mapping[str, int]) -> int:
    """Number of the color of the last of the bodies that a quantity belongs to, 0 if to none."""
    mechanism, geometry = motion.program.mechanism, motion.program.geometry
    name = what.of if isinstance(what.of, str) else what.of[1]
    bodies: Sequence[str] = (name,)
    if what.kind in ("joint", "joint_rate"):
        bodies = mechanism.joint[name].bodies
    elif name in geometry.points:
        bodies = (geometry.points[name][0],)
    return max((colors.get(body, 0) for body in bodies), default=0)


def default_quantities(motion: Motion, traced: Sequence[str]) -> list[Quantity]:
    """The driven joints and the positions of traced points."""
    mechanism, geometry = motion.program.mechanism, motion.program.geometry
    driven = [Quantity("joint", name) for name in mechanism.driven]
    return [*driven, *(Quantity("position", name) for name in traced if name in geometry.points)]


# --- structure -------------------------------------------------------------------------------


def diagram_data(structure: Structure) -> dict[str, Any]:
    """The structural diagram: circles, arrows and levels, y pointing down."""
    widths = {g.number: max(2.0 * RADIUS, LETTER * len(g.label)) + 0.14 for g in structure.groups}
    plan, edges = diagram_layout(structure, widths, 0.06)
    arrows = []
    for ends, way in zip(edges, plan.ways, strict=True):
        visible, tip, direction = arrow_ends(smooth(way, 24))
        line = np.vstack([visible, tip - 0.8 * HEAD * direction])
        across = 0.4 * HEAD * np.array([-direction[1], direction[0]])
        head = np.array([tip, tip - HEAD * direction + across, tip - HEAD * direction - across])
        arrows.append({"ends": ends, "line": _down(line), "head": _down(head)})
    lines = [dense(smooth(way)) for way in plan.ways]
    taken = [(np.array(at), np.full(2, RADIUS)) for at in plan.places.values()]
    labels = {}
    for group in structure.groups:
        half = np.array([0.5 * LETTER * len(group.label) + 0.06, 0.11])
        labels[str(group.number)] = _down(label_place(np.array(plan.places[group.number]), half, lines, taken))
    places = {number: _down(np.array(at)) for number, at in plan.places.items()}
    everything = np.array([*places.values(), *labels.values(), *(point for arrow in arrows for point in arrow["line"])])
    widest = max([*widths.values(), LETTER * len(structure.mechanism.frame)])
    room = np.array([0.5 * widest, 0.62])
    low, high = everything.min(axis=0) - room, everything.max(axis=0) + room
    return {
        "box": [*np.round(low, 3).tolist(), *np.round(high - low, 3).tolist()],
        "radius": RADIUS,
        "frame": {"at": places[0], "name": structure.mechanism.frame},
        "arrows": arrows,
        "places": {str(group.number): places[group.number] for group in structure.groups},
        "labels": labels,
    }


def _down(points: Array) -> list[Any]:
    return np.round(points * [1.0, -1.0], 3).tolist()


def group_data(structure: Structure, group: Group) -> dict[str, Any]:
    """Numbers of a group."""
    return {
        "number": group.number,
        "label": group.label,
        "bodies": list(group.bodies),
        "level": group.level,
        "driven": driven_freedoms(structure, group),
        "after": list(group.depends_on),
        "joints": [*group.external, *group.internal],
        "solver": group.solver,
    }


def summary(structure: Structure) -> str:
    """One line about a mechanism."""
    from groupkin.messages import counted

    mechanism = structure.mechanism
    return " · ".join(
        [
            counted(len(mechanism.movable), "movable body", "movable bodies"),
            counted(len(mechanism.stated_joints), "joint"),
            f"mobility {structure.mobility}, {structure.driven} driven",
            counted(len(structure.groups), "structural group"),
        ]
    )


def palette() -> dict[str, Any]:
    """Colors of groups and of what is neutral, on white paper."""
    return {"groups": GROUPS, "ink": INK, "gray": GRAY, "frame": FRAME, "paper": PAPER}


def make_scene(view: Configuration) -> PlaneScene | SpaceScene:
    """Make the scene of a mechanism in the plane or in space."""
    return plane_scene(view) if view.mechanism.dimension == 2 else space_scene(view)
