"""Writes small models of TensorFlow Lite, node by node."""

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

TYPES = {
    "float32": schema.TensorType.FLOAT32,
    "float16": schema.TensorType.FLOAT16,
    "float64": schema.TensorType.FLOAT64,
    "int32": schema.TensorType.INT32,
    "uint8": schema.TensorType.UINT8,
    "int64": schema.TensorType.INT64,
    "bool": schema.TensorType.BOOL,
    "int16": schema.TensorType.INT16,
    "int8": schema.TensorType.INT8,
    "uint32": schema.TensorType.UINT32,
    "uint16": schema.TensorType.UINT16,
    "int4": schema.TensorType.INT4,
    "complex64": schema.TensorType.COMPLEX64,
    "resource": schema.TensorType.RESOURCE,
}

# Options whose class is not named like the operator.
CLASSES = {
    "AVERAGE_POOL_2D": "Pool2D",
    "MAX_POOL_2D": "Pool2D",
    "L2_POOL_2D": "Pool2D",
    "L2_NORMALIZATION": "L2Norm",
    "MEAN": "Reducer",
    "SUM": "Reducer",
    "REDUCE_PROD": "Reducer",
    "REDUCE_MAX": "Reducer",
    "REDUCE_MIN": "Reducer",
    "REDUCE_ANY": "Reducer",
    "REDUCE_ALL": "Reducer",
    "MAXIMUM": "MaximumMinimum",
    "MINIMUM": "MaximumMinimum",
    "UNIDIRECTIONAL_SEQUENCE_RNN": "SequenceRNN",
    "CONV_3D_TRANSPOSE": "Conv3D",
}


def class_of(table, name):
    """The generated class of an operator's options, and its number in the union; None if there is none."""
    wanted = CLASSES.get(name, name.replace("_", "")).lower() + "options"
    names = [known for known in vars(table) if known.lower() == wanted]
    return (getattr(schema, names[0] + "T"), getattr(table, names[0])) if names else None


class Graph:
    """A graph of a model."""

    def __init__(self, model, name):
        self.model = model
        self.t = schema.SubGraphT()
        self.t.name, self.t.tensors, self.t.operators = name, [], []
        self.t.inputs, self.t.outputs = [], []

    def tensor(self, shape, dtype, name, data=None, scale=None, zero=0, axis=0, variable=False, open_shape=None):
        """Adds a tensor and returns its number."""
        t = schema.TensorT()
        t.name, t.shape, t.type = name, np.array(shape, np.int32), TYPES[dtype]
        t.hasRank, t.isVariable = True, variable
        t.buffer = 0 if data is None else self.model.buffer(data)
        if open_shape:
            t.shapeSignature = np.array(open_shape, np.int32)
        if scale is not None:
            q = t.quantization = schema.QuantizationParametersT()
            q.scale = np.atleast_1d(np.array(scale, np.float32))
            q.zeroPoint = np.broadcast_to(np.array(zero, np.int64), q.scale.shape)
            q.quantizedDimension = axis
        self.t.tensors.append(t)
        return len(self.t.tensors) - 1

    def input(self, *arguments, **keywords):
        """Adds a tensor that the graph takes."""
        number = self.tensor(*arguments, **keywords)
        self.t.inputs.append(number)
        return number

    def constant(self, value, name, **keywords):
        """Adds a tensor whose elements the file has."""
        dtype = keywords.pop("dtype", value.dtype.name)
        return self.tensor(value.shape, dtype, name, data=value, **keywords)

    def op(self, name, inputs, outputs, custom=None, **options):
        """Adds a node. `custom` are the bytes of options of an operator that is none of TensorFlow Lite's own."""
        t = schema.OperatorT()
        t.opcodeIndex = self.model.code(name, custom is not None)
        t.inputs, t.outputs = np.array(inputs, np.int32), np.array(outputs, np.int32)
        if custom is not None:
            t.customOptions = np.frombuffer(custom, np.uint8)
        for table, second in [(schema.BuiltinOptions, ""), (schema.BuiltinOptions2, "2")]:
            found = class_of(table, name)
            if found and custom is None:
                made = found[0]()
                for key, value in options.items():
                    if not hasattr(made, key):
                        raise ValueError(f"{name} has no option {key}: {list(vars(made))}")
                    setattr(made, key, value)
                setattr(t, f"builtinOptions{second}", made)
                setattr(t, f"builtinOptions{second}Type", found[1])
                break
        self.t.operators.append(t)

    def output(self, *numbers):
        """Says that the graph returns tensors."""
        self.t.outputs += numbers


class Model:
    """A model."""

    def __init__(self):
        self.t = schema.ModelT()
        self.t.version, self.t.description = 3, "a test"
        self.t.subgraphs, self.t.operatorCodes, self.t.buffers = [], [], [schema.BufferT()]
        self.codes = {}

    def graph(self, name="main"):
        """Adds a graph."""
        graph = Graph(self, name)
        self.t.subgraphs.append(graph.t)
        return graph

    def buffer(self, value):
        """Adds bytes, or those of an array."""
        t = schema.BufferT()
        t.data = np.frombuffer(np.ascontiguousarray(value).tobytes(), np.uint8)
        self.t.buffers.append(t)
        return len(self.t.buffers) - 1

    def code(self, name, custom=False):
        """The number of an operator."""
        if name not in self.codes:
            t = schema.OperatorCodeT()
            number = schema.BuiltinOperator.CUSTOM if custom else getattr(schema.BuiltinOperator, name)
            t.builtinCode, t.deprecatedBuiltinCode = number, min(number, 127)
            t.version = VERSIONS.get(name, 1)
            if custom:
                t.customCode = name
            self.codes[name] = len(self.t.operatorCodes)
            self.t.operatorCodes.append(t)
        return self.codes[name]

    def bytes(self):
        """The file's contents."""
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.t.Pack(builder), b"TFL3")
        return bytes(builder.Output())


# The versions of operators that tests need; most kernels read all types whatever the version is.
VERSIONS = {"BROADCAST_TO": 3}
