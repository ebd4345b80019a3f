"""From where mechanisms in space are seen, and where light comes from."""

from __future__ import annotations

import numpy as np

AZIMUTH, ELEVATION = np.radians(-60.0), np.radians(22.0)
"""From where the mechanism is seen."""

TOWARD = np.array([np.cos(ELEVATION) * np.cos(AZIMUTH), np.cos(ELEVATION) * np.sin(AZIMUTH), np.sin(ELEVATION)])
RIGHT = np.array([-np.sin(AZIMUTH), np.cos(AZIMUTH), 0.0])
SCREEN = np.stack([RIGHT, np.cross(TOWARD, RIGHT)], axis=1)
"""Columns are the directions to the right and up on the sheet; `TOWARD` points to who looks."""

LIGHT = np.array([0.58 * TOWARD, -0.42 * SCREEN[:, 0], 0.70 * SCREEN[:, 1]]).sum(axis=0)
"""Where light comes from: the upper left of who looks."""
