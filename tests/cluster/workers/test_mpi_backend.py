"""MPI ranks as a backend of routes: the answer, with and without shared memory, and failures that end the job."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import groupkin as gk
import routes
from groupkin.errors import RankError
from tests.support.paths import ROOT
from tests.support.shares import in_part

pytest.importorskip("mpi4py")

MPIEXEC = shutil.which("mpiexec", path=str(Path(sys.executable).parent)) or shutil.which("mpiexec")
PROGRAM = Path(__file__).with_name("ranks_program.py")
SECONDS = 150
"""The longest that a job may take, on two cores that compile other tests' kernels as well."""

needs_mpiexec = pytest.mark.skipif(MPIEXEC is None, reason="mpiexec is not installed")
both = pytest.mark.parametrize("memory", ["window", "messages"])


def run(ranks: int, part: str, memory: str) -> subprocess.CompletedProcess[str]:
    assert MPIEXEC is not None
    command = [MPIEXEC, "-n", str(ranks), sys.executable, str(PROGRAM), part, memory]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, cwd=ROOT, env=os.environ | {"PYTHONPATH": path}
    )


@needs_mpiexec
@pytest.mark.parametrize("memory", in_part(["window", "messages"], 2))
@pytest.mark.parametrize("ranks", [2, pytest.param(4, marks=pytest.mark.exhaustive)])
def test_ranks_give_the_sequential_answer(ranks: int, memory: str) -> None:
    found = run(ranks, "same", memory)
    assert found.returncode == 0, found.stderr
    assert "finished" in found.stdout


@needs_mpiexec
@pytest.mark.parametrize("memory", ["window", "messages"])
@pytest.mark.parametrize("ranks", [2, pytest.param(4, marks=pytest.mark.exhaustive)])
def test_ranks_write_into_one_motion_and_use_it_again(ranks: int, memory: str) -> None:
    found = run(ranks, "motions", memory)
    assert found.returncode == 0, found.stderr


@needs_mpiexec
@pytest.mark.parametrize("memory", in_part(["window", "messages"], 2))
@pytest.mark.parametrize("ranks", [2, pytest.param(4, marks=pytest.mark.exhaustive)])
def test_ranks_carry_loads_back_with_the_same_bits(ranks: int, memory: str) -> None:
    found = run(ranks, "forces", memory)
    assert found.returncode == 0, found.stderr
    assert found.stdout.split().count("LoadError") == ranks  # what the first rank finds is raised by all
    assert "finished" in found.stdout


@pytest.mark.smoke
@pytest.mark.exhaustive
@needs_mpiexec
def test_an_exception_reaches_all_ranks_that_share_memory() -> None:
    found = run(2, "broken", "window")
    assert found.returncode == 0, found.stderr
    assert sorted(found.stdout.split()) == ["LawError", "RankError", "finished"]


@pytest.mark.exhaustive
@needs_mpiexec
def test_an_exception_ends_a_job_that_exchanges_messages() -> None:
    found = run(2, "broken", "messages")
    assert found.returncode != 0
    assert "of 2 on " in found.stderr
    assert "the driver broke" in found.stderr


@needs_mpiexec
@both
def test_a_killed_rank_ends_the_job(memory: str) -> None:
    found = run(2, "killed", memory)
    assert found.returncode != 0
    assert "signal 9" in found.stdout + found.stderr  # the launcher says so


@pytest.mark.exhaustive
@needs_mpiexec
def test_failures_are_the_same_on_every_rank() -> None:
    found = run(2, "stuck", "window")
    assert found.returncode == 0, found.stderr
    words = found.stdout.split("\n")
    assert words.count("RouteError") == 2
    assert len({line for line in words if line.startswith("CannotAssembleError")}) == 1
    assert sum(line.startswith("CannotAssembleError") for line in words) == 2


def test_without_a_launcher_there_is_one_rank() -> None:
    code = (
        "import cluster, groupkin as gk, routes, numpy as np;"
        "b = cluster.ranks(); m = gk.load('examples/four_bar.toml'); t = np.linspace(0, 1, 50);"
        "print(b.workers, b.name, np.array_equal(routes.solve(m, t, workers=b, cache=False).q, gk.solve(m, t).q))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=SECONDS, cwd=ROOT)
    assert found.stdout.split() == ["1", "mpi", "True"], found.stderr


def test_no_mpi_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import cluster

    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(RankError, match=r"MPI cannot be used: .* Install groupkin\[mpi\]"):
        cluster.ranks()


def test_importing_the_packages_does_not_import_mpi() -> None:
    code = "import sys, groupkin, routes, cluster; routes.serial, routes.solve; print('mpi4py' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=SECONDS, cwd=ROOT)
    assert found.stdout.strip() == "False", found.stderr
    assert np.isfinite(gk.solve(gk.load(ROOT / "examples" / "four_bar.toml"), [0.0]).q).all()
    assert routes.serial().workers == 1
