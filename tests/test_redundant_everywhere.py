"""Redundant joints, exact and of few digits, where routes, sweeps, fits and simulations meet them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cluster
import groupkin as gk
import routes
from groupkin.kinematics.motion.residuals import max_residual
from routes.timing import group_costs
from tests.groupkin.kinematics.test_few_digits import rounded
from tests.groupkin.kinematics.test_plane_twins import MECHANISMS, in_space
from tests.support.over_constrained import FAMILIES, heavy, over_constrained

TIMES = np.linspace(0.0, 1.0, 2001)
SOME = TIMES[::200]

KINDS = {
    **{f"{name}, exact": (over_constrained, (name, 0)) for name in FAMILIES},
    **{f"{name}, rounded": (rounded, (name,)) for name in FAMILIES},
    **{f"{name}, tilted": (lambda name: in_space(MECHANISMS[name]()), (name,)) for name in MECHANISMS},
}


def mechanism_of(kind: str) -> gk.Mechanism:
    make, arguments = KINDS[kind]
    return make(*arguments)  # type: ignore[operator]


def dimension_of(mechanism: gk.Mechanism) -> tuple[str, str, float]:
    """A joint, one of its bodies, and the x coordinate there, which opens redundant joints if it changes alone."""
    joint = mechanism.joints[1]
    return joint.name, joint.bodies[0], float(np.ravel(joint.point)[0])  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", KINDS)
def test_all_routes_have_the_bits_of_one_worker(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_costs, "BUSY", float("inf"))  # costs that are measured count, however busy the machine is
    mechanism = mechanism_of(kind)
    whole, body = gk.solve(mechanism, TIMES, on_failure="nan"), mechanism.movable[-1]
    for workers, split in ((1, None), (2, "time"), (2, "groups"), (2, "hybrid")):
        motion = routes.solve(mechanism, TIMES, route="parallel", workers=workers, split=split, on_failure="nan")
        assert motion is not None
        for order in range(3):
            np.testing.assert_array_equal(
                motion.point_on(body, np.zeros(3), order), whole.point_on(body, np.zeros(3), order)
            )
    loaded = mechanism if "tilted" in kind else heavy(mechanism)
    alone, shared = gk.inverse_dynamics(loaded, SOME), routes.inverse_dynamics(loaded, SOME, workers=2)
    assert shared is not None
    joint = loaded.drivers[0].joint
    np.testing.assert_array_equal(shared.driver(joint), alone.driver(joint))


@pytest.mark.parametrize("name", FAMILIES)
def test_samples_within_the_misfit_are_solved_and_others_fail(name: str) -> None:
    mechanism = rounded(name)
    joint, side, x = dimension_of(mechanism)
    within, beyond = 1e-3 * mechanism.misfit, 1e3 * mechanism.misfit
    keep = [cluster.TimeHistory(gk.quantity(f"angular_velocity {mechanism.movable[-1]}", mechanism))]
    target = cluster.JointPoint(joint, side, "x")
    drawn = cluster.solve(
        cluster.sweep(
            mechanism, [cluster.Parameter(target, cluster.Uniform(x - within, x + within))], SOME, keep, draws=3
        )
    )
    assert (drawn.status == 0).all()
    size = gk.program(mechanism).geometry.size
    off = cluster.Parameter(target, cluster.Listed([x, x + beyond * size]))
    found = cluster.solve(cluster.sweep(mechanism, [off], SOME, keep))
    assert found.status[0] == 0
    whole = gk.solve(mechanism, SOME).angular_velocity(mechanism.movable[-1])
    np.testing.assert_allclose(found[keep[0].label].values[0], whole, rtol=0.0, atol=1e-13)
    design = gk.design(mechanism, [f"joint {joint}@{side}.x"])
    if found.status[1] == 0:  # some dimensions need not change together
        motion = design.solve([x + beyond * size], SOME)
        assert isinstance(motion, gk.Motion)
        assert max_residual(motion) < mechanism.misfit
    else:
        with pytest.raises(gk.GroupkinError):
            design.solve([x + beyond * size], SOME)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if len(mechanism_of(kind).drivers) == 1])
def test_fits_find_the_mechanism_that_met_the_targets(kind: str) -> None:
    """Also in a narrow range of a dimension beyond which the mechanism is locked."""
    mechanism = mechanism_of(kind)
    last = next((each for each in mechanism.joints[::-1] if each.type in "RP"), None)
    if last is None:
        pytest.skip("it has neither hinges nor slides")
    joint, side, x = dimension_of(mechanism)
    name = f"joint {joint}@{side}.x"
    motion = gk.solve(mechanism, SOME)
    found = gk.fit(
        gk.design(mechanism, [name]), {f"joint {last.name}": motion.joint(last.name)[0]},
        at=motion.joint(mechanism.drivers[0].joint)[0], bounds={name: (x - 1e-9, x + 1e-9)}, starts=1,
    )  # fmt: skip
    assert found.error < 1e-16


# --- free plane mechanisms described in space ----------------------------------------------------


@pytest.mark.parametrize("name", MECHANISMS)
def test_free_motion_and_its_events_are_those_of_the_plane(name: str) -> None:
    plane = replace(MECHANISMS[name](), drivers=())
    events = [gk.Event("down", "joint A", -0.4), gk.Event("end", "joint A", -0.6, terminal=True)]
    ours, theirs = (
        gk.simulate(each, np.linspace(0.0, 3.0, 61), events=events, rtol=1e-10) for each in (in_space(plane), plane)
    )
    assert max_residual(ours) < 1e-12
    assert [event.name for event in ours.events] == [event.name for event in theirs.events]
    np.testing.assert_allclose(
        [event.time for event in ours.events], [event.time for event in theirs.events], atol=1e-7
    )
    np.testing.assert_allclose(ours.joint("A"), theirs.joint("A"), atol=1e-6)
