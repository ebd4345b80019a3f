"""What a fit has done, in a file, from which a fit that was stopped goes on: designs to start from, and searches."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from groupkin.durable_files import check_place, disk_errors, exists, write_atomically
from groupkin.errors import FitError
from groupkin.mechanism.files.writing import as_data
from groupkin.synthesis.problem import Problem

if TYPE_CHECKING:
    from groupkin.synthesis.fit import Search

Array = NDArray[np.float64]

KIND = "searches of a fit, written by groupkin"


class Pool(NamedTuple):
    """Designs from which searches may start: rounds of improvement that are done, unknowns (n, u), directions (n,)."""

    rounds: int
    unknowns: Array
    directions: Array


@dataclass
class SearchLog:
    """What is done of a fit.

    Attributes
    ----------
    path : Path or None
        None: nothing is kept.
    key : str
        Digest of the problem, so that searches of another one are not taken over.
    pool : Pool or None
        Designs to start from; None before the first round.
    done : list
        Searches: values, values of the driver, error, and why a design was refused.
    """

    path: Path | None
    key: str
    pool: Pool | None
    done: list[tuple[Array, Array, float, str]]

    @classmethod
    def of(cls, path: Path | None, problem: Problem, settings: tuple[int, int]) -> SearchLog:
        """Read the searches of a file, or begin one.

        Raises
        ------
        FitError
            If the file is something else, or of another fit.
        OutputError
            If it cannot be written.
        """
        key = sha256(_described(problem, settings).encode()).hexdigest()
        if path is None or not exists(path):
            if path is not None:
                check_place(path)
            return cls(path, key, None, [])
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            kind, of, rows, (rounds, unknowns, directions) = (found[x] for x in ("kind", "fit", "searches", "starts"))
            if kind != KIND:
                raise ValueError
            if of != key:
                raise FitError(f"{path} has searches of another fit; name another file, or remove it")
            done = [(np.array(x, float), np.array(at, float), float(error), str(why)) for x, at, error, why in rows]
            ways, width = np.array(directions, float), problem.low.size + problem.timings
            pool = Pool(int(rounds), np.array(unknowns, float).reshape(len(ways), width), ways)
        except FitError:
            raise
        except (OSError, ValueError, LookupError, TypeError):
            raise FitError(f"{path} is no file of searches: name another one") from None
        return cls(path, key, pool, done)

    def improved(self, pool: Pool) -> None:
        """Keep the designs to start from after one more round.

        Raises
        ------
        OutputError
        """
        self.pool = pool
        self._write()

    def add(self, search: Search) -> None:
        """Keep one more search.

        Raises
        ------
        OutputError
        """
        self.done.append((search.values, search.at, search.error, search.refused))
        self._write()

    def _write(self) -> None:
        if self.path is None or self.pool is None:
            return
        about = {
            "kind": KIND,
            "fit": self.key,
            "searches": [[list(x), list(at), error, why] for x, at, error, why in self.done],
            "starts": [self.pool.rounds, self.pool.unknowns.tolist(), self.pool.directions.tolist()],
        }
        with disk_errors(self.path):
            write_atomically(self.path, json.dumps(about))


def _described(problem: Problem, settings: tuple[int, int]) -> str:
    """Write all that a fit depends on."""
    about: dict[str, Any] = {
        "mechanism": as_data(problem.design.program.mechanism),
        "modes": dict(problem.design.program.modes),
        "parameters": problem.design.names,
        "quantities": list(map(str, problem.quantities)),
        "targets": [x.tolist() for x in problem.targets],
        "weights": problem.weights,
        "at": None if problem.at is None else problem.at.tolist(),
        "ways": (problem.shifted, problem.span, problem.turning, problem.whole),
        "bounds": (problem.low.tolist(), problem.high.tolist()),
        "least": [(str(each), x) for each, x in problem.least],
        "settings": settings,
    }
    return json.dumps(about, sort_keys=True, default=str)
