"""Mechanisms in TOML, JSON and CSV files: read, checked by a schema, converted, written."""
