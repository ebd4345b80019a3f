"""All pictures of docs/pictures, and docs/gallery.md, which shows those of the examples.

python docs/make_pictures.py [NAME ...]
"""

from __future__ import annotations

import contextlib
import math
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from warnings import catch_warnings

from PIL import Image

import groupkin as gk
from groupkin.errors import RangeWarning

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
NAMES = sorted(path.stem for path in (ROOT / "examples").glob("*.toml") if path.suffixes == [".toml"])

PUBLISHED = {
    "spatial_four_bar": "section 2.2, Fig. 8",
    "nine_bar": "section 1.2, Fig. 4",
    "rotor_control": "Table 8, Fig. 13",
    "rotor_control_transformed": "Table 10",
    "micro_manipulator": "Table 12",
    "stewart_forward": "Table 13",
    "stewart_inverse": "Table 14",
}
"""Examples whose structure is published by Celdran, Saura and Dopico (2022), and where."""

WITHOUT_GEOMETRY = ("micro_manipulator",)

TIMES = {"four_bar": 0.15, "jansen_leg": 0.3}
"""When examples are drawn that have points with paths, s; the others are in their reference configurations."""

PLOTS: dict[str, tuple[str, list[str], str | None]] = {
    "four_bar_over_time": ("four_bar", ["angle rocker", "angle coupler", "velocity P.norm", "conditioning"], None),
    "four_bar_over_crank": ("four_bar", ["joint D", "transmission_angle B-C-D"], "joint A"),
    "jansen_leg_paths": ("jansen_leg", ["position S", "velocity S"], None),
    "stewart_inverse_path": ("stewart_inverse", ["position T", "position P1"], None),
}
"""Plots: the example, the quantities, and what they are plotted against."""

FORCES: dict[str, tuple[str, list[str]]] = {
    "inline_four_shaking": ("inline_four", ["shaking force", "driver main"]),
    "three_cylinder_shaking": ("three_cylinder", ["shaking moment", "driver main"]),
}
"""Plots of the forces of engines over the angle of their crankshafts."""

Picture = Callable[[dict[str, Any], Path], object]
TUTORIALS: dict[str, dict[str, Picture]] = {
    "forces_tutorial": {
        "press_forces": lambda x, path: x["working"].draw(x["worst"], out=path),
        "press_bearing": lambda x, path: x["working"].plot("bearing B", axes="crank", out=path),
        "press_torque": lambda x, path: x["working"].plot(["driver A", "power A"], against="joint A", out=path),
        "press_motor": lambda x, path: x["working"].plot("speed-torque A", out=path),
        "stewart_leg_speed": lambda x, path: x["pushed"].plot("speed-torque leg_1", out=path),
        "stewart_legs": lambda x, path: x["pushed"].plot([f"driver {leg}" for leg in x["legs"][:3]], out=path),
    },
    "laws": {
        "timing": lambda x, path: x["motion"].plot(
            ["joint lift", "joint_rate lift", "acceleration lifter.y"], out=path
        ),
    },
    "pictures": {"pump": lambda x, path: gk.draw(x["pump"], path, time=0.35)},
    "forces": {"egg_on_waves": lambda x, path: x["touching"].draw(x["hard"], out=path)},
    "simulation_tutorial": {
        "suspension_forces": lambda x, path: x["loads"].draw(0.234, out=path),
        "suspension_loads": lambda x, path: x["loads"].plot(["force tire", "force strut"], out=path),
        "squeezer": lambda x, path: gk.draw(x["squeezer"], path),
        "squeezer_forces": lambda x, path: x["carried"].plot(["energy", "reaction B"], out=path),
    },
}
"""Pictures of what the code of a document has computed, by the document."""

FILMS = {"jansen_leg": 2.0}
"""Examples that are shown as films, and for how many seconds."""

FOLDERS: list[TemporaryDirectory[str]] = []
"""Where tutorials have written files, such as shapes, which are read when they are drawn."""

OF_PAGES = ("stewart_page",)
"""Pictures of pages that play a motion, taken in a browser by hand."""

SHARE, LARGEST = 0.55, 900
"""Scale of the pictures, and pixels of their longer sides, at most."""


def main() -> None:
    """Make the pictures that are named, or all, and the page."""
    every = makers()
    PICTURES.mkdir(exist_ok=True)
    for name in sys.argv[1:] or every:
        path = PICTURES / f"{name}.png"
        every[name](path)
        reduce(path)
        print(path)
    for name, seconds in FILMS.items():
        gk.animate(motion(name), PICTURES / f"{name}.gif", seconds=seconds)
    (ROOT / "docs" / "gallery.md").write_text(page())


