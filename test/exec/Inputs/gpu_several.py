"""Checks which chips a library is for, by what `relayc inspect --json` prints of it."""

import json
import sys

chips = json.load(sys.stdin)["chips"]
assert [chip["name"] for chip in chips] == sys.argv[1:], chips
images = {chip["images"] for chip in chips}
assert len(images) == 1 and images.pop() > 0, chips
assert all(chip["bytes"] > 1000 for chip in chips), chips
