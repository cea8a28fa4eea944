"""A model of many convolutions, each with something else behind it, and a comparison with ONNX Runtime."""

import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

import several_nodes

# What operators read beside the convolution's result "c", of so many channels and 6 x 6 pixels.
OPERANDS = {
    "scalar": lambda channels: (),
    "one": lambda channels: (1,),
    "ones": lambda channels: (1, 1, 1, 1),
    "row": lambda channels: (6,),
    "plane": lambda channels: (6, 6),
    "channel": lambda channels: (channels, 1, 1),
    "channels": lambda channels: (1, channels, 1, 1),
    "image": lambda channels: (1, channels, 6, 6),
    "vector": lambda channels: (channels,),
}
PAIRS = ["scalar", "one", "ones", "row", "plane", "channel", "channels", "image"]

# Name, then nodes as (operator, inputs, attributes); each writes "t", the last one the result.
CHAINS = [
    *(
        (f"{op} {side}", [(op, inputs, {})])
        for op in ["Add", "Sub", "Mul", "Div", "Max", "Pow"]
        for side, inputs in [
            *((other, ["c", other]) for other in PAIRS),
            ("of scalar", ["scalar", "c"]),
            ("of one", ["one", "c"]),
        ]
        if not (op == "Pow" and side != "scalar" or op == "Div" and side.startswith("of"))
    ),
    # Far from zero.
    ("Div of scalar", [("Sigmoid", ["c"], {}), ("Div", ["scalar", "t"], {})]),
    *(
        (op, [(op, ["c"], attributes)])
        for op, attributes in [
            ("Relu", {}), ("Sigmoid", {}), ("Tanh", {}), ("Erf", {}), ("Exp", {}), ("Abs", {}), ("Neg", {}),
            ("LeakyRelu", {"alpha": 0.1}), ("Elu", {}), ("Selu", {}), ("HardSigmoid", {}),
            ("HardSwish", {}), ("Softplus", {}), ("Softsign", {}), ("Floor", {}),
            ("GlobalAveragePool", {}), ("GlobalMaxPool", {}), ("Flatten", {}), ("Softmax", {"axis": 1}),
            ("LRN", {"size": 3}), ("Transpose", {"perm": [0, 2, 3, 1]}),
            ("AveragePool", {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}),
            ("MaxPool", {"kernel_shape": [2, 2], "strides": [2, 2]}),
        ]
    ),
    ("Clip", [("Clip", ["c", "", "scalar"], {})]),
    ("PRelu of one", [("PRelu", ["c", "one"], {})]),
    ("PRelu of channels", [("PRelu", ["c", "channel"], {})]),
    ("Where", [("Less", ["c", "scalar"], {}), ("Where", ["t", "scalar", "c"], {})]),
    ("InstanceNormalization", [("InstanceNormalization", ["c", "vector", "vector"], {})]),
    ("LayerNormalization", [("LayerNormalization", ["c", "row"], {})]),
    ("GELU", [
        ("Mul", ["c", "scalar"], {}), ("Erf", ["t"], {}), ("Add", ["t", "one"], {}), ("Mul", ["t", "c"], {}),
    ]),
    ("SiLU", [("Sigmoid", ["c"], {}), ("Mul", ["c", "t"], {})]),
    ("Mish", [("Softplus", ["c"], {}), ("Tanh", ["t"], {}), ("Mul", ["c", "t"], {})]),
    ("gate", [("GlobalAveragePool", ["c"], {}), ("HardSigmoid", ["t"], {}), ("Mul", ["c", "t"], {})]),
    ("pooled, moved", [("GlobalAveragePool", ["c"], {}), ("Add", ["t", "scalar"], {})]),
    ("mean, moved", [("ReduceMean", ["c"], {"axes": [2, 3]}), ("Add", ["t", "scalar"], {})]),
    ("centred", [("ReduceMean", ["c"], {"axes": [1]}), ("Sub", ["c", "t"], {})]),
    ("joined", [("Concat", ["c", "image"], {"axis": 1}), ("Mul", ["t", "scalar"], {})]),
]  # fmt: skip

# Whole blocks of any vector width, and a last block that is filled up.
CHANNELS = [32, 24]


def case(number, channels, chain):
    """The nodes of a convolution and what is behind it."""
    own = lambda name: f"{name}_{number}" if name in ("c", "t") else name and f"{name}_{channels}"
    conv = helper.make_node(
        "Conv", [f"x_{channels}", f"w_{channels}"], [own("c")], pads=[1, 1, 1, 1]
    )
    nodes, before = [conv], own("c")
    for index, (op, inputs, attributes) in enumerate(chain):
        names = [before if name == "t" else own(name) for name in inputs]
        after = f"y{number}" if index + 1 == len(chain) else f"t{index}_{number}"
        nodes.append(helper.make_node(op, names, [after], **attributes))
        before = after
    return nodes


def model():
    """All cases side by side; the output of each is y<number>."""
    rng = np.random.default_rng(0)
    nodes, outputs, weights, inputs, arrays = [], [], [], [], {}
    for channels in CHANNELS:
        shape = (1, channels, 6, 6)
        arrays[f"x_{channels}"] = rng.standard_normal(shape, np.float32)
        inputs.append(helper.make_tensor_value_info(f"x_{channels}", TensorProto.FLOAT, shape))
        constants = {"w": (channels, channels, 3, 3)}
        constants |= {name: shape(channels) for name, shape in OPERANDS.items()}
        for name, shape in constants.items():
            array = rng.uniform(0.5, 1.5, shape).astype(np.float32)
            if name == "w":
                array = (array - 1) / 4
            weights.append(numpy_helper.from_array(np.asarray(array), f"{name}_{channels}"))
        for _, chain in CHAINS:
            number = len(outputs)
            nodes += case(number, channels, chain)
            outputs.append(helper.make_tensor_value_info(f"y{number}", TensorProto.FLOAT, None))
    return helper.make_graph(nodes, "after_conv", inputs, outputs, weights), arrays


command, path, inputs, *results = sys.argv[1:]
if command == "make":
    several_nodes.save(path, inputs, *model())
else:
    expected = several_nodes.expected(path, inputs)
    actual = np.load(results[0])
    cases = [f"{name}, {channels} channels" for channels in CHANNELS for name, _ in CHAINS]
    for (name, array), text in zip(expected.items(), cases, strict=True):
        np.testing.assert_allclose(actual[name], array, rtol=1e-4, atol=1e-5, err_msg=text)
