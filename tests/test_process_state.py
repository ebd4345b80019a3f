"""What the project leaves as it is in a process that imports and uses it, whatever else runs there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import EXAMPLES, ROOT

PROGRAM = """
import importlib, json, pkgutil, sys
# what others import, and change by that, is theirs
OTHERS = ("click.testing", "h5netcdf", "h5py", "lazy_loader", "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_svg", "networkx", "numba", "orjson", "pandas", "PIL.Image", "platformdirs", "pydantic",
    "rich.console", "scipy.optimize", "scipy.sparse.linalg", "scipy.spatial", "scipy.stats", "xarray", "zarr")
for name in OTHERS:
    importlib.import_module(name)

import atexit, decimal, gc, locale, logging, multiprocessing, os, random, signal, threading, warnings
import matplotlib, numba, numpy, pandas, xarray, zarr
from numba.core import config
from numba.core.targetconfig import TargetConfig
from numba.core.typing.context import Context
from numba.core.types.functions import BaseFunction

def state():
    handled = {str(s): repr(signal.getsignal(s)) for s in signal.valid_signals()}
    logs = {n: (log.level, len(log.handlers), log.propagate) for n, log in logging.root.manager.loggerDict.items()
            if hasattr(log, "level") and not n.startswith(("sglibrary", "matplotlib", "PIL"))}
    return {
        "signals": handled, "environment": dict(os.environ), "folder": os.getcwd(), "path": sys.path,
        "hooks": [repr(x) for x in (sys.excepthook, sys.unraisablehook, sys.displayhook, threading.excepthook,
            sys.gettrace(), sys.getprofile(), threading.gettrace(), gc.callbacks)],
        "garbage": [gc.isenabled(), gc.get_threshold()], "locale": locale.setlocale(locale.LC_ALL),
        "warnings": [repr(x) for x in warnings.filters], "showwarning": repr(warnings.showwarning),
        "logs": [logging.root.level, logging.root.handlers, logging.root.manager.disable, logs],
        "numpy": [numpy.geterr(), repr(numpy.geterrcall()), numpy.get_printoptions()],
        "random": [repr(random.getstate()), repr(numpy.random.get_state())],
        "matplotlib": {k: repr(v) for k, v in matplotlib.rcParams.items() if not k.startswith("backend")},
        "numba": [{n: repr(getattr(config, n)) for n in dir(config) if n.isupper()}, numba.get_num_threads(),
            repr(TargetConfig.values), repr(BaseFunction.get_call_type), repr(Context.resolve_function_type)],
        "others": [repr(decimal.getcontext()), repr(zarr.config.config), repr(pandas.options),
            repr(xarray.get_options()),
            multiprocessing.get_start_method(allow_none=True), sys.getrecursionlimit(), sys.getswitchinterval(),
            threading.active_count(), [repr(s) for s in (sys.stdout, sys.stderr, sys.stdin)]],
    }

def umask():
    before = os.umask(0)
    os.umask(before)
    return before

def differences(before, after):
    return [name for name in before if json.dumps(before[name], default=repr) != json.dumps(after[name], default=repr)]

before = state() | {"umask": umask()}
import cluster, groupkin, routes, sglibrary
for package in (groupkin, routes, cluster, sglibrary):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
imported = differences(before, state() | {"umask": umask()})

mechanism = groupkin.load(sys.argv[1])
motion = groupkin.solve(mechanism, numpy.linspace(0.0, 1.0, 5))
groupkin.draw(motion, sys.argv[2])
used = differences(before, state() | {"umask": umask()})
print(json.dumps([imported, used]))
"""


@pytest.mark.smoke
def test_nothing_of_the_process_is_changed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(EXAMPLES / "four_bar.toml"), str(tmp_path / "four_bar.svg")]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout.splitlines()[-1]) == [[], []]
