"""Forces by groups against the saddle point of the whole mechanism."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import GroupkinError, GroupkinWarning, JammingError
from tests.oracles.outcome import Outcome
from tests.support import saddle
from tests.support.whole import Whole

Array = NDArray[np.float64]


ALLOWED = 1e-8
"""Difference, relative to the largest reaction or acceleration and over the conditioning, that is none."""


def compare(motion: gk.Motion) -> Outcome:
    """Compare driving forces, reactions and accelerations at all steps of a motion."""
    mechanism = motion.program.mechanism
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("error", ".*on their other flanks")
            forces = gk.inverse_dynamics(motion)
    except GroupkinWarning:
        return Outcome("teeth hold on either flank")
    except JammingError:
        return Outcome("jams")
    except GroupkinError as error:
        return Outcome("refused", 0.0, f"{type(error).__name__}: {error}")
    whole = Whole(mechanism)
    try:
        answer, size = saddle.solve(whole, motion), motion.program.geometry.size
    except saddle.NoFrictionError:
        return Outcome("oracle finds no friction")
    unit = np.array([size, size, size, 1.0, 1.0, 1.0])
    largest = max((np.abs(wrench / unit).max() for wrench in answer.reactions.values()), default=0.0)
    gaps = {}
    for name, wrench in answer.reactions.items():
        found = forces.reaction(name)
        moment = np.pad(found.moment[:, None], ((0, 0), (2, 0))) if found.moment.ndim == 1 else found.moment
        both = np.concatenate([moment, np.pad(found.force, ((0, 0), (0, 3 - mechanism.dimension)))], axis=1)
        gaps[f"{name} ({mechanism.joint[name].type})"] = np.abs((both - wrench) / unit).max() / (1e-12 + largest)
    for driven in motion.program.drivers:
        joint = mechanism.joint[driven.joint]
        name = mechanism.driver_name(driven.joint, driven.freedom)
        number = whole.first[list(mechanism.joint).index(joint.name)] + mechanism.form(joint).places[driven.freedom]
        expected = answer.drivers[:, np.searchsorted(whole.driven, number)]
        scale = size if driven.rotation else 1.0
        gaps[f"driver {name} ({joint.type})"] = np.abs(forces.driver(name) - expected).max() / scale / (1e-12 + largest)
    gains = _accelerations(whole, motion, answer)
    top = max((np.abs(x).max() for x, _ in gains.values()), default=0.0)
    gaps |= {f"acceleration of {body}": np.abs(x - y).max() / (1.0 + top) for body, (x, y) in gains.items()}
    where = max(gaps, key=lambda name: gaps[name] if np.isfinite(gaps[name]) else np.inf)
    size = float(gaps[where]) * float(motion.conditioning.min(initial=1.0)) / ALLOWED
    return Outcome("agree" if size <= 1.0 else "different", size, where)


def _accelerations(whole: Whole, motion: gk.Motion, answer: saddle.Answer) -> dict[str, tuple[Array, Array]]:
    """Accelerations of origins, in sizes, and of rotations, by the saddle point and by groups."""
    n, size, d = motion.times.size, motion.program.geometry.size, motion.program.mechanism.dimension
    shape = (n, len(whole.number), whole.width)
    (speed, spin), (gain, rise) = (
        whole.split(x[:, : whole.columns].reshape(shape)) for x in (answer.rates, answer.gains)
    )
    found = {}
    for body, k in whole.number.items():
        at = np.pad(motion.position(body), ((0, 0), (0, 3 - d)))
        moved = speed[:, k] + np.cross(spin[:, k], at)
        linear = gain[:, k] + np.cross(rise[:, k], at) + np.cross(spin[:, k], moved)
        turning = motion.angular_acceleration(body)
        turning = np.pad(turning[:, None], ((0, 0), (2, 0))) if d == 2 else turning
        given = np.pad(motion.acceleration(body), ((0, 0), (0, 3 - d)))
        found[body] = (np.hstack([linear / size, rise[:, k]]), np.hstack([given / size, turning]))
    return found
