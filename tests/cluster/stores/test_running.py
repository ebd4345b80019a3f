"""Batches of real sweeps: the store holds what is computed in memory, bit for bit, whoever computes it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import cluster
import cluster.stores.store as stores
from cluster.stores import layout
from groupkin.cli.main import main
from groupkin.errors import ChangedSweepError, StoreError
from tests.support.paths import EXAMPLES
from tests.support.processes import output, run, start
from tests.support.shares import in_part

xr = pytest.importorskip("xarray")


FOUR_BAR = """
mechanism = "four_bar.toml"
samples = 60
seed = 3
times = { steps = 9 }
parameters = [
  { length = ["A", "B"], body = "crank", uniform = { low = 30, high = 200 } },
  { point = "P", body = "coupler", normal = { deviation = 0.5 } },
]
[[keep]]
motion = { position = "P" }
[[keep]]
transmission_angle = ["B", "C", "D"]
[[keep]]
name = "seen"
occupancy = { of = "P", low = [-200, -200], high = [400, 400], cells = [6, 6] }
"""

# solved by Newton's method, in Python and in blocks of samples
SIX_BAR = """
mechanism = "stephenson_six_bar.toml"
samples = 12
times = { steps = 9 }
parameters = [{ joint = "C", body = "coupler", normal = { deviation = 8 } }]
[[keep]]
motion = { angle = "coupler" }
"""


@pytest.fixture(params=in_part([FOUR_BAR, SIX_BAR], 2), ids=["four-bar", "six-bar"])
def file(request, tmp_path):
    """A sweep file beside its mechanism."""
    for name in ("four_bar.toml", "stephenson_six_bar.toml"):
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    path = tmp_path / "some.sweep.toml"
    path.write_text(request.param)
    return path


four_bar_only = pytest.mark.parametrize("file", [FOUR_BAR], indirect=True, ids=["four-bar"])


def bits(data) -> dict[str, bytes]:
    return {name: np.ascontiguousarray(data[name].values).tobytes() for name in data.data_vars}


def in_memory(file: Path):
    return cluster.solve(cluster.read_sweep(file))


def command(*arguments: str | Path):
    return CliRunner().invoke(main, ["batch", *map(str, arguments)])


@pytest.mark.exhaustive
def test_one_process_and_several_and_ranks_store_what_is_computed_in_memory(file, tmp_path):
    expected = in_memory(file)
    module = ("-m", "groupkin.cli.main", "batch", file, "--chunk", "5", "--out")
    said = command(file, "--out", tmp_path / "one.zarr", "--workers", "1")
    assert said.exit_code == 0, said.output
    run(0, *module, tmp_path / "processes.zarr", "--workers", "2")
    said = run(2, *module, tmp_path / "ranks.zarr")
    assert said.count(f"{expected.sizes['sample']} samples, ") == 1  # rank 0 speaks
    for name in ("one", "processes", "ranks"):
        data = xr.open_zarr(tmp_path / f"{name}.zarr")
        assert bits(data) == bits(expected), name
        assert {*data.coords} == {*expected.coords} - {"sample"}
        for coordinate in data.coords:
            np.testing.assert_array_equal(data[coordinate].values, expected[coordinate].values)
            assert data[coordinate].attrs == expected[coordinate].attrs


MAP = """
import sys
from pathlib import Path
from mpi4py import MPI
import cluster
comm = MPI.COMM_WORLD
told = []
sweep, workers = cluster.read_sweep(sys.argv[1]), cluster.ranks(comm)
data = cluster.solve(sweep, chunk=7, workers=workers, progress=lambda *now: told.append(now))
assert told[-1:] == ([(data.sizes["sample"],) * 2] if comm.rank == 0 else [])
out = b"".join(data[name].values.tobytes() for name in sorted(data.data_vars))
Path(sys.argv[2], str(comm.rank)).write_bytes(out)
"""


def test_a_program_with_mpi_maps_over_its_ranks(file, tmp_path):
    data = in_memory(file)
    expected = b"".join(data[name].values.tobytes() for name in sorted(data.data_vars))
    run(2, "-c", MAP, file, tmp_path)
    assert [(tmp_path / rank).read_bytes() == expected for rank in "01"] == [True, True]


@pytest.mark.smoke
@four_bar_only
def test_failures_are_recorded_and_reported(file, tmp_path):
    out = tmp_path / "results.zarr"
    command(file, "--out", out, "--workers", "1")
    data = xr.open_zarr(out)
    crank = data["crank.A-B"].values
    # the crank goes round if frame and crank together can be reached by coupler and rocker
    np.testing.assert_array_equal(data.status.values != 0, 0.1 + crank > 0.25)
    said = CliRunner().invoke(main, ["batch-report", str(out)]).output
    assert f"{np.count_nonzero(data.status.values)} failed" in said
    assert "2 (coupler, rocker)" in said
    assert "cannot assemble" in said


@pytest.mark.exhaustive
@four_bar_only
def test_a_changed_mechanism_is_refused_with_the_difference(file, tmp_path):
    out = tmp_path / "results.zarr"
    command(file, "--out", out, "--workers", "1")
    assert "already" not in command(file, "--out", out, "--resume").output
    assert command(file, "--out", out).exit_code == 2
    mechanism = file.with_name("four_bar.toml")
    mechanism.write_text(mechanism.read_text().replace("D = [100, 0]", "D = [101, 0]"))
    said = command(file, "--out", out, "--resume")
    assert said.exit_code == 2
    assert "0.1 in the store, 0.101 now" in said.output
    with pytest.raises(ChangedSweepError):
        cluster.batch(cluster.read_sweep(file), out, resume=True)
    # a comment changes nothing
    mechanism.write_text(mechanism.read_text().replace("D = [101, 0]", "D = [100, 0] # mm"))
    assert command(file, "--out", out, "--resume").exit_code == 0
    process = start(2, "-m", "groupkin.cli.main", "batch", file, "--out", out)
    assert output(process).count("continue it with --resume") == 1
    assert process.returncode == 2


@four_bar_only
def test_a_dry_run_writes_nothing(file, tmp_path):
    before = sorted(tmp_path.iterdir())
    said = command(file, "--dry-run", "--workers", "3")
    assert said.exit_code == 0, said.output
    assert "60 samples" in said.output
    assert "on 3 workers" in said.output
    assert sorted(tmp_path.iterdir()) == before
    assert "--out" in command(file).output


@four_bar_only
def test_names_of_the_store_are_refused(file, tmp_path):
    file.write_text(FOUR_BAR.replace('name = "seen"', f'name = "{layout.PARTIAL}"'))
    with pytest.raises(StoreError, match="_partial"):
        cluster.batch(cluster.read_sweep(file), tmp_path / "results.zarr")
    assert not (tmp_path / "results.zarr").exists()


@four_bar_only
def test_the_store_names_its_mechanism(file, tmp_path):
    cluster.batch(cluster.read_sweep(file), tmp_path / "results.zarr")
    found = stores.attributes(stores.open_store(tmp_path / "results.zarr"))
    assert found["mechanism_file"] == file.with_name("four_bar.toml").read_text()
    assert json.loads(found["sweep"])["samples"] == 60
    assert found["groups"] == ["crank", "coupler, rocker"]


def test_shares_of_workers_are_alike_and_blocks_stay_whole(monkeypatch):
    from types import SimpleNamespace

    from cluster.solving import chunks

    def shared(samples, most, workers, block=1024, band=100):
        monkeypatch.setattr(chunks, "size", lambda prepared: most)
        prepared = SimpleNamespace(sweep=SimpleNamespace(samples=samples), block=block, band=band)
        return chunks.shared_size(prepared, workers)

    assert shared(10_000, 10_240, 2) == 5 * 1024  # one for each
    assert shared(10_000, 10_240, 1) == 10 * 1024
    assert shared(50_000, 14_336, 2) == 12 * 1024  # two for each, and a short one
    assert shared(1_000_000, 10_240, 64) == 8 * 1024  # two turns
    assert shared(10_000, 10_240, 64) == 200  # one for each, of blocks in parts
    assert shared(1_000, 300, 2) == 300
