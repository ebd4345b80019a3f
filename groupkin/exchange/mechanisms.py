"""Mechanisms of models that are closed and without welds: in space, and in the plane in which all of it moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from groupkin.errors import ModelError
from groupkin.exchange.closing import plane_normal
from groupkin.exchange.graph import Edge, Following, Graph, Link, Term
from groupkin.mechanism.couplings.couplings import Coupling
from groupkin.mechanism.forces.forces import Bushing, Load, Spring
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.pairs import form
from groupkin.mechanism.parts import Body, Driver, Joint, Shape
from groupkin.text_forms import written
from groupkin.tolerances import COINCIDENT, PARALLEL
from sglibrary.array_types import Array


@dataclass(frozen=True, eq=False)
class _Plane:
    """The coordinates of a mechanism: those of space, or those in a plane with a normal.

    Attributes
    ----------
    axes : (d, 3) array
        Directions of the coordinates.
    normal : (3,) array, optional
    """

    axes: Array
    normal: Array | None = None

    def point(self, at: Array) -> tuple[float, ...]:
        return tuple((self.axes @ at).tolist())


SPACE = _Plane(np.eye(3))


def plane_of(graph: Graph) -> _Plane:
    """Find the coordinates in the plane in which a model moves: x and y, y and z or x and z where it has these.

    Raises
    ------
    ModelError
        If a joint leads out of every plane.
    """
    edges = [edge for edge in graph.edges.values() if edge.type != "SC"]
    normal = plane_normal(edges)
    if normal is None:
        raise ModelError(f"{graph.name} does not move in a plane: {_leaving(edges)}; read it in space, without --plane")
    k = int(np.argmax(np.abs(normal)))
    normal = normal * np.sign(normal[k]) * (1.0, -1.0, 1.0)[k]  # x to the right and z up, as models are drawn
    x = np.eye(3)[1 if k == 0 else 0]
    x = x - normal * (normal @ x)
    x /= np.linalg.norm(x)
    return _Plane(np.array([x, np.cross(normal, x)]), normal)


def _leaving(edges: Sequence[Edge]) -> str:
    """Name the first edge because of which there is no plane."""
    first = next((edge for edge in edges if edge.type == "R"), None)
    if first is None:
        return "it has no hinge"
    other = next((edge for edge in edges if plane_normal([first, edge]) is None), first)
    allowed = "parallel to" if other.type == "R" else "perpendicular to" if other.type == "P" else "as that of"
    return f"joint {other.name!r} ({other.type}) has no axis {allowed} the hinge {first.name!r}"


def mechanism_of(graph: Graph, driven: Sequence[str], plane: bool, masses: bool) -> tuple[Mechanism, list[str]]:
    """Make the mechanism of a model.

    Parameters
    ----------
    graph : Graph
        Closed, without welds.
    driven : sequence of str
        Edges with one freedom that get drivers, without laws.
    plane : bool
        Whether it becomes a mechanism in the plane.
    masses : bool
        Whether masses, gravity and forces are read.

    Returns
    -------
    Mechanism
    list of str
        What is left out, a line each.

    Raises
    ------
    MechanismError
        One of its subclasses, if the model does not lie in a plane, or a mechanism cannot be so.
    """
    within, left_out = plane_of(graph) if plane else SPACE, list[str]()
    gravity = graph.gravity
    if within.normal is not None and masses and abs(across := float(gravity @ within.normal)) > PARALLEL:
        left_out.append(f"gravity across the plane, {across:.4g} m/s²")
    loads = list[Load]()
    for load in graph.loads if masses else ():
        moved = _load(load, within)
        if moved is None:
            left_out.append(f"spring {load.name!r}: its ends do not lie at one height above the plane")
        else:
            loads.append(moved)
    found = Mechanism(
        dimension=len(within.axes),
        bodies=[_body(link, within, masses) for link in graph.links.values()],
        joints=[_joint(edge, within) for edge in graph.edges.values()],
        drivers=[Driver(name) for name in driven],
        frame=graph.fixed,
        name=graph.name,
        gravity=within.point(gravity) if masses and gravity.any() else (),
        forces=loads,
        couplings=[_coupling(each, graph.edges) for each in graph.followings],
    )
    return found, left_out


def _body(link: Link, within: _Plane, masses: bool) -> Body:
    inertia: Any = 0.0
    if masses and link.inertia.any():
        inertia = tuple(map(tuple, link.inertia.tolist()))
        if within.normal is not None:
            inertia = float(within.normal @ link.inertia @ within.normal)
    return Body(
        link.name,
        origin=within.point(link.origin),
        points={f"{link.name}/{name}": within.point(at) for name, at in link.points.items()},
        mass=link.mass if masses else 0.0,
        center=within.point(link.center) if masses and link.mass else None,
        inertia=inertia,
        shape=None if link.shape is None else _shape(link.shape, within),
    )


def _shape(shape: Shape, within: _Plane) -> Shape:
    """State a shape in the coordinates of a plane, with its third axis along the normal."""
    at = tuple((within.axes @ np.zeros(3) if shape.at is None else within.axes @ np.array(shape.at)).tolist())
    axes = np.eye(3) if shape.axes is None else np.array(shape.axes, float)
    if within.normal is not None:
        axes = axes @ np.vstack([within.axes, within.normal]).T
    return replace(shape, at=at, axes=tuple(map(tuple, axes.tolist())))


def _joint(edge: Edge, within: _Plane) -> Joint:
    """Make the joint of an edge."""
    first, second = (within.point(point) for point in edge.geometry.points)
    axis = tuple(edge.axis.tolist())
    if within.normal is not None:
        return _joint_in_plane(edge, within, first, second)
    reference = {move.name: float(x) for move, x in zip(edge.form.moves, edge.values, strict=True) if move.rotation}  # type: ignore[union-attr]
    match edge.type:
        case "R" | "H":
            made = Joint(edge.name, edge.type, edge.links, second, axis=axis, pitch=edge.pitch)
            return replace(made, reference=float(edge.values[0]), range=edge.range)
        case "P":
            return Joint(edge.name, "P", edge.links, points=(first, second), axis=axis, range=edge.range)
        case "C" | "PL":
            turned = {"angle": reference["angle"]}
            return Joint(edge.name, edge.type, edge.links, points=(first, second), axis=axis, reference=turned)
        case "SC":
            return Joint(edge.name, "SC", edge.links, points=(first, second), axis=axis)
        case "F":
            return Joint(edge.name, "F", edge.links, points=((0.0, 0.0, 0.0), second))
    return Joint(edge.name, edge.type, edge.links, second)


def _joint_in_plane(edge: Edge, within: _Plane, first: tuple[float, ...], second: tuple[float, ...]) -> Joint:
    """Make the joint of an edge in the plane; about an axis against the normal the two bodies change places."""
    assert within.normal is not None
    links = edge.links if edge.axis @ within.normal > 0.0 else edge.links[::-1]
    match edge.type:
        case "P":
            return Joint(
                edge.name, "P", edge.links, points=(first, second), axis=within.point(edge.axis), range=edge.range
            )
        case "PL":
            return Joint(edge.name, "FP", links, points=(first, second))
        case "SC":
            return Joint(edge.name, "R", edge.links, second)
    return Joint(edge.name, "R", links, second, reference=float(edge.values[0]), range=edge.range)


def _load(load: Load, within: _Plane) -> Load | None:
    """State a force in the coordinates of the mechanism; None if it does not act in the plane."""
    if isinstance(load, Spring):
        ends = [np.array(point) for point in load.points]
        if within.normal is not None and abs(within.normal @ (ends[1] - ends[0])) > COINCIDENT:
            return None
        return replace(load, points=(within.point(ends[0]), within.point(ends[1])))
    if isinstance(load, Bushing):
        return replace(load, point=tuple(np.asarray(load.point).tolist()))
    return load


# --- equations between joints --------------------------------------------------------------------


def _coupling(each: Following, edges: Mapping[str, Edge]) -> Coupling:
    """Write an equation between joints, about zero of each."""
    (y, x), (y0, x0) = (_sum(each.terms, edges), _sum(each.leaders, edges)), each.zeros
    polynomial = np.polynomial.Polynomial(list(each.coefficients) or [0.0])(np.polynomial.Polynomial([-x0, 1.0]))
    powers = polynomial.coef if isinstance(polynomial, np.polynomial.Polynomial) else np.array([polynomial])
    powers = np.array(powers, float)
    powers[0] += y0
    unit = _unit(each.terms[0], edges)
    leading = _unit(each.leaders[0], edges) if each.leaders else unit
    summands = [f"{float(powers[0])!r} {unit}"] if powers[0] or not powers[1:].any() else []
    for k, c in enumerate(powers.tolist()[1:], 1):
        if not c:
            continue
        if k == 1 and leading == unit:
            summands.append(f"{c!r} * {x}")
        else:
            summands.append(f"{c!r} {unit} * ({x} / 1 {leading})" + (f"**{k}" if k > 1 else ""))
    return Coupling(each.name, f"{y} = {' + '.join(summands)}")


def _unit(term: Term, edges: Mapping[str, Edge]) -> str:
    return form(edges[term.edge].type, 3).moves[0].unit


def _sum(terms: Sequence[Term], edges: Mapping[str, Edge]) -> str:
    """Write a sum of coordinates times factors, in the unit of the first."""
    unit = _unit(terms[0], edges) if terms else ""
    summands = []
    for name, factor in terms:
        own = _unit(Term(name, factor), edges)
        quantity = f"{{joint {written(name)}}}"
        if own != unit:
            summands.append(f"{factor!r} {unit} * ({quantity} / 1 {own})")
        else:
            summands.append(quantity if factor == 1.0 else f"{factor!r} * {quantity}")
    return summands[0] if len(summands) == 1 else f"({' + '.join(summands)})"
