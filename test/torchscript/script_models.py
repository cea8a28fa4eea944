"""Compiles TorchScript files of models of torchvision, timm and transformers, and compares what they compute with PyTorch.

The models are those of test/torch/models.py, traced or scripted. `./x torch script-models` runs it; it needs PyTorch.
"""

import argparse
import gc
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import torch

sys.path.append(str(Path(__file__).resolve().parents[1] / "torch"))
from export import flat
from models import LIMIT, RELAYC, SUITES, TIMM, TOLERANCE, compared, randomised

# Every fourth family of timm, and the architectures of transformers that are compared.
FAMILIES = TIMM[::4]
ARCHITECTURES = ("bert", "distilbert", "gpt2", "opt", "llama", "electra", "albert", "vit", "swin", "t5_encoder")


def is_chosen(suite, name):
    """Whether a model of a suite is compared here."""
    return {"timm": name in FAMILIES, "transformers": name in ARCHITECTURES}.get(suite, True)


def saved(model, inputs, how, path):
    """Saves a model as TorchScript. Returns the options that say the types of inputs."""
    if how == "traced":
        torch.jit.save(torch.jit.trace(model, inputs, strict=False, check_trace=False), path)
        return []
    module = torch.jit.script(model)
    torch.jit.save(module, path)
    names = [argument.name for argument in module.forward.schema.arguments[1:]]
    given = list(zip(names, inputs))
    shapes = [f"--shape={name}={','.join(map(str, value.shape))}" for name, value in given]
    return [*shapes, *(f"--type={name}={str(value.dtype).removeprefix('torch.')}" for name, value in given)]


def check(make, how):
    """What becomes of a model: a status, and a detail."""
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.pt"
        try:
            model, inputs = make()
            model = randomised(model.eval())
            options = saved(model, inputs, how, str(path))
            module = torch.jit.load(str(path))
            with torch.no_grad():
                expected = flat("output", module(*inputs))
            names = [argument.name for argument in module.forward.schema.arguments[1:]]
        except Exception as error:  # noqa: BLE001: a model fails in its own ways
            text = str(error).strip().splitlines()
            return "not saved", (text[0] if text else type(error).__name__)[:160]
        np.savez(Path(folder) / "in.npz", **{name: value.numpy() for name, value in zip(names, inputs)})
        del model, module
        gc.collect()
        command = [str(RELAYC), "run", str(path), *options, "--inputs", f"{folder}/in.npz", "--outputs", f"{folder}/out.npz"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return "too slow", f"more than {LIMIT} s"
        if done.returncode:
            return "refused", " ".join(done.stderr.split()).replace(str(path), "")[:300]
        worst = compared(dict(np.load(f"{folder}/out.npz")), expected)
    if isinstance(worst, str):
        return "differs", worst
    return ("agrees" if worst <= TOLERANCE else "differs"), f"{worst:.1e}"


def table(files):
    """The results that files of lines have, as a page. A later line of a model replaces an earlier one."""
    found = {}
    for file in files:
        for line in file.read_text().splitlines():
            cells = [cell.strip() for cell in line.split(" | ")]
            if len(cells) >= 6:
                found[cells[0], cells[1], cells[2]] = (cells[3], " ".join(cells[4:-1]))
    text = f"""# TorchScript models

Models with random weights, saved by PyTorch {torch.__version__} with `torch.jit.trace` or `torch.jit.script`, and compiled from the `.pt`
file. A model agrees if no output differs from PyTorch's by more than {TOLERANCE:g} of its range. `./x torch script-models` makes the lines,
and `test/torchscript/script_models.py --table` this page.

| suite | saved by | agree | differ | refused | too slow | not saved by PyTorch | greatest difference of those that agree |
|---|---|---|---|---|---|---|---|
"""
    for suite, how in dict.fromkeys((suite, how) for suite, how, _ in found):
        rows = [row for key, row in found.items() if key[:2] == (suite, how)]
        counts = [sum(status == kind for status, _ in rows) for kind in ("agrees", "differs", "refused", "too slow", "not saved")]
        worst = max((float(detail) for status, detail in rows if status == "agrees"), default=0.0)
        text += f"| {suite} | {how} | {' | '.join(map(str, counts))} | {worst:.1e} |\n"
    text += "\nAgree: " + ", ".join(f"{name} ({how})" for (_, how, name), (status, _) in found.items() if status == "agrees") + ".\n"
    text += "\n| model | what | why |\n|---|---|---|\n"
    for (suite, how, name), (status, detail) in found.items():
        if status != "agrees":
            text += f"| {name} ({suite}, {how}) | {status} | {detail} |\n"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", default=list(SUITES))
    parser.add_argument("--how", choices=("traced", "scripted"), nargs="*", default=["traced", "scripted"], help="how to save models")
    parser.add_argument("--only", help="a part of the names of models")
    parser.add_argument("--table", type=Path, help="write a table of the lines that files have instead")
    parser.add_argument("--lines", type=Path, nargs="*", default=[], help="these files")
    arguments = parser.parse_args()
    if arguments.table:
        arguments.table.write_text(table(arguments.lines))
        return
    warnings.filterwarnings("ignore")
    for suite in arguments.suites:
        for how in arguments.how:
            for name, make in SUITES[suite]():
                if not is_chosen(suite, name) or (arguments.only and arguments.only not in name):
                    continue
                start = time.monotonic()
                status, detail = check(make, how)
                print(f"{suite} | {how} | {name} | {status} | {detail} | {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
