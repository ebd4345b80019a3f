"""Springs, dampers and friction of MJCF models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from groupkin.exchange.graph import Edge
from groupkin.exchange.mjcf.compiled_model import Compiled
from groupkin.mechanism.forces.forces import Bushing, JointFriction, JointInertia, JointSpring, Load, Spring

TABLE = 201
"""Rows of the table of a spring that is a polynomial."""

TURN, TRAVEL, FAST = 2.0 * np.pi, 1.0, 100.0
"""How far tables of angles (rad), of displacements (m) and of rates (rad/s, m/s) reach from zero, either way."""


def forces_of(found: Compiled, edges: Mapping[str, Edge], friction: bool) -> tuple[list[Load], list[str]]:
    """Read the forces in joints and tendons of a model.

    Parameters
    ----------
    found : Compiled
    edges : mapping of str to Edge
    friction : bool
        Whether dry friction is read.

    Returns
    -------
    list of Load
    list of str
        What is left out, a line each.
    """
    model, loads, left_out = found.model, list[Load](), list[str]()
    for k, name in enumerate(found.joints):
        dof = int(model.jnt_dofadr[k])
        if edges[name].type in ("R", "P"):
            rotor = float(model.dof_armature[dof])
            loads += [JointInertia(f"rotor {name}", name, rotor)] if rotor else []
            loads += _in_joint(found, k, name, edges[name], left_out)
        else:
            loads += _about_point(found, k, name, edges[name], left_out)
        dry = float(model.dof_frictionloss[dof])
        if dry and friction and edges[name].type in ("R", "P"):
            loads.append(JointFriction(f"friction {name}", name, dry))
            left_out.append(f"joint {name!r}: its friction {dry:g} grows below a speed, and does not hold at rest")
        elif dry:
            left_out.append(f"joint {name!r}: friction {dry:g}")
    for k in range(model.ntendon):
        loads += _in_tendon(found, k, left_out)
    return loads, left_out


def _in_joint(found: Compiled, k: int, name: str, edge: Edge, left_out: list[str]) -> list[Load]:
    """Spring and damper of a hinge or slide: polynomials of the coordinate, and of the rate with its sign."""
    model, dof = found.model, int(found.model.jnt_dofadr[k])
    rest = float(model.qpos_spring[model.jnt_qposadr[k]])
    stiff, more = float(model.jnt_stiffness[k]), np.atleast_1d(model.jnt_stiffnesspoly[k])
    damp, faster = float(model.dof_damping[dof]), np.atleast_1d(model.dof_dampingpoly[dof])
    reach = TURN if edge.type == "R" else TRAVEL
    table: Sequence[Sequence[float]] = ()
    damping_table: Sequence[Sequence[float]] = ()
    if more.any():
        x = np.linspace(-reach, reach, TABLE)
        table = np.column_stack([rest + x, stiff * x + more[0] * x**2 + more[1] * x**3]).tolist()
        left_out.append(f"joint {name!r}: its spring, a polynomial, is a table of {TABLE} rows up to ±{reach:.3g}")
    if faster.any():
        v = np.linspace(-FAST, FAST, TABLE)
        damping_table = np.column_stack([v, damp * v + faster[0] * v * abs(v) + faster[1] * v**3]).tolist()
        left_out.append(f"joint {name!r}: its damper, a polynomial, is a table of {TABLE} rows up to ±{FAST:g}")
    stiff, damp = 0.0 if more.any() else stiff, 0.0 if faster.any() else damp
    if not (stiff or damp or more.any() or faster.any()):
        return []
    at = rest if stiff else 0.0
    linear = JointSpring(f"spring {name}", name, stiffness=stiff, position=at, damping=damp)
    return [replace(linear, table=table, damping_table=damping_table)]


def _about_point(found: Compiled, k: int, name: str, edge: Edge, left_out: list[str]) -> list[Load]:
    """Spring and damper of a ball or free joint, as a bushing."""
    model, dof = found.model, int(found.model.jnt_dofadr[k])
    stiff, damp = float(model.jnt_stiffness[k]), float(model.dof_damping[dof])
    if model.dof_armature[dof]:
        left_out.append(f"joint {name!r}: armature {model.dof_armature[dof]:g}, about three axes")
    if model.jnt_stiffnesspoly[k].any() or model.dof_dampingpoly[dof].any():
        left_out.append(f"joint {name!r}: higher powers of its spring and damper")
    if not stiff and not damp:
        return []
    if edge.type == "F":
        left_out.append(f"joint {name!r}: spring and damper of a free body")
        return []
    if stiff:
        left_out.append(f"joint {name!r}: its spring counts the sine of its rotation, where MuJoCo counts the angle")
    at = tuple(edge.point.tolist())
    return [Bushing(f"spring {name}", edge.links, at, torsion=stiff, torsion_damping=damp)]


def _in_tendon(found: Compiled, k: int, left_out: list[str]) -> list[Load]:
    """Spring of a tendon between two sites; others are left out."""
    model, name = found.model, found.name("tendon", k) or f"tendon {k}"
    stiff, damp = float(model.tendon_stiffness[k]), float(model.tendon_damping[k])
    if not stiff and not damp and not model.tendon_frictionloss[k] and not model.tendon_armature[k]:
        return []
    begin, count = int(model.tendon_adr[k]), int(model.tendon_num[k])
    sites = [int(model.wrap_objid[w]) for w in range(begin, begin + count)]
    is_site = all(model.wrap_type[w] == int(found.mujoco.mjtWrap.mjWRAP_SITE) for w in range(begin, begin + count))
    low, high = model.tendon_lengthspring[k]
    more = model.tendon_stiffnesspoly[k].any() or model.tendon_dampingpoly[k].any()
    if count != 2 or not is_site or (stiff and low != high) or more:
        left_out.append(f"tendon {name!r}: its spring and damper; read are those between two sites, with one length")
        return []
    if model.tendon_frictionloss[k] or model.tendon_armature[k]:
        left_out.append(f"tendon {name!r}: its friction and armature")
    ends = tuple(found.bodies[model.site_bodyid[s]] for s in sites)
    points = tuple(tuple(found.data.site_xpos[s].tolist()) for s in sites)
    return [Spring(name, ends, points, stiffness=stiff, length=float(low), damping=damp)]  # type: ignore[arg-type]
