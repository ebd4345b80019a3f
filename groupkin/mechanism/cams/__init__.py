"""Disk cams: their followers, the curves that move them by a law, and what these curves tell."""
