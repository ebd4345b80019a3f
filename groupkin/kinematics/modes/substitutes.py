"""All solutions of plane groups that one substitute makes simple: triads, class III groups, most of six-bar linkages.

One rod of the group, a link between two hinges or between a hinge and a slide, is left out, and one of its joints is
driven instead (Kinzel and Chang 1984). What is left falls apart into groups with closed forms, dyads, each in one of
its modes. By how much the rod does not fit is then a function of one variable on each branch, that is for each choice
of modes, and its roots are the solutions of the group (`groupkin.kinematics.modes.branch_roots`).

All solutions are found but these: two for which the driven joint differs by less than 1e-4 rad, which is next to where
the group is singular, may be taken for one; and a branch that exists over less than 0.7° of the driven joint may be
missed. Where the ends of a dyad coincide, so that it can turn freely, or the group itself moves, another substitute is
tried; if there is none, nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import numpy as np

from groupkin.errors import StructureError
from groupkin.kinematics.modes.branch_roots import branch_roots
from groupkin.kinematics.modes.links import Freedoms, Links, links_of
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.building import assemble
from groupkin.kinematics.program.closed_forms import roles
from groupkin.kinematics.program.program import Program, variant_of
from groupkin.mechanism.laws.laws import Constant
from groupkin.mechanism.mechanism import Driver, Mechanism
from groupkin.model.geometry.coordinates import coordinates
from groupkin.model.trees import Move, Tree
from groupkin.structure.decomposition import Group, Structure, decompose
from groupkin.tolerances import SHORT_ROD
from sglibrary.array_types import Array
from sglibrary.iterative import kinds

Placed = dict[str, tuple[Array, Array]]
"""Of every link or body the global positions of its origin (k, 2), m, and its rotations (k, 2, 2)."""

MOST_LINKS, MOST_SIGNS, MOST_TRIED = 12, 4, 6
"""Links of a group, signs of modes after a substitute, and substitutes, up to which they are tried."""


@dataclass(frozen=True)
class Substitute:
    """The structure of a group without a rod, by name, and with one of its joints driven."""

    rod: str
    driven: str
    structure: Structure

    @property
    def signs(self) -> int:
        """Number of signs that choose the modes of its groups."""
        return sum(len(found[0].signs) for group in self.structure.groups if (found := roles(group)))


def solutions(solved: Motion, values: Freedoms, group: Group) -> Placed | None:
    """Place the bodies of a plane group in all of its solutions, see above for what is guaranteed.

    Parameters
    ----------
    solved : Motion
        Of one step, in which the groups before it are solved.
    values : dict of (str, int) to float
        Of all drivers, rad or m, by joint and freedom.
    group : Group

    Returns
    -------
    dict of str to array and array, or None
        Of its k solutions, some of which may be no solutions but nearly so; None if no substitute makes it simple.
    """
    links = links_of(solved, values, group)
    for substitute in _substitutes(links.mechanism) if links is not None else ():
        assert links is not None
        placed = _placed(links, substitute)
        if placed is not None:
            return _bodies(links, placed)
    return None


# --- the substitutes ---------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _substitutes(links: Mechanism) -> tuple[Substitute, ...]:
    """List the substitutes that make a group simple, those with the fewest branches first, hinges before slides."""
    if len(links.movable) > MOST_LINKS:
        return ()
    found = [x for rod in links.movable if _is_rod(links, rod) for x in _without(links, rod)]
    return tuple(sorted(found, key=lambda x: (x.signs, links.form(links.joint[x.driven]).slide)))[:MOST_TRIED]


def _is_rod(links: Mechanism, body: str) -> bool:
    """Tell whether a link has two joints, hinges or one of them a slide."""
    forms = [links.form(joint) for joint in links.joints_of[body]]
    hinges, slides = (sum(form.hinge for form in forms), sum(form.slide for form in forms))
    return (hinges, slides) in ((2, 0), (1, 1)) and len(forms) == 2


def _without(links: Mechanism, rod: str) -> Iterator[Substitute]:
    """Yield the substitutes for which a rod is left out."""
    joints = [joint for joint in links.joints if rod not in joint.bodies]
    bodies = [body for body in links.body if body != rod]
    for joint in joints:
        form = links.form(joint)
        if not (form.hinge or form.slide):
            continue
        try:
            driver = Driver(joint.name, Constant())
            structure = decompose(Mechanism(2, bodies, joints, [driver], frame=links.frame))
        except StructureError:
            continue
        substitute = Substitute(rod, joint.name, structure)
        if all(roles(group) for group in structure.groups) and substitute.signs <= MOST_SIGNS:
            yield substitute


def _branches(links: Links, substitute: Substitute) -> Iterator[Program]:
    """Yield a program for each choice of modes after a substitute; none if a closed form does not apply."""
    structure = substitute.structure
    names = tuple(found[0].name for group in structure.groups if (found := roles(group)))
    joints = {joint.name: links.geometry.joints[joint.name] for joint in structure.mechanism.joints}
    origins = {body: links.geometry.origins[body] for body in structure.mechanism.body}
    program = variant_of(assemble(structure, replace(links.geometry, joints=joints, origins=origins), names), ())
    if not all(np.isfinite(call.constants).all() for call in program.calls):
        return
    places = [(k, position) for k, call in enumerate(program.calls) for position in call.signs]
    for signs in product((1.0, -1.0), repeat=len(places)):
        calls = [replace(call, constants=call.constants.copy()) for call in program.calls]
        for (k, position), sign in zip(places, signs, strict=True):
            calls[k].constants[position] = sign
        yield replace(program, calls=tuple(calls))


def _placed(links: Links, substitute: Substitute) -> Placed | None:
    """Find where the links are in all solutions; None if these are not isolated, or the substitute does not apply."""
    rod, slide = _rod(links, substitute.rod), links.mechanism.form(links.mechanism.joint[substitute.driven]).slide
    if rod.length <= SHORT_ROD * links.reach:
        return None
    found: list[Placed] = []
    for program in _branches(links, substitute):

        def motion_at(u: Array, program: Program = program) -> Motion:
            # the whole range of the joint, also of a slide
            return program.evaluate((links.reach * np.tan(0.5 * u) if slide else u)[None])

        with np.errstate(all="ignore"):
            roots = branch_roots(lambda u: misfit(rod, motion_at(u)), -np.pi, np.pi)
        if roots is None:
            return None
        found.append(with_rod(rod, motion_at(roots)) if roots.size else {})
    existing = [placed for placed in found if placed]
    nowhere = (np.zeros((0, 2)), np.zeros((0, 2, 2)))
    parts = {link: [nowhere, *(placed[link] for placed in existing)] for link in links.mechanism.body}
    whole = {link: tuple(np.concatenate(x) for x in zip(*each, strict=True)) for link, each in parts.items()}
    return whole if found else None  # type: ignore[return-value]


# --- the rod -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Rod:
    """A rod that is left out.

    Attributes
    ----------
    name : str
    others : (str, str)
        The links at its two ends, first that of the slide if there is one.
    points : (2, 2) array
        Its ends on these links, m.
    own : (2, 2) array
        Its ends on itself, m.
    slide : (2, 2, 2) array or None
        Frames of the slide on the first link and on itself.
    length : float
        Distance of two hinges; with a slide that of the largest link.
    reach : float
        That of the largest link, m.
    """

    name: str
    others: tuple[str, str]
    points: Array
    own: Array
    slide: Array | None
    length: float
    reach: float


def _rod(links: Links, name: str) -> Rod:
    mechanism = links.mechanism
    joints = sorted(mechanism.joints_of[name], key=lambda joint: mechanism.form(joint).hinge)
    stated, sides = [links.geometry.joints[joint.name] for joint in joints], [x.bodies.index(name) for x in joints]
    first, second = (joint.bodies[1 - side] for joint, side in zip(joints, sides, strict=True))
    points = np.array([x.points[1 - side] for x, side in zip(stated, sides, strict=True)])
    own = np.array([x.points[side] for x, side in zip(stated, sides, strict=True)])
    slide = stated[0].frames[[1 - sides[0], sides[0]]] if mechanism.form(joints[0]).slide else None
    length = float(np.linalg.norm(own[1] - own[0])) if slide is None else links.reach
    return Rod(name, (first, second), points, own, slide, length, links.reach)


def misfit(rod: Rod, motion: Motion) -> Array:
    """Compute by how much a rod does not fit (n,), of scale 1 also where its ends are far; NaN where nothing is."""
    first, second = (motion.point_on(body, point) for body, point in zip(rod.others, rod.points, strict=True))
    span, square = second - first, ((second - first) ** 2).sum(axis=1)
    if rod.slide is None:
        gap = (square - rod.length**2) / (square + rod.length**2 + rod.reach**2)
    else:
        across = motion.rotation(rod.others[0]) @ rod.slide[0, :, 1]
        height = (rod.own[1] - rod.own[0]) @ rod.slide[1, :, 1]
        gap = ((span * across).sum(axis=1) - height) / np.sqrt(square + rod.reach**2)
    return np.where(motion.placed, gap, np.nan)


def with_rod(rod: Rod, motion: Motion) -> Placed:
    """Place all links at the steps of a motion that are placed, the rod among them."""
    motion = motion.at(np.flatnonzero(motion.placed))
    placed = {
        body: (motion.point_on(body, np.zeros(2)), motion.rotation(body)) for body in motion.program.mechanism.body
    }
    first, second = (motion.point_on(body, point) for body, point in zip(rod.others, rod.points, strict=True))
    if rod.slide is None:
        angle = np.subtract(*(np.arctan2(x[..., 1], x[..., 0]) for x in (second - first, rod.own[1] - rod.own[0])))
        turns = np.moveaxis(np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]), -1, 0)
    else:
        turns = placed[rod.others[0]][1] @ rod.slide[0] @ rod.slide[1].T
    return placed | {rod.name: (second - turns @ rod.own[1], turns)}


# --- back to the group -------------------------------------------------------------------------


def _bodies(links: Links, placed: Placed) -> Placed:
    """Place the bodies of the group as their links are."""
    at = {}
    for body, (link, shift, turn) in links.seats.items():
        origins, rotations = placed[link]
        at[body] = (origins + rotations @ shift, rotations @ turn)
    return at


def joint_variables(solved: Motion, group: Group, tree: Tree, at: Placed) -> Array:
    """Compute the joint variables (variables, k) of a group whose bodies are placed k times."""
    program = solved.program
    count = len(at[group.bodies[0]][0])
    q = np.repeat(solved.q, count, axis=1)
    for body in group.bodies:
        pose, (origins, rotations) = program.poses[body], at[body]
        for row, vector in (
            (pose.point, origins + rotations @ pose.origin),
            (pose.vectors[0], rotations @ pose.directions[:, 0]),
        ):
            first = int(np.searchsorted(program.kept, row))
            q[first : first + 2] = vector.T
    status, conditioning = np.repeat(solved.status, count, axis=1), np.repeat(solved.conditioning, count, axis=1)
    motion = Motion(program, np.arange(float(count)), q, 0.0 * q, 0.0 * q, status, conditioning)
    found = [_value(motion, tree, k, move, at) for k, move in enumerate(tree.moves) if move.free]
    return np.array(found).reshape(len(found), count)


def _value(motion: Motion, tree: Tree, number: int, move: Move, at: Placed) -> Array:
    """Compute the values (k,) of a move of the tree, rad or relative to the size."""
    program = motion.program
    size = 1.0 if move.kind == kinds.ROTATION else program.geometry.size
    if move.joint:
        joint, stated = program.structure.solved_as.joint[move.joint], program.solved_geometry.joints[move.joint]
        form = program.structure.solved_as.form(joint)
        values = coordinates(form, *motion.placement(joint.bodies, stated), stated.bend)
        return np.asarray(move.sign * values[move.number] / size)
    # a body that floats on the first solved one: two displacements, then a rotation
    place = 2 if move.kind == kinds.ROTATION else move.axis
    body = next(name for name, seat in tree.seats.items() if seat.frame == len(tree.solved) + number + 2 - place)
    origin, base = program.solved_geometry.origins[body], tree.solved[0]
    back = at[base][1].swapaxes(1, 2)
    turn = back @ at[body][1]
    if place == 2:
        return np.arctan2(turn[:, 1, 0], turn[:, 0, 0])
    away = at[body][0] + at[body][1] @ origin - at[base][0] - at[base][1] @ origin
    return np.asarray((back @ away[..., None])[:, place, 0] / size)
