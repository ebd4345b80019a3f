"""Documents of mechanisms that load, and changes of them after which most still load.

A document is what a mechanism file decodes to. Numbers, names, references and structure are changed, the syntax and
the schema are kept.
"""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from groupkin.errors import UnknownJointTypeError
from groupkin.mechanism.pairs import PAIRS, form
from groupkin.text_forms import written
from tests.support.paths import EXAMPLES

Document = dict[str, Any]

EXAMPLE = 0.15
"""Share of inputs that are made from an example, which is larger than the small mechanisms."""

FACTORS = (-1, 0.5, 2, 0.9, 1.1, 1 + 1e-9, 1 - 1e-7, 1e-3, 1e3, 1e-9, 1e9)
"""Factors of numbers."""

NUMBERS = (0, 0, 1, -1, 0.5, -2, 3, 90, 1e-12, 1e-300, 5e-324, 1e6, 1e12, 1e20, 1e50, -1e50)
"""Numbers in the place of others; the largest are those that files may have."""

NAMES = (
    *("main bearing", "A.1", "a-b", "P@x", "Watt's", "{x}", "[1]", "$x$", "%s", "x=1", "a,b", '"', "\\", "<b>", "é"),
    *("ground", "frame", "time", "joint", "position", "norm", "angle", "x", "A", "1", "0", "None", "motion", "energy"),
)
"""Names in the place of others."""

KEYS = {"bodies": "body", "joints": "joint", "drivers": "driver", "forces": "force", "couplings": "coupling"}
"""Lists of a document."""

LAWS: tuple[Document, ...] = (
    {"type": "constant", "value": 0.3},
    {"type": "ramp", "rate": 1.5, "start": 0.1},
    {"type": "polynomial", "coefficients": [0.1, 1, -2, 3]},
    {"type": "harmonic", "amplitude": 0.2, "frequency": 2, "phase": 1, "offset": 0.1},
    {"type": "fourier", "frequency": 1, "cosine": [0.1, 0.02], "sine": [0.1], "offset": -0.1},
    {"type": "spline", "times": [-1, 0, 1, 2, 3, 4], "values": [0, 0.1, 0.2, 0.2, 0.4, 0], "degree": 5},
    {"type": "spline", "times": [0, 0.5, 1, 2], "values": [0, 0.2, 0.1, 0], "periodic": True},
    {"type": "samples", "times": [0, 5], "values": [0, 0.4], "rates": [0, 0.1], "accelerations": [0, 1]},
    {"type": "cycloid", "rise": 0.4, "duration": 0.5, "begin": 0.1, "start": -0.1},
    {"type": "s-curve", "rise": 0.4, "speed": 1, "acceleration": 5, "jerk": 50},
    {"type": "trapezoid", "rise": 0.4, "duration": 2, "shares": [1, 2, 1]},
    {
        "type": "sequence",
        "pieces": [
            {"type": "3-4-5", "rise": 0.1, "duration": 0.3},
            {"type": "constant velocity", "rise": 0.2, "duration": 0.2},
            {"type": "4-5-6-7", "rise": -0.3, "duration": 0.4},
            {"type": "dwell", "duration": 0.1},
        ],
        "periodic": True,
    },
)
UNITS = {
    "length": ("m", "dm", "cm", "mm", "um", "km", "in", "ft"),
    "angle": ("rad", "deg"),
    "mass": ("kg", "g", "t", "lb"),
    "force": ("N", "kN", "MN", "lbf"),
}
SHAPES = (
    "sqrt({})",
    "sin({} / 1 rad)",
    "1 / {}",
    "{} ** 2",
    "{} - {}",
    "abs({})",
    "{} / {}",
    "2 * {}",
    "atan2({}, {})",
)
"""Formulas of quantities."""


def documents() -> tuple[list[Document], list[Document]]:
    """Small mechanisms, and the examples that need no other file."""
    small = list(tomllib.loads((Path(__file__).parent / "seeds.toml").read_text()).values())
    texts = [path.read_text() for path in sorted(EXAMPLES.glob("*.toml"))]
    examples = [tomllib.loads(text) for text in texts if "joints" in text and "csv" not in text]
    return [_listed(document) for document in small], [_listed(document) for document in examples]


def altered(sources: tuple[list[Document], list[Document]], random: Random) -> Document:
    """Choose a document and change it in one to four places."""
    small, examples = sources
    document = copy.deepcopy(random.choice(examples if random.random() < EXAMPLE else small))
    for _ in range(random.choice((1, 1, 2, 2, 3, 4))):
        random.choices(CHANGES, WEIGHTS)[0](document, small, random)
    return document


