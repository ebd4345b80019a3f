"""Maps of rates that are cut into groups, whose matrices are inverted beside them, and those of many bodies."""

from __future__ import annotations

import mmap
from dataclasses import replace

import numpy as np
import pytest

import groupkin as gk
from groupkin.kinematics.rates import formulas, rate_map
from sglibrary.code.schedule import Inversion
from tests.support.examples import SOLVABLE, described
from tests.support.shares import in_part

STEPS = 70  # more than are computed together


def maps_of(motion: gk.Motion) -> list[np.ndarray]:
    """Rates in two directions and in one, loads carried back, and a Jacobian."""
    program, rng = motion.program, np.random.default_rng(0)
    program.ready.clear()
    directions = rng.normal(size=(len(program.drivers), 2))
    loads = rng.normal(size=(len(program.mechanism.movable), 3 * (program.mechanism.dimension - 1), 2))
    found = [program.rates(motion, directions), program.rates(motion, directions[:, 0])]
    found += [program.rates_transposed(motion, x) for x in (loads, loads[..., 0])]
    return [*found, gk.jacobian(motion, f"twist {program.mechanism.movable[-1]}").values]


@pytest.mark.parametrize("name", in_part(SOLVABLE, 6))
def test_groups_for_themselves_and_inverses_beside_give_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    example = described(name)
    times = np.linspace(0.0, example.motion.duration / 3, STEPS)
    motion = gk.solve(example.mechanism, times, on_failure="nan")
    expected = maps_of(motion)
    np.testing.assert_array_equal(expected[0][:, :, 0], expected[1])  # two directions at once, and one alone
    for module, constant in ((rate_map, "TOGETHER"), (formulas, "INTERPRETED")):
        monkeypatch.setattr(module, constant, formulas.COMPILED if module is formulas else 0)
        for found, whole in zip(maps_of(motion), expected, strict=True):
            # roundings of one system solved in another way
            bound = 1e-12 * np.nanmax(np.abs(whole), initial=0.0) / np.nanmin(motion.conditioning, initial=1.0)
            np.testing.assert_allclose(found, whole, rtol=0.0, atol=bound)


def chain(dyads: int) -> gk.Mechanism:
    """A crank, and dyads each of which hangs on the last one and on the frame."""
    bodies, joints = ["frame", "crank"], [gk.Joint("O", "R", ("frame", "crank"), point=(0.0, 0.0))]
    last = "crank"
    for k in range(dyads):
        x, rod, rocker = 3.3 * k, f"rod {k}", f"rocker {k}"
        bodies += [rod, rocker]
        joints += [
            gk.Joint(f"A{k}", "R", (last, rod), point=(x + 1.0, 0.2)),
            gk.Joint(f"B{k}", "R", (rod, rocker), point=(x + 4.0, 1.5)),
            gk.Joint(f"C{k}", "R", ("frame", rocker), point=(x + 4.2, -1.5)),
        ]
        last = rocker
    return gk.Mechanism(2, bodies, joints, [gk.Driver("O", gk.Ramp(1.0))])


@pytest.mark.parametrize("transposed", [False, True])
def test_lists_of_large_mechanisms_grow_with_their_size_alone(transposed: bool) -> None:
    """Where every group computed the vectors that it needs from the first body on, they would grow with its square."""

    def lines(dyads: int) -> int:
        steps = rate_map.rate_map(gk.program(chain(dyads)), transposed).steps
        return sum(len(step.split(";")) for step in steps if not isinstance(step, Inversion))

    few, many = lines(50), lines(200)
    assert many < 4.4 * few


@pytest.mark.parametrize("steps", [0, 3])
def test_no_directions_and_no_steps_give_nothing(steps: int) -> None:
    motion = gk.solve(described("four_bar").mechanism, np.linspace(0.0, 0.1, 3)).at(np.arange(steps))
    assert motion.program.rates(motion, np.ones((1, 0))).shape == (3, 3, 0, steps)
    assert motion.program.rates_transposed(motion, np.ones((3, 3, 2))).shape == (1, 2, steps)


def test_wherever_the_rows_of_a_motion_lie() -> None:
    """In memory of their own, of a file, that nothing may write, by columns, or with other rows between."""
    motion = gk.solve(described("four_bar").mechanism, np.linspace(0.0, 0.5, STEPS))
    expected, shape = motion.program.rates(motion, [1.0]), motion.q.shape
    mapped = np.ndarray(shape, float, mmap.mmap(-1, motion.q.nbytes))
    fixed, between = motion.q.copy(), np.full((2 * shape[0], STEPS), np.nan)
    mapped[:], between[::2] = motion.q, motion.q
    fixed.flags.writeable = False
    for q in (motion.q.copy(), mapped, fixed, fixed[:], np.asfortranarray(motion.q), between[::2]):
        found = motion.program.rates(replace(motion, q=q), [1.0])
        np.testing.assert_array_equal(found, expected)
