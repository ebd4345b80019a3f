"""Names with blanks, dots, quotes, braces and more, of everything that has a name, in everything that reads names."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import cluster
import groupkin as gk
from groupkin.cli.main import main
from groupkin.errors import OutputError, SweepError
from groupkin.text_forms import written

SIGNS = """ .'"{}ü<&$x$@-[]=%,:#|;^_é~*"""
"""Signs in every name; slashes and backslashes are refused where they would be folders, see the last tests."""

TIMES = np.linspace(0.0, 1.0, 11)

pytestmark = pytest.mark.filterwarnings("ignore")  # of fonts without a sign, say


def n(name: str) -> str:
    return f"{name}{SIGNS}{name}"


def w(name: str) -> str:
    """A name in a text form."""
    return written(n(name))


@cache
def four_bar() -> gk.Mechanism:
    masses = {"mass": 1.0, "center": "middle", "inertia": 0.1}
    rod = gk.Body(n("rod"), points=[n("P")], **masses)  # type: ignore[arg-type]
    bodies = [n("g"), gk.Body(n("crank"), **masses), rod, gk.Body(n("rocker"), **masses)]  # type: ignore[arg-type]
    ends = {"A": ("g", "crank"), "B": ("crank", "rod"), "C": ("rod", "rocker"), "D": ("rocker", "g")}
    joints = [gk.Joint(n(name), "R", (n(one), n(two)), point=n(f"{name}0")) for name, (one, two) in ends.items()]
    joints[-1] = replace(joints[-1], range=(-1.0, 1.0))
    at = {"A0": (0.0, 0.0), "B0": (-0.05, 0.0), "C0": (0.025, 0.1), "D0": (0.1, 0.0), "P": (0.0, 0.08)}
    forces = [
        gk.Spring(n("spring"), (n("g"), n("rocker")), (n("A0"), n("C0")), stiffness=3.0),
        gk.JointSpring(n("torsion"), n("D"), stiffness=0.1),
        gk.Stop(n("bump"), n("D"), stiffness=1.0),
        gk.Force(n("push"), n("rod"), n("P"), (1.0, 2.0)),
        gk.Torque(n("twist"), n("rocker"), 0.1),
        gk.JointForce(n("motor"), n("B"), 0.01),
        gk.Friction(n("friction"), n("D"), coefficient=0.05, radius=0.01),
    ]
    return gk.Mechanism(
        2,
        bodies,
        joints,
        [gk.Driver(n("A"), gk.Ramp(6.283))],
        points={n(name): x for name, x in at.items()},
        forces=forces,
        outputs={n("o"): f"{{position {w('P')}.x}} + 3 mm", n("twice"): f"2*{{{w('o')}}}"},
        name=n("m"),
        gravity=(0.0, -9.81),
    )


def coupled() -> gk.Mechanism:
    joints = [gk.Joint(n(name), "R", (n("g"), n(f"{name}0")), point=(float(name == "b"), 0)) for name in "ab"]
    twice = gk.Coupling(n("k"), f"{{joint {w('b')}}} = 2*{{joint {w('a')}}}")
    return gk.Mechanism(2, [n("g"), n("a0"), n("b0")], joints, [gk.Driver(n("a"), gk.Ramp(1.0))], couplings=[twice])


@cache
def motion() -> gk.Motion:
    return gk.solve(four_bar(), TIMES)


@cache
def forces() -> gk.Forces:
    return gk.inverse_dynamics(motion())


def free() -> gk.Mechanism:
    without = [load for load in four_bar().forces if not isinstance(load, gk.Friction)]
    return replace(four_bar(), forces=without, drivers=[gk.Driver(n("A"))])


QUANTITIES = [
    f"position {w('P')}.x",
    f"velocity {w('rod')}.norm",
    f"angle {w('rod')}",
    f"joint {w('D')}",
    f"joint_rate {w('D')}",
    f"output {w('o')}",
    w("twice"),
    f"transmission_angle {w('B0')}-{w('C0')}-{w('D0')}",
    f"residual {w('C')}",
    f"conditioning {w('rod')}",
]
OF_FORCES = [f"driver {w('A')}", f"reaction {w('C')}.norm", f"moment {w('D')}"]
PLOTTED = [
    *(f"{kind} {w('A')}" for kind in ("driver", "speed-torque", "power")),
    *(f"{kind} {w('D')}" for kind in ("reaction", "moment", "bearing")),
    *(f"force {w(name)}" for name in ("spring", "friction")),
    f"driver {n('A')}",
]
LENGTH = f"length {w('crank')} {w('A0')}-{w('B0')}"
POINT = f"{w('P')}@{w('rod')}"
PARAMETERS = [LENGTH, POINT, f"joint {w('D')}@{w('g')}", f"rate {w('A')}"]


