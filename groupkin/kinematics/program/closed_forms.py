"""The closed form of a group: its chain in the catalog, by its signature, and its constants, from the geometry."""

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
    """Index the catalog by signature: solver, and the chain's bodies in the order of the signature."""
    from sglibrary.catalog import GROUPS, REPEATING

    table = {}
    for solver in (*GROUPS, *REPEATING):
        bodies = 1 + max(body for a, b, _ in solver.chain for body in (a, b))
        text, order = signature(GroupGraph(solver.dimension, bodies, solver.chain))
        if text in table:
            raise ValueError(f"the catalog lists the group {text} twice")
        table[text] = (solver, order)
    return table


def roles(group: Group) -> tuple[Solver, dict[str, int]] | None:
    """Find the closed-form solver of a group and the chain's number of each of its bodies; None if there is none."""
    entry = by_signature().get(group.signature)
    if entry is None:
        return None
    solver, order = entry
    return solver, {body: order[k] for k, body in enumerate(group.order)}


@dataclass(frozen=True)
class ClosedForm:
    """The closed form of a group.

    Attributes
    ----------
    solver : Solver
    role : dict of str to int
        The chain's number of each body.
    joints : list of Joint
        In the chain's order.
    measured : Measured
        Constants, from the geometry of one mechanism or of variants.
    """

    solver: Solver
    role: dict[str, int]
    joints: list[Joint]
    measured: Measured


def measured_form(mechanism: Mechanism, geometry: Geometry, group: Group) -> ClosedForm | None:
    """Find the closed form of a group, even if it does not apply to the geometry, which may be of many variants."""
    catalog = roles(group)
    if catalog is None:
        return None
    solver, role = catalog
    joints = _match(mechanism, group, solver, role)
    measured = solver.measure(_chain_geometry(mechanism, geometry, solver, joints, role))
    return ClosedForm(solver, role, joints, measured)


def coupled_form(mechanism: Mechanism, geometry: Geometry, group: Group, joint: str) -> ClosedForm:
    """Make the closed form of a group whose body moves in one joint by a coupled driver."""
    from sglibrary.catalog import COUPLED

    moved, role = mechanism.joint[joint], {group.bodies[0]: 0}
    solver = next(x for x in COUPLED if (x.dimension, x.chain[0][2]) == (mechanism.dimension, moved.type))
    measured = solver.measure(_chain_geometry(mechanism, geometry, solver, [moved], role))
    return ClosedForm(solver, role, [moved], measured)


def _match(mechanism: Mechanism, group: Group, solver: Solver, role: dict[str, int]) -> list[Joint]:
    """Match a joint of the group to each joint of the chain."""
    unmatched = mechanism.chosen_joints(group.external + group.internal)
    matched = []
    for first, second, code in solver.chain:
        ends = sorted((first, second))
        for joint in unmatched:
            numbers = sorted(role.get(body, -1) for body in joint.bodies)
            if numbers == ends and joint_code(joint.type, mechanism.driven.get(joint.name, ())) == code:
                matched.append(joint)
                unmatched.remove(joint)
                break
    return matched


def is_along(joint: Joint, edge: tuple[int, int, str], role: dict[str, int]) -> bool:
    """Return True if the mechanism declares a joint in the direction of the chain's edge."""
    return role.get(joint.bodies[0], -1) == edge[0]


def _chain_geometry(
    mechanism: Mechanism, geometry: Geometry, solver: Solver, joints: list[Joint], role: dict[str, int]
) -> ChainGeometry:
    """Stack the geometry of joints as the chain sees it."""
    stated = [geometry.joints[joint.name] for joint in joints]
    along = [is_along(joint, edge, role) for joint, edge in zip(joints, solver.chain, strict=True)]
    sides = [slice(None) if forward else slice(None, None, -1) for forward in along]
    values = [reference_coordinates(mechanism.form(joint), j) for joint, j in zip(joints, stated, strict=True)]
    return ChainGeometry(
        np.stack([j.points[..., side, :] for j, side in zip(stated, sides, strict=True)], axis=-3),
        np.stack([j.frames[..., side, :, :] for j, side in zip(stated, sides, strict=True)], axis=-4),
        np.stack([np.asarray(j.cross_angle) for j in stated], axis=-1),
        np.array([1.0 if forward else -1.0 for forward in along]),
        tuple(np.moveaxis(value, 0, -1) for value in values),
        tuple(np.zeros(0) if j.coupling is None else j.coupling for j in stated),
        geometry.size,
    )
