"""Saves small programs with torch.jit, with inputs and with what PyTorch computes of them.

Run by `./x torch scripts`; the files are committed, so that the test suite needs no PyTorch.
"""

import io
import json
import sys
import warnings
import zipfile
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Tuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.ao.quantization import get_default_qconfig_mapping, quantize_dynamic
from torch.ao.quantization.quantize_fx import convert_fx, prepare_fx
from torch.nn import functional as F

FOLDER = Path(__file__).parent / "programs"


def f(*shape, seed=0, low=-2.0, high=2.0):
    """Floats that are spread between bounds."""
    generator = torch.Generator().manual_seed(seed + len(shape))
    return torch.rand(shape, generator=generator) * (high - low) + low


def i(*shape, high=5, seed=0):
    """Integers below a bound."""
    return torch.randint(0, high, shape, generator=torch.Generator().manual_seed(seed))


class Network(nn.Module):
    """Convolutions with normalisation, and a classifier."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.MaxPool2d(2))
        self.more = nn.ModuleList([nn.Conv2d(4, 4, 3, padding=1, groups=2), nn.Conv2d(4, 4, 1)])
        self.drop = nn.Dropout(0.5)
        self.head = nn.Linear(16, 3)
        self.register_buffer("scale", torch.tensor([0.5, 1.0, 2.0]))

    def forward(self, x):
        x = self.features(x)
        for layer in self.more:
            x = x + F.gelu(layer(x))
        x = F.adaptive_avg_pool2d(x, (2, 2))
        x = self.head(self.drop(torch.flatten(x, 1)))
        return F.softmax(x * self.scale, dim=-1)


class Pair(NamedTuple):
    """A result with names."""

    first: Tensor
    second: Tensor


class Known(nn.Module):
    """Control flow that shapes and attributes decide, and Python's containers."""

    def __init__(self):
        super().__init__()
        self.weights = nn.ParameterList([nn.Parameter(f(4, seed=n)) for n in range(3)])
        self.mode = "mean"
        self.sizes: List[int] = [1, 2]

    def reduced(self, x: Tensor, axis: int = -1) -> Tensor:
        if self.mode == "mean":
            return x.mean(axis)
        if self.mode == "sum":
            return x.sum(axis)
        raise ValueError("no such mode")

    def forward(self, x: Tensor, y: Optional[Tensor] = None, times: int = 3) -> Tuple[Pair, Dict[str, Tensor], List[Tensor], int]:
        if len(x.shape) == 2:
            x = x.unsqueeze(0)
        if y is None:
            y = torch.ones_like(x)
        parts: List[Tensor] = []
        total = x
        for step in range(times):
            if step % 2 == 0 and x.size(-1) > 3:
                total = total * 2 + step
            else:
                total = total - float(step) / 2
            parts.append(total[:, step % x.shape[1]])
        count = 0
        while count < x.shape[0] + 1:
            count += self.sizes[-1]
        named = {"mean": self.reduced(total), "last": parts[-1]}
        named["both"] = torch.cat([named["mean"].flatten(), named["last"].flatten()])
        first = torch.split(total, 2, dim=2)[0]
        for name, value in named.items():
            if name != "both":
                total = total + value.mean()
        return Pair(total + y, first), named, parts[::2], count


