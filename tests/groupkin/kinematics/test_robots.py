"""Dexterity, stiffness and errors of robots against closed formulas and differences of positions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.spatial.transform import Rotation

import cluster
import groupkin as gk
from groupkin.cli.main import main
from groupkin.errors import GroupkinError
from tests.support.examples import EXAMPLES

UPPER, FORE = 0.5, 0.3
TIMES = np.linspace(0.3, 1.0, 6)
NUMBERS = ("dexterity", "condition_number", "smallest_singular_value", "largest_singular_value", "manipulability")
EVERY = (*NUMBERS, "stiffness", "smallest_stiffness", "largest_stiffness", "worst_error", "rss_error")


def arm(**stated: Any) -> gk.Mechanism:
    """An arm of two links, stretched along x in the reference configuration."""
    fore = gk.Body("fore", points={"P": (UPPER + FORE, 0.0)})
    joints = [
        gk.Joint("A", "R", ("base", "upper"), point=(0.0, 0.0)),
        gk.Joint("B", "R", ("upper", "fore"), point=(UPPER, 0.0)),
    ]
    drivers = [gk.Driver("A", gk.Ramp(rate=0.7)), gk.Driver("B", gk.Ramp(rate=1.1))]
    return gk.Mechanism(2, ["base", "upper", fore], joints, drivers, robots=[gk.Robot("P", **stated)])


def check(motion: gk.Motion, jacobians: np.ndarray, stiffness: np.ndarray, errors: np.ndarray) -> None:
    """Compare with the matrices (n, d, m) of tool velocities; errors are of all their columns."""
    s = np.linalg.svd(jacobians, compute_uv=False)
    compliance = jacobians / stiffness @ np.swapaxes(jacobians, 1, 2)
    own = np.linalg.eigvalsh(np.linalg.inv(compliance))  # K = J⁻ᵀ k J⁻¹
    expected = {
        "dexterity": s[:, -1] / s[:, 0],
        "condition_number": np.linalg.cond(jacobians),
        "smallest_singular_value": s[:, -1],
        "largest_singular_value": s[:, 0],
        "manipulability": np.sqrt(np.linalg.det(jacobians @ np.swapaxes(jacobians, 1, 2))),
        "stiffness": 1.0 / np.diagonal(compliance, axis1=1, axis2=2),
        "smallest_stiffness": own[:, 0],
        "largest_stiffness": own[:, -1],
        "worst_error": np.abs(jacobians * errors).sum(axis=2),
        "rss_error": np.linalg.norm(jacobians * errors, axis=2),
    }
    for kind, values in expected.items():
        np.testing.assert_allclose(motion.read(f"{kind} robot"), values, rtol=1e-9, err_msg=kind)


def of_arm(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Velocities (n, 2, 2) of the tool of an arm by its angles."""
    s, c, s2, c2 = UPPER * np.sin(a), UPPER * np.cos(a), FORE * np.sin(a + b), FORE * np.cos(a + b)
    return np.array([[-s - s2, -s2], [c + c2, c2]]).transpose(2, 0, 1)


def test_an_arm_of_two_links() -> None:
    motion = gk.solve(arm(stiffness={"A": 2e4, "joint B": 1e4}, errors={"A": 1e-3, "B": 2e-3}), TIMES)
    check(motion, of_arm(0.7 * TIMES, 1.1 * TIMES), np.array([2e4, 1e4]), np.array([1e-3, 2e-3]))
    assert motion.read("manipulability robot") == pytest.approx(UPPER * FORE * np.sin(1.1 * TIMES))
    units = [gk.quantity(f"{kind} robot", motion.program) for kind in EVERY]
    from groupkin.kinematics.motion.quantities import unit

    assert [unit(each, motion.program.mechanism) for each in units] == [
        *("1", "1", "m/rad", "m/rad", "m^2/rad^2", "N/m", "N/m", "N/m", "m", "m"),
    ]


