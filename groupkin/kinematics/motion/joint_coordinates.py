"""Coordinates of a joint over a motion: from the placements of its bodies, without jumps by whole turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import UnknownNameError
from groupkin.kinematics.motion.turns import with_turns
from groupkin.mechanism.pairs import Form
from groupkin.messages import nearest
from groupkin.model.geometry.coordinate_rates import constants_of, coordinate_rates
from groupkin.model.geometry.coordinates import (
    periods,
    reference_coordinates,
    relation,
    signed_coordinates,
    whole_turns,
)
from groupkin.model.geometry.frames import JointGeometry

if TYPE_CHECKING:
    from groupkin.kinematics.motion.motion import Motion
    from groupkin.kinematics.program.program import Program

Array = NDArray[np.float64]


def joint_coordinates(motion: Motion, name: str, between: tuple[str, str] | None = None) -> Array:
    """Compute the coordinates (freedoms, n) of a joint, rad and m; see `Motion.joint`."""
    mechanism, joints = motion.program.mechanism, motion.program.geometry.joints
    if isinstance(name, str) and name in mechanism.shared:
        bodies = mechanism.shared[name].bodies
        wanted = [(bodies[0], body) for body in bodies[1:]] if between is None else [between]
        return np.concatenate([_of_multi_joint(motion, name, pair) for pair in wanted])
    if not isinstance(name, str) or name not in joints:
        near = nearest(name, [*mechanism.shared, *(j.name for j in mechanism.joints)])
        raise UnknownNameError(f"there is no joint {name!r}" + (f"; did you mean {near}?" if near else ""))
    pair = pair_of(motion.program, name)
    form, geometry, values = pair.form, pair.geometry, pair.values(motion)
    driven = {form.places[each.freedom] for each in motion.program.drivers if each.joint == name}
    for k, period in enumerate(periods(form, geometry)):
        if period is not None and k not in driven:  # else they follow their drivers
            values[k] = pair.turned(motion, values[k], k, period, f"joint {name!r}")
    return _aligned(motion, name, values)[list(form.places)]


@dataclass(frozen=True, eq=False)
class Placing:
    """Two frames on two bodies, whose placement has the moves of a form."""

    bodies: tuple[str, ...]
    geometry: JointGeometry
    form: Form

    @property
    def dimension(self) -> int:
        return self.geometry.points.shape[-1]

    def values(self, motion: Motion) -> Array:
        """Compute the values (moves, n), rad and m, angles up to whole turns."""
        placed = motion.placement(self.bodies, self.geometry)
        return signed_coordinates(self.form, self.geometry, *placed)

    def rates(self, motion: Motion, order: int = 1) -> Array:
        """Compute their rates (moves, n), or accelerations, of a pair without a curve; singular where values are."""
        if self.form.hinge and self.dimension == 2:
            read = motion.angular_velocity if order == 1 else motion.angular_acceleration
            return np.asarray(np.subtract(*(read(body) for body in self.bodies[::-1])))[None]
        ends = [motion.ends(self.bodies, self.geometry, each) for each in range(order + 1)]
        return coordinate_rates(self.form, self.geometry, self.dimension, lambda of, k: ends[of][k], order)

    def constants(self, motion: Motion) -> list[Array]:
        """Compute what values depend on beside the two frames."""
        ends = motion.ends(self.bodies, self.geometry)
        return constants_of(self.form, self.geometry, self.dimension, ends.__getitem__)

    @cached_property
    def _rates_once(self) -> Callable[[Motion], Array]:
        return cache(self.rates)

    def turned(self, motion: Motion, own: Array, move: int, period: float, what: str) -> Array:
        """Add whole turns, or other periods, from step to step to the values (n,) of a move."""
        unit = 2 * np.pi / period

        def read(of: Motion) -> tuple[Array, Array]:
            values = own if of is motion else self.values(of)[move]
            known = self.geometry.contact is None and of.inputs is None
            return values * unit, self._rates_once(of)[move] if known else np.zeros(0)

        return own + period * np.round((with_turns(motion, read, what) - own * unit) / (2 * np.pi))


def pair_of(program: Program, name: str) -> Placing:
    """Return the frames of a joint."""
    joint = program.mechanism.joint[name]
    return Placing(joint.bodies, program.geometry.joints[name], program.mechanism.form(joint))


def _of_multi_joint(motion: Motion, name: str, between: tuple[str, str]) -> Array:
    """Compute the coordinates (freedoms, n) of one body of a multi-joint relative to another."""
    program = motion.program
    pairs = [joint for joint in program.mechanism.joints if joint.of is not None and joint.of.name == name]
    whole = program.mechanism.shared[name]
    if len(between) != 2 or any(body not in whole.bodies for body in between):
        raise UnknownNameError(f"joint {name!r} joins {', '.join(whole.bodies)}; `between` must name two of them")
    for joint in pairs:
        if joint.bodies == tuple(between):
            return joint_coordinates(motion, joint.name)
    frames = {
        body: (program.geometry.joints[joint.name].frames[side], program.geometry.joints[joint.name].points[side])
        for joint in pairs
        for side, body in enumerate(joint.bodies)
    }
    first, second = between
    form = program.mechanism.form(whole)
    turns, points = (np.array([frames[body][k] for body in between]) for k in (0, 1))
    pair = Placing((first, second), JointGeometry(points, turns), form)
    values = pair.values(motion)
    for k, move in enumerate(form.moves):
        solved = np.flatnonzero(np.isfinite(values[k]))
        if move.rotation and solved.size and not motion.by_themselves:
            values[k] = pair.turned(motion, values[k], k, 2 * np.pi, f"joint {name!r} between {first!r} and {second!r}")
            values[k] -= whole_turns(values[k, solved[0]])
    return values[list(form.places)]


def _aligned(motion: Motion, joint: str, values: Array) -> Array:
    """Shift angles by whole turns: driven angles follow their driver, others start next to the reference."""
    program = motion.program
    form, geometry = program.mechanism.form(program.mechanism.joint[joint]), program.geometry.joints[joint]
    start = reference_coordinates(form, geometry)
    drivers = {form.places[d.freedom]: k for k, d in enumerate(program.drivers) if d.joint == joint}
    for k, period in enumerate(periods(form, geometry)):
        solved = np.flatnonzero(np.isfinite(values[k]))
        if period is None or not solved.size:
            continue
        if k in drivers:
            values[k] += whole_turns(motion.driver(drivers[k])[0] - values[k], period)
        elif form.coupled and k in form.coupled and not form.geared:
            (ours, theirs), value = relation(form, geometry)
            other = form.coupled[1]
            if k == other:
                ours, theirs, other = theirs, ours, form.coupled[0]
            values[k] += whole_turns((value - theirs * values[other]) / ours - values[k])
        else:
            values[k] += whole_turns(start[k] - values[k, ... if motion.by_themselves else solved[0]], period)
    return values
