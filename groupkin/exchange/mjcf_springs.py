"""Forces that MJCF has: springs, dampers and friction in joints, and springs between points."""

from __future__ import annotations

import numpy as np

from groupkin.exchange.mjcf_bodies import numbers
from groupkin.exchange.move_tree import MoveTree
from groupkin.mechanism.forces.forces import JointFriction, JointSpring, Spring
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.geometry.geometry import Geometry, local_point
from groupkin.model.trees import padded
from sglibrary.array_types import Array


def in_joints(mechanism: Mechanism, tree: MoveTree) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Attributes of moves by springs, dampers, friction and ranges; forces that are none of these, a line each."""
    sums: dict[str, list[float]] = {}
    left_out = list[str]()
    names = {move.name for moves in tree.moves.values() for move in moves}
    for load in mechanism.forces:
        if isinstance(load, Spring):
            continue
        name = (
            mechanism.driver_name(*load.freedom_of(mechanism)) if isinstance(load, JointSpring | JointFriction) else ""
        )
        if name not in names or (isinstance(load, JointSpring) and (load.preload or load.table or load.damping_table)):
            left_out.append(f"force {load.name!r}")
        elif isinstance(load, JointSpring):
            each = sums.setdefault(name, [0.0] * 4)
            for k, x in enumerate((load.stiffness, load.stiffness * load.position, load.damping)):
                each[k] += x
        elif isinstance(load, JointFriction):
            each = sums.setdefault(name, [0.0] * 4)
            each[2] += load.damping
            each[3] += load.force
    found = {}
    for name, (stiff, moment, damp, dry) in sums.items():
        found[name] = {"stiffness": repr(stiff), "springref": repr(moment / stiff)} if stiff else {}
        found[name] |= {key: repr(x) for key, x in (("damping", damp), ("frictionloss", dry)) if x}
    for joint in mechanism.joints:
        for freedom, ends in mechanism.joint_ranges(joint).items():
            k = next(k for k, each in enumerate(mechanism.freedoms(joint)) if each.name == freedom)
            name = mechanism.driver_name(joint.name, k)
            if name in names and np.isfinite(ends).all():
                found.setdefault(name, {})["range"] = numbers(np.array(ends))
            else:
                left_out.append(f"range of joint {joint.name!r}")
    return found, left_out


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
