"""Cases of operators of TensorFlow Lite that keep something from run to run, detect boxes, or have graphs of their own."""

import numpy as np
from flatbuffers import flexbuffers
from tflite_cases import RANDOM, RELU, RELU6, SAME, TANH, floats, ints
from tflite_models import Model


def variable(c, *shape):
    return c.graph.tensor(shape, "float32", c.named("state"), variable=True)


def rnn(c):
    inputs = [c.x(2, 5), c.c(floats(7, 5)), c.c(floats(7, 7, low=-0.3, high=0.3)), c.c(floats(7)), variable(c, 2, 7)]
    c.y("RNN", inputs, (2, 7), fusedActivationFunction=TANH)


def sequence_rnn(is_first):
    def case(c):
        x = c.x(*((4, 2, 5) if is_first else (2, 4, 5)))
        inputs = [x, c.c(floats(7, 5)), c.c(floats(7, 7, low=-0.3, high=0.3)), c.c(floats(7)), variable(c, 2, 7)]
        c.y("UNIDIRECTIONAL_SEQUENCE_RNN", inputs, timeMajor=is_first, fusedActivationFunction=RELU)

    return case


def weights(c, units, inputs, results, coupled=False, peepholes=False, projection=None, norms=False):
    """The inputs of a cell from the weights on; -1 for those that are left out."""
    gates = [not coupled, True, True, True]
    made = [c.c(floats(units, inputs)) if there else -1 for there in gates]
    made += [c.c(floats(units, results, low=-0.4, high=0.4)) if there else -1 for there in gates]
    made += [c.c(floats(units)) if peepholes and there else -1 for there in (not coupled, True, True)]
    made += [c.c(floats(units)) if there else -1 for there in gates]
    made += [c.c(floats(projection, units)), c.c(floats(projection))] if projection else [-1, -1]
    return made, [c.c(floats(units, low=0.5, high=1.5)) if there else -1 for there in gates] if norms else []


