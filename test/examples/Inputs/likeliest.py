"""Prints the likeliest tokens behind a prompt, by ONNX Runtime, which computes each anew from all before. Usage: MODEL.onnx COUNT TOKEN..."""

import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[2] / "oracle"))
from run_ort import session  # noqa: E402


def main():
    path, count, words = sys.argv[1], int(sys.argv[2]), [int(word) for word in sys.argv[3:]]
    model = session(path, 1)
    caches = {port.name: np.zeros([1, port.shape[1], 0, port.shape[3]], np.float32) for port in model.get_inputs()[2:]}
    tokens = []
    for _ in range(count):
        feeds = {"input_ids": np.array([words]), "attention_mask": np.ones((1, len(words)), np.int64)}
        tokens.append(int(model.run(["logits"], feeds | caches)[0][0, -1].argmax()))
        words.append(tokens[-1])
    print(*tokens)


main()
