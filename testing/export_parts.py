"""Networks of PyTorch whose shapes are those of models that people export; `export_models.py` exports them."""

import inspect
import math

import torch
from torch import nn
from torch.nn import functional


def like_parameters(model, axes):
    """A list for the parameters of a model's `forward`: those behind a star are one tuple."""
    parameters = list(inspect.signature(model.forward).parameters.values())
    plain = [parameter for parameter in parameters if parameter.kind is not inspect.Parameter.VAR_POSITIONAL]
    if len(plain) == len(parameters):
        return tuple(axes)
    return (*axes[: len(plain)], tuple(axes[len(plain) :]))


def spread(model):
    """A detector whose scores are far apart, so that rounding does not change their order: each layer's results get the variance 1, and
    the changes of boxes a lesser one."""
    model.eval()

    def scale(name):
        wanted = 0.2 if "bbox" in name or "regression" in name else 1.0

        def hook(layer, _, result):
            factor = wanted / result.std()
            layer.weight.data *= factor
            return result * factor if layer.bias is None else (result - of_bias(layer)) * factor + of_bias(layer)

        return hook

    layers = [(name, layer) for name, layer in model.named_modules() if isinstance(layer, (nn.Conv2d, nn.Linear))]
    hooks = [layer.register_forward_hook(scale(name)) for name, layer in layers]
    with torch.no_grad():
        model([torch.rand(3, 320, 320)])
    for hook in hooks:
        hook.remove()
    return model


def of_bias(layer):
    """A layer's bias, for all places."""
    return layer.bias.view(-1, 1, 1) if isinstance(layer, nn.Conv2d) else layer.bias


