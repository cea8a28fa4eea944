"""Exports small programs with torch.export, with inputs and with what PyTorch computes of them.

Each group is one program that returns what each of its functions computes. Run by `./x torch`; the files are committed, so that the test
suite needs no PyTorch.
"""

import io
import sys
import zipfile
from pathlib import Path

import numpy as np
import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401
import torchvision
from beside import save_beside
from complex_numbers import numbers
from families import families, quantised
from layers import layers
from stateful import arrays, decoder, stateful
from torch import nn
from torch.export import Dim
from torch.export.graph_signature import ConstantArgument, OutputKind
from torch.nn import functional as F

FOLDER = Path(__file__).parent / "programs"


class Group(nn.Module):
    """A program that returns what functions compute of the same inputs."""

    def __init__(self, functions):
        super().__init__()
        self.functions = functions
        modules = {f"m{i}": f for i, f in enumerate(functions) if isinstance(f, nn.Module)}
        self.modules_of_group = nn.ModuleDict(modules)

    def forward(self, *inputs):
        return tuple(function(*inputs) for function in self.functions)


def f(*shape, seed=0, low=-2.0, high=2.0):
    """Floats that are spread between bounds."""
    generator = torch.Generator().manual_seed(seed + len(shape))
    return torch.rand(shape, generator=generator) * (high - low) + low


def i(*shape, high=5, seed=0):
    """Integers below a bound."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, high, shape, generator=generator)


def assigned(x, y):
    """Writes into views."""
    z = x.clone()
    z[:, 1] = 0.5
    z[0].mul_(2.0)
    z[:, :, ::2] += 1.0
    z.view(-1)[3:5] = y.view(-1)[:2]
    part = z.transpose(0, 1)[2]
    part.copy_(part * 3.0)
    return z + part.sum()


def aliased(x, y):
    """Changes what other names stand for, too."""
    z = x.clone()
    same, copy, kept = z.float(), z.double(), z + 0
    same.mul_(y)
    parts = z.unbind(1)
    parts[1].zero_()
    z.split([1, 2], 1)[1].add_(1)
    return z + copy.float() + kept


class Recurrent(nn.Module):
    """Recurrent layers."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x, *_):
        return self.layer(x)[0]


BILINEAR = f(3, 4, 4, seed=9)


