"""Motion under forces beside other programs: Andrews' squeezer in MuJoCo and Exudyn, a Stewart platform in MuJoCo.

python benchmarks/dynamics_peers.py

All in one process on one thread, warm; CPU time of whole simulations, the least of some runs. Models of peers are
built before. MuJoCo has loops as soft constraints, twice a time step fast; its default integrator would be of the
first order, so RK4 is taken. Exudyn's is the generalized-α method. Errors are those against the reference of the
squeezer, and of the platform against our own motion at a tolerance of 1e-12. Peers that are not installed are left out
(`benchmarks/peers.py` says how they are installed).
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import stewart_peers

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import groupkin as gk
from tests.support.squeezer import ANGLE, AT_LAST, BETA, squeezer

EXAMPLES = Path(__file__).parents[1] / "examples"
RUNS = 15
STIFF = 'solimp="0.9999 0.9999 0.001 0.5 1"'

Simulation = Callable[[], Any]
"""Simulates to the end, and returns what is compared."""


def report(program: str, setting: str, prepare: Callable[[], Simulation], against: Any, runs: int) -> None:
    """Print error and least CPU time, ms, of some runs, each of which is prepared anew."""
    best, error = np.inf, np.nan
    for _ in range(runs):
        run = prepare()
        start = time.process_time()
        found = run()
        best = min(best, time.process_time() - start)
        error = float(np.abs(np.asarray(found) - against).max())
    print(f"{program:<10} {setting:<12} {error:>10.1e} {1e3 * best:>10.2f}")


# --- Andrews' squeezer ---------------------------------------------------------------------------

TREES = (("K1", "O"), ("K2", "F")), (("K3", "B"),), (("K5", "A"), ("K4", "G")), (("K7", "A"), ("K6", "H"))
"""Chains of bodies with the hinge that holds each; their last bodies meet at E."""


def _plane(vector: Any) -> str:
    return f"{vector[0]:.17g} {vector[1]:.17g} 0"


def _squeezer_model(step: float) -> str:
    mechanism = squeezer()
    points = {joint.name[0]: np.array(joint.point) for joint in mechanism.joints}
    spring = mechanism.forces[0]

    def body(name: str, at: Any, base: Any, inner: str) -> str:
        own: Any = mechanism.body[name]
        inertial = f'pos="{_plane(own.center - at)}" mass="{own.mass}" diaginertia="{" ".join([str(own.inertia)] * 3)}"'
        hung = f'<inertial {inertial}/><joint name="{name}" axis="0 0 1"/>{inner}'
        return f'<body name="{name}" pos="{_plane(at - base)}">{hung}</body>'

    trees = ""
    for chain in TREES:
        inner = f'<site name="D" pos="{_plane(spring.points[0] - points["B"])}"/>' if chain[0][0] == "K3" else ""
        for k in range(len(chain) - 1, -1, -1):
            base = points[chain[k - 1][1]] if k else np.zeros(2)
            inner = body(chain[k][0], points[chain[k][1]], base, inner)
        trees += inner
    anchor = _plane(points["E"] - points["F"])
    soft = f'anchor="{anchor}" solref="{2 * step} 1" {STIFF}'
    ties = "".join(f'<connect body1="K2" body2="{tree[-1][0]}" {soft}/>' for tree in TREES[1:])
    return (
        f'<mujoco><option timestep="{step}" gravity="0 0 0" integrator="RK4" jacobian="dense"/>'
        f'<compiler angle="radian"/><worldbody><site name="C" pos="{_plane(spring.points[1])}"/>{trees}</worldbody>'
        f'<tendon><spatial stiffness="{spring.stiffness}" springlength="{spring.length}">'
        '<site site="C"/><site site="D"/></spatial></tendon>'
        f'<equality>{ties}</equality><actuator><motor joint="K1"/></actuator></mujoco>'
    )


def squeezer_in_mujoco(step: float) -> Simulation:
    import mujoco as mj

    model = mj.MjModel.from_xml_string(_squeezer_model(step))
    data = mj.MjData(model)
    data.ctrl[0] = 0.033

    def run() -> float:
        mj.mj_step(model, data, round(AT_LAST / step))
        return float(data.qpos[0])

    return run


def squeezer_in_exudyn(step: float) -> Simulation:
    import exudyn as exu
    from exudyn import itemInterface as item

    mechanism = squeezer()
    system = exu.SystemContainer().AddSystem()
    numbers = {"frame": system.AddObject(item.ObjectGround(referencePosition=[0, 0, 0]))}
    centers: dict[str, Any] = {"frame": np.zeros(2)}
    nodes = {}
    for body in mechanism.bodies[1:]:
        centers[body.name] = np.array(body.center)
        node = system.AddNode(item.NodeRigidBody2D(referenceCoordinates=[*body.center, 0.0]))
        nodes[body.name] = node
        rigid = item.ObjectRigidBody2D(physicsMass=body.mass, physicsInertia=body.inertia, nodeNumber=node)
        numbers[body.name] = system.AddObject(rigid)

    def marker(body: str, point: Any) -> Any:
        local = [*(np.array(point) - centers[body]), 0.0]
        return system.AddMarker(item.MarkerBodyRigid(bodyNumber=numbers[body], localPosition=local))

    for joint in mechanism.joints:
        for other in joint.bodies[1:]:
            ends = [marker(joint.bodies[0], joint.point), marker(other, joint.point)]
            system.AddObject(item.ObjectJointRevolute2D(markerNumbers=ends))
    spring = mechanism.forces[0]
    ends = [marker(*end) for end in zip(spring.between, spring.points, strict=True)]
    elastic = {"stiffness": spring.stiffness, "damping": 0.0, "referenceLength": spring.length}
    system.AddObject(item.ObjectConnectorSpringDamper(markerNumbers=ends, **elastic))
    system.AddLoad(item.LoadTorqueVector(markerNumber=marker("K1", centers["K1"]), loadVector=[0, 0, 0.033]))
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps, settings.timeIntegration.endTime = round(AT_LAST / step), AT_LAST
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.newton.relativeTolerance = 1e-10
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False

    def run() -> float:
        system.SolveDynamic(settings)
        return float(system.GetNodeOutput(nodes["K1"], exu.OutputVariableType.Coordinates)[2])

    return run


def squeezers() -> None:
    """Angle of the crank at 0.03 s, rad."""
    print(f"{'squeezer':<10} {'':<12} {'error, rad':>10} {'ms':>10}")
    mechanism, turned = squeezer(), ANGLE - BETA
    for rtol in (3e-8, 1e-8, 1e-9, 5e-11):
        report("groupkin", f"{rtol:g}", lambda: _simulated(mechanism, rtol), turned, RUNS)  # noqa: B023
    for package, prepare, steps in (
        ("mujoco", squeezer_in_mujoco, (1e-5, 3e-6, 1e-6)),
        ("exudyn", squeezer_in_exudyn, (1e-5, 1e-6)),
    ):
        for step in steps if find_spec(package) else ():
            report(package, f"{step:g} s", lambda: prepare(step), turned, 2)  # noqa: B023


def _simulated(mechanism: gk.Mechanism, rtol: float) -> Simulation:
    return lambda: gk.simulate(mechanism, [0.0, AT_LAST], rtol=rtol).driver(0)[0, -1]


# --- the Stewart platform ------------------------------------------------------------------------

DURATION, STIFFNESS, DAMPING = 0.5, 4000.0, 30.0
"""s; of the legs, N/m and N s/m."""

LONGER = (0.03, -0.02, 0.01, 0.02, -0.01, 0.03)
"""By how much the springs of the legs are longer than these at the start, m."""


def sprung_platform() -> tuple[gk.Mechanism, stewart_peers.Platform]:
    """The platform on six sprung legs, its bodies of 1 kg and 1 kg m² about the ends of the legs; and its geometry."""
    driven = gk.load(EXAMPLES / "stewart_inverse.toml")
    given = stewart_peers.platform(gk.solve(driven, [0.0]))
    places = {"platform": given.center}
    for k in range(6):
        places |= {f"cylinder_{k + 1}": given.feet[k], f"rod_{k + 1}": given.heads[k]}
    bodies = [
        body if body.name == "base" else replace(body, mass=1.0, center=tuple(places[body.name]), inertia=(1.0,) * 3)
        for body in driven.bodies
    ]
    lengths = np.linalg.norm(given.heads - given.feet, axis=1)
    springs = [
        gk.JointSpring(
            f"spring_{k + 1}",
            f"leg_{k + 1}",
            stiffness=STIFFNESS,
            position=float(lengths[k] + LONGER[k]),
            damping=DAMPING,
        )
        for k in range(6)
    ]
    drivers = [replace(driver, law=None) for driver in driven.drivers]
    return replace(driven, bodies=bodies, drivers=drivers, forces=springs, gravity=(0.0, 0.0, -9.81)), given


def platform_in_mujoco(given: stewart_peers.Platform, step: float) -> Simulation:
    import mujoco as mj

    slides = tuple(f'stiffness="{STIFFNESS}" damping="{DAMPING}" springref="{-longer}"' for longer in LONGER)
    option = f'jacobian="dense" integrator="RK4" gravity="0 0 -9.81" timestep="{step}"'
    ties = f'solref="{2 * step} 1" {STIFF}'
    model = mj.MjModel.from_xml_string(stewart_peers.mujoco_model(given, option, slides, ties))
    data = mj.MjData(model)

    def run() -> np.ndarray:
        mj.mj_step(model, data, round(DURATION / step))
        return data.qpos[:3].copy()

    return run


def platforms() -> None:
    """Center of the platform after half a second, m."""
    mechanism, given = sprung_platform()

    def simulated(rtol: float) -> Simulation:
        return lambda: gk.simulate(mechanism, [0.0, DURATION], rtol=rtol).point_on("platform", given.center)[-1]

    reference = simulated(1e-12)()
    print(f"\n{'platform':<10} {'':<12} {'error, m':>10} {'ms':>10}")
    for rtol in (1e-4, 1e-6, 1e-8):
        report("groupkin", f"{rtol:g}", lambda: simulated(rtol), reference, RUNS)  # noqa: B023
    for step in (1e-3, 1e-4, 1e-5) if find_spec("mujoco") else ():
        report("mujoco", f"{step:g} s", lambda: platform_in_mujoco(given, step), reference, 2)  # noqa: B023


if __name__ == "__main__":
    warnings.simplefilter("ignore", DeprecationWarning)
    squeezers()
    platforms()
