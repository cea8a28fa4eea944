"""tune_host.py MODEL FOLDER: what `relayc tune --host` says last compiles a model with what it found."""

import json
import pathlib
import shlex
import subprocess
import sys

model, folder = sys.argv[1], pathlib.Path(sys.argv[2])
records = folder / "records.jsonl"
tune = ["relayc", "tune", model, "--records", str(records), "--trials", "8", "--budget", "60s", "--threads", "1", "--host", "board"]
said = subprocess.run(tune, capture_output=True, text=True, check=True).stderr
(command,) = [line for line in said.splitlines() if line.startswith("relayc compile")]
# The last schedule that ran becomes the choice, whether it won or not.
trials = [json.loads(line) for line in records.read_text().splitlines()]
trial = [line for line in trials if line["kind"] == "trial" and "ran" in line["outcome"]][-1]
choice = {key: trial[key] for key in ("key", "target", "from", "schedule")}
with records.open("a") as file:
    file.write(json.dumps({"kind": "choice", **choice, "of_default": 0.5}) + "\n")
printed = subprocess.run([*shlex.split(command), "--emit", "te", "-o", "-"], capture_output=True, text=True, check=True).stdout
assert "te.record" in printed, printed
print("the records are found by the target that was said")
