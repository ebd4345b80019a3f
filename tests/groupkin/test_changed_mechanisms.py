"""Mechanisms that are changed and returned or written: what is not to change stays, and loads move with the bodies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import groupkin as gk
from groupkin.cli.main import main
from groupkin.errors import NotModeledError
from groupkin.mechanism.files.writing import as_data
from groupkin.mechanism.units import Units
from groupkin.transformations.inverse import redrive
from tests.support.examples import EXAMPLES

pytestmark = pytest.mark.filterwarnings("ignore::groupkin.errors.RangeWarning")
"""Motions go beyond the ranges at which stops act."""

TIMES = np.linspace(0.0, 0.6, 7)
POINTS = {"A": (0.0, 0.0), "B": (0.0, 1.0), "C": (3.0, 2.5), "D": (3.0, 0.0)}
ENDS = {"A": ("ground", "crank"), "B": ("crank", "coupler"), "C": ("coupler", "rocker"), "D": ("rocker", "ground")}
FORCES = [
    gk.Spring("pull", ("ground", "coupler"), ((0.0, 3.0), (1.5, 2.2)), stiffness=10.0),
    gk.Spring("set", ("crank", "rocker"), ("B", (3.1, 1.0)), stiffness=4.0, length=1.3, damping=0.2),
    gk.Force("push", "rocker", (3.2, 1.1), (3.0, 1.0), axes="rocker", law=gk.Harmonic(1.0, 0.4)),
    gk.Force("wind", "coupler", (1.0, 2.0), (3.0, 1.0)),
    gk.Force("along", "coupler", "C", (3.0, 1.0), axes="B"),
    gk.Torque("motor", "coupler", 0.7),
    gk.JointSpring("torsion", "C", stiffness=2.0, position=0.1),
    gk.Stop("bump", "D", stiffness=5.0, damping=0.1),
    gk.Contact("stop", ("ground", "coupler"), (1.5, 1.9), 0.4, line=((-9.0, 1.2), (9.0, 1.2)), stiffness=50.0),
    gk.Contact("rail", ("coupler", "rocker"), (2.9, 1.5), 0.3, line=((0.0, 2.2), (3.0, 1.4)), stiffness=9.0),
]


def planar() -> gk.Mechanism:
    bodies = [
        "ground",
        gk.Body("crank", mass=1.0, center=(0.1, 0.5), inertia=0.1),
        gk.Body("coupler", mass=2.0, center=(1.4, 2.0), inertia=0.2, points={"P": (1.0, 3.0)}),
        gk.Body("rocker", mass=1.5, center=(2.9, 1.2), inertia=30.0, about="D"),
    ]
    ranges = {"D": (-0.05, 0.1)}
    joints = [gk.Joint(name, "R", ends, point=name, range=ranges.get(name)) for name, ends in ENDS.items()]
    return gk.Mechanism(
        2,
        bodies,
        joints,
        [gk.Driver("A", gk.Harmonic(0.4, 0.7, phase=0.3))],
        points=POINTS,
        name="four bars",
        units=Units("mm", "deg"),
        outputs={"reach": "{position P.x} - 3 mm"},
        gravity=(0.0, -9.81),
        forces=FORCES,
    )


def spatial() -> gk.Mechanism:
    mechanism = gk.load(EXAMPLES / "spatial_four_bar.toml")
    loaded = {
        "crank": {"mass": 1.0, "center": (0.01, -0.02, 0.005), "inertia": (0.01, 0.012, 0.014)},
        "rod": {
            "mass": 2.0,
            "center": (0.07, -0.03, 0.01),
            "inertia": {"xx": 0.02, "yy": 0.03, "zz": 0.03, "xy": 0.004},
        },
        "slider": {"mass": 0.5, "center": "C", "inertia": 0.01},
    }
    bodies = [replace(body, **loaded.get(body.name, {})) for body in mechanism.body.values()]  # type: ignore[arg-type]
    forces = [
        gk.Torque("twist", "rod", (0.3, 0.1, -0.2), axes="rod"),
        gk.Torque("plain", "rod", (0.1, 0.2, 0.3)),
        gk.Force("push", "rod", (0.1, -0.02, 0.03), (4.0, 1.0, 2.0), axes="crank"),
        gk.Spring("pull", ("slider", "rod"), ((0.1, 0.1, 0.1), (0.02, 0.0, 0.1)), stiffness=30.0),
    ]
    return replace(mechanism, bodies=bodies, forces=forces, gravity=(0.0, 0.0, -9.81))


CASES: dict[str, tuple[Callable[[], gk.Mechanism], list[str], list[float]]] = {
    "plane, nominal": (planar, ["length crank A-B", "C@coupler.x"], [0.0, 0.0]),
    "plane": (planar, ["length crank A-B", "C@coupler.x"], [0.05, 0.1]),
    "plane, frame": (planar, ["D@ground", "length rocker C-D"], [0.1, -0.2, 0.04]),
    "space": (spatial, ["joint guide@ground"], [0.0, 0.0, 0.007]),
    "space, crank": (spatial, ["B@crank"], [0.004, -0.003, 0.006]),
}


@pytest.mark.parametrize("case", CASES)
def test_loads_of_a_changed_mechanism_are_those_of_the_design(case: str, tmp_path: Path) -> None:
    """Reactions and driving forces, which `design.solve` finds without moving anything."""
    make, parameters, change = CASES[case]
    of = gk.design(make(), parameters)
    values = of.nominal + change
    mechanism = of.mechanism(values)
    gk.save(mechanism, tmp_path / "changed.toml")
    wanted = gk.inverse_dynamics(of.solve(values, TIMES))
    for changed in (mechanism, gk.load(tmp_path / "changed.toml")):
        found = gk.inverse_dynamics(gk.solve(changed, TIMES))
        scale = np.abs(wanted.driver("A")).max()
        assert np.abs(found.driver("A") - wanted.driver("A")).max() < 1e-9 * scale
        for joint in ("A", "B"):
            one, other = found.reaction(joint), wanted.reaction(joint)
            assert np.abs(one.force - other.force).max() < 1e-9 * np.abs(other.force).max()
        for name in [load.name for load in changed.forces if load.name != "torsion"]:
            one, other = (np.asarray(each.force(name)) for each in (found, wanted))
            assert np.abs(one - other).max() <= 1e-9 * np.abs(other).max()


GEOMETRY = {"point", "points", "axis", "axes", "reference", "origin", "lengths", "center", "inertia", "about", "line"}


def rest(mechanism: gk.Mechanism) -> dict[str, Any]:
    """All that is not geometry of the reference configuration."""
    data = as_data(mechanism)
    del data["points"]
    for load in data.get("forces", []):
        load.pop("length", None)
        if load.pop("axes", "") in mechanism.body:
            del load["force"]
    for key in ("bodies", "joints", "forces"):
        tables = [each if isinstance(each, dict) else {"name": each} for each in data.get(key, [])]
        data[key] = [{name: x for name, x in each.items() if name not in GEOMETRY} for each in tables]
    return data


def designed(mechanism: gk.Mechanism) -> gk.Mechanism:
    of = gk.design(mechanism, ["length crank A-B"])
    return of.mechanism(of.nominal + 0.03)


def fitted(mechanism: gk.Mechanism) -> gk.Mechanism:
    of = gk.design(mechanism, ["P@coupler"])
    targets = gk.solve(mechanism, [0.0, 0.2]).position("P") + 0.01
    return gk.fit(of, {"position P": targets}, [0.0, 0.2], ranges=False, starts=1).mechanism()


def balanced(mechanism: gk.Mechanism) -> gk.Mechanism:
    found = gk.counterweights(mechanism, {"crank": 0.3}, TIMES).mechanism
    masses = {body.name: body.mass for body in mechanism.body.values()}
    return replace(found, bodies=[replace(body, mass=masses[body.name]) for body in found.body.values()])


def driven_alike(mechanism: gk.Mechanism) -> gk.Mechanism:
    law = mechanism.drivers[0].law
    assert law is not None
    return redrive(redrive(mechanism, {"joint D": gk.Ramp(1.0)}), {"joint A": law})


CHANGES = {"design": designed, "fit": fitted, "counterweights": balanced, "redrive": driven_alike}


@pytest.mark.complete
@pytest.mark.parametrize("change", CHANGES)
def test_what_is_not_changed_stays(change: str) -> None:
    mechanism = planar()
    assert rest(CHANGES[change](mechanism)) == rest(mechanism)


def test_loads_move_with_bodies_that_are_assembled() -> None:
    """A center, and ends of forces, by coordinates are where those by names are."""

    def torque(center: Any, end: Any) -> Any:
        joints = [gk.Joint(name, "R", ends, point=name) for name, ends in ENDS.items() if name != "C"]
        joints.append(gk.Joint("C", "R", ENDS["C"], points=((3.0, 2.5), (3.3, 2.5))))
        rocker = gk.Body("rocker", mass=1.5, center=center, inertia=3.0, points={"G": (2.5, 1.5), "E": (3.2, 0.7)})
        pull = gk.Spring("pull", ("ground", "rocker"), ("A", end), stiffness=10.0, length=1.0)
        points = {name: at for name, at in POINTS.items() if name != "C"}
        bodies, drivers = ["ground", "crank", "coupler", rocker], [gk.Driver("A", gk.Ramp(1.0))]
        open_one = gk.Mechanism(2, bodies, joints, drivers, points=points, gravity=(0.0, -9.81), forces=[pull])
        return gk.inverse_dynamics(gk.solve(open_one, TIMES, assemble=True)).driver("A")

    np.testing.assert_allclose(torque((2.5, 1.5), (3.2, 0.7)), torque("G", "E"), rtol=1e-12)


def test_what_cannot_be_stated_anew_is_refused() -> None:
    bushing = gk.Bushing("soft", ("ground", "coupler"), (1.0, 2.0), stiffness=10.0)
    own = gk.Force("own", "coupler", "C", function=lambda t, *_: (1.0, 0.0), axes="coupler")
    for load in (bushing, own):
        of = gk.design(replace(planar(), forces=[load]), ["length crank A-B"])
        with pytest.raises(NotModeledError, match=f"{load.name}.* use the motion of design.solve"):
            of.mechanism(of.nominal + 0.05)


def test_a_fit_keeps_the_driver_and_times_of_its_file(tmp_path: Path) -> None:
    source = (EXAMPLES / "coupler_curve.fit.toml").read_text().replace("starts = 16", "starts = 1")
    mechanism = (EXAMPLES / "coupler_curve.toml").read_text()
    (tmp_path / "coupler_curve.toml").write_text(f'description = "of a fit"\n{mechanism}')
    file, out = tmp_path / "few.fit.toml", tmp_path / "found.toml"
    file.write_text(source)
    result = CliRunner().invoke(main, ["fit", str(file), "--out", str(out)])
    assert result.exit_code == 0, result.output
    before, after = gk.read(tmp_path / "coupler_curve.toml"), gk.read(out)
    assert rest(after.mechanism) == rest(before.mechanism)
    assert (after.motion, after.description, after.units) == (before.motion, "of a fit", before.units)
    assert "rate = 360" in out.read_text()


def test_the_motion_of_a_fit_is_over_its_driver(tmp_path: Path) -> None:
    mechanism = planar()
    of, at = gk.design(mechanism, ["P@coupler"]), [0.0, 0.2]
    found = gk.fit(of, {"position P": gk.solve(mechanism, at).position("P")}, at, ranges=False, starts=1)
    assert found.design is of
    motion = found.motion(5)
    np.testing.assert_allclose(motion.joint("A")[0], np.linspace(0.0, 0.2, 5), atol=1e-12)
    np.testing.assert_array_equal(motion.times, np.arange(5.0))
    gk.animate(motion, tmp_path / "page.html")
    assert '"clock":"steps"' in (tmp_path / "page.html").read_text().replace(" ", "")
