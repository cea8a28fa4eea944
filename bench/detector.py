"""A detector of objects built as YOLOv5n (Jocher 2020), for images of 320 x 320.

Convolutions with swish, cross-stage blocks, a pyramid of pools, features of three sizes that are brought together upwards and
downwards, and three heads with 3 anchors of 85 numbers. Normalizations are already parts of the convolutions. Weights are
random.
"""

import numpy as np

from builder import Builder

EXTENT, ANCHORS, NUMBERS = 320, 3, 85
CHANNELS = [16, 32, 64, 128, 256]


class Detector(Builder):
    """The graph; values are (name, channels)."""

    def conv(self, value, channels, kernel, stride=1, pad=None):
        """A convolution and a bias."""
        name, depth = value
        weight = self.random(channels, depth, kernel, kernel, deviation=np.sqrt(2 / (depth * kernel**2)))
        pads = [kernel // 2 if pad is None else pad] * 4
        shape = {"kernel_shape": [kernel] * 2, "strides": [stride] * 2, "pads": pads}
        return self.node("Conv", name, weight, self.random(channels), **shape), channels

    def layer(self, value, channels, kernel=1, stride=1, pad=None):
        """A convolution and swish, x sigmoid(x)."""
        name, _ = self.conv(value, channels, kernel, stride, pad)
        return self.node("Mul", name, self.node("Sigmoid", name)), channels

    def concat(self, *values):
        """Channels side by side."""
        name = self.node("Concat", *[name for name, _ in values], axis=1)
        return name, sum(channels for _, channels in values)

    def stage(self, value, channels, blocks, shortcut=True):
        """A cross-stage block: half of the channels go through bottlenecks, half past them."""
        inner = self.layer(value, channels // 2)
        for _ in range(blocks):
            new = self.layer(self.layer(inner, channels // 2), channels // 2, 3)
            inner = (self.node("Add", inner[0], new[0]), new[1]) if shortcut else new
        return self.layer(self.concat(inner, self.layer(value, channels // 2)), channels)

    def pools(self, value, channels):
        """The greatest numbers of growing windows."""
        levels = [self.layer(value, channels // 2)]
        for _ in range(3):
            pooled = self.node(
                "MaxPool", levels[-1][0], kernel_shape=[5, 5], strides=[1, 1], pads=[2] * 4
            )
            levels.append((pooled, channels // 2))
        return self.layer(self.concat(*levels), channels)

    def enlarge(self, value):
        """Each pixel twice in both directions."""
        scales = self.constant([1, 1, 2, 2])
        options = {"mode": "nearest", "nearest_mode": "floor"}
        options["coordinate_transformation_mode"] = "asymmetric"
        return self.node("Resize", value[0], "", scales, **options), value[1]

    def backbone(self, value):
        """Features of 1/8, 1/16 and 1/32 of the image's extent."""
        features = []
        value = self.layer(value, CHANNELS[0], 6, 2, pad=2)
        for channels, blocks in zip(CHANNELS[1:], [1, 2, 3, 1]):
            value = self.stage(self.layer(value, channels, 3, 2), channels, blocks)
            features.append(value)
        return features[1], features[2], self.pools(value, CHANNELS[4])

    def neck(self, fine, middle, coarse):
        """The features brought together, at each size."""
        top = self.layer(coarse, CHANNELS[3])
        joined = self.stage(self.concat(self.enlarge(top), middle), CHANNELS[3], 1, False)
        side = self.layer(joined, CHANNELS[2])
        fine = self.stage(self.concat(self.enlarge(side), fine), CHANNELS[2], 1, False)
        middle = self.concat(self.layer(fine, CHANNELS[2], 3, 2), side)
        middle = self.stage(middle, CHANNELS[3], 1, False)
        coarse = self.concat(self.layer(middle, CHANNELS[3], 3, 2), top)
        return fine, middle, self.stage(coarse, CHANNELS[4], 1, False)

    def head(self, value):
        """The numbers of each anchor at each pixel."""
        name, _ = self.conv(value, ANCHORS * NUMBERS, 1)
        shape = self.constant([1, ANCHORS, NUMBERS, -1], np.int64)
        name = self.node("Transpose", self.node("Reshape", name, shape), perm=[0, 1, 3, 2])
        shape = self.constant([1, -1, NUMBERS], np.int64)
        return self.node("Sigmoid", self.node("Reshape", name, shape))


def detector(seed):
    """The model."""
    graph = Detector(seed, 0.05)
    sizes = graph.neck(*graph.backbone(("image", 3)))
    heads = [graph.head(value) for value in sizes]
    return graph.model(
        "detector",
        {"image": [1, 3, EXTENT, EXTENT]},
        {graph.node("Concat", *heads, axis=1): None},
    )
