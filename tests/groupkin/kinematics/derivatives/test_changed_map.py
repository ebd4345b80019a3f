"""The map of rates as a series in time: against the motion that the drivers lead to, and against its transpose."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk
from groupkin.kinematics.derivatives.changed_map import ChangedMap
from groupkin.kinematics.rates import formulas
from groupkin.kinematics.rates.changes import Change
from groupkin.kinematics.rates.quantity_changes import Moves
from tests.support.examples import described


@pytest.mark.parametrize("name", ["four_bar", "stephenson_six_bar", "spatial_four_bar", "stewart_inverse"])
def test_rates_along_a_motion_are_a_series(name: str) -> None:
    """The rates of the drivers lead to velocities, and to accelerations with the accelerations of the drivers."""
    example = described(name)
    motion = gk.solve(example.mechanism, np.linspace(0.0, example.motion.duration / 3, 150))
    program, moves = motion.program, Moves(motion.program)
    shifts = {
        body: [
            moves.add(each)
            for each in (moves.turn(body), moves.shift(body, program.geometry.origins[body], Change("origin", body)))
        ]
        for body in program.mechanism.movable
    }
    made = ChangedMap(moves.formulas, tuple(moves.found))
    drivers = np.stack([motion.driven[:, 1], motion.driven[:, 2]])[:, :, None]
    series = made.apply(made.given(motion, 2), drivers)[:, :, 0]
    # the velocities of a group by Newton's method are as exact as its positions, 1e-11 over the conditioning
    bound = 1e-11 / motion.conditioning.min() ** 3
    for body, (turn, shift) in shifts.items():
        for k, read in enumerate((motion.velocity, motion.acceleration)):
            expected = read(body).T
            np.testing.assert_allclose(series[k, shift], expected, atol=bound * np.abs(expected).max() + 1e-13)
        for k, read in enumerate((motion.angular_velocity, motion.angular_acceleration)):
            expected = read(body).T.reshape(len(turn), -1)
            np.testing.assert_allclose(series[k, turn], expected, atol=bound * np.abs(expected).max() + 1e-13)


@pytest.mark.parametrize("name", ["four_bar", "spatial_four_bar"])
def test_weights_are_carried_back(name: str) -> None:
    example = described(name)
    motion = gk.solve(example.mechanism, np.linspace(0.0, example.motion.duration / 3, 20))
    body, rng = motion.program.mechanism.movable[-1], np.random.default_rng(0)
    joint = motion.program.structure.solved_as.joints[-1].name
    moves = Moves(motion.program, [Change("shift", joint, 0), Change("turn", joint, 1)])
    moves.add(moves.turn(body))
    moves.add(moves.shift(body, motion.program.geometry.origins[body], Change("origin", body)))
    made = ChangedMap(moves.formulas, tuple(moves.found))
    given = made.given(motion, 3)
    x = rng.normal(size=(3, len(made.inputs), 2, 20))
    weights = rng.normal(size=(3, len(moves.found), 2, 20))
    forward, back = made.apply(given, x), made.apply_transposed(given, weights)
    total = np.einsum("kimn,kimn->m", weights, forward)
    scale = np.einsum("kimn,kimn->m", np.abs(weights), np.abs(forward))
    # roundings of sums in another order
    assert (np.abs(total - np.einsum("kimn,kimn->m", back, x)) <= 1e-12 * scale / motion.conditioning.min()).all()


@pytest.mark.parametrize("name", ["stewart_forward", "assur_class_three"])
def test_derivatives_with_inverses_beside_the_lists(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As groups of very many unknowns have them."""
    example = described(name)
    program, times = gk.program(example.mechanism), np.linspace(0.0, example.motion.duration / 10, 5)
    of = gk.design(program, list(program.geometry.points)[:2] or [f"joint {program.mechanism.joints[0].name}"])
    body = program.mechanism.movable[-1]

    def derivatives() -> list[np.ndarray]:
        program.ready.clear()
        found = of.solve(of.nominal, times, derivatives=True)
        weights = np.ones((times.size, program.mechanism.dimension))
        return [found.read(f"acceleration {body}"), found.gradient({f"acceleration {body}": weights})]

    expected = derivatives()
    monkeypatch.setattr(formulas, "INTERPRETED", formulas.COMPILED)
    for found, one in zip(derivatives(), expected, strict=True):
        # roundings over the conditioning, to which two derivatives by time add two more powers of it
        np.testing.assert_allclose(found, one, rtol=0.0, atol=1e-8 * np.abs(one).max())
        assert not np.array_equal(found, one)  # another way was taken
