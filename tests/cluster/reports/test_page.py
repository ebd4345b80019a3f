"""Reports on stores as pages: what the terminal tells, and the picture, in one file that runs nothing."""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import cluster
from groupkin.cli.main import main
from tests.support.paths import EXAMPLES

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cranks of all lengths, some of which are too long to turn; their store has a name that is no HTML."""
    path = tmp_path_factory.mktemp("store") / "results.zarr"
    described = cluster.read_sweep(EXAMPLES / "four_bar_tolerance.sweep.toml")
    sweep = replace(
        described,
        mechanism=replace(described.mechanism, name="<script>cranks</script> & couplers"),
        parameters=(cluster.Parameter(cluster.Length("crank", ("A", "B")), cluster.Uniform(0.06, 0.12)),),
        times=np.linspace(0.0, 0.3, 11),
        keep=(cluster.At(cluster.Quantity("position", "P", "y"), "height", time=0.0),),
        draws=40,
    )
    cluster.batch(sweep, path, chunk=20)
    return path


def test_the_page_says_what_the_terminal_says(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    said = CliRunner().invoke(main, ["batch-report", str(path), "--by", "height", "--top", "2", "--out", str(file)])
    assert said.exit_code == 0, said.output
    assert f"written: {file}" in said.stderr
    page = file.read_text()
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert page.count("<svg") == 3  # of all variables, scatter matrix, parallel coordinates
    words = unescape(page)
    numbers = [word for line in said.stdout.splitlines() for word in line.split() if word[:1].isdigit()]
    assert len(numbers) > 20
    assert [number for number in numbers if number not in words] == []


def test_a_page_ends_in_html_and_is_refused_before_anything_is_read(path: Path, tmp_path: Path) -> None:
    said = CliRunner().invoke(main, ["batch-report", str(path), "--out", str(tmp_path / "report.pdf")])
    assert said.exit_code == 2
    assert said.stdout == ""
    assert "a report ends in .html" in said.stderr
