"""The gallery shows every example, with pictures that are there and small."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import pytest

from tests.support.paths import ROOT


@pytest.fixture
def script() -> Any:
    pytest.importorskip("PIL")
    spec = spec_from_file_location("make_pictures", ROOT / "docs" / "make_pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_its_script_makes(script: Any) -> None:
    assert (ROOT / "docs" / "gallery.md").read_text() == script.page()


def test_pictures_are_those_of_the_script_and_small(script: Any) -> None:
    files = {path.name: path.stat().st_size for path in (ROOT / "docs" / "pictures").iterdir()}
    stills = {f"{name}.png" for name in (*script.makers(), *script.OF_PAGES)}
    assert set(files) == stills | {f"{name}.gif" for name in script.FILMS}
    assert sum(files.values()) < 3e6


def test_the_script_makes_small_pictures(script: Any, tmp_path: Any) -> None:
    path = tmp_path / "graph.png"
    script.makers()["nine_bar_graph"](path)
    large = path.stat().st_size
    script.reduce(path)
    assert path.stat().st_size < large
