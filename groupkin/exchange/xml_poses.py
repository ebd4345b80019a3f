"""Poses, inertia and shapes as SDF and URDF write them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from groupkin.errors import FileError, shown
from groupkin.exchange.graph import Pose
from groupkin.exchange.xml_input import Element
from groupkin.mechanism.files.decoding import Folder
from groupkin.mechanism.parts import Shape
from groupkin.model.geometry.frames import turn
from sglibrary.array_types import Array

SUFFIXES = (".stl", ".obj")
"""Endings of files that shapes can be."""


def by_angles(shift: Array, angles: Array) -> Pose:
    """Make a pose of a shift (3,), m, and roll, pitch and yaw (3,), rad, about the axes x, y and z that stay."""
    roll, pitch, yaw = angles.tolist()
    return Pose(turn(2, yaw) @ turn(1, pitch) @ turn(0, roll), shift)


def by_quaternion(shift: Array, x: float, y: float, z: float, w: float) -> Pose:
    """Make a pose of a shift (3,), m, and a quaternion of any length but zero."""
    from scipy.spatial.transform import Rotation

    return Pose(Rotation.from_quat([x, y, z, w]).as_matrix(), shift)


def tensor(xx: float, yy: float, zz: float, xy: float, xz: float, yz: float) -> Array:
    """Make an inertia tensor (3, 3)."""
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


ONE_SHAPE = "a body has one shape, its first mesh"
"""Why further meshes are left out."""


def shape_of(
    element: Element, address: str, scale: Array, at: Pose, folder: Folder, left_out: list[str]
) -> Shape | None:
    """Find the file of a mesh, and make a shape of it; None, and a line in what is left out, if there is none.

    Parameters
    ----------
    element : Element
        The mesh.
    address : str
        Of its file: a path, or one after ``package://name/`` or ``model://name/``.
    scale : (3,) array
    at : Pose
        Of the origin of the file.
    folder : Folder
    left_out : list of str
    """
    steps = Path(address.split("://")[-1]).parts
    tries = [Path(*steps[k:]) for k in range(len(steps))] if "://" in address else [Path(address)]
    sizes = np.abs(scale)
    if Path(address).suffix.lower() not in SUFFIXES or np.ptp(sizes) > 0.0 or not sizes[0] > 0.0:
        left_out.append(f"{element.where}: shapes are STL or OBJ files with one scale, not {shown(Path(address).name)}")
        return None
    for each in tries:
        try:
            file = folder.file(str(each))
        except (FileError, ValueError):
            continue
        if file.is_file():
            axes = (at.rotation * np.sign(scale)).T
            return Shape(str(file), tuple(at.shift.tolist()), float(sizes[0]), tuple(map(tuple, axes.tolist())))
    left_out.append(f"{element.where}: its file {shown(address)} is not in the folder of the model")
    return None
