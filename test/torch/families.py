"""Losses, derivatives, matrices and views of memory, for export.py: a program's name, functions, inputs, and dimensions that are open."""

import torch
from torch.nn import functional as F

aten, prims = torch.ops.aten, torch.ops.prims


WEIGHTS, CLASSES, TOTAL = torch.tensor([0.5, 1.0, 2.0, 1.5]), torch.tensor([1, 0, 3]), torch.tensor(2.0)


def spread(*shape, low=-2.0, high=2.0):
    """Floats that are spread between bounds, in no order."""
    count = torch.Size(shape).numel()
    return (torch.arange(count) * 7 % count / max(count - 1, 1) * (high - low) + low).reshape(shape)


def losses():
    """Functions of results, what they should be, and classes."""
    for reduction in ("mean", "sum", "none"):
        for loss in (F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.huber_loss, F.soft_margin_loss):
            yield lambda x, y, k, loss=loss, reduction=reduction: loss(x, y, reduction=reduction)
        yield lambda x, y, k, reduction=reduction: F.nll_loss(x.log_softmax(1), k, reduction=reduction, ignore_index=2)
        yield lambda x, y, k, reduction=reduction: F.cross_entropy(x, k, reduction=reduction)
    yield from [
        lambda x, y, k: F.smooth_l1_loss(x, y, beta=0.5),
        lambda x, y, k: F.huber_loss(x, y, delta=0.5),
        lambda x, y, k: F.cross_entropy(x, y.softmax(1)),
        lambda x, y, k: F.cross_entropy(x, k, label_smoothing=0.1),
        lambda x, y, k: F.nll_loss(x.log_softmax(1), k, weight=WEIGHTS),
        lambda x, y, k: F.nll_loss(x[0].log_softmax(0), k[0]),
        lambda x, y, k: F.binary_cross_entropy(x.sigmoid(), y.sigmoid()),
        lambda x, y, k: F.binary_cross_entropy_with_logits(x, y.sigmoid(), pos_weight=WEIGHTS),
        lambda x, y, k: F.kl_div(x.log_softmax(1), y.relu()),
        lambda x, y, k: F.kl_div(x, y, log_target=True),
        lambda x, y, k: F.poisson_nll_loss(x, y.abs() * 3, full=True),
        lambda x, y, k: F.poisson_nll_loss(x.abs(), y, log_input=False),
        lambda x, y, k: torch.cat([part.reshape(-1) for part in aten.nll_loss_forward(x, k, None, 1, 0)]),
    ]


GRADIENTS = [
    lambda x, g: aten.threshold_backward(g, x, 0.5),
    lambda x, g: aten.leaky_relu_backward(g, x, 0.1, False),
    lambda x, g: aten.elu_backward(g, 1.5, 1.1, 0.7, False, x),
    lambda x, g: aten.elu_backward(g, 1.5, 1.1, 0.7, True, x),
    lambda x, g: aten.gelu_backward(g, x),
    lambda x, g: aten.gelu_backward(g, x, approximate="tanh"),
    lambda x, g: aten.hardtanh_backward(g, x, -0.5, 1.0),
    lambda x, g: aten.softplus_backward(g, x, 2.0, 3.0),
    lambda x, g: aten.sigmoid_backward(g, x),
    lambda x, g: aten.tanh_backward(g, x),
    lambda x, g: aten._log_softmax_backward_data(g, x.log_softmax(1), 1, torch.float32),
    lambda x, g: aten._softmax_backward_data(g, x.softmax(1), 1, torch.float32),
    lambda x, g: aten.rrelu_with_noise_backward(g, x, x, 0.1, 0.5, False, False),
    lambda x, g: aten.nll_loss_backward(g.sum(), x, CLASSES, None, 1, 0, TOTAL),
    lambda x, g: aten.nll_loss_backward(g[:, 0], x, CLASSES, WEIGHTS, 0, -100, TOTAL),
]

MATRICES = [
    lambda x, v: torch.diag(v),
    lambda x, v: torch.diag(v, -1),
    lambda x, v: torch.diag(x[0], 1),
    lambda x, v: torch.diag_embed(x),
    lambda x, v: torch.diag_embed(x, offset=-1, dim1=0, dim2=2),
    lambda x, v: torch.linalg.cross(x, x.flip(0)),
    lambda x, v: torch.cross(x, x * x - 1, dim=-1),
    lambda x, v: torch.column_stack([v, x[0]]),
    lambda x, v: torch.linalg.norm(x),
    lambda x, v: torch.linalg.norm(x, ord=3, dim=2),
    lambda x, v: torch.linalg.matrix_norm(x, ord=1),
    lambda x, v: torch.linalg.matrix_norm(x, ord=float("-inf"), keepdim=True),
    lambda x, v: torch.linalg.matrix_norm(x),
    lambda x, v: torch.linalg.vecdot(x, v),
    lambda x, v: torch.renorm(x, 2, 1, 1.5),
    lambda x, v: torch.addr(x[0], v, v, beta=0.5, alpha=2),
    lambda x, v: torch.outer(v, v.double()),
    lambda x, v: F.linear(x, v),
    lambda x, v: aten._trilinear(x, x * 2, v, [1], [0], [0, 1, 2], [3]),
    lambda x, v: torch.kthvalue(x, 2)[0],
    lambda x, v: torch.kthvalue(x, 3, 1, True)[1],
    lambda x, v: torch.fliplr(x),
    lambda x, v: torch.flipud(x),
    lambda x, v: torch.broadcast_tensors(x, v)[1] + 0,
    lambda x, v: torch.heaviside(x.round(), v),
    lambda x, v: torch.isclose(x, x + 1e-7),
    lambda x, v: torch.isclose(x, x / (x > 0), equal_nan=True),
    lambda x, v: torch.isposinf(x / 0),
    lambda x, v: torch.isneginf(x / 0),
    lambda x, v: torch.float_power(x.abs(), v),
    lambda x, v: torch.logaddexp2(x, v),
    lambda x, v: torch.ldexp(x, (v * 2).int()),
    lambda x, v: torch.absolute(x),
    lambda x, v: torch.copysign(v, -torch.zeros(3)),
    lambda x, v: torch.signbit(x.trunc()),
    lambda x, v: torch.xlogy((x > 5).float(), torch.log(-v)),
    lambda x, v: torch.hann_window(7),
    lambda x, v: torch.hann_window(6, periodic=False) + v[0],
    lambda x, v: prims.collapse(x, 0, 1),
    lambda x, v: prims.split_dim(x, 2, 3),
    lambda x, v: prims.sum(x, [0, 2]),
    lambda x, v: prims.broadcast_in_dim(v, [2, 3, 4], [1]),
    lambda x, v: prims.iota(4, start=2, step=3, dtype=torch.int64, device="cpu", requires_grad=False),
    lambda x, v: prims.convert_element_type(x, torch.float64),
    lambda x, v: aten._int_mm((x[0] * 20).to(torch.int8), (x[1] * 20).to(torch.int8).T),
]

