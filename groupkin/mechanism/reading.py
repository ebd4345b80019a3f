"""The boundary to files: their text, and the data in it, within limits that no mechanism or sweep comes near.

What passes has no control characters, no deep nesting and no numbers that a float or a counter could not hold, so that
whatever comes later need not look for them.
"""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

from groupkin.arguments import LARGEST_INTEGER, LONGEST_NAME, is_name
from groupkin.errors import FileError, shown

LARGEST_FILE = 2**25
"""Bytes of a file at most; reading so many takes some seconds."""

DEEPEST = 20
"""Tables and lists within each other at most."""


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
