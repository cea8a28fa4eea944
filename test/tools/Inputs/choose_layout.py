"""Chooses a layout in a file of records by hand: records.jsonl OPERATOR CHOICE.

The line is a copy of the one that the file has for the operator whose text begins with OPERATOR.
"""

import json
import sys

path, operator, choice = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    lines = [json.loads(line) for line in file]
[known] = [line for line in lines if line["kind"] == "layout" and line["operator"].startswith(operator)]
with open(path, "a", encoding="utf-8") as file:
    file.write(json.dumps({**known, "choice": choice, "of_default": 0.9}) + "\n")