def test_errors_of_dimensions_are_those_of_closed_formulas() -> None:
    """A longer upper arm shifts the tool along that, a longer forearm along this."""
    errors = {"A": 1e-3, "length upper A-B": 2e-4, "length fore B-P": 3e-4}
    made = arm(errors=errors)
    points = {"A": (0.0, 0.0), "B": (UPPER, 0.0)}
    joints = [replace(joint, point=joint.name) for joint in made.joints]
    motion = gk.solve(replace(made, points=points, joints=joints), TIMES)
    a, b = 0.7 * TIMES, 1.1 * TIMES
    along = [np.array([np.cos(angle), np.sin(angle)]) for angle in (a, a + b)]
    columns = [1e-3 * of_arm(a, b)[:, :, 0].T, 2e-4 * along[0], 3e-4 * along[1]]
    np.testing.assert_allclose(motion.read("worst_error robot"), np.abs(columns).sum(axis=0).T, rtol=1e-12)
    np.testing.assert_allclose(motion.read("rss_error robot"), np.linalg.norm(columns, axis=0).T, rtol=1e-12)


def test_a_five_bar() -> None:
    """J_x v = J_q q' with the rods u: u · v = u · (E' of the crank)."""
    points = {"A": (0.0, 0.0), "B": (-0.6, 0.8), "C": (2.6, 0.8), "D": (2.0, 0.0), "P": (1.0, 2.0)}
    ends = [("A", "ground", "left"), ("B", "left", "one"), ("P", "one", "two"), ("C", "right", "two")]
    joints = [gk.Joint(name, "R", bodies, point=name) for name, *bodies in [*ends, ("D", "ground", "right")]]
    drivers = [gk.Driver("A", gk.Ramp(rate=0.3)), gk.Driver("D", gk.Ramp(rate=-0.5))]
    robot = gk.Robot("P", stiffness={"A": 3e3, "D": 2e3}, errors={"A": 1e-3, "D": 3e-3})
    bodies = ["ground", "left", "one", "two", "right"]
    motion = gk.solve(gk.Mechanism(2, bodies, joints, drivers, points=points, robots=[robot]), TIMES)
    p = motion.position("P")
    rods, rates = [], []
    for base, elbow in (("A", "B"), ("D", "C")):
        e = motion.position(elbow) - points[base]
        u = p - motion.position(elbow)
        rods.append(u)
        rates.append(np.sum(u * np.stack([-e[:, 1], e[:, 0]], axis=1), axis=1))
    j_x, j_q = np.stack(rods, axis=1), np.stack([np.diag(x) for x in np.stack(rates, axis=1)])
    check(motion, np.linalg.solve(j_x, j_q), np.array([3e3, 2e3]), np.array([1e-3, 3e-3]))


def test_a_delta_robot() -> None:
    """Of each arm, rod · v = rod · (elbow' of the arm): the rods of an arm are parallel."""
    delta = gk.load(EXAMPLES / "delta_robot.toml")
    drives = {f"S{k}": 1e4 + 1e3 * k for k in (1, 2, 3)}
    robot = gk.Robot("platform", stiffness=drives, errors={"S1": 1e-4, "S2": 2e-4, "S3": 3e-4})
    motion = gk.solve(replace(delta, robots=[robot]), TIMES)
    j_x, j_q = np.empty((TIMES.size, 3, 3)), np.zeros((TIMES.size, 3, 3))
    for k in (1, 2, 3):
        axis = np.array(delta.joint[f"S{k}"].axis)
        middle = 0.5 * (motion.position(f"E{k}a") + motion.position(f"E{k}b"))
        rod = 0.5 * (motion.position(f"P{k}a") + motion.position(f"P{k}b")) - middle
        arm = middle - delta.positions[f"S{k}"]
        j_x[:, k - 1], j_q[:, k - 1, k - 1] = rod, np.sum(rod * np.cross(axis / np.linalg.norm(axis), arm), axis=1)
    check(motion, np.linalg.solve(j_x, j_q), np.array([*drives.values()]), np.array([1e-4, 2e-4, 3e-4]))