def groups():
    """The programs: functions, inputs, and dimensions that are open."""
    n = Dim("n", min=1, max=64)
    x = f(2, 3, 4)
    yield "unary", [
        torch.abs, torch.neg, torch.exp, torch.expm1, torch.sin, torch.cos, torch.tan, torch.tanh, torch.sigmoid, torch.erf, torch.erfc,
        torch.floor, torch.ceil, torch.round, torch.trunc, torch.frac, torch.sign, torch.square, torch.atan, torch.sinh, torch.cosh,
        torch.asinh, torch.isnan, torch.isinf, torch.isfinite, torch.signbit, torch.exp2, torch.rad2deg, torch.deg2rad,
        lambda x: torch.log1p(x.abs()), lambda x: torch.sqrt(x.abs()), lambda x: torch.rsqrt(x.abs() + 1), lambda x: torch.log(x.abs()),
        lambda x: torch.log2(x.abs()), lambda x: torch.log10(x.abs()), lambda x: torch.reciprocal(x), lambda x: torch.asin(x / 2),
        lambda x: torch.acos(x / 2), lambda x: torch.atanh(x / 3), lambda x: torch.acosh(x.abs() + 1), lambda x: torch.round(x, decimals=1),
        lambda x: torch.logical_not(x > 0), lambda x: torch.nan_to_num(torch.log(x), nan=7.0), lambda x: torch.expm1(x * 1e-4) * 1e4,
        lambda x: torch.log1p(x * 1e-4) * 1e4, lambda x: (x * 4).to(torch.int32).sqrt(), lambda x: ~(x * 4).to(torch.int16),
        lambda x: torch.tril(x), lambda x: torch.triu(x, 1), lambda x: x.clone().sin_(), lambda x: torch.isfinite((x * 3).long()), lambda x: torch.logit(x.sigmoid()), torch.sinc, lambda x: torch.logit(x, eps=0.1),
    ], (x,), None
    yield "activation", [
        F.relu, F.relu6, F.elu, F.celu, F.selu, F.gelu, lambda x: F.gelu(x, approximate="tanh"), F.silu, F.mish, F.hardswish, F.hardsigmoid,
        F.hardtanh, F.leaky_relu, F.logsigmoid, F.softplus, F.softshrink, F.hardshrink, F.softsign, F.tanhshrink,
        lambda x: F.glu(x, 2), lambda x: F.threshold(x, 0.5, -1.0), lambda x: F.softmax(x, 1), lambda x: F.log_softmax(x, -1),
        lambda x: F.softmin(x, 2), lambda x: F.rrelu(x), nn.PReLU(3), nn.PReLU(), lambda x: F.dropout(x, 0.5, False),
        lambda x: F.softmax(x, 2, dtype=torch.float64), lambda x: F.normalize(x, dim=1), lambda x: F.hardtanh(x, -0.5, 0.25),
    ], (x,), {0: n}
    y, k = f(3, 4, seed=7), i(2, 3, 4)
    yield "binary", [
        lambda x, y, k: x + y, lambda x, y, k: torch.add(x, y, alpha=0.5), lambda x, y, k: x - 2, lambda x, y, k: 3 - x, lambda x, y, k: x * k,
        lambda x, y, k: x / y, lambda x, y, k: k / 2, lambda x, y, k: k // 2, lambda x, y, k: (k - 3) // 2, lambda x, y, k: (k - 3) % 2,
        lambda x, y, k: torch.div(x, y, rounding_mode="trunc"), lambda x, y, k: torch.div(x, y, rounding_mode="floor"),
        lambda x, y, k: torch.fmod(x, 0.7), lambda x, y, k: torch.remainder(x, 0.7), lambda x, y, k: x ** 2, lambda x, y, k: x ** 3,
        lambda x, y, k: x.abs() ** 0.5, lambda x, y, k: x.abs() ** 1.7, lambda x, y, k: k ** 2, lambda x, y, k: 2 ** k, lambda x, y, k: x.abs() ** y,
        lambda x, y, k: torch.maximum(x, y), lambda x, y, k: torch.minimum(x, y), lambda x, y, k: torch.clamp(x, -0.5, 1),
        lambda x, y, k: torch.clamp(x, min=0.1), lambda x, y, k: torch.clamp(x, max=y), lambda x, y, k: torch.clamp(k, 1, 3),
        lambda x, y, k: x == y, lambda x, y, k: x != y, lambda x, y, k: x < y, lambda x, y, k: x >= 0, lambda x, y, k: k > 2.5,
        lambda x, y, k: k <= 2, lambda x, y, k: (x > 0) & (y > 0), lambda x, y, k: (x > 0) | (k > 0), lambda x, y, k: (x > 0) ^ (y > 0),
        lambda x, y, k: k & 3, lambda x, y, k: k | 8, lambda x, y, k: k ^ 5, lambda x, y, k: k << 2, lambda x, y, k: k >> 1,
        lambda x, y, k: torch.logical_and(x, k), lambda x, y, k: torch.where(x > 0, x, y), lambda x, y, k: torch.where(x > 0, k, 1.5),
        lambda x, y, k: x.masked_fill(k > 2, -9), lambda x, y, k: torch.lerp(x, y, 0.3), lambda x, y, k: torch.addcmul(x, y, y, value=2),
        lambda x, y, k: torch.addcdiv(x, y, x.abs() + 1), lambda x, y, k: torch.atan2(x, y), lambda x, y, k: torch.hypot(x, y),
        lambda x, y, k: torch.logaddexp(x, y), lambda x, y, k: torch.xlogy(x, y.abs()), lambda x, y, k: (x > 0) + k, lambda x, y, k: x.half() + k,
        lambda x, y, k: torch.copysign(x, y), lambda x, y, k: (x > 0) * (y > 0), lambda x, y, k: x.double() + y, lambda x, y, k: k.int() + k.to(torch.int8),
        lambda x, y, k: torch.rsub(x, y), lambda x, y, k: torch.add(k, 2), lambda x, y, k: k * 1.5, lambda x, y, k: True + k, lambda x, y, k: (x > 0) < (y > 0),
    ], (x, y, k), ({0: n}, {}, {0: n})
    yield "shape", [
        lambda x: x.view(6, 4), lambda x: x.reshape(-1), lambda x: x.flatten(1), lambda x: x.unflatten(2, (2, -1)), lambda x: x.permute(2, 0, 1),
        lambda x: x.transpose(0, -1), lambda x: x[0].t(), lambda x: x.unsqueeze(1), lambda x: x.unsqueeze(-1).squeeze(-1), lambda x: x[:1].squeeze(),
        lambda x: x[:1].expand(4, -1, -1), lambda x: x[:, 1], lambda x: x[:, -1], lambda x: x[..., 1:3], lambda x: x[:, ::2], lambda x: x[:, -2:],
        lambda x: x.narrow(2, 1, 2), lambda x: torch.cat([x, x * 2], 1), lambda x: torch.cat([x, (x * 2).long()], -1), lambda x: torch.stack([x, -x], 1),
        lambda x: x.split(2, 2)[1], lambda x: x.split([1, 2], 1)[0], lambda x: x.chunk(3, 2)[1], lambda x: x.unbind(1)[2], lambda x: x.repeat(2, 1, 1, 3),
        lambda x: x.tile(2), lambda x: x.repeat_interleave(2, 1), lambda x: x.flip(0, 2), lambda x: x.roll(1, 1), lambda x: x.roll((1, -1), (0, 2)),
        lambda x: x.roll(5), lambda x: x.movedim(0, 2), lambda x: x.swapaxes(0, 1), lambda x: x.diagonal(0, 1, 2), lambda x: x.diagonal(1, 1, 2),
        lambda x: x.unfold(2, 2, 1), lambda x: F.pixel_shuffle(x.reshape(1, 4, 2, 3), 2), lambda x: F.pixel_unshuffle(x.reshape(1, 1, 4, 6), 2),
        lambda x: F.channel_shuffle(x.reshape(1, 4, 2, 3), 2), lambda x: x.mT, lambda x: torch.hstack([x, x]), lambda x: torch.as_strided(x, (2, 2), (5, 2), 1),
        lambda x: torch.tensor_split(x, 3, 2)[0], lambda x: torch.tensor_split(x, (1, 3), 2)[1], lambda x: torch.tensor_split(x, (-1, 2, 9), 2)[2],
        lambda x: torch.tensor_split(x, (), 1)[0], lambda x: x.contiguous().view(2, 12), lambda x: x.expand_as(x), lambda x: torch.broadcast_to(x[:1], (5, 3, 4)),
        lambda x: x.view(torch.int32), lambda x: F.pad(x, (1, 2)), lambda x: F.pad(x, (1, 0, 2, 1), value=3.0), lambda x: F.pad(x, (-1, 1)),
        lambda x: F.pad(x, (1, 2), mode="reflect"), lambda x: F.pad(x, (1, 2), mode="replicate"), lambda x: F.pad(x, (1, 2), mode="circular"),
        lambda x: x.rot90(1, (1, 2)), lambda x: torch.atleast_2d(x[0, 0]), lambda x: torch.narrow(x, 0, 1, 1), lambda x: x.ravel(), lambda x: torch.diff(x, dim=1),
        lambda x: x.unflatten(1, (3, 1)).flatten(0, 1), lambda x: torch.vstack([x, x]), lambda x: torch.meshgrid(x[0, 0], x[0, :, 0], indexing="ij")[1],
        lambda x: torch.meshgrid(x[0, 0], x[0, :, 0], indexing="xy")[0],
    ], (f(2, 3, 4),), None
    yield "create", [
        lambda x: torch.arange(5) + x[0, 0, 0], lambda x: torch.arange(1, 2, 0.3) * x[0, 0, 0], lambda x: torch.arange(x.shape[0]) + x.sum(), lambda x: torch.ones(2, 3) + x[0, 0, 0],
        lambda x: torch.zeros_like(x) + 1, lambda x: torch.full((2,), 3) + x.shape[1], lambda x: torch.full_like(x, 2.5) * x, lambda x: x.new_zeros(3) + 1.0,
        lambda x: torch.linspace(0, 1, 5) * x[0, 0, 0], lambda x: torch.eye(3) + x[0, 0, 0], lambda x: x.to(torch.int64), lambda x: x.to(torch.float16), lambda x: x.double(),
        lambda x: x.bool(), lambda x: x.type_as(torch.zeros(1, dtype=torch.int32)), lambda x: torch.tensor([1.0, 2.0, 3.0, 4.0]) * x, lambda x: torch.tril(torch.ones(4, 4)) * x[:, :1],
        lambda x: torch.triu_indices(3, 4, 1) + x[0, 0, 0].long(), lambda x: x.clone().fill_(2), lambda x: x * x.shape[2], lambda x: x.size(0) * x,
    ], (f(2, 3, 4),), {0: n}
    yield "reduce", [
        lambda x: x.sum(), lambda x: x.sum(1), lambda x: x.sum((0, 2), keepdim=True), lambda x: (x * 3).int().sum(1), lambda x: x.mean(-1), lambda x: x.mean((1, 2)), lambda x: x.prod(1),
        lambda x: x.var(1), lambda x: x.std(2, unbiased=False), lambda x: torch.var_mean(x, 1)[1], lambda x: torch.std_mean(x, 2)[0], lambda x: x.amax(1), lambda x: x.amin((0, 1)), lambda x: x.max(), lambda x: x.min(1)[0],
        lambda x: x.max(1)[1], lambda x: x.argmax(2), lambda x: x.argmin(), lambda x: (x > 0).any(), lambda x: (x > -1).all(1), lambda x: x.cumsum(1), lambda x: x.cumprod(2), lambda x: (x > 0).cumsum(1),
        lambda x: x.logsumexp(1), lambda x: x.norm(), lambda x: x.norm(1, 2), lambda x: torch.linalg.vector_norm(x, 3, 1), lambda x: torch.linalg.vector_norm(x, float("inf"), 1), lambda x: x.topk(2, 2)[0], lambda x: x.topk(2, 1, largest=False)[1],
        lambda x: x.sort(1)[0], lambda x: x.sort(2, descending=True)[1], lambda x: x.argsort(0), lambda x: x.median(2)[0], lambda x: torch.count_nonzero(x > 0, 1), lambda x: x.cummax(1)[0], lambda x: x.cummin(2)[1], lambda x: torch.logcumsumexp(x, 1),
        lambda x: torch.aminmax(x, dim=1)[1], lambda x: x[0, :, :3].trace(), lambda x: x.std(), lambda x: x.var((1, 2), correction=2),
    ], (f(2, 3, 4),), {0: n}
    k = i(2, 3, high=3)
    yield "index", [
        lambda x, k: F.embedding(k, x[0]), lambda x, k: x.gather(2, k.unsqueeze(2)), lambda x, k: x[k], lambda x, k: x[0, k], lambda x, k: x[:, k], lambda x, k: x[:, :, k], lambda x, k: x[:, k, k], lambda x, k: x[k, :, k], lambda x, k: x[:, k[0]],
        lambda x, k: x.index_select(1, k[0]), lambda x, k: x.scatter(1, k.unsqueeze(2), x), lambda x, k: x.scatter(2, k.unsqueeze(1), 5.0), lambda x, k: x.scatter_add(1, k.unsqueeze(2), x), lambda x, k: x.index_put((k[0],), x[0]), lambda x, k: x.index_put((k[0], k[1]), torch.tensor(9.0)),
        lambda x, k: x.index_put((k[0],), x[:, 0:1], accumulate=True), lambda x, k: x.index_add(1, k[0], x, alpha=2), lambda x, k: x.index_fill(1, k[0], 4.0), lambda x, k: x.index_copy(1, torch.tensor([2, 0, 1]), x), lambda x, k: torch.where(x[:2] > 0, x[:2], k.unsqueeze(2)),
        lambda x, k: F.one_hot(k, 4), lambda x, k: torch.isin(k, torch.tensor([1, 2])), lambda x, k: x.masked_scatter(x > 0, x.flip(0)), lambda x, k: torch.searchsorted(torch.tensor([-1.0, 0.0, 1.0]), x), lambda x, k: torch.bucketize(x, torch.tensor([-1.0, 0.0, 1.0]), right=True),
        lambda x, k: torch.take(x, k), lambda x, k: torch.take_along_dim(x[:2], k.unsqueeze(2), 2), lambda x, k: torch.select_scatter(x, x[:, 0] * 2, 1, 1), lambda x, k: torch.slice_scatter(x, x[:, :, :2], 2, 0, 4, 2), lambda x, k: x.scatter_reduce(1, k.unsqueeze(2), x, "amax"),
        assigned_pair, lambda x, k: x[:, [0, 2]], lambda x, k: x[torch.tensor([True, False, True])], lambda x, k: x[x > 0], lambda x, k: torch.nonzero(k), lambda x, k: x.masked_select(x > 0.5),
    ], (f(3, 3, 4), k), None
    yield "linear", [
        lambda x, y: x @ y, lambda x, y: x[0] @ y[0], lambda x, y: x @ y[0], lambda x, y: x @ y[0, :, 0], lambda x, y: torch.bmm(x, y), lambda x, y: torch.addmm(x[0, :, :3], x[0], y[0, :, :3], beta=0.5, alpha=2), lambda x, y: torch.baddbmm(x[:, :, :1], x, y),
        Chain(First(), nn.Linear(4, 5)), Chain(First(), nn.Linear(4, 5, bias=False)), lambda x, y: F.bilinear(x[:, 0], x[:, 1], BILINEAR), lambda x, y: torch.einsum("bij,bjk->bik", x, y), lambda x, y: torch.einsum("bij,bjk->ki", x, y), lambda x, y: torch.einsum("bii->bi", y[:, :4, :4]), lambda x, y: torch.outer(x[0, 0], y[0, 0]), lambda x, y: torch.dot(x[0, 0], y[0, :, 0]),
        lambda x, y: torch.cdist(x, y.mT), lambda x, y: F.cosine_similarity(x, y.mT[:, :3], 2), lambda x, y: torch.mv(x[0], y[0, :, 0]), lambda x, y: torch.inner(x, x), lambda x, y: torch.tensordot(x, y, ([0, 2], [0, 1])), lambda x, y: torch.kron(x[0], y[0]), lambda x, y: torch.chain_matmul(x[0], y[0]),
    ], (f(2, 3, 4), f(2, 4, 4, seed=3)), None
    image = f(1, 4, 7, 6)
    yield "conv", [
        nn.Conv2d(4, 6, 3, padding=1), nn.Conv2d(4, 4, 3, stride=2, groups=4), nn.Conv2d(4, 6, (3, 1), padding="same", dilation=2), nn.Conv2d(4, 2, 1, bias=False), nn.ConvTranspose2d(4, 3, 3, stride=2, padding=1, output_padding=1), nn.ConvTranspose2d(4, 6, 2, stride=2, groups=2),
        nn.Conv2d(4, 2, 3, padding="valid"), nn.Sequential(Flat(), nn.Conv1d(4, 5, 3, padding=1)), nn.Sequential(Flat(), nn.ConvTranspose1d(4, 2, 4, stride=2)), nn.Sequential(Deep(), nn.Conv3d(2, 3, (2, 3, 3))), nn.Conv2d(4, 4, 3, padding=1, padding_mode="reflect"), nn.Conv2d(4, 4, 3, padding=1, padding_mode="circular"), lambda x: F.unfold(x, 3, padding=1), nn.Sequential(Deep(), nn.ConvTranspose3d(2, 2, 2)),
    ], (image,), None
    yield "pool", [
        nn.MaxPool2d(2), nn.MaxPool2d(3, 2, 1), nn.MaxPool2d(2, ceil_mode=True), nn.MaxPool2d(2, dilation=2, stride=1), nn.AvgPool2d(2), nn.AvgPool2d(3, 2, 1), nn.AvgPool2d(3, 2, 1, count_include_pad=False), nn.AvgPool2d(3, 2, 1, ceil_mode=True), nn.AvgPool2d(2, divisor_override=3), nn.AdaptiveAvgPool2d(1), nn.AdaptiveAvgPool2d((3, 2)), nn.AdaptiveMaxPool2d(2), nn.AdaptiveAvgPool2d((None, 3)),
        nn.Sequential(Flat(), nn.MaxPool1d(3)), nn.Sequential(Flat(), nn.AvgPool1d(2)), nn.Sequential(Flat(), nn.AdaptiveAvgPool1d(5)), nn.Sequential(Deep(), nn.MaxPool3d(2)), nn.Sequential(Deep(), nn.AvgPool3d(2)), nn.LPPool2d(2, 2), lambda x: F.max_pool2d(x[0], 2),
    ], (image,), None
    yield "norm", [
        nn.BatchNorm2d(4), nn.BatchNorm2d(4, affine=False), nn.BatchNorm2d(4, track_running_stats=False), nn.InstanceNorm2d(4), nn.InstanceNorm2d(4, affine=True), nn.GroupNorm(2, 4), nn.GroupNorm(1, 4), nn.LayerNorm(6), nn.LayerNorm((7, 6)), nn.LayerNorm(6, elementwise_affine=False), nn.RMSNorm(6), nn.RMSNorm((7, 6), eps=1e-3), nn.LocalResponseNorm(3), lambda x: F.normalize(x, p=1.0), nn.LayerNorm(6, bias=False),
    ], (image,), None
    q, mask = f(2, 4, 5, 8), f(2, 1, 5, 5, seed=2)
    attention = F.scaled_dot_product_attention
    yield "attention", [
        lambda q, m: attention(q, q, q), lambda q, m: attention(q, q * 0.5, q, is_causal=True), lambda q, m: attention(q, q, q, attn_mask=m), lambda q, m: attention(q, q, q, attn_mask=m > 0), lambda q, m: attention(q, q, q, attn_mask=m[0, 0] > 0, scale=0.3), lambda q, m: attention(q, q[:, :2], q[:, :2], enable_gqa=True), lambda q, m: attention(q[0], q[0], q[0]), lambda q, m: attention(q[:, :, :3], q, q), lambda q, m: attention(q[0, 0], q[0, 1], q[0, 2]), Heads(), Encoder(), lambda q, m: attention(q, q, q, attn_mask=m > 9),
    ], (q, mask), None
    yield "image", [
        lambda x: F.interpolate(x, scale_factor=2), lambda x: F.interpolate(x, size=(5, 9)), lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), lambda x: F.interpolate(x, size=(5, 9), mode="bilinear", align_corners=True), lambda x: F.interpolate(x, size=(10, 4), mode="bilinear"), lambda x: F.interpolate(x, scale_factor=2, mode="nearest-exact"), lambda x: F.interpolate(x[0], scale_factor=2, mode="linear"), lambda x: F.pad(x, (1, 1, 2, 2), mode="reflect"), lambda x: F.interpolate(x, size=(5, 9), mode="bicubic"), lambda x: F.interpolate(x, size=(14, 12), mode="bicubic", align_corners=True), lambda x: F.interpolate(x, size=(3, 2), mode="bilinear", antialias=True), lambda x: F.interpolate(x, size=(3, 2), mode="bicubic", antialias=True), lambda x: F.interpolate(x, scale_factor=1.3, mode="bilinear"), lambda x: F.interpolate(x, scale_factor=0.7),
        lambda x: F.grid_sample(x, grid(x), align_corners=False), lambda x: F.grid_sample(x, grid(x), mode="nearest", padding_mode="border", align_corners=True), lambda x: F.grid_sample(x, grid(x), padding_mode="reflection", align_corners=False), lambda x: F.grid_sample(x, grid(x), mode="bicubic", align_corners=True), lambda x: F.affine_grid(x[:, 0, :2, :3], (1, 4, 5, 6), align_corners=False), lambda x: F.fold(F.unfold(x, 3, padding=1), (7, 6), 3, padding=1), lambda x: F.interpolate(x, size=(1, 1), mode="bilinear"),
    ], (image,), None
    yield "recurrent", [
        Recurrent(nn.LSTM(4, 5)), Recurrent(nn.LSTM(4, 5, batch_first=True, bidirectional=True, num_layers=2)), Recurrent(nn.GRU(4, 5)), Recurrent(nn.GRU(4, 5, batch_first=True, bidirectional=True)), Recurrent(nn.RNN(4, 5)), Recurrent(nn.LSTM(4, 5, bias=False, proj_size=3)), Recurrent(nn.RNN(4, 5, nonlinearity="relu")), Cell(nn.LSTMCell(4, 5)), Cell(nn.GRUCell(4, 5)), Cell(nn.RNNCell(4, 5)),
    ], (f(3, 2, 4),), None
    scales, points, integers = torch.tensor([0.1, 0.05, 0.2]), torch.tensor([0, 3, -2]), torch.int8
    bytes_of = torch.ops.quantized_decomposed
    yield "quantized", [
        lambda x: bytes_of.quantize_per_tensor(x, 0.02, 3, -128, 127, integers), lambda x: bytes_of.quantize_per_tensor(x, 0.02, 130, 0, 255, torch.uint8), lambda x: bytes_of.dequantize_per_tensor(bytes_of.quantize_per_tensor(x, 0.01, 0, -127, 127, integers), 0.01, 0, -127, 127, integers),
        lambda x: bytes_of.quantize_per_channel(x, scales, points, 1, -128, 127, integers), lambda x: bytes_of.dequantize_per_channel((x * 20).to(integers), scales, points, 1, -128, 127, integers), lambda x: torch.fake_quantize_per_tensor_affine(x, 0.05, 2, -128, 127),
    ], (x,), None
    corners = f(20, 2, low=0, high=20, seed=2)
    boxes = torch.cat([corners, corners + f(20, 2, low=2, high=12, seed=3)], 1)
    yield "vision", [
        lambda x, boxes: torchvision.ops.nms(boxes, boxes[:, 2], 0.3), lambda x, boxes: torchvision.ops.roi_align(x, torch.cat([torch.zeros(20, 1), boxes / 4], 1), (2, 3), 0.5, 2), lambda x, boxes: torchvision.ops.roi_align(x, torch.cat([torch.zeros(20, 1), boxes], 1), 2, 0.25),
    ], (image, boxes), None
    yield "in_place", [assigned, lambda x, y: x.clone().add_(1).relu_().mul_(y), lambda x, y: F.relu(x.clone(), inplace=True), aliased], (f(2, 3, 4), f(2, 3, 4, seed=5)), None


