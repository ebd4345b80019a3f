"""Arguments of wrong types, shapes and sizes are refused with their names, in words that a terminal can print."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cluster
import groupkin as gk
import routes
from groupkin.arguments import checked, floats
from groupkin.errors import (
    ArgumentError,
    FileError,
    GroupkinError,
    LawError,
    MechanismError,
    ModeError,
    RouteError,
    SweepError,
    TimesError,
    UnknownNameError,
    shown,
)
from tests.support.mechanisms import FOUR_BAR
from tests.support.paths import EXAMPLES

TIMES = np.linspace(0.0, 0.1, 4)
MASKED = np.ma.masked_array([0.0, 1.0, 2.0], [False, True, False])


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: gk.solve(FOUR_BAR, TIMES, out=5), ArgumentError, "^out must be a Motion, not 5$"),
        (
            lambda: gk.solve(FOUR_BAR, TIMES, block="a"),
            ArgumentError,
            "^block must be a whole number from 1 on, not 'a'$",
        ),
        (lambda: gk.solve(FOUR_BAR, TIMES, modes=[2]), ArgumentError, r"^modes must be a mapping, not \[2\]$"),
        (lambda: gk.solve(FOUR_BAR, [10**400]), TimesError, "times must be numbers in seconds"),
        (lambda: gk.solve(FOUR_BAR, ["now"]), TimesError, r"times must be numbers in seconds, not \['now'\]"),
        (lambda: gk.solve(FOUR_BAR, MASKED), TimesError, "times must be numbers in seconds"),
        (lambda: gk.solve(FOUR_BAR, [1e60]), TimesError, r"times\[0\] is not a finite number up to 1e\+50"),
        (lambda: gk.Mechanism(2, None, ()), MechanismError, "bodies must be a list, not None"),
        (lambda: gk.Mechanism(10**5000, ["a"], ()), MechanismError, "dimension must be a whole number, not <int>"),
        (lambda: gk.Mechanism(2, ["a", "b"], [5]), MechanismError, r"joints\[0\] must be a Joint, not 5"),
        (lambda: gk.Joint(5, "R", ("a", "b")), MechanismError, "^Joint: name must be a name of .* characters, not 5$"),
        (lambda: gk.Joint("A", "R", ("a", 7)), MechanismError, r"^Joint 'A': bodies\[1\] must be a text, not 7$"),
        (lambda: gk.Joint("A", "H", ("a", "b"), pitch=10**400), MechanismError, "Joint 'A': pitch must be a number"),
        (
            lambda: gk.Body("b", about=(1, 10**5000)),
            MechanismError,
            "^Body 'b': about must be a text or a list of",
        ),
        (lambda: gk.Body("b", inertia=[[10**5000] * 3] * 3), MechanismError, "^Body 'b': inertia must be a number or"),
        (lambda: gk.Ramp([]), LawError, r"^Ramp: rate must be a number, not \[\]$"),
        (lambda: gk.Mechanism(2, "ground", ()), MechanismError, "bodies must be a list, not 'ground'"),
        (lambda: gk.Polynomial(3), LawError, "^Polynomial: coefficients must be a list of numbers, not 3$"),
        (lambda: gk.Ramp(10**400), LawError, "Ramp: rate must be a number"),
        (lambda: gk.load(None), ArgumentError, "^path must be a text or a path, not None$"),
        (lambda: gk.load("nul\0.toml"), FileError, r"nul\\x00.toml'?: no file can have this name"),
        (lambda: gk.analyze("four_bar"), ArgumentError, "a Mechanism, not 'four_bar'; .* groupkin.load"),
        (lambda: gk.analyze("four_bar.toml"), FileError, "^four_bar.toml: there is no such file"),
        (lambda: gk.solve(EXAMPLES / "coupler_curve.fit.toml"), FileError, "^coupler_curve.fit.toml: this is a fit"),
        (lambda: gk.transform(FOUR_BAR, fixed={"a": -1}), ArgumentError, r"fixed\['a'\] must be a whole number from 0"),
        (lambda: gk.solve(FOUR_BAR, TIMES).velocity(10**5000), GroupkinError, "name of a body .* needed, not <int>"),
        (lambda: gk.generate(2, 10**9), MechanismError, "have 4000000000 bodies; generate at most 200000"),
        (
            lambda: gk.Mechanism(2, FOUR_BAR.bodies, FOUR_BAR.joints, [gk.Driver("a", between=("x",) * 99)]),
            UnknownNameError,
            "in this order; not x, x, .* and 87 more",
        ),
        (lambda: routes.threads("two"), ArgumentError, "workers must be a whole number, not 'two'"),
        (lambda: routes.Route(5), RouteError, "Route: stages must be a list, not 5"),
        (lambda: cluster.sweep(FOUR_BAR, 5, TIMES, []), ArgumentError, "parameters must be a list, not 5"),
        (lambda: cluster.batch("sweep.toml", "a.zarr"), GroupkinError, "a sweep is needed|must be a Sweep"),
    ],
)
def test_what_is_passed_wrongly_is_named(call: Callable[[], object], error: type[GroupkinError], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_whole_numbers_of_numpy_are_numbers_of_any_size() -> None:
    assert (routes.solve(FOUR_BAR, TIMES, block=np.int8(3), cache=False).q == gk.solve(FOUR_BAR, TIMES).q).all()


@pytest.mark.parametrize("name", ["", "\x1b[31mred", "two\nlines", "nul\0", "\ud800", "n" * 501])
@pytest.mark.parametrize(
    "named", [gk.Body, lambda name: gk.Joint(name, "R", ("a", "b")), lambda name: gk.Mechanism(2, [name], ())]
)
def test_names_are_printable(named: Callable[[str], object], name: str) -> None:
    with pytest.raises(MechanismError, match="must be a name of 1 to 500 printable characters") as caught:
        named(name)
    assert all(line.isprintable() for line in str(caught.value).split("\n"))


def test_messages_show_control_characters_escaped() -> None:
    assert str(GroupkinError("a\x1b[2J\nb\x00é")) == "a\\x1b[2J\nb\\x00é"


@pytest.mark.parametrize("value", [10**400, "1", ["1"], [[1], [2, 3]], 1j, MASKED, [None, object()], np.array(["a"])])
def test_what_holds_no_numbers_is_nan(value: Any) -> None:
    assert np.isnan(floats(value)).all()


def test_numbers_of_any_kind_are_floats() -> None:
    same = np.array([1.0, 2.0])
    assert floats(same) is same
    assert floats([1, np.float32(2.5)]).tolist() == [1.0, 2.5]
    assert floats(np.ma.masked_array([1.0, 2.0], False)).tolist() == [1.0, 2.0]
    assert floats([True, False]).tolist() == [1.0, 0.0]


def test_values_are_shown_on_one_short_line() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert [shown(5), shown("a"), shown(10**5000)] == ["5", "'a'", "<int>"]
    for value in ("x" * 1000, list(range(1000)), np.zeros((50, 50)), loop):
        assert len(shown(value)) <= 60
        assert shown(value).isprintable()


def test_work_without_end_is_refused() -> None:
    structure = gk.analyze(FOUR_BAR)
    with pytest.raises(RouteError, match="1000000000 workers are too many to try all their teams; take at most 100000"):
        routes.predict(structure, routes.guess_costs(structure), 10**9)
    with pytest.raises(TimesError, match="at least one number"):
        routes.choose_route(gk.program(FOUR_BAR), np.empty(0))


@pytest.mark.parametrize(("start", "stop"), [(5, 2), (-1, 1), (0, 10**9), (0, 3)])
def test_samples_that_a_sweep_does_not_have(start: int, stop: int) -> None:
    parameter = cluster.Parameter(cluster.Point("P", "coupler", "x"), cluster.Grid([0.0, 0.1]), relative=True)
    prepared = cluster.prepare(cluster.sweep(FOUR_BAR, [parameter], TIMES, [cluster.PathLength("P")]))
    with pytest.raises(SweepError, match="the sweep has 2, numbered from 0"):
        cluster.solve_chunk(prepared, start, stop)


def test_geometry_may_be_given_in_arrays() -> None:
    joint = gk.Joint("A", "EO", ["a", "b"], points=np.array([[0.0, 0.0], [3.0, 0.0]]), radii=np.array([1.0, 2.0]))  # type: ignore[arg-type]
    assert gk.Mechanism(2, ["a", "b"], [joint]).joint["A"].bodies == ("a", "b")


def test_a_long_number_names_no_group() -> None:
    with pytest.raises(ModeError, match=r"modes: '999.*\.\.\. is neither a movable body nor the number of a group"):
        gk.program(FOUR_BAR, modes={"9" * 5000: 1})


def test_overflow_in_a_checked_function_is_no_warning() -> None:
    @checked
    def square(x: float) -> float:
        return float(np.float64(x) * np.float64(x))

    assert math.isinf(square(sys.float_info.max))


def test_a_motion_that_does_not_fit_into_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    program = gk.program(FOUR_BAR)
    monkeypatch.setattr("groupkin.memory._of_this_machine", lambda: 2**20)
    with pytest.raises(
        TimesError, match=r"100000 steps of this mechanism take .* GB, and this machine has .* fewer steps"
    ):
        gk.solve(program, np.linspace(0.0, 1.0, 100_000))


def test_names_may_be_in_an_array() -> None:
    names = ["a", "d"]
    listed, arrayed = (gk.transform(FOUR_BAR, only=only) for only in (names, np.array(names)))
    assert [each.drivers for each in arrayed.structures] == [each.drivers for each in listed.structures]
    every, none = (gk.transform(FOUR_BAR, only=only) for only in ((), np.array([])))
    assert none.valid == every.valid > arrayed.valid
    assert gk.solve(FOUR_BAR, [0.0], keep=np.array(["angle rocker"])).status.size == 2
