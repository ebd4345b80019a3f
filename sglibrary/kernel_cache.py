"""Compiled functions kept on disk, where any number of processes may compile and read the same ones at once.

The compiler's own cache lists the files of a function in an index. Processes that write it at the same time may list
each other's file as their own, and one that reads between two writes may take what another one, or an older version of
a formula in another module, has left there. Here every function has one file for each signature and processor, found
by its name alone, so there is nothing to lock. A file is written under a private name and renamed, and taken only if it
says that it was compiled from the same sources and for the same types, and if no byte of it is lost. What is not there
is compiled, and logged as such.
"""

import hashlib
import logging
import math
import pickle
import secrets
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.serialize import dumps

LOG = logging.getLogger(__name__)

SIZE, TIME = hashlib.sha256().digest_size, struct.Struct("<d")

ON_MISSING: list[Callable[[str], None]] = []
"""Called with the name of a file that is not there, before it is looked for again and its function compiled."""

ON_KEPT: list[Callable[[str], None]] = []
"""Called with the name of a file that was written."""

SOURCES = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.py")))).digest()
"""Of all formulas that may be inlined into a kernel; read with them, since they may change while a process runs."""


def cached(compiled: Any) -> Any:
    """Keep on disk what a function is compiled to, and take from there what was compiled before."""
    compiled._cache = _Cache(compiled.py_func)
    return compiled


def is_kept(compiled: Any) -> bool:
    """Whether anything was ever compiled of a function and kept, for whatever types."""
    return compiled._cache._cache_file.holds_anything()


class _Cache(FunctionCache):
    """The cache of one function: when to compile, to load and to keep is the compiler's, the files are these."""

    def __init__(self, function: Callable[..., Any]):
        super().__init__(function)
        stamp = repr((numba.__version__, self._impl.locator.get_source_stamp())).encode()
        self._cache_file = _Files(Path(self._cache_path), self._impl.filename_base, SOURCES + stamp)


class _Files(IndexDataCacheFile):
    """The files of one function.

    A file begins with two digests, of what it was compiled from and of all that follows: how long that took, its key
    (types, processor and bytecode) and the compiled function.
    """

    def __init__(self, folder: Path, name: str, sources: bytes):
        self._folder, self._name, self._sources = folder, name, sources
        self._begun = dict[Path, float]()

    def load(self, key: Any) -> Any:
        """Return what was saved for a key; None if there is nothing that can be used, and it will be compiled."""
        found = self._read(key)
        if found is None and ON_MISSING:
            for called in ON_MISSING:
                called(self._file(key)[0].name)
            found = self._read(key)
        if found is None:
            path = self._file(key)[0]
            self._begun[path] = time.perf_counter()
            LOG.info("compiling %s%s", self._name.partition("-")[0], self._last_time(path))
        return found

    def _read(self, key: Any) -> Any:
        path, origin = self._file(key)
        try:
            content = path.read_bytes()
        except OSError:  # there is none or, on some systems, it is being replaced
            return None
        body = content[2 * SIZE :]
        if content[: 2 * SIZE] != origin + hashlib.sha256(body).digest():
            return None
        saved, data = pickle.loads(memoryview(body)[TIME.size :])
        return data if saved == key else None

    def _last_time(self, path: Path) -> str:
        """Say how long a function took last time, when its formulas, or what they are compiled with, were others."""
        try:
            with path.open("rb") as file:
                (seconds,) = TIME.unpack(file.read(2 * SIZE + TIME.size)[2 * SIZE :])
        except (OSError, struct.error):
            return ""
        return f", {seconds:.1f} s last time" if seconds >= 0.0 else ""

    def save(self, key: Any, data: Any) -> None:
        """Save a compiled function; the last of several processes wins."""
        path, origin = self._file(key)
        body = TIME.pack(time.perf_counter() - self._begun.pop(path, math.nan)) + dumps((key, data))
        draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        try:
            draft.write_bytes(origin + hashlib.sha256(body).digest() + body)
            draft.replace(path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        for called in ON_KEPT:
            called(path.name)

    def holds_anything(self) -> bool:
        """Whether there is a file, which may be outdated."""
        return any(self._folder.glob(f"{self._name}.*.nbc"))

    def flush(self) -> None:
        """Forget all that was saved."""
        for path in self._folder.glob(f"{self._name}.*.nbc"):
            path.unlink(missing_ok=True)

    def _file(self, key: Any) -> tuple[Path, bytes]:
        """Name the file of a key; returns also the digest of what it must be compiled from."""
        text = repr(key).encode()
        name = f"{self._name}.{hashlib.sha256(text).hexdigest()[:24]}.nbc"
        return self._folder / name, hashlib.sha256(self._sources + text).digest()
