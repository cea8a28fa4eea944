"""The kernels that bench/tuners.py tunes: one operator each."""

import dataclasses

import report

# The channels of a block: a vector's, as relayc has them in networks.
BLOCK = {"AMX": 16, "AVX-512": 16, "AVX2": 8}.get(report.widest_vectors(), 4)


def window(stride, padding):
    """What a convolution does with its window, as attributes."""
    ints = lambda number, count: f"array<i64: {', '.join([str(number)] * count)}>"
    return f"strides = {ints(stride, 2)}, padding = {ints(padding, 4)}, dilation = {ints(1, 2)}"


@dataclasses.dataclass(frozen=True)
class Product:
    """[rows, depth] by a weight of [depth, columns]."""

    rows: int
    depth: int
    columns: int

    @property
    def name(self):
        return f"matmul {self.rows}x{self.depth}x{self.columns}"

    def to_tvm(self):
        """What tuners_tvm.py calls it."""
        return {"op": "matmul", "sizes": [self.rows, self.depth, self.columns]}

    def shapes(self):
        """Of the inputs and of the result, as ours has them."""
        weight = (self.columns // BLOCK, self.depth, BLOCK)
        return [(self.rows, self.depth), weight], (self.rows, self.columns)

    def operator(self):
        """The operator and its attributes, as ours has them."""
        return "nn.contrib_dense_pack", f'weight_layout = "NC{BLOCK}n"'


@dataclasses.dataclass(frozen=True)
class Convolution:
    """One sample of `channels` planes of `size` x `size`."""

    channels: int
    size: int
    outputs: int
    kernel: int = 1
    stride: int = 1

    @property
    def padding(self):
        return self.kernel // 2

    @property
    def result_size(self):
        return (self.size + 2 * self.padding - self.kernel) // self.stride + 1

    @property
    def name(self):
        stride = f" stride {self.stride}" if self.stride > 1 else ""
        sizes = f"{self.channels} to {self.outputs}, {self.kernel}x{self.kernel}{stride}"
        return f"conv2d {sizes} at {self.size}x{self.size}"

    def to_tvm(self):
        """What tuners_tvm.py calls it."""
        return {
            "op": "conv2d",
            "data": [self.channels, self.size, self.size],
            "weight": [self.outputs, self.channels, self.kernel, self.kernel],
            "stride": self.stride,
            "padding": self.padding,
        }

    def shapes(self):
        """Of the inputs and of the result, as ours has them."""
        inputs, outputs = self.channels // BLOCK, self.outputs // BLOCK
        data = (1, inputs, self.size, self.size, BLOCK)
        weight = (outputs, inputs, self.kernel, self.kernel, BLOCK, BLOCK)
        return [data, weight], (1, outputs, self.result_size, self.result_size, BLOCK)

    def operator(self):
        """The operator and its attributes, as ours has them."""
        layouts = f'data_layout = "NCHW{BLOCK}c", kernel_layout = "OIHW{BLOCK}i{BLOCK}o"'
        return "nn.contrib_conv2d_NCHWc", f"{layouts}, {window(self.stride, self.padding)}"


@dataclasses.dataclass(frozen=True)
class Depthwise:
    """A convolution of each plane by a window of 3 x 3."""

    channels: int
    size: int

    @property
    def name(self):
        return f"depthwise {self.channels}, 3x3 at {self.size}x{self.size}"

    def shapes(self):
        """Of the inputs and of the result, as ours has them."""
        blocks = self.channels // BLOCK
        planes = (1, blocks, self.size, self.size, BLOCK)
        return [planes, (blocks, 1, 3, 3, 1, BLOCK)], planes

    def operator(self):
        """The operator and its attributes, as ours has them."""
        layouts = f'data_layout = "NCHW{BLOCK}c", kernel_layout = "OIHW1i{BLOCK}o"'
        attributes = f"{layouts}, groups = {self.channels} : i64, {window(1, 1)}"
        return "nn.contrib_depthwise_conv2d_NCHWc", attributes


@dataclasses.dataclass(frozen=True)
class Rows:
    """An operator on each row of a matrix, with `weights` vectors of a row's length."""

    kind: str
    rows: int
    columns: int
    weights: int = 0
    attributes: str = "axis = -1 : i64"

    @property
    def name(self):
        return f"{self.kind} {self.rows}x{self.columns}"

    def shapes(self):
        """Of the inputs and of the result, as ours has them."""
        matrix = (self.rows, self.columns)
        return [matrix, *[(self.columns,)] * self.weights], matrix

    def operator(self):
        """The operator and its attributes, as ours has them."""
        return f"nn.{self.kind}", self.attributes


# Those of ResNet-50 and BERT-base with 128 tokens that take most of their times.
KERNELS = [
    Convolution(64, 56, 64, 3),
    Convolution(64, 56, 256),
    Convolution(256, 56, 64),
    Convolution(128, 28, 128, 3),
    Convolution(256, 14, 256, 3),
    Convolution(1024, 14, 256),
    Convolution(512, 7, 512, 3),
    Product(128, 768, 768),
    Product(128, 768, 3072),
    Product(128, 3072, 768),
]

# Only our tuners are asked for these: they are of other kinds, or of no network.
OTHERS = [
    Product(512, 512, 512),
    Depthwise(96, 56),
    Rows("softmax", 1536, 128),
    Rows("layer_norm", 128, 768, weights=2, attributes="axis = -1 : i64, epsilon = 1.0e-5 : f64"),
]