class Data(nn.Module):
    """Branches and loops that the elements decide."""

    def forward(self, x: Tensor, n: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
        if bool(x.sum() > 0):
            y = x + 1
            scale = 2.0
        else:
            y = torch.relu(x)
            scale = 3.0
        z = y * scale
        steps = 0
        while bool(z.abs().sum() < 100.0):
            z = z * 1.5 + 1.0
            steps += 1
        total = x
        for step in range(int(n)):
            total = total * 0.5 + step
        if float(x[0, 0]) > 100.0:
            raise ValueError("too large")
        return y, z, torch.tensor(steps), total


class InPlace(nn.Module):
    """Writes into views."""

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        z = x.clone()
        z[:, 1] = 0.5
        z[0].mul_(2.0)
        z[:, :, ::2] += 1.0
        part = z.transpose(0, 1)[2]
        part.copy_(part * 3.0)
        parts = z.unbind(1)
        parts[0].add_(y[:, 0])
        z[z > 2.5] = 2.5
        return z + part.sum()


class Recurrent(nn.Module):
    """Recurrent layers of embedded words."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(7, 5, padding_idx=0)
        self.lstm = nn.LSTM(5, 4, num_layers=2, bidirectional=True, batch_first=True)
        self.gru = nn.GRU(8, 3, batch_first=True)

    def forward(self, ids):
        y, (h, c) = self.lstm(self.embedding(ids))
        z, last = self.gru(y)
        return z, last, h, c


class Attention(nn.Module):
    """Attention of a transformer."""

    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.norm = nn.LayerNorm(8)

    def forward(self, x, mask: Optional[Tensor] = None):
        y, weights = self.attention(x, x, x, key_padding_mask=mask)
        return self.norm(x + y), weights


class Types(nn.Module):
    """Overloads, element types and numbers of tensors."""

    def forward(self, x: Tensor, k: Tensor):
        a = (x + 1) / 2 - x * 3.0 + (2 ** k).float()
        b = (k // 2) * (k % 3) + (k > 1).long()
        c = x.to(torch.float64).sum() + x.half().float().mean()
        d = torch.clamp(x, min=-1.0) + torch.clamp(x, -0.5, 0.5) + torch.where(x > 0, x, -x)
        e = torch.max(x, dim=1)
        g = torch.max(x) + torch.max(x, -x)
        h = torch.arange(x.size(0), dtype=x.dtype).unsqueeze(1) + torch.zeros_like(x)
        j = torch.tensor([[1, 2], [3, 4]]).sum() + k.numel()
        m = F.interpolate(x[None, None], scale_factor=2.0, mode="nearest")
        return a, b, c, d, e.values, e.indices, g, h, j, m, k.to(x.dtype).type_as(x)


class Lists(nn.Module):
    """Lists, tuples and dictionaries of tensors as inputs."""

    def forward(self, xs: List[Tensor], pair: Tuple[Tensor, Tensor], named: Dict[str, Tensor]):
        total = torch.stack(xs).sum(0)
        return {"total": total + pair[0] * pair[1], "named": named["a"] + len(xs)}


class Shapes(nn.Module):
    """Arithmetic on extents, which tracing writes as operators."""

    def forward(self, x):
        b, c, h, w = x.shape
        y = x.view(b, c // 2, 2, h * w).transpose(1, 2).reshape(b, -1, h, w)
        return F.pad(y, (1, 1, 0, h % 2)), y.new_zeros(b, w - 1) + y.shape[-1]


class Contexts(nn.Module):
    """Statements in contexts."""

    def forward(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            y = torch.relu(x)
            if x.size(0) > 1:
                with torch.autograd.profiler.record_function("sum"):
                    y = y + x
        return y * 2


class Image(nn.Module):
    """Layers of images with skip connections."""

    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.BatchNorm2d(8), nn.ReLU(inplace=True))
        self.depth = nn.Conv2d(8, 8, 3, padding=1, groups=8, bias=False)
        self.point = nn.Conv2d(8, 8, 1)
        self.up = nn.ConvTranspose2d(8, 4, 2, stride=2)
        self.head = nn.Linear(12, 5)

    def forward(self, x):
        x = self.first(x)
        y = self.point(F.hardswish(self.depth(x))) + x
        z = torch.cat([y * torch.sigmoid(x), F.leaky_relu(y, 0.1)], 1)
        z = F.max_pool2d(z, 2)[:, 4:12]
        z = torch.cat([F.adaptive_avg_pool2d(z, 1), F.adaptive_avg_pool2d(F.elu(self.up(y)), 1)], 1)
        return self.head(torch.flatten(z, 1))


class Line(nn.Module):
    """Layers of sequences with normalisations."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(4, 6, 3, padding=1, dilation=1)
        self.norm = nn.LayerNorm(6)
        self.linear = nn.Linear(6, 6)

    def forward(self, x):
        x = torch.relu(self.conv(x)).transpose(1, 2)
        y = torch.relu(self.linear(self.norm(x)))
        return torch.matmul(y, x.transpose(1, 2)).mean(-1)


class Numbers(nn.Module):
    """Sums and products of quantised tensors with numbers, which keep the integers and move the steps."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.after = nn.Conv2d(4, 4, 1)

    def forward(self, x):
        x = self.conv(x) + 0.3
        x = torch.relu(x * 1.5)
        x = self.after(x - 40.0 + 39.0) * -0.75
        return torch.relu(x + 60.0)


class Settings(nn.Module):
    """Parameters that are no tensors, some without defaults."""

    def forward(self, x, rate: int, scale: float, mode: str, axes: List[int], times: Optional[int], pair: Tuple[int, float], skip: bool = False):
        x = x[:, :: rate // 8000] * scale
        if mode == "mean":
            x = x.mean(axes)
        if times is not None:
            x = x * times
        if not skip:
            x = x + pair[0] * pair[1]
        return x


class Steps(nn.Module):
    """A model that keeps something from call to call: an attribute that it replaces, one of a part, and a buffer that it changes."""

    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)
        self.last = torch.zeros(0)
        self.calls: int = 0
        self.part = Kept()

    def forward(self, x):
        if len(self.last) == 0:
            self.last = torch.zeros([x.size(0), 4])
        state = self.cell(x, self.last)
        self.last = state
        self.calls += 1
        return self.part(state)


class Kept(nn.Module):
    """A running sum."""

    def __init__(self):
        super().__init__()
        self.register_buffer("sum", torch.zeros(4))

    def forward(self, x):
        self.sum.mul_(0.5).add_(x.sum(0))
        return x + self.sum


# The tensors that modules keep, by their classes.
KEPT = {"Steps": ("last", "part.sum")}


def in_bytes(module, example):
    """A module that PyTorch quantised after it saw some data."""
    module = prepare_fx(module.eval(), get_default_qconfig_mapping("fbgemm"), example)
    for seed in range(4):
        module(f(*example.shape, seed=seed + 10))
    return convert_fx(module)


def in_bytes_at_run_time(module):
    """A module whose dense layers quantise their data in each run."""
    return quantize_dynamic(module.eval(), {nn.Linear}, dtype=torch.qint8)


def programs():
    """Each program: its name, the saved module, and its inputs. Inputs that are no tensors become options, and those of other names than
    the parameters' are attributes that the program changes.
    """
    image = f(2, 3, 8, 8)
    script = torch.jit.script
    yield "scripted_network", script(Network().eval()), dict(x=image)
    yield "traced_network", torch.jit.trace(Network().eval(), image), dict(x=image)
    yield "known", script(Known().eval()), dict(x=f(2, 3, 4))
    yield "data", script(Data()), dict(x=f(2, 3), n=torch.tensor(4))
    yield "data_negative", script(Data()), dict(x=f(2, 3, high=-0.1), n=torch.tensor(0))
    yield "in_place", script(InPlace()), dict(x=f(2, 3, 4), y=f(2, 3, 4, seed=1))
    yield "recurrent", script(Recurrent().eval()), dict(ids=i(2, 6, high=7))
    yield "traced_recurrent", torch.jit.trace(Recurrent().eval(), i(2, 6, high=7)), dict(ids=i(2, 6, high=7))
    yield "attention", script(Attention().eval()), dict(x=f(2, 5, 8))
    yield "masked_attention", script(Attention().eval()), dict(x=f(2, 5, 8), mask=i(2, 5, high=2).bool() & (torch.arange(5) > 0))
    yield "types", script(Types()), dict(x=f(3, 4), k=i(3, 4))
    yield "lists", script(Lists()), dict(xs=[f(2, 3), f(2, 3, seed=5)], pair=(f(2, 3, seed=1), f(2, 3, seed=2)), named={"a": f(3)})
    yield "traced_shapes", torch.jit.trace(Shapes(), f(2, 4, 3, 5)), dict(x=f(2, 4, 3, 5))
    yield "frozen", torch.jit.freeze(script(Network().eval())), dict(x=image)
    yield "contexts", script(Contexts()), dict(x=f(2, 3))
    said = dict(rate=16000, scale=2.0, mode="mean", axes=[1], times=None, pair=(3, 0.5))
    yield "settings", script(Settings()), dict(x=f(2, 8), **said)
    yield "settings_more", script(Settings()), dict(x=f(2, 8), **{**said, "mode": "none", "times": 2, "skip": True})
    yield "first_step", script(Steps().eval()), dict(x=f(2, 3))
    yield "steps", script(Steps().eval()), {"x": f(2, 3), "last": f(2, 4), "part.sum": f(4)}
    image, line = f(1, 3, 16, 16), f(2, 4, 10, seed=1)
    quantized = in_bytes(Image(), image)
    yield "quantized_traced", torch.jit.trace(quantized, image), dict(x=image)
    yield "quantized_scripted", script(quantized), dict(x=image)
    yield "quantized_frozen", torch.jit.freeze(script(quantized).eval()), dict(x=image)
    yield "quantized_line", script(in_bytes(Line(), line)), dict(x=line)
    yield "quantized_numbers", script(in_bytes(Numbers(), image)), dict(x=image)
    layers = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
    yield "quantized_halves", script(quantize_dynamic(layers.eval(), {nn.Linear}, dtype=torch.float16)), dict(input=f(3, 8))
    yield "quantized_dynamic", script(in_bytes_at_run_time(layers)), dict(input=f(3, 8))


def flat(name, value):
    """Tensors of a value, with names by their places."""
    if isinstance(value, Tensor):
        return {name: value.detach().numpy()}
    if isinstance(value, (bool, int, float)):
        return {name: np.asarray(value)}
    if isinstance(value, dict):
        items = value.items()
    elif hasattr(value, "_fields"):
        items = zip(value._fields, value, strict=True)
    else:
        items = ((str(place), item) for place, item in enumerate(value))
    found = {}
    for key, item in items:
        inner = f"{name}.{key}" if name != "output" else f"output_{key}" if key.isdigit() else key
        for path, tensor in flat(inner, item).items():
            found[path] = tensor
    return found


def holds_tensors(value):
    """Whether a value is a list, a tuple or a dictionary of tensors."""
    items = value.values() if isinstance(value, dict) else value
    return isinstance(value, (dict, list, tuple)) and all(isinstance(item, Tensor) for item in items)


def owner(module, path):
    """The part of a module that has an attribute, and the attribute's name."""
    *parts, name = path.split(".")
    for part in parts:
        module = getattr(module, part)
    return module, name


def results(module, inputs):
    """What a program computes, and what becomes of the tensors that it keeps."""
    kept = KEPT.get(module.original_name, ())
    for path in set(kept) & set(inputs):
        part, name = owner(module, path)
        setattr(part, name, inputs[path].clone())
    outputs = flat("output", module(*(value for name, value in inputs.items() if name not in kept)))
    return outputs | {f"{path}.next": getattr(*owner(module, path)).detach().numpy() for path in kept}


def packed(module):
    """The bytes of a saved module, without what only shows where its code comes from."""
    written, made = io.BytesIO(), io.BytesIO()
    torch.jit.save(module, written)
    with zipfile.ZipFile(written) as source, zipfile.ZipFile(made, "w") as target:
        for name in source.namelist():
            if not name.endswith(".debug_pkl"):
                target.writestr(zipfile.ZipInfo(name), source.read(name), zipfile.ZIP_DEFLATED if name.endswith(".py") else None)
    return made.getvalue()


def main():
    warnings.filterwarnings("ignore")
    # oneDNN's transposed convolutions of bytes, which are the default, return other numbers on processors with AMX.
    torch.backends.quantized.engine = "fbgemm"
    FOLDER.mkdir(exist_ok=True)
    torch.manual_seed(0)
    for name, module, inputs in programs():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        (FOLDER / f"{name}.pt").write_bytes(packed(module))
        given, said = {}, {}
        for key, value in inputs.items():
            if isinstance(value, Tensor):
                given[key] = value.numpy()
            elif holds_tensors(value):
                given.update({k.replace("output", key, 1): v for k, v in flat(key, value).items()})
            else:
                said[key] = str(list(value) if isinstance(value, tuple) else value)
        np.savez_compressed(FOLDER / f"{name}.inputs.npz", **given)
        if said:
            (FOLDER / f"{name}.values.json").write_text(json.dumps(said) + "\n")
        np.savez_compressed(FOLDER / f"{name}.outputs.npz", **results(module, inputs))


if __name__ == "__main__":
    main()
