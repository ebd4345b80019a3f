"""The global formulation against textbook formulas, explicit chains of rotations and finite differences."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from groupkin.errors import DeterminedByCountOnlyError, GroupkinError, LawError, NoGeometryError, TimesError
from groupkin.kinematics.global_formulation.global_motion import GlobalMotion, build, solve_globally
from groupkin.mechanism.laws.laws import Constant, Harmonic, Law, Ramp, Samples
from groupkin.mechanism.mechanism import Body, Driver, Joint, Mechanism
from groupkin.model.geometry.frames import turn
from groupkin.model.geometry.geometry import resolve

Array = NDArray[np.float64]
TIMES = np.linspace(0.0, 1.0, 201)


def four_bar(law: Law | None) -> Mechanism:
    # Grashof crank-rocker: links 1 (crank), 3, 2.5 and frame 3
    knee = _circle_intersection(np.array([np.cos(0.8), np.sin(0.8)]), 3.0, np.array([3.0, 0.0]), 2.5)
    return Mechanism(
        2,
        ["frame", "crank", "coupler", Body("rocker", origin="knee")],
        [
            Joint("a", "R", ("frame", "crank"), (0.0, 0.0), reference=0.8),
            Joint("b", "R", ("crank", "coupler"), (np.cos(0.8), np.sin(0.8))),
            Joint("c", "R", ("coupler", "rocker"), "knee"),
            Joint("d", "R", ("frame", "rocker"), (3.0, 0.0)),
        ],
        [Driver("a", law)],
        points={"knee": knee},
        name="four-bar",
    )


def _circle_intersection(a: Array, r: float, b: Array, s: float) -> Array:
    """Left of the line from a to b."""
    span = b - a
    length = np.linalg.norm(span, axis=0)
    along = (length**2 + r**2 - s**2) / (2 * length)
    normal = np.array([-span[1], span[0]])
    return a + (along * span + np.sqrt(r**2 - along**2) * normal) / length


def slider_crank(law: Law) -> Mechanism:
    pin, piston = np.array([np.cos(0.3), np.sin(0.3)]), (np.cos(0.3) + np.sqrt(9.0 - (np.sin(0.3) - 0.2) ** 2), 0.2)
    return Mechanism(
        2,
        ["frame", "crank", "rod", "piston"],
        [
            Joint("a", "R", ("frame", "crank"), (0.0, 0.0), reference=0.3),
            Joint("b", "R", ("crank", "rod"), pin),
            Joint("c", "R", ("rod", "piston"), piston),
            Joint("d", "P", ("piston", "frame"), points=(piston, (7.0, 0.2)), axis=(1.0, 0.0)),
        ],
        [Driver("a", law)],
    )


def rscp(law: Law) -> Mechanism:
    pin = (0.5, 0.0, 0.2)
    return Mechanism(
        3,
        ["frame", "crank", "rod", Body("slider", origin=(2.0, 0.7, 0.1))],
        [
            Joint("r", "R", ("crank", "frame"), (0.0, 0.0, 0.0), axis=(0.2, -0.3, 1.0)),
            Joint("s", "S", ("crank", "rod"), pin),
            Joint("c", "C", ("rod", "slider"), points=((2.0, 0.5, 0.5), (2.1, 0.7, 0.8)), axis=(1, 2, 3)),
            Joint("p", "P", ("frame", "slider"), points=((0, 0, 0), (1.0, 0.2, 0.3)), axis=(1.0, 0.2, 0.3)),
        ],
        [Driver("r", law)],
    )


def rssr(law: Law) -> Mechanism:
    pin, end = (0.5, 0.0, -0.3), (2.0, 1.0, 0.8)
    return Mechanism(
        3,
        ["frame", "crank", "rod", "rocker"],
        [
            Joint("a", "R", ("frame", "crank"), (0.0, 0.0, 0.0), axis=(0, 0, 1)),
            Joint("b", "S", ("crank", "rod"), pin),
            Joint("c", "S", ("rod", "rocker"), end),
            Joint("d", "R", ("frame", "rocker"), (2.0, 0.0, 0.0), axis=(1, 0, 0)),
        ],
        [Driver("a", law)],
    )


POSE = [
    Harmonic(0.1, f, p, o) for f, p, o in [(1, 0.2, 0), (2, 1.0, 0), (1.5, 0, 1.0), (1, 2, 0), (2, 3, 0), (1, 1, 0)]
]
BASE = [np.array([np.cos(a), np.sin(a), 0.0]) for a in (0.1, 1.9, 2.3, 4.0, 4.4, 6.1)]
TOP = [np.array([0.6 * np.cos(a), 0.6 * np.sin(a), 0.0]) for a in (0.8, 1.2, 2.9, 3.3, 5.0, 5.4)]


def stewart(pose: list[Law] | None, legs: list[Law] | None = None) -> Mechanism:
    rise = np.array([0.0, 0.0, 1.0])
    bodies: list[Body | str] = ["base", Body("platform", origin=rise)]
    joints, drivers = [], []
    if pose:
        joints = [Joint("pose", "F", ("base", "platform"), points=((0, 0, 0), rise))]
        names = ("x", "y", "z", "angle_x", "angle_y", "angle_z")
        drivers = [Driver("pose", law, name) for law, name in zip(pose, names, strict=True)]
    for k, (low, top) in enumerate(zip(BASE, TOP + rise, strict=True)):
        bodies += [f"lower{k}", f"upper{k}"]
        tangent = np.array([-low[1], low[0], 0.0])
        joints += [
            Joint(f"u{k}", "U", ("base", f"lower{k}"), low, axes=(tangent, np.cross(tangent, top - low))),
            Joint(f"p{k}", "P", (f"lower{k}", f"upper{k}"), points=(low, top), axis=top - low),
            Joint(f"s{k}", "S", ("platform", f"upper{k}"), top),
        ]
        drivers += [Driver(f"p{k}", legs[k])] if legs else []
    return Mechanism(3, bodies, joints, drivers, name="Stewart platform")


def open_chain(symbol: str, laws: list[Law], reference: dict[str, float]) -> Mechanism:
    """A joint between two moving bodies; the first turns about an R joint, all freedoms are driven."""
    geometry: dict[str, object] = {"point": (0.4, 0.5, 0.6)}
    if symbol in ("C", "F"):
        shift = np.array([0.2, 0.4, 0.6]) if symbol == "C" else np.array([0.1, -0.2, 0.5])
        geometry = {"points": ((0.4, 0.5, 0.6), np.array([0.4, 0.5, 0.6]) + shift)}
    if symbol in ("R", "C"):
        geometry["axis"] = (1, 2, 3)
    if symbol == "U":
        geometry["axes"] = ((1, 2, 3), (1.0, 0.1, -0.2))
    joint = Joint("j", symbol, ("arm", "hand"), reference=reference, **geometry)  # type: ignore[arg-type]
    shoulder = Joint("shoulder", "R", ("base", "arm"), (0.1, 0, 0), axis=(1, 1, 0.5), reference=0.2)
    bare = Mechanism(3, ["base", "arm", Body("hand", origin=(1.0, 1.0, 1.0))], [shoulder, joint])
    drivers = [Driver("j", law, f.name) for law, f in zip(laws, bare.freedoms(joint), strict=True)]
    return dataclasses.replace(bare, drivers=[Driver("shoulder", Harmonic(0.5, 1.0, 0.1)), *drivers])


MOVES: dict[str, tuple[list[Law], dict[str, float]]] = {
    "R": ([Ramp(6.0, 0.4)], {"angle": 0.3}),
    "C": ([Harmonic(0.3, 1.0, offset=0.5), Ramp(6.0, 2.0)], {"angle": -0.4}),
    "U": ([Ramp(6.0, 0.4), Harmonic(2.0, 1.0, 0.2)], {"angle_1": 0.5, "angle_2": -1.1}),
    "S": ([Ramp(6.0, 0.4), Harmonic(1.2, 1.0, 0.2), Ramp(-4.0)], {"angle_x": 0.5, "angle_y": 0.3, "angle_z": -1.1}),
    "S beyond 90°": (
        [Ramp(6.0, 0.4), Harmonic(0.9, 1.0, 0.2, 2.7), Ramp(-4.0)],
        {"angle_x": 0.5, "angle_y": 2.5, "angle_z": -1.1},
    ),
    "F": (
        [*POSE[:3], Ramp(6.0, 0.4), Harmonic(1.2, 1.0, 0.2), Ramp(-4.0)],
        {"angle_x": 0.5, "angle_y": 0.3, "angle_z": 0.0},
    ),
}


def check_rates(motion: GlobalMotion, tolerance: float = 2e-3) -> None:
    """Velocities and accelerations against central differences."""
    step = motion.times[1] - motion.times[0]
    for rows in (motion.origin, motion.rotation):
        for order in (0, 1):
            slope = (rows[order][..., 2:] - rows[order][..., :-2]) / (2 * step)
            scale = 1 + np.abs(rows[order + 1]).max()
            np.testing.assert_allclose(rows[order + 1][..., 1:-1], slope, atol=tolerance * scale)


def check_rotations(motion: GlobalMotion) -> None:
    for r in np.moveaxis(motion.rotation[0], -1, 1).reshape(-1, *motion.rotation.shape[2:4]):
        np.testing.assert_allclose(r.T @ r, np.eye(len(r)), atol=1e-11)
        assert np.linalg.det(r) > 0


def test_four_bar_against_circle_intersections() -> None:
    motion = solve_globally(four_bar(Ramp(2 * np.pi, 0.8)), TIMES)
    angle = 2 * np.pi * TIMES + 0.8
    crank = np.array([np.cos(angle), np.sin(angle)])
    knee = _circle_intersection(crank, 3.0, np.array([[3.0], [0.0]]), 2.5)
    np.testing.assert_allclose(motion.origin[0, 1], crank, atol=1e-12)
    np.testing.assert_allclose(motion.origin[0, 2], knee, atol=1e-11)
    np.testing.assert_allclose(motion.origin[1, 1], 2 * np.pi * np.array([-crank[1], crank[0]]), atol=1e-11)
    check_rates(motion)
    check_rotations(motion)
    assert motion.residual.max() < 1e-12
    assert motion.iterations.max() <= 6


def test_slider_crank_against_formulas() -> None:
    speed = -40.0
    motion = solve_globally(slider_crank(Ramp(speed, 0.3)), np.linspace(0.0, 0.2, 301))
    angle = speed * motion.times + 0.3
    c, s = np.cos(angle), np.sin(angle)
    root = np.sqrt(9.0 - (s - 0.2) ** 2)
    slope = -s - (s - 0.2) * c / root
    np.testing.assert_allclose(motion.origin[0, 2], [c + root, np.full_like(c, 0.2)], atol=1e-12)
    np.testing.assert_allclose(motion.origin[1, 2, 0], speed * slope, atol=1e-10)
    curvature = -c + ((s - 0.2) * s - c**2) / root - ((s - 0.2) * c) ** 2 / root**3
    np.testing.assert_allclose(motion.origin[2, 2, 0], speed**2 * curvature, atol=1e-8)


@pytest.mark.parametrize("mechanism", [rscp(Ramp(6.3, 0.0)), stewart(POSE)], ids=["RSCP", "Stewart"])
def test_rates_in_space(mechanism: Mechanism) -> None:
    motion = solve_globally(mechanism, np.linspace(0.0, 1.0, 401))
    check_rates(motion)
    check_rotations(motion)
    assert motion.residual.max() < 1e-12


def test_joints_stay_closed() -> None:
    mechanism = rscp(Ramp(-6.3, 0.0))
    motion, geometry = solve_globally(mechanism, TIMES), resolve(mechanism)

    def place(body: str, local: Array) -> Array:
        k = mechanism.movable.index(body)
        return motion.origin[0, k] + np.einsum("ijn,j->in", motion.rotation[0, k], local - geometry.origins[body])

    pin = geometry.joints["s"].points[0]
    np.testing.assert_allclose(place("crank", pin), place("rod", pin), atol=1e-12)
    start, end = geometry.joints["c"].points
    axis = np.einsum("ijn,j->in", motion.rotation[0, 1], np.array([1, 2, 3]) / np.sqrt(14))
    between = place("slider", end) - place("rod", start)
    np.testing.assert_allclose(np.cross(between, axis, axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(motion.rotation[0, 2], np.eye(3)[:, :, None] * np.ones(TIMES.size), atol=1e-12)
    track = motion.origin[0, 2] - [[2.0], [0.7], [0.1]]
    np.testing.assert_allclose(np.cross(track, [1.0, 0.2, 0.3], axis=0), 0.0, atol=1e-12)
    assert np.ptp(track[0]) > 0.1


def test_rod_has_no_orientation_of_its_own() -> None:
    motion = solve_globally(rssr(Harmonic(0.5, 1.0)), TIMES)
    angle = 0.5 * np.sin(2 * np.pi * TIMES)
    pin = np.array([0.5 * np.cos(angle), 0.5 * np.sin(angle), np.full_like(angle, -0.3)])
    turned = motion.rotation[0, 2] - np.eye(3)[:, :, None]
    end = np.array([[2.0], [1.0], [0.8]]) + np.einsum("ijn,j->in", turned, np.array([0.0, 1.0, 0.8]))
    assert np.isnan(motion.rotation[0, 1]).any()
    np.testing.assert_allclose(motion.origin[0, 1], pin, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(end - pin, axis=0), np.linalg.norm([1.5, 1.0, 1.1]), atol=1e-12)


def leg_lengths(motion: GlobalMotion) -> list[Array]:
    """Length, rate and acceleration (6, 3, n) of the legs of a Stewart platform, from the platform alone."""
    out = []
    for low, top in zip(BASE, TOP, strict=True):
        w, v, a = motion.origin[:, 0] + np.einsum("kijn,j->kin", motion.rotation[:, 0], top)
        w = w - low[:, None]
        length = np.linalg.norm(w, axis=0)
        rate = (w * v).sum(axis=0) / length
        out.append(np.array([length, rate, ((w * a).sum(axis=0) + (v * v).sum(axis=0) - rate**2) / length]))
    return out


def test_stewart_inverse_and_forward_are_inverse() -> None:
    inverse = solve_globally(stewart(POSE), TIMES)
    values = np.array([law.at(TIMES)[0] for law in POSE])
    np.testing.assert_allclose(inverse.origin[0, 0], values[:3], atol=1e-13)
    for n in (0, 57, 200):
        wanted = turn(0, values[3, n]) @ turn(1, values[4, n]) @ turn(2, values[5, n])
        np.testing.assert_allclose(inverse.rotation[0, 0, :, :, n], wanted, atol=1e-12)
    lengths = leg_lengths(inverse)
    for k in range(6):
        lower, upper = inverse.origin[0, 1 + 2 * k], inverse.origin[0, 2 + 2 * k]
        np.testing.assert_allclose(np.linalg.norm(upper - lower, axis=0), lengths[k][0], atol=1e-12)
    forward = solve_globally(stewart(None, [Samples(TIMES, *rows) for rows in lengths]), TIMES)
    for order, tolerance in enumerate((1e-11, 1e-9, 1e-7)):
        np.testing.assert_allclose(forward.origin[order], inverse.origin[order], atol=tolerance)
        np.testing.assert_allclose(forward.rotation[order], inverse.rotation[order], atol=tolerance)


def chain_rotation(symbol: str, values: Array, cross_angle: float) -> Array:
    if symbol == "U":
        return turn(2, values[0]) @ turn(0, cross_angle) @ turn(2, values[1])
    if symbol in ("S", "F"):
        a, b, c = values[-3:]
        return turn(0, a) @ turn(1, b) @ turn(2, c)
    return turn(2, values[-1])


@pytest.mark.parametrize("case", MOVES)
def test_driven_freedoms_are_the_moves_of_the_joint_frames(case: str) -> None:
    symbol, (laws, reference) = case[0], MOVES[case]
    mechanism = open_chain(symbol, laws, reference)
    motion, joint = solve_globally(mechanism, np.linspace(0.0, 1.0, 1001)), resolve(mechanism).joints["j"]
    values = np.array([law.at(motion.times)[0] for law in laws])
    origins = resolve(mechanism).origins
    for n in (0, 1, 333, 1000):
        arm, hand = motion.rotation[0, :, :, :, n]
        first, second = arm @ joint.frames[0], hand @ joint.frames[1]
        np.testing.assert_allclose(
            first.T @ second, chain_rotation(symbol, values[:, n], joint.cross_angle), atol=1e-11
        )
        ends = [
            motion.origin[0, k, :, n] + turned @ (joint.points[k] - origins[name])
            for k, (turned, name) in enumerate([(arm, "arm"), (hand, "hand")])
        ]
        shift = {"C": np.r_[0, 0, values[0, n]], "F": values[:3, n]}.get(symbol, np.zeros(3))
        np.testing.assert_allclose(first.T @ (ends[1] - ends[0]), shift, atol=1e-11)
    check_rates(motion)
    check_rotations(motion)


def test_free_body_in_the_plane() -> None:
    joint = Joint("q", "FP", ("frame", "body"), points=((0.0, 0.0), (1.0, 2.0)), reference=0.3)
    drivers = [Driver("q", Ramp(1.0, k), name) for k, name in enumerate(("x", "y", "angle"))]
    mechanism = Mechanism(2, ["frame", Body("body", origin=(1.0, 2.0))], [joint], drivers)
    motion = solve_globally(mechanism, TIMES)
    np.testing.assert_allclose(motion.origin[0, 0], [TIMES, TIMES + 1.0], atol=1e-13)
    angle = TIMES + 2.0 - 0.3
    np.testing.assert_allclose(motion.rotation[0, 0, :, 0], [np.cos(angle), np.sin(angle)], atol=1e-12)


def test_mechanism_without_movable_bodies() -> None:
    motion = solve_globally(Mechanism(2, ["frame"], []), [0.0, 1.0])
    assert motion.origin.shape == (3, 0, 2, 2)


def test_far_steps_and_a_far_start_stay_on_the_branch() -> None:
    law = Ramp(2 * np.pi, 0.8)
    fine = solve_globally(four_bar(law), np.linspace(0.0, 5.0, 1001))
    coarse = solve_globally(four_bar(law), [5.0, 4.5, 0.5])
    np.testing.assert_allclose(coarse.origin, fine.origin[..., [1000, 900, 100]], atol=1e-9)
    assert coarse.origin.shape == (3, 3, 2, 3)


def test_one_model_for_many_solutions() -> None:
    model = build(four_bar(None))
    for value in (0.8, 1.1):
        motion = solve_globally(four_bar(Constant(value)), [0.0], model)
        np.testing.assert_allclose(motion.origin[0, 1, :, 0], [np.cos(value), np.sin(value)], atol=1e-14)


def test_overconstrained_mechanism_that_moves_is_solved() -> None:
    flat = four_bar(Ramp(1.0, 0.8))
    joints = [
        Joint(j.name, "R", j.bodies, (*flat.locate(j.point, ""), 0.0), axis=(0, 0, 1), reference=j.reference)
        for j in flat.joints
        if j.point is not None
    ]
    spatial = Mechanism(3, ["frame", "crank", "coupler", "rocker"], joints, flat.drivers)
    here, there = solve_globally(spatial, TIMES), solve_globally(flat, TIMES)
    np.testing.assert_allclose(here.rotation[0, :, :2, :2], there.rotation[0], atol=1e-11)


def test_refusals() -> None:
    with pytest.raises(LawError, match="'a'"):
        solve_globally(four_bar(None), TIMES)
    with pytest.raises(TimesError):
        solve_globally(four_bar(Constant(0.8)), [0.0, np.nan])
    with pytest.raises(DeterminedByCountOnlyError, match="rank 3 for 4"):
        build(dataclasses.replace(four_bar(None), drivers=[]))
    with pytest.raises(NoGeometryError):
        build(Mechanism(2, ["frame", "arm"], [Joint("a", "R", ("frame", "arm"))]))


def test_what_cannot_be_reached_is_said_with_its_time() -> None:
    driven = dataclasses.replace(four_bar(None), drivers=[Driver("d", Ramp(1.0))])  # the rocker has limits
    with pytest.raises(GroupkinError, match=r"four-bar cannot be solved at \d"):
        solve_globally(driven, np.linspace(0.0, 6.0, 100))
    with pytest.raises(GroupkinError, match="on the way there"):
        solve_globally(driven, [3.0])


def test_contradicting_drivers_are_noticed() -> None:
    mechanism = dataclasses.replace(four_bar(None), drivers=[Driver("a", Ramp(1.0, 0.8)), Driver("d", Ramp(1.0))])
    with pytest.raises(GroupkinError, match="contradict"):
        solve_globally(mechanism, TIMES)


def test_mirrored_bodies_and_false_roots_are_rejected() -> None:
    joint = Joint("j", "R", ("base", "arm"), (0.1, 0.2, 0.3), axis=(1, 2, 3))
    mechanism = Mechanism(3, ["base", "arm"], [joint], [Driver("j", Constant(0.4))])
    model = build(mechanism)
    right = solve_globally(mechanism, [0.0], model).rotation
    rejected = 0
    for signs in itertools.product((1.0, -1.0), repeat=model.start.size - 1):
        try:
            motion = solve_globally(mechanism, [0.0], dataclasses.replace(model, start=model.start * [1.0, *signs]))
        except GroupkinError as error:
            rejected += "only a mirrored body, a driven angle on its false root or" in str(error)
        else:
            np.testing.assert_allclose(motion.rotation, right, atol=1e-12)
    assert rejected
