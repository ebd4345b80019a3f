"""Robot models: read as mechanisms (MJCF, SDF, URDF), and mechanisms written as MJCF."""
