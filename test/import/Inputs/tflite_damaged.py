"""Writes damaged models of TensorFlow Lite, and says what relayc makes of them: no message may be missing, and no process may crash."""

import concurrent.futures
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "oracle"))
from tflite_operators import COMMON, write  # noqa: E402
from tflite_states import control  # noqa: E402

LIMIT = 60
CASES = ["conv_same", "concatenation", "strided_slice", "gather", "pad", "split"]


def damaged(contents, chance):
    """A file with other bytes at some places, or without its end."""
    made = bytearray(contents)
    if chance.random() < 0.2:
        return bytes(made[: chance.randrange(len(made))])
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(made))
        if chance.random() < 0.5:
            made[at] = chance.choice([0, 1, 0x7F, 0x80, 0xFF])
        else:
            made[at : at + 4] = chance.choice([0, 1, 2**31 - 1, 2**31, 2**32 - 1, len(made)]).to_bytes(4, "little")
    return bytes(made)


def judged(path):
    """What is wrong with how a file is taken."""
    command = ["relayc", "compile", str(path), "--emit", "relay", "-o", str(path.with_suffix(".mlir"))]
    result = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    has_message = result.returncode == 0 or "error[" in result.stderr
    is_calm = result.returncode in (0, 1) and "panicked" not in result.stderr
    return None if has_message and is_calm else f"{path.name}: {result.returncode}: {result.stderr[-300:]}"


def main():
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    whole = [folder / "operators.tflite", folder / "bytes.tflite", folder / "control.tflite"]
    write(whole[0], "float32", {name: COMMON[name] for name in CASES})
    write(whole[1], "int8", {name: COMMON[name] for name in CASES})
    control(whole[2])
    (folder / "short.tflite").write_bytes(whole[0].read_bytes()[:40])
    (folder / "other.tflite").write_bytes(b"not a model of TensorFlow Lite")
    chance = random.Random(1)
    paths = []
    for number in range(count):
        path = folder / f"damaged{number}.tflite"
        path.write_bytes(damaged(whole[number % len(whole)].read_bytes(), chance))
        paths.append(path)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = [message for message in pool.map(judged, paths) if message]
    print("\n".join(wrong) or f"{count} files are taken or refused")


if __name__ == "__main__":
    main()
