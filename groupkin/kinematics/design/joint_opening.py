"""Dimensions that open joints whose rows repeat those of others, and so must change together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import CannotAssembleError, GroupkinError, OpenJointError
from groupkin.kinematics.changed.changed_program import changed_program
from groupkin.kinematics.parameters.nominal_values import nominal_value, scale
from groupkin.kinematics.parameters.parameters import Dimension, Target
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.run import run
from groupkin.messages import listed

Array = NDArray[np.float64]

APART = 1e-4
"""Of the size, or of one for axes: change of a dimension by which it is seen whether joints open."""

STEPS = 8
"""Times at which that is seen."""


def must_change_together(nominal: Program, targets: Sequence[Target], times: Array) -> str:
    """Say in a sentence which parameters open joints if they change alone; nothing where none do."""
    start = np.array([float(nominal_value(target, nominal)) for target in targets])
    found = opening(nominal, targets, start, times)
    return f". {together(nominal, found)}" if found else ""


def opening(
    program: Program, targets: Sequence[Target], values: Array, times: Array, changes: Array | None = None
) -> list[Target]:
    """List the dimensions that open repeated rows if they change alone.

    Parameters
    ----------
    program : Program
        The nominal one.
    targets : sequence of Target
        One number each.
    values : (parameters,) array
    times : (t,) array
        s.
    changes : (parameters,) array, optional
        By how much each changes; default: `APART`.
    """
    if not program.structure.redundancies:
        return []
    if changes is None:
        changes = np.array([scale(of, program) for of in targets]) * APART
    some = times[:: max(1, -(-times.size // STEPS))]
    return [
        target
        for k, (target, x) in enumerate(zip(targets, changes.tolist(), strict=True))
        # at the limit of a motion, which a change one way may leave, it goes on the other way
        if isinstance(target, Dimension) and all(_opens(program, targets, values, k, by, some) for by in (x, -x))
    ]


def _opens(program: Program, targets: Sequence[Target], values: Array, k: int, by: float, times: Array) -> bool:
    """Tell whether a change of parameter k opens a joint."""
    changed = values.copy()
    changed[k] += by
    try:
        run(changed_program(program, targets, changed), times)
    except OpenJointError:
        return True
    except CannotAssembleError:  # so far from the reference configuration a group may not find the least gap
        return not any(each.eased for each in program.structure.redundancies)
    except GroupkinError:
        return False
    return False


def together(program: Program, targets: Sequence[Target]) -> str:
    """Say of parameters that open repeated rows, with which dimensions they must change."""
    parts = "; ".join(f"{', '.join(each.joints)} are {each.what}" for each in program.structure.redundancies)
    bodies = sorted({body for each in program.structure.redundancies for body in each.bodies})
    verb = "opens" if len(targets) == 1 else "open"
    return (
        f"{listed(f'`{target}`' for target in targets)} {verb} joints whose rows repeat those of others ({parts}), so "
        f"dimensions of {', '.join(bodies)} must change together"
    )
