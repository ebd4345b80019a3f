"""Assembly modes that differ only by how a part is turned about its idle spin."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import ModeError
from groupkin.kinematics.modes.mode_listing import notes, title
from tests.support.random_mechanisms import JIT


def rssr(coupler: list[str], more: list[gk.Joint]) -> gk.Mechanism:
    """A linkage whose coupler, of one body or more, spins about the line of its balls."""
    joints = [
        gk.Joint("A", "R", ("ground", "crank"), point=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0)),
        gk.Joint("B", "S", ("crank", coupler[0]), point=(1.0, 0.0, 0.0)),
        *more,
        gk.Joint("C", "S", (coupler[-1], "rocker"), point=(3.0, 1.0, 2.0)),
        gk.Joint("D", "R", ("rocker", "ground"), point=(3.0, 1.0, 0.0), axis=(1.0, 0.0, 0.0)),
    ]
    return gk.Mechanism(3, ["ground", "crank", *coupler, "rocker"], joints, [gk.Driver("A", gk.Ramp(rate=1.0))])


@pytest.mark.parametrize("time", [None, 0.3])
def test_modes_that_differ_only_by_an_idle_spin_are_one(time: float | None) -> None:
    """The rocker of an RSSR linkage has two positions: where a circle meets a sphere."""
    mechanism = rssr(["coupler"], [])
    listing = gk.assembly_modes(mechanism, time)
    (spin,) = listing.structure.spins
    assert spin.bodies == ("coupler",)
    group = listing.structure.group_of["rocker"]
    modes = listing.of(group.number)
    assert [mode.number for mode in modes] == [1, 2]
    assert np.abs(modes[0].poses["rocker"][1] - modes[1].poses["rocker"][1]).max() > 0.1
    assert title(listing).endswith("all 2 configurations")
    assert notes(listing) == []
    motion = gk.solve(mechanism, [time or 0.0], modes={"rocker": 2})
    np.testing.assert_allclose(motion.rotation("rocker")[0], modes[1].poses["rocker"][1], atol=1e-12)
    assert gk.max_residual(motion) < 1e-13
    with pytest.raises(ModeError, match="has 2 assembly modes, no mode 3"):
        gk.program(mechanism, modes={"rocker": 3})


@pytest.mark.skipif(not JIT, reason="a search takes thousands of iterations")
def test_so_are_those_that_a_search_finds() -> None:
    """The coupler is two bodies on a slide, whose displacement a driver gives."""
    slide = gk.Joint("P", "P", ("lower", "upper"), point=(2.0, 0.3, 1.5), axis=(0.3, 1.0, 0.2))
    mechanism = rssr(["lower", "upper"], [slide])
    drivers = [*mechanism.drivers, gk.Driver("P", gk.Constant(0.0))]
    mechanism = gk.Mechanism(3, mechanism.bodies, mechanism.joints, drivers)
    listing = gk.assembly_modes(mechanism)
    (spin,) = listing.structure.spins
    assert spin.bodies == ("lower", "upper")
    group = listing.structure.group_of["rocker"]
    assert listing.searched == {group.number}
    rockers = np.array([mode.poses["rocker"][1].ravel() for mode in listing.of(group.number)])
    assert len(rockers) == 2
    assert np.abs(rockers[0] - rockers[1]).max() > 0.1