class Detector(nn.Module):
    """Boxes, scores and labels of one image."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, image):
        result = self.model([image])
        result = result[1] if isinstance(result, tuple) else result
        return result[0]["boxes"], result[0]["scores"], result[0]["labels"]


class Block(nn.Sequential):
    """A convolution, a normalisation and an activation."""

    def __init__(self, ins, outs, kernel=3, stride=1, activation=nn.SiLU):
        super().__init__(nn.Conv2d(ins, outs, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outs), activation())


class Crnn(nn.Module):
    """Convolutions that halve the height to 1, and recurrence over the columns."""

    def __init__(self, classes=40):
        super().__init__()
        self.body = nn.Sequential(
            Block(1, 16, activation=nn.ReLU), nn.MaxPool2d(2, 2),
            Block(16, 32, activation=nn.ReLU), nn.MaxPool2d(2, 2),
            Block(32, 48, activation=nn.ReLU), nn.MaxPool2d((2, 2), (2, 1), (0, 1)),
            Block(48, 64, activation=nn.ReLU), nn.MaxPool2d((2, 2), (2, 1), (0, 1)),
            nn.Conv2d(64, 64, 2), nn.ReLU(),
        )  # fmt: skip
        self.recurrent = nn.LSTM(64, 32, num_layers=2, bidirectional=True, batch_first=True)
        self.scores = nn.Linear(64, classes)

    def forward(self, image):
        columns = self.body(image)
        batch, channels, height, width = columns.shape
        assert height == 1
        columns = columns.squeeze(2).permute(0, 2, 1)
        return functional.log_softmax(self.scores(self.recurrent(columns)[0]), dim=2)


class Mixing(nn.Module):
    """Attention between all places."""

    def __init__(self, size, heads=4):
        super().__init__()
        self.heads, self.scale = heads, (size // heads) ** -0.5
        self.joint, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)

    def forward(self, x):
        batch, places, size = x.shape
        q, k, v = self.joint(x).reshape(batch, places, 3, self.heads, size // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        scores = torch.softmax(q @ k.transpose(-2, -1) * self.scale, dim=-1)
        return self.out((scores @ v).transpose(1, 2).reshape(batch, places, size))


class Transformer(nn.Module):
    """A block of attention and a perceptron, normalised first."""

    def __init__(self, size):
        super().__init__()
        self.first, self.second = nn.LayerNorm(size), nn.LayerNorm(size)
        self.mixing = Mixing(size)
        self.perceptron = nn.Sequential(nn.Linear(size, 2 * size), nn.GELU(), nn.Linear(2 * size, size))

    def forward(self, x):
        x = x + self.mixing(self.first(x))
        return x + self.perceptron(self.second(x))


class Svtr(nn.Module):
    """Attention over the places of an image of text, which keeps its width."""

    def __init__(self, classes=40):
        super().__init__()
        self.stem = nn.Sequential(Block(3, 16, stride=2, activation=nn.GELU), Block(16, 32, stride=2, activation=nn.GELU))
        self.local = nn.Sequential(Transformer(32), Transformer(32))
        self.merge = nn.Conv2d(32, 48, 3, (2, 1), 1)
        self.between = nn.LayerNorm(48)
        self.all = nn.Sequential(Transformer(48), Transformer(48))
        self.last = nn.AdaptiveAvgPool2d((1, None))
        self.scores = nn.Linear(48, classes)

    def forward(self, image):
        x = self.stem(image)
        batch, channels, height, width = x.shape
        x = self.local(x.flatten(2).transpose(1, 2))
        x = self.merge(x.transpose(1, 2).reshape(batch, channels, height, width))
        batch, channels, height, width = x.shape
        x = self.all(self.between(x.flatten(2).permute(0, 2, 1)))
        x = x.permute(0, 2, 1).reshape(batch, channels, height, width).mean(2)
        return torch.softmax(self.scores(x.transpose(1, 2)), dim=-1)


class Bottleneck(nn.Module):
    """Splits channels, and joins what each step makes of one half."""

    def __init__(self, ins, outs):
        super().__init__()
        self.half = outs // 2
        self.first, self.last = Block(ins, outs, 1), Block(outs + outs // 2, outs, 1)
        self.step = nn.Sequential(Block(self.half, self.half), Block(self.half, self.half))

    def forward(self, x):
        left, right = self.first(x).chunk(2, 1)
        return self.last(torch.cat([left, right, right + self.step(right)], 1))


class Yolo(nn.Module):
    """A pyramid of features, boxes as distributions of distances, and selection of boxes."""

    BINS = 8

    def __init__(self, classes=4):
        super().__init__()
        self.classes = classes
        self.stem = nn.Sequential(Block(3, 8, stride=2), Block(8, 16, stride=2), Bottleneck(16, 16))
        self.eighth = nn.Sequential(Block(16, 24, stride=2), Bottleneck(24, 24))
        self.sixteenth = nn.Sequential(Block(24, 32, stride=2), Bottleneck(32, 32))
        self.last = nn.Sequential(Block(32, 48, stride=2), Bottleneck(48, 48))
        self.pool = nn.MaxPool2d(5, 1, 2)
        self.pooled = Block(48 * 4, 48, 1)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.middle, self.fine = Bottleneck(80, 32), Bottleneck(56, 24)
        self.heads = nn.ModuleList(nn.Conv2d(size, 4 * self.BINS + classes, 1) for size in (24, 32, 48))
        for head in self.heads:
            nn.init.normal_(head.weight, std=0.5)
        self.register_buffer("bins", torch.arange(self.BINS, dtype=torch.float32))

    def points(self, features):
        """The centre of each place in an image, and the stride."""
        places, strides = [], []
        for level, stride in zip(features, (8, 16, 32)):
            rows, columns = level.shape[2], level.shape[3]
            y = torch.arange(rows, dtype=torch.float32) + 0.5
            x = torch.arange(columns, dtype=torch.float32) + 0.5
            y, x = torch.meshgrid(y, x, indexing="ij")
            places.append(torch.stack((x, y), -1).view(-1, 2) * stride)
            strides.append(torch.full((rows * columns, 1), float(stride)))
        return torch.cat(places), torch.cat(strides)

    def forward(self, image):
        import torchvision

        eighth = self.eighth(self.stem(image))
        sixteenth = self.sixteenth(eighth)
        last = self.last(sixteenth)
        one = self.pool(last)
        two = self.pool(one)
        last = self.pooled(torch.cat([last, one, two, self.pool(two)], 1))
        middle = self.middle(torch.cat([self.up(last), sixteenth], 1))
        fine = self.fine(torch.cat([self.up(middle), eighth], 1))
        features = [head(level) for head, level in zip(self.heads, (fine, middle, last))]
        joined = torch.cat([level.flatten(2) for level in features], 2)[0].transpose(0, 1)
        distances, scores = joined.split([4 * self.BINS, self.classes], 1)
        distances = distances.view(-1, 4, self.BINS).softmax(2) @ self.bins
        places, strides = self.points(features)
        boxes = torch.cat([places - distances[:, :2] * strides, places + distances[:, 2:] * strides], 1)
        best, labels = scores.sigmoid().max(1)
        chosen = best > 0.6
        boxes, best, labels = boxes[chosen], best[chosen], labels[chosen]
        kept = torchvision.ops.nms(boxes + labels.unsqueeze(1).float() * 4096.0, best, 0.5)[:100]
        return boxes[kept], best[kept], labels[kept]


class Tagger(nn.Module):
    """A tag for each word."""

    def __init__(self, kind=nn.LSTM, words=100, tags=9):
        super().__init__()
        self.table = nn.Embedding(words, 24)
        self.recurrent = kind(24, 20, num_layers=2, bidirectional=True, batch_first=True)
        self.tags = nn.Linear(40, tags)

    def forward(self, words):
        return self.tags(self.recurrent(self.table(words))[0])


class Heads(nn.Module):
    """Projects to heads, and back."""

    def __init__(self, size, heads=4):
        super().__init__()
        self.heads, self.size = heads, size // heads
        self.q, self.k, self.v, self.out = (nn.Linear(size, size) for _ in range(4))

    def apart(self, x):
        return x.view(x.shape[0], -1, self.heads, self.size).transpose(1, 2)

    def forward(self, q, k, v, mask=None):
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.size)
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        mixed = torch.softmax(scores, -1) @ v
        return self.out(mixed.transpose(1, 2).reshape(q.shape[0], -1, self.heads * self.size))


class SpeechEncoder(nn.Module):
    """Convolutions and attention over frames; the keys and values that a decoder's layers read."""

    def __init__(self, size=64, layers=2):
        super().__init__()
        self.first, self.second = nn.Conv1d(20, size, 3, padding=1), nn.Conv1d(size, size, 3, stride=2, padding=1)
        self.register_buffer("positions", torch.randn(200, size))
        self.layers = nn.ModuleList(Transformer(size) for _ in range(layers))
        self.norm = nn.LayerNorm(size)
        self.cross = nn.ModuleList(Heads(size) for _ in range(layers))

    def forward(self, mel):
        x = functional.gelu(self.second(functional.gelu(self.first(mel)))).permute(0, 2, 1)
        x = x + self.positions[: x.shape[1]]
        for layer in self.layers:
            x = layer(x)
        x = self.norm(x)
        return tuple(part for heads in self.cross for part in (heads.apart(heads.k(x)), heads.apart(heads.v(x))))


