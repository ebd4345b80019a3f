"""Robot models as mechanisms: `import_model`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from groupkin.arguments import checked
from groupkin.errors import ModelError
from groupkin.exchange.closing import Closed, closed, free_unknowns
from groupkin.exchange.graph import WELD, Graph, without_welds
from groupkin.exchange.mechanisms import mechanism_of
from groupkin.exchange.mjcf.reading import read_mjcf
from groupkin.exchange.sdf_reading import read_sdf
from groupkin.exchange.sidecars import with_loops
from groupkin.exchange.urdf_reading import read_urdf
from groupkin.exchange.xml_input import read_xml
from groupkin.mechanism.files.decoding import Folder
from groupkin.mechanism.mechanism import Mechanism
from groupkin.messages import counted, listed, unknown
from groupkin.showing import InNotebooks
from groupkin.tolerances import CLOSED_MODEL


@dataclass(frozen=True)
class ImportedModel(InNotebooks):
    """A robot model as a mechanism.

    Attributes
    ----------
    mechanism : Mechanism
        In a configuration in which its loops are closed. Joints with actuators have drivers without laws.
    free : tuple of str
        Coordinates that must be driven besides, or follow from forces, as they are named in a driver.
    left_out : tuple of str
        What the model has and the mechanism does not, a line each.
    gap : float
        By how much loops were open as the model is stated, as a fraction of its size, or rad.
    """

    mechanism: Mechanism
    free: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    gap: float = 0.0

    def __repr__(self) -> str:
        text = f"{self.mechanism!r}"[1:-1].removeprefix("Mechanism ")
        closed = f", loops closed from {self.gap:.2g}" if self.gap > CLOSED_MODEL else ""
        besides = f", free besides: {listed(self.free)}" if self.free else ""
        return f"<ImportedModel {text}{closed}{besides}, {counted(len(self.left_out), 'thing')} left out>"


@checked
def import_model(
    path: str | Path,
    *,
    plane: bool = False,
    keyframe: str | None = None,
    start: Mapping[str, float] | None = None,
    fix: str | None = None,
    loops: str | Path | None = None,
    masses: bool = True,
    friction: bool = True,
    files_anywhere: bool = False,
) -> ImportedModel:
    """Read a robot model as a mechanism: MJCF, SDF or URDF, with closed loops.

    Loops are closed by Newton's method on the coordinates of the joints from which the model is built, so that these
    keep their meaning: an angle of 0.3 rad in the model is 0.3 rad in the mechanism.

    Parameters
    ----------
    path : str or Path
        The file; what it is its first element tells.
    plane : bool
        Whether a model that moves in a plane becomes a mechanism in the plane.
    keyframe : str, optional
        Name or number of the keyframe of MJCF from which loops are closed.
    start : mapping of str to float, optional
        Values of joints that they have when loops are closed, rad and m; ``"joint.freedom"`` where it has several.
    fix : str, optional
        Link that does not move; the joint that lets it move freely is left out.
    loops : str or Path, optional
        A TOML file with loops that the model does not state.
    masses : bool
        Whether masses, gravity and forces are read.
    friction : bool
        Whether dry friction in joints is read.
    files_anywhere : bool
        Whether files that the model names may lie outside of its folder.

    Returns
    -------
    ImportedModel

    Raises
    ------
    ModelError
        If the model cannot be read, has what no mechanism has, or its loops do not close (`OpenLoopError`).
    FileError
        If a file cannot be read, or lies elsewhere.
    """
    path = Path(path)
    folder, root = Folder(path.parent, files_anywhere), read_xml(path)
    if keyframe is not None and root.tag != "mujoco":
        raise ModelError(f"{path.name}: only MJCF has keyframes; give values of joints instead (--start, start=)")
    match root.tag:
        case "mujoco":
            graph = read_mjcf(root, path, folder, keyframe, masses, friction)
        case "sdf":
            graph = read_sdf(root, path, folder, friction)
        case "robot":
            graph = read_urdf(root, path, folder, friction)
        case _:
            raise ModelError(f"{root.where}: a model is MJCF (<mujoco>), SDF (<sdf>) or URDF (<robot>)")
    graph = graph if loops is None else with_loops(graph, Path(loops))
    graph = graph if fix is None else _fixed(graph, fix)
    return _imported(closed(graph, _held(graph, start or {})), plane, masses)


def _fixed(graph: Graph, link: str) -> Graph:
    """Let a link be the frame, or be welded to it in place of the joint that lets it move freely."""
    if link not in graph.links:
        raise unknown("link", link, list(graph.links))
    edges = dict(graph.edges)
    for edge in graph.edges.values():
        if edge.links == (graph.fixed, link):
            edges[edge.name] = replace(edge, type=WELD)
            return replace(graph, edges=edges, start={k: v for k, v in graph.start.items() if k != edge.name})
    return replace(graph, fixed=link)


def _held(graph: Graph, start: Mapping[str, float]) -> dict[tuple[str, int], float]:
    """Find the moves that values of joints are meant for.

    Raises
    ------
    UnknownNameError, ModelError
    """
    held = {}
    names = {_freedom(graph, edge.name, k): (edge.name, k) for edge, _ in graph.tree for k in range(len(edge.values))}
    for name, value in start.items():
        if name not in names:
            raise unknown("joint of the tree", name, list(names))
        held[names[name]] = float(value)
    return held


def _freedom(graph: Graph, joint: str, k: int) -> str:
    """Name a move of an edge."""
    form = graph.edges[joint].form
    return joint if form is None or len(form.freedoms) == 1 else f"{joint}.{form.moves[k].name}"


def _imported(found: Closed, plane: bool, masses: bool) -> ImportedModel:
    graph = without_welds(found.graph)
    actuated = [(name, 0) for name in graph.driven]
    every = free_unknowns(found, [each for each in actuated if each in found.unknowns])
    driven = [each[0] for each in actuated if each in every]
    left_out = [
        f"actuator of joint {name!r}: the other drivers and the loops determine it already"
        for name in graph.driven
        if name not in driven
    ]
    mechanism, more = mechanism_of(graph, driven, plane, masses)
    free = [_freedom(graph, *each) for each in every if each not in actuated and each[0] in graph.edges]
    return ImportedModel(mechanism, tuple(free), (*graph.left_out, *left_out, *more), found.gap)
