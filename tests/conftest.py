"""What all tests share: each folder's helper modules can be imported by name."""

from __future__ import annotations

import sys
from pathlib import Path

for folder in ("conformance", "engine"):
    sys.path.insert(0, str(Path(__file__).parent / folder))
