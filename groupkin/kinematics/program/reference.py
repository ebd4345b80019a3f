"""The program of a mechanism in the assembly modes of its reference configuration."""

from __future__ import annotations

from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.gears import check
from groupkin.mechanism.mechanism import Mechanism, require_mechanism
from groupkin.model.geometry.assembly import assembled, require_assembled
from groupkin.structure.multi_joints import arranged


def reference_program(mechanism: Mechanism, assemble: bool = False) -> Program:
    """Check a mechanism and build its program, modes that it declares being disregarded.

    Parameters
    ----------
    mechanism : Mechanism
    assemble : bool
        Close a reference configuration that is only approximate instead of refusing it.

    Raises
    ------
    MechanismError, StructureError
    """
    require_mechanism(mechanism)
    check(mechanism)
    mechanism = arranged(mechanism)
    return build(mechanism, geometry=assembled(mechanism) if assemble else require_assembled(mechanism))
