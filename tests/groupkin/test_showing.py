"""Functions that are found by name: each of them exists, behind a method that exists."""

import pytest

import groupkin
from groupkin.by_name import function
from groupkin.kinematics.program import program
from groupkin.showing import CELLS, RENDERERS, InNotebooks, renderer
from routes.diagrams.route_tree import Tree


@pytest.mark.parametrize("method", RENDERERS)
def test_every_method_that_shows_something_has_its_function(method):
    kind, name = method.split(".")
    assert callable(getattr(getattr(groupkin, kind), name))
    assert callable(renderer(method))


@pytest.mark.parametrize("kind", CELLS)
def test_every_class_that_a_cell_shows_has_its_function(kind):
    shown = Tree if kind == "Tree" else getattr(groupkin, kind)
    assert shown._repr_html_ is InNotebooks._repr_html_ or kind == "Harmonics"
    assert callable(function(CELLS[kind]))


@pytest.mark.parametrize("name", [program.EVALUATE, program.RATES, program.RATES_TRANSPOSED])
def test_every_method_of_a_program_has_its_function(name):
    assert callable(function(name))
