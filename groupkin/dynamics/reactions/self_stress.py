"""States of self-stress: what redundant joints can bear against each other, and the least that they have to bear.

Joints that repeat each other are eased for the solution: one of them no longer bears some wrenches. The force method of
statics gives all states of self-stress from that: each of these wrenches, as a load between the two bodies of the eased
joint, is answered by the other joints, through all groups. Loads determine the reactions r up to such states S, and of
all r + S x the one with the least Σ |force|² + |moment / length|² is chosen, over all joints at the points of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.acting.loads import Loads
from groupkin.dynamics.bodies.joint_freedoms import twists, twists_of
from groupkin.dynamics.reactions.reaction_map import reaction_map
from groupkin.dynamics.reactions.wrenches import seen
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.mechanism import Joint
from groupkin.model.determination.ease_joints import eased_geometry
from groupkin.model.tree_making import make_tree
from groupkin.tolerances import INDEPENDENT_STRESS, NO_STRESS
from sglibrary.array_types import Array, Flags

LOOKED_AT = 8
"""Steps of a motion at which components are examined."""

BLOCK = 2048
"""Steps whose states are held at a time."""


class Lost(NamedTuple):
    """What an eased joint no longer bears: wrenches (k, 3 or 6, n) of its first body on the second, at a point (n, d).

    Of unit size, with lengths in sizes of the mechanism: torques about the point, N m, and forces, N.
    """

    joint: str
    point: Array
    wrenches: Array

    def add(self, loads: Loads, amounts: Array) -> Array:
        """Add amounts (k, n) of the wrenches to the loads on both bodies, and return their sum (3 or 6, n)."""
        wrench, mechanism = np.einsum("kin,kn->in", self.wrenches, amounts), loads.motion.program.mechanism
        bodies = mechanism.joint[self.joint].bodies
        loads.add_between(bodies, self.point, *np.split(wrench, [-mechanism.dimension]))
        return wrench


def redundant(motion: Motion) -> bool:
    """Tell whether joints of a mechanism repeat each other."""
    return bool(motion.program.structure.redundancies)


def all_lost(motion: Motion) -> list[Lost]:
    """List what all eased joints no longer bear, and what the cuts of groups with more rows than unknowns may."""
    eased = [_lost(motion, joint) for found in motion.program.structure.redundancies for joint in found.eased]
    return eased + [_of_cut(motion, joint) for joint in _cuts(motion.program)]


@once_per_program
def _cuts(program: Program) -> tuple[str, ...]:
    """The joints that are cut, of groups with more rows than unknowns: no stress is in the others alone."""
    found = dict[str, None]()
    for group in program.structure.groups:
        tree = make_tree(program.structure.solved_as, program.solved_geometry, group)
        if tree.count > tree.unknowns:
            found |= dict.fromkeys(equation.joint for equation in tree.equations if equation.joint)
    return tuple(found)


def _of_cut(motion: Motion, joint: str) -> Lost:
    """All wrenches that a joint bears.

    Each of them as a load, with what all cuts bear of it (with the least norm), is a projection on the states of
    self-stress: there are as many as rows, of which those of the unknowns depend on others.
    """
    (own, point), mechanism = twists(motion, joint), motion.program.mechanism
    kept = [0, 1, 2, 3, 4, 5] if mechanism.dimension == 3 else [2, 3, 4]
    if own.shape[2]:
        every = np.linalg.qr(own[:, kept], mode="complete").Q  # which leaves NaN of steps that are not solved
    else:
        every = np.broadcast_to(np.eye(len(kept)), (len(own), len(kept), len(kept)))
    wrenches = np.moveaxis(every[:, :, own.shape[2] :], 0, -1).swapaxes(0, 1).copy()
    wrenches[:, : -mechanism.dimension] *= motion.program.geometry.size
    return Lost(joint, point, wrenches)


def _lost(motion: Motion, eased: Joint) -> Lost:
    """Compute the wrenches of a joint that do no work on its own freedoms, but on those that it is eased by."""
    program, mechanism = motion.program, motion.program.mechanism
    stated, size = program.geometry.joints[eased.name], program.geometry.size
    own, point = twists(motion, eased.name)
    looser = eased_geometry(eased, mechanism.joint[eased.name], stated, mechanism.dimension)
    more, other = twists_of(motion, eased, looser)
    away = np.zeros((motion.times.size, 3))
    away[:, : mechanism.dimension] = (point - other) / size
    more[:, 3:] += np.cross(more[:, :3], away[:, :, None], axis=1)
    turned = np.swapaxes(own, 1, 2)
    rest = more - own @ np.linalg.solve(turned @ own, turned @ more) if own.shape[2] else more
    kept = [0, 1, 2, 3, 4, 5] if mechanism.dimension == 3 else [2, 3, 4]
    chosen = rest[:, kept][:, :, _independent(rest[len(rest) // 2], more.shape[2] - own.shape[2])]
    wrenches = np.moveaxis(chosen, 0, -1).swapaxes(0, 1).copy()
    wrenches[:, : -mechanism.dimension] *= size
    return Lost(eased.name, point, wrenches)


def _independent(columns: Array, count: int) -> list[int]:
    """Choose columns (6, k) that are as independent as can be, the largest remainder first."""
    rest, chosen = columns.copy(), list[int]()
    for _ in range(count):
        chosen.append(int(np.argmax(np.linalg.norm(rest, axis=0))))
        unit = rest[:, chosen[-1]] / np.linalg.norm(rest[:, chosen[-1]])
        rest -= np.outer(unit, unit @ rest)
    return sorted(chosen)


def states(motion: Motion) -> Array:
    """Compute states of self-stress at every step: a basis of them.

    Returns
    -------
    (k, joints, 3 or 6, n) array
        What the first body of each joint does to the second: torque about its point, N m, and force, N.
    """
    mechanism, n = motion.program.mechanism, motion.times.size
    answers, lost = reaction_map(motion.program), all_lost(motion)
    components = 3 * (mechanism.dimension - 1)
    names = [joint.name for joint in mechanism.joints]
    found = np.zeros((sum(len(each.wrenches) for each in lost), len(names), components, n))
    none = np.zeros((components, n))
    rows = iter(found)
    for each in lost:
        for unit in np.eye(len(each.wrenches)):
            loads, row = Loads(motion), next(rows)
            own = each.add(loads, np.repeat(unit[:, None], n, axis=1))
            _, reactions = answers.at(motion, {k: loads.wrenches.get(k, none) for k in answers.given})
            for joint, wrench in reactions.items():
                row[names.index(joint)] = wrench
            row[names.index(each.joint)] += own
    return found


def least_stress(motion: Motion, reactions: Mapping[str, Array], length: float) -> list[Array]:
    """Compute how much of what eased joints have lost they bear in the choice of least norm.

    Parameters
    ----------
    motion : Motion
    reactions : mapping of str to (3 or 6, n) array
        Of all joints, with nothing of what was lost.
    length : float
        m.

    Returns
    -------
    list of (k, n) array
        Amounts of the wrenches of `all_lost`; NaN at steps that are not solved.
    """
    mechanism, counts = motion.program.mechanism, [len(each.wrenches) for each in all_lost(motion.at(np.arange(1)))]
    amounts = np.full((sum(counts), motion.times.size), np.nan)
    weights = np.ones((3 * (mechanism.dimension - 1), 1))
    weights[: -mechanism.dimension] = 1.0 / length
    for steps in _blocks(np.flatnonzero(motion.placed)):
        found = states(motion.at(steps))
        turned, sound = _orthonormal(motion, found)
        basis = np.einsum("nlk,ljin->kjin", turned, found) * weights
        borne = np.stack([reactions[joint.name][:, steps] for joint in mechanism.joints]) * weights
        gram = np.einsum("kjin,ljin->nkl", basis, basis) + np.where(sound, 0.0, 1.0)[:, :, None] * np.eye(len(found))
        chosen = np.linalg.solve(gram, np.einsum("kjin,jin->nk", basis, borne)[..., None])
        amounts[:, steps] = -(turned @ chosen)[..., 0].T
    return np.split(amounts, np.cumsum(counts)[:-1])


def _orthonormal(motion: Motion, found: Array) -> tuple[Array, Flags]:
    """Turn states of self-stress (k, joints, 3 or 6, n) into orthonormal ones, lengths in sizes of the mechanism.

    Returns
    -------
    (n, k, k) array
        Columns of amounts of the states; 0 where the others are all that there are.
    (n, k) array of bool
        Which columns are some.
    """
    scaled = found.copy()
    scaled[:, :, : -motion.program.mechanism.dimension] /= motion.program.geometry.size
    squares, vectors = np.linalg.eigh(np.einsum("kjin,ljin->nkl", scaled, scaled))
    sound = squares > INDEPENDENT_STRESS * squares[:, -1:]
    return vectors * np.where(sound, 1.0 / np.sqrt(np.where(sound, squares, 1.0)), 0.0)[:, None, :], sound


def _blocks(steps: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    return (steps[k : k + BLOCK] for k in range(0, steps.size, BLOCK))


def determined(motion: Motion, joint: str, at: str | None = None, axes: str | None = "joint") -> Flags:
    """Tell which components of a reaction no state of self-stress changes, at a few steps of the motion.

    Parameters
    ----------
    motion : Motion
    joint : str
    at, axes : str, optional
        As `groupkin.dynamics.reactions.wrenches.seen` takes them.

    Returns
    -------
    (3,) or (6,) array of bool
        Moments, then forces.
    """
    program = motion.program
    components = 3 * (program.mechanism.dimension - 1)
    if not redundant(motion) or not motion.placed.any():
        return np.ones(components, bool)
    some, units = _unit_states(motion)
    largest = np.zeros(components)
    for state in units[:, [each.name for each in program.mechanism.joints].index(joint)]:
        force, moment = seen(some, joint, state, at, axes)
        sizes = np.concatenate([moment.reshape(len(force), -1) / program.geometry.size, force], axis=1)
        largest = np.maximum(largest, np.abs(sizes).max(axis=0))
    return np.asarray(largest <= NO_STRESS)


_unit_states_of: WeakKeyDictionary[Motion, tuple[Motion, Array]] = WeakKeyDictionary()
"""The results of `_unit_states`, which is asked once for each joint; they do not refer to the whole motion."""


def _unit_states(motion: Motion) -> tuple[Motion, Array]:
    """Compute orthonormal states of self-stress, lengths in sizes of the mechanism, at a few steps of a motion."""
    if motion not in _unit_states_of:
        placed = np.flatnonzero(motion.placed)
        some = motion.at(placed[np.unique(np.linspace(0, placed.size - 1, LOOKED_AT).astype(np.int64))])
        found = states(some)
        _unit_states_of[motion] = some, np.einsum("nlk,ljin->kjin", _orthonormal(motion, found)[0], found)
    return _unit_states_of[motion]
