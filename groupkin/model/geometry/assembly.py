"""Closing the reference configuration: how far joints are open, and where bodies must go to close them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from groupkin.errors import CouplingError, NotAssembledError, NotDeterminedError, shorter
from groupkin.mechanism.couplings.coupling_functions import require_derivatives
from groupkin.mechanism.couplings.relations import Relation
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.geometry.coordinates import joint_gap, reference_coordinates
from groupkin.model.geometry.geometry import Geometry, resolve
from groupkin.structure.decomposition import decompose
from groupkin.tolerances import CLOSED_JOINT, LEAST_SQUARES
from sglibrary.array_types import Array


def gaps(mechanism: Mechanism, geometry: Geometry) -> dict[str, tuple[float, str]]:
    """List the open joints of the reference configuration: the larger of their two gaps, and its unit (m or rad).

    Couplings that do not hold are among them, by what one of their coordinates would have to change.
    """
    open_joints = {}
    for joint in mechanism.joints:
        shift, rotation = joint_gap(mechanism.form(joint), geometry.joints[joint.name], {})
        distance, angle = float(np.linalg.norm(shift)), float(np.linalg.norm(rotation))
        if max(distance / geometry.size, angle) > CLOSED_JOINT:
            open_joints[joint.name] = (distance, "m") if distance / geometry.size >= angle else (angle, "rad")
    for name, relation in mechanism.relations.items():
        if relation.coupling.function is not None:
            values = np.array(reference_values(mechanism, geometry, relation))
            require_derivatives(name, relation.coupling.of, relation.coupling.compiled, values)
        if not relation.coupling.keeps:
            gap, unit = _missed(mechanism, geometry, relation)
            if not abs(gap) <= CLOSED_JOINT * (geometry.size if unit == "m" else 1.0):
                open_joints[f"coupling {name}"] = abs(gap), unit
    return open_joints


def require_values(mechanism: Mechanism, geometry: Geometry) -> None:
    """Refuse couplings that have no value, or no derivatives, in the reference configuration.

    Raises
    ------
    CouplingError
    """
    for name, relation in mechanism.relations.items():
        values = reference_values(mechanism, geometry, relation)
        left = relation.jet([(value,) for value in values])[0]
        what = "value" if not np.isfinite(left).all() else "derivatives"
        if what == "value" or not np.isfinite(relation.gradient(values)).all():
            stated = relation.coupling.equation or "its function or table"
            raise CouplingError(
                f"coupling {name!r}: `{shorter(stated)}` has no finite {what} in the reference configuration; state "
                "one in which it has, or write the equation in another way, as without a division"
            )


def reference_values(mechanism: Mechanism, geometry: Geometry, relation: Relation) -> list[float]:
    """Compute the coordinates of a coupling in the reference configuration, m and rad."""
    forms = ((each, mechanism.form(each.joint), geometry.joints[each.joint.name]) for each in relation.coordinates)
    return [float(reference_coordinates(form, stated)[each.move]) + each.offset for each, form, stated in forms]


def _missed(mechanism: Mechanism, geometry: Geometry, relation: Relation) -> tuple[float, str]:
    """Compute by how much a coupling is missed in the reference configuration, as a change of what it feels most."""
    values = reference_values(mechanism, geometry, relation)
    slopes = relation.gradient(values)
    units = [1.0 if each.freedom.rotation else geometry.size for each in relation.coordinates]
    most = int(np.argmax(np.abs(slopes * units)))
    missed = float(relation.jet([(value,) for value in values])[0])
    slope = float(slopes[most])
    return (missed / slope if slope else np.inf * missed), "m" if units[most] != 1.0 else "rad"


def require_assembled(mechanism: Mechanism) -> Geometry:
    """Compute the geometry of a mechanism and refuse open joints.

    Raises
    ------
    NotAssembledError
        With every open joint and its gap.
    """
    geometry = resolve(mechanism)
    require_values(mechanism, geometry)
    open_joints = gaps(mechanism, geometry)
    if open_joints:
        raise NotAssembledError(
            f"{mechanism.name}: the reference configuration is not assembled; joints are open: "
            f"{_listed(mechanism, open_joints)}. Correct the geometry{_axis_hint(mechanism, open_joints)}, or let it "
            "be closed with --assemble (assemble=True, in sweep files assemble = true)",
            open_joints,
        )
    return geometry


def _axis_hint(mechanism: Mechanism, open_joints: Mapping[str, object]) -> str:
    """Tell how an axis through two points is written, where these may have been taken for the points of a joint."""
    for joint in (mechanism.joint[name] for name in open_joints if name in mechanism.joint):
        turns = all(freedom.rotation for freedom in mechanism.freedoms(joint))
        if joint.points is not None and turns and "axis" in mechanism.form(joint).needs:
            return f' (`points` of {joint.name} are one on each body; an axis through two points is axis = ["P", "Q"])'
    return ""


def _listed(mechanism: Mechanism, open_joints: Mapping[str, tuple[float, str]]) -> str:
    say = mechanism.units.text
    return ", ".join(f"{name} by {say(size, unit, digits=3)}" for name, (size, unit) in open_joints.items())


def assembled(mechanism: Mechanism) -> Geometry:
    """Compute the geometry of a mechanism, and close its joints by moving bodies.

    Driven freedoms keep their reference values.

    Returns
    -------
    Geometry
        In the closed configuration, which is the new reference.

    Raises
    ------
    NotAssembledError
        If no closed configuration is found nearby.
    """
    geometry = resolve(mechanism)
    require_values(mechanism, geometry)
    if not gaps(mechanism, geometry):
        return geometry
    closed = _closest(mechanism, geometry, mechanism.movable, dict.fromkeys(mechanism.joint, 1.0))
    open_joints = gaps(mechanism, closed)
    if open_joints:
        what, least = _first_open(mechanism, geometry) or (
            f"still open: {_listed(mechanism, open_joints)}",
            open_joints,
        )
        raise NotAssembledError(
            f"{mechanism.name} cannot be assembled near its reference configuration; {what}. "
            "Check the lengths, or give positions closer to the assembled ones",
            least,
        )
    return closed


def _closest(
    mechanism: Mechanism, geometry: Geometry, bodies: Collection[str], weights: Mapping[str, float]
) -> Geometry:
    """Move some bodies so that the gaps of some joints, each times its weight, have the least sum of squares."""
    from scipy.optimize import least_squares

    d = mechanism.dimension
    width = 3 if d == 2 else 6
    units = [geometry.size] * d + [1.0] * (width - d)
    rows = [k for k, body in enumerate(mechanism.movable) if body in bodies]
    prescribed, known = _prescribed(mechanism, geometry), {*bodies, mechanism.frame}
    coupled = [each for each in mechanism.relations.values() if known.issuperset(each.bodies)]

    def placed(x: Array) -> Geometry:
        moves = np.zeros((len(mechanism.movable), width))
        moves[rows] = x.reshape(-1, width) * units
        return _moved(mechanism, geometry, moves)

    def all_gaps(x: Array) -> Array:
        closer, parts = placed(x), []
        for name, weight in weights.items():
            form = mechanism.form(mechanism.joint[name])
            shift, rotation = joint_gap(form, closer.joints[name], prescribed[name])
            parts += [weight * shift / geometry.size, weight * rotation]
        for relation in coupled:
            if not relation.coupling.keeps:
                values = [(value,) for value in reference_values(mechanism, closer, relation)]
                parts.append(np.atleast_1d(relation.jet(values)[0]) / geometry.size ** float(relation.unit[0]))
        return np.concatenate(parts)

    ends = dict.fromkeys(("xtol", "ftol", "gtol"), LEAST_SQUARES)
    return placed(least_squares(all_gaps, np.zeros(len(rows) * width), **ends).x)


def _first_open(mechanism: Mechanism, geometry: Geometry) -> tuple[str, dict[str, tuple[float, str]]] | None:
    """Say which group is the first that does not close, and how far it stays open at least.

    Returns
    -------
    str
    dict of str to (float, str)
        The joint that is open least with all others closed, with its gap and the unit; None if there is no such group,
        as counting refuses the mechanism or its groups close one after another.
    """
    try:
        groups = decompose(mechanism).groups
    except NotDeterminedError:
        return None
    placed = {mechanism.frame}
    for group in groups:
        placed |= {*group.bodies}
        among = [joint.name for joint in mechanism.joints if placed.issuperset(joint.bodies)]
        if not {*among} & {*gaps(mechanism, _closest(mechanism, geometry, placed, dict.fromkeys(among, 1.0)))}:
            continue
        own, open_joints = (*group.external, *group.internal), {}
        for name in own:
            alone = _closest(mechanism, geometry, placed, dict.fromkeys(among, CLOSED) | {name: 1.0})
            open_joints[name] = gaps(mechanism, alone).get(name, (np.inf, "m"))
        best = min(own, key=lambda name: open_joints[name][0] / (geometry.size if open_joints[name][1] == "m" else 1.0))
        gap, unit = open_joints[best]
        lengths = ", ".join(
            f"{body} {'-'.join(between)} {mechanism.units.text(length)}"
            for body in group.bodies
            for between, length in mechanism.body[body].lengths.items()
        )
        size = mechanism.units.text(gap, unit, digits=3)
        text = (
            f"with drivers at their reference values, group {group.number} ({', '.join(group.bodies)}) does not close: "
            f"one of its joints {', '.join(own)} stays open, {best} by {size} at least"
        )
        return text + (f"; stated lengths: {lengths}" if lengths else ""), {best: (gap, unit)}
    return None


CLOSED = 1000.0
"""Weight of joints that are to close where one cannot: they stay open by its square less than that one."""


def _prescribed(mechanism: Mechanism, geometry: Geometry) -> dict[str, dict[int, float]]:
    """List for every joint the reference values of its moves that are driven or constant, by number of the move."""
    prescribed = {}
    for joint in mechanism.joints:
        form = mechanism.form(joint)
        values = reference_coordinates(form, geometry.joints[joint.name])
        moves = {form.held, *(form.places[index] for index in mechanism.driven.get(joint.name, ()))}
        prescribed[joint.name] = {move: float(values[move]) for move in moves if move is not None}
    return prescribed


def _moved(mechanism: Mechanism, geometry: Geometry, x: Array) -> Geometry:
    """Move the k-th movable body by the shift (m) and the rotation vector (rad) in x[k], (d,) and (1,) or (3,)."""
    from scipy.spatial.transform import Rotation

    d = mechanism.dimension
    placed = {}
    for body, move in zip(mechanism.movable, x, strict=True):
        vector = move[d:] if d == 3 else np.array([0.0, 0.0, move[2]])
        placed[body] = geometry.origins[body] + move[:d], Rotation.from_rotvec(vector).as_matrix()[:d, :d]
    return moved(mechanism, geometry, placed)


def moved(mechanism: Mechanism, geometry: Geometry, placed: Mapping[str, tuple[Array, Array]]) -> Geometry:
    """Convert geometry to the coordinates of a new reference configuration.

    Parameters
    ----------
    mechanism, geometry : Mechanism, Geometry
    placed : mapping of str to ((d,) array, (d, d) array)
        Origins (m) and rotations of the movable bodies in the new configuration.
    """
    d = mechanism.dimension
    turns = {mechanism.frame: np.eye(d)} | {body: turn for body, (_, turn) in placed.items()}
    origins = {mechanism.frame: geometry.origins[mechanism.frame]} | {body: at for body, (at, _) in placed.items()}

    def place(body: str, point: Array) -> Array:
        return origins[body] + turns[body] @ (point - geometry.origins[body])

    joints = {}
    for joint in (*mechanism.joints, *mechanism.measuring):
        old = geometry.joints[joint.name]
        points = np.array([place(body, old.points[side]) for side, body in enumerate(joint.bodies)])
        frames = np.array([turns[body] @ old.frames[side] for side, body in enumerate(joint.bodies)])
        ends = old.axis_points
        if ends is not None:
            ends = np.array([[place(body, end) for end in ends[side]] for side, body in enumerate(joint.bodies)])
        joints[joint.name] = replace(old, points=points, frames=frames, values=None, axis_points=ends)
    named = {name: (body, place(body, point)) for name, (body, point) in geometry.points.items()}
    return Geometry(joints, dict(origins), named, geometry.size)
