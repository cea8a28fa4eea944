"""Places of greatest elements, bags of rows, derivatives of layers and results that are numbers, for export.py: as families.py."""

import torch
import torchvision
from families import spread
from torch.nn import functional as F

aten = torch.ops.aten


def placed(pool, *arguments, **options):
    """What a pool returns: the greatest elements, and their places."""
    return lambda x: torch.cat(
        [part.double().reshape(-1) for part in pool(x, *arguments, return_indices=True, **options)]
    )


def unpooled(x):
    """An image from its greatest elements."""
    greatest, places = F.max_pool2d(x, 2, return_indices=True)
    return F.max_unpool2d(greatest, places, 2, output_size=x.shape[2:])


def unpooled_volume(x):
    """A volume from its greatest elements."""
    greatest, places = F.max_pool3d(x, 2, return_indices=True)
    return F.max_unpool3d(greatest, places, 2, output_size=x.shape[1:])


def backward_of_pool(x):
    """The gradient of a pool."""
    greatest, places = F.max_pool2d(x, 3, 2, 1, return_indices=True)
    return aten.max_pool2d_with_indices_backward(greatest * 2, x, [3, 3], [2, 2], [1, 1], [1, 1], False, places)


PLACES = [
    placed(F.max_pool2d, 2),
    placed(F.max_pool2d, 3, 2, 1),
    placed(F.max_pool2d, 3, 2, ceil_mode=True),
    placed(F.max_pool2d, 2, 1, dilation=2),
    placed(F.max_pool3d, 2),
    placed(F.adaptive_max_pool2d, (2, 3)),
    placed(F.adaptive_max_pool2d, 1),
    placed(F.adaptive_max_pool3d, (1, 3, 4)),
    lambda x: placed(F.max_pool1d, 2)(x[0]),
    lambda x: placed(F.adaptive_max_pool1d, 4)(x[0]),
    lambda x: placed(F.max_pool2d, 2)(-x.abs()),
    unpooled,
    unpooled_volume,
    backward_of_pool,
]

INDICES, OFFSETS = torch.tensor([0, 3, 5, 4, 1, 2, 2]), torch.tensor([0, 3, 3])
COUNTS = torch.tensor([2, 0, 1, 3, 1, 0])


def bag(x, **options):
    """Rows that are put together in bags."""
    return F.embedding_bag(INDICES, x, OFFSETS, **options)


BAGS = [
    lambda x, k: bag(x, mode="sum"),
    lambda x, k: bag(x, mode="mean"),
    lambda x, k: bag(x, mode="max"),
    lambda x, k: bag(x, mode="mean", padding_idx=5),
    lambda x, k: bag(x, mode="sum", padding_idx=-1),
    lambda x, k: bag(x, mode="max", padding_idx=4),
    lambda x, k: bag(x, mode="sum", include_last_offset=True),
    lambda x, k: bag(x, mode="sum", per_sample_weights=x[0, 0] * torch.arange(7.0)),
    lambda x, k: F.embedding_bag(k, x, mode="mean"),
    lambda x, k: aten._embedding_bag(x, INDICES, OFFSETS, False, 1, False, None, False, 3)[2],
    lambda x, k: torch.bincount(k[0]),
    lambda x, k: torch.bincount(k[0], minlength=9),
    lambda x, k: torch.bincount(k[0], x[:4, 0]),
    lambda x, k: torch.repeat_interleave(x, COUNTS, 0),
    lambda x, k: torch.repeat_interleave(COUNTS),
    lambda x, k: torch.repeat_interleave(COUNTS.int()),
    lambda x, k: torch.repeat_interleave(x, torch.tensor(2), 1, output_size=8),
    *(
        lambda x, k, mode=mode, own=own: x.scatter_reduce(0, k, x[:4] + 0.5, mode, include_self=own)
        for mode in ("sum", "prod", "mean", "amax", "amin")
        for own in (True, False)
    ),
    lambda x, k: k.scatter_reduce(1, k % 4, k * 3, "mean", include_self=False),
]


