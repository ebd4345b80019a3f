"""The command line ``groupkin COMMAND``: the commands of this folder, and those of `routes` and `cluster`.

Modules that are slow to import are imported by the functions that need them, so that help and error messages come at
once. Every `GroupkinError` becomes one readable message and exit code 2. Results go to standard output, everything else
to standard error.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from groupkin.cli.commands.export_command import export
from groupkin.cli.commands.field_command import field
from groupkin.cli.commands.fit_command import fit
from groupkin.cli.commands.forces_command import forces
from groupkin.cli.commands.generate_command import generate
from groupkin.cli.commands.import_command import import_model
from groupkin.cli.commands.limits_command import find_limits
from groupkin.cli.commands.look_commands import animate, draw, plot
from groupkin.cli.commands.motion_commands import check, list_modes, solve
from groupkin.cli.commands.reference_commands import examples, library, schema
from groupkin.cli.commands.report_command import report
from groupkin.cli.commands.simulate_commands import equilibrium, simulate
from groupkin.cli.commands.structure_commands import analyze, transform
from groupkin.cli.commands.workspace_command import workspace
from groupkin.cli.old_options import renamed
from groupkin.cli.options import FILE, HINT
from groupkin.cli.terminal import compilation_told, shown_warnings, standard_output
from groupkin.cli.worker_options import end_job, ending, join_job, terminable
from groupkin.errors import GroupkinError, MechanismError, OutputError, printable

FAILURE = 2
NO_CACHE = "no locator available"
"""Part of numba's message when neither the installation nor the home directory is writable."""

UNTRIED = "UntriedNumbaError"
"""Name of the error of `sglibrary` at versions of numba that were not tried; it is imported later, as numba is."""

AGREED = "groupkin.agreed"
"""Key of the context that marks an error which all ranks of an MPI job have raised, so that each ends by itself."""

LAZY_COMMANDS = {
    "batch": "cluster.cli",
    "batch-report": "cluster.cli",
    "routes": "routes.cli.commands",
    "tune": "routes.cli.commands",
}
"""Commands of `routes` and `cluster`, with the modules that are imported when one of them is called."""


class _Group(click.Group):
    """Turns errors of the project and of the machine into a message and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *LAZY_COMMANDS])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in LAZY_COMMANDS:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(import_module(LAZY_COMMANDS[cmd_name]), cmd_name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command, rest if name is None else renamed(name, rest)

    def main(self, args: Sequence[str] | None = None, *others: Any, **settings: Any) -> Any:
        with terminable():
            try:
                join_job(sys.argv[1:] if args is None else args)
            except GroupkinError as error:  # of all ranks
                end_job(error)
                raise
            try:
                with standard_output():  # help and version, which no command prints
                    return super().main(args, *others, **settings)
            except OutputError as error:
                click.echo(f"groupkin: {printable(str(error))}", err=True)
                sys.exit(FAILURE)

    def invoke(self, ctx: click.Context) -> Any:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a terminal without a µ shows a question mark
        code = FAILURE
        try:
            with shown_warnings(), compilation_told(), standard_output():
                return super().invoke(ctx)
        except MechanismError as error:
            message = f"{ctx.meta[FILE]}: {error}" if FILE in ctx.meta else str(error)
        except GroupkinError as error:
            message = str(error)
        except MemoryError:
            message = "there is not enough memory for the motion; reduce --steps"
        except KeyboardInterrupt as error:
            message, code = ending(error, ctx.meta.get(HINT, ""))
        except click.exceptions.Exit:
            raise
        except Exception as error:
            if type(error).__name__ == UNTRIED:
                message = str(error)
            elif NO_CACHE in str(error):
                message = "compiled kernels cannot be cached: set NUMBA_CACHE_DIR to a writable folder"
            else:
                end_job(*((error.format_message(),) if isinstance(error, click.ClickException) else ending(error)))
                raise
        if AGREED not in ctx.meta:
            end_job(message, code)
        click.echo(f"groupkin: {printable(message)}", err=True)
        raise click.exceptions.Exit(code)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="groupkin")
def main() -> None:
    """Kinematics and forces of mechanisms by structural groups."""


LOOKING, SOLVING = (animate, draw, export, field, plot, report), (check, find_limits, list_modes, solve, workspace)
MOVING = (equilibrium, forces, simulate)
for command in (
    *LOOKING,
    *SOLVING,
    *MOVING,
    analyze,
    examples,
    fit,
    generate,
    import_model,
    library,
    schema,
    transform,
):
    main.add_command(command)

if __name__ == "__main__":
    main(prog_name="groupkin")
