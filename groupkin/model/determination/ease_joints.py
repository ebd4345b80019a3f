"""Joints that repeat each other: loops that stay in a plane or on a sphere, and linkages that move though over-counted.

Combinations of rows that vanish are states of self-stress: wrenches that the joints bear against each other. A joint
that may also move along a twist no longer bears the wrenches that would work on it. So joints are eased, replaced by
pairs that move in more ways, until no stress is left. Counting and solving then see no more rows than there are, while
the bodies move as before: the rows left out follow from the others, all along the motion and not for an instant only,
as `groupkin.model.determination.finite_motion` shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import PAIRS, form
from groupkin.model.determination.finite_motion import Cluster, Poses, Rows, carried, relative_twists, rows, tour
from groupkin.model.geometry.frames import JointGeometry, frames
from groupkin.model.geometry.geometry import Geometry, near_origin
from groupkin.model.rank.alignment import axes_of, common_center, common_normal
from groupkin.structure.redundancy import Redundancy
from groupkin.tolerances import ROUNDING, TAKES_PART
from sglibrary.array_types import Array

FIRM = 0.02
"""Smallest share of a stress that eased joints must take up in all configurations of the tour (1 is all of it)."""

ALIKE = 0.5
"""Share of the best choice above which others count as equally good, so that the groups decide."""

TRIALS = 60
"""Number of choices of eased joints whose groups are examined."""

EXAMINED, KEPT = 10, 3
"""Configurations of the tour, evenly spread, by which the best ways to ease a joint are chosen, and how many of those
that leave out equally many rows are then examined along the whole tour."""

Judge = Callable[[tuple[Joint, ...]], tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class Repeating:
    """Joints that repeat each other in all configurations of their motion, whatever drives them.

    Attributes
    ----------
    cluster : Cluster
    seen : list of (Poses, Rows)
        Configurations of the tour in which as few rows repeat others as in any.
    rows : int
        Number of rows that repeat others.
    """

    cluster: Cluster
    seen: list[tuple[Poses, Rows]]
    rows: int


def repeating(mechanism: Mechanism, geometry: Geometry) -> tuple[list[Repeating], list[str]]:
    """Find all parts of a mechanism whose joints repeat each other; its drivers do not matter.

    Returns
    -------
    list of Repeating
    list of str
        Sentences on parts whose joints repeat each other in the reference configuration only.
    """
    everything = Cluster(mechanism, *near_origin(geometry), tuple(mechanism.joints), mechanism.frame)
    found: list[Repeating] = []
    shaky: list[str] = []
    for cluster in _stressed(everything):
        passed, finite = tour(cluster)
        seen = [(poses, rows(cluster, poses)) for poses in passed]
        least = min(each.stress.shape[1] for _, each in seen)
        if seen[0][1].free.shape[1] and not finite:
            names = ", ".join(joint.name for joint in cluster.joints)
            shaky.append(f"{names} give way only for an instant: their constraints are redundant here, not elsewhere")
        elif least:
            found.append(Repeating(cluster, [each for each in seen if each[1].stress.shape[1] == least], least))
    return found, shaky


def described_parts(mechanism: Mechanism, geometry: Geometry, configurations: Sequence[Poses]) -> list[Redundancy]:
    """Describe all parts of a mechanism whose joints repeat each other in all of some configurations.

    Parts that bear a stress in the reference configuration need not do so elsewhere, where larger ones may: if no part
    is left, they are those of the first configuration.
    """
    everything = Cluster(mechanism, *near_origin(geometry), tuple(mechanism.joints), mechanism.frame)
    found = []
    for cluster in _stressed(everything):
        least = min(rows(cluster, poses).stress.shape[1] for poses in configurations)
        if least:
            reference = rows(cluster, cluster.at_rest())
            found.append(_described(cluster, reference, bool(reference.free.shape[1]), least, ()))
    if found:
        return found
    there = _placed(everything, configurations[0])
    for cluster in _stressed(there):
        here = rows(cluster, cluster.at_rest())
        if here.stress.shape[1]:
            found.append(_described(cluster, here, bool(here.free.shape[1]), here.stress.shape[1], ()))
    return found


def relaxed(cluster: Cluster, configurations: Sequence[Poses]) -> tuple[Joint, ...]:
    """Choose joints that could be looser pairs, so that no row repeats others; none if no choice is found.

    Parameters
    ----------
    cluster : Cluster
    configurations : sequence of Poses
        At which all joints are closed.
    """
    found: list[Joint] = []
    for part in _stressed(cluster):
        seen = [(poses, rows(part, poses)) for poses in configurations]
        least = min(each.stress.shape[1] for _, each in seen)
        regular = [each for each in seen if each[1].stress.shape[1] == least]
        found += _eased(part, regular, least, lambda _: ()) if least else ()
    return tuple(found)


def described_whole(mechanism: Mechanism, geometry: Geometry, stress: int) -> Redundancy:
    """Describe a large mechanism as one part, with the number of its rows that repeat others."""
    whole = Cluster(mechanism, *near_origin(geometry), tuple(mechanism.joints), mechanism.frame)
    bodies, names = tuple(mechanism.body), tuple(mechanism.joint)
    return Redundancy(_kind(whole, bodies, True, stress), bodies, names, stress, {})


def _placed(cluster: Cluster, poses: Poses) -> Cluster:
    """The same joints, whose reference configuration is another one."""
    joints = {joint.name: carried(cluster.geometry.joints[joint.name], joint.bodies, poses) for joint in cluster.joints}
    return replace(cluster, geometry=replace(cluster.geometry, joints=joints))


def redundancies(parts: Sequence[Repeating], mechanism: Mechanism, judge: Judge) -> list[Redundancy]:
    """Choose joints to ease in all parts of a mechanism whose joints repeat each other.

    Parameters
    ----------
    parts : sequence of Repeating
    mechanism : Mechanism
        With its drivers: driven joints are not eased.
    judge : callable
        Grades the groups that eased joints lead to; less is better.
    """
    found: list[Redundancy] = []

    def with_earlier(eased: tuple[Joint, ...]) -> tuple[int, ...]:
        return judge((*(joint for earlier in found for joint in earlier.eased), *eased))

    for part in parts:
        cluster = replace(part.cluster, mechanism=mechanism)
        eased = _eased(cluster, part.seen, part.rows, with_earlier)
        found.append(_described(cluster, part.seen[0][1], bool(part.seen[0][1].free.shape[1]), part.rows, eased))
    return found


def _stressed(everything: Cluster) -> Iterator[Cluster]:
    """Yield the joints that bear a stress in the reference configuration; joints that share none are apart."""
    reference = rows(everything, everything.at_rest())
    if not reference.stress.shape[1]:
        return
    borne = [reference.stress_at(k) for k in range(len(everything.joints))]
    graph = nx.Graph()
    graph.add_nodes_from(k for k, stress in enumerate(borne) if np.abs(stress).max(initial=0.0) > TAKES_PART)
    shared = [pair for pair in combinations(graph, 2) if np.abs(borne[pair[0]] @ borne[pair[1]].T).max() > TAKES_PART]
    graph.add_edges_from(shared)
    for part in nx.connected_components(graph):
        joints = tuple(everything.joints[k] for k in sorted(part))
        bodies = {body for joint in joints for body in joint.bodies}
        base = everything.base if everything.base in bodies else joints[0].bodies[0]
        yield replace(everything, joints=joints, base=base)


# --- joints that move in more ways ------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Easing:
    """A joint in place of another; `taken` (configurations, k, r) is the stress that it no longer bears."""

    joint: Joint
    taken: Array

    @property
    def rows(self) -> int:
        return self.taken.shape[1]


def _eased(cluster: Cluster, seen: list[tuple[Poses, Rows]], stress: int, judge: Judge) -> tuple[Joint, ...]:
    """Choose joints to ease so that no stress is left; of about equally good choices the one with the best groups.

    Parameters
    ----------
    cluster : Cluster
    seen : list of (Poses, Rows)
        Configurations of the tour.
    stress : int
        Number of rows to leave out.
    judge : callable
        As `redundancies` takes it.
    """
    some = seen[:: -(-len(seen) // EXAMINED)]
    options: list[_Easing] = []
    for k, joint in enumerate(cluster.joints):
        looser = list(_looser(joint, cluster.geometry.joints[joint.name], cluster.mechanism.dimension))
        few = sorted(_easings(cluster, some, k, looser, stress), key=lambda option: -_firmness([option]))
        firm = [o for o in few if sum(p.rows == o.rows for p in few[: few.index(o)]) < KEPT]
        options += _easings(cluster, seen, k, [option.joint for option in firm], stress)
    for order in (-1, 1):  # few joints eased by many rows, as in a plane loop; else many joints eased by few
        chosen = _completed([], options, stress, order)
        if chosen:
            break
    if not chosen:
        return ()
    best, trials = judge(tuple(option.joint for option in chosen)), 0
    limit = ALIKE * _firmness(chosen)
    for k in range(len(chosen)):
        for option in options:
            other = [*chosen[:k], option, *chosen[k + 1 :]]
            names = {each.joint.name for each in other}
            if option.rows != chosen[k].rows or len(names) < len(other) or _firmness(other) < limit:
                continue
            trials += 1
            if trials > TRIALS:
                break
            quality = judge(tuple(each.joint for each in other))
            if quality < best:
                best, chosen = quality, other
    return tuple(option.joint for option in chosen)


def _completed(chosen: list[_Easing], options: list[_Easing], stress: int, order: int) -> list[_Easing]:
    """Add easings until they take up all of the stress: each time the firmest with the most (or fewest) rows."""
    while (done := sum(option.rows for option in chosen)) < stress:
        used = {option.joint.name for option in chosen}
        fitting = [option for option in options if option.joint.name not in used and option.rows <= stress - done]
        for size in sorted({option.rows for option in fitting}, key=lambda rows: order * rows):
            graded = [(_firmness([*chosen, option]), option) for option in fitting if option.rows == size]
            top = max(graded, key=lambda grade: grade[0])
            if top[0] > FIRM:
                # the first that is about as good, as the order of declaration means something to the user
                chosen = [*chosen, next(option for firm, option in graded if firm >= ALIKE * top[0])]
                break
        else:
            return []
    return chosen


def _firmness(chosen: list[_Easing]) -> float:
    """Compute the smallest singular value, in any configuration, of the stress that eased joints take up together."""
    stacked = np.concatenate([option.taken for option in chosen], axis=1)
    return float(np.linalg.svd(stacked, compute_uv=False)[:, -1].min()) if stacked.shape[1] <= stacked.shape[2] else 0.0


def _easings(
    cluster: Cluster, seen: list[tuple[Poses, Rows]], number: int, looser: Sequence[Joint], most: int
) -> Iterator[_Easing]:
    """Yield the ways to ease joint `number` by the given looser joints that leave out at most `most` rows."""
    joint, mechanism = cluster.joints[number], cluster.mechanism
    geometry = cluster.geometry.joints[joint.name]
    if joint.name in mechanism.driven:
        return
    old = [relative_twists(cluster, joint, geometry, poses) for poses, _ in seen]
    # a stress is a unit vector over all rows: the share of one joint is small if there are many joints
    scale = [max(float(np.linalg.norm(at.stress_at(number), 2)), 1e-300) for _, at in seen]
    for other in looser:
        if len(mechanism.freedoms(other)) - len(mechanism.freedoms(joint)) > most:
            continue
        looser_geometry = eased_geometry(other, joint, geometry, mechanism.dimension)
        taken = []
        for (poses, at), before, unit in zip(seen, old, scale, strict=True):
            now = relative_twists(cluster, other, looser_geometry, poses)
            now = now if other.bodies == joint.bodies else -now
            more = _beyond(now, before)
            if more is None:
                break
            taken.append(more @ at.stress_at(number) / unit)
        else:
            yield _Easing(other, np.array(taken))


def _beyond(now: Array, before: Array) -> Array | None:
    """Compute orthonormal rows of the twists that are new; None if not all the old ones are among those now."""
    basis, _ = np.linalg.qr(before)
    rest = now - basis @ (basis.T @ now)
    left, values, _ = np.linalg.svd(rest, full_matrices=False)
    count = int((values > TAKES_PART).sum())
    return left[:, :count].T if count == now.shape[1] - before.shape[1] else None


def eased_geometry(eased: Joint, joint: Joint, geometry: JointGeometry, dimension: int) -> JointGeometry:
    """Compute the geometry of the joint that another is solved as, with axes as in the reference configuration."""
    points = geometry.points if eased.bodies == joint.bodies else geometry.points[..., ::-1, :]
    return frames(eased, form(eased.type, dimension), points)


def _looser(joint: Joint, geometry: JointGeometry, dimension: int) -> Iterator[Joint]:
    """Yield joints that allow what this joint does, and more; lines and planes may be on either body."""
    first, both = geometry.frames[0], (joint.bodies, joint.bodies[::-1])

    def solved_as(kind: str, bodies: tuple[str, ...] = joint.bodies, **directions: Any) -> Joint:
        return Joint(joint.name, kind, bodies, **{key: _listed(value) for key, value in directions.items()})

    if dimension == 2:
        yield solved_as("FP")
        allowed = form(joint.type, 2)
        slots = first[:, :1].T if allowed.slide else ()
        if allowed.hinge:
            slots = [first @ [np.cos(angle), np.sin(angle)] for angle in np.arange(4) * np.pi / 4]
        for bodies in both:
            yield from (solved_as("CR", bodies, axis=slot) for slot in slots)
        return
    yield solved_as("F")
    x, y, z = first.T
    along = {"x": x, "y": y, "z": z, "u": (x + y) / np.sqrt(2), "v": (x - y) / np.sqrt(2)}
    looser = {kind: [along[name] for name in names] for kind, names in PAIRS[joint.type].looser.items()}
    for bodies in both:
        for kind in ("SC", "SP", "PL"):
            yield from (solved_as(kind, bodies, axis=line) for line in looser.get(kind, ()))
        yield from (solved_as("CR", bodies, axes=(slot, z)) for slot in looser.get("CR", ()))
    if "S" in looser:
        yield solved_as("S")
    yield from (replace(solved_as("HF", axis=line), pitch=joint.pitch) for line in looser.get("HF", ()))
    yield from (solved_as("C", axis=line) for line in looser.get("C", ()))
    yield from (solved_as("U", axes=(z, other)) for other in looser.get("U", ()))
    yield from (solved_as("U", axes=(other, z)) for other in looser.get("U", ()))


def _listed(vectors: Any) -> Any:
    numbers = np.array(vectors).tolist()
    return tuple(map(tuple, numbers)) if np.ndim(vectors) == 2 else tuple(numbers)


# --- description ------------------------------------------------------------------------------------


def _described(cluster: Cluster, reference: Rows, moves: bool, stress: int, eased: tuple[Joint, ...]) -> Redundancy:
    """Describe a cluster with redundant rows, by its rows in the reference configuration."""
    d, repeated = cluster.mechanism.dimension, {}
    for k, joint in enumerate(cluster.joints):
        names = _rows_named(cluster, joint, reference.stress_at(k), d)
        if names:
            repeated[joint.name] = names
    bodies = tuple(b for b in cluster.mechanism.body if any(b in joint.bodies for joint in cluster.joints))
    names = tuple(joint.name for joint in cluster.joints)
    return Redundancy(_kind(cluster, bodies, moves, stress), bodies, names, stress, repeated, eased)


def _rows_named(cluster: Cluster, joint: Joint, wrenches: Array, d: int) -> tuple[str, ...]:
    """Name the rows of a joint that take part in a stress: its forces and moments in the frame of the joint."""
    geometry, size = cluster.geometry.joints[joint.name], cluster.geometry.size
    frame, point = geometry.frames[0], geometry.points[1]
    if d == 2:
        force = frame.T @ wrenches[1:]
        moment = wrenches[0] - (point[0] * wrenches[2] - point[1] * wrenches[1]) / size
        borne = [*zip(("shift_x", "shift_y"), force, strict=True), ("tilt", moment)]
    else:
        force = frame.T @ wrenches[3:]
        moment = frame.T @ (wrenches[:3] - np.cross(point / size, wrenches[3:], axisa=0, axisb=0, axisc=0))
        names = ("shift_x", "shift_y", "shift_z", "tilt_x", "tilt_y", "tilt_z")
        borne = list(zip(names, [*force, *moment], strict=True))
    return tuple(name for name, row in borne if np.abs(row).max() > TAKES_PART)


def _kind(cluster: Cluster, bodies: tuple[str, ...], moves: bool, stress: int) -> str:
    """Describe what joints with stresses are together, by their axes and by whether they move."""
    loops = len(cluster.joints) - len(bodies) + 1
    shape = "loop" if loops == 1 else "part"
    turns, slides = axes_of(cluster.mechanism, cluster.geometry, cluster.joints)
    normal, center = common_normal(turns, slides), common_center(turns, slides, cluster.geometry.size)
    if normal is not None or center is not None:
        if normal is not None:
            parallel = " (its axes are parallel)" if turns else ""
            name = f"a planar {shape} with the normal {_numbers(normal)}{parallel}"
        else:
            assert center is not None
            place = cluster.mechanism.units.vector(center + cluster.shift)
            name = f"a spherical {shape} about {place} (its axes meet there)"
        more = stress - 3 * loops
        how = "that moves by its special dimensions" if moves else "that is locked more often than needed"
        return f"{name}, counted with 3 equations per body" + (f", {how}" if more > 0 else "")
    if not moves:
        return f"a {shape} that is locked more often than needed"
    hinges = [joint.type for joint in cluster.joints] if cluster.mechanism.dimension == 3 and loops == 1 else []
    if hinges == ["R"] * 4:
        return "a Bennett linkage (four skew axes that move together)"  # there is no other (Delassus 1922)
    if hinges == ["R"] * 6:
        return "an over-constrained loop of six hinges that moves, as those of Bricard do"
    return f"an over-constrained {shape} that moves by its special dimensions"


def _numbers(vector: Array | None) -> str:
    assert vector is not None
    return f"({', '.join(f'{x + 0.0:.4g}' for x in np.where(np.abs(vector) < ROUNDING, 0.0, vector))})"
