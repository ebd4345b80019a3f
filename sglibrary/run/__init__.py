"""Loops over steps and samples that call the kernels of a program, on one thread or shared by a team."""
