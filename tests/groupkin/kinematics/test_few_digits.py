"""Dimensions of few digits: refused with what they miss, or solved by least squares within a stated misfit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import MisfitError
from groupkin.kinematics.motion.residuals import max_residual, residuals
from tests.support.energy import rate_of_energy
from tests.support.equilibrium import unbalanced
from tests.support.over_constrained import FAMILIES, heavy, over_constrained

Array = NDArray[np.float64]

TIMES = np.linspace(0.0, 1.0, 11)


def nearly(name: str, seed: int) -> tuple[gk.Mechanism, gk.Mechanism, float]:
    """A movable mechanism, the same with a point or axis that is off, and by how much: of the size, or rad."""
    exact, rng = over_constrained(name, seed), np.random.default_rng(seed)
    away = 10.0 ** -rng.uniform(3.0, 7.0)
    joint, way = exact.joints[int(rng.integers(len(exact.joints)))], rng.normal(size=3)
    way *= away / np.linalg.norm(way)
    if joint.axes is not None or rng.random() < 0.5:
        moved = replace(joint, point=tuple(np.array(joint.point) + way * gk.program(exact).geometry.size))
    else:
        axis = np.array(joint.axis, float)
        moved = replace(joint, axis=tuple(axis / np.linalg.norm(axis) + way))
    return exact, replace(exact, joints=[moved if x is joint else x for x in exact.joints]), away


def refusal_of(mechanism: gk.Mechanism) -> MisfitError | None:
    try:
        gk.analyze(mechanism)
    except MisfitError as error:
        return error
    return None


def is_told(name: str, seed: int) -> None:
    """A near miss is refused with what it misses, and solved within a misfit that is stated."""
    exact, off, away = nearly(name, seed)
    refusal = refusal_of(off)
    if refusal is None:  # it still moves, or so nearly that steps tell
        motion = gk.solve(off, TIMES, on_failure="nan")
        assert residuals(motion)[motion.solved].max(initial=0.0) < 1e-9
    else:
        assert 0.0 < refusal.misfit < 3.0 * away
        assert refusal.joints
    accepted = gk.solve(replace(off, misfit=5.0 * away), TIMES, on_failure="nan")
    assert residuals(accepted)[accepted.solved].max() < 5.0 * away
    reached = gk.solve(exact, TIMES, on_failure="nan").solved.sum()
    assert abs(accepted.solved.sum() - reached) <= 1


@pytest.mark.parametrize("name", FAMILIES)
def test_near_misses_are_told(name: str) -> None:
    is_told(name, 0)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(1, 19))
@pytest.mark.parametrize("name", FAMILIES)
def test_many_near_misses_of_each_family_are_told(name: str, seed: int) -> None:
    is_told(name, seed)


# --- with a stated misfit -----------------------------------------------------------------------


def rounded(name: str, digits: int = 5) -> gk.Mechanism:
    """A mechanism of a family whose points and axes are rounded, with a misfit that allows that."""
    exact = over_constrained(name, 0)

    def few(values: object) -> Array | None:
        return None if values is None else np.round(np.array(values, float), digits)

    joints = [
        replace(each, point=few(each.point), axis=few(each.axis), axes=few(each.axes))  # type: ignore[arg-type]
        for each in exact.joints
    ]
    return replace(exact, joints=joints, misfit=10.0 ** (1 - digits))


SOME = ("plane 3-RRR", "parallel cranks", "spherical 3-RRR", "Bennett", "Sarrus", "plane five-bar, geared")


@pytest.mark.parametrize("name", SOME)
def test_rates_are_derivatives_to_the_order_of_the_misfit(name: str) -> None:
    mechanism = rounded(name)
    motion = gk.solve(mechanism, np.linspace(0.0, 1.0, 2001))
    assert motion.solved.all()
    last = mechanism.movable[-1]
    for values, rates in (
        (motion.position(last), motion.velocity(last)),
        (motion.velocity(last), motion.acceleration(last)),
    ):
        away = np.abs(np.gradient(values, motion.times, axis=0) - rates)[2:-2].max()
        assert away < mechanism.misfit * max(1.0, np.abs(rates).max())


@pytest.mark.parametrize("name", [name for name in SOME if "geared" not in name])
def test_ways_to_drive_are_those_of_the_exact_mechanism(name: str) -> None:
    own, exact = (gk.transform(replace(each, drivers=())) for each in (rounded(name), over_constrained(name, 0)))
    assert (own.valid, own.distinct) == (exact.valid, exact.distinct)


@pytest.mark.parametrize("name", SOME)
def test_forces_are_in_equilibrium_and_free_motion_keeps_its_energy(name: str) -> None:
    mechanism = heavy(rounded(name))
    left, largest = unbalanced(gk.inverse_dynamics(mechanism, TIMES[:3]))
    assert np.abs(left).max() < 1e-9 * largest
    motion = gk.simulate(replace(mechanism, drivers=()), np.linspace(0.0, 0.2, 11))
    assert max_residual(motion) < mechanism.misfit
    terms = rate_of_energy(motion)
    assert np.abs(np.sum(terms, axis=0)).max() < mechanism.misfit * max(np.abs(term).max() for term in terms)


def test_in_the_plane_all_rows_stay_as_well() -> None:
    """Three cranks, one of which is too long."""
    joints = [
        joint
        for k, (x, y) in enumerate([(0.0, 0.0), (2.0, 0.3), (3.3, -0.6)])
        for joint in (
            gk.Joint(f"foot{k}", "R", ("frame", f"crank{k}"), point=(x, y)),
            gk.Joint(f"head{k}", "R", (f"crank{k}", "bar"), point=(x + 0.5, y + 0.8 + (1e-4 if k == 2 else 0.0))),
        )
    ]
    bodies = ["frame", "bar", "crank0", "crank1", "crank2"]
    cranks = gk.Mechanism(2, bodies, joints, [gk.Driver("foot0", gk.Ramp(0.5))], misfit=1e-3)
    motion = gk.solve(cranks, TIMES)
    assert 1e-7 < max_residual(motion) < 1e-4
    with pytest.raises(gk.GroupkinError):
        gk.solve(replace(cranks, misfit=0.0), TIMES)


@pytest.mark.parametrize("misfit", [-1.0, 0.02, np.nan, "1"])
def test_what_is_no_misfit_is_refused(misfit: object) -> None:
    with pytest.raises(gk.GroupkinError, match="misfit"):
        replace(over_constrained("Bennett", 0), misfit=misfit)


@pytest.mark.parametrize("name", ["spherical four-bar", "plane four-bar", "Bennett"])
def test_assembly_modes_are_those_of_the_exact_mechanism(name: str) -> None:
    own, exact = (gk.assembly_modes(each) for each in (rounded(name), over_constrained(name, 0)))
    assert [mode.number for mode in own.modes] == [mode.number for mode in exact.modes]


def test_designs_and_sweeps_keep_the_misfit() -> None:
    mechanism = rounded("Bennett")
    design = gk.design(mechanism, ["axis C.x"])
    found = design.solve(design.nominal, TIMES)
    np.testing.assert_allclose(found.position("b3"), gk.solve(mechanism, TIMES).position("b3"), rtol=0, atol=1e-12)
