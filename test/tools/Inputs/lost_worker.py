"""A worker that has no machine."""

import json
import sys

assert any(argument.startswith("--machine=") for argument in sys.argv), sys.argv
for line in sys.stdin:
    request = json.loads(line)
    reason = f"no machine could be had for a {request['ask']} of {request['limit']:.0f} s"
    print(json.dumps({"answer": "lost", "reason": reason}), flush=True)
