"""The closed form of a group: its chain in the catalog, by its signature, and constants from a mechanism's geometry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.model.geometry.coordinates import reference_coordinates
from groupkin.model.geometry.geometry import Geometry
from groupkin.structure.decomposition import Group
from groupkin.structure.signature import GroupGraph, joint_code, signature
from sglibrary.chain import ChainGeometry, Measured, Solver


@cache
def by_signature() -> dict[str, tuple[Solver, tuple[int, ...]]]:
    """For every signature in the catalog: its solver, and the chain's bodies in the order of the signature."""
    from sglibrary.catalog import GROUPS

    table = {}
    for solver in GROUPS:
        bodies = 1 + max(body for a, b, _ in solver.chain for body in (a, b))
        text, order = signature(GroupGraph(solver.dimension, bodies, solver.chain))
        if text in table:
            raise ValueError(f"the catalog lists the group {text} twice")
        table[text] = (solver, order)
    return table


def roles(group: Group) -> tuple[Solver, dict[str, int]] | None:
    """Closed-form solver of a group and the chain's number of each of its bodies, if there is one."""
    found = by_signature().get(group.signature)
    if found is None:
        return None
    solver, order = found
    return solver, {body: order[k] for k, body in enumerate(group.order)}


@dataclass(frozen=True)
class ClosedForm:
    """A group's closed form: solver, the chain's number of each body, joints in the chain's order, constants."""

    solver: Solver
    role: dict[str, int]
    joints: list[Joint]
    measured: Measured


def closed_form(mechanism: Mechanism, geometry: Geometry, group: Group) -> ClosedForm | None:
    """The closed form of a group, or None where the catalog has none or it does not apply to this geometry."""
    found = measured_form(mechanism, geometry, group)
    return found if found is not None and found.measured.valid else None


def measured_form(mechanism: Mechanism, geometry: Geometry, group: Group) -> ClosedForm | None:
    """The closed form of a group, whether or not it applies to the geometry, which may be of many variants."""
    found = roles(group)
    if found is None:
        return None
    solver, role = found
    joints = _match(mechanism, group, solver, role)
    measured = solver.measure(_chain_geometry(mechanism, geometry, solver, joints, role))
    return ClosedForm(solver, role, joints, measured)


def _match(mechanism: Mechanism, group: Group, solver: Solver, role: dict[str, int]) -> list[Joint]:
    """The group's joint for each joint of the chain."""
    open_joints = mechanism.chosen_joints(group.external + group.internal)
    found = []
    for first, second, code in solver.chain:
        ends = sorted((first, second))
        for joint in open_joints:
            own = sorted(role.get(body, -1) for body in joint.bodies)
            if own == ends and joint_code(joint.type, mechanism.driven.get(joint.name, ())) == code:
                found.append(joint)
                open_joints.remove(joint)
                break
    return found


def is_along(joint: Joint, edge: tuple[int, int, str], role: dict[str, int]) -> bool:
    """Whether the mechanism declares a joint in the chain's direction."""
    return role.get(joint.bodies[0], -1) == edge[0]


def _chain_geometry(
    mechanism: Mechanism, geometry: Geometry, solver: Solver, joints: list[Joint], role: dict[str, int]
) -> ChainGeometry:
    own = [geometry.joints[joint.name] for joint in joints]
    along = [is_along(joint, edge, role) for joint, edge in zip(joints, solver.chain, strict=True)]
    order = [slice(None) if forward else slice(None, None, -1) for forward in along]
    values = [reference_coordinates(mechanism.form(joint), j) for joint, j in zip(joints, own, strict=True)]
    return ChainGeometry(
        np.stack([j.points[..., o, :] for j, o in zip(own, order, strict=True)], axis=-3),
        np.stack([j.frames[..., o, :, :] for j, o in zip(own, order, strict=True)], axis=-4),
        np.stack([np.asarray(j.cross_angle) for j in own], axis=-1),
        np.array([1.0 if forward else -1.0 for forward in along]),
        tuple(np.moveaxis(value, 0, -1) for value in values),
        tuple(np.zeros(0) if j.coupling is None else j.coupling for j in own),
        geometry.size,
    )
