"""What is seen of launchers: variables of MPICH, Open MPI, MVAPICH and Slurm, and MPI libraries that do not match."""

from __future__ import annotations

import subprocess
import sys

import pytest

import cluster
from cluster.workers.launchers import LAUNCHERS, communicator, launched
from groupkin.cli import worker_options
from groupkin.errors import WorkError
from tests.support.paths import ROOT

STEP = {"SLURM_PROCID": "1", "SLURM_STEP_ID": "0"}
SCRIPT = {"SLURM_PROCID": "0", "SLURM_NTASKS": "64", "SLURM_STEP_NUM_TASKS": "64"}


@pytest.mark.filterwarnings("ignore:suspicious MPI")  # mpi4py notices some of them as well, but goes on
@pytest.mark.parametrize(
    ("environment", "said"),
    [
        (
            {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "4"},
            "mpiexec started 4 ranks.*the mpiexec of that library",
        ),
        ({"MV2_COMM_WORLD_RANK": "0", "MV2_COMM_WORLD_SIZE": "4"}, "mpiexec started 4 ranks"),
        ({"PMI_RANK": "0", "PMI_SIZE": "4"}, "mpiexec started 4 ranks"),
        (
            STEP | {"SLURM_STEP_NUM_TASKS": "3", "SLURM_NTASKS": "8"},
            "srun started 3 ranks.*--mpi=pmix or --mpi=pmi2",
        ),
        (STEP | {"SLURM_NTASKS": "8"}, "srun started 8 ranks"),
        (STEP | {"SLURM_NTASKS": "8", "PMIX_RANK": "1"}, "srun started 8 ranks"),
    ],
)
def test_ranks_that_mpi_does_not_see_are_noticed(environment, said):
    pytest.importorskip("mpi4py")
    with pytest.raises(WorkError, match=f"(?s){said}"):
        communicator(environment)


@pytest.mark.filterwarnings("ignore:suspicious MPI")
def test_ranks_of_a_solve_are_looked_at_as_well(monkeypatch):
    pytest.importorskip("mpi4py.MPI")  # first: the library itself reads such variables when it begins
    monkeypatch.setenv("OMPI_COMM_WORLD_RANK", "0")
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "4")
    with pytest.raises(WorkError, match="mpiexec started 4 ranks"):
        cluster.ranks()


@pytest.mark.parametrize(
    "environment",
    [
        {},
        SCRIPT,
        *(SCRIPT | {"SLURM_STEP_ID": step} for step in ("batch", "4294967291", "4294967290", "extern", "4294967292")),
        STEP | {"SLURM_STEP_NUM_TASKS": "1", "SLURM_NTASKS": "8"},
        {"SLURM_NTASKS": "8", "SLURM_STEP_ID": "0"},
        {"PMI_RANK": "0", "PMI_SIZE": "1"},
    ],
)
def test_a_process_that_is_alone_needs_no_mpi(environment, monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    assert communicator(environment) is None


def test_mpi_that_is_missing_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(WorkError, match="srun started this process, but mpi4py cannot be used"):
        communicator(STEP | {"SLURM_NTASKS": "8"})


@pytest.mark.parametrize("rank", [rank for rank, _ in LAUNCHERS])
def test_all_commands_know_the_same_launchers(rank, monkeypatch):
    for name, _ in LAUNCHERS:
        monkeypatch.delenv(name, raising=False)
    assert not launched()
    assert not worker_options.launched()
    monkeypatch.setenv(rank, "0")
    assert launched()
    assert worker_options.launched()


def test_to_look_for_launchers_imports_little():
    code = (
        "import sys; from cluster.workers.launchers import launched;print({'numpy', 'mpi4py', 'zarr'} & {*sys.modules})"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=90, check=True
    )
    assert found.stdout.strip() == "set()"
