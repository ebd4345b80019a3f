"""Whether mpiexec or another launcher started this process, with how many ranks, and whether MPI sees them.

Launchers and MPI libraries have to match. If they do not, MPI tells every process that it is the only rank.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from groupkin.errors import WorkError

if TYPE_CHECKING:
    from mpi4py import MPI

LAUNCHERS = (
    ("PMI_RANK", "PMI_SIZE"),
    ("PMIX_RANK", ""),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
)
"""Environment variables with the rank and, if there is one, the number of ranks: of MPICH and its derivatives, PMIx
(Slurm, PRRTE), Open MPI and MVAPICH."""

OTHER_STEPS = ("", "batch", "extern", "interactive", *map(str, range(2**32 - 6, 2**32)))
"""Steps of a Slurm job that srun did not start, such as the script itself: by name, and by number from -6 to -1."""


def launched(environment: Mapping[str, str] = os.environ) -> bool:
    """Return True if this process is a rank of an MPI job."""
    return any(rank in environment for rank, _ in LAUNCHERS)


def communicator(environment: Mapping[str, str] = os.environ) -> MPI.Intracomm | None:
    """Return the communicator of all ranks, or None if no launcher started this process.

    Raises
    ------
    WorkError
        If mpi4py is missing or belongs to another MPI: every rank would do all the work.
    """
    sizes = [size for rank, size in LAUNCHERS if rank in environment]
    ranks = max((_number(environment.get(size, "")) for size in sizes), default=1)
    tasks = _tasks(environment)
    if ranks == tasks == 1 and "" not in sizes:
        return None
    launcher, count = ("srun", tasks) if tasks > 1 else ("mpiexec", ranks)
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        raise WorkError(
            f"{launcher} started this process, but mpi4py cannot be used ({error}): pip install mpi4py"
        ) from None
    if count > 1 and MPI.COMM_WORLD.size == 1:
        library = MPI.Get_library_version().splitlines()[0]
        remedy = "use the mpiexec of that library, or build mpi4py with yours"
        if launcher == "srun":
            remedy = (
                "use srun --mpi=pmix or --mpi=pmi2, whichever that library supports, or its own mpiexec. If the tasks "
                "are independent, unset SLURM_PROCID"
            )
        raise WorkError(
            f"{launcher} started {count} ranks, but mpi4py sees one: it uses another MPI ({library}); {remedy}"
        )
    return MPI.COMM_WORLD


def _tasks(environment: Mapping[str, str]) -> int:
    """Return the number of tasks of this process's Slurm step, or 1 if there is none."""
    if "SLURM_PROCID" not in environment or environment.get("SLURM_STEP_ID", "") in OTHER_STEPS:
        return 1
    return _number(environment.get("SLURM_STEP_NUM_TASKS") or environment.get("SLURM_NTASKS", ""))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 1
