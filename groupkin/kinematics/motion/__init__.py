"""The motion of a mechanism: what users read, write and check."""
