"""The Stewart platform in Exudyn: positions alone, by its static solver.

Its tree is that of `stewart_peers`, with six joints for the platform.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation
from stewart_peers import TOLERANCE, Found, Platform


def _exudyn_tree(given: Platform) -> tuple[dict[str, Any], list[np.ndarray]]:
    """The tree of 24 joints, six of them the platform's, and the places of the feet in their links."""
    from exudyn import JointType, Matrix3DList, Vector3DList

    types = [JointType.PrismaticX, JointType.PrismaticY, JointType.PrismaticZ]
    types += [JointType.RevoluteX, JointType.RevoluteY, JointType.RevoluteZ]
    parents, turns, offsets = list(range(-1, 5)), [np.eye(3)] * 6, [given.center, *np.zeros((5, 3))]
    at_foot = []
    for head, foot, axes, slide in zip(given.heads, given.feet, given.axes, given.slides, strict=True):
        parent, place, before = 5, head - given.center, np.eye(3)
        joints = ((axes[0], JointType.RevoluteZ), (axes[1], JointType.RevoluteZ), (slide, JointType.PrismaticZ))
        for axis, joint in joints:
            frame = Rotation.align_vectors([axis], [[0.0, 0.0, 1.0]])[0].as_matrix()
            types.append(joint)
            parents.append(parent)
            turns.append(before.T @ frame)
            offsets.append(before.T @ place)
            parent, place, before = len(types) - 1, np.zeros(3), frame
        at_foot.append(before.T @ (foot - head))
    count, nothing = len(types), Vector3DList([np.zeros(3)] * len(types))
    tree = {
        "jointTypes": types,
        "linkParents": parents,
        "jointTransformations": Matrix3DList(turns),
        "jointOffsets": Vector3DList(offsets),
        "linkMasses": [1.0] * count,
        "linkInertiasCOM": Matrix3DList([np.eye(3)] * count),
        "linkCOMs": nothing,
        "linkForces": nothing,
        "linkTorques": nothing,
    }
    return tree, at_foot


def exudyn_runner(given: Platform) -> tuple[Callable[[str], Found], None, str]:
    """A function that solves the positions of all steps, and the calls it makes."""
    sys.exudynFast = True  # type: ignore[attr-defined]  # its version without checks of ranges
    import exudyn as exu
    from exudyn import itemInterface as item

    system = exu.SystemContainer().AddSystem()
    tree, at_foot = _exudyn_tree(given)
    zeros = [0.0] * 24
    node = system.AddNode(item.NodeGenericODE2("", zeros, zeros, zeros, 24))
    body = system.AddObject(item.ObjectKinematicTree(nodeNumber=node, **tree))
    ground, origin = system.AddObject(item.ObjectGround()), system.AddNode(item.NodePointGround())
    for k in range(6):
        foot = system.AddMarker(item.MarkerKinematicTreeRigid("", body, 8 + 3 * k, at_foot[k]))
        base = system.AddMarker(item.MarkerBodyPosition("", ground, given.feet[k]))
        system.AddObject(item.SphericalJoint(markerNumbers=[foot, base]))
    fixed, driven = system.AddMarker(item.MarkerNodeCoordinate("", origin, 0)), []
    for column in np.arange(24)[given.known].tolist():
        ends = [fixed, system.AddMarker(item.MarkerNodeCoordinate("", node, column))]
        driven.append(system.AddObject(item.CoordinateConstraint(markerNumbers=ends)))
    system.Assemble()

    angles = Rotation.from_quat(given.pose[:, 3:]).as_euler("XYZ")
    values = np.hstack([given.pose[:, :3] - given.center, angles]) if given.legs is None else given.legs[0]
    steps, rows = given.times.size, list[np.ndarray]()

    def before(system: Any, step: float) -> bool:
        for constraint, value in zip(driven, values[round(step) - 1], strict=True):
            system.SetObjectParameter(constraint, "offset", value)
        return True

    def after(system: Any, step: float) -> bool:
        rows.append(system.systemData.GetODE2Coordinates())
        return True

    system.SetPreStepUserFunction(before)
    system.SetPostStepUserFunction(after)
    settings = exu.SimulationSettings()
    static, newton = settings.staticSolver, settings.staticSolver.newton
    static.numberOfLoadSteps, static.loadStepDuration, static.adaptiveStep, static.verboseMode = steps, steps, False, 0
    newton.relativeTolerance, newton.absoluteTolerance = 1e-14, TOLERANCE
    settings.solution.file.write = False

    def run(mode: str) -> Found:
        rows.clear()
        system.systemData.SetODE2Coordinates(zeros, exu.ConfigurationType.Initial)
        system.SolveStatic(settings)
        q, nothing = np.array(rows[-steps:]), np.zeros((steps, 24))
        place = Rotation.from_euler("XYZ", q[:, 3:6]).as_quat()
        found = np.hstack([q[:, :3] + given.center, place, q[:, 6:]])
        return Found(found, nothing, nothing, system.sys["staticSolver"].it.newtonStepsCount)

    return run, None, "SolveStatic, ObjectKinematicTree, SetObjectParameter before each step"