def assigned_pair(x, k):
    """Writes at indices in place."""
    z = x.clone()
    z[:, k[0]] = 1.0
    z[z > 1.5] = -1.0
    z[0, 0] += 2
    return z


def grid(x):
    """Places in and around an image."""
    points = torch.linspace(-1.2, 1.2, 5)
    return torch.stack(torch.meshgrid(points, points, indexing="xy"), -1)[None] + x.mean() * 0.1


class First(nn.Module):
    """The first input."""

    def forward(self, x, *_):
        return x


class Flat(nn.Module):
    """An image as lines."""

    def forward(self, x):
        return x.flatten(2)


class Deep(nn.Module):
    """An image as a volume."""

    def forward(self, x):
        return x.unflatten(1, (2, 2))


class Heads(nn.Module):
    """Attention of several heads."""

    def __init__(self):
        super().__init__()
        self.heads = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, q, _):
        return self.heads(q[0], q[0], q[0], need_weights=False)[0]


class Encoder(nn.Module):
    """A layer of a transformer."""

    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)

    def forward(self, q, _):
        return self.layer(q[0])


class Cell(nn.Module):
    """A step of a recurrent layer."""

    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def forward(self, x):
        state = self.cell(x[0])
        return state[0] if isinstance(state, tuple) else state


