"""What a fit has done, in a file, from which a fit that was stopped goes on: designs to start from, and searches."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from groupkin.errors import FitError
from groupkin.mechanism.files.writing import as_data
from groupkin.resumable_files import ResumableFile
from groupkin.synthesis.problem import Problem
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from groupkin.synthesis.fit import Search


FORM = 2
"""Version of the content of the file."""


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
    file : ResumableFile or None
        None: nothing is kept.
    pool : Pool or None
        Designs to start from; None before the first round.
    done : list
        Searches: values, values of the driver, error, and why a design was refused.
    """

    file: ResumableFile | None
    pool: Pool | None
    done: list[tuple[Array, Array, float, str]]

    @classmethod
    def of(cls, path: Path | None, problem: Problem, settings: tuple[int, int]) -> SearchLog:
        """Read the searches of a file, or begin one.

        Raises
        ------
        FitError
            If the file is damaged, something else, or of another fit.
        OutputError
            If it cannot be written.
        """
        if path is None:
            return cls(None, None, [])
        request = sha256(_described(problem, settings).encode()).hexdigest()
        depends_on = "mechanism, targets, bounds, starts or seed"
        file = ResumableFile(path, "fit", FORM, request, depends_on, FitError)
        file.prepare()
        kept = file.read()
        if kept is None:
            return cls(file, None, [])
        try:
            pool, done = Pool(*kept["starts"]), [(x, at, float(error), str(why)) for x, at, error, why in kept["done"]]
            sound = _are_of(problem, pool, done)
        except (ValueError, LookupError, TypeError, AttributeError) as error:  # a file that was made up
            raise file.unusable() from error
        if not sound:
            raise file.unusable()
        return cls(file, pool, done)

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
        if self.file is not None and self.pool is not None:
            self.file.write({"starts": self.pool, "done": self.done})


def _are_of(problem: Problem, pool: Pool, done: list[tuple[Array, Array, float, str]]) -> bool:
    """Whether arrays have the shapes that they have in a fit."""
    ways = pool.directions.size
    own = pool.directions.shape == (ways,) and pool.unknowns.shape == (ways, problem.low.size + problem.timings)
    return own and len(done) <= ways and all(x.shape == problem.low.shape and at.ndim == 1 for x, at, *_ in done)


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
    if problem.ranges:  # which are those of the mechanism
        about["ranges"] = True
    return json.dumps(about, sort_keys=True, default=str)
