"""A small convolutional network in numpy: layers with forward and backward passes.

Every layer has ``forward(x, training)`` and ``backward(gradient)``; the latter returns the
gradient of the layer's input and leaves those of its parameters in ``gradients``, under the same
names as in ``parameters``. Tensors are float32 in NCHW order.
"""

import numpy as np

BATCH_NORM_EPSILON = 1e-5


class Layer:
    """A layer without parameters."""

    def __init__(self):
        self.parameters = {}
        self.gradients = {}


class Conv(Layer):
    """A convolution with a 3x3 kernel, stride 1 and a border of one zero; no bias."""

    def __init__(self, rng, channels_in, channels_out):
        super().__init__()
        deviation = np.sqrt(2.0 / (9 * channels_in))
        weight = rng.standard_normal((channels_out, channels_in, 3, 3)) * deviation
        self.parameters = {"weight": weight.astype(np.float32)}

    @staticmethod
    def columns(x):
        """The 3x3 neighbourhoods of all pixels, as rows of a matrix."""
        n, c, h, w = x.shape
        padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
        return windows.transpose(0, 2, 3, 1, 4, 5).reshape(n * h * w, c * 9)

    def forward(self, x, training):
        n, _, h, w = x.shape
        columns = self.columns(x)
        weight = self.parameters["weight"]
        if training:
            self.saved = x.shape, columns
        out = columns @ weight.reshape(len(weight), -1).T
        return out.reshape(n, h, w, -1).transpose(0, 3, 1, 2)

    def backward(self, gradient):
        (n, c, h, w), columns = self.saved
        weight = self.parameters["weight"]
        rows = gradient.transpose(0, 2, 3, 1).reshape(n * h * w, -1)
        self.gradients = {"weight": (rows.T @ columns).reshape(weight.shape)}
        patches = (rows @ weight.reshape(len(weight), -1)).reshape(n, h, w, c, 3, 3)
        padded = np.zeros((n, c, h + 2, w + 2), np.float32)
        for i in range(3):
            for j in range(3):
                padded[:, :, i : i + h, j : j + w] += patches[..., i, j].transpose(0, 3, 1, 2)
        return padded[:, :, 1:-1, 1:-1]


