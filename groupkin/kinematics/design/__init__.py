"""Designs: a mechanism whose dimensions and laws are inputs, solved for one choice of them or many."""