def of_convolution(
    kernel, shape, strides, padding, dilation, transposed=False, extra=0, groups=1, masks=(True, True, True)
):
    """The gradients of a convolution."""

    def gradients(x):
        x = x.reshape(shape)
        axes = len(shape) - 2
        weight = spread(*kernel)
        settings = ([strides] * axes, [padding] * axes, [dilation] * axes, transposed, [extra] * axes, groups)
        gradient = aten.convolution(x, weight, None, *settings).sin()
        parts = aten.convolution_backward(gradient, x, weight, [gradient.shape[1]], *settings, list(masks))
        return torch.cat([part.reshape(-1) for part in parts if part is not None])

    return gradients


def normalised(norm):
    """The results of a norm, and the gradients of its operands."""

    def gradients(x):
        return torch.cat([part.reshape(-1) for part in norm(x.reshape(2, 6, 4, 5))])

    return gradients


GAIN, SHIFT = spread(6, low=0.5, high=1.5), spread(6)
OF_LAYER = spread(4, 5, low=0.5, high=1.5)
TURNED = 3 * torch.eye(4).roll(1, 0)
EVERYTHING = [True, True, True]


def of_group_norm(x):
    y, mean, inverse = aten.native_group_norm(x, GAIN, SHIFT, 2, 6, 20, 3, 1e-5)
    return y, mean, inverse, *aten.native_group_norm_backward(y.sin(), x, mean, inverse, GAIN, 2, 6, 20, 3, EVERYTHING)


def of_layer_norm(x):
    y, mean, inverse = aten.native_layer_norm(x, [4, 5], OF_LAYER, None, 1e-5)
    return y, *aten.native_layer_norm_backward(y.sin(), x, [4, 5], mean, inverse, OF_LAYER, OF_LAYER, EVERYTHING)


def of_batch_norm(x):
    y, mean, inverse = aten.native_batch_norm(x, GAIN, SHIFT, None, None, True, 0.1, 1e-5)
    return y, *aten.native_batch_norm_backward(y.sin(), x, GAIN, None, None, mean, inverse, True, 1e-5, EVERYTHING)


def of_fixed_batch_norm(x):
    return aten.native_batch_norm_backward(x, x, GAIN, SHIFT, GAIN, None, None, False, 1e-5, [True, True, False])[:2]


LAYERS = [
    of_convolution((4, 3, 3, 3), (2, 3, 5, 8), 1, 0, 1),
    of_convolution((4, 3, 3, 2), (2, 3, 8, 5), 2, 1, 1),
    of_convolution((4, 3, 2, 2), (2, 3, 5, 8), 2, 1, 2),
    of_convolution((6, 2, 3, 3), (2, 6, 4, 5), 1, 1, 1, groups=3),
    of_convolution((3, 4, 3, 3), (2, 3, 5, 8), 2, 1, 1, transposed=True, extra=1),
    of_convolution((4, 6, 3), (2, 6, 20), 2, 1, 1),
    of_convolution((4, 2, 2, 3, 2), (2, 4, 3, 5, 2), 2, 1, 1, groups=2),
    of_convolution((4, 3, 3, 3), (2, 3, 5, 8), 1, 0, 1, masks=(False, True, False)),
    normalised(of_group_norm),
    normalised(of_layer_norm),
    normalised(of_batch_norm),
    normalised(of_fixed_batch_norm),
    lambda x: aten.upsample_nearest2d_backward(x.reshape(2, 6, 4, 5), [4, 5], [2, 6, 2, 3]),
    lambda x: aten.threshold_backward(x.long(), x, 1),
    lambda x: aten.rrelu_with_noise_backward(x, x, x + 1, 0.1, 0.5, True, False),
    lambda x: torch.linalg.det(x.reshape(-1, 4, 4)[:5] + TURNED),
    lambda x: torch.cat(torch.linalg.slogdet(x.reshape(-1, 4, 4)[:5] + TURNED)),
    lambda x: aten.conv_tbc(x.reshape(10, 4, 6), spread(3, 6, 5), spread(5), 1),
    lambda x: deformed(x.reshape(1, 4, 6, 10)),
    lambda x: torch.fake_quantize_per_tensor_affine(x, 0.05, 30000, 0, 65535),
    lambda x: torch.fake_quantize_per_channel_affine(x.reshape(6, 40), GAIN / 20, torch.arange(6.0).int(), 0, 0, 31),
    lambda x: aten.fake_quantize_per_tensor_affine_cachemask(x, 0.1, 2, -10, 12)[1],
    lambda x: aten._scaled_mm(narrow(x), narrow(x).T, torch.tensor(0.5), torch.tensor(2.0), out_dtype=torch.float32),
]