LEGS = [f"leg_{k}" for k in range(1, 7)]


def stewart(way: str = "inverse") -> gk.Mechanism:
    """The platform that is driven by its pose, or forward by its legs, with its legs as drives."""
    robot = gk.Robot("T", "twist", LEGS, 0.35, dict.fromkeys(LEGS, 1e7), dict.fromkeys(LEGS, 1e-5))
    return replace(gk.load(EXAMPLES / f"stewart_{way}.toml"), robots=[robot])


STEP = 1e-5
"""Of poses, m and rad: differences of order 2 are off by 1e-10 of the slopes, and by 1e-11 from rounding."""


@pytest.mark.parametrize("way", ["inverse", "forward"])
def test_a_stewart_platform_against_differences_of_its_legs(way: str) -> None:
    """Lengths of legs by small turns and shifts of the platform, without the mechanism."""
    motion = gk.solve(stewart(way), np.array([0.2, 0.9, 1.7]))
    tool = motion.position("T")
    points = {name: motion.position(name) for k in range(1, 7) for name in (f"B{k}", f"P{k}")}

    def legs(n: int, twist: np.ndarray) -> np.ndarray:
        turn = Rotation.from_rotvec(twist[:3] * STEP)
        moved = [tool[n] + twist[3:] * STEP + turn.apply(points[f"P{k}"][n] - tool[n]) for k in range(1, 7)]
        return np.array([np.linalg.norm(p - points[f"B{k}"][n]) for k, p in enumerate(moved, 1)])

    for n in range(3):
        inverse = np.array([(legs(n, e) - legs(n, -e)) / (2 * STEP) for e in np.eye(6)]).T
        j = np.linalg.inv(inverse)
        # legs are divided by the length as well
        s = np.linalg.svd(np.concatenate([j[:3] * 0.35, j[3:]]), compute_uv=False)
        assert motion.read("condition_number robot")[n] == pytest.approx(s[0] / s[-1], rel=1e-8)
        assert motion.read("largest_singular_value robot")[n] == pytest.approx(s[0], rel=1e-8)
        compliance = j[3:] / 1e7 @ j[3:].T
        np.testing.assert_allclose(motion.read("stiffness robot")[n], 1 / np.diagonal(compliance), rtol=1e-8)
        np.testing.assert_allclose(motion.read("worst_error robot")[n], 1e-5 * np.abs(j[3:]).sum(axis=1), rtol=1e-8)


@pytest.mark.parametrize("motion", ["translation", "rotation"])
def test_legs_alone_move_the_platform_as_the_jacobian_says(motion: Any) -> None:
    made = stewart()
    solved = gk.solve(replace(made, robots=[replace(made.robots[0], motion=motion, length=None)]), TIMES)
    found = getattr(gk.jacobian(solved, "twist T", [f"joint {leg}" for leg in LEGS]), motion)
    np.testing.assert_array_equal(solved.read("condition_number robot"), found.condition())


# --- many designs, sweeps, fields, workspaces, fits ---------------------------------------------


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("name", ["arm", "stewart"])
def test_many_designs_are_as_single_ones(name: str, kind: str) -> None:
    """They are solved once more for each driver, which moves alone; a singular position may differ by rounding."""
    if name == "arm":
        made, parameter = arm(stiffness={"A": 2e4, "B": 1e4}, errors={"A": 1e-3, "B": 2e-3}), "joint B@fore.x"
    else:
        made, parameter = stewart(), "B1.x"
    design = gk.design(made, [parameter])
    values, wanted = design.nominal + np.array([[0.0], [0.02]]), f"{kind} robot"
    many = design.solve(values, TIMES, keep=[wanted])
    for found, one in zip(many.read(wanted), values, strict=True):
        np.testing.assert_allclose(found, design.solve(one, TIMES).read(wanted), rtol=1e-11)


