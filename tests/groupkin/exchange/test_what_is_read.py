"""What models have and mechanisms do not is refused, with name and line, or listed; what maps is where it belongs."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from click.testing import CliRunner

import groupkin as gk
from groupkin.cli.main import main
from groupkin.errors import FileError, GroupkinError, ModelError, OpenLoopError, UnknownNameError
from groupkin.exchange import xml_input
from tests.support.robot_models import LOOPS, MJCF, SDF, URDF

MASS = '<inertial mass="1" pos="0.1 0 0" diaginertia="0.01 0.01 0.01"/>'
ARM = f'<body name="arm"><joint name="j" axis="0 1 0" {{joint}}/>{MASS}{{arm}}</body>'


def mjcf(joint: str = "", arm: str = "", world: str = "", rest: str = "") -> str:
    return f"<mujoco>\n<worldbody>\n{ARM.format(joint=joint, arm=arm)}\n{world}</worldbody>\n{rest}</mujoco>"


def read(folder: Path, text: str, name: str = "model.xml", **options: Any) -> gk.ImportedModel:
    (folder / name).write_text(text)
    return gk.import_model(folder / name, **options)


BALL = f'<body name="b" pos="0 1 0"><joint name="ball" type="ball" {{}}/>{MASS}<site name="s" pos="0.1 0 0"/></body>'
TENDON = '<tendon><{kind} name="t">{inside}</{kind}></tendon>'
FIXED = TENDON.format(kind="fixed", inside='<joint joint="j" coef="1"/>')
WRAPPED = TENDON.format(
    kind='spatial', inside='<site site="s"/><geom geom="g"/><site site="w"/>'
)  # fmt: skip
AROUND = BALL.format("") + '<site name="w" pos="0 0 1"/><geom name="g" type="sphere" size="0.1"/>'

LEFT_OUT = {
    "armature .* about three axes": mjcf(world=BALL.format('armature="0.1"')),
    "'ball': friction 0.2": mjcf(world=BALL.format('frictionloss="0.2"')),
    "ranges of ball": mjcf(world=BALL.format('limited="true" range="0 1"')),
    "counts the sine of its rotation": mjcf(world=BALL.format('stiffness="2"')),
    "does not hold at rest": mjcf(joint='frictionloss="0.3"'),
    "its spring, a polynomial, is a table": mjcf(joint='stiffness="2 1 3"'),
    "its damper, a polynomial, is a table": mjcf(joint='damping="2 1 3"'),
    "spring and damper of a free body": mjcf(world=f'<body name="f"><freejoint/>{MASS}</body>').replace(
        "<freejoint/>", '<joint name="fly" type="free" damping="1"/>'
    ),
    "contacts of 1 geom": mjcf(arm='<geom type="sphere" size="0.1"/>'),
    "limits of tendons and actuators: 1": mjcf(rest='<actuator><motor joint="j" ctrlrange="0 1"/></actuator>'),
    "it pulls a tendon; drive one of j instead": mjcf(rest=f'{FIXED}<actuator><motor tendon="t"/></actuator>'),
    "it acts by no joint": mjcf(
        arm='<site name="s"/>', rest='<actuator><motor site="s" gear="1 0 0 0 0 0"/></actuator>'
    ),
    "turns about three axes; drive its angles": mjcf(
        world=BALL.format(""), rest='<actuator><motor joint="ball"/></actuator>'
    ),
    "density and viscosity": mjcf(rest='<option density="1.2"/>'),
    "wind": mjcf(rest='<option wind="1 0 0"/>'),
    "compensation of gravity": mjcf().replace('<body name="arm">', '<body name="arm" gravcomp="1">'),
    "equality 'e', which is not active": mjcf(
        world=BALL.format(""), rest='<equality><weld name="e" body1="arm" body2="b" active="false"/></equality>'
    ),
    "a geom of type 'hfield', with its mass": mjcf(world='<geom type="hfield" hfield="h"/>'),
    "its spring and damper; read are those between two sites": mjcf(
        world=AROUND, rest=WRAPPED.replace('name="t"', 'name="t" stiffness="3"')
    ),
}
"""Models by what is listed of them."""

REFUSED = {
    "equality 'e' ties tendon 't', which goes through space": mjcf(
        world=AROUND, rest=f'{WRAPPED}<equality><tendon name="e" tendon1="t"/></equality>'
    ),
    "only HINGE and SLIDE joint allowed.*line 5: joint 'e'": mjcf(
        world=BALL.format(""), rest='<equality><joint name="e" joint1="ball"/></equality>'
    ),
    "line 4: flexcomp 'f': deformable bodies": mjcf(world='<flexcomp name="f" type="grid"/>'),
    "line 5: attach: models within models": mjcf(rest="<attach/>"),
    "line 4: replicate makes 5000 copies": mjcf(world='<replicate count="5000"/>'),
    "unrecognized attribute.*line 3: joint 'j'": mjcf(joint='speed="3"'),
    "document type": '<!DOCTYPE x [<!ENTITY a "b">]><mujoco/>',
    "no valid XML": "<mujoco>",
    "a model is MJCF": "<html/>",
    "one element too many": "<mujoco>" + "<body>" * 70 + "</body>" * 70 + "</mujoco>",
    "is not in the folder": mjcf(rest='<include file="../other.xml"/>'),
    "includes itself": mjcf(rest='<include file="model.xml"/>'),
    "its inertia would follow from mesh 'none.stl', which is missing": mjcf(
        arm='<geom type="mesh" mesh="m"/>', rest='<asset><mesh name="m" file="none.stl"/></asset>'
    ),
}
"""Models by what the message says that refuses them."""


@pytest.mark.complete
@pytest.mark.parametrize("text", LEFT_OUT)
def test_what_is_left_out_is_listed(text: str, tmp_path: Path) -> None:
    model = read(tmp_path, LEFT_OUT[text])
    assert any(re.search(text, line) for line in model.left_out), model.left_out


@pytest.mark.complete
@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_meant_is_refused_by_name_and_line(text: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=text):
        read(tmp_path, REFUSED[text])


def changed(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


SECOND_PARENT = '<joint name="C" type="fixed"><parent link="rod"/><child link="rocker"/></joint>'
OTHERS = {
    "joint 'A' is of type 'gearbox', which is not read": (
        "m.sdf", changed(SDF["four-bar"], ('name="A" type="revolute"', 'name="A" type="gearbox"'))
    ),
    "there is no link, joint or frame 'cran'": (
        "m.sdf", changed(SDF["four-bar"], ("<child>crank", "<child>cran"))
    ),
    "its pose is relative to itself": (
        "m.sdf", changed(SDF["four-bar"], ('relative_to="__model__">0.71', 'relative_to="pin C">0.71'))
    ),
    "models within models": ("m.sdf", changed(SDF["split"], ("</model>", '<model name="n"/></model>'))),
    "files that are included": ("m.sdf", changed(SDF["split"], ("</model>", "<include/></model>"))),
    "has 2 models": ("m.sdf", changed(SDF["split"], ("</sdf>", '<model name="n"/></sdf>'))),
    "two links, joints or frames of this name": (
        "m.sdf", changed(SDF["split"], ('link name="half"', 'link name="rod"'))
    ),
    "link 'rocker' has two parents": (
        "m.urdf",
        changed(
            URDF["gazebo joint"],
            ("<transmission", f"{SECOND_PARENT}<transmission"),
        ),
    ),
    "there is no link 'rodd'": ("m.urdf", changed(URDF["loop joint"], ('link1 link="rod"', 'link1 link="rodd"'))),
    "needs two links": ("m.urdf", URDF["loop joint"].replace("link1", "link3")),
    "'mimic E': there is no joint 'Q'": ("m.urdf", changed(URDF["loop joint"], ('mimic joint="D"', 'mimic joint="Q"'))),
    "only MJCF has keyframes": ("m.urdf", URDF["loop joint"]),
}  # fmt: skip
"""SDF and URDF by what the message says that refuses them, with the name of the file."""


@pytest.mark.complete
@pytest.mark.parametrize("text", OTHERS)
def test_sdf_and_urdf_are_refused_by_name(text: str, tmp_path: Path) -> None:
    name, model = OTHERS[text]
    with pytest.raises(GroupkinError, match=text):
        read(tmp_path, model, name, keyframe="home" if text.startswith("only") else None)


SIDECARS = {
    "has one list, `loops`": "loop = []",
    "has the keys name, type, frames": 'loops = [{ name = "C" }]',
    "its type is one of": LOOPS.replace("connect", "glue"),
    "there is no frame or link 'rod en'": LOOPS.replace("rod end", "rod en"),
    "both frames are on link 'rod'": LOOPS.replace('"rocker end"', '"rod"'),
    "already; rename the loop": LOOPS.replace('"C"', '"A"'),
    "three numbers each": LOOPS.replace('"rod end"', '{ link = "rod", at = [1] }'),
    "a frame has the keys": LOOPS.replace('"rod end"', '{ link = "rod", by = [1] }'),
}
"""Files of loops by what the message says that refuses them."""


@pytest.mark.complete
@pytest.mark.parametrize("text", SIDECARS)
def test_files_of_loops_are_refused_by_key(text: str, tmp_path: Path) -> None:
    (tmp_path / "loops.toml").write_text(SIDECARS[text])
    with pytest.raises(ModelError, match=text):
        read(tmp_path, SDF["bushing"], "m.sdf", loops=tmp_path / "loops.toml")


def test_a_bushing_of_drake_is_listed_with_what_to_do(tmp_path: Path) -> None:
    model = read(tmp_path, SDF["bushing"], "m.sdf")
    assert any("a loop that it closes can be stated by --loops" in line for line in model.left_out)
    assert set(model.free) == {"A", "B", "D"}


# --- what maps --------------------------------------------------------------------------------------


def test_values_at_the_start_are_kept(tmp_path: Path) -> None:
    model = read(tmp_path, MJCF["four-bar"], start={"A": 0.3})
    assert model.mechanism.joint["A"].reference == 0.3
    assert model.gap > 0.05
    with pytest.raises(OpenLoopError, match="does not close") as error:
        read(tmp_path, MJCF["four-bar"], start={"B": 3.0, "A": 2.0})
    assert error.value.loop == "C"
    with pytest.raises(UnknownNameError, match="joint of the tree"):
        read(tmp_path, MJCF["four-bar"], start={"C": 0.3})
    with pytest.raises(UnknownNameError, match="keyframe"):
        read(tmp_path, MJCF["leg"], keyframe="hom")
    with pytest.raises(UnknownNameError, match="link"):
        read(tmp_path, MJCF["leg"], fix="pelvs")


def test_gaps_along_the_hinges_of_planar_loops_are_dropped(tmp_path: Path) -> None:
    lifted = changed(MJCF["five-bar"], ('name="tip" pos="0 0 0.01"', 'name="tip" pos="0 0 0.25"'))
    flat = read(tmp_path, MJCF["five-bar"]).mechanism
    high = read(tmp_path, lifted).mechanism
    assert [joint.type for joint in high.joints] == [joint.type for joint in flat.joints]
    assert "SC" in [joint.type for joint in high.joints]
    for name in ("left", "right"):
        assert abs(high.joint[name].reference - flat.joint[name].reference) < 1e-12


def test_planar_models_become_mechanisms_in_the_plane(tmp_path: Path) -> None:
    plane, space = (read(tmp_path, MJCF["four-bar"], plane=flag).mechanism for flag in (True, False))
    assert plane.dimension == 2
    assert [group.label for group in gk.analyze(plane).groups] == ["1R2D", "3R2D"]
    drivers = [gk.Driver("A", gk.Harmonic(0.2, 0.5))]
    motions = [gk.solve(replace(each, drivers=drivers), np.linspace(0.0, 1.0, 5)) for each in (plane, space)]
    for joint in ("A", "B", "D"):
        np.testing.assert_allclose(motions[0].joint(joint)[0], motions[1].joint(joint)[0], rtol=0, atol=1e-12)
    torques = [gk.inverse_dynamics(motion).driver("A") for motion in motions]
    np.testing.assert_allclose(*torques, rtol=0, atol=1e-10)
    with pytest.raises(ModelError, match="has no axis parallel to the hinge 'u0'"):
        read(tmp_path, MJCF["stewart"], plane=True)


def test_meshes_become_shapes_where_they_are(tmp_path: Path) -> None:
    box = trimesh.creation.box((0.3, 0.1, 0.2))
    box.apply_translation((0.15, 0.0, 0.0))
    box.export(tmp_path / "box.stl")
    text = mjcf(
        arm='<geom type="mesh" mesh="m" pos="0 0 0.5" euler="0 0 90"/>',
        rest='<asset><mesh name="m" file="box.stl" scale="2 2 2"/></asset>',
    )
    shape = read(tmp_path, text).mechanism.body["arm"].shape
    assert shape is not None
    corners = np.array(shape.at) + shape.scale * box.vertices @ np.array(shape.axes)
    expected = 2.0 * box.vertices @ np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]) + [0, 0, 0.5]
    np.testing.assert_allclose(corners, expected, rtol=0, atol=1e-7)  # the file has single precision
    assert read(tmp_path, text.replace("box.stl", "none.stl"), masses=False).mechanism.body["arm"].shape is None


def test_further_meshes_and_shapes_are_listed(tmp_path: Path) -> None:
    """A body has one shape; a model for MuJoCo has none."""
    trimesh.creation.box((0.3, 0.1, 0.2)).export(tmp_path / "box.stl")
    both = '<geom type="mesh" mesh="m"/><geom type="mesh" mesh="m" pos="0 0 1"/>'
    model = read(tmp_path, mjcf(arm=both, rest='<asset><mesh name="m" file="box.stl"/></asset>'))
    assert "mesh 'm' of body 'arm': a body has one shape, its first mesh" in model.left_out
    stretched = '<asset><mesh name="m" file="box.stl" scale="1 2 3"/></asset>'
    left_out = read(tmp_path, mjcf(arm='<geom type="mesh" mesh="m"/>', rest=stretched)).left_out
    assert "mesh 'm' of body 'arm': shapes are STL or OBJ files with one scale" in left_out
    mechanism = replace(model.mechanism, ranges={"position arm.x": (-1.0, 1.0)})
    left_out = gk.export_mjcf(mechanism, tmp_path / "back.xml")
    assert {"shape of body 'arm': capsules show it", "range of `position arm.x`"} <= set(left_out)


def test_a_ball_has_its_damping(tmp_path: Path) -> None:
    model = read(tmp_path, mjcf(world=BALL.format('damping="0.7"')))
    (bushing,) = model.mechanism.forces
    assert (bushing.torsion_damping, bushing.between, tuple(bushing.point)) == (0.7, ("world", "b"), (0.0, 1.0, 0.0))


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for package in ("mujoco", "defusedxml"):
        with monkeypatch.context() as patch:
            for name in [name for name in sys.modules if name.split(".")[0] == package]:
                patch.delitem(sys.modules, name)
            patch.setitem(sys.modules, package, None)
            with pytest.raises(ModelError, match=r"pip install 'groupkin\[models\]'"):
                read(tmp_path, MJCF["four-bar"])


def test_limits_of_elements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_input, "MOST", 5)
    with pytest.raises(ModelError, match="at most 5 in"):
        read(tmp_path, MJCF["four-bar"])


# --- the commands -------------------------------------------------------------------------------


def test_commands_read_and_write_models(tmp_path: Path) -> None:
    (tmp_path / "model.xml").write_text(MJCF["four-bar"])
    mechanism, back = tmp_path / "m.toml", tmp_path / "back.xml"
    run = CliRunner().invoke
    result = run(main, ["import", str(tmp_path / "model.xml"), "--out", str(mechanism), "--start", "A=0.1"])
    assert result.exit_code == 0, result.output
    assert "loops closed from" in result.stderr
    assert gk.load(mechanism).joint["A"].reference == 0.1
    result = run(main, ["export", str(mechanism), "--mjcf", str(back)])
    assert result.exit_code == 0, result.output
    assert "a model for MuJoCo" in result.stderr
    found = gk.import_model(back).mechanism
    assert {load.name for load in found.forces} == {"spring B", "rotor B"}
    for arguments, text in (
        (["import", str(tmp_path / "model.xml"), "--out", str(mechanism), "--start", "A"], "JOINT=VALUE"),
        (["export", str(mechanism)], "say what is written"),
        (["export", str(mechanism), "--mjcf", str(tmp_path / "x.mjcf")], "ends in .xml"),
    ):
        result = run(main, arguments)
        assert result.exit_code == 2
        assert text in result.stderr
