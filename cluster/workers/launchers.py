"""What has started this process: mpiexec or the like, with how many others, and whether MPI sees them.

Launchers and MPI libraries have to match. Where they do not, every process takes itself for the only one.
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
"""Variables by which MPICH and its kin, PMIx (Slurm, PRRTE), Open MPI and MVAPICH tell a process its rank and their
number, if they do."""

NO_STEPS = ("", "batch", "extern", "interactive", *map(str, range(2**32 - 6, 2**32)))
"""Steps of a Slurm job that srun has not started, such as the script itself: by name, and by number from -6 to -1."""


def launched(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this process is one of an MPI job."""
    return any(rank in environment for rank, _ in LAUNCHERS)


def communicator(environment: Mapping[str, str] = os.environ) -> MPI.Intracomm | None:
    """All ranks, if mpiexec (or the like) has started this process; else None.

    Raises
    ------
    WorkError
        If mpi4py is missing or belongs to another MPI: every rank would do all the work.
    """
    sizes = [size for rank, size in LAUNCHERS if rank in environment]
    told = max((_number(environment.get(size, "")) for size in sizes), default=1)
    tasks = _tasks(environment)
    if told == tasks == 1 and "" not in sizes:
        return None
    by, count = ("srun", tasks) if tasks > 1 else ("mpiexec", told)
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        raise WorkError(f"this was started by {by}, but mpi4py cannot be used ({error}): pip install mpi4py") from None
    if count > 1 and MPI.COMM_WORLD.size == 1:
        library = MPI.Get_library_version().splitlines()[0]
        remedy = "use the mpiexec of that one, or build mpi4py with yours"
        if by == "srun":
            remedy = (
                "take srun --mpi=pmix or --mpi=pmi2, whichever that one knows, or its own mpiexec. If each task is to "
                "work alone, unset SLURM_PROCID"
            )
        raise WorkError(
            f"{by} has started {count} ranks, but mpi4py sees one: it uses another MPI ({library}); {remedy}"
        )
    return MPI.COMM_WORLD


def _tasks(environment: Mapping[str, str]) -> int:
    """Tasks of the step of a Slurm job that this process is one of; 1 if there is none."""
    if "SLURM_PROCID" not in environment or environment.get("SLURM_STEP_ID", "") in NO_STEPS:
        return 1
    return _number(environment.get("SLURM_STEP_NUM_TASKS") or environment.get("SLURM_NTASKS", ""))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 1