class Chain(nn.Module):
    """Modules one after the other, of any number of inputs."""

    def __init__(self, first, *rest):
        super().__init__()
        self.first, self.rest = first, nn.Sequential(*rest)

    def forward(self, *inputs):
        return self.rest(self.first(*inputs))


class Weights(nn.Module):
    """Tensors that share storages, have strides, and are of several types."""

    def __init__(self):
        super().__init__()
        base = f(6, 4, seed=3)
        self.table = nn.Parameter(base)
        self.tied = nn.Linear(4, 6)
        self.tied.weight = self.table
        self.turned = nn.Parameter(f(4, 5, seed=4).t())
        self.register_buffer("part", base[2:4, 1:3])
        self.register_buffer("wide", torch.tensor([[1.0], [2.0]]).expand(2, 4))
        self.register_buffer("halves", f(4, seed=5).half())
        self.register_buffer("brain", f(4, seed=6).bfloat16())
        self.register_buffer("small", torch.arange(-2, 2, dtype=torch.int8), persistent=False)
        self.register_buffer("flags", torch.tensor([True, False, True, True]))
        self.register_buffer("empty", torch.zeros(0, 4))
        self.constant = torch.tensor([0.5, -1.0])

    def forward(self, k):
        x = F.embedding(k, self.table)
        y = self.tied(x).sum(-1, keepdim=True) + x @ self.turned.t()[:, :4]
        y = y + self.part.sum() + self.wide.sum(0) + self.halves + self.brain.float() + self.small
        return torch.where(self.flags, y, self.constant.sum()), torch.cat([self.empty, x[0]])


