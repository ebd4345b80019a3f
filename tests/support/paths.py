"""Where the tests find what they read."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
DATA = ROOT / "tests" / "data"
SUPPORT = ROOT / "tests" / "support"
