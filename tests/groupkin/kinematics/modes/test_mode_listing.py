"""Assembly modes as text: what the notes under the table say."""

from __future__ import annotations

import groupkin as gk
from groupkin.kinematics.modes import mode_listing


def test_modes_that_differ_only_by_an_idle_spin_are_told() -> None:
    """The coupler of an RSSR linkage spins about the line of its balls; its rocker has two positions."""
    rssr = gk.Mechanism(
        dimension=3,
        bodies=["ground", "crank", "coupler", "rocker"],
        joints=[
            gk.Joint("A", "R", ("ground", "crank"), point=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0)),
            gk.Joint("B", "S", ("crank", "coupler"), point=(1.0, 0.0, 0.0)),
            gk.Joint("C", "S", ("coupler", "rocker"), point=(3.0, 1.0, 2.0)),
            gk.Joint("D", "R", ("rocker", "ground"), point=(3.0, 1.0, 0.0), axis=(1.0, 0.0, 0.0)),
        ],
        drivers=[gk.Driver("A", gk.Ramp(rate=1.0))],
    )
    listing = gk.assembly_modes(rssr)
    (spin,) = listing.structure.spins
    assert spin.bodies == ("coupler",)
    group = listing.structure.group_of["rocker"]
    modes = {mode.number: mode.poses["rocker"][1] for mode in listing.of(group.number)}
    alike = mode_listing.differing_by_spins(listing, group)
    assert sorted(number for numbers in alike for number in numbers) == [1, 2, 3, 4]
    assert all(len(numbers) == 2 for numbers in alike)
    for first, second in alike:
        assert abs(modes[first] - modes[second]).max() < 1e-9
    assert abs(modes[alike[0][0]] - modes[alike[1][0]]).max() > 0.1
    told = [note for note in mode_listing.notes(listing) if "idle spins" in note]
    assert told[0] == (
        f"group {group.number}: modes {alike[0][0]}, {alike[0][1]} differ only by idle spins, which move nothing else"
    )
    assert len(told) == 2
