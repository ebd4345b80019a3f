"""The documents are right: their code runs, their commands print what they say, their links lead somewhere.

Blocks of one document run in one folder, beside the examples, in the order in which they stand: python in one
namespace, console commands in this process. A block that starts with a comment of a file name, such as ``# lift.toml``
or ``<!-- arm.xml -->``, is written to that file. ``<!-- skipped: reason -->`` on the line before a block keeps it from
running; three dots in what a command prints stand for anything.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.support.paths import ROOT

pytestmark = pytest.mark.complete

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "examples" / "README.md"])
BLOCK = re.compile(r"(?:<!-- (?P<mark>[^\n]*?) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
FILE_NAME = re.compile(r"(?:# |<!-- )([\w.]+\.(?:toml|csv|json|xml|sdf|urdf))(?: -->)?\n")
LINK = re.compile(r"\]\(([^)\s]+)\)")
CHANGES = ROOT / "docs" / "adding.md"

OVERLAY = """
import importlib.util, pathlib, sys

class Overlay:
    def find_spec(self, name, path=None, target=None):
        file = pathlib.Path(sys.argv[1], *name.split(".")).with_suffix(".py")
        return importlib.util.spec_from_file_location(name, file) if file.exists() else None

sys.meta_path.insert(0, Overlay())
exec(compile(pathlib.Path(sys.argv[2]).read_text(), sys.argv[2], "exec"), {"__name__": "__main__"})
"""
"""Runs a program with some modules of the project in place of those of the same name."""


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the comment before it, and the line on which it begins."""

    kind: str
    text: str
    mark: str
    line: int


def blocks(document: Path) -> list[Block]:
    text = document.read_text()
    return [
        Block(found["kind"], found["text"], found["mark"] or "", text.count("\n", 0, found.start("text")))
        for found in BLOCK.finditer(text)
    ]


def documents(*kinds: str) -> list[Any]:
    """The documents that have blocks of some kind, as parameters of a test."""
    chosen = [path for path in DOCUMENTS if any(block.kind in kinds for block in blocks(path))]
    return [pytest.param(path, id=str(path.relative_to(ROOT))) for path in chosen]


