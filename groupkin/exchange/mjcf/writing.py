"""Mechanisms as MJCF models, which move in MuJoCo as here: `export_mjcf`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

from groupkin.arguments import checked
from groupkin.durable_files import disk_errors, write_atomically
from groupkin.errors import OutputError
from groupkin.exchange.mjcf.bodies import geoms, inertial, numbers, points_of
from groupkin.exchange.mjcf.equations import equation_of
from groupkin.exchange.mjcf.move_tree import Linear, MoveTree, SingleMove, move_tree, moves_of
from groupkin.exchange.mjcf.springs import in_joints, tendons
from groupkin.mechanism.files.reading import MechanismFile
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.model.geometry.assembly import require_assembled
from groupkin.model.geometry.geometry import Geometry
from groupkin.model.trees import padded
from groupkin.tolerances import LEAST_INERTIA, LEAST_MASS
from sglibrary.array_types import Array


@dataclass
class _Node:
    """An element that is written."""

    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: list[_Node] = field(default_factory=list)

    def lines(self, indent: str = "") -> Iterator[str]:
        start = f"{indent}<{self.tag}" + "".join(f" {key}={quoteattr(x)}" for key, x in self.attributes.items())
        if not self.children:
            yield start + "/>"
            return
        yield start + ">"
        for child in self.children:
            yield from child.lines(indent + "  ")
        yield f"{indent}</{self.tag}>"


@checked
def export_mjcf(mechanism: Mechanism | MechanismFile, path: str | Path) -> tuple[str, ...]:
    """Write a mechanism as an MJCF model for MuJoCo.

    Each move of a joint is a joint of the model, with the same value: angles and displacements there are those here.
    Joints that close loops become equalities, and freedoms with drivers get motors.

    Parameters
    ----------
    mechanism : Mechanism or MechanismFile
        Or the path of a file. Its reference configuration must be closed.
    path : str or Path
        A file that ends in ``.xml``; one that exists is replaced.

    Returns
    -------
    tuple of str
        What the mechanism has and the model does not, a line each.

    Raises
    ------
    ModelError
        If it has a joint, coupling or inertia that MJCF cannot express.
    NotAssembledError
        If its joints are open in the reference configuration.
    OutputError
        If the file cannot be written.
    """
    found = mechanism.mechanism if isinstance(mechanism, MechanismFile) else mechanism
    path = Path(path)
    if path.suffix.lower() != ".xml":
        raise OutputError(f"{path.name}: an MJCF model ends in .xml")
    model, left_out = _model(found)
    with disk_errors(path, begun=False):
        write_atomically(path, "\n".join(model.lines()) + "\n")
    return tuple(left_out)


def _model(mechanism: Mechanism) -> tuple[_Node, list[str]]:
    geometry = require_assembled(mechanism)
    tree = move_tree(mechanism, geometry)
    equalities, loops = list[_Node](), dict[str, list[_Node]]()
    for joint in tree.loops:
        _close(mechanism, geometry, joint, tree, equalities, loops)
    springs, left_out = in_joints(mechanism, tree)
    named = {move.name: move for moves in tree.moves.values() for move in moves}
    equalities += [_linear(each, named) for each in tree.linear]
    equalities += [
        _Node("joint", equation_of(mechanism, geometry, relation)) for relation in mechanism.relations.values()
    ]
    ropes, sites, more = tendons(mechanism, geometry)
    world = _Node("worldbody")
    nodes = {mechanism.frame: world}
    origins = {name: padded(geometry.origins[name]) for name in mechanism.body}
    origins[mechanism.frame] = np.zeros(3)
    for body in (mechanism.frame, *tree.parents):
        if body != mechanism.frame:
            nodes[body] = _body(mechanism, geometry, tree, body, origins, springs)
            nodes[tree.parents[body]].children.append(nodes[body])
        points = points_of(mechanism, geometry, body)
        shown = geoms(points, origins[body], geometry.size, list(mechanism.body).index(body))
        nodes[body].children += [_Node("geom", each) for each in shown]
        nodes[body].children += [
            _Node("site", {"name": name, "pos": numbers(padded(at) - origins[body])})
            for name, (carrier, at) in geometry.points.items()
            if carrier == body
        ]
        nodes[body].children += [
            _Node("site", {"name": n, "pos": numbers(at - origins[body])}) for n, at in sites.get(body, ())
        ]
        nodes[body].children += loops.get(body, [])
    motors = [_Node("motor", {"name": name, "joint": name}) for name in _driven(mechanism, named)]
    gravity = padded(np.array(mechanism.gravity)) if len(mechanism.gravity) else np.zeros(3)
    children = [
        _Node("compiler", {"angle": "radian", "autolimits": "true"}),
        _Node("option", {"gravity": numbers(gravity)}),
        world,
        *(
            [
                _Node(
                    "tendon", {}, [_Node("spatial", x, [_Node("site", {"site": s}) for s in ends]) for x, ends in ropes]
                )
            ]
            if ropes
            else []
        ),
        *([_Node("equality", {}, equalities)] if equalities else []),
        *([_Node("actuator", {}, motors)] if motors else []),
    ]
    bare = [
        f"shape of body {body.name!r}: capsules show it" for body in mechanism.body.values() if body.shape is not None
    ]
    ranges = [f"range of `{quantity}`" for quantity in mechanism.ranges]
    return _Node("mujoco", {"model": mechanism.name}, children), [*left_out, *more, *bare, *ranges]


def _body(
    mechanism: Mechanism,
    geometry: Geometry,
    tree: MoveTree,
    body: str,
    origins: Mapping[str, Array],
    springs: Mapping[str, Mapping[str, str]],
) -> _Node:
    """Write a body with its joints and its mass."""
    mass, center, tensor = inertial(mechanism, geometry, mechanism.body[body])
    moves = [_Node("joint", {**_move(move, origins[body]), **springs.get(move.name, {})}) for move in tree.moves[body]]
    xx, yy, zz, xy, xz, yz = (tensor[i, k] for i, k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    inertia = {
        "pos": numbers(center - origins[body]),
        "mass": repr(float(mass)),
        "fullinertia": numbers(np.array([xx, yy, zz, xy, xz, yz])),
    }
    pos = numbers(origins[body] - origins[tree.parents[body]])
    return _Node("body", {"name": body, "pos": pos}, [*moves, _Node("inertial", inertia)])


def _move(move: SingleMove, origin: Array) -> dict[str, str]:
    """Attributes of a move as a joint of a body with an origin."""
    found = {"name": move.name, "type": move.kind, "pos": numbers(move.point - origin)}
    if move.kind != "ball":
        found |= {"axis": numbers(move.axis), "ref": repr(move.value)}
    return found


def _linear(each: Linear, named: Mapping[str, SingleMove]) -> _Node:
    """Write a linear equation between moves, which both count from their references."""
    attributes = {"name": each.name, "joint1": each.second, "joint2": each.first, "polycoef": f"0 {each.ratio!r} 0 0 0"}
    return _Node("joint", attributes)


def _driven(mechanism: Mechanism, named: Mapping[str, SingleMove]) -> list[str]:
    """Names of moves with drivers; in loops they are of bodies between."""
    names = [mechanism.driver_name(joint, index) for joint, drivers in mechanism.driven.items() for index in drivers]
    return [name for name in names if name in named]


# --- joints that close loops ------------------------------------------------------------------


def _close(
    mechanism: Mechanism,
    geometry: Geometry,
    joint: Joint,
    tree: MoveTree,
    equalities: list[_Node],
    loops: dict[str, list[_Node]],
) -> None:
    """Close a loop by points that coincide, or by a body with the moves of the joint, welded to the second one."""
    first, second = joint.bodies
    moves = moves_of(mechanism, geometry, joint, 0, tree.linear)
    free = joint.name not in mechanism.driven and not any(
        each.joint.name == joint.name for of in mechanism.relations.values() for each in of.coordinates
    )
    if (free and mechanism.form(joint).spherical) or (mechanism.dimension == 2 and joint.type == "R" and free):
        equalities.append(_connect(mechanism, geometry, joint.name, joint, moves[0].point))
        return
    if free and joint.type == "R":
        along = moves[0].axis * geometry.size
        equalities += [
            _connect(mechanism, geometry, name, joint, at)
            for name, at in ((joint.name, moves[0].point), (f"{joint.name} axis", moves[0].point + along))
        ]
        return
    origin = _origin(mechanism, geometry, first)
    at = padded(geometry.origins[second]) if second != mechanism.frame else np.zeros(3)
    between = f"{joint.name} {second}"
    least = {
        "pos": "0 0 0",
        "mass": repr(LEAST_MASS),
        "diaginertia": " ".join([repr(LEAST_INERTIA * geometry.size**2)] * 3),
    }
    children = [*(_Node("joint", _move(move, at)) for move in moves), _Node("inertial", least)]
    loops.setdefault(first, []).append(_Node("body", {"name": between, "pos": numbers(at - origin)}, children))
    tree.moves[between] = moves
    ends = {"body1": second if second != mechanism.frame else "world", "body2": between}
    equalities.append(
        _Node(
            "weld", {"name": joint.name, **ends, "relpose": "0 0 0 1 0 0 0", "torquescale": repr(float(geometry.size))}
        )
    )


def _connect(mechanism: Mechanism, geometry: Geometry, name: str, joint: Joint, at: Array) -> _Node:
    """Let a point of two bodies coincide."""
    bodies = [body if body != mechanism.frame else "world" for body in joint.bodies]
    anchor = numbers(at - _origin(mechanism, geometry, joint.bodies[0]))
    return _Node("connect", {"name": name, "body1": bodies[0], "body2": bodies[1], "anchor": anchor})


def _origin(mechanism: Mechanism, geometry: Geometry, body: str) -> Array:
    return np.zeros(3) if body == mechanism.frame else padded(geometry.origins[body])
