"""Reactions of redundant joints: which are determined, and those of least norm, from all equations at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import ArgumentError
from tests.groupkin.model.determination.test_ease_joints import CASES
from tests.support.forces import unbalanced
from tests.support.shares import in_part

Array = NDArray[np.float64]
TIMES = np.linspace(0.0, 0.4, 5)


def heavy(mechanism: gk.Mechanism) -> gk.Mechanism:
    """With masses off their centers, and gravity across everything."""
    d = mechanism.dimension
    bodies = [mechanism.body[mechanism.frame]]
    for k, name in enumerate(mechanism.movable):
        center = np.array([0.3, -0.2, 0.5])[:d] * (1 + k) / 2
        bodies.append(replace(mechanism.body[name], mass=1.0 + 0.3 * k, center=tuple(center), inertia=0.2))
    return replace(mechanism, bodies=bodies, gravity=(1.0, -9.0, 3.0)[:d])


def equations(forces: gk.Forces, step: int) -> tuple[Array, Array]:
    """Equilibrium of all bodies, and what joints cannot bear, in all wrenches about the joints' points: A w = b."""
    motion, mechanism = forces.motion, forces.motion.program.mechanism
    d, size = mechanism.dimension, 3 * (mechanism.dimension - 1)
    rows = np.zeros((size * len(mechanism.movable), size * len(mechanism.joints)))
    nothing: dict[str, Any] = {joint.name: np.zeros((size, motion.times.size)) for joint in mechanism.joints}
    none = np.zeros((len(mechanism.movable), size, motion.times.size))
    for j, joint in enumerate(mechanism.joints):
        for i in range(size):
            unit = np.zeros((size, motion.times.size))
            unit[i] = 1.0
            rows[:, size * j + i] = unbalanced(motion, none, {**nothing, joint.name: unit})[..., step].ravel()
    free = []
    for j, joint in enumerate(mechanism.joints):
        if joint.name in mechanism.driven:
            continue
        turned = motion.rotation(joint.bodies[0])[step]
        axis = turned @ np.array([0.0, 0.0, 1.0] if joint.axis is None else joint.axis) if d == 3 else np.ones(1)
        if d == 2 and joint.type == "P":
            axis = turned @ np.array(joint.axis)
        row, first = np.zeros(rows.shape[1]), size * j + (size - d if joint.type == "P" else 0)
        row[first : first + axis.size] = axis / np.linalg.norm(axis)
        free.append(row)
    loads = -forces.outer[..., step].ravel()
    return np.concatenate([rows, np.array(free)]), np.concatenate([loads, np.zeros(len(free))])


@pytest.mark.parametrize("name", in_part(list(CASES), 5))
def test_least_reactions_are_those_of_all_equations_at_once(name: str) -> None:
    motion = gk.solve(heavy(CASES[name][0]), TIMES)
    for length in (None, 0.1):
        check(motion, length)


def check(motion: gk.Motion, length: float | None) -> None:
    forces = gk.inverse_dynamics(motion, length=length)
    base, d = motion.program.mechanism, motion.program.mechanism.dimension
    largest = max(np.abs(rows).max() for rows in forces.reactions.values())
    assert np.abs(unbalanced(motion, forces.outer, forces.reactions)).max() <= 1e-10 * largest
    weights = np.ones(3 * (d - 1))
    weights[:-d] = 1.0 / (motion.program.geometry.size if length is None else length)
    weights = np.tile(weights, len(base.joints))
    for step in range(TIMES.size):
        matrix, right = equations(forces, step)
        left, values, found = np.linalg.svd(matrix / weights)
        rank = int((values > 1e-7 * values[0]).sum())
        least = found[:rank].T @ ((left[:, :rank].T @ right) / values[:rank]) / weights
        stated = np.concatenate([forces.reactions[joint.name][:, step] for joint in base.joints])
        assert np.abs(least - stated).max() <= 1e-8 * largest
        stresses = found[rank:].T.reshape(len(base.joints), -1, matrix.shape[1] - rank)
        assert stresses.shape[2] == sum(each.rows for each in motion.program.structure.redundancies)
        for joint, stress in zip(base.joints, stresses, strict=True):
            flags = forces.determined(joint.name, axes=None)
            assert not np.abs(stress[flags]).max(initial=0.0) > 1e-6