@pytest.mark.parametrize("document", documents("python", "console", "toml", "csv"))
def test_code_runs(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUPKIN_CACHE_DIR", str(tmp_path / "costs"))
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setenv("COLUMNS", "200")
    Path("examples").symlink_to(ROOT / "examples")
    namespace: dict[str, Any] = {"__name__": document.stem}
    for block in blocks(document):
        if block.mark.startswith(("skipped:", "new file:")) or document == CHANGES:
            continue
        name = FILE_NAME.match(block.text)
        if name:
            Path(name[1]).write_text(block.text)
        if block.kind == "toml":
            check_toml(block.text)
        if block.kind == "python":  # lines of a traceback are those of the document
            exec(compile("\n" * block.line + block.text, str(document), "exec"), namespace)
        if block.kind == "console":
            check_console(block)


def check_toml(text: str) -> None:
    """Files load, and those that hold a whole mechanism describe one."""
    from groupkin.mechanism.files.reading import parse

    data = tomllib.loads(text)
    if "dimension" in data:
        parse(data)


def check_console(block: Block) -> None:
    """Commands end as they should and print the lines that follow them."""
    from groupkin.cli.main import main

    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        program, *arguments = shlex.split(command, comments=True)
        assert program == "groupkin", f"line {block.line}: {command} cannot run here; mark the block as skipped"
        result = CliRunner().invoke(main, arguments)
        refused = expected.startswith("groupkin: ")
        assert result.exit_code == (2 if refused else 0), f"{command}\n{result.output}"
        pattern = re.escape(" ".join(expected.split())).replace("…", ".*")
        # kernels may have to be compiled first
        lines = [line for line in result.output.splitlines() if not line.startswith("groupkin: compiling")]
        assert re.search(pattern, " ".join(" ".join(lines).split())), f"{command}\n{result.output}"


def test_changes_of_the_guide_fit_the_sources(tmp_path: Path) -> None:
    assert apply_guide(tmp_path)


@pytest.mark.exhaustive  # all kernels of the changed copy are compiled
def test_new_code_of_the_guide_works(tmp_path: Path) -> None:
    """With the changes of docs/adding.md, its programs run."""
    write(tmp_path / "program.txt", "\n".join(apply_guide(tmp_path)))
    # kernels of its own, as a cache takes the sources of the project for those of the copy
    environment = os.environ | {"PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    subprocess.run(
        [sys.executable, "-c", OVERLAY, str(tmp_path), str(tmp_path / "program.txt")],
        check=True, cwd=tmp_path, env=environment,
    )  # fmt: skip


def apply_guide(folder: Path) -> list[str]:
    """Write the files that docs/adding.md changes or adds; the programs that use them."""
    programs = []
    for block in blocks(CHANGES):
        if block.kind == "diff":
            apply_change(block.text, folder)
        elif block.mark.startswith("new file: "):
            write(folder / block.mark.removeprefix("new file: "), block.text)
        elif block.kind == "python":
            programs.append(block.text)
    return programs


def apply_change(diff: str, folder: Path) -> None:
    """Write a file of the project with a change; its context must be found exactly once."""
    first, *hunks = diff.split("@@\n")
    name = first.split()[1]
    text = (folder / name if (folder / name).exists() else ROOT / name).read_text()
    for hunk in hunks:
        lines = hunk.splitlines()
        before = "".join(line[1:] + "\n" for line in lines if line[:1] in " -")
        after = "".join(line[1:] + "\n" for line in lines if line[:1] in " +")
        assert text.count(before) == 1, f"{name} has {text.count(before)} times:\n{before}"
        text = text.replace(before, after)
    write(folder / name, text)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def anchors(document: Path) -> set[str]:
    """Headings of a document as they are linked to."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    for link in LINK.findall(re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.DOTALL | re.MULTILINE)):
        path, _, anchor = link.partition("#")
        if "://" in link:
            continue
        target = document if not path else (document.parent / path).resolve()
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_folders_named_exist(document: Path) -> None:
    """Paths from the root of the project, in backquotes; those of files that are to be written are not."""
    new = {block.mark.removeprefix("new file: ") for block in blocks(document)}
    named = re.findall(
        r"`((?:groupkin|sglibrary|routes|cluster|tests|docs|examples|benchmarks)/[\w/.]*)`", document.read_text()
    )
    assert [name for name in named if not (ROOT / name).exists() and name not in new] == []


def test_commands_are_all_described() -> None:
    from groupkin.cli.main import main

    text = (ROOT / "docs" / "commands.md").read_text()
    for name in main.list_commands(None):  # type: ignore[arg-type]
        command = main.get_command(None, name)  # type: ignore[arg-type]
        assert f"## {name}\n" in text, name
        section = text.split(f"## {name}\n")[1].split("\n## ")[0]
        options = [option for parameter in command.params for option in parameter.opts if option.startswith("--")]
        missing = [option for option in options if not re.search(rf"{option}\b", section) and option != "--help"]
        assert not missing, f"{name}: {missing}"


def test_pairs_are_all_described() -> None:
    from groupkin.mechanism.pairs import PAIRS

    text = (ROOT / "docs" / "pairs.md").read_text()
    assert [symbol for symbol in PAIRS if f"| **{symbol}** |" not in text] == []


def test_keys_of_files_are_all_described() -> None:
    from cluster.sweeps.schema import json_schema as sweep_schema
    from groupkin.mechanism.files.schema import json_schema as mechanism_schema
    from groupkin.synthesis.file_schema import json_schema as fit_schema

    for name, schema in (("files", mechanism_schema()), ("sweeps", sweep_schema()), ("fit", fit_schema())):
        text = (ROOT / "docs" / f"{name}.md").read_text()
        parts = [schema, *schema.get("$defs", {}).values()]
        keys = {key for part in parts for key in part.get("properties", {})}
        missing = [key for key in sorted(keys) if not re.search(rf"[`{{ ]{re.escape(key)}\b", text)]
        assert not missing, f"docs/{name}.md: {missing}"
