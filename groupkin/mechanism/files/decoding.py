"""The boundary to files: text and its TOML or JSON data, within limits that no mechanism or sweep comes near.

What passes has no control characters, no deep nesting and no numbers that a float or a counter could not hold, so that
whatever comes later need not look for them.
"""

from __future__ import annotations

import json
import re
import stat
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groupkin.arguments import LARGEST_INTEGER, LONGEST_NAME, SUFFIXES, is_name
from groupkin.durable_files import resolved
from groupkin.errors import FileError, shorter, shown

LARGEST_FILE = 2**25
"""Bytes of a file at most; reading so many takes some seconds."""

DEEPEST = 20
"""Tables and lists within each other at most."""

TOO_MANY_DIGITS = "a number has too many digits; write large numbers as 1e20, say"


@dataclass(frozen=True)
class Folder:
    """Where the files are that another file names: in its folder or below, unless they may be anywhere."""

    path: Path
    anywhere: bool = False

    def file(self, name: str) -> Path:
        """Find a file by its name in another one, with all links followed.

        Raises
        ------
        FileError
            If it lies elsewhere. Whether there is a file is not told.
        """
        path = self.path / name
        if self.anywhere:
            return path
        try:
            place, folder = resolved(path), resolved(self.path)
        except OSError as error:
            raise FileError(f"{shown(name)} cannot be read: {error.strerror}") from None
        if not place.is_relative_to(folder):
            raise FileError(
                f"{shown(name)} is not in the folder of the file that names it, or below; move it there, or allow it "
                "with --files-anywhere (files_anywhere=True)"
            )
        return place


def read_text(path: Path) -> str:
    """Read a text file.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    FileError
        If it cannot be read, is no regular file, larger than `LARGEST_FILE` or not UTF-8.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise FileError(f"{path}: cannot be read: it is a folder or a device")
        if status.st_size > LARGEST_FILE:
            raise FileError(
                f"{path}: has {status.st_size} bytes, and at most {LARGEST_FILE} are read; is it the right file?"
            )
        return path.read_text(encoding="utf-8-sig")
    except (FileError, FileNotFoundError):
        raise
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise FileError(f"{path.name}: byte {error.start} is not UTF-8 text; save the file as UTF-8") from None
    except ValueError:  # of a name with a NUL character
        raise FileError(f"{str(path)!r}: no file can have this name") from None


def check_data(data: Any) -> None:
    """Refuse data of a file that nest too deeply, or hold control characters or whole numbers of too many digits.

    Raises
    ------
    FileError
        With the path of the value.
    """
    waiting = [(data, "", 0)]
    while waiting:
        value, path, depth = waiting.pop()
        if depth > DEEPEST:
            raise FileError(f"{path[:60]}...: values are nested too deeply; at most {DEEPEST} levels are read")
        if isinstance(value, dict):
            for key, entry in value.items():
                if not isinstance(key, str) or (key and not is_name(key)):
                    where = f"{path}: " if path else ""
                    raise FileError(
                        f"{where}the key {shown(key)} must have at most {LONGEST_NAME} printable characters"
                    )
                waiting.append((entry, f"{path}.{key}" if path else key, depth + 1))
        elif isinstance(value, (list, tuple)):
            waiting.extend((entry, f"{path}[{k}]", depth + 1) for k, entry in enumerate(value))
        elif isinstance(value, str) and not all(map(str.isprintable, value.replace("\t", " ").split("\n"))):
            raise FileError(f"{path}: must be text without control characters, not {shown(value)}")
        elif isinstance(value, int) and not -LARGEST_INTEGER <= value < LARGEST_INTEGER:
            raise FileError(f"{path}: must be a number of at most 18 digits without a decimal point; write 1e20, say")


def decoded(path: Path, kind: str = "mechanism") -> tuple[Any, str]:
    """Read the data and the text of a TOML or JSON file; `kind` names the kind of file in messages.

    Raises
    ------
    FileError
        If the file cannot be read, or is not valid TOML or JSON.
    """
    text = _text(path, kind)
    try:
        data = _DECODERS[path.suffix.lower()](text)
        check_data(data)
        return data, text
    except FileError as error:
        raise FileError(f"{path.name}: {error}") from None
    except RecursionError:
        raise FileError(f"{path.name}: its values are nested too deeply") from None


def _text(path: Path, kind: str) -> str:
    if path.suffix.lower() not in _DECODERS:
        example = "" if path.suffix else f"; if it is an example, give groupkin.example({str(path)!r})"
        raise FileError(f"{path}: a {kind} file ends in {' or '.join(_DECODERS)}, not {path.suffix!r}{example}")
    try:
        return read_text(path)
    except FileNotFoundError:
        raise FileError(f"{path}: there is no such file; check its name and folder") from None


def _from_toml(text: str) -> Any:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        quoted = f" in `{shorter(text.split(chr(10))[int(line[1]) - 1].strip())}`" if line else ""
        raise FileError(f"no valid TOML: {error}{quoted}") from None
    except ValueError:
        raise FileError(TOO_MANY_DIGITS) from None


def _from_json(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique_keys)
    except json.JSONDecodeError as error:
        raise FileError(f"no valid JSON: {error.msg} (at line {error.lineno}, column {error.colno})") from None
    except FileError:
        raise
    except ValueError:
        raise FileError(TOO_MANY_DIGITS) from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = shown(next(key for key in keys if keys.count(key) > 1))
        raise FileError(f"the key {twice} appears twice in one table")
    return table


_DECODERS = dict(zip(SUFFIXES, (_from_toml, _from_json), strict=True))