def makers() -> dict[str, Callable[[Path], object]]:
    """For the name of every picture the function that writes it to a file."""
    found: dict[str, Callable[[Path], object]] = {}
    found |= {name: partial(draw, name, None) for name in NAMES if name not in WITHOUT_GEOMETRY}
    found |= {f"{name}_{kind}": partial(draw, name, kind) for name in PUBLISHED for kind in ("graph", "diagram")}
    found |= {name: partial(plot, *what) for name, what in PLOTS.items()}
    found |= {name: partial(of_forces, *what) for name, what in FORCES.items()}
    for document, pictures in TUTORIALS.items():
        found |= {name: partial(of_tutorial, document, make) for name, make in pictures.items()}
    return found | {
        "jansen_leg_positions": positions,
        "four_bar_designs": designs,
        "four_bar_cranks": partial(cranks, "plot_scatter"),
        "four_bar_cranks_parallel": partial(cranks, "plot_parallel"),
        "ranges": ranges,
        "stewart_field": field,
        "arm_workspace": workspace,
        "coupler_curve_fit": fit,
        "eight_bars": eight_bars,
    }


@cache
def motion(name: str) -> gk.Motion:
    """The motion of an example."""
    described = gk.read(ROOT / "examples" / f"{name}.toml")
    return gk.solve(described.mechanism, described.motion.times)


def draw(name: str, kind: str | None, path: Path) -> None:
    """Draw an example, or its structure."""
    if kind is None and name in TIMES:
        gk.draw(motion(name), path, time=TIMES[name])
    else:
        gk.draw(gk.load(ROOT / "examples" / f"{name}.toml"), path, kind)


def plot(name: str, quantities: list[str], against: str | None, path: Path) -> None:
    """Plot quantities of an example."""
    motion(name).plot(quantities, against, path)


def of_forces(name: str, what: list[str], path: Path) -> None:
    """Plot forces of an engine over the angle of its crankshaft."""
    gk.inverse_dynamics(motion(name)).plot(what, out=path, against="joint main")


def workspace(path: Path) -> None:
    """Draw where an arm of two bars reaches whose joints have ranges."""
    joints = [
        gk.Joint("shoulder", "R", ("frame", "upper"), point=(0, 0), range=(math.radians(-40), math.radians(90))),
        gk.Joint("elbow", "R", ("upper", "fore"), point=(0.3, 0), range=(math.radians(-60), math.radians(60))),
    ]
    bodies = ["frame", "upper", gk.Body("fore", points={"P": (0.3, 0.2)})]
    drivers = [gk.Driver("shoulder"), gk.Driver("elbow")]
    arm = gk.Mechanism(2, bodies, joints, drivers, units=gk.Units("mm", "deg"))
    gk.workspace(arm, "position P").plot(path)


def field(path: Path) -> None:
    """Plot how far the Stewart platform is from singular positions of its legs over a section of its workspace."""
    legs = [f"joint leg_{k}" for k in range(1, 7)]
    gk.plot_field(
        gk.program(gk.load(ROOT / "examples" / "stewart_inverse.toml")),
        lambda motion: gk.jacobian(motion, "joint pose", legs).singularities(0.35).second,
        {"joint pose.x": (-0.4, 0.4), "joint pose.angle_x": (-1.5, 1.5)},
        {"joint pose.angle_z": 0.3},
        mark=0.05,
        out=path,
        label="distance from singular positions",
    )


def positions(path: Path) -> None:
    """Draw the Jansen leg at several times."""
    gk.draw(motion("jansen_leg"), path, time=[0.0, 0.05, 0.1, 0.15, 0.2])


def designs(path: Path) -> None:
    """Plot what two four-bar linkages do whose cranks have different lengths."""
    design = gk.design(gk.load(ROOT / "examples" / "four_bar.toml"), ["length crank A-B"])
    motions = [design.solve([length], motion("four_bar").times) for length in (0.05, 0.06)]
    gk.plot(motions, ["angle rocker", "position P"], out=path, labels=["50 mm", "60 mm"])


def cranks(name: str, path: Path) -> None:
    """Plot results of four-bar linkages whose cranks have all lengths, of which some are too long."""
    import cluster

    described = cluster.read_sweep(ROOT / "examples" / "four_bar_tolerance.sweep.toml")
    lengths = [cluster.Length("crank", ("A", "B")), cluster.Length("coupler", ("B", "C"))]
    bounds = [cluster.Uniform(0.06, 0.12), cluster.Uniform(0.12, 0.13)]
    parameters = tuple(cluster.Parameter(*both) for both in zip(lengths, bounds, strict=True))
    with catch_warnings(action="ignore"):
        results = cluster.solve(replace(described, parameters=parameters, draws=2000), units="file")
    getattr(cluster, name)(results, ["crank.A-B", "coupler.B-C", "height", "lift"], out=path)


