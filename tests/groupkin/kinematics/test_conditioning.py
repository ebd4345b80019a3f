"""The conditioning of groups with one unknown: no more than the rate of the driver by that of the unknown."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk


def slotted(slot: tuple[str, str], driver: str = "pin") -> gk.Mechanism:
    """A rod on a crank that slides through a slot: two bodies of one group, whose only unknown is an angle."""
    joints = [
        gk.Joint("slot", "CR", slot, point=(-0.043, -0.93), axis=(0.491, -0.871)),
        gk.Joint("pin", "R", ("rod", "crank"), point=(0.625, -0.257)),
        gk.Joint("main", "R", ("f", "crank"), point=(-0.261, -0.612)),
    ]
    return gk.Mechanism(2, ["f", "rod", "crank"], joints, [gk.Driver(driver, gk.Ramp(1.0))])


def coupled() -> gk.Mechanism:
    """Two cranks, of which the sine of one is the angle of the other."""
    joints = [gk.Joint("main", "R", ("f", "a"), point=(0, 0)), gk.Joint("pin", "R", ("f", "b"), point=(1, 0))]
    sine = gk.Coupling("sine", "{joint pin} = 1 rad * sin({joint main})")
    return gk.Mechanism(2, ["f", "a", "b"], joints, [gk.Driver("pin", gk.Ramp(1.0))], couplings=[sine])


@pytest.mark.parametrize(
    ("mechanism", "times"),
    [
        (slotted(("f", "rod")), np.linspace(0.0, 0.999, 11)),
        (slotted(("rod", "f")), np.linspace(0.0, -0.85, 11)),
        (coupled(), np.linspace(0.0, 0.999, 11)),
    ],
    ids=["slot in the frame", "slot in the rod", "coupling"],
)
def test_one_unknown_is_not_compared_with_itself(mechanism: gk.Mechanism, times: np.ndarray) -> None:
    """An equation a x' + b z' = 0 of an unknown x and a driver z has |x' / z'| = |b / a|: where a vanishes no z leads.

    So the conditioning is |a| over what is |b| at least.
    """
    motion = gk.solve(mechanism, times if times[-1] > 0 else times[::-1], on_failure="nan")
    conditioning, rate = motion.conditioning.min(axis=0), np.abs(motion.joint_rate("main")[0])
    solved = motion.solved
    assert solved.sum() >= 9
    assert (conditioning * rate)[solved].max() <= 1.0 + 1e-9
    assert conditioning[solved].max() > 3.0 * conditioning[solved].min()
    if mechanism.couplings:  # the scale is b itself
        assert np.allclose((conditioning * rate)[solved], 1.0, atol=1e-9)
