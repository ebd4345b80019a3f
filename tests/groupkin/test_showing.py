"""Functions that are found by name: each of them exists, behind a method that exists."""

import pytest

import groupkin
from groupkin.by_name import function
from groupkin.kinematics.program import program
from groupkin.showing import RENDERERS, renderer
from groupkin.structure.decomposition import Structure
from routes.diagrams.route_tree import Tree


@pytest.mark.parametrize("method", RENDERERS)
def test_every_method_that_shows_something_has_its_function(method):
    kind, name = method.split(".")
    shown = {"Structure": Structure, "Tree": Tree}.get(kind) or getattr(groupkin, kind)
    assert callable(getattr(shown, name))
    assert callable(renderer(method))


@pytest.mark.parametrize("name", [program.EVALUATE, program.RATES, program.RATES_TRANSPOSED])
def test_every_method_of_a_program_has_its_function(name):
    assert callable(function(name))
