"""Loops of a model closed by Newton's method on the values of its tree, which so keep their meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from groupkin.errors import ModelError, OpenLoopError
from groupkin.exchange.graph import (
    HERE,
    WELD,
    Edge,
    Following,
    Graph,
    Pose,
    between,
    moved_edge,
    moved_link,
    moved_load,
)
from groupkin.mechanism.pairs import form
from groupkin.messages import hint
from groupkin.model.geometry.frames import triad
from groupkin.tolerances import CLOSED_MODEL, FREE_RANK, FREE_SHARE, PARALLEL
from sglibrary.array_types import Array, Flags
from sglibrary.iterative.kinds import COINCIDE, DOT

MOST_STEPS = 60
"""Largest number of Newton steps; models of robots need 3 to 6."""

COMPLEX_STEP = 1e-40
"""Imaginary part of values that are differentiated."""

HALVINGS = 8
"""Largest number of halvings of a step that does not come closer."""

_NEARER = (
    "Start nearer to a configuration that is closed: by a keyframe (--keyframe, keyframe=) or by values of joints "
    "(--start joint=value, start=)"
)

_WELDED = ((COINCIDE,), (DOT, 0, 1), (DOT, 1, 2), (DOT, 2, 0))


@dataclass(frozen=True, eq=False)
class Closed:
    """A model whose loops are closed.

    Attributes
    ----------
    graph : Graph
        Stated in the closed configuration.
    values : dict of str to array
        Values (moves,) of the edges of the tree there.
    gap : float
        By how much loops were open at the start, as a fraction of the size, or rad.
    jacobian : (equations, unknowns) array
        Of the equations of the loops by the values of the tree.
    unknowns : list of (str, int)
        Edges and moves of the columns.
    """

    graph: Graph
    values: dict[str, Array]
    gap: float
    jacobian: Array
    unknowns: list[tuple[str, int]]


def relaxed(graph: Graph) -> Graph:
    """Let points that close planar loops slide along the normal of the plane.

    A point that coincides with another (``connect``) closes a loop of parallel hinges twice over in that direction;
    such links often lie in layers, so that a gap along the normal is dropped.
    """
    edges = dict(graph.edges)
    for edge in graph.loops:
        normal = _plane_of(graph, edge) if edge.point_alone else None
        if normal is not None:
            frames = np.array([triad(normal), triad(normal)])
            edges[edge.name] = replace(edge, type="SC", geometry=replace(edge.geometry, frames=frames))
    return replace(graph, edges=edges)


def plane_normal(edges: Sequence[Edge]) -> Array | None:
    """Return the normal (3,) of the plane in which edges let links move; None if there is none, or no hinge."""
    axes = [edge.axis for edge in edges if edge.type == "R"] + [edge.axis for edge in edges if edge.type == "PL"]
    if not axes or any(edge.type not in ("R", "P", "PL", WELD) for edge in edges):
        return None
    across = all(np.linalg.norm(np.cross(axis, axes[0])) <= PARALLEL for axis in axes)
    within = all(abs(edge.axis @ axes[0]) <= PARALLEL for edge in edges if edge.type == "P")
    return axes[0] if across and within else None


def _plane_of(graph: Graph, loop: Edge) -> Array | None:
    """The normal of the plane of the branches of the tree that a loop joins."""
    up = {edge.links[1 - side]: (edge, edge.links[side]) for edge, side in graph.tree}
    branches: list[list[Edge]] = []
    for link in loop.links:
        branch, at = list[Edge](), link
        while at in up:
            edge, at = up[at]
            branch.append(edge)
        branches.append(branch)
    common = {id(edge) for edge in branches[0]} & {id(edge) for edge in branches[1]}
    return plane_normal([edge for branch in branches for edge in branch if id(edge) not in common])


# --- equations ---------------------------------------------------------------------------------


def poses_at(graph: Graph, values: Mapping[str, Array]) -> dict[str, Pose]:
    """Move all links from where they are stated, by values (moves, ...) of the edges of the tree."""
    found = {graph.fixed: HERE}
    for edge, side in graph.tree:
        stated = [Pose(frame, point) for frame, point in zip(edge.geometry.frames, edge.geometry.points, strict=True)]
        way = between(edge.form, values[edge.name]) if edge.form is not None else HERE
        step = stated[0].after(way).after(stated[1].back())
        found[edge.links[1 - side]] = found[edge.links[side]].after(step if side == 0 else step.back())
    return found


def _equations(loop: Edge) -> tuple[tuple[int, ...], ...]:
    """Kinds of the equations of a loop, with the axes of its frames in them."""
    each = _WELDED if not loop.type else form(loop.type, 3).cut or ()
    return tuple(
        x for kind, *axes in each for x in (((kind, 0), (kind, 1), (kind, 2)) if kind == COINCIDE else ((kind, *axes),))
    )


def _residuals(graph: Graph, values: Mapping[str, Array], size: float) -> Array:
    """By how much equations (equations, ...) miss zero: lengths relative to the size, cosines, and followings."""
    poses, found = poses_at(graph, values), list[Array]()
    for loop in graph.loops:
        first, second = (
            poses[link].after(Pose(frame, point))
            for link, frame, point in zip(loop.links, loop.geometry.frames, loop.geometry.points, strict=True)
        )
        gap = (second.shift - first.shift) / size
        for kind, *axes in _equations(loop):
            if kind == COINCIDE:
                found.append(gap[..., axes[0]])
            elif kind == DOT:
                found.append((first.rotation[..., axes[0]] * second.rotation[..., axes[1]]).sum(axis=-1))
            else:
                found.append((gap * first.rotation[..., axes[0]]).sum(axis=-1))
    found += [(values[e.name][1] - e.pitch * values[e.name][0]) / size for e in _screws(graph)]
    found += [_missed(each, values) for each in graph.followings]
    shape = np.broadcast_shapes(*(x.shape for x in found)) if found else ()
    return np.array([np.broadcast_to(x, shape) for x in found])


def _screws(graph: Graph) -> list[Edge]:
    """Edges of the tree whose displacement follows their angle."""
    return [edge for edge, _ in graph.tree if edge.pitch is not None]


def _missed(each: Following, values: Mapping[str, Array]) -> Array:
    y, x = (
        sum((term.factor * values[term.edge][0] for term in terms), np.zeros(())) - zero
        for terms, zero in zip((each.terms, each.leaders), each.zeros, strict=True)
    )
    return np.asarray(y - sum(c * x**k for k, c in enumerate(each.coefficients)))


def closed(graph: Graph, held: Mapping[tuple[str, int], float]) -> Closed:
    """Close the loops of a model from its start, and state it there.

    Parameters
    ----------
    graph : Graph
    held : mapping of (str, int) to float
        Values of moves of edges of the tree that stay, rad and m.

    Raises
    ------
    OpenLoopError
    """
    graph = relaxed(graph)
    tree, size = [edge for edge, _ in graph.tree], _size(graph)
    unknowns = [(edge.name, k) for edge in tree for k in range(len(edge.values))]
    scales = np.array([1.0 if edge.form.moves[k].rotation else size for edge in tree for k in range(len(edge.values))])  # type: ignore[union-attr]
    _check_followings(graph)
    start = {edge.name: np.array(graph.start.get(edge.name, edge.values), float) for edge in tree}
    for (name, k), value in held.items():
        start[name][k] = value

    def by_edge(x: Array) -> dict[str, Array]:
        ends = np.cumsum([len(edge.values) for edge in tree])[:-1]
        each = np.split((x.T * scales).T, ends)
        return {edge.name: values for edge, values in zip(tree, each, strict=True)}

    def left(x: Array) -> Array:
        return _residuals(graph, by_edge(x), size)

    x = np.array([start[name][k] for name, k in unknowns]) / scales
    gap = float(np.abs(left(x)).max(initial=0.0))
    x = _newton(left, x, np.array([unknown not in held for unknown in unknowns], bool))
    values = by_edge(x)
    poses = poses_at(graph, values)
    moved = {edge.name: moved_edge(edge, poses, values.get(edge.name)) for edge in graph.edges.values()}
    links = {name: moved_link(link, poses[name]) for name, link in graph.links.items()}
    loads = tuple(moved_load(load, poses) for load in graph.loads)
    found = replace(graph, links=links, edges=moved, loads=loads)
    _require_closed(found, values, size, gap)
    return Closed(found, values, gap, _slopes(left, x), unknowns)


def _check_followings(graph: Graph) -> None:
    """Refuse equations between joints that do not exist, have several freedoms or close loops.

    Raises
    ------
    ModelError
    """
    inner = {edge.name: edge for edge, _ in graph.tree}
    for each in graph.followings:
        for name in sorted(each.edges):
            if name not in graph.edges:
                raise ModelError(f"{each.name!r}: there is no joint {name!r}{hint(name, graph.edges)}")
            if name not in inner or inner[name].type not in ("R", "P"):
                what = "closes a loop" if name not in inner else "is no hinge or slide"
                raise ModelError(f"{each.name!r} ties joint {name!r}, which {what}")


def _newton(left: Callable[[Array], Array], x: Array, moving: Flags) -> Array:
    """Improve values (n,) by shortest Newton steps of those that move, until their residuals are roundings."""
    r = left(x)
    for _ in range(MOST_STEPS):
        now = np.abs(r).max(initial=0.0)
        if now == 0.0 or not moving.any():
            break
        slopes, step = _slopes(left, x)[:, moving], np.zeros_like(x)
        if not np.isfinite(now) or not np.isfinite(slopes).all():
            break
        step[moving] = np.linalg.lstsq(slopes, -r, rcond=FREE_RANK)[0]
        for halving in range(HALVINGS):
            tried = left(x + 0.5**halving * step)
            if np.abs(tried).max() < now:
                break
        else:
            break
        x, r = x + 0.5**halving * step, tried
    return x


def _slopes(left: Callable[[Array], Array], x: Array) -> Array:
    """Differentiate residuals by values (n,) by complex steps, without roundings."""
    if not x.size:
        return np.zeros((len(left(x)), 0))
    tilted = x[:, None] + 1j * COMPLEX_STEP * np.eye(len(x))
    found = left(tilted)
    return np.asarray(found.imag.reshape(len(found), x.size) / COMPLEX_STEP)


def _size(graph: Graph) -> float:
    """Diagonal of the box, m, around the points of all edges; 1 where they are one point."""
    points = np.array([point for edge in graph.edges.values() for point in edge.geometry.points]).reshape(-1, 3)
    return float(np.linalg.norm(np.ptp(points, axis=0))) or 1.0 if len(points) else 1.0


def _require_closed(graph: Graph, values: Mapping[str, Array], size: float, gap: float) -> None:
    """Refuse a model, stated where its loops are to be closed, that is open there.

    Raises
    ------
    OpenLoopError
    """
    still = {edge.name: edge.values for edge, _ in graph.tree}
    names = [loop.name for loop in graph.loops for _ in _equations(loop)]
    names += [edge.name for edge in _screws(graph)] + [each.name for each in graph.followings]
    missed = np.abs(_residuals(graph, still, size))
    k = int(np.argmax(missed)) if missed.size else 0
    if missed.size and not missed[k] <= CLOSED_MODEL:
        raise OpenLoopError(
            f"loop {names[k]!r} does not close: of {gap:.3g} of the model's size (or rad) at the start {missed[k]:.3g} "
            f"are left. {_NEARER}",
            names[k],
            float(missed[k]),
        )
    for loop in graph.loops:
        first, second = loop.geometry.frames
        facing = first.T @ second
        if (loop.type in ("R", "P", "C", "PL", WELD) and facing[2, 2] < 0.0) or (
            loop.type in ("P", WELD) and facing[0, 0] < 0.0
        ):
            raise OpenLoopError(
                f"loop {loop.name!r} closes the wrong way round, with its frames turned by half a turn. {_NEARER}",
                loop.name,
                float(np.pi),
            )


# --- what is free --------------------------------------------------------------------------------


def free_unknowns(closed: Closed, first: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Choose values of the tree that determine all others: those first that are independent, hinges and slides.

    Parameters
    ----------
    closed : Closed
    first : sequence of (str, int)
        Edges and moves.
    """
    _, sizes, rows = np.linalg.svd(closed.jacobian, full_matrices=True)
    rank = int((sizes > FREE_RANK * sizes.max(initial=0.0)).sum())
    moves = rows[rank:]  # rows span the motions that all equations allow
    order = [closed.unknowns.index(each) for each in first]
    single = [k for k, (name, _) in enumerate(closed.unknowns) if len(closed.values[name]) == 1]
    order = list(dict.fromkeys([*order, *single, *range(len(closed.unknowns))]))
    chosen, basis = list[tuple[str, int]](), np.zeros((0, len(moves)))
    for k in order:
        row = moves[:, k] - basis.T @ (basis @ moves[:, k])
        row = row - basis.T @ (basis @ row)
        length = float(np.linalg.norm(row))
        if length > FREE_SHARE * max(float(np.linalg.norm(moves[:, k])), FREE_SHARE):
            chosen.append(closed.unknowns[k])
            basis = np.vstack([basis, row / length])
    return chosen