@pytest.mark.parametrize("name", in_part(["planar", "parallelogram", "two loops", "door"], 4))
def test_the_order_of_joints_does_not_matter(name: str) -> None:
    base = heavy(CASES[name][0])
    one, other = (
        gk.inverse_dynamics(each, TIMES) for each in (base, replace(base, joints=list(reversed(base.joints))))
    )
    largest = max(np.abs(rows).max() for rows in one.reactions.values())
    for joint, rows in one.reactions.items():
        assert np.abs(rows - other.reactions[joint]).max() <= 1e-8 * largest
        assert (one.determined(joint) == other.determined(joint)).all()


def test_two_hinges_of_a_door_share_its_weight() -> None:
    """Each carries half along the common axis, and a moment across it that a single one would have to carry whole."""
    door = gk.Body("door", mass=10.0, center=(0.5, 0.0, 1.0))
    joints = [
        gk.Joint(name, "R", ("wall", "door"), point=(0, 0, z), axis=(0, 0, 1)) for name, z in (("low", 0), ("high", 2))
    ]
    hung = gk.Mechanism(3, ["wall", door], joints, [gk.Driver("low", gk.Constant(0.0))], gravity=(0, 0, -10.0))
    forces = gk.inverse_dynamics(hung, [0.0], length=1e6)  # moments count next to nothing
    found = {name: forces.reaction(name) for name in ("low", "high")}
    for name in found:
        assert forces.determined(name).tolist() == [False, False, True, False, False, False]
        assert found[name].force[0] == pytest.approx([0.0, 0.0, 50.0], abs=1e-6)
    assert sum(each.moment[0, 1] for each in found.values()) == pytest.approx(-50.0)
    stiff = gk.inverse_dynamics(hung, [0.0], length=1e-6)  # moments count most, so forces make the couple
    pulls = [stiff.reaction(name).force[0, 0] for name in ("low", "high")]
    assert pulls == pytest.approx([25.0, -25.0])


def test_components_are_determined_in_the_axes_asked_for() -> None:
    """A state of self-stress along an axis of the joint changes two components in axes that are turned."""
    forces = gk.inverse_dynamics(heavy(CASES["parallelogram"][0]), TIMES)
    along, across = np.sort(forces.determined("head_1", axes="bar")[1:]), forces.determined("head_1", axes="crank_1")
    assert not along.any()
    assert across[0]
    assert not forces.determined("head_1", at="ground", axes=None).any()  # of which the moment is about another point
    with pytest.raises(gk.errors.UnknownNameError):
        forces.determined("head_1", axes="crank_9")


def test_planets_share_the_torque() -> None:
    """Of three planets between a sun and a ring each transmits a third."""
    joints = [
        gk.Joint("shaft", "R", ("frame", "sun"), point=(0, 0)),
        gk.Joint("axle", "R", ("frame", "arm"), point=(0, 0)),
    ]
    for k in range(3):
        at = 3.0 * np.array([np.cos(2 * np.pi * k / 3), np.sin(2 * np.pi * k / 3)])
        joints += [
            gk.Joint(f"pin {k}", "R", ("arm", f"planet {k}"), point=tuple(at)),
            gk.Joint(f"inner {k}", "EO", ("sun", f"planet {k}"), points=((0, 0), tuple(at)), radii=(2.0, 1.0)),
            gk.Joint(f"outer {k}", "EPI", ("frame", f"planet {k}"), points=((0, 0), tuple(at)), radii=(4.0, 1.0)),
        ]
    bodies = ["frame", "sun", "arm", *(f"planet {k}" for k in range(3))]
    load = gk.Torque("load", "arm", 60.0)
    gear = gk.Mechanism(2, bodies, joints, [gk.Driver("shaft", gk.Ramp(1.0))], forces=[load])
    forces = gk.inverse_dynamics(gear, TIMES)
    pins = [np.linalg.norm(forces.reaction(f"pin {k}").force, axis=1) for k in range(3)]
    assert np.allclose(pins, 60.0 / 9.0)
    assert not forces.determined("pin 1").all()