def _listed(document: Document) -> Document:
    """A document whose bodies are a list of tables."""
    bodies = document["bodies"]
    if isinstance(bodies, dict):
        bodies = [{"name": name, **body} for name, body in bodies.items()]
    return document | {"bodies": [{"name": body} if isinstance(body, str) else body for body in bodies]}


# --- numbers ---------------------------------------------------------------------------------


def _numbers(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every number of a tree but its dimension as its table or list, and its key."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in list(entries):
        if type(value) in (int, float) and key not in ("dimension", "steps", "degree"):
            yield data, key
        yield from _numbers(value)


def _scale_number(document: Document, _: list[Document], random: Random) -> None:
    for table, key in _chosen(list(_numbers(document)), random):
        table[key] = _bounded(table[key] * random.choice(FACTORS))


def _replace_number(document: Document, _: list[Document], random: Random) -> None:
    for table, key in _chosen(list(_numbers(document)), random):
        table[key] = random.choice(NUMBERS)


def _swap_numbers(document: Document, _: list[Document], random: Random) -> None:
    places = list(_numbers(document))
    for (table, key), (other, there) in zip(_chosen(places, random), _chosen(places, random), strict=True):
        table[key], other[there] = other[there], table[key]


def _jiggle(document: Document, _: list[Document], random: Random) -> None:
    """Change every number of one part of the document by a little or by one factor."""
    part = random.choice([key for key in document if key not in ("dimension", "name")])
    factor, noise = random.choice(FACTORS), random.choice((0.0, 1e-9, 0.01, 0.3))
    for table, key in _numbers({part: document[part]}):
        table[key] = _bounded(table[key] * (factor if not noise else 1 + noise * random.gauss(0, 1)))


def _bounded(number: float) -> float:
    return max(-1e50, min(1e50, number))


# --- names and references --------------------------------------------------------------------


def _names(document: Document, kind: str) -> list[str]:
    """Names of a document: of bodies, joints, forces, couplings, outputs or points."""
    if kind == "points":
        of_bodies = [body.get("points", {}) for body in document["bodies"]]
        return [*document.get("points", {}), *(name for points in of_bodies for name in points)]
    return [each if isinstance(each, str) else each["name"] for each in document.get(kind, ())]


NAMED = ("bodies", "joints", "points", "forces", "couplings", "outputs")


def _rename(document: Document, _: list[Document], random: Random) -> None:
    """Give something another name, everywhere or in one place; perhaps a name that something else has."""
    for old in _chosen(_names(document, random.choice(NAMED)), random):
        taken = [name for kind in NAMED for name in _names(document, kind)]
        new = random.choice(taken if random.random() < 0.4 else NAMES)
        once = [True] if random.random() < 0.2 else None
        document |= _renamed(document, old, new, once)


def _renamed(data: Any, old: str, new: str, once: list[bool] | None) -> Any:
    """A tree with another name; only in the first place that is left in `once`."""
    if isinstance(data, dict):
        return {
            _renamed(key, old, new, once) if key != "name" and key not in KEYS else key: _renamed(value, old, new, once)
            for key, value in data.items()
        }
    if isinstance(data, list):
        return [_renamed(value, old, new, once) for value in data]
    if not isinstance(data, str) or (once is not None and not once):
        return data
    quantities = re.compile(rf"(?<![\w']){re.escape(written(old))}(?![\w'])")
    found = new if data == old else quantities.sub(lambda _: written(new), data) if " " in data else data
    if once is not None and found != data:
        once.pop()
    return found


def _refer(document: Document, _: list[Document], random: Random) -> None:
    """Let something refer to another body, joint or point, or to another place."""
    bodies, joints, points = (_names(document, kind) for kind in ("bodies", "joints", "points"))
    places: list[tuple[Any, Any, list[Any]]] = []
    for entry in (x for key in KEYS for x in document.get(key, ())):
        both = [*bodies, *joints]
        for key, known in {"body": bodies, "joint": joints, "over": joints, "axes": both, "of": joints}.items():
            if isinstance(entry.get(key), str):
                places.append((entry, key, known))
        for key in ("bodies", "between"):
            places += [(entry[key], k, bodies) for k in range(len(entry.get(key, ())))]
        for key in ("point", "center", "about", "origin"):
            if key in entry:
                places.append((entry, key, [*points, "middle", *_coordinates(document)]))
        for k in range(len(entry.get("points", ()) if isinstance(entry.get("points"), list) else ())):
            places.append((entry["points"], k, [*points, *_coordinates(document)]))
    for table, key, known in _chosen(places, random):
        table[key] = copy.deepcopy(random.choice(known or [table[key]]))


def _coordinates(document: Document) -> list[Any]:
    """Coordinates that joints have."""
    return [joint["point"] for joint in document["joints"] if isinstance(joint.get("point"), list)] or [
        [0.1] * document["dimension"]
    ]


# --- structure -------------------------------------------------------------------------------


def _drop(document: Document, _: list[Document], random: Random) -> None:
    entries = document.get(random.choice(tuple(KEYS)), [])
    for entry in _chosen(entries, random):
        entries.remove(entry)


def _repeat(document: Document, _: list[Document], random: Random) -> None:
    """Repeat an entry, mostly under a new name."""
    key = random.choice(tuple(KEYS))
    for entry in _chosen(document.get(key, []), random):
        new = copy.deepcopy(entry)
        if "name" in new and random.random() < 0.9:
            new["name"] += "'" if random.random() < 0.3 else "2"
        document[key].insert(random.randrange(len(document[key]) + 1), new)


def _move(document: Document, _: list[Document], random: Random) -> None:
    """Change the order of entries, or the order of two bodies of an entry."""
    entries = document.get(random.choice(tuple(KEYS)), [])
    if random.random() < 0.5:
        random.shuffle(entries)
    for entry in _chosen(entries, random):
        for key in ("bodies", "between", "points", "radii"):
            if isinstance(entry.get(key), list):
                entry[key].reverse()


def _retype(document: Document, _: list[Document], random: Random) -> None:
    """Let a joint be of another type, with the geometry that this needs."""
    for joint in _chosen(document["joints"], random):
        joint["type"] = random.choice(list(PAIRS))
        _fit(joint, document["dimension"], random)


def _fit(joint: Document, dimension: int, random: Random) -> None:
    """Give a joint the geometry that its type needs, and no other."""
    try:
        needs = form(joint["type"], dimension).needs
    except UnknownJointTypeError:
        return
    point = joint.pop("point", None) or (joint.get("points") or [[0.1] * dimension])[-1]
    other = [x + random.choice((0, 0.3, -1)) for x in point] if isinstance(point, list) else [0.2] * dimension
    known = {
        "point": point,
        "points": joint.get("points") or [other, point],
        "axis": joint.get("axis") or [float(random.randint(-1, 1)) for _ in range(dimension - 1)] + [1.0],
        "axes": joint.get("axes") or random.choice([[[1, 0, 0], [0, 0, 1]], [[0, 1, 0], [1, 0, 0.0]]]),
        "radii": joint.get("radii") or [random.choice((0.1, 20)), random.choice((0.2, 40))],
        "pitch": 0.01,
        "curve": joint.get("curve")
        or {"closed": True, "points": [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [0, -1.0]]},
    }
    for key in ("points", "axis", "axes", "radii", "pitch_per_turn", "curve", "curves", "radius", "adhesion", "rope"):
        joint.pop(key, None)
    joint |= {key: known[key] for key in needs}


def _add_joint(document: Document, _: list[Document], random: Random) -> None:
    """Add a joint between two bodies, or a body on a joint of its own."""
    bodies, dimension = _names(document, "bodies"), document["dimension"]
    place = copy.deepcopy(random.choice(_coordinates(document)))
    symbol = random.choice([s for s, p in PAIRS.items() if (p.plane if dimension == 2 else p.space)] + ["R", "P"] * 4)
    joint: Document = {"name": f"joint {len(document['joints'])}", "type": symbol, "point": place}
    if random.random() < 0.4:
        document["bodies"].append({"name": f"body {len(bodies)}", "mass": 1.0, "center": [0.4] * dimension})
        joint["bodies"] = [random.choice(bodies), document["bodies"][-1]["name"]]
    else:
        joint["bodies"] = random.sample(bodies, 2) if len(bodies) > 1 else bodies * 2
    _fit(joint, dimension, random)
    document["joints"].insert(random.randrange(len(document["joints"]) + 1), joint)


def _drive(document: Document, _: list[Document], random: Random) -> None:
    """Add a driver, or change the law or the degree of freedom of one."""
    drivers = document.setdefault("drivers", [])
    if not drivers or random.random() < 0.3:
        drivers.append({"joint": random.choice(_names(document, "joints") or ["A"])})
    driver = random.choice(drivers)
    symbol = next((joint["type"] for joint in document["joints"] if joint["name"] == driver["joint"]), "R")
    pair = PAIRS.get(symbol, PAIRS["R"])
    known = pair.plane if document["dimension"] == 2 else pair.space
    if known is not None and len(known.freedoms) > 1:
        driver["freedom"] = random.choice(known.freedoms).name
    else:
        driver.pop("freedom", None)
    driver.pop("law", None)
    if random.random() < 0.7:
        driver["law"] = copy.deepcopy(random.choice(LAWS))


def _transplant(document: Document, small: list[Document], random: Random) -> None:
    """Take over a force or mass of another mechanism, between bodies, joints and points of this one."""
    others = [each for each in small if each["dimension"] == document["dimension"]]
    bodies, joints = _names(document, "bodies"), _names(document, "joints")
    if random.random() < 0.3:
        heavy = [body for each in others for body in each["bodies"] if "mass" in body]
        source, body = random.choice(heavy), random.choice(document["bodies"])
        body |= {"mass": source["mass"], "center": [0.2] * document["dimension"], "inertia": source.get("inertia", 0.0)}
        return
    force = copy.deepcopy(random.choice([force for each in others for force in each.get("forces", ())]))
    places = [*_coordinates(document), *_coordinates(document), *_names(document, "points")]
    force["name"] += random.choice(("", " 2", "."))
    for key, known in (("body", bodies), ("joint", joints), ("point", places)):
        if key in force and known:
            force[key] = copy.deepcopy(random.choice(known))
    force.pop("axes", None)
    if "between" in force and len(bodies) > 1:
        force["between"] = random.sample(bodies, 2)
    if isinstance(force.get("points"), list):
        force["points"] = [copy.deepcopy(random.choice(places)) for _ in range(2)]
    if random.random() < 0.3 and force["type"] in ("force", "torque", "joint_force"):
        force["law"] = copy.deepcopy(random.choice(LAWS))
    if force["type"] == "stop" and random.random() < 0.8:
        joint = next((each for each in document["joints"] if each["name"] == force["joint"]), {})
        joint["range"] = {force["freedom"]: [-0.1, 0.2]} if "freedom" in force else [-0.1, 0.2]
    document.setdefault("forces", []).append(force)


def _couple(document: Document, _: list[Document], random: Random) -> None:
    """Add a coupling or an output by a formula or a table of quantities."""
    texts = [f"joint {written(name)}" for name in _names(document, "joints")]
    texts += [f"position {written(name)}.{random.choice('xy')}" for name in _names(document, "points")]
    texts += [f"angle {written(name)}" for name in _names(document, "bodies")] if document["dimension"] == 2 else []
    if not texts:
        return
    name = f"k{len(document.get('couplings', ()))}"
    formula = re.sub(r"\{\}", lambda _: "{" + random.choice(texts) + "}", random.choice(SHAPES))
    if random.random() < 0.3:
        document.setdefault("outputs", {})[name] = formula
        return
    table = [[k / 4, random.choice((k / 4, k**2 / 16, 0.0))] for k in range(-3, 4)]
    by_table = {"of": [random.choice(texts), random.choice(texts)], "table": table}
    coupling = {"equation": formula} if random.random() < 0.7 else by_table
    document.setdefault("couplings", []).append({"name": name, **coupling})


def _measure(document: Document, _: list[Document], random: Random) -> None:
    """Change units, gravity, frame, times or assembly modes."""
    dimension = document["dimension"]
    match random.randrange(5):
        case 0:
            kind = random.choice(tuple(UNITS))
            document["units"] = document.get("units", {}) | {kind: random.choice(UNITS[kind])}
        case 1:
            document["gravity"] = [random.choice((*NUMBERS, -9.81, 9.81)) for _ in range(dimension)]
        case 2:
            document["frame"] = random.choice(_names(document, "bodies") or ["frame"])
        case 3:
            start, duration = random.choice((0, 0.1, -1, 1e6, 1e20)), random.choice((1e-9, 0.1, 1, 100, 1e9))
            document["motion"] = {"start": start, "duration": duration, "steps": 11}
        case _:
            document["modes"] = {random.choice(_names(document, "bodies") or ["a"]): random.choice((1, 2, 2, 3))}


def _chosen(entries: list[Any], random: Random) -> list[Any]:
    """One of some entries, if there are any."""
    return [random.choice(entries)] if entries else []


CHANGES: tuple[Callable[[Document, list[Document], Random], None], ...] = (
    *(_scale_number, _replace_number, _swap_numbers, _jiggle, _rename, _refer, _drop, _repeat, _move),
    *(_retype, _add_joint, _drive, _transplant, _couple, _measure),
)
WEIGHTS = (4, 3, 2, 3, 2, 2, 2, 1, 1, 2, 2, 4, 3, 2, 2)
"""How often each of the changes is made, relative to the others."""
