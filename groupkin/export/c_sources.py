"""A mechanism as source of C99."""

from __future__ import annotations

from pathlib import Path

from groupkin.arguments import checked
from groupkin.durable_files import disk_errors, write_atomically
from groupkin.export.c_files import header, source
from groupkin.export.c_names import file_name
from groupkin.export.closed_forms import groups_in_c
from groupkin.export.models import shared_model
from groupkin.kinematics.solver import program
from groupkin.mechanism.mechanism import Mechanism

CMAKE = """\
cmake_minimum_required(VERSION 3.10)
project({name} C CXX)
add_library({name} {name}.c)
target_include_directories({name} PUBLIC ${{CMAKE_CURRENT_SOURCE_DIR}})
set_target_properties({name} PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
if(NOT MSVC)
  target_compile_options({name} PRIVATE -ffp-contract=off) # products and sums are fused where the source says so
  target_link_libraries({name} PUBLIC m)
endif()
add_executable(example_c example.c)
target_link_libraries(example_c {name})
add_executable(example_cpp example.cpp)
target_link_libraries(example_cpp {name})
"""

EXAMPLE = """\
/* All joints as the first driver moves from the reference configuration. */
#include "{name}.h"

#include <stdio.h>

static gk_model model;

int main(void)
{{
    double driven[GK_DRIVERS + 1] = {{{values}}}, all[GK_COORDINATES + 1];
    gk_init(&model);
    for (int k = 0; k < 5; k++) {{
        int status = gk_joints(&model, driven, all);
        printf("step %d, status %d\\n", k, status);
        for (int i = 0; i < GK_COORDINATES; i++) printf("  %-24s %.17g\\n", gk_coordinate_name(i), all[i]);
        driven[0] += 0.01;
    }}
    return 0;
}}
"""

EXAMPLE_CPP = """\
// Positions and velocities of all bodies in the reference configuration.
#include "{name}.h"

#include <cstdio>
#include <memory>
#include <vector>

int main()
{{
    auto model = std::make_unique<gk_model>();
    gk_init(model.get());
    std::vector<double> values = {{{values}}}, rates(GK_DRIVERS, 1.0);
    if (int status = gk_evaluate(model.get(), values.data(), rates.data(), nullptr)) {{
        std::printf("not solved: status %d\\n", status);
        return 1;
    }}
    for (int body = 0; body < GK_BODIES; body++) {{
        double position[3], rotation[9], velocity[3], angular[3];
        gk_pose(model.get(), body, position, rotation);
        gk_twist(model.get(), body, velocity, angular);
        std::printf("%s: %.17g %.17g %.17g\\n", gk_body_name(body), position[0], position[1], position[2]);
    }}
}}
"""


@checked
def export_c(mechanism: Mechanism, folder: str | Path, *, name: str | None = None) -> tuple[Path, ...]:
    """Write a mechanism as source of C99, for any machine that has a compiler.

    All groups must have a closed form; `export_library` has no such limit. The header is that of the library.

    Parameters
    ----------
    mechanism : Mechanism
    folder : str or Path
        Where the files go: ``NAME.h``, ``NAME.c``, ``CMakeLists.txt``, and examples in C and C++ that call it. Files of
        these names are replaced.
    name : str, optional
        Default: that of the mechanism.

    Returns
    -------
    tuple of Path

    Raises
    ------
    ExportError
        If a group has no closed form, or one that chooses between formulas.
    OutputError
        If a file cannot be written.
    """
    shared, own = shared_model(program(mechanism)), file_name(name or mechanism.name)
    values = ", ".join(f"{driven.reference:.17g}" for driven in shared.program.drivers)
    folder = Path(folder)
    contents = {
        f"{own}.h": header(shared),
        f"{own}.c": source(shared, f"{own}.h", groups_in_c(shared)),
        "CMakeLists.txt": CMAKE.format(name=own),
        "example.c": EXAMPLE.format(name=own, values=values),
        "example.cpp": EXAMPLE_CPP.format(name=own, values=values),
    }
    with disk_errors(folder, begun=False):
        folder.mkdir(parents=True, exist_ok=True)
        for file, content in contents.items():
            write_atomically(folder / file, content)
    return tuple(folder / file for file in contents)
