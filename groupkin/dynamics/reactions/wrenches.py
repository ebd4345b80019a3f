"""A force and a moment in a joint, about any point and in any axes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from groupkin.dynamics.bodies.masses import moment
from groupkin.errors import DuplicateNameError
from groupkin.kinematics.motion.motion import Motion
from sglibrary.array_types import Array


class Wrench(NamedTuple):
    """A force and a moment.

    Attributes
    ----------
    force : (n, d) array
        N.
    moment : (n,) array in the plane, (n, 3) in space
        N m.
    """

    force: Array
    moment: Array


def seen(motion: Motion, joint: str, rows: Array, at: str | None = None, axes: str | None = None) -> Wrench:
    """Express what the first body of a joint does to the second about a point and in axes.

    Parameters
    ----------
    motion : Motion
    joint : str
    rows : (3 or 6, n) array
        A moment about the joint's point on its second body, N m, and a force, N, in global components.
    at : str, optional
        The point, or body's origin, about which the moment is. Default: the joint's point.
    axes : str, optional
        A body in whose axes the components are, or ``"joint"``: the joint's axes on its first body. Default: the
        global axes.

    Raises
    ------
    UnknownNameError, DuplicateNameError
    """
    program = motion.program
    d = program.mechanism.dimension
    about, force = rows[:-d].T, rows[-d:].T
    bodies, stated = program.mechanism.joint[joint].bodies, program.geometry.joints[joint]
    if at is not None:
        away = motion.point_on(bodies[1], stated.points[1]) - motion.position(at)
        about = about + moment(away.T, force.T).T
    if axes is not None:
        if axes == "joint" and axes in program.mechanism.body:
            raise DuplicateNameError("axes 'joint' are those of the joint, and of a body of this name; rename the body")
        frame = motion.rotation(bodies[0]) @ stated.frames[0] if axes == "joint" else motion.rotation(axes)
        force = np.einsum("nij,ni->nj", frame, force)
        about = about if d == 2 else np.einsum("nij,ni->nj", frame, about)
    return Wrench(force, about[:, 0] if d == 2 else about)
