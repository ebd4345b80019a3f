"""Programs of what is kept: the same bits as of the whole, less work, and no word of what is not computed."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import ArgumentError, QuantityError, UnknownNameError
from tests.support.mechanisms import stewart_with_lengths

EXAMPLES = Path(__file__).parents[4] / "examples"
TIMES = np.linspace(0.0, 0.7, 150)


def example(name: str) -> gk.Mechanism:
    return gk.load(EXAMPLES / f"{name}.toml")


KEPT = [
    ("four_bar", ["velocity crank"], 1),
    ("four_bar", ["angle rocker", "conditioning rocker"], 2),
    ("jansen_leg", ["conditioning"], None),
    ("stewart_inverse", ["acceleration platform"], 1),
    ("stewart_inverse", ["joint leg_1", "joint_rate leg_4"], 3),
    ("stewart_inverse", ["residual B2"], 2),
]


@pytest.mark.parametrize(("name", "keep", "groups"), KEPT)
def test_what_is_kept_has_the_same_bits(name: str, keep: list[str], groups: int | None) -> None:
    mechanism = example(name)
    whole, some = gk.program(mechanism), gk.program(mechanism, keep=keep)
    expected, found = gk.solve(whole, TIMES), gk.solve(some, TIMES)
    for quantity in keep:
        np.testing.assert_array_equal(found.read(quantity), expected.read(quantity))
    assert found.solved.all()
    assert len({call.group for call in some.calls}) == (groups or len(whole.structure.groups))
    assert set(found.to_xarray().data_vars) == set(gk.solve(whole, TIMES, keep=keep).to_xarray().data_vars)
    again = gk.solve(some, TIMES + 0.1, out=found)
    np.testing.assert_array_equal(again.read(keep[0]), gk.solve(whole, TIMES + 0.1).read(keep[0]))
    values = np.stack([driven.law.at(TIMES)[0] for driven in some.drivers])
    np.testing.assert_array_equal(some.evaluate(values).q, whole.evaluate(values).q[np.isin(whole.kept, some.kept)])


def test_lengths_of_legs_need_the_platform_only() -> None:
    mechanism = stewart_with_lengths()
    keep = [f"output {name}" for name in mechanism.outputs]
    some = gk.program(mechanism, keep=keep)
    assert [call.group for call in some.calls] == [1]
    found, expected = gk.solve(some, TIMES), gk.solve(mechanism, TIMES)
    for of in keep:
        np.testing.assert_array_equal(found.read(of), expected.read(of))


def test_what_is_left_out_is_refused_by_name() -> None:
    some = gk.program(example("four_bar"), keep=["angle crank"])
    motion = gk.solve(some, TIMES)
    assert np.isnan(motion.conditioning[1]).all()
    for read in (lambda: motion.position("rocker"), lambda: motion.read("angle rocker")):
        with pytest.raises(UnknownNameError, match=r"is not computed .* crank.*Make one without `keep`"):
            read()
    with pytest.raises(UnknownNameError, match="there is no body or point 'rockr'"):
        motion.position("rockr")
    with pytest.raises(QuantityError, match="nothing is kept"):
        gk.program(example("four_bar"), keep=[])
    with pytest.raises(ArgumentError, match="modes are chosen when"):
        gk.solve(some, TIMES, modes={"rocker": 2})
    again = pickle.loads(pickle.dumps(some))
    np.testing.assert_array_equal(gk.solve(again, TIMES).q, motion.q)
