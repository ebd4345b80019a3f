"""Mutated files: bytes, tokens and structure of good ones, changed at random."""

from __future__ import annotations

import copy
import json
import re
import tomllib
from contextlib import suppress
from random import Random
from typing import Any

NUMBERS = (
    *("0", "-0.0", "-1", "1", "2", "3", "7", "1e-320", "1e-12", "1e12", "1e49", "1e51", "1e200", "1e308", "-1e308"),
    *("1e999", "nan", "inf", "true", "0x10", "1_000", "2147483648", "9223372036854775808", "1000000000000"),
    *("9" * 400, "9" * 5000, "0." + "0" * 400 + "1"),
)
TEXTS = (
    *("", " ", "x", "ground", "$\\frac{$", "\x1b[31mred", "two\nlines", "nul\x00", "\u202eback", "\ud800", "é", "𝕏"),
    *("../x", "/dev/zero", ".", "a/b", "a=b", "a.b", "-", "R", "U", "L", "SPSP", "EO", "motion", "ramp", "spline"),
    *("n" * 501, "n" * 200_000, "'", '"', "[[", "sin(t)", "__class__", "{0}", "%s", "1e5"),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 10**12, 10**400, 1e-300, 1e60, 1e308, -1e308, float("nan"), float("inf")),
    *([], {}, [0], [0, 0], [0, 0, 0], [1, 0], [0, 0, 1], [1e300, 1], ["A", "B"], ["A", "A"], [[]], [{}], {"a": 1}),
)
TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|[-+]?[0-9][-+0-9.eE_]*|[A-Za-z_]+|\s+|.', re.DOTALL)


def mutated(text: bytes, suffix: str, random: Random) -> tuple[bytes, str]:
    """Change a file in one to three places; returns its bytes and its suffix, which may be another one."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        change = random.choice((change_bytes, _tokens, _tokens, change_tree, change_tree, change_tree))
        if change is not change_tree:
            text = change(text, random)
        elif (data := _parsed(text, suffix)) is not None:
            text, suffix = _written(change_tree(data, random), random)
    return text, suffix


def change_bytes(text: bytes, random: Random) -> bytes:
    """Flip, remove, repeat, insert or cut off bytes."""
    at = random.randrange(len(text) + 1)
    end = min(len(text), at + random.choice((1, 1, 4, 30, 300)))
    match random.randrange(5):
        case 0:
            return text[:at] + bytes([random.randrange(256)]) + text[at + 1 :]
        case 1:
            return text[:at] + text[end:]
        case 2:
            return text[:end] + text[at:end] * random.choice((1, 2, 50)) + text[end:]
        case 3:
            return text[:at] + random.choice((b"\x00", b"\xff\xfe", b"\x1b[2J", b"[" * 5000, b"a." * 3000)) + text[at:]
        case _:
            return text[:at]


def _tokens(text: bytes, random: Random) -> bytes:
    """Replace a number or a text by a nasty one, or exchange, remove or repeat tokens."""
    tokens = TOKEN.findall(text)
    if not tokens:
        return text
    wanted = random.choice((b"0123456789-+", b'"', b""))
    places = [k for k, token in enumerate(tokens) if not token.isspace() and (not wanted or token[:1] in wanted)]
    if not places:
        return text
    k, other = random.choice(places), random.choice(places)
    match random.randrange(5):
        case 0 | 1:
            quoted = json.dumps(random.choice(TEXTS)) if tokens[k][:1] == b'"' else random.choice(NUMBERS)
            tokens[k] = quoted.encode()
        case 2:
            tokens[k], tokens[other] = tokens[other], tokens[k]
        case 3:
            tokens[k] = b""
        case _:
            tokens[k] = tokens[k] + b" " + tokens[other]
    return b"".join(tokens)


def change_tree(data: Any, random: Random) -> Any:
    """Delete, repeat, rename or replace a value anywhere in a tree of tables and lists."""
    places = list(_places(data))
    if not places:
        return data
    table, key = random.choice(places)
    match random.randrange(8):
        case 0:
            del table[key]
        case 1 if isinstance(table, list):
            table.insert(random.randrange(len(table) + 1), copy.deepcopy(table[key]))
        case 1 | 2 if isinstance(table, dict):
            table[random.choice((*TEXTS, "type", "name", "point", "axis", "points"))] = table.pop(key)
        case 3:
            there, name = random.choice(places)
            table[key] = copy.deepcopy(there[name])
        case 4 if type(table[key]) in (int, float):
            factor, moved = random.choice((-1, 0, 1 + 1e-9, 1e-9, 1e9, 1e40)), random.choice((0, 0, 1e-7))
            with suppress(OverflowError):  # of whole numbers of hundreds of digits
                table[key] = table[key] * factor + moved
        case 5:
            table[key] = random.choice(TEXTS)
        case 6 if random.random() < 0.1:
            deep: Any = table[key]
            for _ in range(random.choice((19, 30, 100))):
                deep = [deep] if random.random() < 0.5 else {"a": deep}
            table[key] = deep
        case _:
            table[key] = copy.deepcopy(random.choice(VALUES))
    return data


def _places(data: Any) -> Any:
    """Yield every entry of a tree as its table or list, and its key."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in list(entries):
        yield data, key
        yield from _places(value)


def _parsed(text: bytes, suffix: str) -> Any:
    """Parse a file that still can be, and not too deep to be changed, or None."""
    try:
        decoded = text.decode()
        return copy.deepcopy({".toml": tomllib.loads, ".json": json.loads}[suffix](decoded))
    except (KeyError, ValueError, RecursionError):
        return None


def _written(data: Any, random: Random) -> tuple[bytes, str]:
    """Write data as TOML or JSON."""
    try:
        if isinstance(data, dict) and random.random() < 0.5:
            lines = (f"{json.dumps(key)} = {_toml(value)}\n" for key, value in data.items())
            return "".join(lines).encode(errors="surrogatepass"), ".toml"
        return json.dumps(data, default=str).encode(), ".json"
    except (RecursionError, ValueError):  # deeper than these writers go, or more digits
        return b'{"a":' * 3000 + b"9" * 5000 + b"}" * 3000, ".json"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if value is None:
        return '""'
    return str(value).lower() if isinstance(value, float) and not abs(value) < 1e300 else json.dumps(value, default=str)