def test_designs_that_fail_have_no_numbers() -> None:
    points = {"P": (1.0, 2.0)}
    ends = [("A", "ground", "left", (0, 0)), ("B", "left", "one", (-0.6, 0.8)), ("P", "one", "two", "P")]
    more = [("C", "right", "two", (2.6, 0.8)), ("D", "ground", "right", (2.0, 0.0))]
    joints = [gk.Joint(name, "R", bodies, point=at) for name, *bodies, at in [*ends, *more]]
    drivers = [gk.Driver("A", gk.Ramp(rate=0.3)), gk.Driver("D", gk.Ramp(rate=-0.5))]
    bodies = ["ground", "left", "one", "two", "right"]
    made = gk.Mechanism(2, bodies, joints, drivers, points=points, robots=[gk.Robot("P")])
    many = gk.design(made, ["joint D@ground.x"]).solve([[2.0], [9.0]], TIMES, keep=["dexterity robot"])
    found = many.read("dexterity robot")
    assert np.isfinite(found[0]).all()
    assert np.isnan(found[1]).all()


def test_sweeps_keep_them_and_outputs_are_made_of_them() -> None:
    made = replace(arm(stiffness={"A": 2e4, "B": 1e4}), outputs={"soft": "1 N / {smallest_stiffness robot}"})
    swept = cluster.Parameter("rate B", cluster.Listed((1.1, 0.9)))
    kept = [cluster.Minimum("dexterity robot"), cluster.TimeHistory("soft"), cluster.TimeHistory("stiffness robot.x")]
    found = cluster.solve(cluster.sweep(made, [swept], TIMES, kept))
    for k, rate in enumerate((1.1, 0.9)):
        j = of_arm(0.7 * TIMES, rate * TIMES)
        s = np.linalg.svd(j, compute_uv=False)
        assert float(found["minimum.robot.dexterity"][k]) == pytest.approx((s[:, 1] / s[:, 0]).min())
        assert found["soft"][k].values == pytest.approx(np.linalg.norm(j / np.sqrt([2e4, 1e4]), 2, axis=(1, 2)) ** 2)
    assert (found["soft"].units, found["robot.stiffness.x"].units) == ("m", "N/m")


def test_a_field_over_the_joints() -> None:
    found = gk.field(gk.program(arm()), "dexterity robot", {"joint A": (0.0, 1.0), "joint B": (0.5, 2.5)}, steps=5)
    s = np.linalg.svd(of_arm(np.zeros(5), np.linspace(0.5, 2.5, 5)), compute_uv=False)
    np.testing.assert_allclose(found.values, np.tile(s[:, 1] / s[:, 0], (5, 1)).T, rtol=1e-12)


def test_a_workspace_within_which_the_arm_is_dexterous() -> None:
    """Its dexterity depends on the elbow alone: the workspace is a ring between two distances."""
    elbow = np.linspace(1e-3, np.pi - 1e-3, 200001)
    s = np.linalg.svd(of_arm(0.0 * elbow, elbow), compute_uv=False)
    inside = elbow[s[:, 1] / s[:, 0] >= 0.3]
    far, near = UPPER**2 + FORE**2 + 2 * UPPER * FORE * np.cos(inside[[0, -1]])
    made = replace(arm(), ranges={"dexterity robot": (0.3, 1.0)})
    # bent, for a stretched arm cannot be led
    bent = gk.Mechanism(
        2,
        ["base", "upper", gk.Body("fore", points={"P": (UPPER, FORE)})],
        made.joints,
        made.drivers,
        robots=[gk.Robot("P")],
        ranges=made.ranges,
    )
    found = gk.workspace(bent, "position P", steps=101)
    assert found.area == pytest.approx(np.pi * (far - near), rel=1e-3)


# --- refusals, files, the command line ----------------------------------------------------------


