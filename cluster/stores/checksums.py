"""Checksums of files, and JSON that tells when it was altered.

They recognize damage of a disk and changes by accident, not a change by someone who computes them anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from groupkin.errors import StoreError

THREADS = 8
"""Files that are read at a time."""

SEAL = "checksum"
"""Key of the checksum of all other entries of a sealed file."""


def checksums(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """Compute the checksums of files in a folder."""
    return {name: _checksum(folder / name) for name in names}


def altered(folder: Path, expected: Mapping[str, str]) -> set[str]:
    """Find the files in a folder that have other checksums than expected, or are lost.

    Raises
    ------
    StoreError
        If one may not be read, which does not say that it was altered.
    """

    def is_altered(name: str) -> bool:
        try:
            return _checksum(folder / name) != expected[name]
        except PermissionError as error:
            raise StoreError(f"{folder / name} cannot be read: {error.strerror}") from error
        except OSError:  # there is none, or a bad sector
            return True

    with ThreadPoolExecutor(THREADS) as pool:
        return {name for name, bad in zip(expected, pool.map(is_altered, expected), strict=True) if bad}


def _checksum(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, _hash).hexdigest()


def _hash(data: bytes = b"") -> Any:
    return hashlib.blake2b(data, digest_size=16)


def seal(name: str, data: Mapping[str, Any]) -> str:
    """Write data as JSON that contains its own checksum, with which it is of no use under another name."""
    return json.dumps({**data, SEAL: _hash(f"{name} {json.dumps(data)}".encode()).hexdigest()})


def unseal(file: Path) -> dict[str, Any] | None:
    """Read the data of a sealed file; None if there is none or it was altered.

    Raises
    ------
    StoreError
        If it may not be read.
    """
    try:
        text = file.read_bytes()
        data: dict[str, Any] = json.loads(text)
        del data[SEAL]
    except PermissionError as error:
        raise StoreError(f"{file} cannot be read: {error.strerror}") from error
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return data if seal(file.name, data).encode() == text else None