def narrow(x):
    """Rows of floats of 8 bits."""
    return x.reshape(-1, 16).to(torch.float8_e4m3fn)


def deformed(x):
    """A convolution whose elements lie where offsets say."""
    offsets = spread(1, 36, 4, 8, low=-1.0, high=1.0)
    return torchvision.ops.deform_conv2d(
        x, offsets, spread(6, 2, 3, 3), spread(6), mask=spread(1, 18, 4, 8, low=0.0, high=1.0)
    )


def out_of_order(x):
    """What is written where an argument says."""
    z = torch.zeros(4)
    torch.arange(1.0, 5.0, out=z)
    y = torch.empty(3)
    torch.add(x, 1.0, out=y)
    return torch.cat([z, y])


def put(x):
    """Elements of a mask, of which there are as many as values."""
    z = x.clone()
    z[torch.tensor([True, False, True])] = torch.tensor([5.0, 6.0])
    return z.index_put((x > 0,), torch.tensor([7.0, 8.0]))


def combined(x):
    """Bits that are changed in place."""
    z = (x * 4).int()
    y = z.view(-1)
    z &= 6
    z |= 1
    z ^= 4
    z <<= 2
    return y


SMALL = [
    lambda x: x.shape[0],
    lambda x: 2.5,
    lambda x: True,
    lambda x: x + 1,
    lambda x: torch.index_select(x, 0, torch.tensor(1)),
    lambda x: torch.narrow(x, 0, torch.tensor(1), 2),
    lambda x: torch.native_dropout(x, 0.5, False)[1],
    lambda x: x[0].unfold(0, 1, 1),
    lambda x: torch.fmax(x, torch.log(x)),
    lambda x: torch.fmin(torch.log(x), x),
    lambda x: torch.tensor([3, -2, 1, -1, 7]) ** torch.tensor([41, 63, -3, -3, -1]),
    lambda x: torch.tensor([3, -2, 10], dtype=torch.int32) ** torch.tensor([20, 31, 12], dtype=torch.int32),
    lambda x: (x.int() * 3) ** 25,
    lambda x: aten.nll_loss_forward(x, torch.tensor(1), None, 0, -100)[1],
    lambda x: aten.nll_loss_backward(x[:1], x, torch.tensor([2, 5, 0]), None, 0, 10, torch.tensor(3.0)),
    out_of_order,
    put,
    combined,
    lambda x: torch.unsafe_chunk(x, 2)[1],
    lambda x: torch.unsafe_split(x, 2)[0],
    lambda x: torch.unsafe_split_with_sizes(x, [1, 2])[1],
    lambda x: aten.log_sigmoid_forward(x)[0],
    lambda x: aten.nll_loss2d(x.reshape(1, 3, 1, 1), torch.ones(1, 1, 1, dtype=torch.int64)),
]


