"""The main job on real data: reads held-out digits with a compiled model and shows what it saw.

Loads a library that relayc made of digits.onnx, through the C interface that every compiled model
has, and runs it over all held-out images.
"""

import argparse
import ctypes
import pathlib
import time

import numpy as np

FOLDER = pathlib.Path(__file__).parent
SHADES = " .:-=+*#%@"


def load(library, threads):
    """Returns a function from an image to the probabilities of the ten digits."""
    code = ctypes.CDLL(str(library))
    name = library.stem
    create, run = getattr(code, f"{name}_create"), getattr(code, f"{name}_run")
    create.restype, create.argtypes = ctypes.c_void_p, [ctypes.c_int32]
    run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    model = create(threads)
    result = np.zeros((1, 10), np.float32)
    outputs = (ctypes.c_void_p * 1)(result.ctypes.data)

    def classify(image):
        inputs = (ctypes.c_void_p * 1)(image.ctypes.data)
        if run(model, inputs, outputs) != 0:
            raise RuntimeError("the model failed")
        return result[0]

    return classify


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
    classify = load(arguments.library.resolve(), 1)

    start = time.perf_counter()
    guesses = np.array([classify(image).argmax() for image in images])
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
