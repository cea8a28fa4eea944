"""Assembles the kernels of exported test cases for GPUs, with NVIDIA's assembler or by LLVM.

    assembled_cases.py RELAYC CASES --every N CARD...

CASES is a folder that onnx_node_cases.py wrote. A case fails that does not compile or assemble, or that has a kernel with spilled registers or a
stack of more than a loop program's arrays.
"""

import argparse
import concurrent.futures
import json
import pathlib
import sys

import assemblers

# raise-scratch leaves arrays of so many bytes to a thread, and a loop program may have a few.
MOST_STACK = 1024


def check(relayc, folder, case, card):
    """Returns what is wrong with a case, or None."""
    options = [f"--shape={name}={','.join(map(str, shape))}" for name, shape in case.get("shapes", {}).items()]
    code, error = assemblers.run_relayc(relayc, folder / case["path"] / "model.onnx", card, "gpu", options)
    if error:
        # One case has a condition that only its inputs decide: the importer refuses it without them.
        return None if "error[R01" in error else error[-300:]
    kernels = assemblers.launches(code)
    if kernels:
        error = assemblers.note_all(card, code, kernels)
    wrong = [
        name for name, kernel in kernels.items() if kernel.spills or kernel.stack > MOST_STACK or not kernel.registers
    ]
    return error or (f"spills or stacks: {', '.join(wrong)}" if wrong else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("relayc")
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("cards", nargs="+")
    parser.add_argument("--every", type=int, default=1, help="only each N-th case")
    arguments = parser.parse_args()
    cases = json.loads((arguments.cases / "index.json").read_text())["cases"]
    # Each card has other cases.
    work = [
        (card, case)
        for number, card in enumerate(arguments.cards)
        for case in cases[number % arguments.every :: arguments.every]
    ]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda it: check(arguments.relayc, arguments.cases, it[1], it[0]), work))
    failed = [(card, case["path"], why) for (card, case), why in zip(work, results) if why]
    for card, path, why in failed:
        print(f"FAIL: {card}: {path}: {why}")
    print(f"{len(work) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed or not work else 0)


if __name__ == "__main__":
    main()
