"""Surfaces of triangles, as files of shapes have them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.errors import ShapeError
from groupkin.mechanism.parts import Shape

if TYPE_CHECKING:
    from trimesh import Trimesh

Array = NDArray[np.float64]

LARGEST = 2**27
"""Bytes of a shape at most: 2.7 million triangles of a binary STL file."""

FORMATS = (".stl", ".obj")
"""Suffixes of files that are read."""


def surface(shape: Shape, at: ArrayLike, what: str = "") -> Trimesh:
    """Read a shape, and place it in global coordinates, m.

    Parameters
    ----------
    shape : Shape
    at : (d,) array
        Where its origin comes to lie, m; in the plane z is 0.
    what : str
        What messages begin with; default: its name.

    Raises
    ------
    ShapeError
        If trimesh is missing, or the file cannot be read.
    """
    what = f"{what}, {shape.name}" if what else shape.name
    trimesh = library()
    read = _read(trimesh, Path(shape.file), what)
    axes = np.eye(3) if shape.axes is None else np.asarray(shape.axes, float)
    origin = np.append(np.asarray(at, float), np.zeros(3 - len(np.asarray(at))))
    faces = np.asarray(read.faces)
    if not len(faces):
        raise ShapeError(f"{what}: has no triangles; is it the right file?")
    faces = faces[:, ::-1] if np.linalg.det(axes) < 0.0 else faces
    made = trimesh.Trimesh(origin + shape.scale * np.asarray(read.vertices) @ axes, faces, process=True)
    first, second, third = made.faces.T
    made.update_faces((first != second) & (second != third) & (third != first))  # which merging has made of slivers
    if not len(made.faces) or not np.isfinite(made.vertices).all():
        raise ShapeError(f"{what}: has triangles without area or with infinite corners; is it the right file?")
    return made


def library() -> Any:
    """Import trimesh.

    Raises
    ------
    ShapeError
        If it is missing; the message says what to install.
    """
    try:
        import shapely  # noqa: F401
        import trimesh
    except ImportError:
        raise ShapeError("shapes need trimesh and shapely: pip install 'groupkin[shapes]'") from None
    return trimesh


def _read(trimesh: Any, path: Path, what: str) -> Any:
    """Read the triangles of a file, and of no other that it may name."""
    kind = path.suffix.lower()
    if kind not in FORMATS:
        raise ShapeError(f"{what}: a shape is an STL or OBJ file, whose name ends in {' or '.join(FORMATS)}")
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise ShapeError(f"{what}: there is no such file; check its name and folder") from None
    except OSError as error:
        raise ShapeError(f"{what}: cannot be read: {error.strerror}") from None
    if len(data) > LARGEST:
        raise ShapeError(f"{what}: has more than {LARGEST} bytes; export it with fewer triangles")
    try:
        more = {"skip_materials": True} if kind == ".obj" else {}
        return trimesh.load_mesh(BytesIO(data), file_type=kind[1:], process=False, **more)
    except Exception as error:  # whatever a reader meets in what is no such file
        raise ShapeError(f"{what}: is no valid {kind[1:].upper()} file: {error}") from None


def closed(made: Trimesh, what: str) -> Trimesh:
    """Turn all triangles of a closed surface outward.

    Raises
    ------
    ShapeError
        If it is open.
    """
    if not made.is_watertight:
        counts = np.unique(np.sort(made.edges, axis=1), axis=0, return_counts=True)[1]
        raise ShapeError(
            f"{what}: its surface is open, with {int((counts != 2).sum())} edges that do not join two triangles, so "
            "that it has no volume; close it, or state mass, center and inertia instead of a density"
        )
    if not made.is_winding_consistent:
        library().repair.fix_winding(made)
    if made.volume < 0.0:
        made.invert()
    return made
