"""Modules compiled from Python, and the backend of torch.compile: what they compute is what PyTorch computes."""

import warnings

import pytest
import torch
from torch import nn

import relay_mlir
from relay_mlir import dynamo


class Net(nn.Module):
    """A small network."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.head = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.Linear(8, 5)

    def forward(self, x):
        return self.head(torch.relu(self.norm(self.conv(x))).mean((2, 3)))


class Attention(nn.Module):
    """Attention of heads."""

    def __init__(self):
        super().__init__()
        self.parts, self.out = nn.Linear(16, 48), nn.Linear(16, 16)

    def forward(self, x):
        parts = self.parts(x).unflatten(-1, (3, 4, 4)).permute(2, 0, 3, 1, 4)
        y = nn.functional.scaled_dot_product_attention(*parts, is_causal=True)
        return self.out(y.transpose(1, 2).flatten(2))


class Branch(Net):
    """One whose graph breaks where a number decides."""

    def forward(self, x):
        y = super().forward(x)
        return y * 2 if y.sum() > 0 else y - 1


MODULES = {
    "convolution": (Net, (2, 3, 8, 8)),
    "branch": (Branch, (2, 3, 8, 8)),
    "mlp": (lambda: nn.Sequential(nn.Linear(6, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 3), nn.Softmax(-1)), (4, 6)),
    "attention": (Attention, (2, 5, 16)),
    "lstm": (lambda: nn.LSTM(6, 8, 2, batch_first=True, bidirectional=True), (2, 5, 6)),
    "gru": (lambda: nn.GRU(6, 8), (5, 2, 6)),
    "pools": (lambda: nn.Sequential(nn.MaxPool2d(2), nn.AvgPool2d(3, 1, 1), nn.AdaptiveAvgPool2d(2), nn.Flatten()), (1, 4, 9, 9)),
    "transposed": (lambda: nn.Sequential(nn.ConvTranspose2d(4, 6, 3, 2), nn.SiLU(), nn.GroupNorm(2, 6)), (1, 4, 5, 5)),
    "depthwise": (lambda: nn.Sequential(nn.Conv2d(8, 8, 3, groups=8), nn.Hardswish(), nn.Conv2d(8, 4, 1)), (1, 8, 7, 7)),
    "text": (lambda: nn.Sequential(nn.Conv1d(4, 8, 3), nn.ELU(), nn.Upsample(scale_factor=2), nn.PReLU()), (2, 4, 9)),
}  # fmt: skip


def made(name):
    torch.manual_seed(3)
    make, shape = MODULES[name]
    module = make().eval()
    return module, torch.randn(shape)


def close(found, expected):
    found = found if isinstance(found, (tuple, list)) else [found]
    expected = expected if isinstance(expected, (tuple, list)) else [expected]
    for one, other in zip(_flat(found), _flat(expected)):
        torch.testing.assert_close(torch.as_tensor(one), other, rtol=1e-4, atol=1e-5)


def _flat(values):
    return [part for value in values for part in (_flat(value) if isinstance(value, (tuple, list)) else [value])]


@pytest.mark.parametrize("name", MODULES)
@torch.no_grad()
def test_a_module_by_torch_compile(name):
    torch._dynamo.reset()
    module, x = made(name)
    fast = torch.compile(
        module, backend=dynamo.backend, dynamic=False, options={"strict": True, "opt_level": 1, "threads": 1}
    )
    close(fast(x), module(x))
    close(fast(-x), module(-x))


def test_a_module_and_a_program():
    module, x = made("convolution")
    model = relay_mlir.compile(module.train(), example_inputs=(x,), opt_level=1)
    assert module.training
    module.eval()
    with torch.no_grad():
        close(model(x), module(x))
    batch = torch.export.Dim("batch", min=1, max=16)
    program = torch.export.export(module, (x,), dynamic_shapes=({0: batch},))
    close(relay_mlir.compile(program, opt_level=1)(x[:1].repeat(3, 1, 1, 1)), module(x[:1].repeat(3, 1, 1, 1)).detach())
    layer, x = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True).eval(), torch.randn(2, 5, 16)
    close(relay_mlir.compile(layer, example_inputs=(x,), opt_level=1)(x), layer(x).detach())
    with pytest.raises(TypeError, match="example_inputs"):
        relay_mlir.compile(module)


def test_weights_that_change_and_gradients():
    torch._dynamo.reset()
    module, x = made("mlp")
    fast = torch.compile(module, backend=dynamo.backend, dynamic=False, options={"strict": True})
    with torch.no_grad():
        close(fast(x), module(x))
        module[0].weight.mul_(2.0)
        close(fast(x), module(x))
    fast(x).sum().backward()
    assert module[0].weight.grad is not None


def test_what_is_not_compiled_runs_in_pytorch():
    torch._dynamo.reset()
    fast = torch.compile(lambda x: torch.fft.fft(x).abs(), backend=dynamo.backend, dynamic=False)
    x = torch.randn(8)
    with warnings.catch_warnings(record=True) as caught, torch.no_grad():
        warnings.simplefilter("always")
        close(fast(x), torch.fft.fft(x).abs())
    assert any(isinstance(one.message, relay_mlir.CompileWarning) for one in caught)


def test_script_modules():
    class Words(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(7, 4)

        def forward(self, ids, scale: float = 2.0):
            x = self.embedding(ids)
            if bool(x.sum() > 0):
                x = x * scale
            return x

    module, ids = torch.jit.script(Words().eval()), torch.tensor([[1, 2, 6]])
    for model in (
        relay_mlir.compile(module, example_inputs=(ids,)),
        relay_mlir.compile(module, shapes={"ids": [1, 3]}, types={"ids": torch.int64}),
    ):
        torch.testing.assert_close(torch.from_numpy(model(ids)), module(ids).detach())
    with pytest.raises(relay_mlir.CompileError, match="types"):
        relay_mlir.compile(module)