@pytest.mark.parametrize(
    ("robot", "text", "message"),
    [
        (gk.Robot("P", motion="twist"), "dexterity robot", "`dexterity robot`: lengths and angles are mixed"),
        (gk.Robot("P"), "stiffness robot", "state the `stiffness` of what drives robot 'robot', `joint A`, `joint B`"),
        (gk.Robot("P", stiffness={"C": 1.0}), "stiffness robot", "`C` of `stiffness` does not drive it"),
        (gk.Robot("P"), "worst_error robot", "state the `errors`"),
        (gk.Robot("P", errors={"joint B@fore": 1.0}), "worst_error robot", "is several numbers; name one"),
        (gk.Robot("P", errors={"Q@fore.x": 1.0}), "worst_error robot", "Q"),
        (gk.Robot("P", by=["upper"]), "dexterity robot", "there is no joint 'upper'"),
        (gk.Robot("P"), "dexterity arm", "there is no robot 'arm'"),
        (gk.Robot("P"), "dexterity robot.x", "has no components"),
        (gk.Robot("P", name="arm"), "output lean", "`output_rate lean` needs the derivative of `dexterity arm`"),
    ],
)
def test_refusals(robot: gk.Robot, text: str, message: str) -> None:
    made = replace(arm(), robots=[robot], outputs={"lean": "{dexterity arm}"} if robot.name == "arm" else {})
    motion = gk.solve(made, TIMES)
    with pytest.raises(GroupkinError) as refused:
        motion.read(text.replace("output lean", "output_rate lean"))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "stated",
    [{"length": 0.0}, {"stiffness": {"A": -1.0}}, {"errors": {"A": -1.0}}, {"motion": "dance"}, {"by": "A"}],
)
def test_refused_robots(stated: dict[str, Any]) -> None:
    with pytest.raises(GroupkinError, match="robot"):
        gk.Robot("P", **stated)
    with pytest.raises(GroupkinError, match="robot 'robot'"):
        replace(arm(), robots=[gk.Robot("Q")])
    with pytest.raises(GroupkinError, match="two robots"):
        replace(arm(), robots=[gk.Robot("P"), gk.Robot("P")])


def test_files_have_them_in_their_units(tmp_path: Path) -> None:
    scara = gk.load(EXAMPLES / "scara.toml")
    (robot,) = scara.robots
    assert robot.by == ("joint shoulder", "joint elbow")
    assert robot.stiffness["shoulder"] == pytest.approx(279253e-3 * 180 / np.pi)  # N mm/deg
    assert robot.errors["elbow"] == pytest.approx(np.radians(0.0125))
    assert robot.errors["length forearm E-P"] == pytest.approx(5e-5)
    gk.save(scara, tmp_path / "again.toml")
    assert "by = " not in (tmp_path / "again.toml").read_text()
    again = gk.load(tmp_path / "again.toml")
    assert again.robots == scara.robots
    made = stewart()
    gk.save(made, tmp_path / "platform.toml")
    assert gk.load(tmp_path / "platform.toml").robots == made.robots
    text = (EXAMPLES / "scara.toml").read_text().replace("elbow = 174533", "wrist = 1")
    (tmp_path / "wrong.toml").write_text(text)
    with pytest.raises(GroupkinError, match=r"robot .robot.: .*wrist"):
        gk.load(tmp_path / "wrong.toml")


def test_the_command_line_prints_them_in_units_of_the_file(tmp_path: Path) -> None:
    keep = ["--keep", "stiffness robot.x", "--keep", "rss_error robot"]
    out = str(tmp_path / "arm.csv")
    result = CliRunner().invoke(
        main, ["solve", str(EXAMPLES / "scara.toml"), *keep, "--out", out, "--units", "file", "--steps", "3"]
    )
    assert result.exit_code == 0, result.output
    head = Path(out).read_text().splitlines()[0]
    assert head == "time [s],robot.stiffness.x [N/mm],robot.rss_error.x [mm],robot.rss_error.y [mm]"
