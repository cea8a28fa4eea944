"""A runner on a machine that has nothing that others have."""

import json
import sys

for line in sys.stdin:
    description = {"version": 1, "architecture": "x86_64", "features": [], "l2_bytes": None, "cores": 3}
    print(json.dumps({"answer": "described", **description}), flush=True)
