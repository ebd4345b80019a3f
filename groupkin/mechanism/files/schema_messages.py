"""What the schema of files reports, in words: where a value is in the file, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from groupkin.errors import shown
from groupkin.messages import hint

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

OTHER_NAMES = {
    "harmonic": ("sine", "sin", "sinus", "sinusoid", "sinusoidal", "cosine", "cos", "oscillation"),
    "fourier": ("series", "fourier_series", "harmonics"),
    "ramp": ("linear", "constant_speed", "constant_rate", "constant_velocity", "velocity", "speed"),
    "polynomial": ("cubic", "quadratic", "quintic", "poly"),
    "spline": ("csv",),
    "spline or samples": ("table",),
    "trapezoid": ("trapezoidal", "trapezoidal_velocity", "trapezoidal_speed", "lspb"),
    "s-curve": ("seven_segment", "double_s", "jerk_limited", "trapezoidal_acceleration"),
    "cycloid": ("cycloidal",),
    "simple harmonic": ("harmonic_rise", "rise", "half_sine"),
    "sequence": ("program", "motion_program", "timing_diagram", "timing", "pieces", "dwell", "pause"),
    "constant velocity": ("ramp", "uniform", "linear", "constant_speed", "velocity", "speed"),
    "dwell": ("pause", "rest", "constant", "hold"),
}
"""What motion laws are called elsewhere, by their types."""

IN_UNITS = '; write the number alone: the units of a file are set by `units = { length = "mm", angle = "deg" }`'
"""Said where a number is written as text, such as "30 mm"."""


def path(data: Any, keys: Sequence[str | int], missing: bool) -> str:
    """The path of a value as keys of the file, with the name of the item that contains it."""
    found, label = "", ""
    for k, key in enumerate(keys):
        if isinstance(data, list) and isinstance(key, int) and key < len(data):
            found, data = f"{found}[{key}]", data[key]
            if isinstance(data, dict):
                kind = "name" if "name" in data else "joint"
                label = f" ({'joint ' if kind == 'joint' else ''}{shown(data[kind])})" if kind in data else label
        elif isinstance(data, dict) and key in data:
            found, data = f"{found}.{key}" if found else str(key), data[key]
        elif missing and k == len(keys) - 1:
            found = f"{found}.{key}" if found else str(key)
    return found + label


def words(error: ErrorDetails) -> str:
    """The message for an error that pydantic reports."""
    context, value = error.get("ctx", {}), error["input"]
    match error["type"]:
        case "missing":
            return "is missing" + (": 2 in the plane, 3 in space" if error["loc"] == ("dimension",) else "")
        case "union_tag_invalid":
            types = re.findall("'([^']*)'", str(context["expected_tags"]))
            near = _law_hint(context["tag"], types)
            return f"unknown type {shown(context['tag'])}{near}; the types are {', '.join(types)}"
        case "union_tag_not_found":
            return f"needs a key 'type', which {shown(value)} lacks"
        case "literal_error":
            near = hint(str(value), re.findall("'([^']*)'", context["expected"]))
            return f"must be {context['expected']}, not {shown(value)}{near}"
        case "groupkin":
            return error["msg"] if "message" in context else f"{error['msg']}, not {shown(value)}"
        case "too_short" | "too_long":
            limit, bound = ("at least", "min_length") if error["type"] == "too_short" else ("at most", "max_length")
            return f"must have {limit} {context[bound]} items, not {shown(value)}"
        case "model_attributes_type" | "model_type" | "dict_type":
            return f"must be a table of keys and values, not {shown(value)}"
        case "list_type" if isinstance(value, dict) and len(error["loc"]) == 1:
            return f"must be a list of tables, such as [[{error['loc'][0]}]], not {shown(value)}"
        case _:
            message = error["msg"].replace("Input should be", "must be").replace("should", "must")
            hint_on_units = IN_UNITS if error["type"] == "float_type" and isinstance(value, str) else ""
            return f"{message[0].lower()}{message[1:]}, not {shown(value)}{hint_on_units}"


def _law_hint(name: object, types: Sequence[str]) -> str:
    """Ask for the types of laws that a name means elsewhere, or else for those that look like it."""
    plain = str(name).lower().replace("-", "_").replace(" ", "_")
    known = {kind: others for kind, others in OTHER_NAMES.items() if set(kind.split(" or ")) <= set(types)}
    meant = next((kind for kind, others in known.items() if plain in others), "")
    return f" (did you mean {meant}?)" if meant else hint(str(name), types)
