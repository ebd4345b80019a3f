"""The command line: ``groupkin COMMAND``; its commands are in the modules ``cli_*`` here and in the packages above.

What is slow to import is imported where it is used, so that help and refusals come at once. Every `GroupkinError`
becomes one readable message and exit code 2; results go to standard output, all else to standard error.
"""

from __future__ import annotations

import io
import sys
from importlib import import_module
from typing import Any

import click

from groupkin.cli.motion_commands import check, list_modes, solve
from groupkin.cli.options import FILE
from groupkin.cli.reference_commands import library, schema
from groupkin.cli.structure_commands import analyze, generate, transform
from groupkin.cli.terminal import shown_warnings
from groupkin.cli.worker_options import end_job
from groupkin.errors import GroupkinError, MechanismError

FAILURE = 2
NO_CACHE = "no locator available"
"""What numba says if neither the installation nor the home can be written."""

AGREED = "groupkin.agreed"
"""Key that says that all ranks of an MPI job end by themselves, with the same error."""

ELSEWHERE = {
    "batch": "cluster.cli",
    "batch-report": "cluster.cli",
    "routes": "routes.cli.commands",
    "tune": "routes.cli.commands",
}
"""Commands of the packages above, and the modules that are imported when one is asked for."""


class _Group(click.Group):
    """Turns the project's own errors, and those of the machine, into a message and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *ELSEWHERE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        found: click.Command = getattr(import_module(ELSEWHERE[cmd_name]), cmd_name.replace("-", "_"))
        return found

    def invoke(self, ctx: click.Context) -> Any:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a terminal that knows no µ gets a question mark
        try:
            with shown_warnings():
                return super().invoke(ctx)
        except MechanismError as error:
            message = f"{ctx.meta[FILE]}: {error}" if FILE in ctx.meta else str(error)
        except GroupkinError as error:
            message = str(error)
        except MemoryError:
            message = "there is not enough memory for the motion; take fewer steps"
        except RuntimeError as error:
            if NO_CACHE not in str(error):
                raise
            message = "compiled kernels cannot be kept anywhere: set NUMBA_CACHE_DIR to a folder that can be written"
        if AGREED not in ctx.meta:
            end_job(message)
        click.echo(f"groupkin: {message}", err=True)
        raise click.exceptions.Exit(FAILURE)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="groupkin")
def main() -> None:
    """Kinematics of mechanisms by structural groups."""


for command in (analyze, check, generate, library, list_modes, schema, solve, transform):
    main.add_command(command)

if __name__ == "__main__":
    main(prog_name="groupkin")