class SpeechLayer(nn.Module):
    """Attention to the past, attention to the encoder, and a perceptron."""

    def __init__(self, size):
        super().__init__()
        self.itself, self.other = Heads(size), Heads(size)
        self.norms = nn.ModuleList(nn.LayerNorm(size) for _ in range(3))
        self.perceptron = nn.Sequential(nn.Linear(size, 2 * size), nn.GELU(), nn.Linear(2 * size, size))

    def forward(self, x, past, cross, mask):
        y = self.norms[0](x)
        k = torch.cat([past[0], self.itself.apart(self.itself.k(y))], 2)
        v = torch.cat([past[1], self.itself.apart(self.itself.v(y))], 2)
        x = x + self.itself(self.itself.apart(self.itself.q(y)), k, v, mask)
        y = self.norms[1](x)
        x = x + self.other(self.other.apart(self.other.q(y)), *cross)
        return x + self.perceptron(self.norms[2](x)), k, v


class SpeechDecoder(nn.Module):
    """A decoder with a cache of its own keys and values, and those of an encoder."""

    def __init__(self, size=64, layers=2, words=100):
        super().__init__()
        self.table = nn.Embedding(words, size)
        self.positions = nn.Parameter(torch.randn(128, size))
        self.layers = nn.ModuleList(SpeechLayer(size) for _ in range(layers))
        self.norm = nn.LayerNorm(size)

    def forward(self, words, *states):
        count = len(self.layers)
        length, before = words.shape[1], states[0].shape[2]
        x = self.table(words) + self.positions[before : before + length]
        mask = torch.arange(before + length) > torch.arange(before, before + length).unsqueeze(1)
        present = []
        for place, layer in enumerate(self.layers):
            past, cross = states[2 * place : 2 * place + 2], states[2 * (count + place) : 2 * (count + place) + 2]
            x, k, v = layer(x, past, cross, mask)
            present += [k, v]
        return self.norm(x) @ self.table.weight.t(), *present


