"""The linear map from loads on bodies to the forces of the drivers and the reactions of all joints.

It is the transposed map of rates with more inputs. Let every joint open by small motions γ beyond what it allows, and
let t be the twists of the bodies, which depend on the rates z' of the drivers and on γ. With loads W on the bodies,
those of inertia included, forces Q of the drivers and R in the joints, the principle of virtual power says

    W · t + Q · z' + R · γ = 0 for all z' and γ,    so Q = - (∂t/∂z')ᵀ W and R = - (∂t/∂γ)ᵀ W.

So groups are gone through in reverse solving order, and each needs only the inverse of its core (Samin and Fisette
2003; that Assur groups are statically determined is classical). A joint of the tree opens by a twist, and R is the
wrench it transmits; a joint that is cut opens along the wrenches C of its equations, and transmits Σ R C.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.masses import center
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.freedoms import Line
from groupkin.kinematics.rates.rates import given_rows
from groupkin.kinematics.rates.sheet_builder import Builder, Gap, Term
from groupkin.kinematics.rates.tables import RateMap, grown, linear_map, transposed, velocities
from groupkin.model import trees
from sglibrary.rates.linear_map import apply

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ReactionMap:
    """The map of a program.

    Attributes
    ----------
    map : RateMap
        Whose maps are both that of loads.
    drivers : int
        The first outputs: what each driver exerts, N m or N.
    joints : tuple of str
        The other outputs, 3 or 6 each: what the first body does to the second, a torque about the joint's point on the
        second body, N m, and a force, N.
    """

    map: RateMap
    drivers: int
    joints: tuple[str, ...]

    def at(self, motion: Motion, loads: Array) -> tuple[Array, dict[str, Array]]:
        """Compute the forces of the drivers (drivers, n) and the reactions (3 or 6, n) of every joint.

        Parameters
        ----------
        motion : Motion
        loads : (bodies, 3 or 6, n) array
            On the movable bodies: torque about the center of mass, N m, and force, N.
        """
        n, components = motion.times.size, 3 * (motion.program.mechanism.dimension - 1)
        y = np.empty((self.drivers + components * len(self.joints), 1, n))
        x = np.ascontiguousarray(loads.reshape(-1, 1, n))
        apply(tuple(self.map.sheet), tuple(self.map.transposed), given_rows(motion, self.map), x, y, n)
        y += 0.0  # no negative zeros
        y[..., ~motion.placed] = np.nan
        of_joints = y[self.drivers :, 0].reshape(len(self.joints), components, n)
        return y[: self.drivers, 0], dict(zip(self.joints, of_joints, strict=True))


@lru_cache(maxsize=32)
def reaction_map(program: Program, joints: tuple[str, ...] | None = None) -> ReactionMap:
    """Make the map of a program, with the reactions of some joints or of all."""
    b, twists = grown(program, opened=True)
    drivers = len(program.drivers)
    loads = [r for body in program.mechanism.movable for r in velocities(b, body, center(program, body), twists[body])]
    inputs = drivers + sum(gap.count for gap in b.gaps.values())
    made, found = transposed(b, inputs, loads)
    outputs = [_negative(b, made, register) for register in found[:drivers]]
    wanted = tuple(b.gaps) if joints is None else tuple(joint for joint in joints if joint in b.gaps)
    for joint in wanted:
        gap = b.gaps[joint]
        outputs += _reaction(b, made, joint, found[gap.first : gap.first + gap.count], gap)
    linear = linear_map(made, len(loads), outputs)
    return ReactionMap(RateMap(b.sheet(), linear, linear, tuple(b.computed), b.center), drivers, wanted)


def _negative(b: Builder, made: list[list[Term]], register: int) -> int:
    if register < 0:
        return -1
    made.append([(b.one, register, -1.0)])
    return len(made) - 1


def _reaction(b: Builder, made: list[list[Term]], joint: str, found: list[int], gap: Gap) -> list[int]:
    """Add the registers of a reaction, and return those of its components; -1 for zero."""
    d, spins = b.dimension, b.components - b.dimension
    if gap.wrenches is None:
        about_center = dict(enumerate(found))
    else:
        sums: dict[int, list[Term]] = {}
        for wrench, register in zip(gap.wrenches, found, strict=True):
            for i, row in wrench if register >= 0 else ():
                sums.setdefault(i, []).append((row, register, 1.0))
        about_center = {}
        for i, terms in sums.items():
            made.append(terms)
            about_center[i] = len(made) - 1
    body = b.program.mechanism.joint[joint].bodies[1]
    arm = b.arm(Line(body, trees.padded(b.program.solved_geometry.joints[joint].points[1])))
    outputs = []
    for i in range(b.components):
        terms = [(b.one, about_center[i], -1.0)] if about_center.get(i, -1) >= 0 else []
        if i < spins:  # the torque about the point is M - p × F, with its opposite sign
            s, t = ((i + 1) % 3, (i + 2) % 3) if d == 3 else (0, 1)
            for row, k in ((arm + s, t), (arm + d + t, s)):
                if about_center.get(spins + k, -1) >= 0:
                    terms.append((row, about_center[spins + k], 1.0))
        else:
            terms = [(row, register, factor / b.size) for row, register, factor in terms]
        made.append(terms)
        outputs.append(len(made) - 1 if terms else -1)
    return outputs
