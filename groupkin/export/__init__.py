"""Mechanisms for programs without Python: compiled libraries, and C."""
