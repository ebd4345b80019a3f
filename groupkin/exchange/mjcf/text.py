"""The text of an MJCF model for MuJoCo: files included and checked, without what motion does not depend on."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import quoteattr

from groupkin.errors import ModelError, shown
from groupkin.exchange.xml_input import MOST, Element, read_xml
from groupkin.mechanism.files.decoding import Folder

LEFT = ("extension", "visual", "sensor", "statistic", "custom", "texture", "skin", "hfield", "material", "size")
"""Elements that motion does not depend on."""

REFUSED = {
    "flexcomp": "deformable bodies are not read",
    "flex": "deformable bodies are not read",
    "deformable": "deformable bodies are not read",
    "model": "models within models are not read; write them into one file",
    "attach": "models within models are not read; write them into one file",
}
"""Elements that cannot be read, and why."""

COPIES, MOST_COPIES = ("replicate", "composite"), 1000
"""Elements that make copies of others, and most copies of one."""

LOST_GEOMS = ("hfield", "sdf", "plugin")
"""Types of geoms that are left out."""

FOLDERS = ("assetdir", "meshdir", "texturedir")


def included(path: Path, folder: Folder, within: tuple[Path, ...] = ()) -> Element:
    """Read a model with the files that it includes.

    Raises
    ------
    ModelError, FileError
        If a file lies elsewhere or cannot be read, or includes itself.
    """
    root = read_xml(path)
    count = 0
    for element in list(root.walk()):
        count += 1
        children: list[Element] = []
        for child in element.children:
            if child.tag != "include":
                children.append(child)
                continue
            file = folder.file(child.attribute("file"))
            if file in within or file == path or len(within) > 20:
                raise ModelError(f"{child.where}: {file.name} includes itself")
            children += included(file, folder, (*within, path)).children
        element.children = children
    if sum(1 for _ in root.walk()) > MOST:
        raise ModelError(f"{path.name}: at most {MOST} elements are read")
    return root


def stripped(root: Element, folder: Folder, meshes: bool) -> list[str]:
    """Leave out, in a model, what motion does not depend on; meshes get full names.

    Parameters
    ----------
    root : Element
    folder : Folder
    meshes : bool
        Whether meshes are kept, of which inertia may follow.

    Returns
    -------
    list of str
        What is left out, a line each.

    Raises
    ------
    ModelError, FileError
        If the model has what cannot be read, or a mesh is missing or lies elsewhere.
    """
    places = _asset_folders(root)
    left_out = []
    for element in list(root.walk()):
        if element.tag in REFUSED and element is not root:
            raise ModelError(f"{element.where}: {REFUSED[element.tag]}")
        for key, value in element.attributes.items():
            if key != "name" and any(word.lower().strip("+-") == "nan" for word in value.split()):
                raise ModelError(f"{element.where}: {key} must be finite numbers, not {shown(value)}")
        if element.tag in COPIES:
            _check_copies(element)
        kept = []
        for child in element.children:
            kind = child.attributes.get("type", "plugin" if child.one("plugin") is not None else "")
            if child.tag == "geom" and kind in LOST_GEOMS:
                left_out.append(f"{child.where}: a geom of type {shown(kind)}, with its mass")
            elif child.tag not in LEFT and (meshes or not _is_mesh(child)):
                kept.append(child)
        element.children = kept
        element.attributes.pop("material", None)
        if element.tag == "compiler":
            for key in FOLDERS:
                element.attributes.pop(key, None)
        if meshes and element.tag == "mesh" and element.attributes.get("file"):
            _find_mesh(root, element, folder, places)
    return left_out


def _check_copies(element: Element) -> None:
    """Refuse elements that make more copies than a mechanism could have.

    Raises
    ------
    ModelError
    """
    numbers = element.attributes.get("count", "1").split()
    copies = 1.0
    for number in numbers:
        copies *= abs(element.number(number))
    if copies > MOST_COPIES:
        raise ModelError(f"{element.where} makes {copies:g} copies, and at most {MOST_COPIES} are read")


def _is_mesh(element: Element) -> bool:
    return element.tag == "mesh" or (element.tag == "geom" and "mesh" in element.attributes)


def _asset_folders(root: Element) -> Path:
    """The folder in which meshes are, relative to that of the model."""
    found = ""
    for compiler in root.all("compiler"):
        found = compiler.attributes.get("meshdir", compiler.attributes.get("assetdir", found))
    return Path(found)


def _find_mesh(root: Element, mesh: Element, folder: Folder, place: Path) -> None:
    """Name the file of a mesh in full."""
    stated = mesh.attributes["file"]
    mesh.attributes.setdefault("name", Path(stated).stem)
    file = folder.file(str(place / stated))
    if not file.is_file():
        users = [body.where for body in root.walk() if body.tag == "body" for geom in body.all("geom")
                 if geom.attributes.get("mesh") == mesh.attributes["name"]]  # fmt: skip
        who = f"{users[0]}: its inertia would follow from" if users else f"{mesh.where}:"
        raise ModelError(f"{who} mesh {shown(stated)}, which is missing; give the file, or masses=False (--no-masses)")
    mesh.attributes["file"] = str(file.resolve())


def as_text(root: Element) -> tuple[str, list[Element]]:
    """Write a model, an element in each line.

    Returns
    -------
    str
    list of Element
        That of each line.
    """
    lines: list[str] = []
    elements: list[Element] = []

    def write(element: Element) -> None:
        attributes = "".join(f" {key}={quoteattr(value)}" for key, value in element.attributes.items())
        lines.append(f"<{element.tag}{attributes}>")
        elements.append(element)
        for child in element.children:
            write(child)
        lines[-1] += f"</{element.tag}>"

    write(root)
    return "\n".join(lines), elements
