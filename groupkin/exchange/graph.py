"""A robot model between its file and a mechanism: links, the edges between them, and what acts.

All geometry is stated in global coordinates of one configuration, that of the file, so that a link there is where it is
by the identity. Values of the edges' moves lead to other configurations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from groupkin.errors import ModelError
from groupkin.mechanism.forces.forces import Bushing, Load, Spring
from groupkin.mechanism.pairs import Form, form
from groupkin.mechanism.parts import Shape
from groupkin.model.geometry.coordinates import placement, reference_coordinates
from groupkin.model.geometry.frames import JointGeometry, triad
from sglibrary.array_types import Array

WELD = ""
"""Type of an edge without freedoms."""


class Pose(NamedTuple):
    """A rotation (..., 3, 3) and a shift (..., 3), m, after it."""

    rotation: Array
    shift: Array

    def after(self, first: Pose) -> Pose:
        """Return the pose that leads through `first`, then through this one."""
        shift = (self.rotation @ first.shift[..., None])[..., 0] + self.shift
        return Pose(self.rotation @ first.rotation, shift)

    def back(self) -> Pose:
        """Return the inverse."""
        rotation = self.rotation.swapaxes(-1, -2)
        return Pose(rotation, -(rotation @ self.shift[..., None])[..., 0])

    def place(self, point: Array) -> Array:
        """Move a point (..., 3)."""
        return np.asarray((self.rotation @ point[..., None])[..., 0] + self.shift)


HERE = Pose(np.eye(3), np.zeros(3))


@dataclass(frozen=True, eq=False)
class Link:
    """A rigid body of a model.

    Attributes
    ----------
    name : str
    mass : float
        kg.
    center : (3,) array
        Center of mass, m.
    inertia : (3, 3) array
        About the center, kg m².
    origin : (3,) array
        m.
    points : mapping of str to (3,) array
        Named points, m.
    shape : Shape, optional
    """

    name: str
    origin: Array = field(default_factory=lambda: np.zeros(3))
    mass: float = 0.0
    center: Array = field(default_factory=lambda: np.zeros(3))
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))
    points: Mapping[str, Array] = field(default_factory=dict)
    shape: Shape | None = None


@dataclass(frozen=True, eq=False)
class Edge:
    """A joint between two links.

    Attributes
    ----------
    name : str
    type : str
        Symbol of the pair, or `WELD`.
    links : (str, str)
    geometry : JointGeometry
        Its frames as stated; its values there, where they are not those that follow from the frames.
    loop : bool
        Whether it closes a loop and is no part of the tree.
    point_alone : bool
        Whether only the coincidence of two points was stated, as by ``connect``: in a planar loop one direction of it
        repeats what the loop has.
    range : (float, float), optional
        Of its only freedom, rad or m.
    pitch : float, optional
        Of a screw H, m/rad.
    where : str
        Kind, name and place of it in the file, for messages.
    """

    name: str
    type: str
    links: tuple[str, str]
    geometry: JointGeometry
    loop: bool = False
    point_alone: bool = False
    range: tuple[float, float] | None = None
    pitch: float | None = None
    where: str = ""

    @property
    def form(self) -> Form | None:
        return form(self.type, 3) if self.type else None

    @property
    def values(self) -> Array:
        """Values of its moves (moves,) as stated, rad and m."""
        return reference_coordinates(self.form, self.geometry) if self.form else np.zeros(0)

    @property
    def point(self) -> Array:
        """Its point (3,) on the second link, m."""
        return np.asarray(self.geometry.points[1])

    @property
    def axis(self) -> Array:
        """The z axis (3,) of its first frame."""
        return np.asarray(self.geometry.frames[0][:, 2])


class Term(NamedTuple):
    """A value of an edge with one freedom, times a factor."""

    edge: str
    factor: float


@dataclass(frozen=True)
class Following:
    """An equation between values of edges: y = Σ c_k x^k, y and x being sums of terms, less their values as stated.

    Attributes
    ----------
    name : str
    terms : sequence of Term
        Of y.
    leaders : sequence of Term
        Of x.
    coefficients : sequence of float
        Of rising powers of x, in rad and m.
    zeros : (float, float)
        Values from which y and x count.
    """

    name: str
    terms: Sequence[Term]
    leaders: Sequence[Term]
    coefficients: Sequence[float]
    zeros: tuple[float, float] = (0.0, 0.0)

    @property
    def edges(self) -> set[str]:
        """Edges between which it is."""
        return {term.edge for term in (*self.terms, *self.leaders)}


@dataclass(frozen=True, eq=False)
class Graph:
    """A model.

    Attributes
    ----------
    name : str
    fixed : str
        The link that does not move.
    links : dict of str to Link
    edges : dict of str to Edge
    followings : tuple of Following
    loads : tuple of Load
        Springs, dampers and friction, at the names of edges and links; coordinates as stated.
    driven : tuple of str
        Edges with actuators.
    gravity : (3,) array
        m/s².
    start : dict of str to array
        Values (moves,) of edges from which loops are closed, in place of those as stated.
    left_out : tuple of str
        What the model has and the mechanism does not, a line each.
    frames : dict of str to (str, Pose)
        Frames that loops in a file of their own may name, with their links, as stated.
    """

    name: str
    fixed: str
    links: dict[str, Link]
    edges: dict[str, Edge]
    followings: tuple[Following, ...] = ()
    loads: tuple[Load, ...] = ()
    driven: tuple[str, ...] = ()
    gravity: Array = field(default_factory=lambda: np.zeros(3))
    start: Mapping[str, Array] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    frames: Mapping[str, tuple[str, Pose]] = field(default_factory=dict)

    @cached_property
    def tree(self) -> list[tuple[Edge, int]]:
        """Edges that lead to all links, and the end of each that is nearer to the fixed link.

        Raises
        ------
        ModelError
            If they do not lead to all links.
        """
        at: dict[str, list[tuple[Edge, int]]] = {name: [] for name in self.links}
        for edge in self.edges.values():
            for side in (0, 1) if not edge.loop else ():
                at[edge.links[side]].append((edge, side))
        reached, found = {self.fixed}, list[tuple[Edge, int]]()
        waiting = [self.fixed]
        while waiting:
            for edge, side in at[waiting.pop(0)]:
                if edge.links[1 - side] not in reached:
                    reached.add(edge.links[1 - side])
                    waiting.append(edge.links[1 - side])
                    found.append((edge, side))
        loose = [name for name in self.links if name not in reached]
        if loose:
            raise ModelError(
                f"link {loose[0]!r} is connected with {self.fixed!r} by no joint; remove it, or fix another link "
                "(--fix, fix=)"
            )
        return found

    @cached_property
    def loops(self) -> list[Edge]:
        """Edges that close loops."""
        inner = {edge.name for edge, _ in self.tree}
        return [edge for edge in self.edges.values() if edge.name not in inner]


def between(form: Form, values: Array) -> Pose:
    """Place the second frame of a pair (without a bend) in its first."""
    return Pose(*placement(form, values, None, 3))


def stated_edge(
    name: str,
    type: str,
    links: tuple[str, str],
    point: Array,
    axes: Array | None = None,
    values: Sequence[float] = (),
    **others: object,
) -> Edge:
    """Make an edge whose links are where they are stated.

    Parameters
    ----------
    name, type, links : str, str, (str, str)
    point : (3,) array
        Origin of its second frame, m.
    axes : (3,) or (3, 3) array, optional
        z axis of its first frame, or the frame; default: the global axes.
    values : sequence of float
        Of its moves, rad and m; default: zero.
    others : object
        Further fields.
    """
    first = np.eye(3) if axes is None else axes if np.ndim(axes) == 2 else triad(axes / np.linalg.norm(axes))
    shape = form(type, 3) if type else None
    given = np.array(values if len(values) else np.zeros(len(shape.moves) if shape else 0), float)
    way = between(shape, given) if shape else HERE
    points = np.array([point - first @ way.shift, point])
    geometry = JointGeometry(points, np.array([first, first @ way.rotation]), values=given)
    return Edge(name, type, links, geometry, **others)  # type: ignore[arg-type]


def joined_edge(name: str, type: str, links: tuple[str, str], first: Pose, second: Pose, **others: object) -> Edge:
    """Make an edge from its frames on both links, which need not fit as stated."""
    geometry = JointGeometry(np.array([first.shift, second.shift]), np.array([first.rotation, second.rotation]))
    return Edge(name, type, links, geometry, **others)  # type: ignore[arg-type]


def moved_edge(edge: Edge, poses: Mapping[str, Pose], values: Array | None) -> Edge:
    """State an edge anew where its links are moved by poses, with the values of its moves there."""
    stated = edge.geometry
    both = [poses[link] for link in edge.links]
    points = np.array([pose.place(point) for pose, point in zip(both, stated.points, strict=True)])
    frames = np.array([pose.rotation @ frame for pose, frame in zip(both, stated.frames, strict=True)])
    return replace(edge, geometry=JointGeometry(points, frames, values=values))


def moved_link(link: Link, pose: Pose) -> Link:
    """State a link anew where it is moved by a pose."""
    turned = pose.rotation @ link.inertia @ pose.rotation.T
    points = {name: pose.place(point) for name, point in link.points.items()}
    shape = link.shape
    if shape is not None:
        at = np.zeros(3) if shape.at is None else np.array(shape.at)
        axes = (np.eye(3) if shape.axes is None else np.array(shape.axes)) @ pose.rotation.T
        shape = replace(shape, at=tuple(pose.place(at)), axes=tuple(map(tuple, axes.tolist())))
    center, origin = pose.place(link.center), pose.place(link.origin)
    inertia = 0.5 * (turned + turned.T)
    return replace(link, origin=origin, center=center, inertia=inertia, points=points, shape=shape)


def moved_load(load: Load, poses: Mapping[str, Pose]) -> Load:
    """State a force anew where links are moved by poses."""
    if isinstance(load, Spring):
        first, second = (poses[link].place(np.array(at)) for link, at in zip(load.between, load.points, strict=True))
        return replace(load, points=(tuple(first), tuple(second)))
    if isinstance(load, Bushing):
        return replace(load, point=tuple(poses[load.between[1]].place(np.array(load.point))))
    return load


def fused(links: Sequence[Link]) -> Link:
    """Join links that do not move against each other to the first, with points where the others have their origins."""
    first = links[0]
    mass = sum(link.mass for link in links)
    center = sum((link.mass * link.center for link in links), np.zeros(3)) / (mass or 1.0)
    inertia = np.zeros((3, 3))
    for link in links:
        arm = link.center - center
        inertia += link.inertia + link.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    points = {name: at for link in links for name, at in link.points.items()}
    points |= {link.name: link.origin for link in links[1:]}
    shape = next((link.shape for link in links if link.shape is not None), None)
    return Link(first.name, first.origin, mass, center, inertia, points, shape)


def without_welds(graph: Graph) -> Graph:
    """Fuse links to the first of those welded to each other; joints between them, which cannot move, are left out."""
    owner = {name: name for name in (graph.fixed, *graph.links)}

    def whole(name: str) -> str:
        while owner[name] != name:
            name = owner[name]
        return name

    for edge in graph.edges.values():
        if edge.type == WELD:
            first, second = map(whole, edge.links)
            first, second = (second, first) if second == graph.fixed else (first, second)
            owner[second] = first
    groups = {name: [graph.links[name]] for name in owner if whole(name) == name}
    for name in owner:
        if whole(name) != name:
            groups[whole(name)].append(graph.links[name])
    edges = {}
    left_out = list(graph.left_out)
    for edge in graph.edges.values():
        ends = whole(edge.links[0]), whole(edge.links[1])
        if edge.type != WELD and ends[0] == ends[1]:
            left_out.append(f"joint {edge.name!r}: its links are welded to each other, so that it cannot move")
        elif edge.type != WELD:
            edges[edge.name] = replace(edge, links=ends)
    loads = [
        replace(load, between=(whole(load.between[0]), whole(load.between[1])))
        if isinstance(load, Spring | Bushing)
        else load
        for load in graph.loads
    ]
    kept = tuple(load for load in loads if getattr(load, "joint", None) is None or load.joint in edges)  # type: ignore[union-attr]
    return replace(
        graph,
        links={name: fused(links) for name, links in groups.items()},
        edges=edges,
        loads=kept,
        followings=tuple(
            each for each in graph.followings if all(t.edge in edges for t in (*each.terms, *each.leaders))
        ),
        driven=tuple(name for name in graph.driven if name in edges),
        left_out=tuple(left_out),
    )
