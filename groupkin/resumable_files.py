"""Files from which a computation that was stopped goes on: one format, whose damage is found before it is believed.

The first line names the kind of computation, the form of the content, its size in bytes, the digest of what was asked
for, and the digest of this line and the content. The content is JSON, with arrays as base64. The digests recognize
damage of a disk and changes by accident, not a change by someone who computes them anew.
"""

from __future__ import annotations

import base64
import json
import re
import stat
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.durable_files import check_place, disk_errors, exists, remove_abandoned, replacing_file
from groupkin.errors import GroupkinError
from groupkin.mechanism.files.decoding import check_data

LARGEST = 2**34
"""Size of the largest content that is read (bytes); more than the results of any simulation that fits a memory."""

HEADER = re.compile(rb"(groupkin (\w{1,20}) (\d{1,9}) (\d{1,15}) ([0-9a-f]{64}) )([0-9a-f]{64})\n")
"""The first line: all before the last digest, kind, form, size, digest of the request; digest of all the rest."""

LONGEST_HEADER = 200
"""Length of the longest first line (bytes)."""

NUMBERS = {"float64", "int64", "bool"}
"""Types of the numbers in arrays."""


@dataclass(frozen=True)
class ResumableFile:
    """A file from which a computation goes on.

    Attributes
    ----------
    path : Path
    kind : str
        The computation, in one word, such as ``simulation``.
    form : int
        Version of the content.
    request : str
        SHA-256 of all that the computation depends on.
    depends_on : str
        The same in words, for messages.
    error : type of GroupkinError
        Raised if the file cannot be used.
    """

    path: Path
    kind: str
    form: int
    request: str
    depends_on: str
    error: type[GroupkinError]

    def prepare(self) -> None:
        """Refuse a path that cannot be written, and remove what killed processes have left beside it.

        Raises
        ------
        OutputError
        """
        check_place(self.path)
        remove_abandoned(self.path)

    def write(self, data: Any) -> None:
        """Replace the file, whole or not at all.

        Parameters
        ----------
        data : dict, list, str, int, float, bool, None or array
            Keys of dicts are texts.

        Raises
        ------
        OutputError
        """
        content = json.dumps(data, default=_as_json).encode()
        begin = f"groupkin {self.kind} {self.form} {len(content)} {self.request} ".encode()
        seal = sha256(begin + content).hexdigest().encode()
        with disk_errors(self.path, begun=False), replacing_file(self.path) as temporary:
            temporary.write_bytes(begin + seal + b"\n" + content)

    def read(self) -> Any:
        """Read the data; None if there is no file.

        Raises
        ------
        GroupkinError
            Of the class `error`: if the file cannot be read, is something else or damaged, or of another request.
        """
        if not exists(self.path):
            return None
        try:
            if not stat.S_ISREG(self.path.stat().st_mode):
                raise self.unusable()
            return self._content()
        except OSError as error:
            raise self.error(f"{self.path} cannot be read: {error.strerror or error}; choose another file") from error

    def _content(self) -> Any:
        with self.path.open("rb") as stream:
            header = HEADER.fullmatch(stream.readline(LONGEST_HEADER))
            if header is None:
                raise self.unusable()
            begin, kind, form, size, request, seal = header.groups()
            place = stream.tell()
            if int(size) != self.path.stat().st_size - place or int(size) > LARGEST:
                raise self.unusable()
            if file_digest(stream, lambda: sha256(begin)).hexdigest().encode() != seal or kind.decode() != self.kind:
                raise self.unusable()
            if (int(form), request.decode()) != (self.form, self.request):
                raise self.error(
                    f"{self.path} is of another {self.kind}: {self.depends_on} were others, or the version of "
                    "groupkin. Remove it, or choose another name"
                )
            stream.seek(place)
            content = stream.read(int(size))
        try:
            data = json.loads(content, object_hook=_from_json)
            check_data(data)
        except (ValueError, LookupError, TypeError, OverflowError, RecursionError) as error:
            raise self.unusable() from error
        return data

    def unusable(self) -> GroupkinError:
        """Make the error for content that no such file has."""
        return self.error(
            f"{self.path} is damaged, or is not a file from which a {self.kind} goes on; remove it to begin anew, or "
            "choose another name"
        )


def _as_json(value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.dtype.name in NUMBERS:
        numbers = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
        return {"numbers": value.dtype.name, "shape": value.shape, "base64": numbers}
    raise TypeError(f"{type(value).__name__} cannot be kept in a file")


def _from_json(table: dict[str, Any]) -> dict[str, Any] | NDArray[Any]:
    if set(table) != {"numbers", "shape", "base64"}:
        return table
    if table["numbers"] not in NUMBERS:
        raise ValueError("numbers of another type")
    numbers = base64.b64decode(table["base64"], validate=True)
    return np.frombuffer(numbers, table["numbers"]).reshape(table["shape"]).copy()
