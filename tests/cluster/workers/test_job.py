"""Commands on ranks: one that fails, differs or is asked to end ends the job, in seconds and with one message."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.support.command_line import FOUR_BAR, LINKAGE, written
from tests.support.paths import EXAMPLES
from tests.support.processes import output, start, start_each, wait_until
from tests.support.shares import in_part

SOLVE = ("solve", FOUR_BAR, "--no-cache", "--route", "sequential", "--split", "time", "--block", "64")
SECONDS = 60.0
"""For a job that takes some seconds, on a machine that does other things as well; a hang is longer."""


def ended(process: subprocess.Popen[str], code: int = 2) -> str:
    """The one message of a job that ends with an error."""
    began = time.monotonic()
    said = output(process)
    assert time.monotonic() < began + SECONDS
    assert process.returncode == code, said
    assert said.count("ends the job") == 1, said
    assert said.count("groupkin: ") == 1, said
    assert "Traceback" not in said
    return said


OTHERS = {
    "a file that is not there": ("solve", "nofile.toml"),
    "another mechanism": ("solve", EXAMPLES / "slider_crank.toml"),
    "another number of steps": (*SOLVE, "--steps", "77"),
    "another command": ("analyze", FOUR_BAR),
    "an option that does not exist": (*SOLVE, "--stepz", "7"),
    "threads": ("solve", FOUR_BAR, "--backend", "threads"),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS.keys())
def test_ranks_that_are_given_different_commands_are_refused(other):
    assert "rank 1 has another command than rank 0" in ended(start_each(SOLVE, other))


@pytest.mark.exhaustive
def test_ranks_without_shared_work_may_do_different_things():
    process = start_each(("analyze", FOUR_BAR), ("analyze", EXAMPLES / "slider_crank.toml"))
    said = output(process)
    assert process.returncode == 0
    assert "Slider-crank" in said
    assert "four-bar" in said.lower()


RANK = """
import os, sys
rank = int(os.environ["PMI_RANK"])
os.chdir(sys.argv[1 + rank])
{before}
from groupkin.cli.main import main
main(["solve", "linkage.toml", "--no-cache", "--route", "sequential", "--split", "time", "--block", "64"])
"""


def ranks_in(folders: list[Path], before: str = "") -> subprocess.Popen[str]:
    """Two ranks that give the same command in two folders."""
    return start(2, "-c", RANK.format(before=before), *folders)


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """Two folders with the same file, as two hosts see them."""
    found = [tmp_path / "first", tmp_path / "second"]
    for folder in found:
        folder.mkdir()
        written(folder, LINKAGE)
    return found


@pytest.mark.exhaustive
@pytest.mark.parametrize("lacks", [0, 1])
def test_a_rank_that_does_not_see_the_file_ends_the_job(folders, lacks):
    (folders[lacks] / "linkage.toml").unlink()
    said = ended(ranks_in(folders))
    assert f"rank {lacks} of 2" in said
    assert "linkage.toml: there is no such file" in said


@pytest.mark.exhaustive
def test_ranks_that_read_different_files_are_refused(folders):
    written(folders[1], LINKAGE.replace("rate = 3.0", "rate = 3.1"))
    assert "rank 1 has another mechanism file than rank 0" in ended(ranks_in(folders))


@pytest.mark.exhaustive
def test_an_unexpected_error_of_one_rank_ends_the_job(folders):
    broken = """
if rank == 1:
    import groupkin.kinematics.solver as solver
    def program(*arguments, **settings):
        raise KeyError("only here")
    solver.program = program
"""
    process = ranks_in(folders, broken)
    said = output(process)
    assert process.returncode == 1
    assert said.count("ends the job") == 1
    assert "KeyError: 'only here'" in said


DIFFERENT = """
import sys
import numpy as np
import cluster, groupkin as gk, routes
from mpi4py import MPI
ranks = cluster.ranks()
mechanism = gk.load({file!r})
times = np.linspace(0, 1, {steps})
{then}
routes.solve(mechanism, times, workers=ranks, route="sequential", split="time", block={block}, cache=False)
"""


@pytest.mark.parametrize(
    ("changes", "message"),
    in_part(
        [
            ({"steps": "100 + MPI.COMM_WORLD.rank"}, "rank 1 has another times than rank 0"),
            ({"block": "8 + MPI.COMM_WORLD.rank"}, "rank 1 has another choice of route than rank 0"),
            ({"then": "if MPI.COMM_WORLD.rank: raise KeyError('only here')"}, "KeyError: 'only here'"),
        ],
        3,
    ),
    ids=["times", "route", "error"],
)
def test_scripts_whose_ranks_differ_end_the_job(changes, message):
    settings = {"file": str(FOUR_BAR), "steps": 100, "block": 8, "then": ""} | changes
    process = start(2, "-c", DIFFERENT.format(**settings))
    said = output(process)
    assert process.returncode == 1
    assert said.count("ends the job") == 1
    assert message in said


ASKED = """
import os, sys
from pathlib import Path
import routes.running.execution as execution
from groupkin.cli.main import main
def work(run, *others):
    if run.repeats > 1:
        Path(sys.argv[1], os.environ.get("PMI_RANK", "0")).touch()
    real(run, *others)
real, execution._work = execution._work, work
main(sys.argv[2:])
"""
LONG = ("routes", FOUR_BAR, "--measure", "--work", 1_000_000, "--route", "sequential", "--split", "time", "--block", 64)


INT, TERM = (signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "ended by SIGTERM")


@pytest.mark.parametrize(
    ("number", "code", "text", "ranks"),
    [
        (*INT, 2),
        pytest.param(*TERM, 0, marks=pytest.mark.exhaustive),
        pytest.param(*INT, 0, marks=pytest.mark.exhaustive),
        pytest.param(*TERM, 2, marks=pytest.mark.exhaustive),
    ],
)
def test_commands_that_are_asked_to_end_do_so_with_one_line(tmp_path, number, code, text, ranks):
    """While compiled code runs for minutes; under mpiexec its launcher passes the signal on."""
    process = start(ranks, "-c", ASKED, tmp_path, *LONG, "--no-cache")
    wait_until(lambda: len(list(tmp_path.iterdir())) == max(ranks, 1), process)
    time.sleep(0.5)
    began = time.monotonic()
    os.kill(process.pid, number)
    said = output(process)
    assert time.monotonic() < began + SECONDS
    assert process.returncode == code, said
    assert "Traceback" not in said
    notices = ("compiling", "loading", "measuring")
    lines = [line for line in said.splitlines() if line.startswith("groupkin: ") and line.split()[1] not in notices]
    assert len(lines) == 1, said
    assert lines[0].endswith(text)
