"""Writes products of two run-time operands as in attention, and what numpy computes of them, as network.py does.

    attention.py FOLDER HEADS POSITIONS FEATURES [masked]

Masked, the last third of positions is left out by a number that is added, and the result goes through a relu.
"""

import sys

import numpy as np
from files import Network, rounded

folder, (heads, positions, features) = sys.argv[1], map(int, sys.argv[2:5])
is_masked = sys.argv[5:] == ["masked"]
random = np.random.default_rng(7)
network = Network()
node, weight = network.node, network.weight
data = random.standard_normal((heads, positions, features)).astype(np.float32)
matrices = [
    (random.standard_normal((features, features)) / np.sqrt(features)).astype(np.float32)
    for _ in range(2)
]
keys, values = (node("MatMul", "x", weight(matrix)) for matrix in matrices)
scores = node("MatMul", "x", node("Transpose", keys, perm=[0, 2, 1]))
scale = np.float32(1 / np.sqrt(features))
scores = node("Mul", scores, weight(scale))
mask = np.zeros((1, 1, positions), np.float32)
if is_masked:
    mask[..., positions - positions // 3 :] = -1e4
    scores = node("Add", scores, weight(mask))
name = node("MatMul", node("Softmax", scores, axis=-1), values)

known = rounded(data)
keys, values = (rounded(known @ rounded(matrix)) for matrix in matrices)
powers = np.exp((known @ keys.transpose(0, 2, 1)) * scale + mask)
expected = rounded(powers / powers.sum(-1, keepdims=True)) @ values
if is_masked:
    name, expected = node("Relu", name), np.maximum(expected, 0)
network.write(folder, data, name, expected, 3)
