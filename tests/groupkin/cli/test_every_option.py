"""Every option of every command is obeyed in every mode of the command, or refused by its name.

`ROWS` says for each option how its effect is observed; a new option without a row fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click
import pytest

from groupkin.cli.main import main
from tests.support.command_line import run
from tests.support.paths import ROOT

BAR = """
name = "bar"
dimension = 2
units = { length = "mm", angle = "deg", force = "kN" }
gravity = [0, -9.81]
[[bodies]]
name = "ground"
[[bodies]]
name = "crank"
mass = 1
center = "B"
[[bodies]]
name = "coupler"
points = { P = [60, 120] }
mass = 2
center = "P"
[[bodies]]
name = "rocker"
[points]
A = [0, 0]
B = [0, 50]
C = [150, 125]
D = [150, 0]
[[joints]]
name = "A"
type = "R"
bodies = ["ground", "crank"]
point = "A"
[[joints]]
name = "B"
type = "R"
bodies = ["crank", "coupler"]
point = "B"
[[joints]]
name = "C"
type = "R"
bodies = ["coupler", "rocker"]
point = "C"
[[joints]]
name = "D"
type = "R"
bodies = ["rocker", "ground"]
point = "D"
[[drivers]]
joint = "A"
law = { type = "ramp", rate = 100 }
[motion]
duration = 1
steps = 9
"""


GAP = BAR.replace(
    'bodies = ["rocker", "ground"]\npoint = "D"', 'bodies = ["rocker", "ground"]\npoints = [[150, 0], [151, 0]]'
)
"""The same with a joint that does not close."""

FREE = BAR.replace('law = { type = "ramp", rate = 100 }', "")
"""The same that moves under its weight."""

FIVE = """
name = "five"
dimension = 2
units = { length = "mm", angle = "deg" }
bodies = ["ground", "left", "right", { name = "up", points = ["Q", "S"] }, "down"]
points = { Q = [50, 180], S = [40, 150] }
joints = [
  { name = "A", type = "R", bodies = ["ground", "left"], point = [0, 0] },
  { name = "B", type = "R", bodies = ["ground", "right"], point = [100, 0] },
  { name = "C", type = "R", bodies = ["left", "up"], point = [0, 100] },
  { name = "D", type = "R", bodies = ["right", "down"], point = [100, 100] },
  { name = "P", type = "R", bodies = ["up", "down"], points = [[50, 180], [50, 180]] },
]
drivers = [
  { joint = "A", law = { type = "constant", value = 0 } },
  { joint = "B", law = { type = "constant", value = 0 } },
]
"""

FILES = {
    "bar.toml": BAR,
    "gap.toml": GAP,
    "free.toml": FREE,
    "free_gap.toml": GAP.replace('law = { type = "ramp", rate = 100 }', ""),
    "five.toml": FIVE,
    "five_gap.toml": FIVE.replace("[50, 180]]", "[51, 180]]"),
}

MODES: dict[str, dict[str, list[str]]] = {
    "analyze": {"text": ["bar.toml"], "json": ["bar.toml", "--json"]},
    "animate": {"page": ["bar.toml", "--out", "page.html"], "film": ["bar.toml", "--out", "film.gif"]},
    "check": {"text": ["bar.toml"], "json": ["bar.toml", "--json"]},
    "draw": {
        "mechanism": ["bar.toml", "--out", "picture.svg"],
        "graph": ["bar.toml", "--graph", "--out", "picture.svg"],
        "diagram": ["bar.toml", "--diagram", "--out", "picture.svg"],
    },
    "equilibrium": {
        "text": ["free.toml", "--start", "A=-90"],
        "json": ["free.toml", "--start", "A=-90", "--json"],
    },
    "field": {
        "picture": [
            *("five.toml", "joint D", "--over", "A", "-10", "10", "--over", "B", "-10", "10", "--steps", "3"),
            *("--out", "picture.svg"),
        ]
    },
    "forces": {
        "text": ["bar.toml"],
        "json": ["bar.toml", "--json"],
        "csv": ["bar.toml", "--out", "forces.csv"],
        "picture": ["bar.toml", "--plot", "reaction B", "--picture", "picture.svg"],
    },
    "generate": {
        "random": ["--assur-class", "1", "--groups", "3"],
        "bars": ["--bars", "6"],
        "sketches": ["--bars", "6", "--picture", "sketch.svg"],
    },
    "limits": {
        "text": ["bar.toml"],
        "json": ["bar.toml", "--json"],
        "plot": ["bar.toml", "--picture", "picture.svg", "--plot", "position P.x"],
    },
    "modes": {
        "text": ["bar.toml"],
        "json": ["bar.toml", "--json"],
        "picture": ["bar.toml", "--picture", "picture.svg"],
    },
    "plot": {"plot": ["bar.toml", "position P.x", "--out", "picture.svg"]},
    "report": {"page": ["bar.toml", "--out", "report.html"]},
    "routes": {"text": ["bar.toml"], "json": ["bar.toml", "--json"]},
    "simulate": {
        "text": ["free.toml", "--duration", "0.02", "--steps", "3", "--start", "A=30"],
        "json": ["free.toml", "--duration", "0.02", "--steps", "3", "--start", "A=30", "--json"],
        "csv": ["free.toml", "--duration", "0.02", "--steps", "3", "--start", "A=30", "--out", "motion.csv"],
        "picture": [
            *("free.toml", "--duration", "0.02", "--steps", "3", "--start", "A=30"),
            *("--plot", "angle rocker", "--picture", "picture.svg"),
        ],
    },
    "solve": {
        "text": ["bar.toml"],
        "ranges": ["bar.toml", "--keep", "position P"],
        "json": ["bar.toml", "--json", "--keep", "position P"],
        "csv": ["bar.toml", "--out", "motion.csv"],
        "picture": ["bar.toml", "--plot", "angle rocker", "--picture", "picture.svg"],
    },
    "transform": {"text": ["bar.toml"], "json": ["bar.toml", "--json"], "saved": ["bar.toml", "--out", "found.sqlite"]},
    "workspace": {
        "text": ["five.toml", "--of", "position Q", "--steps", "9"],
        "json": ["five.toml", "--of", "position Q", "--steps", "9", "--json"],
        "picture": ["five.toml", "--of", "position Q", "--steps", "9", "--picture", "picture.svg"],
    },
}
"""Arguments of the modes of commands: what they write, and where to."""

REFUSED, SAME, FINE = "refused", "same", "fine"


@dataclass(frozen=True)
class Row:
    """How the effect of an option is observed.

    Attributes
    ----------
    added : tuple of str
        What is added to the arguments of each mode: what is printed or written must change.
    but : dict of str to str
        Modes in which the option is `REFUSED` by its name, has no bearing on what is written, `SAME`, or
        changes digits that are not printed, `FINE`.
    base : tuple of str
        What is added on both sides, which the option needs.
    file : str
        The mechanism, instead of that of the mode.
    elsewhere : str
        The tests that observe it instead, because it takes long.
    """

    added: tuple[str, ...] = ()
    but: dict[str, str] = field(default_factory=dict)
    base: tuple[str, ...] = ()
    file: str = ""
    elsewhere: str = ""


def row(added: str, /, *, base: str = "", file: str = "", **but: str) -> Row:
    return Row(tuple(added.split()), but, tuple(base.split()), file)


def elsewhere(path: str) -> Row:
    return Row(elsewhere=path)


WITHOUT_PICTURE = dict.fromkeys(("text", "json", "csv", "ranges"), REFUSED)
PLOTS = {
    "--plot": row("--plot position.P.x", **WITHOUT_PICTURE),
    "--against": row("--against position.P.y", **WITHOUT_PICTURE),
    "--picture": row("--picture other.svg", **WITHOUT_PICTURE),
}
STEPS = {"--duration": row("--duration 0.5"), "--steps": row("--steps 30")}
ASSEMBLE = {"--assemble": row("--assemble", file="gap.toml")}
MODE = {"--modes": row("--modes coupler=2")}
SHARED_WORK = {
    "--workers": row("--workers 2", json=SAME),
    "--backend": row("--backend serial", json=SAME),
    "--split": row("--split time", base="--workers 2", json=SAME),
    "--block": row("--block 4", json=SAME),
    "--no-window": row("--no-window", text=REFUSED, json=REFUSED, csv=REFUSED, picture=REFUSED, ranges=REFUSED),
    "--no-cache": row("--no-cache", text=REFUSED, json=REFUSED, csv=REFUSED, picture=REFUSED, ranges=REFUSED),
    "--route": row("--route sequential", json=SAME),
}
"""Ways to share work, by which results keep their bits; what is printed in text names the way."""

ROWS: dict[str, dict[str, Row]] = {
    "analyze": {
        "--json": row("--json", json=SAME),
        "--units": row("--units SI", json=SAME),  # has no lengths and angles
        "--matrix": row("--matrix"),
        "--solvers": row("--solvers", json=SAME),  # always has them
        "--solver": elsewhere("tests/groupkin/cli/test_structure_commands.py"),
    },
    "animate": STEPS
    | ASSEMBLE
    | MODE
    | {
        "--trace": row("--trace C"),
        "--plot": row("--plot angle.rocker", film=REFUSED),
        "--seconds": row("--seconds 0.3", page=REFUSED),
        "--forces": row("--forces", film=REFUSED),
        "--colors": row("--colors bodies"),
        "--names": row("--names bodies"),
        "--out": row("--out other.html"),
    },
    "check": STEPS | ASSEMBLE | MODE | {"--json": row("--json", json=SAME)},
    "draw": {
        "--mechanism": row("--mechanism", mechanism=SAME),
        "--graph": row("--graph", graph=SAME),
        "--diagram": row("--diagram", diagram=SAME),
        "--routes": row("--routes"),
        "--time": row("--time 0.5", graph=REFUSED, diagram=REFUSED),
        "--with": row("--with bar.toml", graph=REFUSED, diagram=REFUSED),
        "--colors": row("--colors bodies", graph=REFUSED, diagram=REFUSED),
        "--names": row("--names bodies", graph=REFUSED, diagram=REFUSED),
        "--assemble": row("--assemble", file="gap.toml", graph=REFUSED, diagram=REFUSED),
        "--modes": row("--modes coupler=2", graph=REFUSED, diagram=REFUSED),
        "--out": row("--out other.svg"),
    },
    "equilibrium": {
        "--start": row("--start A=90"),
        "--assemble": row("--assemble", file="free_gap.toml"),
        "--units": row("--units file", base="--units SI"),
        "--json": row("--json", json=SAME),
    },
    "forces": STEPS
    | ASSEMBLE
    | MODE
    | {name: each for name, each in SHARED_WORK.items() if name.startswith("--no")}
    | {name: elsewhere("tests/routes/cli/test_measuring.py") for name in ("--workers", "--split", "--route")}
    | {
        "--backend": row("--backend serial", text=SAME, json=SAME, csv=SAME, picture=SAME),
        "--block": row("--block 4 --backend serial", text=SAME, json=SAME, csv=SAME, picture=SAME),
    }
    | {
        "--actuators": row("--actuators D"),
        "--keep": row("--keep B"),
        "--static": row("--static"),
        "--length": elsewhere("tests/groupkin/cli/test_forces_command.py"),
        "--orders": row("--orders 2", base="--duration 3.6 --steps 37"),
        "--plot": row("--plot driver.A", text=REFUSED, json=REFUSED, csv=REFUSED),
        "--against": row("--against angle.rocker", text=REFUSED, json=REFUSED, csv=REFUSED),
        "--axes": row("--axes rocker", text=REFUSED, json=REFUSED, csv=REFUSED),
        "--picture": row("--picture other.svg", text=REFUSED, json=REFUSED, csv=REFUSED),
        "--out": row("--out other.csv"),
        "--units": row("--units file", base="--units SI"),
        "--json": row("--json", json=SAME),
    },
    "generate": {
        "--assur-class": row("--assur-class 2", bars=REFUSED, sketches=REFUSED),
        "--groups": row("--groups 2", bars=REFUSED, sketches=REFUSED),
        "--seed": row("--seed 1", bars=REFUSED, sketches=REFUSED),
        "--drive-last": row("--drive-last", bars=REFUSED, sketches=REFUSED),
        "--bars": row("--bars 4", random=REFUSED),
        "--mobility": row("--mobility 3", random=REFUSED),
        "--anywhere": row("--anywhere", random=REFUSED),
        "--sort": row("--sort depth,chain", random=REFUSED),
        "--top": row("--top 2", random=REFUSED),
        "--picture": row("--picture other.svg", random=REFUSED),
        "--graph": row("--graph", random=REFUSED, bars=REFUSED),
        "--json": row("--json", random=REFUSED),
        "--out": elsewhere("tests/groupkin/cli/test_structure_commands.py"),
    },
    "examples": {"--copy": elsewhere("tests/groupkin/cli/test_reference_commands.py")},
    "export": dict.fromkeys(
        ("--out", "--files-anywhere", "--joint", "--units"),
        elsewhere("tests/groupkin/mechanism/cams/test_cam_profiles.py"),
    )
    | dict.fromkeys(("--drawing", "--time"), elsewhere("tests/groupkin/look/test_true_scale.py"))
    | dict.fromkeys(
        ("--library", "--target", "--dynamics", "--c"), elsewhere("tests/groupkin/cli/test_export_command.py")
    )
    | {"--mjcf": elsewhere("tests/groupkin/exchange/test_what_is_read.py")},
    "field": {
        **dict.fromkeys(("--over", "--at", "--by", "--length"), elsewhere("tests/groupkin/cli/test_field_command.py")),
        "--steps": row("--steps 4"),
        "--mark": row("--mark 20"),
        "--assemble": row("--assemble", file="five_gap.toml"),
        "--modes": row("--modes up=2"),
        "--out": row("--out other.svg"),
        "--width": row("--width 120"),
        "--json": elsewhere("tests/groupkin/cli/test_field_command.py"),
    },
    "fit": dict.fromkeys(("--out", "--picture", "--log", "--json"), elsewhere("tests/groupkin/synthesis/test_fit.py")),
    "import": dict.fromkeys(
        (
            *("--files-anywhere", "--fix", "--keyframe", "--loops", "--no-friction", "--no-masses", "--out"),
            *("--plane", "--start"),
        ),
        elsewhere("tests/groupkin/cli/test_import_command.py"),
    ),
    "library": dict.fromkeys(("--measure", "--json"), elsewhere("tests/groupkin/cli/test_reference_commands.py")),
    "limits": ASSEMBLE
    | {
        "--modes": row("--modes coupler=2", text=SAME),  # both are listed
        "--driver": row("--driver B", text=REFUSED, json=REFUSED, plot=REFUSED),
        "--from": row("--from -20", base="--to 20"),
        "--to": row("--to 20", base="--from -20"),
        "--time": row("--time 0.2"),
        "--units": row("--units file", base="--units SI"),
        "--picture": row("--picture other.svg", text=REFUSED, json=REFUSED),
        "--plot": row("--plot position.P.y", text=REFUSED, json=REFUSED),
        "--json": row("--json", json=SAME),
    },
    "modes": ASSEMBLE
    | {
        "--time": row("--time 0.5"),
        "--picture": row("--picture other.svg"),
        "--units": row("--units file", base="--units SI"),
        "--json": row("--json", json=SAME),
    },
    "plot": STEPS
    | ASSEMBLE
    | MODE
    | {
        "--with": row("--with bar.toml"),
        "--against": row("--against joint.A"),
        "--out": row("--out other.svg"),
        "--width": row("--width 120"),
    },
    "report": STEPS
    | ASSEMBLE
    | MODE
    | {
        "--plot": row("--plot velocity.P.x"),
        "--against": row("--against joint.A", base="--plot velocity.P.x"),
        "--limits": row("--no-limits"),
        "--colors": row("--colors bodies"),
        "--names": row("--names bodies"),
        "--out": row("--out other.html"),
    },
    "routes": {
        "--workers": row("--workers 3"),
        "--split": row("--split time", base="--workers 2"),
        "--block": row("--block 16"),
        "--backend": row("--backend serial", text=REFUSED, json=REFUSED),
        "--no-window": row("--no-window", text=REFUSED, json=REFUSED),
        "--no-cache": row("--no-cache", text=REFUSED, json=REFUSED),
        "--forces": row("--forces"),
        "--route": row("--route best", text=REFUSED, json=REFUSED),
        "--rounds": row("--rounds 2", text=REFUSED, json=REFUSED),
        "--work": row("--work 2", text=REFUSED, json=REFUSED),
        "--nodes": row("--nodes 2", text=REFUSED, json=REFUSED),
        "--latency": row("--latency 1", text=REFUSED, json=REFUSED),
        "--bandwidth": row("--bandwidth 1", text=REFUSED, json=REFUSED),
        "--all": row("--all"),
        "--picture": row("--picture tree.svg"),
        "--json": row("--json", json=SAME),
        "--measure": elsewhere("tests/cluster/workers/test_job.py"),
        **dict.fromkeys(("--predict", "--best", "--costs", "--steps"), elsewhere("tests/routes/cli/test_commands.py")),
        **dict.fromkeys(("--real-time", "--simulate"), elsewhere("tests/routes/cli/test_real_time.py")),
    },
    "simulate": {
        "--duration": row("--duration 0.03"),
        "--steps": row("--steps 4"),
        "--start": row("--start A=10,5"),
        "--method": row("--method RK45", text=FINE),
        "--rtol": row("--rtol 1e-3", base="--duration 0.2", text=FINE),
        "--step": row("--step 0.005", base="--duration 0.2", text=FINE),
        "--until": row("--until joint.A=30.5"),
        "--ranges": elsewhere("tests/groupkin/dynamics/simulation/test_ranges_of_simulations.py"),
        "--on-singular": elsewhere("tests/groupkin/cli/test_simulate_commands.py"),
        "--out": row("--out other.csv"),
        "--resume": elsewhere("tests/groupkin/cli/test_simulate_commands.py"),
        "--keep": row("--keep angle.rocker", text=REFUSED, json=REFUSED, picture=REFUSED),
        **PLOTS,
        "--assemble": row("--assemble", file="free_gap.toml"),
        "--units": row("--units file", base="--units SI"),
        "--json": row("--json", json=SAME),
    },
    "solve": STEPS
    | ASSEMBLE
    | MODE
    | SHARED_WORK
    | {
        "--modes": row("--modes coupler=2", text=SAME),  # which prints no positions
        "--out": row("--out other.csv"),
        "--keep": row("--keep angle.rocker"),
        **PLOTS,
        "--drive": row("--drive joint.D={type='ramp',rate=10}"),
        "--instead-of": elsewhere("tests/groupkin/transformations/test_inverse.py"),
        "--units": row("--units file", base="--units SI"),
        "--on-failure": elsewhere("tests/groupkin/cli/test_solve_command.py"),
        "--on-singular": elsewhere("tests/groupkin/cli/test_limits_command.py"),
        "--solver": row(
            "--solver newton", text=SAME, ranges=SAME, json=SAME, csv=SAME, picture=SAME
        ),  # closed forms have none
        "--json": row("--json", json=SAME),
    },
    "transform": {
        "--driven": row("--driven D"),
        "--forbid": row("--forbid D"),
        "--only": row("--only D"),
        "--fix": row("--fix D=1"),
        "--at-frame": row("--at-frame"),
        "--type": row("--type R", text=SAME, json=SAME, saved=SAME),  # all joints are
        "--at-most": row("--at-most 1", text=SAME, json=SAME, saved=SAME),  # none has more freedoms
        "--sort": row("--sort depth"),
        "--top": row("--top 1"),
        "--all": row("--all"),
        "--budget": row("--budget 1"),
        "--out": row("--out other.sqlite"),
        "--from": elsewhere("tests/groupkin/cli/test_structure_commands.py"),
        "--where": row("--where groups>=1", text=REFUSED, json=REFUSED, saved=REFUSED),
        "--json": row("--json", json=SAME),
    },
    "tune": {"--block": elsewhere("tests/routes/cli/test_commands.py")},
    "batch": dict.fromkeys(
        ("--out", "--resume", "--workers", "--chunk", "--dry-run"), elsewhere("tests/cluster/stores/test_running.py")
    ),
    "batch-report": dict.fromkeys(
        (
            *("--by", "--top", "--plot", "--picture", "--scatter", "--parallel", "--sensitivity"),
            *("--out", "--json", "--units"),
        ),
        elsewhere("tests/cluster/reports"),
    ),
    "schema": {},
    "workspace": {
        "--of": row("--of position.S"),
        "--section": elsewhere("tests/groupkin/kinematics/workspace/test_workspace.py"),
        "--sections": elsewhere("tests/groupkin/kinematics/workspace/test_workspace.py"),
        "--instead-of": row("--instead-of A --instead-of B", text=SAME, json=SAME, picture=SAME),  # both are
        "--at": elsewhere("tests/groupkin/kinematics/workspace/test_workspace.py"),
        "--own-mode": row("--own-mode"),
        "--box": row("--box 0,60,90,200"),
        "--steps": row("--steps 7", text=SAME),  # the boundary is refined
        "--assemble": row("--assemble", file="five_gap.toml"),
        "--units": row("--units file", base="--units SI"),
        "--picture": row("--picture other.svg"),
        "--width": row("--width 120", text=SAME, json=SAME),
        "--json": row("--json", json=SAME),
    },
}
FILES_ANYWHERE = elsewhere("tests/groupkin/mechanism/files/test_named_files.py")
for _command in (
    *("analyze", "animate", "batch", "check", "draw", "equilibrium", "field", "fit"),
    *("forces", "limits", "modes", "report", "routes", "simulate", "solve", "workspace"),
):
    ROWS[_command]["--files-anywhere"] = FILES_ANYWHERE
    if _command not in ("batch", "fit"):
        ROWS[_command]["--misfit"] = elsewhere("tests/groupkin/cli/test_misfit.py")


NOTICE = re.compile(r"groupkin: .* …( \d+ s)?$|groupkin: compiling")
"""Lines that are printed where a command takes long, which depends on the machine."""


def commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(main)
    assert isinstance(main, click.Group)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
        yield name, command


OPTIONS = [
    (name, option.opts[0])
    for name, command in commands()
    for option in command.params
    if isinstance(option, click.Option)
]


def test_every_option_has_a_row() -> None:
    assert sorted(OPTIONS) == sorted((name, option) for name, rows in ROWS.items() for option in rows)
    assert {name for name, rows in ROWS.items() if any(not each.elsewhere for each in rows.values())} == set(MODES)


@pytest.mark.parametrize(
    ("command", "option"), [case for case in OPTIONS if ROWS.get(case[0], {}).get(case[1], Row()).elsewhere]
)
def test_what_is_observed_elsewhere_is_named_there(command: str, option: str) -> None:
    path = ROOT / ROWS[command][option].elsewhere
    files = [path] if path.is_file() else sorted(path.glob("*.py"))
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    word = option.lstrip("-").replace("-", "_")
    assert re.search(rf"{option}\b|\b{word}=|\"{word}\":", text), f"{path} does not use {option}"


CASES = [
    (command, option, mode)
    for command, rows in ROWS.items()
    for option, each in rows.items()
    for mode in MODES.get(command, ())
    if not each.elsewhere
]


def written(
    folder: Path, command: str, mode: str, each: Row, added: tuple[str, ...]
) -> tuple[int, str, dict[str, bytes]]:
    """Exit code, what is printed, without times that it took, and the files that are written."""
    folder.mkdir()
    for name, content in FILES.items():
        (folder / name).write_text(content)
    words = [each.file if each.file and word in FILES else word for word in (*MODES[command][mode], *each.base, *added)]
    paths = {"--out", "--picture"}
    given = [
        str(folder / word) if word.endswith(".toml") or before in paths else word
        for before, word in zip(["", *words], words, strict=False)
    ]
    result = run(
        command,
        *(
            word if "/" in word else re.sub(r"^(angle|joint|position|velocity|driver)\.", r"\1 ", word)
            for word in given
        ),
    )
    assert "Traceback" not in result.output
    text = "".join(line for line in result.output.splitlines(keepends=True) if not NOTICE.match(line))
    text = text.replace(str(folder), "")
    untimed = re.sub(r"solved in \S+ s(: \S+ µs per step)?", "", text)
    text = re.sub(r'"(seconds|microseconds_per_step)": [^,]+', "", untimed)
    files = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix != ".toml"}
    return result.exit_code, text, files


@pytest.mark.exhaustive
@pytest.mark.parametrize(("command", "option", "mode"), CASES)
def test_every_option_is_obeyed_or_refused(command: str, option: str, mode: str, tmp_path: Path) -> None:
    each = ROWS[command][option]
    expected = each.but.get(mode, "")
    code, text, files = written(tmp_path / "with", command, mode, each, each.added)
    if expected == FINE:
        assert code == 0
        return
    if expected == REFUSED:
        assert code == 2
        assert option.lstrip("-") in text
        assert not files
        return
    assert code == 0, text
    without = written(tmp_path / "without", command, mode, each, ())
    assert ((code, text, files) == without) == (expected == SAME)
