"""Files that files name: in the folder or below unless allowed elsewhere, and never printed, in every place."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import cluster
import groupkin as gk
from groupkin.cli.main import main
from groupkin.errors import FileError, GroupkinError
from groupkin.mechanism.files import reading
from groupkin.mechanism.files.writing import as_data
from groupkin.synthesis.files import read_fit

SECRET = "TOKEN=hunter2\n"

ANGLES = np.radians(30.0 * np.arange(12))
CIRCLE = "".join(f"{3 * np.cos(t):.4f},{2 * np.sin(t):.4f}\n" for t in ANGLES)
SAMPLES = "0,1\n1,2\n2,4\n3,5\n4,7\n"

Data = dict[str, Any]


def crank(**more: Any) -> Data:
    bodies = ["frame", {"name": "arm", "points": {"P": [1, 0]}}, "wheel"]
    joints = [
        {"name": "pin", "type": "R", "bodies": ["frame", "arm"], "point": [0, 0]},
        {"name": "hub", "type": "R", "bodies": ["frame", "wheel"], "point": [5, 0]},
    ]
    return {"name": "crank", "dimension": 2, "bodies": bodies, "joints": joints} | more


def cam(name: str) -> Data:
    lobe = {"name": "lobe", "type": "L", "bodies": ["arm", "wheel"], "point": [3, 0]}
    return crank(joints=[*crank()["joints"], lobe | {"curve": {"csv": name, "closed": True}}])


def force(**more: Any) -> Data:
    return crank(forces=[{"name": "load", **more}])


def law(name: str) -> Data:
    return {"type": "spline", "csv": name}


SPRING = {"type": "spring", "between": ["frame", "arm"], "points": [[0, 3], "P"]}
TURNED = {"type": "joint_spring", "joint": "pin"}

MECHANISMS: dict[str, tuple[Callable[[str], Data], str]] = {
    "curve of a joint": (cam, CIRCLE),
    "curve of a contact": (
        lambda name: force(
            type="contact",
            between=["arm", "wheel"],
            curve={"csv": name, "closed": True},
            point=[4, 0],
            radius=1,
            stiffness=1,
        ),
        CIRCLE,
    ),
    "table of a coupling": (
        lambda name: crank(couplings=[{"name": "k", "of": ["joint pin", "joint hub"], "csv": name}]),
        SAMPLES,
    ),
    "law of a driver": (lambda name: crank(drivers=[{"joint": "pin", "law": law(name)}]), SAMPLES),
    "law of a force": (
        lambda name: force(type="torque", body="arm", torque=1, law=law(name)),
        SAMPLES,
    ),
    "table of a spring": (lambda name: force(**SPRING, table={"csv": name}), SAMPLES),
    "damping of a spring": (lambda name: force(**SPRING, damping_table={"csv": name}), SAMPLES),
    "table of a joint spring": (lambda name: force(**TURNED, table={"csv": name}), SAMPLES),
    "damping of a joint spring": (lambda name: force(**TURNED, damping_table={"csv": name}), SAMPLES),
}

DRIVERS = [{"joint": joint, "law": {"type": "ramp", "rate": 1}} for joint in ("pin", "hub")]
DRIVEN = json.dumps(crank(drivers=DRIVERS, motion={"steps": 3}))


def sweep(**more: Any) -> Data:
    listed = [{"parameter": "rate pin", "list": [1, 2]}]
    return {"mechanism": "m.json", "parameters": listed, "keep": [{"maximum": "joint pin"}]} | more


SWEEPS: dict[str, tuple[Callable[[str], Data], str]] = {
    "table of a sweep": (
        lambda name: sweep(parameters=[{"parameter": "P", "csv": name}]),
        SAMPLES,
    ),
    "mechanism of a sweep": (lambda name: sweep(mechanism=name), DRIVEN),
}
FITS: dict[str, tuple[Callable[[str], Data], str]] = {
    "mechanism of a fit": (
        lambda name: {
            "mechanism": name,
            "parameters": ["P"],
            "targets": {"position P": [[1, 0], [0, 1]]},
            "at": [0, 1],
        },
        DRIVEN,
    )
}
PLACES = MECHANISMS | SWEEPS | FITS


def read(place: str, folder: Path, name: str, **more: Any) -> Any:
    """Read a file that names another one in this place; what is compared of it."""
    make, _ = PLACES[place]
    (folder / "m.json").write_text(DRIVEN)
    file = folder / ("own.sweep.json" if place in SWEEPS else "own.json")
    file.write_text(json.dumps(make(name)))
    if place in SWEEPS:
        found = cluster.read_sweep(file, **more)
        return found.program.mechanism.name, [parameter.varies for parameter in found.parameters]
    if place in FITS:
        return read_fit(file, **more)[0].names
    return as_data(gk.load(file, **more))


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """The folder of the files, and one beside it."""
    for name in ("own", "own/below", "other"):
        (tmp_path / name).mkdir()
    return tmp_path / "own", tmp_path / "other"


@pytest.mark.complete
@pytest.mark.parametrize("place", PLACES)
def test_only_files_in_the_folder_or_below_are_read(place: str, folders: tuple[Path, Path]) -> None:
    own, other = folders
    suffix, right = (".json" if "mechanism" in place else ".csv"), PLACES[place][1]
    (other / f"data{suffix}").write_text(right)
    (other / f"wrong{suffix}").write_text(SECRET)
    (own / f"near{suffix}").write_text(right)
    (own / "below" / f"data{suffix}").write_text(right)
    (own / f"inside{suffix}").symlink_to(Path("below") / f"data{suffix}")
    (own / f"link{suffix}").symlink_to(other / f"data{suffix}")
    (own / "folder").symlink_to(other, target_is_directory=True)
    (own / f"loop{suffix}").symlink_to(own / f"loop{suffix}")
    wanted = read(place, own, f"near{suffix}")
    for name in (f"below/data{suffix}", f"inside{suffix}", f"below/../near{suffix}", str(own / f"near{suffix}")):
        assert same(read(place, own, name), wanted)
    outside = [f"../other/data{suffix}", str(other / f"data{suffix}"), f"link{suffix}", f"folder/data{suffix}"]
    for name in (*outside, f"../other/wrong{suffix}", f"../other/none{suffix}", "/proc/self/environ", "/dev/zero"):
        with pytest.raises(FileError, match=r"is not in the folder of the file that names it, or below; .*--files-any"):
            read(place, own, name)
    for name in outside:
        assert same(read(place, own, name, files_anywhere=True), wanted)
    with pytest.raises(FileError, match="cannot be read"):
        read(place, own, f"loop{suffix}")


@pytest.mark.complete
@pytest.mark.parametrize("place", PLACES)
def test_messages_have_nothing_of_a_wrong_file(place: str, folders: tuple[Path, Path]) -> None:
    own, _ = folders
    texts = (
        SECRET,
        SECRET * 3,
        f"{SECRET}1,2\n1,hunter2\n",
        f"a,b\n1,2\n{SECRET}",
        "1,2\nhunter2,3\n",
        "1,2,hunter2\n",
    )
    for text in texts:
        (own / "wrong.csv").write_text(text)
        with pytest.raises(GroupkinError) as refused:
            read(place, own, "wrong.csv")
        assert "hunter2" not in str(refused.value)
    if os.name != "nt":
        os.mkfifo(own / "pipe.csv")
        with pytest.raises(GroupkinError, match=r"it is a folder or a device|ends in"):
            read(place, own, "pipe.csv")
    (own / "folder.csv").mkdir()
    with pytest.raises(GroupkinError, match=r"it is a folder or a device|ends in"):
        read(place, own, "folder.csv")


def test_parsed_data_and_commands_are_under_the_same_rule(folders: tuple[Path, Path]) -> None:
    own, other = folders
    (other / "data.csv").write_text(SAMPLES)
    data = crank(drivers=[{"joint": "pin", "law": law("../other/data.csv")}, DRIVERS[1]])
    with pytest.raises(FileError, match="is not in the folder"):
        reading.parse(data, own)
    reading.parse(data, own, files_anywhere=True)
    file = own / "m.json"
    file.write_text(json.dumps(data))
    reading.read(file, files_anywhere=True)
    refused = CliRunner().invoke(main, ["analyze", str(file)])
    assert refused.exit_code == 2
    assert "--files-anywhere" in refused.stderr
    assert CliRunner().invoke(main, ["analyze", str(file), "--files-anywhere"]).exit_code == 0


GIVEN = {
    "animate": ["--out", "OUT.html"],
    "draw": ["--out", "OUT.svg"],
    "export": ["--out", "OUT.csv"],
    "field": ["joint pin", "--over", "pin", "0", "1", "--over", "hub", "0", "1", "--steps", "2", "--out", "OUT.svg"],
    "workspace": ["--of", "position arm", "--steps", "3"],
    "report": ["--out", "OUT.html"],
    "simulate": ["--duration", "0.01", "--steps", "2"],
}
"""Other arguments that commands need."""


@pytest.mark.parametrize(
    "command",
    [
        name
        for name, each in main.commands.items()
        if any("--files-anywhere" in x.opts for x in each.params) and name != "import"  # which reads models
    ],
)
def test_every_command_hands_the_rule_on(command: str, folders: tuple[Path, Path]) -> None:
    own, other = folders
    (other / "data.csv").write_text(SAMPLES)
    (own / "m.json").write_text(json.dumps(crank(drivers=[{"joint": "pin", "law": law("../other/data.csv")}])))
    naming = sweep(mechanism="../own/m.json") if command == "batch" else FITS["mechanism of a fit"][0]("../own/m.json")
    (own / "in.json").write_text(json.dumps(naming))
    file = own / ("in.json" if command in ("batch", "fit") else "m.json")
    given = [str(file), *(word.replace("OUT", str(own / "out")) for word in GIVEN.get(command, []))]
    refused = CliRunner().invoke(main, [command, *given])
    assert refused.exit_code == 2
    assert "--files-anywhere" in refused.stderr
    assert "--files-anywhere" not in CliRunner().invoke(main, [command, *given, "--files-anywhere"]).stderr


def same(found: Any, wanted: Any) -> bool:
    """Whether two are equal but for the names of files in their labels."""
    return without_names(found) == without_names(wanted)


def without_names(found: Any) -> str:
    return json.dumps(found, default=repr).replace("near", "data")
