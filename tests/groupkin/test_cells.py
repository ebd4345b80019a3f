"""Everything that a cell of a notebook returns shows itself: on a line or two of text, and results as HTML."""

from __future__ import annotations

import inspect
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest

import cluster
import groupkin as gk
import routes
from groupkin.arguments import Undeclared
from groupkin.showing import CELLS, brief
from tests.support.paths import EXAMPLES

LONGEST = 200
"""Characters of a dataclass that is shown by its fields."""

FOUR, PRESS = EXAMPLES / "four_bar.toml", EXAMPLES / "eccentric_press.toml"
MANY = np.linspace(0.0, 1.0, 101)
ROUND = np.stack([np.cos(2 * np.pi * MANY[:-1]), np.sin(2 * np.pi * MANY[:-1])], axis=1)


@cache
def motion() -> gk.Motion:
    return gk.solve(FOUR)


@cache
def design() -> gk.Design:
    return gk.design(FOUR, ["length crank A-B", "P@coupler"])


def pendulum() -> gk.Mechanism:
    pin = gk.Joint("A", "R", ("frame", "arm"), point=(0, 0))
    return gk.Mechanism(2, ["frame", gk.Body("arm", mass=1.0, center=(0.0, -1.0))], [pin], gravity=(0, -9.81))


@cache
def workspace() -> gk.Workspace:
    bodies = ["frame", "upper", gk.Body("fore", points={"P": (1.5, 0.3)})]
    joints = [
        gk.Joint("A", "R", ("frame", "upper"), point=(0, 0)),
        gk.Joint("B", "R", ("upper", "fore"), point=(1, 0)),
    ]
    drivers = [gk.Driver("A", gk.Constant(0.0)), gk.Driver("B", gk.Constant(0.0))]
    return gk.workspace(gk.Mechanism(2, bodies, joints, drivers), "position P", steps=31)


def sequence() -> gk.Sequence:
    return gk.Sequence([gk.Rise("cycloid", 0.01, 1.0), gk.Dwell(0.5), gk.Rise("cycloid", -0.01, 1.0), gk.Dwell(0.5)])


def follower_law() -> gk.Sequence:
    quarter = np.pi / 2
    return gk.Sequence(
        [gk.Rise("cycloid", 0.01, quarter), gk.Dwell(quarter), gk.Rise("cycloid", -0.01, quarter), gk.Dwell(quarter)],
        periodic=True,
    )


def cam() -> gk.CamProfile:
    return gk.cam_profile(follower_law(), gk.Follower(radius=0.005), 0.03)


def imported() -> gk.ImportedModel:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "four_bar.xml"
        gk.export_mjcf(FOUR, path)
        return gk.import_model(path)


