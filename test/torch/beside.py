"""A network with weights beside it, for export.py: exported with some weights, and what it computes with others."""

import io
import json

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode


class Network(nn.Module):
    """Layers with parameters and buffers, and one weight that two layers share."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 4, 3)
        self.norm = nn.BatchNorm2d(4)
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 4, bias=False)
        self.second.weight = self.first.weight

    def forward(self, x):
        y = self.norm(self.conv(x)).relu().mean((2, 3))
        return self.second(torch.tanh(self.first(y)))


def network(seed):
    """The network with random weights."""
    torch.manual_seed(seed)
    made = Network().eval()
    made.norm.running_mean.uniform_(-1.0, 1.0)
    made.norm.running_var.uniform_(0.5, 2.0)
    return made


def bytes_of(save, *arguments):
    """What is saved."""
    written = io.BytesIO()
    save(*arguments, written)
    return written.getvalue()


def save_beside(folder):
    """Writes the network in three ways, the other weights in each format, and what PyTorch computes with them."""
    folder.mkdir(exist_ok=True)
    x = torch.linspace(-1.0, 1.0, 2 * 2 * 6 * 6).reshape(2, 2, 6, 6)
    own, other = network(0), network(1)
    # Some of the weights are bf16 in files, which PyTorch widens.
    state = {name: value.bfloat16() if name == "conv.weight" else value for name, value in other.state_dict().items()}
    other.load_state_dict(state)
    program = torch.export.export(own, (x,))
    (folder / "model.pt2").write_bytes(bytes_of(torch.export.save, program))
    (folder / "model.pt").write_bytes(bytes_of(torch.jit.save, torch.jit.script(own)))
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        shapes = torch.export.export(Network().eval(), (mode.from_tensor(x),))
    (folder / "shapes.pt2").write_bytes(bytes_of(torch.export.save, shapes))
    (folder / "state.pth").write_bytes(bytes_of(torch.save, state))
    (folder / "checkpoint.pth").write_bytes(bytes_of(torch.save, {"epoch": 3, "state_dict": state}))
    # As model hubs do, without the second name of a weight.
    once = {name: value for name, value in state.items() if name != "second.weight"}
    save_file(once, folder / "model.safetensors")
    files = {name: f"part-{1 + place % 2}.safetensors" for place, name in enumerate(once)}
    for file in sorted(set(files.values())):
        save_file({name: once[name] for name in once if files[name] == file}, folder / file)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": files}, indent=1))
    np.savez_compressed(folder / "inputs.npz", x=x.numpy())
    np.savez_compressed(folder / "outputs.npz", output=other(x).detach().numpy())