# What as_strided reads depends on where elements lie in memory: behind other views, and in tensors of other orders of axes.
MEMORY = [
    lambda x, y: torch.as_strided(x.transpose(0, 1), (2, 3), (1, 2)),
    lambda x, y: torch.as_strided(x[1:, :, 1:], (2, 2), (4, 1)),
    lambda x, y: torch.as_strided(y, (3, 5), (5, 1)),
    lambda x, y: torch.as_strided(x.permute(2, 0, 1)[1], (3,), (4,)),
    lambda x, y: torch.as_strided(x.diagonal(0, 0, 1), (3,), (5,)),
    lambda x, y: torch.as_strided(x[1], (2, 2), (2, 1), 3),
    lambda x, y: written_in_order(x),
    lambda x, y: written_out_of_order(x),
    lambda x, y: channels_last(x),
    lambda x, y: contiguous_written(x),
]


def written_in_order(x):
    """What is written into a reshape of a tensor in order is written into the tensor."""
    z = x.clone()
    z.reshape(-1)[2:5] = 9.0
    return z


def written_out_of_order(x):
    """A reshape of a tensor out of order is a copy."""
    z = x.clone()
    z.transpose(0, 1).reshape(-1)[2:5] = 9.0
    z.transpose(0, 2).contiguous().add_(1.0)
    return z


def channels_last(x):
    """A copy whose elements lie in another order of axes."""
    z = x[None].contiguous(memory_format=torch.channels_last)
    return torch.as_strided(z, (4, 3), (3, 1))


def contiguous_written(x):
    """A tensor in order is itself what `contiguous` returns."""
    z = x.clone()
    z.contiguous().add_(1.0)
    return z


def families():
    """The programs."""
    x, y = spread(5, 4), spread(5, 4, low=1.5, high=-1.0)
    yield "loss", list(losses()), (x, y, torch.tensor([3, 1, 0, 2, 1])), None
    yield "gradient", GRADIENTS, (spread(3, 4), spread(3, 4, low=-1.0, high=0.5)), None
    yield "matrix", MATRICES, (spread(2, 3, 3), spread(3, low=0.5, high=1.5)), None
    yield "memory", MEMORY, (spread(3, 3, 4), spread(3, 5).T.contiguous().T), None


class Layers(torch.nn.Module):
    """A convolution and two dense layers."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(2, 4, 3)
        self.first, self.second = torch.nn.Linear(16, 32), torch.nn.Linear(32, 4)

    def forward(self, x):
        return self.second(self.first(self.conv(x).relu().flatten(1)[:, :16]).relu())


def quantised():
    """Modules that torchao has quantised: by its flow for exported programs, and by weights of 8 bits and of 4 bits in groups."""
    from torchao import quantization
    from torchao.quantization.pt2e import quantize_pt2e
    from torchao.quantization.pt2e.quantizer import x86_inductor_quantizer as x86
    from torchao.utils import unwrap_tensor_subclass

    inputs = (spread(2, 2, 5, 5),)
    torch.manual_seed(0)
    quantizer = x86.X86InductorQuantizer()
    quantizer.set_global(x86.get_default_x86_inductor_quantization_config())
    prepared = quantize_pt2e.prepare_pt2e(torch.export.export(Layers().eval(), inputs).module(), quantizer)
    prepared(*inputs)
    yield "quantised_pt2e", quantize_pt2e.convert_pt2e(prepared), inputs
    groups = quantization.PerGroup(16)
    for name, config in (
        ("quantised_weights", quantization.Int8WeightOnlyConfig()),
        ("quantised_groups", quantization.IntxWeightOnlyConfig(weight_dtype=torch.int4, granularity=groups)),
        (
            "quantised_inputs",
            quantization.Int8DynamicActivationIntxWeightConfig(weight_dtype=torch.int4, weight_granularity=groups),
        ),
    ):
        torch.manual_seed(0)
        module = Layers().eval()
        quantization.quantize_(module, config)
        yield name, unwrap_tensor_subclass(module) or module, inputs