class Double(nn.Sequential):
    """Two convolutions."""

    def __init__(self, ins, outs):
        super().__init__(Block(ins, outs, activation=nn.ReLU), Block(outs, outs, activation=nn.ReLU))


class Unet(nn.Module):
    """Down and up again; images whose size is no multiple of 8 need edges at each level (`crops`)."""

    def __init__(self, crops=False):
        super().__init__()
        self.crops = crops
        self.down = nn.ModuleList([Double(3, 8), Double(8, 16), Double(16, 32)])
        self.bottom = Double(32, 32)
        self.up = nn.ModuleList([nn.ConvTranspose2d(32, 32, 2, 2), nn.ConvTranspose2d(32, 16, 2, 2), nn.ConvTranspose2d(16, 8, 2, 2)])
        self.join = nn.ModuleList([Double(64, 32), Double(32, 16), Double(16, 8)])
        self.out = nn.Conv2d(8, 2, 1)

    def forward(self, image):
        kept, x = [], image
        for level in self.down:
            x = level(x)
            kept.append(x)
            x = functional.max_pool2d(x, 2)
        x = self.bottom(x)
        for up, join, other in zip(self.up, self.join, reversed(kept)):
            x = up(x)
            if self.crops:
                rows, columns = other.shape[2] - x.shape[2], other.shape[3] - x.shape[3]
                x = functional.pad(x, [columns // 2, columns - columns // 2, rows // 2, rows - rows // 2])
            x = join(torch.cat([other, x], 1))
        return self.out(x)


class Classifier(nn.Module):
    """The mean of the words that a mask keeps."""

    def __init__(self, words=100):
        super().__init__()
        self.table = nn.Embedding(words, 32)
        self.out = nn.Sequential(nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 5))

    def forward(self, words, mask):
        kept = mask.unsqueeze(-1).float()
        mean = (self.table(words) * kept).sum(1) / kept.sum(1).clamp(min=1e-9)
        return self.out(functional.normalize(mean, dim=-1))


class Bag(nn.Module):
    """The mean of all words, by a bag of embeddings."""

    def __init__(self, words=100):
        super().__init__()
        self.table = nn.EmbeddingBag(words, 32, mode="mean")
        self.out = nn.Linear(32, 5)

    def forward(self, words):
        return self.out(self.table(words))


class Tcn(nn.Module):
    """Causal convolutions, each with twice the dilation of the one before."""

    def __init__(self, size=8):
        super().__init__()
        self.steps = nn.ModuleList(nn.Conv1d(size, size, 3, dilation=2**level) for level in range(4))

    def forward(self, x):
        for level, step in enumerate(self.steps):
            x = x + torch.relu(step(functional.pad(x, (2 * 2**level, 0))))
        return x


class Vae(nn.Module):
    """An encoder to a mean and a variance, and a decoder of a sample."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(3, 16, 3, 2, 1), nn.GroupNorm(4, 16), nn.SiLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.GroupNorm(4, 32), nn.SiLU(),
            nn.Conv2d(32, 8, 3, padding=1),
        )  # fmt: skip
        self.decoder = nn.Sequential(
            nn.Conv2d(4, 32, 3, padding=1), nn.SiLU(), nn.Upsample(scale_factor=2), nn.Conv2d(32, 16, 3, padding=1), nn.GroupNorm(4, 16), nn.SiLU(),
            nn.ConvTranspose2d(16, 3, 4, 2, 1), nn.Sigmoid(),
        )  # fmt: skip

    def forward(self, image, noise):
        mean, variance = self.encoder(image).chunk(2, 1)
        return self.decoder(mean + noise * torch.exp(0.5 * variance.clamp(-10, 10))), mean
