"""MJCF models by MuJoCo's own reader, which knows defaults, frames, includes and composites."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from groupkin.errors import ModelError
from groupkin.exchange.graph import WELD, Edge, Following, Graph, Link, Pose, Term, joined_edge, stated_edge
from groupkin.exchange.mjcf.compiled_model import TYPES, Compiled, compiled, fixed_terms, matrix
from groupkin.exchange.mjcf.forces import forces_of
from groupkin.exchange.mjcf.text import included, stripped
from groupkin.exchange.xml_input import Element
from groupkin.exchange.xml_poses import ONE_SHAPE, SUFFIXES
from groupkin.mechanism.files.decoding import Folder
from groupkin.mechanism.pairs import form
from groupkin.mechanism.parts import Shape
from groupkin.messages import counted, unknown
from groupkin.model.geometry.coordinates import coordinates
from sglibrary.array_types import Array


def read_mjcf(root: Element, path: Path, folder: Folder, keyframe: str | None, masses: bool, friction: bool) -> Graph:
    """Read an MJCF model.

    Parameters
    ----------
    root : Element
        Of the file.
    path : Path
    folder : Folder
        Where the files are that it names.
    keyframe : str, optional
        Name or number of the keyframe from which loops are closed; default: qpos0.
    masses, friction : bool
        Whether masses and forces, and dry friction, are read.

    Raises
    ------
    ModelError, FileError
    """
    whole = included(path, folder)
    left_out = stripped(whole, folder, meshes=masses)
    found = compiled(whole, path, masses)
    model = found.model
    links = _links(found, left_out)
    edges = {edge.name: edge for edge in _edges(found, links)}
    followings = list[Following]()
    for k in range(model.neq):
        _read_equality(found, k, edges, followings, left_out)
    loads, of_forces = forces_of(found, edges, friction) if masses else ((), [])
    driven, of_actuators = _actuated(found)
    weightless = model.opt.disableflags & int(found.mujoco.mjtDisableBit.mjDSBL_GRAVITY)
    return Graph(
        name=str(root.attributes.get("model") or path.stem),
        fixed=found.bodies[0],
        links=links,
        edges=edges,
        followings=tuple(followings),
        loads=tuple(loads),
        driven=tuple(driven),
        gravity=np.zeros(3) if weightless else np.array(model.opt.gravity),
        start=_start(found, edges, keyframe),
        left_out=(*left_out, *of_forces, *of_actuators, *_other_things(found)),
        frames=_frames(found),
    )


# --- links and edges -------------------------------------------------------------------------


def _links(found: Compiled, left_out: list[str]) -> dict[str, Link]:
    """Make the links, with massless ones between several joints of a body."""
    model, data, links = found.model, found.data, dict[str, Link]()
    shapes = _shapes(found, left_out)
    for k, name in enumerate(found.bodies):
        for j in range(int(model.body_jntnum[k]) - 1):
            links[_between(found, k, j)] = Link(_between(found, k, j), data.xpos[k].copy())
        frame = data.ximat[k].reshape(3, 3)
        inertia = frame @ np.diag(model.body_inertia[k]) @ frame.T
        points = {
            found.name("site", s) or f"site {s}": data.site_xpos[s].copy()
            for s in range(model.nsite)
            if model.site_bodyid[s] == k
        }
        mass = float(model.body_mass[k]) if k else 0.0
        inertia = 0.5 * (inertia + inertia.T) if k else np.zeros((3, 3))
        links[name] = Link(name, data.xpos[k].copy(), mass, data.xipos[k].copy(), inertia, points, shapes.get(k))
    return links


def _frames(found: Compiled) -> dict[str, tuple[str, Pose]]:
    """Frames of sites and bodies by name; a body goes before a site of the same name."""
    model = found.model
    sites = {found.name("site", s): (found.bodies[model.site_bodyid[s]], found.site(s)) for s in range(model.nsite)}
    return sites | {name: (name, found.pose(k)) for k, name in enumerate(found.bodies)}


def _between(found: Compiled, body: int, joint: int) -> str:
    """Name of the massless link after a joint of a body that is not its last."""
    return f"{found.bodies[body]}.{joint + 1}"


def _edges(found: Compiled, links: Mapping[str, Link]) -> list[Edge]:
    """Make the edges of the tree."""
    model, data, edges = found.model, found.data, list[Edge]()
    for k in range(1, model.nbody):
        name, last = found.bodies[k], found.bodies[model.body_parentid[k]]
        count, first = int(model.body_jntnum[k]), int(model.body_jntadr[k])
        if not count:
            edges.append(stated_edge(f"{name} weld", WELD, (last, name), data.xpos[k].copy()))
        for j in range(count):
            number = first + j
            ends, kind = (last, _between(found, k, j) if j < count - 1 else name), TYPES[model.jnt_type[number]]
            last = ends[1]
            values, axes, point = list[float](), data.xaxis[number].copy(), data.xanchor[number].copy()
            if kind in ("R", "P"):
                values = [float(model.qpos0[model.jnt_qposadr[number]])]
            else:
                axes, point = data.xmat[k].reshape(3, 3).copy(), point if kind == "S" else data.xpos[k].copy()
            ends_at = model.jnt_range[number] if model.jnt_limited[number] and kind in ("R", "P") else None
            span = None if ends_at is None else (float(ends_at[0]), float(ends_at[1]))
            edges.append(stated_edge(found.joints[number], kind, ends, point, axes, values, range=span))
    return edges


def _read_equality(
    found: Compiled, k: int, edges: dict[str, Edge], followings: list[Following], left_out: list[str]
) -> None:
    """Read an equality as a loop, or as an equation between joints.

    Raises
    ------
    ModelError
        If it is of a kind that is not read.
    """
    model, kinds, name = found.model, found.mujoco.mjtEq, found.equalities[k]
    kind, data = kinds(int(model.eq_type[k])), model.eq_data[k]
    first, second = int(model.eq_obj1id[k]), int(model.eq_obj2id[k])
    if not model.eq_active0[k]:
        left_out.append(f"equality {name!r}, which is not active")
    elif kind in (kinds.mjEQ_CONNECT, kinds.mjEQ_WELD):
        edges[name] = _loop(found, k, kind == kinds.mjEQ_WELD)
    elif kind == kinds.mjEQ_JOINT:
        followings.append(_follow(found, name, first, second, data))
    elif kind == kinds.mjEQ_TENDON:
        terms = [_fixed_tendon(found, name, tendon) for tendon in (first, second) if tendon >= 0]
        zeros = [float(model.tendon_length0[tendon]) for tendon in (first, second) if tendon >= 0]
        leading = (terms[1], zeros[1]) if second >= 0 else ((), 0.0)
        powers = data[:5].tolist() if second >= 0 else data[:1].tolist()
        followings.append(Following(name, terms[0], leading[0], powers, (zeros[0], leading[1])))
    else:
        raise ModelError(f"equality {name!r} is of a kind that is not read: {kind.name.removeprefix('mjEQ_').lower()}")


def _follow(found: Compiled, name: str, first: int, second: int, powers: Array) -> Following:
    """Let a hinge or slide follow another by a polynomial, both counted from qpos0."""
    model = found.model
    y0 = float(model.qpos0[model.jnt_qposadr[first]])
    if second < 0:
        return Following(name, [Term(found.joints[first], 1.0)], [], powers[:1].tolist(), (y0, 0.0))
    x0 = float(model.qpos0[model.jnt_qposadr[second]])
    terms = [Term(found.joints[first], 1.0)], [Term(found.joints[second], 1.0)]
    return Following(name, *terms, powers[:5].tolist(), (y0, x0))


def _fixed_tendon(found: Compiled, name: str, tendon: int) -> list[Term]:
    """Terms of a fixed tendon.

    Raises
    ------
    ModelError
        If it is none.
    """
    terms = fixed_terms(found, tendon)
    if terms is None:
        called = found.name("tendon", tendon) or str(tendon)
        raise ModelError(f"equality {name!r} ties tendon {called!r}, which goes through space: it is not read")
    return terms


def _loop(found: Compiled, k: int, weld: bool) -> Edge:
    """Make the edge of a loop: two points that coincide, or two frames."""
    model, data = found.model, found.model.eq_data[k]
    ids = int(model.eq_obj1id[k]), int(model.eq_obj2id[k])
    if model.eq_objtype[k] == int(found.mujoco.mjtObj.mjOBJ_SITE):
        first, second = (found.site(site) for site in ids)
        ids = int(model.site_bodyid[ids[0]]), int(model.site_bodyid[ids[1]])
    elif weld:  # the anchor is a point of the second body, which coincides with one of the first
        first = found.pose(ids[0]).after(Pose(matrix(found, data[6:10]), data[3:6]))
        second = found.pose(ids[1]).after(Pose(np.eye(3), data[:3]))
    else:
        first, second = (found.pose(b).after(Pose(np.eye(3), data[3 * n : 3 * n + 3])) for n, b in enumerate(ids))
    ends = found.bodies[ids[0]], found.bodies[ids[1]]
    kind = WELD if weld else "S"
    if not weld:  # points alone: both frames as the global axes
        first, second = Pose(np.eye(3), first.shift), Pose(np.eye(3), second.shift)
    return joined_edge(found.equalities[k], kind, ends, first, second, loop=True, point_alone=not weld)


# --- start, actuators, shapes ------------------------------------------------------------------


def _start(found: Compiled, edges: Mapping[str, Edge], keyframe: str | None) -> dict[str, Array]:
    """Values of edges at a keyframe.

    Raises
    ------
    UnknownNameError
        If there is no such keyframe.
    """
    model = found.model
    if keyframe is None:
        return {}
    names = [found.name("key", k) or str(k) for k in range(model.nkey)]
    if keyframe not in names and keyframe not in [str(k) for k in range(model.nkey)]:
        raise unknown("keyframe", keyframe, names)
    qpos = model.key_qpos[names.index(keyframe) if keyframe in names else int(keyframe)]
    start = {}
    for k, name in enumerate(found.joints):
        at, kind = int(model.jnt_qposadr[k]), TYPES[model.jnt_type[k]]
        if kind in ("R", "P"):
            start[name] = np.array([qpos[at]])
        else:
            begin, turned = Pose(edges[name].geometry.frames[0], edges[name].geometry.points[0]), qpos[at : at + 4]
            there = Pose(matrix(found, turned), np.zeros(3))  # of a ball: in the axes of its body
            if kind == "F":
                there = begin.back().after(Pose(matrix(found, qpos[at + 3 : at + 7]), qpos[at : at + 3]))
            start[name] = coordinates(form(kind, 3), there.rotation, there.shift)
    return start


def _actuated(found: Compiled) -> tuple[list[str], list[str]]:
    """List joints with actuators, and those actuators that pull otherwise, a line each."""
    model, transmissions = found.model, found.mujoco.mjtTrn
    driven, left_out = list[str](), list[str]()
    for k in range(model.nu):
        kind, at = transmissions(int(model.actuator_trntype[k])), int(model.actuator_trnid[k, 0])
        what = f"actuator {found.name('actuator', k) or k}"
        joints = kind in (transmissions.mjTRN_JOINT, transmissions.mjTRN_JOINTINPARENT)
        if joints and TYPES[model.jnt_type[at]] in ("R", "P"):
            driven.append(found.joints[at])
        elif joints:
            left_out.append(f"{what}: joint {found.joints[at]!r} turns about three axes; drive its angles")
        elif kind == transmissions.mjTRN_TENDON and (terms := fixed_terms(found, at)) is not None:
            left_out.append(f"{what}: it pulls a tendon; drive one of {', '.join(term.edge for term in terms)} instead")
        else:
            left_out.append(f"{what}: it acts by no joint; drive a joint instead")
    return list(dict.fromkeys(driven)), left_out


def _shapes(found: Compiled, left_out: list[str]) -> dict[int, Shape]:
    """Make a shape of the first mesh of every body, where the mesh is in its file; other meshes are left out."""
    model, shapes = found.model, dict[int, Shape]()
    for k in range(model.ngeom):
        mesh, body = int(model.geom_dataid[k]), int(model.geom_bodyid[k])
        if model.geom_type[k] != int(found.mujoco.mjtGeom.mjGEOM_MESH) or mesh < 0:
            continue
        file, scale = _mesh_file(found, mesh), model.mesh_scale[mesh]
        where = f"mesh {found.name('mesh', mesh)!r} of body {found.bodies[body]!r}"
        if body in shapes:
            left_out.append(f"{where}: {ONE_SHAPE}")
            continue
        if file is None or Path(file).suffix.lower() not in SUFFIXES or len(set(np.abs(scale).tolist())) > 1:
            left_out.append(f"{where}: shapes are STL or OBJ files with one scale")
            continue
        geom = Pose(found.data.geom_xmat[k].reshape(3, 3), found.data.geom_xpos[k])  # of the mesh about its center
        own = Pose(matrix(found, model.mesh_quat[mesh]), model.mesh_pos[mesh]).back()
        at = geom.after(own)
        axes = (at.rotation * np.sign(scale)).T
        shapes[body] = Shape(file, tuple(at.shift.tolist()), float(abs(scale[0])), tuple(map(tuple, axes.tolist())))
    return shapes


def _mesh_file(found: Compiled, mesh: int) -> str | None:
    begin = int(found.model.mesh_pathadr[mesh])
    if begin < 0:
        return None
    return bytes(found.model.paths[begin:]).split(b"\0")[0].decode()


def _other_things(found: Compiled) -> list[str]:
    """List what a mechanism does not have, a line for each kind."""
    model, option = found.model, found.model.opt
    limits = (model.tendon_limited, model.actuator_ctrllimited, model.actuator_forcelimited)
    limited = sum(int(each.sum()) for each in limits)
    touching = int(((model.geom_contype != 0) | (model.geom_conaffinity != 0)).sum())
    balls = [x for k, x in enumerate(found.joints) if TYPES[model.jnt_type[k]] in "SF" and model.jnt_limited[k]]
    carried = int((model.body_gravcomp != 0).sum())
    every = [
        (touching, f"contacts of {counted(touching, 'geom')}"),
        (limited, f"limits of tendons and actuators: {limited}"),
        (balls, f"ranges of {', '.join(balls)}, which turn about three axes"),
        (option.density or option.viscosity, "density and viscosity of the medium"),
        (np.any(option.wind), "wind"),
        (carried, f"compensation of gravity (gravcomp) of {counted(carried, 'body', 'bodies')}"),
    ]
    return [text for there, text in every if there]
