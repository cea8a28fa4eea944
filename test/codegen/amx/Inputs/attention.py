"""Writes products of two run-time operands as in attention, and what numpy computes of them, as network.py does.

    attention.py FOLDER HEADS POSITIONS FEATURES
"""

import sys

import numpy as np
from files import Network, rounded

folder, (heads, positions, features) = sys.argv[1], map(int, sys.argv[2:])
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
name = node("MatMul", node("Softmax", node("Mul", scores, weight(scale)), axis=-1), values)

known = rounded(data)
keys, values = (rounded(known @ rounded(matrix)) for matrix in matrices)
powers = np.exp((known @ keys.transpose(0, 2, 1)) * scale)
expected = rounded(powers / powers.sum(-1, keepdims=True)) @ values
network.write(folder, data, name, expected, 3)
