"""What `groupkin.read` gives, and the path of a file, stand wherever a mechanism is expected."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cluster
import groupkin as gk
import routes
from groupkin.errors import ArgumentError, FileError, TimesError
from groupkin.mechanism.files.reading import MechanismFile, MotionSettings
from groupkin.transformations.inverse import redrive
from tests.support.paths import EXAMPLES

TIMES = np.linspace(0.0, 0.1, 5)


def swinging() -> gk.Mechanism:
    """Free to move, and with a mass."""
    arm = gk.Body("arm", mass=1.0, center=(0.0, -1.0), points={"P": (0.0, -1.0)})
    pin = gk.Joint("A", "R", ("frame", arm.name), point=(0, 0))
    return gk.Mechanism(2, ["frame", arm], [pin], outputs={"o": "{joint A}"}, gravity=(0.0, -9.81))


def driven() -> gk.Mechanism:
    return replace(swinging(), drivers=[gk.Driver("A", gk.Ramp(1.0))])


DRIVEN: dict[str, Callable[[Any, Path], Any]] = {
    "solve": lambda m, _: gk.solve(m, TIMES).q,
    "program": lambda m, _: gk.program(m).rows,
    "analyze": lambda m, _: gk.analyze(m).groups,
    "design": lambda m, _: gk.design(m, ["P"]).nominal,
    "limits": lambda m, _: gk.limits(m, start=-0.1, stop=0.1).driver,
    "assembly_modes": lambda m, _: len(gk.assembly_modes(m).modes),
    "solve_globally": lambda m, _: gk.solve_globally(m, TIMES).times,
    "transform": lambda m, _: len(gk.transform(m).structures),
    "redrive": lambda m, _: redrive(m, {"joint A": gk.Ramp(2.0)}).drivers,
    "counterweights": lambda m, _: gk.counterweights(m, {"arm": 0.5}, TIMES).weights["arm"].mass,
    "inverse_dynamics": lambda m, _: gk.inverse_dynamics(m, TIMES).driver("A"),
    "quantity": lambda m, _: str(gk.quantity("joint A", m)),
    "parameter": lambda m, _: str(gk.parameter("P@arm", m)),
    "nominal_value": lambda m, _: gk.nominal_value("P@arm", m),
    "draw": lambda m, folder: gk.draw(m, folder / "d.svg") and "",
    "animate": lambda m, folder: gk.animate(m, folder / "a.html"),
    "report": lambda m, folder: gk.report(m, folder / "r.html") and "",
    "save": lambda m, folder: gk.save(m, folder / "m.toml"),
    "routes.solve": lambda m, _: routes.solve(m, TIMES).q,
    "sweep": lambda m, _: cluster.sweep(m, [RATES], TIMES, [cluster.Maximum("joint A")]).names,
}
RATES = cluster.Parameter(gk.LawValue("A", "rate"), cluster.Listed([1.0, 2.0]))
FREE: dict[str, Callable[[Any, Path], Any]] = {
    "simulate": lambda m, _: gk.simulate(m, [0.0, 0.01], {"A": 0.1}).q,
    "simulate_many": lambda m, _: gk.simulate_many(m, [0.0, 0.01], {"A": [0.1, 0.2]}).times,
    "equilibrium": lambda m, _: gk.equilibrium(m, {"A": 0.1}).position,
    "linearize": lambda m, _: gk.linearize(m, {"A": 0.0}).stiffness,
}


@pytest.mark.complete
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*DRIVEN, *FREE])
def test_every_public_function_takes_files(name: str, tmp_path: Path) -> None:
    use, mechanism = (DRIVEN | FREE)[name], driven() if name in DRIVEN else swinging()
    expected = use(mechanism, tmp_path)
    np.testing.assert_equal(use(MechanismFile(mechanism, MotionSettings(1.0, 11, 0.0)), tmp_path), expected)
    path = tmp_path / "four.toml"
    gk.save(mechanism, path)
    named = Path if name != "save" else gk.read  # which would write a file over the one it reads
    np.testing.assert_equal(use(named(path), tmp_path), expected)
    np.testing.assert_equal(use(str(path), tmp_path), expected)


TIMED: dict[str, Callable[[Any, Any], Any]] = {
    "solve": lambda m, t: gk.solve(m, t).q,
    "inverse_dynamics": lambda m, t: gk.inverse_dynamics(m, t).driver("A"),
    "counterweights": lambda m, t: gk.counterweights(m, {"arm": 0.5}, t).weights["arm"].mass,
    "solve_globally": lambda m, t: gk.solve_globally(m, t).times,
    "routes.solve": lambda m, t: routes.solve(m, t).q,
    "routes.inverse_dynamics": lambda m, t: routes.inverse_dynamics(m, t).driver("A"),
    "simulate": lambda m, t: gk.simulate(m, t).q,
}


@pytest.mark.complete
@pytest.mark.parametrize("name", TIMED)
def test_times_of_a_file_are_those_by_default(name: str, tmp_path: Path) -> None:
    """And times that are given go before them; a mechanism alone has none."""
    mechanism, path = swinging() if name == "simulate" else driven(), tmp_path / "arm.toml"
    gk.save(mechanism, path, motion={"duration": 0.1, "steps": 5})
    use, other = TIMED[name], np.linspace(0.0, 0.2, 3)
    np.testing.assert_array_equal(use(path, None), use(mechanism, TIMES))
    np.testing.assert_array_equal(use(gk.read(path), None), use(mechanism, TIMES))
    np.testing.assert_array_equal(use(path, other), use(mechanism, other))
    with pytest.raises(TimesError, match="times"):
        use(mechanism, None)


def test_pages_and_reports_of_a_file_are_of_its_times(tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    gk.save(driven(), path, motion={"duration": 0.25, "steps": 6})
    gk.animate(path, tmp_path / "own.html")
    gk.animate(gk.solve(path), tmp_path / "same.html")
    assert (tmp_path / "own.html").read_bytes() == (tmp_path / "same.html").read_bytes()
    gk.report(path, tmp_path / "report.html")
    assert "6 of 6" in (tmp_path / "report.html").read_text() or ">6<" in (tmp_path / "report.html").read_text()


def test_a_fit_and_a_sweep_are_named_by_their_paths(tmp_path: Path) -> None:
    """A circle about the pin through the targets (0.6, 0.8) and (-0.8, 0.6) has the radius 1."""
    arm = gk.Body("arm", points={"P": (1.0, 0.0)})
    gk.save(replace(driven(), bodies=["frame", arm], outputs={}), tmp_path / "arm.toml")
    stated = 'mechanism = "arm.toml"\nparameters = ["P@arm"]\nat = [0.0, 1.5707963267948966]\nstarts = 2\n'
    (tmp_path / "arm.fit.toml").write_text(stated + '[targets]\n"position P" = [[0.6, 0.8], [-0.8, 0.6]]\n')
    found = gk.fit(tmp_path / "arm.fit.toml", seed=3)
    assert len(found.searches) == 2
    np.testing.assert_allclose(found.values, [0.6, 0.8], atol=1e-9)
    assert len(gk.fit(str(tmp_path / "arm.fit.toml"), starts=1).searches) == 1
    with pytest.raises(FileError, match=r"^arm.toml: this is a mechanism"):
        gk.fit(tmp_path / "arm.toml")
    sweep = EXAMPLES / "four_bar_tolerance.sweep.toml"
    assert cluster.prepare(sweep).sweep.as_data() == cluster.read_sweep(sweep).as_data()  # type: ignore[arg-type]


def test_what_is_read_and_loaded_is_told_apart() -> None:
    file = gk.read(EXAMPLES / "four_bar.toml")
    with pytest.raises(AttributeError, match=r"has no 'bodies', but its mechanism has: `\.mechanism\.bodies`"):
        _ = file.bodies
    with pytest.raises(AttributeError, match=r"a MechanismFile has no 'body_count'$"):
        _ = file.body_count
    assert pickle.loads(pickle.dumps(file)) == file
    assert "without its times; `read`" in str(gk.load.__doc__).splitlines()[0]
    assert "with its times; `load`" in str(gk.read.__doc__).splitlines()[0]


def test_a_file_that_was_read_is_solved_at_its_times() -> None:
    file = gk.read(EXAMPLES / "four_bar.toml")
    found, wanted = gk.solve(file), gk.solve(file.mechanism, file.motion.times)
    assert np.array_equal(found.q, wanted.q)
    assert np.array_equal(gk.solve(file, [0.0, 0.1]).times, [0.0, 0.1])
    assert gk.analyze(file).groups == gk.analyze(file.mechanism).groups
    with pytest.raises(TimesError, match="solve needs times"):
        gk.solve(file.mechanism)
    with pytest.raises(ArgumentError, match="mechanism must be a Mechanism"):
        gk.analyze(3)  # type: ignore[arg-type]