def test_actuators_and_kept_joints() -> None:
    """What actuators do in their joints counts, and joints that are not kept count as well."""
    base = heavy(CASES["parallelogram"][0])
    forces = gk.inverse_dynamics(base, TIMES)
    few = gk.inverse_dynamics(base, TIMES, keep=["head_1"])
    assert np.allclose(few.reactions["head_1"], forces.reactions["head_1"], rtol=0, atol=1e-10)
    moved = gk.inverse_dynamics(base, TIMES, actuators=["foot_0"])
    elsewhere = gk.inverse_dynamics(base, TIMES, actuators=["head_2"])
    for joint, rows in forces.reactions.items():
        assert np.allclose(moved.reactions[joint], rows, rtol=0, atol=1e-9)
    assert np.abs(elsewhere.reactions["head_2"][0] - elsewhere.driver("head_2")).max() < 1e-9
    assert np.abs(unbalanced(elsewhere.motion, elsewhere.outer, elsewhere.reactions)).max() < 1e-9
    again = gk.inverse_dynamics(forces.motion, out=forces)
    assert np.allclose(again.reactions["head_1"], few.reactions["head_1"], rtol=0, atol=1e-10)


def test_a_length_that_is_none_is_refused() -> None:
    with pytest.raises(ArgumentError, match="length must be a positive number of meters, not 0"):
        gk.inverse_dynamics(heavy(CASES["parallelogram"][0]), TIMES, length=0.0)


def test_teeth_that_repeat_others() -> None:
    """The same mesh stated twice: one bears all that goes through the teeth, and the driver holds the same."""
    along, centers = ((0, 0, 1), (0, 0, 1)), ((0, 0, 0), (0.3, 0, 0))
    hinges = [
        gk.Joint("a", "R", ("frame", "one"), point=centers[0], axis=(0, 0, 1)),
        gk.Joint("b", "R", ("frame", "two"), point=centers[1], axis=(0, 0, 1)),
    ]
    meshes = [
        gk.Joint(n, "EO", ("one", "two"), points=centers, axes=along, radii=(0.1, 0.2), helix_angle=0.3)
        for n in ("mesh", "again")
    ]
    load, bodies = gk.JointForce(name="load", joint="b", force=3.0), ["frame", "one", "two"]
    alone, twice = (
        gk.inverse_dynamics(
            gk.Mechanism(3, bodies, [*hinges, *some], [gk.Driver("a", gk.Ramp(1.0))], forces=[load]), [0]
        )
        for some in (meshes[:1], meshes)
    )
    assert twice.driver("a") == pytest.approx(alone.driver("a"), rel=1e-12)
    assert alone.driver("a") == pytest.approx([1.5], rel=1e-12)
    both = sum(twice.reaction(name).force for name in ("mesh", "again"))
    assert both == pytest.approx(alone.reaction("mesh").force, rel=1e-9, abs=1e-9)


def test_states_of_self_stress_that_are_the_same_at_a_step() -> None:
    """A big end that cannot tilt, at the dead center of its piston."""
    engine = gk.read("examples/inline_four.toml").mechanism
    joints = [
        replace(joint, type="ER", axes=((0, 1, 0), (1, 0, 0))) if joint.name == "big_end_2" else joint
        for joint in engine.joints
    ]
    forces = gk.inverse_dynamics(heavy(replace(engine, joints=joints)), np.linspace(0.0, 0.02, 4))
    assert all(np.isfinite(forces.reaction(joint.name).force).all() for joint in joints)
    assert np.isfinite(forces.driver("main")).all()
