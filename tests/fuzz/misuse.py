"""Public functions and classes with right arguments, of which one or two are replaced by wrong ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

import cluster
import groupkin as gk
import routes
from tests.fuzz.watching import Maker, Pass, require_closed, require_finite
from tests.support.mechanisms import FOUR_BAR
from tests.support.paths import EXAMPLES

CURVE = gk.load(EXAMPLES / "coupler_curve.toml")
SLIDER = gk.load(EXAMPLES / "slider_crank.toml")
TIMES = np.linspace(0.0, 0.1, 4)

SELF: list[Any] = []
SELF.append(SELF)

WRONG: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 5, 2.5, -0.0, 1e-300, 1e60, 1e308, float("nan"), float("inf"), 3 + 4j),
    *(10**9, 10**12, 2**63, 10**400, 10**5000, -(10**400)),
    *(
        "",
        "a",
        "A",
        "crank",
        "ground",
        "x" * 600,
        "\x1b[2J",
        "two\nlines",
        "nul\x00",
        "\ud800",
        "$\\frac{$",
        "9" * 5000,
    ),
    *(b"bytes", Path("nowhere.toml"), Path("nul\x00"), object(), object, print, lambda *_: 1, iter([1]), range(3)),
    *(
        [],
        [1],
        [1, 2],
        [1, 2, 3],
        [None],
        ["a"],
        [[1, 2], [3]],
        [10**400],
        SELF,
        (),
        {},
        {"a": 1},
        {1: 2},
        {"crank": 99},
    ),
    *(set(), {1}, frozenset({"a"}), slice(2), np.array(3.0), np.array([]), np.zeros((2, 2)), np.array([1, np.nan])),
    *(np.array(["a", "b"]), np.array([1 + 2j]), np.array([None, 1]), np.array([b"x"]), np.datetime64("2020-01-01")),
    *(np.ma.masked_array([0.0, 1.0, 2.0], [False, True, False]), np.float32(0.5), np.int8(3), np.bool_(True)),
    *(FOUR_BAR, gk.Ramp(1.0), gk.Body("b"), gk.Joint("j", "R", ("ground", "crank")), gk.Driver("a")),
)


class Call(NamedTuple):
    """A public function, its right arguments, and what is done with its result."""

    name: str
    function: Callable[..., Any]
    arguments: dict[str, Any]
    use: Callable[[Any], object] = lambda result: None


def maker(folder: Path) -> Maker:
    """Prepare right calls; returns what takes one of them and makes it wrong."""
    right = calls(folder)

    def passes(random: Random, _: int) -> Iterator[Pass]:
        text, run = draw(right, random)
        yield Pass("misuse", text, run, text.encode(errors="replace"))

    return passes


def draw(calls: list[Call], random: Random) -> tuple[str, Callable[[], object]]:
    """Choose a call and wrong arguments for it; returns both in words, and a function that makes the call."""
    call = random.choice(calls)
    wrong = {
        name: _wrong(call.arguments[name], random)
        for name in random.choices(list(call.arguments), k=random.choice((1, 1, 2)))
    }
    text = ", ".join(f"{name}={_shown(value)}" for name, value in wrong.items())
    return f"{call.name}({text})", lambda: call.use(call.function(**(call.arguments | wrong)))


def _wrong(right: Any, random: Random) -> Any:
    """A wrong value: another one, or one inside of what is right."""
    if isinstance(right, (list, tuple)) and right and random.random() < 0.4:
        changed = list(right)
        changed[random.randrange(len(changed))] = random.choice(WRONG)
        return type(right)(changed)
    if isinstance(right, dict) and right and random.random() < 0.4:
        return right | {random.choice(list(right)): random.choice(WRONG)}
    return random.choice(WRONG)


def _shown(value: object) -> str:
    try:
        return repr(value)[:80]
    except ValueError:
        return f"<{type(value).__name__}>"


def _mechanism(joint: gk.Joint) -> object:
    """A mechanism of one joint, whose freedoms are all driven."""
    dimension = 3 if joint.type in ("U", "C", "H") else 2
    plain = gk.Mechanism(dimension, ["ground", "crank"], [joint])
    drivers = [gk.Driver(joint.name, freedom=freedom.name) for freedom in plain.freedoms(plain.joints[0])]
    return gk.analyze(gk.Mechanism(dimension, ["ground", "crank"], [joint], drivers))


def _coupled(coupling: gk.Coupling) -> object:
    """Two cranks that a coupling keeps together."""
    joints = [gk.Joint(name, "R", ("ground", name), point=(k, 0)) for k, name in enumerate("ad")]
    mechanism = gk.Mechanism(2, ["ground", "a", "d"], joints, [gk.Driver("a", gk.Ramp(1.0))], couplings=[coupling])
    return require_closed(gk.solve(mechanism, TIMES, on_failure="nan"))


def _driven(law: Any) -> None:
    """A four-bar driven by a law, at few steps."""
    mechanism = gk.Mechanism(2, FOUR_BAR.bodies, FOUR_BAR.joints, [gk.Driver("a", law)], points=FOUR_BAR.points)
    require_closed(gk.solve(mechanism, TIMES, on_failure="nan"))


PENDULUM = gk.Mechanism(
    2,
    ["frame", gk.Body("arm", mass=1.0, center=(0.0, -1.0))],
    [gk.Joint("pin", "R", ("frame", "arm"), point=(0.0, 0.0))],
    gravity=(0.0, -9.81),
)


ARM = gk.Mechanism(
    2,
    ["ground", "upper arm", "forearm"],
    [
        gk.Joint("shoulder", "R", ("ground", "upper arm"), (0, 0)),
        gk.Joint("elbow", "R", ("upper arm", "forearm"), (1, 0)),
    ],
    [gk.Driver("shoulder", gk.Constant(0.0)), gk.Driver("elbow", gk.Constant(0.0))],
)


def _passed(time: float) -> None:
    """Take notice of progress."""


def _forces() -> list[Call]:
    """Forces, masses and what is computed with them."""
    between = {"between": ("ground", "coupler"), "points": [(0.0, 3.0), "P"], "stiffness": 2.0, "length": 1.0}
    body = gk.Body("coupler", points=["P"], mass=1.0, center="P", inertia=0.1)
    ranged = [replace(joint, range=(-9.0, 9.0)) if joint.name == "b" else joint for joint in FOUR_BAR.joints]
    heavy = gk.Mechanism(2, ["ground", "crank", body, "rocker"], ranged, FOUR_BAR.drivers, points=FOUR_BAR.points)
    moved = gk.solve(heavy, TIMES)
    found = gk.inverse_dynamics(moved)

    def acting(load: Any) -> None:
        mechanism = gk.Mechanism(2, heavy.bodies, heavy.joints, heavy.drivers, points=heavy.points, forces=[load])
        require_finite(gk.inverse_dynamics(mechanism, TIMES))

    return [
        Call(
            "inverse_dynamics",
            gk.inverse_dynamics,
            {
                "mechanism": moved,
                "times": None,
                "actuators": ["a"],
                "velocities": True,
                "keep": ["b"],
                "loads": np.ones((3, 3)),
                "weights": [1.0],
                "length": 2.0,
            },
            require_finite,
        ),
        Call(
            "counterweights",
            gk.counterweights,
            {"mechanism": heavy, "arms": {"crank": 0.5}, "times": TIMES, "length": 2.0, "about": (0.0, 1.0)},
            repr,
        ),
        Call("harmonics", gk.harmonics, {"values": [0.0, 1.0, 0.0, -1.0, 0.0], "orders": 1}, repr),
        Call("Forces.determined", found.determined, {"joint": "b", "at": "crank", "axes": "coupler"}, repr),
        Call("Forces.rate", found.rate, {"name": "a"}, repr),
        Call(
            "simulate",
            partial(gk.simulate, PENDULUM, [0.0, 0.1]),  # long times are no mistake
            {
                "start": {"pin": (0.1, 0.2)},
                "method": "DOP853",
                "rtol": 1e-6,
                "atol": 1e-6,
                "events": [gk.Event("low", "pin")],
                "ranges": "end",
                "on_singular": "fail",
                "on_failure": "raise",
                "resume": False,
                "assemble": False,
                "progress": _passed,
            },
            require_closed,
        ),
        Call(
            "simulate in steps",
            partial(gk.simulate, PENDULUM, [0.0, 0.1]),
            {"start": {"pin": (0.1, 0.2)}, "method": "explicit", "step": 0.01},
            require_closed,
        ),
        Call("equilibrium", gk.equilibrium, {"mechanism": PENDULUM, "start": {"pin": 0.1}, "time": 0.0}, repr),
        Call("linearize", gk.linearize, {"mechanism": PENDULUM, "at": {"pin": 0.1}, "time": 0.0}, repr),
        Call(
            "periodic_motion", gk.periodic_motion, {"mechanism": PENDULUM, "period": 1.0, "start": {"pin": 0.1}}, repr
        ),
        Call("Spring", gk.Spring, {"name": "s", **between, "damping": 1.0, "preload": 1.0}, acting),
        Call(
            "JointSpring",
            gk.JointSpring,
            {"name": "s", "joint": "a", "freedom": "angle", "stiffness": 1.0, "position": 0.0, "damping": 1.0},
            acting,
        ),
        Call(
            "Force",
            gk.Force,
            {"name": "f", "body": "coupler", "point": "P", "force": (1.0, 2.0), "law": gk.Ramp(1.0), "axes": "crank"},
            acting,
        ),
        Call("Torque", gk.Torque, {"name": "f", "body": "coupler", "torque": 1.0, "law": None, "axes": ""}, acting),
        Call("JointForce", gk.JointForce, {"name": "f", "joint": "b", "force": 1.0, "freedom": None}, acting),
        Call(
            "JointForce of a function",
            gk.JointForce,
            {"name": "f", "joint": "b", "function": _pulled, "of": ()},
            acting,
        ),
        Call(
            "Spring of a function",
            gk.Spring,
            {"name": "s", **between, "function": _pulled, "of": ("velocity P", "joint a")},
            acting,
        ),
        Call("JointFriction", gk.JointFriction, {"name": "f", "joint": "b", "force": 1.0, "damping": 0.1}, acting),
        Call("JointInertia", gk.JointInertia, {"name": "j", "joint": "b", "inertia": 0.1}, acting),
        Call(
            "Stop", gk.Stop, {"name": "s", "joint": "b", "freedom": "angle", "stiffness": 1.0, "damping": 0.1}, acting
        ),
        Call("Friction", gk.Friction, {"name": "f", "joint": "b", "coefficient": 0.1, "radius": 0.1}, acting),
        Call(
            "Bushing",
            gk.Bushing,
            {"name": "f", "between": ("ground", "coupler"), "point": "P", "stiffness": (1.0, 2.0), "torsion": 1.0},
            acting,
        ),
        Call(
            "Contact",
            gk.Contact,
            {
                "name": "f",
                "between": ("ground", "coupler"),
                "point": "P",
                "radius": 0.1,
                "line": ((0.0, -9.0), (1.0, -9.0)),
                "stiffness": 1.0,
            },
            acting,
        ),
        Call(
            "Contact of curves",
            gk.Contact,
            {"name": "f", "between": ("ground", "coupler"), "curves": (GROUND, OUTLINE), "stiffness": 1.0, "side": ""},
            acting,
        ),
        Call(
            "Body about", partial(gk.Body, "b"), {"mass": 1.0, "center": (1, 2), "inertia": 9.0, "about": (1, 1)}, repr
        ),
        Call("Solid.rod", gk.Solid.rod, {"ends": ((0.0, 0.0), (1.0, 0.0)), "diameter": 0.1, "hole": 0.05}, repr),
        Call("Solid.box", gk.Solid.box, {"center": (0.0, 0.0), "size": (1.0, 1.0, 1.0)}, repr),
        Call("forces.reaction", found.reaction, {"joint": "a", "at": "P", "axes": "joint"}),
        Call("forces.shaking", found.shaking, {"about": (0.0, 1.0)}),
        Call("forces.driver", found.driver, {"name": "a"}),
        Call("forces.plot", found.plot, {"what": ["driver a"], "axes": None, "out": None, "width": 86.0}),
    ]


def _pulled(t: Any, x: Any) -> Any:
    return 0.1 * t + x[0]


GROUND = gk.Curve([(x, -3.0) for x in np.linspace(-9.0, 9.0, 9)])
OUTLINE = gk.Curve([(3.0 * np.cos(x), 3.0 * np.sin(x)) for x in np.arange(0.0, 6.0, 0.5)], True)
"""Of a contact: a flat ground, and a disc."""


def _kept(keep: Any) -> None:
    """A sweep that keeps something."""
    parameter = cluster.Parameter(cluster.Point("P", "coupler", "x"), cluster.Grid([0.0, 0.1]), relative=True)
    cluster.solve(cluster.sweep(FOUR_BAR, [parameter], TIMES, [keep]))


def _varied(varies: Any) -> None:
    """A sweep in which a coordinate varies somehow."""
    keep = [cluster.Minimum(cluster.Quantity("position", "P", "x"))]
    sweep = cluster.sweep(FOUR_BAR, [cluster.Parameter(cluster.Point("P", "coupler", "x"), varies)], TIMES, keep)
    if sweep.samples <= 1000:
        cluster.solve(sweep)


def _targeted(target: Any, mechanism: gk.Mechanism = FOUR_BAR, body: str = "P") -> None:
    """A sweep that varies something."""
    second = 2.0 if isinstance(target, cluster.AssemblyMode) else 1.1
    parameter = cluster.Parameter(target, cluster.Grid([1.0, second]))
    cluster.solve(cluster.sweep(mechanism, [parameter], TIMES, [cluster.PathLength(body)]))


def _progress(done: int, of: int) -> None:
    """Do nothing with the numbers of steps or samples."""


def calls(folder: Path) -> list[Call]:
    """List the public interface with right arguments."""
    program, structure = gk.program(FOUR_BAR), gk.analyze(FOUR_BAR)
    motion, costs = gk.solve(program, TIMES), routes.guess_costs(structure)
    quantity = cluster.Quantity("position", "P", "x")
    parameter = cluster.Parameter(cluster.Point("P", "coupler", "x"), cluster.Grid([0.0, 0.1]), relative=True)
    sweep = cluster.sweep(FOUR_BAR, [parameter], TIMES, [cluster.Minimum(quantity)])
    route = routes.parse_route("1 > 2", structure)
    described = {
        "dimension": 2,
        "bodies": list(FOUR_BAR.bodies),
        "joints": list(FOUR_BAR.joints),
        "drivers": list(FOUR_BAR.drivers),
        "points": dict(FOUR_BAR.points),
        "frame": "ground",
        "name": "four-bar",
        "modes": {"rocker": 1},
        "outputs": {"lean": "{angle crank} + 90 deg"},
    }
    joint = {"name": "A", "type": "R", "bodies": ("ground", "crank"), "point": (0.0, 0.0), "reference": 0.0}
    spatial = {
        "name": "A",
        "type": "H",
        "bodies": ("ground", "crank"),
        "point": (0, 0, 0),
        "axis": (0, 0, 1),
        "pitch": 0.1,
    }
    universal = {
        "name": "A",
        "type": "U",
        "bodies": ("ground", "crank"),
        "point": (0, 0, 0),
        "axes": ((1, 0, 0), (0, 1, 0)),
    }
    circle = [[np.cos(x), np.sin(x)] for x in np.arange(0, 6, 0.5)]
    cam = {
        "name": "A",
        "type": "L",
        "bodies": ("ground", "crank"),
        "curve": gk.Curve(circle, True),
        "point": (1.0, 0.0),
        "radius": 0.1,
    }
    turned = {
        "law": gk.Harmonic(0.1, 0.5 / np.pi, offset=0.1),
        "follower": gk.Follower("edge"),
        "base": 1.0,
        "clockwise": True,
        "center": (0.5, 0.0),
        "axis": (0.0, 1.0),
        "mirrored": True,
        "count": 36,
    }
    gears = {"name": "A", "type": "EO", "bodies": ("ground", "crank"), "points": ((0, 0), (3, 0)), "radii": (1.0, 2.0)}
    rows = ["-R-R", "R-R-", "-R-R", "R-R-"]
    chain = next(gk.generate_chains(6))
    known = [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    restricted: dict[str, Any] = {
        "driven": (),
        "forbid": (),
        "only": (),
        "at_frame": False,
        "types": (),
        "at_most": None,
    }
    searched = {"fixed": None, "sort": ("groups",), "measures": None, "merge": True, "budget": 100}
    samples = {"times": [0.0, 1.0, 2.0, 3.0], "values": [0.0, 1.0, 0.0, 1.0]}
    solving = {"mechanism": program, "times": TIMES, "on_failure": "nan", "block": 2, "assemble": False, "modes": None}
    return [
        Call("solve", gk.solve, {**solving, "out": None, "keep": ["crank.x"], "progress": _progress}, require_closed),
        Call("solve", gk.solve, {**solving, "out": motion}, require_closed),
        Call(
            "evaluate",
            program.evaluate,
            {
                "values": [[0.1, 0.2]],
                "rates": [[1.0, 2.0]],
                "accelerations": [[0.0, 0.0]],
                "start": motion,
                "path": True,
                "out": None,
            },
            require_closed,
        ),
        Call("rates", program.rates, {"motion": motion, "directions": [1.0]}),
        Call("rates_transposed", program.rates_transposed, {"motion": motion, "loads": np.ones((3, 3))}),
        Call("program", gk.program, {"mechanism": FOUR_BAR, "assemble": False, "modes": {"rocker": 1}}),
        Call("analyze", gk.analyze, {"mechanism": FOUR_BAR}),
        Call("load", gk.load, {"path": "nowhere.toml"}),
        Call("read", gk.read, {"path": Path("nowhere.toml")}),
        Call(
            "jacobian",
            gk.jacobian,
            {"motion": motion, "of": ["position P", "angle rocker"], "by": ["joint d"]},
            lambda found: found.singular_values(1.0),
        ),
        Call("design", gk.design, {"mechanism": program, "parameters": ["rate a"]}),
        Call(
            "design.solve",
            gk.design(program, ["rate a"]).solve,
            {"values": [1.0], "times": TIMES, "keep": ["angle rocker"]},
        ),
        Call("design.mechanism", gk.design(program, ["rate a"]).mechanism, {"values": [1.0]}),
        Call("limits", gk.limits, {"mechanism": program, "driver": "a", "start": -0.5, "stop": 0.5, "time": 0.0}, repr),
        Call("assembly_modes", gk.assembly_modes, {"mechanism": program, "time": 0.05}),
        Call(
            "fit",
            gk.fit,
            {
                "design": gk.design(CURVE, ["length rocker C-D"]),
                "targets": {"joint D": [0.0, 0.1]},
                "at": [0.0, 0.1],
                "shifted": False,
                "driver": "A",
                "span": (0.0, 1.0),
                "bounds": {"length rocker C-D": (0.02, 0.03)},
                "least": {"conditioning": 0.0},
                "ranges": True,
                "full_turn": False,
                "length": 1.0,
                "starts": 1,
                "seed": 0,
            },
        ),
        Call(
            "field",
            gk.field,
            {
                "program": gk.program(ARM),
                "value": "angle forearm",
                "over": {"joint shoulder": (0.0, 1.0), "joint elbow": (0.0, 1.0)},
                "at": {},
                "steps": 5,
            },
        ),
        Call(
            "plot_field",
            gk.plot_field,
            {
                "program": gk.program(ARM),
                "value": "angle forearm",
                "over": {"joint shoulder": (0.0, 1.0), "joint elbow": (0.0, 1.0)},
                "at": {},
                "steps": 5,
                "mark": 0.0,
                "width": 86.0,
            },
        ),
        Call("compare", gk.compare, {"motion": motion}),
        Call("max_residual", gk.max_residual, {"motion": motion}),
        Call("solve_globally", gk.solve_globally, {"mechanism": FOUR_BAR, "times": TIMES, "model": None}),
        Call("generate", gk.generate, {"assur_class": 2, "groups": 2, "seed": 1, "drive_last": False}, gk.analyze),
        Call(
            "generate_chains",
            gk.generate_chains,
            {"bars": 6, "mobility": 1},
            lambda chains: gk.analyze(next(chains).linkage(1, ["1-2"])),
        ),
        Call("Chain", gk.Chain, {"number": 1, "links": 3, "joints": ((1, 2), (1, 3), (2, 3))}, gk.driven_linkages),
        Call("linkage", chain.linkage, {"frame": 1, "driven": ["1-2"]}, gk.analyze),
        Call("driven_linkages", gk.driven_linkages, {"chain": chain, "at_frame": True}),
        Call(
            "atlas", gk.atlas, {"bars": 6, "mobility": 1, "at_frame": True, "sort": ["groups"], "progress": _progress}
        ),
        Call("sobol_indices", cluster.sobol_indices, {"values": np.arange(12.0), "parameters": 2}),
        Call("correlation_ratio", cluster.correlation_ratio, {"inputs": np.arange(12.0), "values": np.arange(12.0)}),
        Call("transform", gk.transform, {"mechanism": FOUR_BAR, **restricted, **searched}),
        Call("Mechanism", gk.Mechanism, described, lambda m: require_closed(gk.solve(m, TIMES, on_failure="nan"))),
        Call(
            "from_adjacency",
            gk.Mechanism.from_adjacency,
            {"matrix": rows, "known_inputs": known, "dimension": 2},
            gk.analyze,
        ),
        Call("Joint R", gk.Joint, joint, _mechanism),
        Call("Joint H", gk.Joint, spatial, _mechanism),
        Call("Joint U", gk.Joint, universal, _mechanism),
        Call("Joint L", gk.Joint, cam, _mechanism),
        Call("Joint EO", gk.Joint, gears, _mechanism),
        Call(
            "Coupling",
            gk.Coupling,
            {"name": "k", "equation": "{joint a} - {joint d}", "of": (), "table": (), "closed": False},
            _coupled,
        ),
        Call(
            "Coupling of two",
            gk.Coupling,
            {"name": "k", "of": ("joint a", "joint d"), "table": [(-1.0, -1.0), (0.0, 0.0), (9.0, 3.0)]},
            _coupled,
        ),
        Call(
            "Driver",
            gk.Driver,
            {"joint": "a", "law": gk.Ramp(1.0), "freedom": "angle", "between": None},
            lambda d: gk.analyze(gk.Mechanism(**described | {"drivers": [d]})),
        ),
        Call(
            "Body",
            gk.Body,
            {
                "name": "coupler",
                "origin": "B",
                "points": ["P"],
                "lengths": {("B", "C"): 3.3},
                "mass": 1.0,
                "center": "P",
                "inertia": 0.1,
            },
            lambda b: gk.analyze(gk.Mechanism(**described | {"bodies": ["ground", "crank", b, "rocker"]})),
        ),
        *_forces(),
        Call("Curve", gk.Curve, {"points": circle, "closed": True}, lambda curve: curve.spline),
        Call("CamCurve", gk.CamCurve, turned, lambda curve: curve.spline),
        Call("Constant", gk.Constant, {"value": 1.0}, _driven),
        Call("Ramp", gk.Ramp, {"rate": 1.0, "start": 0.0}, _driven),
        Call("Polynomial", gk.Polynomial, {"coefficients": [0.0, 1.0]}, _driven),
        Call("Harmonic", gk.Harmonic, {"amplitude": 1.0, "frequency": 1.0, "phase": 0.0, "offset": 0.0}, _driven),
        Call("Fourier", gk.Fourier, {"frequency": 1.0, "cosine": [1.0], "sine": [1.0], "offset": 0.0}, _driven),
        Call("Spline", gk.Spline, {**samples, "degree": 3, "periodic": False}, _driven),
        Call("Samples", gk.Samples, {**samples, "rates": [0.0] * 4, "accelerations": [0.0] * 4}, _driven),
        Call("law.at", gk.Ramp(1.0).at, {"times": TIMES}),
        Call("motion.to_xarray", motion.to_xarray, {"units": "file"}),
        Call("motion.joint", motion.joint, {"name": "a", "between": None}),
        Call("motion.point_on", motion.point_on, {"body": "crank", "local": (0.0, 1.0), "order": 0}),
        Call("motion.rotation_rate", motion.rotation_rate, {"body": "crank", "order": 1}),
        Call("motion.save", motion.save, {"path": folder / "motion.csv"}),
        *(
            Call(f"motion.{name}", getattr(motion, name), {"name": "crank"})
            for name in ("position", "velocity", "acceleration")
        ),
        *(
            Call(f"motion.{name}", getattr(motion, name), {"body": "crank"})
            for name in ("angle", "rotation", "angular_velocity")
        ),
        Call(
            "routes.solve",
            routes.solve,
            {**solving, "route": "sequential", "workers": 1, "split": "time", "cache": False},
            require_closed,
        ),
        Call(
            "routes.solve by two",
            routes.solve,
            {**solving, "workers": 2, "split": "time", "out": motion, "on_singular": "fail", "keep": ["crank.x"]},
            require_closed,
        ),
        Call(
            "routes.inverse_dynamics",
            routes.inverse_dynamics,
            {
                "mechanism": solving["mechanism"],
                "times": solving["times"],
                "actuators": None,
                "keep": ["b"],
                "loads": None,
                "weights": None,
                "route": "sequential",
                "workers": 1,
                "split": "time",
                "block": 2,
                "cache": False,
            },
        ),
        Call(
            "routes.stepper",
            routes.stepper,
            {"program": program, "route": "sequential", "workers": 1, "start": motion, "work": 1},
            lambda stepper: repr(stepper(np.zeros(1), np.zeros(1), np.zeros(1))),
        ),
        Call(
            "Stepper",
            routes.stepper(program),
            {"values": np.zeros(1), "rates": np.zeros(1), "accelerations": np.zeros(1)},
            repr,
        ),
        Call(
            "choose_route",
            routes.choose_route,
            {
                "program": program,
                "times": TIMES,
                "workers": 1,
                "route": "sequential",
                "split": "time",
                "block": 2,
                "cache": False,
            },
        ),
        Call("parse_route", routes.parse_route, {"text": "1 > 2", "structure": structure}),
        Call("tree", routes.tree, {"structure": structure}),
        Call("best", routes.best, {"structure": structure, "costs": costs, "workers": 2, "limit": 100}),
        Call("guess_costs", routes.guess_costs, {"structure": structure, "workers": 2, "block": 64}),
        Call(
            "predicted_cost", routes.predicted_cost, {"costs": costs, "route": route, "split": "groups", "teams": None}
        ),
        Call(
            "predict",
            routes.predict,
            {"structure": structure, "costs": costs, "workers": 4, "nodes": 2, "latency": 1e-6, "bandwidth": 1e9},
        ),
        Call("unstaged", routes.unstaged, {"structure": structure, "costs": costs, "workers": 2}),
        Call("threads", routes.threads, {"workers": 2}),
        Call("Route", routes.Route, {"stages": ((1,), (2,))}, lambda route: routes.predicted_cost(costs, route)),
        Call(
            "sweep",
            cluster.sweep,
            {
                "mechanism": FOUR_BAR,
                "parameters": [parameter],
                "times": TIMES,
                "keep": [cluster.Minimum(quantity)],
                "draws": 1,
                "method": "random",
                "seed": 0,
                "assemble": False,
                "source": None,
                "on_outside": "keep",
            },
        ),
        Call("cluster.solve", cluster.solve, {"sweep": sweep, "workers": 1, "chunk": 1, "progress": _progress}),
        Call("prepare", cluster.prepare, {"sweep": sweep}),
        Call("solve_chunk", cluster.solve_chunk, {"prepared": cluster.prepare(sweep), "start": 0, "stop": 2}),
        Call("read_sweep", cluster.read_sweep, {"path": "nowhere.toml"}),
        Call("report", cluster.report, {"path": folder / "nowhere.zarr", "by": None, "top": 3, "sensitivity": True}),
        Call(
            "Quantity",
            cluster.Quantity,
            {"kind": "position", "of": "P", "component": "x"},
            lambda q: _kept(cluster.Minimum(q)),
        ),
        Call("quantity", gk.quantity, {"text": "velocity P.norm", "mechanism": FOUR_BAR}, motion.read),
        Call("parameter", gk.parameter, {"text": "C@coupler.x", "mechanism": program}),
        Call("nominal_value", gk.nominal_value, {"parameter": "length crank A-B", "mechanism": program}),
        Call("read", motion.read, {"quantity": "joint_rate c"}),
        Call("joint_rate", motion.joint_rate, {"name": "c"}),
        Call("draw", gk.draw, {"what": motion, "out": folder / "leg.svg", "kind": "mechanism", "time": 0.05}),
        Call(
            "plot",
            gk.plot,
            {
                "motion": motion,
                "quantities": ["joint c", "P.x"],
                "against": "joint a",
                "out": folder / "p.svg",
                "width": 86,
            },
        ),
        Call("TimeHistory", cluster.TimeHistory, {"of": quantity, "name": "a"}, _kept),
        Call("At", cluster.At, {"of": quantity, "name": "a", "time": 0.05, "event": None}, _kept),
        Call(
            "When",
            cluster.When,
            {"quantity": quantity, "equals": 0.1, "direction": "either"},
            lambda w: _kept(cluster.At(quantity, event=w)),
        ),
        Call("PathLength", cluster.PathLength, {"of": "P", "name": "a"}, _kept),
        Call("Conditioning", cluster.Conditioning, {"group": "", "name": "a"}, _kept),
        Call("TransmissionAngle", cluster.TransmissionAngle, {"points": ("B", "C", "D"), "name": "a"}, _kept),
        Call(
            "Occupancy",
            cluster.Occupancy,
            {
                "of": "P",
                "low": (0, 0),
                "high": (1, 1),
                "cells": (2, 2),
                "limits": (cluster.Limit(quantity, 0.0, 1.0),),
                "name": "a",
            },
            _kept,
        ),
        Call(
            "Limit",
            cluster.Limit,
            {"quantity": quantity, "low": 0.0, "high": 1.0},
            lambda x: _kept(cluster.Occupancy("P", (0, 0), (1, 1), (2, 2), (x,))),
        ),
        Call(
            "Parameter",
            cluster.Parameter,
            {"of": cluster.Point("P"), "varies": cluster.Grid([[0.0, 0.1]]), "name": "p", "relative": True},
            lambda p: cluster.sweep(FOUR_BAR, [p], TIMES, [cluster.PathLength("P")]),
        ),
        Call("Listed", cluster.Listed, {"values": [1.0, 2.0]}, _varied),
        Call("Grid", cluster.Grid, {"values": [1.0, 2.0]}, _varied),
        Call("Evenly", cluster.Evenly, {"low": 1.0, "high": 2.0, "count": 3}, _varied),
        Call("Uniform", cluster.Uniform, {"low": 1.0, "high": 2.0}, _varied),
        Call("Normal", cluster.Normal, {"deviation": 0.1, "mean": 1.0, "limit": 0.2}, _varied),
        Call("Point", cluster.Point, {"point": "P", "body": "coupler", "component": "x"}, _targeted),
        Call("JointPoint", cluster.JointPoint, {"joint": "b", "body": "crank", "component": "y"}, _targeted),
        Call(
            "Axis",
            cluster.Axis,
            {"joint": "cylinder", "body": "piston", "component": "y"},
            lambda axis: _targeted(axis, SLIDER, "piston"),
        ),
        Call("Length", cluster.Length, {"body": "coupler", "between": ("B", "P")}, _targeted),
        Call("LawValue", cluster.LawValue, {"joint": "a", "field": "rate", "index": None, "freedom": ""}, _targeted),
        Call("AssemblyMode", cluster.AssemblyMode, {"group": "rocker"}, _targeted),
    ]
