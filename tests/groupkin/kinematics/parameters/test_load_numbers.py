"""Numbers of masses and forces as parameters: each design against the mechanism in which the number is replaced."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cluster
import groupkin as gk
from groupkin.errors import FitError, ForceError, MassError, ParameterError, UnknownNameError
from groupkin.kinematics.parameters.nominal_values import unit
from groupkin.kinematics.parameters.parameters import OF_FORCES, parse
from groupkin.mechanism.forces.forces import KINDS
from sglibrary.array_types import Array
from tests.support.examples import described
from tests.support.loaded import loaded

TIMES = np.linspace(0.0, 0.6, 7)
ENDS = {"A": ("ground", "crank"), "B": ("crank", "coupler"), "C": ("coupler", "rocker"), "D": ("rocker", "ground")}
LINE = ((-9.0, 1.2), (9.0, 1.2))
FORCES = [
    gk.Spring("spring", ("ground", "rocker"), ("A", (3.1, 1.0)), 40.0, damping=2.0, preload=3.0),
    gk.JointSpring("torsion", "C", stiffness=2.0, position=0.1, damping=0.3, preload=0.2),
    gk.Force("push", "rocker", "C", (3.0, 1.0)),
    gk.Torque("motor", "coupler", 0.7),
    gk.JointForce("seal", "D", 0.4),
    gk.JointFriction("brake", "D", 0.5, damping=0.1),
    gk.Friction("bearing", "B", 0.1, radius=0.05),
    gk.Bushing("mount", ("ground", "coupler"), (1.5, 2.0), (4.0, 5.0), ((1.0, 0.2), (0.2, 2.0)), 3.0, 0.4),
    gk.Contact(
        "table", ("ground", "coupler"), (1.5, 1.9), 0.8, line=LINE, stiffness=50.0, damping=0.1, coefficient=0.2
    ),
    gk.Stop("bump", "D", stiffness=5.0, damping=0.1),
    gk.JointInertia("rotor", "A", 0.4),
]


@cache
def planar() -> gk.Mechanism:
    bodies = [
        "ground",
        gk.Body("crank", mass=1.0, center=(0.1, 0.5), inertia=0.1),
        gk.Body("coupler", mass=2.0, center="middle", inertia=0.2, points=["P"]),
        gk.Body("rocker", mass=1.5, center="C", inertia=30.0, about="D"),
    ]
    joints = [gk.Joint(x, "R", ends, point=x, range=(-0.05, 0.1) if x == "D" else None) for x, ends in ENDS.items()]
    points = {"A": (0.0, 0.0), "B": (0.0, 1.0), "C": (3.0, 2.5), "D": (3.0, 0.0), "P": (1.5, 3.0)}
    drivers = [gk.Driver("A", gk.Harmonic(0.4, 0.7, phase=0.3))]
    return gk.Mechanism(2, bodies, joints, drivers, points=points, gravity=(0.0, -9.81), forces=FORCES)


@cache
def spatial() -> gk.Mechanism:
    """A block that turns about a ball joint, with a tensor, and a force, torque and bushing in space."""
    inertia = {"xx": 0.3, "yy": 0.4, "zz": 0.5, "xy": 0.02}
    bodies = ["frame", gk.Body("block", mass=2.0, center=(0.2, 0.1, 0.3), inertia=inertia)]
    bodies.append(gk.Body("ball", mass=1.0, center=(1.0, 0.0, 0.0), inertia=0.05))
    joints = [
        gk.Joint("S", "S", ("frame", "block"), point=(0, 0, 0)),
        gk.Joint("T", "S", ("block", "ball"), point=(1, 0, 0)),
    ]
    drivers = [gk.Driver(x, gk.Ramp(1.0 + k), f) for x in "ST" for k, f in enumerate(("angle_x", "angle_y", "angle_z"))]
    forces = [
        gk.Force("push", "block", (0.3, 0.0, 0.1), (1.0, 2.0, 3.0), axes="block"),
        gk.Torque("twist", "ball", (0.1, 0.2, 0.3)),
        gk.Bushing("mount", ("frame", "block"), (0.1, 0.1, 0.0), 40.0, torsion=(1.0, 2.0, 3.0), torsion_damping=0.1),
    ]
    return gk.Mechanism(3, bodies, joints, drivers, gravity=(0, 0, -9.81), forces=forces)


def with_body(mechanism: gk.Mechanism, name: str, **changes: Any) -> gk.Mechanism:
    return replace(mechanism, bodies=[replace(x, **changes) if x.name == name else x for x in mechanism.body.values()])


def with_force(mechanism: gk.Mechanism, name: str, **changes: Any) -> gk.Mechanism:
    return replace(mechanism, forces=[replace(x, **changes) if x.name == name else x for x in mechanism.forces])


Made = Callable[[float], gk.Mechanism]


def of_force(text: str, nominal: float, unit: str, made: Callable[[float], Any] = float) -> Any:
    field, term = text.split()
    changed = lambda x: with_force(planar(), term.partition(".")[0], **{field: made(x)})  # noqa: E731
    return pytest.param(planar, text, nominal, unit, changed, id=text)


def of_body(text: str, nominal: float, unit: str, **made: Callable[[float], Any]) -> Any:
    name = text.split()[1].partition(".")[0]
    changed = lambda x: with_body(planar(), name, **{key: value(x) for key, value in made.items()})  # noqa: E731
    return pytest.param(planar, text, nominal, unit, changed, id=text)


def in_space(text: str, nominal: float, unit: str, body: bool, **made: Callable[[float], Any]) -> Any:
    name = text.split()[1].partition(".")[0]
    changing = with_body if body else with_force
    changed = lambda x: changing(spatial(), name, **{key: value(x) for key, value in made.items()})  # noqa: E731
    return pytest.param(spatial, text, nominal, unit, changed, id=f"space {text}")


NUMBERS = [
    of_force("inertia rotor", 0.4, "kg*m^2"),
    of_body("mass crank", 1.0, "kg", mass=float),
    of_body("mass rocker", 1.5, "kg", mass=float),
    of_body("center crank.x", 0.1, "m", center=lambda x: (x, 0.5)),
    of_body("center coupler.y", 1.75, "m", center=lambda x: (1.5, x)),
    of_body("center rocker.x", 3.0, "m", center=lambda x: (x, 2.5)),
    of_body("inertia coupler", 0.2, "kg*m^2", inertia=float),
    of_body("inertia rocker", 30.0, "kg*m^2", inertia=float),
    of_force("stiffness spring", 40.0, "N/m"),
    of_force("damping spring", 2.0, "N*s/m"),
    of_force("preload spring", 3.0, "N"),
    of_force("length spring", float(np.hypot(3.1, 1.0)), "m"),
    of_force("stiffness torsion", 2.0, "N*m/rad"),
    of_force("position torsion", 0.1, "rad"),
    of_force("damping torsion", 0.3, "N*m*s/rad"),
    of_force("preload torsion", 0.2, "N*m"),
    of_force("force push.y", 1.0, "N", lambda x: (3.0, x)),
    of_force("torque motor", 0.7, "N*m"),
    of_force("force seal", 0.4, "N*m"),
    of_force("force brake", 0.5, "N*m"),
    of_force("damping brake", 0.1, "N*m*s/rad"),
    of_force("coefficient bearing", 0.1, "1"),
    of_force("radius bearing", 0.05, "m"),
    of_force("stiffness mount.x", 4.0, "N/m", lambda x: (x, 5.0)),
    of_force("damping mount.xy", 0.2, "N*s/m", lambda x: ((1.0, x), (x, 2.0))),
    of_force("torsion mount", 3.0, "N*m/rad"),
    of_force("torsion_damping mount", 0.4, "N*m*s/rad"),
    of_force("stiffness table", 50.0, "N/m^(3/2)"),
    of_force("radius table", 0.8, "m"),
    of_force("damping table", 0.1, "s/m"),
    of_force("coefficient table", 0.2, "1"),
    of_force("stiffness bump", 5.0, "N*m/rad"),
    of_force("damping bump", 0.1, "s/rad"),
    in_space("mass block", 2.0, "kg", True, mass=float),
    in_space("center block.z", 0.3, "m", True, center=lambda x: (0.2, 0.1, x)),
    in_space("inertia block.xx", 0.3, "kg*m^2", True, inertia=lambda x: {"xx": x, "yy": 0.4, "zz": 0.5, "xy": 0.02}),
    in_space("inertia block.xy", 0.02, "kg*m^2", True, inertia=lambda x: {"xx": 0.3, "yy": 0.4, "zz": 0.5, "xy": x}),
    in_space("inertia ball", 0.05, "kg*m^2", True, inertia=float),
    in_space("inertia ball.zz", 0.05, "kg*m^2", True, inertia=lambda x: (0.05, 0.05, x)),
    in_space("force push.z", 3.0, "N", False, force=lambda x: (1.0, 2.0, x)),
    in_space("torque twist.x", 0.1, "N*m", False, torque=lambda x: (x, 0.2, 0.3)),
    in_space("stiffness mount", 40.0, "N/m", False, stiffness=float),
    in_space("torsion mount.y", 2.0, "N*m/rad", False, torsion=lambda x: (1.0, x, 3.0)),
]
EACH = pytest.mark.parametrize(("made", "text", "nominal", "of_unit", "changed"), NUMBERS)

pytestmark = pytest.mark.filterwarnings("ignore::groupkin.errors.RangeWarning")
"""The stop acts beyond the range of its joint."""


def all_forces(motion: gk.Motion) -> Array:
    """Forces of drivers, and reactions, one after another."""
    forces = gk.inverse_dynamics(motion)
    joints = motion.program.mechanism.joint
    parts = [np.ravel(forces.driver(name)) for name in forces.drivers]
    return np.concatenate([*parts, *(np.ravel(forces.reaction(name).force) for name in joints)])


@pytest.mark.complete
@EACH
def test_a_design_has_the_forces_of_the_replaced_mechanism(
    made: Callable[[], gk.Mechanism], text: str, nominal: float, of_unit: str, changed: Made
) -> None:
    mechanism, x = made(), 1.25 * nominal
    design = gk.design(mechanism, [text])
    assert str(gk.parameter(text, mechanism)) == text
    assert gk.nominal_value(text, mechanism) == pytest.approx(nominal, rel=1e-15)
    assert unit(parse(text), design.program) == of_unit
    expected = all_forces(gk.solve(changed(x), TIMES))
    assert np.array_equal(all_forces(design.solve([x], TIMES)), expected)
    assert np.array_equal(all_forces(gk.solve(design.mechanism([x]), TIMES)), expected)
    without = all_forces(gk.solve(mechanism, TIMES))
    assert np.abs(without - expected).max() > 1e-6 * np.abs(expected).max()  # the number counts
    assert np.array_equal(all_forces(design.solve(design.nominal, TIMES)), without)
    # a table of the geometry goes beside
    both = gk.design(mechanism, [text, "joint S@block" if mechanism.dimension == 3 else "P"])
    motion = both.solve([x, *both.nominal[1:]], TIMES)
    assert np.abs(all_forces(motion) - expected).max() <= 1e-13 * np.abs(expected).max()


@EACH
def test_a_sweep_has_the_forces_of_the_replaced_mechanisms(
    made: Callable[[], gk.Mechanism], text: str, nominal: float, of_unit: str, changed: Made
) -> None:
    driver = "driver A" if made is planar else "driver S.angle_x"
    values = [nominal, 1.25 * nominal]
    keep = [
        cluster.TimeHistory(driver, "load"),
        cluster.TimeHistory("velocity P" if made is planar else "velocity ball", "v"),
    ]
    found = cluster.solve(cluster.sweep(made(), [cluster.Parameter(text, cluster.Grid(values))], TIMES, keep))
    for k, x in enumerate(values):
        motion = gk.solve(changed(x), TIMES)
        assert np.array_equal(found["load"][k].values, gk.inverse_dynamics(motion).read(driver))
    assert np.array_equal(found["v"][0], found["v"][1])


def test_every_single_number_of_a_force_varies() -> None:
    named = {field for kind in KINDS.values() for field in kind.UNITS}
    assert set(OF_FORCES) == named - {"table", "damping_table", "speed", "exponent", "inertia"}
    assert {parse(x.values[1]).field for x in NUMBERS} | {"efficiency"} >= {*OF_FORCES, "mass", "center", "inertia"}  # type: ignore[union-attr,arg-type]


# --- where capabilities meet -------------------------------------------------------------------


def pendulum(stiffness: float = 3.0, mass: float = 0.5) -> gk.Mechanism:
    """A pendulum with a torsion spring, which moves by itself."""
    arm = gk.Body("arm", mass=mass, center=(0.3, 0.0), inertia=0.02, points={"T": (0.6, 0.0)})
    hinge = gk.Joint("A", "R", ("frame", "arm"), point=(0.0, 0.0))
    spring = gk.JointSpring("spring", "A", stiffness=stiffness, damping=0.01)
    return gk.Mechanism(2, ["frame", arm], [hinge], gravity=(0.0, -9.81), forces=[spring])


def test_several_components_vary_together() -> None:
    design = gk.design(planar(), ["center coupler", "force push.x", "force push.y", "mass coupler", "damping mount.xx"])
    other = with_body(planar(), "coupler", center=(1.7, 1.9), mass=3.0)
    other = with_force(with_force(other, "push", force=(4.0, 5.0)), "mount", damping=((1.5, 0.2), (0.2, 2.0)))
    found = all_forces(design.solve([1.7, 1.9, 4.0, 5.0, 3.0, 1.5], TIMES))
    assert np.array_equal(found, all_forces(gk.solve(other, TIMES)))
    design = gk.design(spatial(), ["inertia block.xx", "inertia block.yz", "center block", "inertia ball.zz"])
    inertia = {"xx": 0.35, "yy": 0.4, "zz": 0.5, "xy": 0.02, "yz": 0.03}
    other = with_body(spatial(), "block", inertia=inertia, center=(0.1, 0.2, 0.4))
    found = all_forces(design.solve([0.35, 0.03, 0.1, 0.2, 0.4, 0.06], TIMES))
    assert np.array_equal(found, all_forces(gk.solve(with_body(other, "ball", inertia=(0.05, 0.05, 0.06)), TIMES)))
    center = cluster.Parameter("center crank", cluster.Listed([(0.2, 0.3)]))
    swept = cluster.solve(cluster.sweep(planar(), [center], TIMES, [cluster.TimeHistory("driver A")]))
    other = with_body(planar(), "crank", center=(0.2, 0.3))
    assert np.array_equal(swept["A.driver"][0], gk.inverse_dynamics(gk.solve(other, TIMES)).read("driver A"))


def test_simulation_rest_and_vibration_of_a_changed_mechanism() -> None:
    held = replace(pendulum(), drivers=[gk.Driver("A", gk.Constant(0.0))])
    design = gk.design(held, ["stiffness spring", "mass arm"])
    changed, other = replace(design.mechanism([20.0, 0.8]), drivers=[]), pendulum(20.0, 0.8)
    assert changed == other
    motion, expected = (gk.simulate(each, TIMES) for each in (changed, other))
    assert np.array_equal(motion.position("T"), expected.position("T"))
    assert np.abs(motion.position("T") - gk.simulate(pendulum(), TIMES).position("T")).max() > 0.01
    rest = gk.equilibrium(changed)
    angle = float(rest.position[0])
    assert 20.0 * angle == pytest.approx(-0.8 * 9.81 * 0.3 * np.cos(angle), rel=1e-9)
    stiffness, inertia = 20.0 - 0.8 * 9.81 * 0.3 * np.sin(angle), 0.02 + 0.8 * 0.3**2
    turning = np.sqrt(stiffness / inertia - (0.01 / (2.0 * inertia)) ** 2)  # of the damped oscillation
    assert rest.vibration_modes().frequencies[0] == pytest.approx(turning / (2.0 * np.pi), rel=1e-6)


def test_named_values_vary_masses_and_forces() -> None:
    def made(x: float) -> gk.Mechanism:
        k = gk.Value("k", x)
        bodies = {
            "crank": {"mass": 0.5 * k, "center": (0.1, 0.2 * k)},
            "coupler": {"inertia": k * k},
        }
        changed = planar()
        for name, changes in bodies.items():
            changed = with_body(changed, name, **changes)
        changed = with_force(changed, "spring", stiffness=10.0 * k, preload=1.0 + k)
        changed = with_force(changed, "push", force=(k, 2.0))
        return with_force(changed, "mount", damping=((k, 0.1 * k), (0.1 * k, 2.0)))

    design = gk.design(made(1.0), ["number k"])
    expected = all_forces(gk.solve(made(1.3), TIMES))
    for motion in (design.solve([1.3], TIMES), gk.solve(design.mechanism([1.3]), TIMES)):
        assert np.abs(all_forces(motion) - expected).max() <= 1e-14 * np.abs(expected).max()
    found = cluster.solve(
        cluster.sweep(
            made(1.0), [cluster.Parameter("number k", cluster.Listed([1.3]))], TIMES, [cluster.TimeHistory("driver A")]
        )
    )
    assert found["A.driver"][0].values == pytest.approx(
        gk.inverse_dynamics(gk.solve(made(1.3), TIMES)).read("driver A")
    )
    assert gk.parameter("number k", made(1.0)).name == "k"  # type: ignore[union-attr]
    heavy = replace(made(1.0), gravity=(0.0, -9.81 * gk.Value("k", 1.0)))
    with pytest.raises(ParameterError, match="value 'k' is also in gravity 1, which no design varies"):
        gk.design(heavy, ["number k"])


def test_named_moments_of_inertia() -> None:
    k = gk.Value("k", 0.4)
    stated = ((0.3, k, 0.5), {"xx": 0.3, "yy": k, "zz": 0.5}, ((0.3, 0, 0), (0, k, 0), (0, 0, 0.5)))
    expected = all_forces(gk.solve(with_body(spatial(), "block", inertia=(0.3, 0.45, 0.5)), TIMES))
    for inertia in stated:
        motion = gk.design(with_body(spatial(), "block", inertia=inertia), ["number k"]).solve([0.45], TIMES)
        assert np.array_equal(all_forces(motion), expected)


FILE = {
    "dimension": 2,
    "units": {"length": "mm", "angle": "deg", "mass": "g", "force": "kN"},
    "bodies": ["frame", {"name": "arm", "mass": 500, "center": [300, 0], "inertia": 2e4}],
    "joints": [{"name": "A", "type": "R", "bodies": ["frame", "arm"], "point": [0, 0]}],
    "drivers": [{"joint": "A", "law": {"type": "harmonic", "amplitude": 30, "frequency": 1, "phase": 20}}],
    "gravity": [0, -9.81],
    "forces": [
        {"type": "joint_spring", "name": "torsion", "joint": "A", "stiffness": 2e-3, "damping": 1e-4, "preload": 0.01},
        {"type": "spring", "name": "pull", "between": ["frame", "arm"], "points": [[0, 500], [600, 0]], "length": 700}
        | {"stiffness": 1e-3, "damping": 1e-4},
    ],
}
IN_FILES = {
    "mass arm": 600.0,
    "center arm.y": 20.0,
    "inertia arm": 3e4,
    "stiffness torsion": 3e-3,
    "position torsion": 5.0,
    "damping torsion": 2e-4,
    "preload torsion": 0.02,
    "stiffness pull": 2e-3,
    "damping pull": 2e-4,
    "preload pull": 0.03,
    "length pull": 650.0,
}


@pytest.mark.parametrize("text", IN_FILES)
def test_sweep_files_have_the_units_of_mechanism_files(text: str, tmp_path: Path) -> None:
    field, term = text.split()
    name, _, component = term.partition(".")
    data = json.loads(json.dumps(FILE))
    (tmp_path / "arm.json").write_text(json.dumps(data))
    part = next(x for x in (data["bodies"][1], *data["forces"]) if x["name"] == name)
    if component:
        part[field][1] = IN_FILES[text]
    else:
        part[field] = IN_FILES[text]
    (tmp_path / "changed.json").write_text(json.dumps(data))
    sweep = {
        "mechanism": "arm.json",
        "times": {"duration": 1, "steps": 5},
        "parameters": [{"parameter": text, "list": [IN_FILES[text]]}],
        "keep": [{"motion": "driver A", "name": "load"}],
    }
    (tmp_path / "arm.sweep.json").write_text(json.dumps(sweep))
    found = cluster.solve(cluster.read_sweep(tmp_path / "arm.sweep.json"))
    expected = gk.inverse_dynamics(gk.solve(gk.load(tmp_path / "changed.json"), np.linspace(0, 1, 5))).read("driver A")
    assert np.abs(found["load"][0].values - expected).max() <= 1e-14 * np.abs(expected).max()
    nominal = gk.inverse_dynamics(gk.solve(gk.load(tmp_path / "arm.json"), np.linspace(0, 1, 5))).read("driver A")
    assert np.abs(nominal - expected).max() > 1e-6 * np.abs(expected).max()


def test_named_values_of_files(tmp_path: Path) -> None:
    data = json.loads(json.dumps(FILE)) | {"values": {"k": 0.001, "w": 500}}
    data["forces"][1]["stiffness"], data["forces"][0]["preload"] = "k", "10 * k"
    data["bodies"][1]["mass"], data["bodies"][1]["center"] = "w", ["300 + w / 10", 0]
    (tmp_path / "arm.json").write_text(json.dumps(data))
    (tmp_path / "changed.json").write_text(json.dumps(data | {"values": {"k": 0.003, "w": 700}}))
    sweep = {
        "mechanism": "arm.json",
        "times": {"duration": 1, "steps": 5},
        "parameters": [{"parameter": "number k", "list": [0.003]}, {"parameter": "number w", "list": [700]}],
        "keep": [{"motion": "driver A", "name": "load"}],
    }
    (tmp_path / "arm.sweep.json").write_text(json.dumps(sweep))
    found = cluster.solve(cluster.read_sweep(tmp_path / "arm.sweep.json"))
    expected = gk.inverse_dynamics(gk.solve(gk.load(tmp_path / "changed.json"), np.linspace(0, 1, 5))).read("driver A")
    assert np.abs(found["load"][0].values - expected).max() <= 1e-14 * np.abs(expected).max()


EXAMPLES_TAKEN = (
    "cam_roller",
    "geared_press",
    "stewart_forward",
    "spatial_four_bar",
    "five_rod_suspension",
    "planar_3rrr",
)


@pytest.mark.parametrize("name", EXAMPLES_TAKEN)
def test_mechanisms_of_all_kinds(name: str) -> None:
    """Cams, gears, held spins, couplings and groups that are iterated."""
    found = described(name)
    mechanism, times = loaded(found.mechanism), found.motion.times[:5]
    body = mechanism.movable[-1]
    design = gk.design(mechanism, [gk.LoadNumber("mass", body), gk.LoadNumber("stiffness", "to frame")])
    other = with_force(with_body(mechanism, body, mass=4.0), "to frame", stiffness=80.0)
    expected = all_forces(gk.solve(other, times))
    for motion in (design.solve([4.0, 80.0], times), gk.solve(design.mechanism([4.0, 80.0]), times)):
        assert np.array_equal(all_forces(motion), expected, equal_nan=True)


def test_samples_with_masses_that_are_not_possible_fail_alone() -> None:
    varied = [cluster.Parameter("mass crank", cluster.Listed([0.0, -2.0, 0.5]), relative=True)]
    keep = [cluster.TimeHistory("driver A"), cluster.TimeHistory("angle rocker")]
    found = cluster.solve(cluster.sweep(planar(), varied, TIMES, keep))
    meanings = dict(zip(found.status.attrs["flag_values"], found.status.attrs["flag_meanings"].split(), strict=True))
    assert [meanings[int(x)] for x in found.status] == ["solved", "masses_or_forces_are_not_possible", "solved"]
    for name in ("A.driver", "rocker.angle"):
        assert np.isfinite(found[name].values).all(axis=1).tolist() == [True, False, True]
    # alone, motions have no masses
    assert (cluster.solve(cluster.sweep(planar(), varied, TIMES, keep[1:])).status == 0).all()


def test_motions_do_not_change_and_have_no_slopes() -> None:
    design = gk.design(planar(), ["mass crank", "stiffness spring", "P.x"])
    values = design.nominal * [1.5, 2.0, 1.1]
    alone, times = gk.design(planar(), ["P.x"]), TIMES
    motion, other = design.solve(values, times), alone.solve(values[2:], times)
    assert np.array_equal(motion.position("P"), other.position("P"))
    many = design.solve([values, design.nominal], times, keep=["velocity P"], derivatives=True)
    assert np.array_equal(
        many.read("velocity P")[0], alone.solve([values[2:]], times, keep=["velocity P"]).read("velocity P")[0]
    )
    assert not many.derivatives("velocity P")[:, :2].any()
    found = gk.design(planar(), ["mass crank"]).solve([2.0], times, derivatives=True)
    assert not found.read("acceleration P").any()
    assert not found.gradient({"position P": np.ones((times.size, 2))}).any()
    assert not design.tolerance([0.1, 1.0, 0.0], times, keep=["position P"]).standard("position P").any()


REFUSED = [
    (["mass arm"], UnknownNameError, "there is no body 'arm'"),
    (["mass crnk"], UnknownNameError, "there is no body 'crnk'; did you mean crank?"),
    (["mass ground"], ParameterError, "body 'ground' has no center of mass; give it a `mass` and a `center`"),
    (["stiffness sprng"], UnknownNameError, "there is no force 'sprng'; did you mean spring?"),
    (["stifness spring"], UnknownNameError, r"'stifness' is no number of a body or force \(did you mean stiffness"),
    (["coefficient B"], UnknownNameError, "`coefficient bearing` is that of the force at 'B'"),
    (["coefficient spring"], ParameterError, "is a spring, which has no coefficient; it has stiffness, damping"),
    (["length bearing"], ParameterError, "force 'bearing' states no length; state it, so that it can vary"),
    (["force push"], ParameterError, "has several components: `force push.x`, `force push.y`"),
    (["damping mount.yx"], ParameterError, "`damping mount.xx`, `damping mount.xy`, `damping mount.yy`"),
    (["mass crank.x"], ParameterError, "is one number; leave the component out"),
    (["center crank.z"], ParameterError, "has several components: `center crank.x`, `center crank.y`"),
    (["mass crank", "mass crank"], ParameterError, "`mass crank` and `mass crank` change the same"),
    (["center crank", "center crank.x"], ParameterError, "`center crank.x` and `center crank.x` change the same"),
    (["center rocker.x", "C"], ParameterError, "`center rocker.x` and `C.x` change the same"),
    (["joint B", "center coupler.x"], ParameterError, "`joint B.x` and `center coupler.x` change the same"),
    ([gk.LoadNumber("mas", "crank")], ParameterError, r"no 'mas' that varies \(did you mean mass\?\)"),
    (["mass main crank"], ParameterError, "did you mean `mass 'main crank'`"),
]


@pytest.mark.complete
@pytest.mark.parametrize(("parameters", "kind", "words"), REFUSED, ids=lambda x: str(x)[:30])
def test_what_cannot_vary_is_refused(parameters: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        gk.design(planar(), parameters)


def test_moments_of_inertia_are_named() -> None:
    with pytest.raises(ParameterError, match=r"several components: `inertia block.xx`, `inertia block.xy`"):
        gk.design(spatial(), ["inertia block"])
    with pytest.raises(ParameterError, match=r"`inertia ball` and `inertia ball.xx` change the same"):
        gk.design(spatial(), ["inertia ball", "inertia ball.xx"])


def test_values_that_nothing_has_are_named() -> None:
    design = gk.design(planar(), ["mass crank", "stiffness table", "P.x"])
    with pytest.raises(MassError, match=r"body 'crank': its mass must be .*\(mass crank = -1 kg, "):
        design.solve([-1.0, 1.0, 1.5], TIMES)
    with pytest.raises(ForceError, match=r"force 'table'.*stiffness.*\(mass crank = 1 kg, stiffness table = 0 N/m"):
        design.mechanism([1.0, 0.0, 1.5])


def test_fits_refuse_what_changes_no_motion() -> None:
    design = gk.design(planar(), ["length crank A-B", "mass crank"])
    with pytest.raises(FitError, match="`mass crank` is no unknown of a fit: masses and forces change no motion"):
        gk.fit(design, {"position P": np.zeros((9, 2))})


def test_names_of_two_kinds() -> None:
    """A body, a joint, its force and its law's driver of one name, with a blank."""
    name = "main arm"
    arm = gk.Body(name, mass=1.0, center=(1.0, 0.0), inertia=0.1)
    hinge = gk.Joint(name, "R", ("frame", name), point=(0.0, 0.0))
    spring = gk.JointSpring(name, name, stiffness=2.0)
    mechanism = gk.Mechanism(2, ["frame", arm], [hinge], [gk.Driver(name, gk.Ramp(1.0))], forces=[spring])
    design = gk.design(mechanism, ["mass 'main arm'", "stiffness 'main arm'", "rate 'main arm'", "joint 'main arm'"])
    assert design.nominal.tolist() == [1.0, 2.0, 1.0, 0.0, 0.0]
    assert [str(gk.parameter(text, mechanism)) for text in design.names] == list(design.names)
    sweep = cluster.sweep(
        mechanism,
        [cluster.Parameter(f"{word} 'main arm'", cluster.Listed([1.0])) for word in ("mass", "stiffness")],
        TIMES,
        [cluster.TimeHistory("driver 'main arm'", "load")],
    )
    assert sweep.names == ("main_arm.mass", "main_arm.stiffness")
