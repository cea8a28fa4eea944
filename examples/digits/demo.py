"""The main job on real data: reads held-out digits with a compiled model and shows what it saw.

Loads a library that relayc made of digits.onnx, and runs it over all held-out images.
"""

import argparse
import pathlib
import time

import numpy as np

import relay_mlir

FOLDER = pathlib.Path(__file__).parent
SHADES = " .:-=+*#%@"


def picture(image):
    """An image as lines of characters, two for each dot."""
    rows = (np.clip(image.reshape(8, 8), 0, 1) * (len(SHADES) - 1)).astype(int)
    return ["".join(SHADES[value] * 2 for value in row) for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("library", type=pathlib.Path, help="digits.so, compiled from digits.onnx")
    parser.add_argument("--show", type=int, default=5, help="how many digits to draw")
    arguments = parser.parse_args()

    data = np.load(FOLDER / "heldout.npz")
    images, labels = np.ascontiguousarray(data["images"], np.float32), data["labels"]
    model = relay_mlir.load(arguments.library, threads=1)

    start = time.perf_counter()
    guesses = np.array([model(image[None]).argmax() for image in images])
    elapsed = time.perf_counter() - start

    pictures = [picture(image) for image in images[: arguments.show]]
    print("\n".join("  |  ".join(lines) for lines in zip(*pictures)))
    print("  |  ".join(f"read as {guess}".ljust(16) for guess in guesses[: arguments.show]))
    right = int((guesses == labels).sum())
    print(f"\n{right} of {len(labels)} held-out digits right: {100 * right / len(labels):.1f} %")
    print(f"{1e6 * elapsed / len(labels):.1f} microseconds per image, one thread, called from Python")
    raise SystemExit(0 if right > 0.95 * len(labels) else 1)


if __name__ == "__main__":
    main()