def ranges(path: Path) -> None:
    """Draw the slider-crank where its piston is beyond the end of its stroke."""
    engine = gk.load(ROOT / "examples" / "slider_crank.toml")
    stated = {"crank pin": (-2.4, 0.4), "cylinder": (0.1, 0.19)}
    engine = replace(engine, joints=[replace(joint, range=stated.get(joint.name)) for joint in engine.joints])
    with catch_warnings(action="ignore", category=RangeWarning):
        gk.draw(gk.solve(engine, [0.0025 * k for k in range(41)]), path, time=0.015)


def fit(path: Path) -> None:
    """Fit the coupler curve of a four-bar to an ellipse, and plot it."""
    from groupkin.synthesis.files import read_fit

    design, asked, _ = read_fit(ROOT / "examples" / "coupler_curve.fit.toml")
    gk.fit(design, **asked).plot(path)


def eight_bars(path: Path) -> None:
    """Sketch the first three driven eight-bar linkages of different chains side by side."""
    from groupkin.transformations.atlas import atlas

    found, sketches = atlas(8), dict[int, Image.Image]()
    with TemporaryDirectory() as folder:
        for case in found.structures:
            number = int(case.values["chain"])
            if number not in sketches and len(sketches) < 3:
                linkage = found.chains[number - 1].linkage(int(case.values["frame"]), tuple(case.drivers), placed=True)
                gk.draw(linkage, Path(folder) / "sketch.png")
                with Image.open(Path(folder) / "sketch.png") as image:
                    sketches[number] = image.convert("RGB")
    size = sum(image.width for image in sketches.values()), max(image.height for image in sketches.values())
    row, left = Image.new("RGB", size, "white"), 0
    for image in sketches.values():
        row.paste(image, (left, size[1] - image.height))
        left += image.width
    row.save(path)


def of_tutorial(document: str, make: Picture, path: Path) -> None:
    """Draw what a tutorial shows."""
    make(tutorial(document), path.resolve())


@cache
def tutorial(document: str) -> dict[str, Any]:
    """Run the code of a tutorial, and return its names."""
    text, names = (ROOT / "docs" / f"{document}.md").read_text(), dict[str, Any]()
    folder = TemporaryDirectory()
    FOLDERS.append(folder)
    with contextlib.chdir(folder.name):
        Path("examples").symlink_to(ROOT / "examples")
        for kind, block in re.findall(r"```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            if kind == "python":
                exec(block, names)
            else:
                Path(block.split()[1]).write_text(block)
    return names


def reduce(path: Path) -> None:
    """Make a picture small enough for a page, in pixels and in a palette of its own colors."""
    with Image.open(path) as image:
        share = min(SHARE, LARGEST / max(image.size))
        small = image.convert("RGB").resize([round(share * side) for side in image.size], Image.Resampling.LANCZOS)
    small.quantize(255, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE).save(path, optimize=True)


def page() -> str:
    """The text of the gallery."""
    text = [
        "# Gallery",
        "",
        "All [examples](../examples/README.md) as `groupkin draw` shows them, in their reference configurations, some",
        "at a time with the paths of their points. `python docs/make_pictures.py` makes this page and its pictures.",
        "",
        "## Published structures",
        "",
        "Structural diagrams and graphs of the mechanisms that Celdran, Saura and Dopico analyze (Mech. Mach. Theory",
        "176 (2022) 104985). In the graphs a joint has as many lines as freedoms, driven ones are bold, and structural",
        "groups are encircled.",
    ]
    for name, where in PUBLISHED.items():
        text += ["", f"### {title(name)}", "", f"[`{name}.toml`](../examples/{name}.toml), {where}.", ""]
        kinds = ["" for _ in range(name not in WITHOUT_GEOMETRY)] + ["_diagram", "_graph"]
        text += [" ".join(f"![{title(name)}](pictures/{name}{kind}.png)" for kind in kinds)]
    text += ["", "## Other mechanisms"]
    for name in NAMES:
        if name not in PUBLISHED:
            text += ["", f"### {title(name)}", "", f"[`{name}.toml`](../examples/{name}.toml)", ""]
            text += [f"![{title(name)}](pictures/{name}.png)"]
    return "\n".join(text) + "\n"


def title(name: str) -> str:
    """The name that an example has in its file."""
    return gk.load(ROOT / "examples" / f"{name}.toml").name


if __name__ == "__main__":
    main()
