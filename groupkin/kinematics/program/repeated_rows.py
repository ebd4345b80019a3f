"""Calls that check at every step that redundant joints, whose rows were left out, are closed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from groupkin.kinematics.program.newton_tables import joined
from groupkin.kinematics.program.program import Call, Pose
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import Form
from groupkin.mechanism.pairs import form as form_of
from groupkin.model.geometry.frames import JointGeometry
from groupkin.model.geometry.geometry import Geometry
from groupkin.structure.decomposition import Structure
from sglibrary import repeated_rows
from sglibrary.array_types import Array
from sglibrary.iterative.kinds import DOT


def checks(
    structure: Structure,
    geometry: Geometry,
    poses: Mapping[str, Pose],
    number: int,
    written: Iterable[int],
    own: Iterable[str] = (),
) -> Iterator[Call]:
    """Check the eased joints that a group closes, and others of its own.

    Parameters
    ----------
    structure : Structure
    geometry : Geometry
        Of joints as stated, of one mechanism or of variants.
    poses : mapping of str to Pose
        Of all bodies solved up to now.
    number : int
        Of the group.
    written : iterable of int
        Rows of the state that it fills.
    own : iterable of str
        Joints of the group of which its solver leaves out rows.
    """
    group_of = structure.group_of
    for name in own:
        yield _check(structure.mechanism, structure.mechanism.joint[name], geometry, poses, number, sorted(written))
    for redundancy in structure.redundancies:
        for name in (joint.name for joint in redundancy.eased):
            joint = structure.mechanism.joint[name]
            form = structure.mechanism.form(joint)
            if form.cut is None and all(form.moves[k].rotation for k in form.coupled or ()):
                continue  # gears hold nothing but the relation of their teeth, which needs whole turns
            if number == max(group_of[body].number for body in joint.bodies if body in group_of):
                yield _check(structure.mechanism, joint, geometry, poses, number, sorted(written))


def _check(
    mechanism: Mechanism, joint: Joint, geometry: Geometry, poses: Mapping[str, Pose], number: int, written: list[int]
) -> Call:
    """Check one joint."""
    stated, sides = geometry.joints[joint.name], [poses[body] for body in joint.bodies]
    products, values = zip(*_products(mechanism.form(joint), joint, stated), strict=True)
    numbers: list[Array] = []
    for side, pose in enumerate(sides):
        frame = stated.frames[..., 0 if joint.pitch else side, :, :]  # a screw turns from the reference on
        numbers.append(pose.coefficients(stated.points[..., side, :], True))
        numbers += [pose.coefficients(frame[..., :, k], False) for k in range(mechanism.dimension)]
    numbers += [np.asarray(x)[..., None] for x in (geometry.size, *values)]
    rows = [mechanism.dimension, len(products), len(written)]
    rows += [row for pose in sides for row in (pose.point, *pose.vectors)]
    rows += [number for product in products for number in product]
    return Call(repeated_rows.check, np.array(rows + written, np.int64), joined(numbers), number)


def _products(form: Form, joint: Joint, stated: JointGeometry) -> Iterator[tuple[tuple[int, int, int], Array | float]]:
    """Products that hold where a joint is closed: kind and axes, and a constant."""
    cut = form.cut
    if cut is None:  # a screw moves along its axis as a cylindrical pair does, and turns with that
        yield (repeated_rows.SCREW, 0, 0), 1.0 / (joint.pitch or np.inf)
        cut = form_of("C", 3).cut or ()
    for kind, *axes in cut:
        first, second = (*axes, 0, 0)[:2]
        yield (kind, first, second), np.cos(stated.cross_angle) if kind == DOT and first == second else 0.0
    for axis in dict.fromkeys(axes[0] for kind, *axes in cut if kind == DOT and axes[0] != axes[1]):
        yield (repeated_rows.ALIKE, axis, axis), 0.0
