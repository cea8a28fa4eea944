"""An operator of a PyTorch library becomes one that `relay_mlir.register_op` declares."""

import pytest
import torch

import relay_mlir
from relay_mlir import te
from relay_mlir._compiler import count_results


@torch.library.custom_op("mylib::swish_gate", mutates_args=())
def swish_gate(x: torch.Tensor, gate: torch.Tensor, alpha: float = 1.0) -> torch.Tensor:
    return x * torch.sigmoid(alpha * x) * gate


@swish_gate.register_fake
def _(x, gate, alpha=1.0):
    return torch.empty_like(x)


def same(x, gate, *, alpha):
    if x != gate:
        raise relay_mlir.OpError(f"x is {x}, and the gate is {gate}")
    return x


def computed(x, gate, *, alpha=1.0):
    return te.compute(x.shape, lambda *i: x[i] * te.sigmoid(alpha * x[i]) * gate[i], name="swish")


class Gated(torch.nn.Module):
    def __init__(self, **attributes):
        super().__init__()
        self.attributes = attributes
        self.linear = torch.nn.Linear(6, 8)

    def forward(self, x):
        x = self.linear(x)
        return torch.relu(torch.ops.mylib.swish_gate(x, torch.exp(x), **self.attributes)) + 1


def exported(module, path, shape):
    x = torch.randn(3, 6)
    dims = {0: torch.export.Dim("n", min=2, max=64)} if shape is None else None
    torch.export.save(torch.export.export(module.eval(), (x,), dynamic_shapes=(dims,)), path)
    return path


def test_it_is_refused_where_nobody_declares_it(tmp_path):
    with pytest.raises(relay_mlir.CompileError, match="mylib.swish_gate"):
        relay_mlir.compile(exported(Gated(), tmp_path / "gated.pt2", (3, 6)))


@pytest.mark.parametrize("attributes", [{}, {"alpha": 0.3}])
@pytest.mark.parametrize("shape", [None, (3, 6)])
def test_it_computes_what_pytorch_computes(tmp_path, attributes, shape):
    if count_results("mylib.swish_gate") is None:
        relay_mlir.register_op("mylib.swish_gate", same, computed, fusion="elementwise", torch="mylib::swish_gate")
    module = Gated(**attributes)
    model = relay_mlir.compile(exported(module, tmp_path / "gated.pt2", shape))
    for rows in (3,) if shape else (2, 5):
        x = torch.randn(rows, 6)
        torch.testing.assert_close(torch.from_numpy(model(x.numpy())), module(x), rtol=1e-5, atol=1e-5)