BOTH = ("frame", "arm")
THINGS: dict[str, Callable[[], Any]] = {
    "Along": lambda: gk.Along(("A", "B"), 0.1),
    "AssemblyMode": lambda: gk.AssemblyMode("rocker"),
    "AssemblyModes": lambda: gk.assembly_modes(FOUR),
    "Atlas": lambda: gk.atlas(6),
    "Axis": lambda: gk.Axis("A", "crank"),
    "Body": lambda: gk.load(FOUR).bodies[2],
    "Branch": lambda: gk.limits(FOUR).branches[0],
    "Bushing": lambda: gk.Bushing("b", BOTH, (0.0, 0.0), 1e5),
    "CamCurve": lambda: cam().curve,
    "CamProfile": cam,
    "Chain": lambda: list(gk.generate_chains(8))[-1],
    "Circles": lambda: gk.Circles(("A", "B"), (1.0, 1.0)),
    "Circuit": lambda: gk.limits(FOUR).circuits[0],
    "Constant": lambda: gk.Constant(1.0),
    "Closure": lambda: gk.closure(FOUR),
    "ConstantVelocity": lambda: gk.ConstantVelocity(1.0, 1.0),
    "Contact": lambda: gk.Contact("c", BOTH, curves=(gk.Curve(ROUND), gk.Curve(ROUND)), stiffness=1e6),
    "Counterweights": lambda: gk.counterweights(PRESS, {gk.load(PRESS).movable[0]: 0.1}),
    "ContactLoss": lambda: gk.ContactLoss("A", "pull", 0.0, 1.0, 2.0, 0.5),
    "Coupling": lambda: gk.Coupling("c", "{joint A} - {joint D}"),
    "Crossing": lambda: gk.Crossing((("A", "B"), ("C", "D"))),
    "Curve": lambda: gk.Curve(ROUND),
    "Design": design,
    "Designs": lambda: design().solve(np.outer([1.0, 1.01], design().nominal), MANY, keep=["position P"]),
    "Differences": lambda: gk.compare(motion()),
    "Driver": lambda: replace(gk.load(FOUR).drivers[0], law=sequence()),
    "Dwell": lambda: gk.Dwell(1.0),
    "Event": lambda: gk.Event("down", "joint A"),
    "Examples": gk.examples,
    "Field": lambda: gk.field(workspace().program, "conditioning", {"A": (0, 1), "B": (1, 2)}, steps=4),
    "Fit": lambda: gk.fit(EXAMPLES / "coupler_curve.fit.toml", starts=1),
    "Follower": lambda: gk.Follower(radius=0.01),
    "Foot": lambda: gk.Foot("A", ("B", "C")),
    "Force": lambda: gk.Force("f", "arm", (0.0, 0.0), (1.0, 0.0)),
    "Forces": lambda: gk.inverse_dynamics(PRESS),
    "Fourier": lambda: gk.Fourier(1.0, MANY, MANY),
    "Friction": lambda: gk.Friction("f", "A", 0.1),
    "GlobalMotion": lambda: gk.solve_globally(FOUR),
    "Group": lambda: gk.analyze(EXAMPLES / "stewart_forward.toml").groups[-1],
    "Harmonic": lambda: gk.Harmonic(1.0, 1.0),
    "Harmonics": lambda: gk.harmonics(np.cos(2 * np.pi * MANY)),
    "ImportedModel": imported,
    "Jacobian": lambda: gk.jacobian(motion(), "position P"),
    "Joint": lambda: gk.load(EXAMPLES / "cam_roller.toml").joints[-1],
    "JointForce": lambda: gk.JointForce("f", "A", 1.0),
    "JointFriction": lambda: gk.JointFriction("f", "A", 0.1),
    "JointInertia": lambda: gk.JointInertia("j", "A", 0.1),
    "JointPoint": lambda: gk.JointPoint("A", "crank"),
    "JointSpring": lambda: gk.JointSpring("s", "A", stiffness=1.0),
    "LawValue": lambda: gk.LawValue("A", "rate"),
    "Length": lambda: gk.Length("crank", ("A", "B")),
    "Limit": lambda: gk.limits(EXAMPLES / "jansen_leg.toml").limits[0],
    "Limits": lambda: gk.limits(EXAMPLES / "jansen_leg.toml"),
    "Linearization": lambda: gk.equilibrium(pendulum(), {"A": 0.1}),
    "Link": lambda: gk.Link(("o", "z", "x")),
    "LoadNumber": lambda: gk.LoadNumber("mass", "arm"),
    "Mechanism": lambda: gk.load(FOUR),
    "Mirrored": lambda: gk.Mirrored("A", ("B", "C")),
    "Mode": lambda: gk.assembly_modes(EXAMPLES / "jansen_leg.toml").modes[-1],
    "Motion": motion,
    "NamedValue": lambda: gk.NamedValue("l"),
    "Over": lambda: gk.Over("A", sequence()),
    "Part": lambda: gk.Part(gk.load(FOUR), "left", (0.0, 0.0)),
    "PeriodicMotion": lambda: gk.periodic_motion(pendulum(), 2.1, {"A": 0.5}),
    "Point": lambda: gk.Point("P", "coupler"),
    "Polar": lambda: gk.Polar("A", 1.0, 1.0),
    "Polynomial": lambda: gk.Polynomial(MANY),
    "Program": lambda: gk.program(FOUR),
    "Quantity": lambda: gk.quantity("position P.x", FOUR),
    "Ramp": lambda: gk.Ramp(1.0),
    "Reach": lambda: gk.Reach("A", 1.0, ("B", "C")),
    "Region": lambda: workspace().regions[0],
    "Robot": lambda: gk.Robot("P", by=("A", "B"), stiffness={"A": 1e4, "B": 1e4}, errors={"A": 1e-4}),
    "Rise": lambda: gk.Rise("cycloid", 1.0, 1.0),
    "Samples": lambda: gk.Samples(MANY, MANY, 0.0 * MANY + 1.0, 0.0 * MANY),
    "Section": lambda: workspace().sections[0],
    "Sequence": follower_law,
    "Shape": lambda: gk.Shape("rod.stl"),
    "Shifted": lambda: gk.Shifted("A", (1.0, 0.0)),
    "Simulations": lambda: gk.simulate_many(pendulum(), [0.0, 0.01], {"A": [0.1, 0.2]}),
    "Solid": lambda: gk.Solid.box((0, 0, 0.5), (1, 1, 1)),
    "Spline": lambda: gk.Spline(MANY, MANY**2),
    "Spring": lambda: gk.Spring("s", BOTH, ((0, 0), (1, 0)), 1.0),
    "Stop": lambda: gk.Stop("s", "A"),
    "Structure": lambda: gk.analyze(EXAMPLES / "stewart_inverse.toml"),
    "Suspension": lambda: gk.Suspension("center", "axis", "contact", spring=("upper", "lower")),
    "Tolerance": lambda: design().tolerance({"length crank A-B": 1e-4}, MANY, keep=["position P"]),
    "Torque": lambda: gk.Torque("t", "arm", 1.0),
    "Transformation": lambda: gk.transform(EXAMPLES / "stewart_inverse.toml").structures[0],
    "Transformations": lambda: gk.transform(FOUR),
    "Turned": lambda: gk.Turned("A", "B", 1.0),
    "Units": gk.Units,
    "Value": lambda: gk.Value("l", 1.0),
    "Workspace": workspace,
}
"""One object of every public class, of those that may be long a long one."""

