"""MJCF, the models of MuJoCo: read as graphs, and written from mechanisms."""
