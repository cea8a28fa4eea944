"""A worker that compiles and times nothing: one library can be written, and then none any more."""

import json
import sys

BUILT = 0
for line in sys.stdin:
    request = json.loads(line)
    reply = {"answer": "timed", "incumbent": [100.0] * 3, "candidate": [100.0] * 3}
    if request["ask"] == "build":
        BUILT += 1
        reply = {"answer": "built"}
        if BUILT > 1:
            reply = {"answer": "failed", "how": "build", "reason": "No space left on device"}
    print(json.dumps(reply), flush=True)