# Other names of operators, and derivatives that are short.
NAMES = [
    *(
        lambda x, y, name=name: getattr(torch, name)(x)
        for name in ("arcsin", "arccos", "arctan", "arcsinh", "arctanh", "negative")
    ),
    lambda x, y: torch.arccosh(x + 2),
    lambda x, y: torch.arctan2(x, y),
    lambda x, y: torch.special.erfc(x),
    lambda x, y: torch.special.exp2(x),
    lambda x, y: torch.special.logit(x, 0.1),
    lambda x, y: torch.special.round(x, decimals=1),
    lambda x, y: torch.special.sinc(x),
    lambda x, y: torch.special.xlogy(x, y.abs()),
    lambda x, y: torch.special.log_softmax(x, 1),
    lambda x, y: torch.swapdims(x, 0, 1),
    lambda x, y: torch.hsplit(x, 2)[1],
    lambda x, y: torch.vsplit(x, 3)[1],
    lambda x, y: torch.row_stack([x, y]),
    lambda x, y: torch.argwhere(x > 0),
    lambda x, y: torch.nansum(torch.log(x), 1),
    lambda x, y: torch.nanmean(torch.log(x), 1, True),
    lambda x, y: torch.cat(
        [part.reshape(-1) for part in torch.unique((x * 3).round(), return_inverse=True, return_counts=True)]
    ),
    lambda x, y: torch.unique((x * 3).int()),
    lambda x, y: aten.hardsigmoid_backward(y, x * 6),
    lambda x, y: aten.hardswish_backward(y, x * 6),
    lambda x, y: aten.silu_backward(y, x),
    lambda x, y: aten.log_sigmoid_backward(y, x, torch.exp(-x.abs())),
    lambda x, y: aten.mse_loss_backward(x[0, 0], x, y, 1),
    lambda x, y: aten.mse_loss_backward(x, x, y, 0),
    lambda x, y: aten.native_dropout_backward(y, x > 0, 2.0),
    lambda x, y: aten.embedding_dense_backward(y, torch.tensor([4, 1, 4]), 6, -1, False),
    lambda x, y: aten.embedding_dense_backward(y, torch.tensor([4, 1, 4]), 6, 1, False),
    lambda x, y: aten.avg_pool2d_backward(
        y[None, None, :2, :3], x[None, None, :, :4], [2, 2], [1, 1], [0, 0], False, True, None
    ),
]

MATRICES = spread(4, 8, 16)


def experts(x, k):
    """Rows that are sorted by their expert, times the expert's matrix, as transformers has it."""
    order = torch.argsort(k, stable=True)
    rows = x[order]
    ends = torch.cumsum(torch.histc(k.float(), bins=4, min=0, max=3), 0).to(torch.int32)
    return aten._grouped_mm(rows, MATRICES, ends)[torch.argsort(order)]


EXPERTS = [
    experts,
    lambda x, k: aten._grouped_mm(x, MATRICES, torch.tensor([0, 2, 2, 5], dtype=torch.int32))[:5],
    lambda x, k: aten._grouped_mm(x.expand(4, 7, 8), MATRICES),
    lambda x, k: torch.histc(x, 10, -1, 1),
    lambda x, k: torch.histc(x),
    lambda x, k: torch.histc(torch.full((3,), 2.0), 4),
    lambda x, k: torch.histc(x.double(), 3, -2, 0.5),
    lambda x, k: torch.diff(x, dim=0, prepend=x[:1] * 2),
    lambda x, k: torch.diff(x, 2, append=x[:, :3]),
]


def layers():
    """The programs."""
    yield "experts", EXPERTS, (spread(7, 8), torch.tensor([2, 0, 3, 0, 2, 2, 0])), None
    yield "names", NAMES, (spread(3, 4, low=-0.9, high=0.9), spread(3, 4, low=1.0, high=-1.5)), None
    yield "place", PLACES, (spread(2, 2, 6, 7),), None
    yield "bag", BAGS, (spread(6, 4), torch.tensor([[1, 0, 2, 3], [1, 5, 1, 0], [2, 2, 2, 1], [4, 1, 1, 1]])), None
    yield "layer", LAYERS, (spread(240),), None
    yield "small", SMALL, (torch.tensor([1.5, -0.5, 2.5]),), None
