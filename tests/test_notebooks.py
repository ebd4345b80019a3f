"""The notebooks run from their first cell to the last, are kept without outputs, and show what they should."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.support.paths import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.filterwarnings("ignore")  # of the packages that run notebooks
@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    book = nbformat.read(path, as_version=4)
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in cells)
    NotebookClient(book, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
    shown = [output.get("data", {}) for cell in cells for output in cell.outputs]
    pages = [data["text/html"] for data in shown if "text/html" in data]
    assert sum("<iframe" in page for page in pages) == 1
    assert sum("<svg" in page for page in pages) >= 2
    assert sum("image/png" in data for data in shown) == 2  # the plots