def reads(_: Path) -> None:
    for text in QUANTITIES:
        wanted = gk.quantity(text, four_bar())
        assert gk.quantity(str(wanted), four_bar()) == wanted
        assert np.isfinite(motion().read(wanted)).all()
    assert np.isfinite([np.ravel(forces().read(text))[0] for text in OF_FORCES]).all()


def writes(folder: Path) -> None:
    kept = gk.solve(four_bar(), TIMES, keep=QUANTITIES)
    for suffix in (".csv", ".nc", ".npz", ".zarr"):
        motion().save(folder / f"motion{suffix}")
        kept.save(folder / f"kept{suffix}")
    assert motion().to_xarray().attrs["title"] == n("m")
    assert len(kept.to_xarray().data_vars) == len(QUANTITIES)
    for suffix in (".csv", ".nc"):
        forces().save(folder / f"forces{suffix}")
    forces().to_xarray()


def saves(folder: Path) -> None:
    for suffix in (".toml", ".json"):
        for mechanism in (four_bar(), coupled()):
            gk.save(mechanism, folder / f"m{suffix}")
            assert gk.load(folder / f"m{suffix}") == mechanism


def plots(folder: Path) -> None:
    gk.plot(motion(), [*QUANTITIES, f"position {w('P')}"], out=folder / "p.svg", against=f"joint {w('A')}")
    forces().plot(PLOTTED, out=folder / "f.svg")
    forces().plot(OF_FORCES[0], out=folder / "f.svg", against=f"joint {w('A')}")


def draws(folder: Path) -> None:
    for what in (four_bar(), motion(), gk.analyze(four_bar())):
        gk.draw(what, folder / "d.svg")
    gk.draw(four_bar(), folder / "d.png")
    forces().draw(0.5, folder / "f.svg")


def animates(folder: Path) -> None:
    gk.animate(motion(), folder / "page.html", trace=[n("P")], plot=QUANTITIES[:1])
    gk.animate(forces(), folder / "page.html")


def reports(folder: Path) -> None:
    gk.report(motion(), folder / "r.html", plot=QUANTITIES[:2], limits=True)
    gk.report(gk.solve(coupled(), TIMES), folder / "r.html")


def shows(_: Path) -> None:
    for what in (four_bar(), motion(), forces(), gk.program(four_bar()), gk.analyze(four_bar())):
        assert repr(what)


def explores(_: Path) -> None:
    gk.limits(four_bar(), driver=n("A"), start=-0.5, stop=0.5)
    gk.assembly_modes(four_bar())
    gk.jacobian(motion(), [*QUANTITIES[2:4], f"position {w('P')}", f"twist {w('rod')}"])
    assert gk.transform(four_bar()).structures


def designs(_: Path) -> None:
    design = gk.design(four_bar(), PARAMETERS)
    assert [str(gk.parameter(name, four_bar())) for name in design.names] == list(design.names)
    design.solve(design.nominal, TIMES, keep=QUANTITIES).to_xarray()
    design.solve(np.stack([design.nominal] * 2), TIMES, keep=QUANTITIES[:7])
    derivatives = design.solve(design.nominal, TIMES, derivatives=True)
    for text in QUANTITIES[:7]:
        assert np.isfinite(derivatives.read(text)).all()
    design.tolerance(1e-4, TIMES, keep=QUANTITIES[:1])
    assert design.mechanism(design.nominal).name == n("m")


def fits(folder: Path) -> None:
    targets = {f"position {w('P')}": motion().position(n("P"))[:3]}
    bounds, least = {POINT: (-1.0, 1.0)}, {QUANTITIES[7]: 0.01}
    at = motion().joint(n("A"))[0, :3]
    found = gk.fit(gk.design(four_bar(), [POINT]), targets, at, starts=1, bounds=bounds, least=least)
    found.plot(folder / "fit.svg")
    assert found.error < 1e-12


def simulates(_: Path) -> None:
    seen = gk.Event(n("e"), f"joint {w('A')}", 0.02)
    found = gk.simulate(free(), np.linspace(0.0, 0.05, 5), {n("A"): (0.0, 1.0)}, events=[seen])
    assert [event.name for event in found.events] == [n("e")]


def sweeps(folder: Path) -> None:
    found = cluster.solve(cluster.read_sweep(sweep_file(folder)))
    assert (found["status"] == 0).all()


def sweep_file(folder: Path) -> Path:
    gk.save(four_bar(), folder / "m.toml", motion={"duration": 1.0, "steps": 11})
    listed = [
        {"parameter": text, "list": values} for text, values in ((LENGTH, [0.05, 0.051]), (PARAMETERS[3], [1, 2]))
    ]
    keep = [*({"maximum": text} for text in [*QUANTITIES[:4], OF_FORCES[0]]), {"motion": QUANTITIES[0]}]
    (folder / "s.sweep.json").write_text(json.dumps({"mechanism": "m.toml", "parameters": listed, "keep": keep}))
    return folder / "s.sweep.json"


