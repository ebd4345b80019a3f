"""Loops in a file of their own, for models whose format has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from groupkin.arguments import floats, is_name
from groupkin.errors import ArgumentError, ModelError, shown
from groupkin.exchange.graph import WELD, Edge, Graph, Pose, joined_edge
from groupkin.mechanism.files.decoding import decoded
from groupkin.mechanism.points import direction
from groupkin.messages import hint
from groupkin.model.geometry.frames import triad

TYPES = {"connect": "S", "weld": WELD, **{symbol: symbol for symbol in ("R", "P", "S", "C", "PL", "SC", "SP")}}
"""Pairs by the types of loops; ``connect`` is a point, which in a planar loop leaves the normal free."""

KEYS, FRAME_KEYS = ("name", "type", "frames"), ("link", "at", "axis")


def with_loops(graph: Graph, path: Path) -> Graph:
    """Add the loops of a file to a model.

    Parameters
    ----------
    graph : Graph
    path : Path
        TOML: ``loops = [{ name = "pin", type = "R", frames = ["rod_end", { link = "rocker", at = [0, 0, 0.4] }] }]``.
        A frame is named, or is at a point of a link with its z axis along an axis, in coordinates of the link.

    Raises
    ------
    ModelError, FileError
    """
    data, _ = decoded(path, "loops")
    entries = data.get("loops") if isinstance(data, Mapping) else None
    if not isinstance(entries, list) or set(data) != {"loops"}:
        raise ModelError(f"{path.name}: a file of loops has one list, `loops`")
    edges = dict(graph.edges)
    for k, entry in enumerate(entries):
        edge = _loop(graph, entry, f"{path.name}: loops[{k}]")
        if edge.name in edges:
            raise ModelError(f"{edge.where}: there is a joint {edge.name!r} already; rename the loop")
        edges[edge.name] = edge
    return replace(graph, edges=edges)


def _loop(graph: Graph, entry: Any, where: str) -> Edge:
    if not isinstance(entry, Mapping) or set(entry) != set(KEYS):
        raise ModelError(f"{where} has the keys {', '.join(KEYS)}, and no others")
    name, kind, frames = (entry[key] for key in KEYS)
    if not isinstance(name, str) or not is_name(name):
        raise ModelError(f"{where}: its name must be a text, not {shown(name)}")
    if not isinstance(kind, str) or kind not in TYPES:
        raise ModelError(f"{where}: its type is one of {', '.join(TYPES)}, not {shown(kind)}")
    if not isinstance(frames, list) or len(frames) != 2:
        raise ModelError(f"{where}: its frames are a list of two")
    (first, one), (second, other) = (_frame(graph, frame, where) for frame in frames)
    if first == second:
        raise ModelError(f"{where}: both frames are on link {first!r}")
    made = joined_edge(name, TYPES[kind], (first, second), one, other, loop=True, where=where)
    return replace(made, point_alone=kind == "connect")


def _frame(graph: Graph, frame: Any, where: str) -> tuple[str, Pose]:
    """Find a frame: its link, and where it is."""
    link = frame.get("link") if isinstance(frame, Mapping) else frame
    if not isinstance(link, str) or link not in graph.frames:
        near = hint(link, graph.frames) if isinstance(link, str) else ""
        raise ModelError(f"{where}: there is no frame or link {shown(link)}{near}")
    owner, pose = graph.frames[link]
    if isinstance(frame, str):
        return owner, pose
    if not set(frame) <= set(FRAME_KEYS):
        raise ModelError(f"{where}: a frame has the keys {', '.join(FRAME_KEYS)}, and no others")
    try:
        at, axis = floats(frame.get("at", (0.0, 0.0, 0.0))), floats(frame.get("axis", (0.0, 0.0, 1.0)))
    except ArgumentError as error:
        raise ModelError(f"{where}: {error}") from None
    if at.shape != (3,) or axis.shape != (3,) or not np.isfinite([at, axis]).all():
        raise ModelError(f"{where}: `at` and `axis` of a frame are three numbers each")
    along = np.asarray(direction(axis.tolist(), 3, f"{where}: axis"))
    return owner, pose.after(Pose(triad(along), at))