SHOWN_BY_TEXT = {"Closure", "GlobalMotion", "Quantity"}
"""Classes that functions return and that are one line of text."""


def classes() -> set[str]:
    found = {name for name in gk.__all__ if inspect.isclass(getattr(gk, name))}
    return {name for name in found if not issubclass(getattr(gk, name), Exception)}


def test_an_object_of_every_public_class_is_looked_at() -> None:
    assert set(THINGS) == classes()
    for name, make in THINGS.items():
        assert type(make()) is getattr(gk, name)


@pytest.mark.complete
@pytest.mark.parametrize("name", THINGS)
def test_no_object_is_shown_by_a_long_dump(name: str) -> None:
    """Those with a representation of their own are shown by it, which begins with their name in words."""
    text = repr(THINGS[name]())
    dumped = re.match(rf"{name}\(|<?groupkin", text)
    assert not dumped or len(text) <= LONGEST, text


@pytest.mark.complete
@pytest.mark.parametrize("name", sorted(CELLS.keys() & set(THINGS)))
def test_results_show_themselves_in_cells(name: str) -> None:
    page = THINGS[name]()._repr_html_()
    assert re.search("<table|<svg|<img|<iframe", page)
    assert page.count("<table") == page.count("</table>")
    assert "groupkin.kinematics" not in page


def test_every_class_that_public_functions_return_is_shown() -> None:
    returned = set()
    for package in (gk, routes, cluster):
        for name in package.__all__:
            function = getattr(package, name)
            if inspect.isfunction(function):
                missing: dict[str, type] = {}
                while True:
                    try:
                        kind = get_type_hints(function, None, missing).get("return")
                        break
                    except NameError as error:
                        missing[str(error.name)] = Undeclared
                returned |= {kind.__name__} & classes() if inspect.isclass(kind) else set()
    assert returned - SHOWN_BY_TEXT <= set(CELLS), returned - set(CELLS)
    assert len(returned) > 20


def test_results_are_shown_where_nothing_can_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    page = workspace()._repr_html_()
    assert "<table" in page
    assert "<svg" not in page


def test_a_workspace_and_a_cam_are_drawn() -> None:
    assert "<svg" in workspace()._repr_html_()
    assert "<svg" in cam()._repr_html_()


def test_a_file_shows_its_mechanism_and_times() -> None:
    file = gk.read(FOUR)
    assert repr(file) == "<MechanismFile Four-bar linkage: 361 times from 0 s to 1 s, in mm and degrees>"
    page = file._repr_html_()
    assert "361 times" in page
    assert "<svg" in page


def test_long_values_are_their_sizes() -> None:
    assert brief(gk.Polynomial([1.0, 2.0])) == repr(gk.Polynomial([1.0, 2.0])) == "Polynomial(coefficients=(1.0, 2.0))"
    assert repr(gk.Curve(ROUND, closed=True)) == "Curve(points=<100 values>, closed=True)"