def fit_file(folder: Path) -> Path:
    rows = motion().position(n("P"))[:3].tolist()
    asked = {"parameters": [POINT], "targets": {f"position {w('P')}": rows}, "at": [0.0, 0.6283, 1.2566], "starts": 1}
    (folder / "f.fit.json").write_text(json.dumps({"mechanism": "m.toml", **asked}))
    return folder / "f.fit.json"


def commands(folder: Path) -> list[list[str]]:
    """Command lines that name things, with the files that they need."""
    gk.save(four_bar(), folder / "m.toml", motion={"duration": 1.0, "steps": 11})
    gk.save(free(), folder / "free.toml", motion={"duration": 0.05, "steps": 5})
    m, f, out, svg = (str(folder / name) for name in ("m.toml", "free.toml", "out.csv", "p.svg"))
    keep = [word for text in QUANTITIES for word in ("--keep", text)]
    law = f'joint {w("A")}={{type="ramp", rate=1}}'
    return [
        ["solve", m, "--out", out, *keep],
        ["solve", m, "--json", "--modes", f"{n('rod')}=1"],
        ["solve", m, "--drive", law, "--instead-of", f"joint {w('A')}"],
        ["analyze", m, "--matrix", "--solvers"],
        ["check", m],
        ["modes", m, "--picture", svg],
        ["limits", m, "--driver", n("A"), "--from", "-0.3", "--to", "0.3", "--picture", svg, "--plot", QUANTITIES[3]],
        ["plot", m, QUANTITIES[0], "--against", f"joint {w('A')}", "--out", svg],
        *(["draw", m, f"--{what}", "--out", svg] for what in ("mechanism", "graph", "diagram", "routes")),
        ["animate", m, "--out", str(folder / "a.html"), "--trace", n("P"), "--plot", QUANTITIES[0], "--forces"],
        ["report", m, "--out", str(folder / "r.html"), "--plot", QUANTITIES[0]],
        ["forces", m, "--actuators", n("A"), "--keep", n("C"), "--out", str(folder / "f.csv")],
        ["forces", m, "--plot", f"reaction {w('C')}", "--axes", n("rod"), "--picture", svg],
        [
            "simulate",
            f,
            "--start",
            f"{n('A')}=0.1,0.2",
            "--until",
            f"joint {w('A')}=0.15",
            "--out",
            str(folder / "s.csv"),
        ],
        ["equilibrium", f, "--start", f"{n('A')}=-1.5"],
        ["transform", m, "--forbid", n("A"), "--out", str(folder / "t.sqlite")],
        ["routes", m],
        ["fit", str(fit_file(folder)), "--out", str(folder / "o.toml"), "--picture", svg, "--log", str(folder / "log")],
        ["batch", str(sweep_file(folder)), "--out", str(folder / "r.zarr"), "--workers", "1"],
        ["batch-report", str(folder / "r.zarr")],
    ]


def runs(folder: Path) -> None:
    for arguments in commands(folder):
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, f"{arguments[0]}: {result.output}"


READERS = [reads, reports, plots, saves, designs]
OTHERS = [writes, draws, animates, shows, explores, fits, simulates, sweeps, runs]


@pytest.mark.parametrize("reader", [*READERS, *(pytest.param(x, marks=pytest.mark.exhaustive) for x in OTHERS)])
def test_all_names_are_read_everywhere(reader: Callable[[Path], None], tmp_path: Path) -> None:
    reader(tmp_path)


@pytest.mark.parametrize("name", ["main bearing", "A.1"])
def test_a_report_of_a_driven_joint_with_a_sign_in_its_name(name: str, tmp_path: Path) -> None:
    arm = gk.Body("arm", mass=1.0, center=(1.0, 0.0))
    joint = gk.Joint(name, "R", ("frame", arm.name), point=(0, 0))
    swinging = gk.Mechanism(2, ["frame", arm], [joint], [gk.Driver(name, gk.Ramp(1.0))], gravity=(0.0, -9.81))
    gk.report(gk.solve(swinging, TIMES), tmp_path / "r.html")
    assert f"the angle of {name}" in (tmp_path / "r.html").read_text()


def test_names_that_would_be_folders_are_refused(tmp_path: Path) -> None:
    arm = gk.Joint("A\\B", "R", ("frame", "arm"), point=(0, 0))
    crank = gk.Mechanism(2, ["frame", "arm"], [arm], [gk.Driver("A\\B", gk.Ramp(1.0))])
    with pytest.raises(OutputError, match="has a backslash; choose another format"):
        gk.solve(crank, TIMES, keep=["joint 'A\\B'"]).save(tmp_path / "m.zarr")
    listed = cluster.Parameter(gk.parameter("rate 'A\\B'", crank), cluster.Listed([1.0]))
    with pytest.raises(SweepError, match=r"no slash or backslash; give another `name`"):
        cluster.sweep(crank, [listed], TIMES, [cluster.Maximum(gk.quantity("joint 'A\\B'", crank))])