def older(program):
    """The bytes of a program's archive in the layout of PyTorch up to 2.7."""
    from torch._export.serde.serialize import serialize

    parts = serialize(program)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as target:
        target.writestr("version", ".".join(map(str, torch._export.serde.schema.SCHEMA_VERSION)))
        target.writestr("serialized_exported_program.json", parts.exported_program)
        target.writestr("serialized_state_dict.pt", parts.state_dict)
        target.writestr("serialized_constants.pt", parts.constants)
        target.writestr("serialized_example_inputs.pt", parts.example_inputs)
    return written.getvalue()


def packed(program):
    """The bytes of a program's archive, compressed."""
    written = io.BytesIO()
    torch.export.save(program, written)
    small = io.BytesIO()
    with zipfile.ZipFile(written) as source, zipfile.ZipFile(small, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for info in source.infolist():
            target.writestr(zipfile.ZipInfo(info.filename), source.read(info), zipfile.ZIP_DEFLATED)
    return small.getvalue()


def exported(functions, inputs, dims):
    """A program of functions."""
    group = Group(functions).eval()
    if isinstance(dims, dict):
        dims = (dims,) + ({},) * (len(inputs) - 1)
    shapes = None if dims is None else (dims,)
    return group, torch.export.export(group, inputs, dynamic_shapes=shapes)


def names(program):
    """The names of a program's results; one that is returned twice has a number behind it, and a number has its place."""
    seen, unique = {}, []
    results = [spec.arg for spec in program.graph_signature.output_specs if spec.kind == OutputKind.USER_OUTPUT]
    for place, result in enumerate(results):
        name = f"output_{place}" if isinstance(result, ConstantArgument) else result.name
        seen[name] = seen.get(name, -1) + 1
        unique.append(name if seen[name] == 0 else f"{name}.{seen[name]}")
    return unique


def save(folder, name, functions, inputs, dims):
    """Writes a program, its inputs and PyTorch's outputs."""
    torch.manual_seed(0)
    group, program = exported(functions, inputs, dims)
    save_program(folder, name, program, packed(program), (group, inputs))


def save_program(folder, name, program, archive, call):
    """Writes the bytes of a program, its inputs, and what PyTorch computes of them."""
    group, inputs = call
    (folder / f"{name}.pt2").write_bytes(archive)
    outputs = dict(zip(names(program), group(*inputs), strict=True))
    np.savez_compressed(folder / f"{name}.inputs.npz", **{n: array(v) for n, v in zip(program.graph_signature.user_inputs, inputs, strict=True)})
    np.savez_compressed(folder / f"{name}.outputs.npz", **{n: array(v) for n, v in outputs.items()})


def array(value):
    """An array; of complex numbers, one of pairs of their parts."""
    if isinstance(value, torch.Tensor) and value.is_complex():
        value = torch.view_as_real(value.resolve_conj())
    return np.asarray(value.detach() if isinstance(value, torch.Tensor) else value)


def save_stateful(folder, name, call, is_functional):
    """Writes a program that changes tensors that it holds or is given, with these as inputs and outputs."""
    module, inputs, dims = call
    torch.manual_seed(0)
    program = torch.export.export(module, tuple(value.clone() for value in inputs), dynamic_shapes=dims)
    program = program.run_decompositions() if is_functional else program
    (folder / f"{name}.pt2").write_bytes(packed(program))
    given, outputs = arrays(program, inputs, names(program))
    np.savez_compressed(folder / f"{name}.inputs.npz", **given)
    np.savez_compressed(folder / f"{name}.outputs.npz", **outputs)


class Diagonal(nn.Module):
    """Writes into a view that can only be read."""

    def forward(self, x):
        y = x.clone()
        y.diagonal().zero_()
        return y


def refused():
    """Writes programs that are refused: what they write would be lost."""
    folder = FOLDER.with_name("refused")
    folder.mkdir(exist_ok=True)
    for name, module in {"diagonal": Diagonal()}.items():
        torch.export.save(torch.export.export(module, (torch.ones(3, 3),)), folder / f"{name}.pt2")


def main():
    if len(sys.argv) < 2 or "refused" in sys.argv[1:]:
        refused()
    folder = FOLDER
    folder.mkdir(exist_ok=True)
    for name, functions, inputs, dims in [*groups(), *families(), *numbers(), *layers()]:
        if len(sys.argv) < 2 or name in sys.argv[1:]:
            save(folder, name, functions, inputs, dims)
    for name, module, inputs in quantised():
        if len(sys.argv) < 2 or name in sys.argv[1:]:
            program = torch.export.export(module, inputs)
            save_program(folder, name, program, packed(program), (lambda *inputs: (program.module()(*inputs),), inputs))
    for name, module, inputs, dims, is_functional in stateful():
        if len(sys.argv) < 2 or name in sys.argv[1:]:
            save_stateful(folder, name, (module, inputs, dims), is_functional)
    if len(sys.argv) < 2 or "decoder" in sys.argv[1:]:
        program, steps, outputs = decoder()
        folder.with_name("steps").mkdir(exist_ok=True)
        (folder.with_name("steps") / "decoder.pt2").write_bytes(packed(program))
        np.savez_compressed(folder.with_name("steps") / "decoder.inputs.npz", **steps)
        np.savez_compressed(folder.with_name("steps") / "decoder.outputs.npz", **outputs)
    if len(sys.argv) < 2 or "beside" in sys.argv[1:]:
        save_beside(folder.with_name("weights"))
    if len(sys.argv) < 2 or "weights" in sys.argv[1:]:
        weights = (Weights().eval(), (i(2, 3, high=6),))
        program = torch.export.export(*weights)
        written = io.BytesIO()
        torch.export.save(program, written)
        save_program(folder, "weights", program, written.getvalue(), weights)
        save_program(folder, "older", program, older(program), weights)


if __name__ == "__main__":
    main()
