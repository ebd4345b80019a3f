"""Mechanisms as shapes and solids, made once for stills, films and pages, and painted in the plane and in space."""
