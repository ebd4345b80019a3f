"""Loop closure: all joints of a mechanism at values of its drivers, one position at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from groupkin.arguments import checked, floats
from groupkin.errors import ArgumentError, shown
from groupkin.export.joint_values import driver_names, joint_values
from groupkin.export.models import driver_limits, laid_out, model_of
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import program
from groupkin.mechanism.mechanism import Mechanism
from sglibrary.array_types import Array
from sglibrary.exported.closing import CLOSING, Closing, close_followed, close_given, list_address

FLOAT = np.dtype(float)
STRIDE = (FLOAT.itemsize,)
"""Bytes from one number to the next of an array that compiled code reads."""


@dataclass(frozen=True, eq=False)
class Closure:
    """All joints of a mechanism as a function of its drivers.

    Attributes
    ----------
    program : Program
    drivers, joints : tuple of str
        Names of what is given and of what is returned, in their order: of a joint, or one of its degrees of freedom,
        such as ``pose.x``. Cams are left out.
    """

    program: Program
    drivers: tuple[str, ...]
    joints: tuple[str, ...]
    _close: Any = field(repr=False)
    _addresses: Any = field(repr=False)
    _kept: Any = field(repr=False)

    @cached_property
    def _shapes(self) -> tuple[tuple[int], tuple[int]]:
        return (len(self.drivers),), (len(self.joints),)

    def __reduce__(self) -> tuple[Any, ...]:
        return closure, (self.program.mechanism,)  # addresses are those of this process

    def __call__(self, driven: ArrayLike, out: Array | None = None) -> Array:
        """Compute the coordinates of all joints.

        Parameters
        ----------
        driven : (drivers,) array_like
            Values of the drivers, rad and m.
        out : (joints,) array, optional
            Is filled and returned; default: a new array.

        Returns
        -------
        (joints,) array
            rad and m; NaN where a group is not solved. Whole turns of driven angles are those of their drivers, those
            of others the nearest to the call before. Groups solved by Newton's method are followed from the last call
            that was solved.

        Raises
        ------
        ArgumentError
        """
        shapes = self._shapes
        if (
            type(driven) is not np.ndarray
            or driven.dtype != FLOAT
            or driven.strides != STRIDE
            or driven.shape != shapes[0]
        ):
            driven = self._checked(driven)
        if out is None:
            out = np.empty(shapes[1])
        elif type(out) is not np.ndarray or out.dtype != FLOAT or out.shape != shapes[1] or not out.flags.carray:
            raise ArgumentError(f"out must be an array of {len(self.joints)} floats, not {shown(out)}")
        self._close(self._addresses, driven, out)
        return out

    def _checked(self, driven: ArrayLike) -> Array:
        given = floats(driven)
        if given.shape != self._shapes[0]:
            raise ArgumentError(
                f"driven must be {len(self.drivers)} numbers, of {', '.join(self.drivers)}, not {shown(driven)}"
            )
        return np.ascontiguousarray(given)


@checked
def closure(mechanism: Mechanism) -> Closure:
    """Make the function that returns the coordinates of all joints at values of the drivers.

    For controllers and simulators of robots, whose models are trees: from the motors to all joints, one position at a
    time. A position of a four-bar takes about a microsecond.

    Parameters
    ----------
    mechanism : Mechanism

    Returns
    -------
    Closure

    Examples
    --------
    >>> import numpy as np
    >>> import groupkin as gk
    >>> close = gk.closure(gk.example("four_bar"))
    >>> close.joints
    ('A', 'B', 'C', 'D')
    >>> [round(float(x), 4) for x in close([0.5])]
    [0.5, 2.6348, -0.7938, -0.8006]
    """
    solved = program(mechanism)
    joints = joint_values(solved)
    model, own = model_of(solved, joints)
    coordinates, listed = joints.coordinates, joints.listed
    last = np.array([x.reference for x in coordinates])
    whole = Closing(
        model,
        driver_limits(solved),
        np.array([row for _, row in listed.rows], np.int64),
        np.array(listed.constants, float),
        np.array([solved.rows]),
        np.array([x.period for x in coordinates]),
        np.array([x.driver for x in coordinates], np.int64),
        last,
    )
    memory = laid_out(CLOSING, whole, own | {"last": last}, model.calls.handles)
    text, code = list_address(listed.text)
    addresses = np.array([memory.table.ctypes.data, *(x.ctypes.data for x in memory.memories), text])
    return Closure(
        solved,
        driver_names(solved),
        joints.names,
        close_followed if solved.iterates else close_given,
        addresses,
        (memory, code, model),
    )
