"""What comes of one mechanism."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """How a comparison ended, the largest difference relative to its bound, and where it is."""

    kind: str
    size: float = 0.0
    where: str = ""

    @property
    def wrong(self) -> bool:
        return self.kind in WRONG


WRONG = ("different", "stopped")
"""Kinds that must not be: a difference beyond its bound, a simulation that ends where all is determined."""