def lstm(is_first=True, clip=0.0, **what):
    def case(c):
        results = what.get("projection") or 6
        x = c.x(*((4, 2, 5) if is_first else (2, 4, 5)))
        made, norms = weights(c, 6, 5, results, **what)
        inputs = [x] + made + [variable(c, 2, results), variable(c, 2, 6)] + norms
        c.y("UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, timeMajor=is_first, fusedActivationFunction=TANH, cellClip=clip)

    return case


def one_lstm(c):
    made, _ = weights(c, 6, 5, 6)
    inputs = [c.x(2, 5)] + made + [variable(c, 2, 6), variable(c, 2, 6)]
    c.y("LSTM", inputs, fusedActivationFunction=TANH)


def both_lstms(c):
    first, second = weights(c, 6, 5, 6)[0], weights(c, 6, 5, 6)[0]
    kept = [variable(c, 2, 6) for _ in range(4)]
    inputs = [c.x(4, 2, 5)] + first + second + kept + [-1] * 9
    c.y("BIDIRECTIONAL_SEQUENCE_LSTM", inputs, timeMajor=True, mergeOutputs=True, fusedActivationFunction=TANH)


def svdf(c):
    inputs = [c.x(2, 5), c.c(floats(8, 5)), c.c(floats(8, 3)), c.c(floats(4)), variable(c, 2, 24)]
    c.y("SVDF", inputs, rank=2, fusedActivationFunction=RELU)


def resource(c):
    """A variable to which each run adds."""
    handle = c.graph.tensor((), "resource", c.named("handle"))
    c.graph.op("VAR_HANDLE", [], [handle], sharedName="sum", container="")
    before, after = (c.graph.tensor((2, 3), "float32", c.named("value")) for _ in range(2))
    c.graph.op("READ_VARIABLE", [handle], [before])
    c.graph.op("ADD", [before, c.x(2, 3)], [after])
    c.graph.op("ASSIGN_VARIABLE", [handle, after], [])
    c.graph.output(after)


# What keeps something from run to run.
STATES = {
    "rnn": rnn,
    "sequence_rnn": sequence_rnn(True),
    "sequence_rnn_batches": sequence_rnn(False),
    "lstm": one_lstm,
    "sequence_lstm": lstm(),
    "sequence_lstm_batches": lstm(is_first=False, clip=0.4),
    "sequence_lstm_coupled": lstm(coupled=True, peepholes=True),
    "sequence_lstm_projected": lstm(projection=4, peepholes=True),
    "sequence_lstm_normalised": lstm(norms=True),
    "both_lstms": both_lstms,
    "svdf": svdf,
}


def flags(**values):
    builder = flexbuffers.Builder()
    with builder.Map():
        for key, value in values.items():
            builder.Key(key)
            builder.Add(value)
    return bytes(builder.Finish())


def detections(regular):
    """The boxes of a detector, with scores that decrease so that no two are equal."""

    def case(c):
        codes = c.c(floats(1, 20, 4))
        scores = c.c(RANDOM.permutation(80).reshape(1, 20, 4).astype(np.float32) / 80)
        anchors = c.c(np.concatenate([floats(20, 2, low=0, high=1), floats(20, 2, low=0.3, high=0.6)], 1))
        options = flags(max_detections=6, max_classes_per_detection=1, detections_per_class=5, use_regular_nms=regular,
                        nms_score_threshold=0.3, nms_iou_threshold=0.4, num_classes=3, y_scale=10.0, x_scale=10.0, h_scale=5.0,
                        w_scale=5.0)
        # The interpreter gets the tensors from a sum, so that nothing is computed while it is prepared.
        moved = c.graph.tensor((1, 20, 4), "float32", c.named("y"))
        c.graph.op("ADD", [codes, c.x(1, 20, 4)], [moved])
        outputs = [c.graph.tensor((), "float32", c.named("y")) for _ in range(4)]
        c.graph.op("TFLite_Detection_PostProcess", [moved, scores, anchors], outputs, custom=options)
        c.graph.output(*outputs)

    return case


def suppression(c):
    boxes = np.concatenate([floats(12, 2, low=0, high=1), floats(12, 2, low=1, high=2)], 1)
    inputs = [c.c(boxes), c.c(RANDOM.permutation(12).astype(np.float32) / 12), c.c(np.int32(5)), c.c(np.float32(0.6)), c.c(np.float32(0.1))]
    c.y("NON_MAX_SUPPRESSION_V4", inputs, dtype="int32", more=["int32"])


def spectrum(height):
    def case(c):
        made = c.graph.tensor((), "complex64", c.named("z"))
        c.graph.op("RFFT2D", [c.x(3, height, 12), c.c(ints(height, 16))], [made])
        c.y("COMPLEX_ABS", [made])
        c.y("IMAG", [made])
        c.y("REAL", [made])

    return case


def binary_graph(model, op, right):
    """A graph of one operator of a tensor and a number."""
    graph = model.graph(op)
    x = graph.input((2, 3), "float32", "x")
    y = graph.tensor((2, 3), "float32", "y")
    graph.op(op, [x, graph.constant(np.float32(right), "c")], [y])
    graph.output(y)


def control(path):
    """A branch, and a loop that doubles a tensor while a counter is below a number that is an input."""
    model = Model()
    main = model.graph()
    binary_graph(model, "ADD", 1)
    binary_graph(model, "MUL", 3)
    condition, body = model.graph("condition"), model.graph("body")
    for graph in (condition, body):
        graph.count = graph.input((), "int32", "i")
        graph.limit = graph.input((), "int32", "n")
        graph.x = graph.input((2, 3), "float32", "x")
    less = condition.tensor((), "bool", "less")
    condition.op("LESS", [condition.count, condition.limit], [less])
    condition.output(less)
    more, twice = body.tensor((), "int32", "more"), body.tensor((2, 3), "float32", "twice")
    body.op("ADD", [body.count, body.constant(np.int32(1), "one")], [more])
    body.op("MUL", [body.x, body.constant(np.float32(2), "two")], [twice])
    body.output(more, body.limit, twice)
    holds, x = main.input((), "bool", "holds"), main.input((2, 3), "float32", "x")
    limit, zero = main.input((), "int32", "limit"), main.constant(np.int32(0), "zero")
    chosen = main.tensor((2, 3), "float32", "chosen")
    main.op("IF", [holds, x], [chosen], thenSubgraphIndex=1, elseSubgraphIndex=2)
    made = [main.tensor((), "int32", "steps"), main.tensor((), "int32", "same"), main.tensor((2, 3), "float32", "doubled")]
    main.op("WHILE", [zero, limit, x], made, condSubgraphIndex=3, bodySubgraphIndex=4)
    main.output(chosen, made[0], made[2])
    path.write_bytes(model.bytes())


def open_shapes(path):
    """A network for any number of images of any size."""
    model = Model()
    graph = model.graph()
    x = graph.input((1, 1, 1, 3), "float32", "x", open_shape=(-1, -1, -1, 3))
    first = graph.tensor((1, 1, 1, 4), "float32", "first")
    graph.op("CONV_2D", [x, graph.constant(floats(4, 3, 3, 3), "w"), graph.constant(floats(4), "b")], [first], padding=SAME,
             strideH=2, strideW=2, fusedActivationFunction=RELU6)
    mean = graph.tensor((1, 4), "float32", "mean")
    graph.op("MEAN", [first, graph.constant(ints(1, 2), "axes")], [mean])
    dense = graph.tensor((1, 5), "float32", "dense")
    graph.op("FULLY_CONNECTED", [mean, graph.constant(floats(5, 4), "v"), -1], [dense])
    graph.output(first, dense)
    path.write_bytes(model.bytes())
