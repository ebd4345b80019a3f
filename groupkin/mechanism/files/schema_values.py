"""Values of the schemas of files: names, numbers, points and axes, and the base class of all tables.

By pydantic, which is slow to import: import this module only where it is needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    PlainValidator,
    ValidationInfo,
    WithJsonSchema,
    WrapValidator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from groupkin.arguments import LONGEST_NAME, is_name
from groupkin.errors import FormulaError, shown
from groupkin.mechanism.files.schema_messages import IN_UNITS
from groupkin.mechanism.values import Value
from groupkin.messages import hint


def _printable(value: str) -> str:
    if not is_name(value):
        raise problem(f"must have at most {LONGEST_NAME} characters, none of them a line break")
    return value


def _number(value: Any, handler: Callable[[Any], Any], info: ValidationInfo) -> Any:
    """Take a number, or a formula of the file's values."""
    context = info.context or {}
    if not isinstance(value, str) or not context.get("values"):
        return handler(value)
    from groupkin.mechanism.files.value_formulas import value_of

    try:
        number = value_of(value, context["values"], context["radians"])
    except FormulaError as error:
        raise problem(str(error)) from None
    handler(float(number))
    return number


Name = Annotated[str, Field(min_length=1), AfterValidator(_printable)]
Number = Annotated[float, WrapValidator(_number)]
"""A number in the units of the file, or the text of a formula of the file's values."""
Positive = Annotated[Number, Field(gt=0)]

_COORDINATES = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 3}


class Part(BaseModel):
    """Base class of all tables of a file: no unknown keys, no implicit conversions, finite numbers only."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, data: Any) -> Any:
        keys = [field.alias or name for name, field in cls.model_fields.items()]
        unknown = [key for key in data if key not in keys] if isinstance(data, dict) else []
        if unknown:
            raise problem(f"unknown key {unknown[0]!r}{hint(unknown[0], keys)}; the keys here are {', '.join(keys)}")
        return data


def problem(message: str) -> PydanticCustomError:
    """A violation of the schema, with its message."""
    return PydanticCustomError("groupkin", "{message}", {"message": message})


def _coordinates(value: Any, info: ValidationInfo) -> list[float]:
    if isinstance(value, list) and (info.context or {}).get("values"):
        value = [_number(x, lambda y: y, info) if isinstance(x, str) else x for x in value]
    kinds = (int, float, Value)
    numbers = isinstance(value, list) and all(type(x) in kinds and math.isfinite(x) for x in value)
    if not numbers or len(value) not in (2, 3):
        dimension = (info.context or {}).get("dimension")
        plane, space = "2 finite numbers in the plane", "3 finite numbers in space"
        text = plane if dimension == 2 else space if dimension == 3 else f"{plane}, 3 in space"
        written = isinstance(value, list) and any(isinstance(x, str) for x in value)
        raise problem(f"must be {text}, not {shown(value)}{IN_UNITS * written}")
    return [x if isinstance(x, Value) else float(x) for x in value]


def _point(value: Any, info: ValidationInfo) -> str | list[float]:
    if isinstance(value, str) and value:
        return _printable(value)
    if not isinstance(value, list):
        raise problem(f"must be the name of a point or its coordinates, not {shown(value)}")
    return _coordinates(value, info)


def _axis(value: Any, info: ValidationInfo) -> list[float] | list[str]:
    if isinstance(value, list) and len(value) == 2 and all(isinstance(name, str) and name for name in value):
        return value
    formulas = bool((info.context or {}).get("values"))  # of which a direction may consist
    if isinstance(value, list) and any(isinstance(x, str) for x in value) and not formulas:
        raise problem(f"must be a direction in numbers or the names of two points, not {shown(value)}")
    return _coordinates(value, info)


def _ends(value: Any, info: ValidationInfo) -> list[float]:
    """Take the two ends of a range, which may be infinite or formulas of the file's values."""
    infinite = {"inf": math.inf, "-inf": -math.inf}
    if not isinstance(value, list) or len(value) != 2:
        raise problem(f"must be two numbers, the lower one first, not {shown(value)}")
    ends = [infinite[x] if isinstance(x, str) and x in infinite else _number(x, lambda y: y, info) for x in value]
    if not all(type(x) in (int, float, Value) and not math.isnan(x) for x in ends):
        written = any(isinstance(x, str) for x in ends)
        raise problem(f"must be two numbers, or inf where there is no end, not {shown(value)}{IN_UNITS * written}")
    return [x if isinstance(x, Value) else float(x) for x in ends]


_END = {"anyOf": [{"type": "number"}, {"type": "string"}]}
Ends = Annotated[
    list[float],
    PlainValidator(_ends),
    WithJsonSchema({"type": "array", "items": _END, "minItems": 2, "maxItems": 2}),
]
"""The ends of a range."""

Coordinates = Annotated[list[float], PlainValidator(_coordinates), WithJsonSchema(_COORDINATES)]
Point = Annotated[
    str | list[float], PlainValidator(_point), WithJsonSchema({"anyOf": [{"type": "string"}, _COORDINATES]})
]


Axis = Annotated[
    list[float] | list[str],
    PlainValidator(_axis),
    WithJsonSchema(
        {"anyOf": [_COORDINATES, {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}]}
    ),
]


def either(expected: str) -> Discriminator:
    """Discriminate between a number, a name, a list and a table; `expected` lists the allowed ones in messages.

    A text is a name where names are allowed, else the formula of a number.
    """
    text = "a name" if "name" in expected.partition(" or ")[0] or "text" in expected else "a number"

    def form(value: Any) -> str:
        """Tag of a value; its space distinguishes it from the keys of a path."""
        number = isinstance(value, int | float) and not isinstance(value, bool)
        kinds = ((dict, "a table"), (list, "a list"), (str, text))
        return "a number" if number else next((tag for kind, tag in kinds if isinstance(value, kind)), "something else")

    return Discriminator(form, custom_error_type="groupkin", custom_error_message=f"must be {expected}")