class BatchNorm(Layer):
    """Batch normalization over all axes but the channels."""

    def __init__(self, channels, momentum=0.9):
        super().__init__()
        self.parameters = {
            "scale": np.ones(channels, np.float32),
            "bias": np.zeros(channels, np.float32),
        }
        self.mean = np.zeros(channels, np.float32)
        self.variance = np.ones(channels, np.float32)
        self.momentum = np.float32(momentum)

    def forward(self, x, training):
        if training:
            mean, variance = x.mean(axis=(0, 2, 3)), x.var(axis=(0, 2, 3))
            keep = self.momentum
            self.mean = keep * self.mean + (1 - keep) * mean
            self.variance = keep * self.variance + (1 - keep) * variance
        else:
            mean, variance = self.mean, self.variance
        inverse = 1 / np.sqrt(variance + np.float32(BATCH_NORM_EPSILON))
        normal = (x - mean[:, None, None]) * inverse[:, None, None]
        if training:
            self.saved = normal, inverse
        scale, bias = self.parameters["scale"], self.parameters["bias"]
        return normal * scale[:, None, None] + bias[:, None, None]

    def backward(self, gradient):
        normal, inverse = self.saved
        axes = (0, 2, 3)
        self.gradients = {"scale": (gradient * normal).sum(axes), "bias": gradient.sum(axes)}
        count = np.float32(gradient.size // len(inverse))
        mean_gradient = self.gradients["bias"] / count
        mean_product = self.gradients["scale"] / count
        centred = gradient - mean_gradient[:, None, None] - normal * mean_product[:, None, None]
        return centred * (self.parameters["scale"] * inverse)[:, None, None]


class Relu(Layer):
    """max(x, 0)."""

    def forward(self, x, training):
        if training:
            self.saved = x > 0
        return np.maximum(x, 0)

    def backward(self, gradient):
        return gradient * self.saved


class MaxPool(Layer):
    """The maximum of each 2x2 block."""

    def forward(self, x, training):
        n, c, h, w = x.shape
        blocks = x.reshape(n, c, h // 2, 2, w // 2, 2).transpose(0, 1, 2, 4, 3, 5)
        blocks = blocks.reshape(n, c, h // 2, w // 2, 4)
        if training:
            self.saved = x.shape, blocks.argmax(axis=-1)
        return blocks.max(axis=-1)

    def backward(self, gradient):
        (n, c, h, w), winner = self.saved
        blocks = np.zeros((*gradient.shape, 4), np.float32)
        np.put_along_axis(blocks, winner[..., None], gradient[..., None], axis=-1)
        blocks = blocks.reshape(n, c, h // 2, w // 2, 2, 2).transpose(0, 1, 2, 4, 3, 5)
        return blocks.reshape(n, c, h, w)


class Flatten(Layer):
    """All axes but the first as one."""

    def forward(self, x, training):
        if training:
            self.saved = x.shape
        return x.reshape(len(x), -1)

    def backward(self, gradient):
        return gradient.reshape(self.saved)


class Linear(Layer):
    """x W^T + b."""

    def __init__(self, rng, units_in, units_out):
        super().__init__()
        weight = rng.standard_normal((units_out, units_in)) * np.sqrt(1.0 / units_in)
        self.parameters = {
            "weight": weight.astype(np.float32),
            "bias": np.zeros(units_out, np.float32),
        }

    def forward(self, x, training):
        if training:
            self.saved = x
        return x @ self.parameters["weight"].T + self.parameters["bias"]

    def backward(self, gradient):
        self.gradients = {"weight": gradient.T @ self.saved, "bias": gradient.sum(axis=0)}
        return gradient @ self.parameters["weight"]


def softmax(x):
    """The probabilities of the classes, by rows."""
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


class Network:
    """The digit classifier: three convolutions, two poolings and a dense layer."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.layers = {
            "conv1": Conv(rng, 1, 16),
            "norm1": BatchNorm(16),
            "relu1": Relu(),
            "conv2": Conv(rng, 16, 32),
            "norm2": BatchNorm(32),
            "relu2": Relu(),
            "pool2": MaxPool(),
            "conv3": Conv(rng, 32, 32),
            "norm3": BatchNorm(32),
            "relu3": Relu(),
            "pool3": MaxPool(),
            "flatten": Flatten(),
            "dense": Linear(rng, 128, 10),
        }

    def scores(self, x, training=False):
        """What goes into the softmax."""
        for layer in self.layers.values():
            x = layer.forward(x, training)
        return x

    def probabilities(self, x):
        """The probability of each digit, by image."""
        return softmax(self.scores(x))

    def backward(self, gradient):
        """Leaves the gradients of all parameters in the layers."""
        for layer in reversed(self.layers.values()):
            gradient = layer.backward(gradient)

    def state(self):
        """All numbers of the trained network, by name: ``conv1.weight``, ``norm1.mean`` ..."""
        state = {}
        for name, layer in self.layers.items():
            for key, value in layer.parameters.items():
                state[f"{name}.{key}"] = value
            if isinstance(layer, BatchNorm):
                state[f"{name}.mean"] = layer.mean
                state[f"{name}.variance"] = layer.variance
        return state

    def load(self, state):
        """Takes the numbers that ``state`` returned."""
        for name, layer in self.layers.items():
            for key in layer.parameters:
                layer.parameters[key] = state[f"{name}.{key}"]
            if isinstance(layer, BatchNorm):
                layer.mean = state[f"{name}.mean"]
                layer.variance = state[f"{name}.variance"]


class Adam:
    """The Adam optimiser, with weight decay apart from the gradient."""

    def __init__(self, layers, weight_decay=1e-4, decay1=0.9, decay2=0.999, epsilon=1e-8):
        self.layers = layers
        self.weight_decay = np.float32(weight_decay)
        self.decays = np.float32(decay1), np.float32(decay2)
        self.epsilon = np.float32(epsilon)
        self.moments = {}
        self.steps = 0

    def step(self, rate):
        """Moves all parameters by one step against their gradients."""
        self.steps += 1
        decay1, decay2 = self.decays
        correction1 = np.float32(1 - float(decay1) ** self.steps)
        correction2 = np.float32(1 - float(decay2) ** self.steps)
        rate = np.float32(rate)
        for name, layer in self.layers.items():
            for key, value in layer.parameters.items():
                gradient = layer.gradients[key]
                zeros = np.zeros_like(value), np.zeros_like(value)
                first, second = self.moments.get((name, key), zeros)
                first = decay1 * first + (1 - decay1) * gradient
                second = decay2 * second + (1 - decay2) * gradient * gradient
                self.moments[name, key] = first, second
                move = first / correction1 / (np.sqrt(second / correction2) + self.epsilon)
                if key == "weight":
                    move = move + self.weight_decay * value
                layer.parameters[key] = value - rate * move
