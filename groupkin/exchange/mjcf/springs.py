"""Forces that MJCF has: springs, dampers and friction in joints, and springs between points."""

from __future__ import annotations

import numpy as np

from groupkin.exchange.mjcf.bodies import numbers
from groupkin.exchange.mjcf.move_tree import MoveTree
from groupkin.mechanism.forces.forces import JointFriction, JointInertia, JointSpring, Load, Spring
from groupkin.mechanism.forces.part import InJoint
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.geometry.geometry import Geometry, local_point
from groupkin.model.trees import padded
from sglibrary.array_types import Array


def in_joints(mechanism: Mechanism, tree: MoveTree) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Attributes of moves by springs, dampers, friction and ranges; forces that are none of these, a line each."""
    sums: dict[str, dict[str, float]] = {}
    left_out = list[str]()
    names = {move.name for moves in tree.moves.values() for move in moves}
    for load in mechanism.forces:
        parts = _parts(load)
        name = mechanism.driver_name(*load.freedom_of(mechanism)) if parts and isinstance(load, InJoint) else ""
        if name not in names:
            left_out += [] if isinstance(load, Spring) else [f"force {load.name!r}"]
            continue
        each = sums.setdefault(name, {})
        for key, x in parts.items():
            each[key] = each.get(key, 0.0) + x
    found: dict[str, dict[str, str]] = {}
    for name, each in sums.items():
        moment, stiff = each.pop("moment", 0.0), each.get("stiffness", 0.0)
        found[name] = {key: repr(float(x)) for key, x in each.items() if x}
        found[name] |= {"springref": repr(moment / stiff)} if stiff else {}
    for joint in mechanism.joints:
        for freedom, ends in mechanism.joint_ranges(joint).items():
            k = next(k for k, each in enumerate(mechanism.freedoms(joint)) if each.name == freedom)
            name = mechanism.driver_name(joint.name, k)
            if name in names and np.isfinite(ends).all():
                found.setdefault(name, {})["range"] = numbers(np.array(ends))
            else:
                left_out.append(f"range of joint {joint.name!r}")
    return found, left_out


def _parts(load: Load) -> dict[str, float]:
    """Numbers of a force that are those of a joint in MJCF, and the moment of a spring at zero; none of others."""
    match load:
        case JointSpring() if not (load.preload or load.table or load.damping_table):
            moment = load.stiffness * load.position
            return {"stiffness": load.stiffness, "moment": moment, "damping": load.damping}
        case JointFriction():
            return {"damping": load.damping, "frictionloss": load.force}
        case JointInertia():
            return {"armature": load.inertia}
    return {}


def tendons(
    mechanism: Mechanism, geometry: Geometry
) -> tuple[list[tuple[dict[str, str], list[str]]], dict[str, list[tuple[str, Array]]], list[str]]:
    """Springs between points as tendons.

    Returns
    -------
    list of (dict, list of str)
        Attributes of tendons and names of their sites.
    dict of str to list of (str, (3,) array)
        Sites of bodies.
    list of str
        Springs that cannot be such, a line each.
    """
    found, sites, left_out = list[tuple[dict[str, str], list[str]]](), dict[str, list[tuple[str, Array]]](), list[str]()
    for load in mechanism.forces:
        if not isinstance(load, Spring):
            continue
        if load.preload or load.table or load.damping_table or load.function is not None:
            left_out.append(f"force {load.name!r}: its preload, table or function")
            continue
        ends = [padded(local_point(mechanism, geometry, *end)) for end in load.ends()]
        length = load.length if load.length is not None else float(np.linalg.norm(ends[1] - ends[0]))
        names = [f"{load.name} end {k + 1}" for k in range(2)]
        for body, name, at in zip(load.between, names, ends, strict=True):
            sites.setdefault(body, []).append((name, at))
        attributes = {"name": load.name, "stiffness": repr(load.stiffness), "damping": repr(load.damping)}
        found.append(({**attributes, "springlength": repr(length)}, names))
    return found, sites, left_out
