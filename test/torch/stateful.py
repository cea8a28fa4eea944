"""Programs that keep tensors from run to run, and programs with branches and loops, for export.py."""

import numpy as np
import torch
from torch import nn
from torch._higher_order_ops.map import map as over_rows
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop
from torch.export import Dim

# The words of a decoder's prompt, and those that it appends.
PROMPT, WORDS = [5, 6, 7], 20


class Counter(nn.Module):
    """Changes buffers, views of them, and an input, also in a region that is a graph of its own."""

    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(1, 2, 8, 4))
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))
        self.register_buffer("scales", torch.arange(3.0))

    def forward(self, x, place, y):
        self.cache.index_copy_(2, place, x)
        self.count.add_(1)
        self.scales.mul_(2.0)
        y.add_(self.count)
        with torch.no_grad():
            self.cache[:, :, 0] = 1.0
        return self.cache.sum(-1), self.scales + self.count


class Statistics(nn.Module):
    """Normalises as in training: the running statistics change."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm2d(3)

    def forward(self, x):
        return self.norm(x)


class Region(nn.Module):
    """Changes a tensor in a region that is a graph of its own, and reads it behind that."""

    def forward(self, x):
        y = x * 2
        with torch.no_grad():
            y.add_(1.0)
        return y * 3


class Control(nn.Module):
    """Branches and loops, with parameters of the model in them."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.weight = nn.Parameter(torch.linspace(-0.5, 0.5, 4))

    def forward(self, c, x, n):
        def step(c, x):
            return c * self.weight + x, (c + x).sum(-1)

        chosen = torch.cond(
            x.sum() > 0,
            lambda x: (self.layer(x).relu(), x.sum() + x.shape[0]),
            lambda x: (x - 1, x.sum() * x.shape[0]),
            (x,),
        )
        count, looped = while_loop(lambda n, c: n < 5, lambda n, c: (n + 1, self.layer(c).sin()), (n, c))
        last, rows = scan(step, c, x, dim=0)
        first, backwards = scan(lambda c, x: (c + x, c * x), c, x, dim=0, reverse=True)
        return *chosen, count, looped, last, rows, first, backwards, over_rows(lambda x, c: x.sin() * c, x, c)


def stateful():
    """The programs: a name, a module, and inputs. What they change is compared, too."""
    x = torch.linspace(-1, 1, 16).reshape(1, 2, 2, 4)
    yield "state", Counter(), (x, torch.tensor([3, 4]), torch.zeros(5)), None, False
    yield "state_functional", Counter(), (x, torch.tensor([3, 4]), torch.zeros(5)), None, True
    yield "statistics", Statistics().train(), (torch.linspace(-1, 2, 48).reshape(2, 3, 2, 4),), None, False
    yield "statistics_functional", Statistics().train(), (torch.linspace(-1, 2, 48).reshape(2, 3, 2, 4),), None, True
    yield "region", Region(), (torch.ones(3, 3),), None, False
    rows = Dim("rows", min=2, max=9)
    for name, sign in (("control", 1), ("control_else", -1)):
        x = torch.linspace(-1, 1.5, 12).reshape(3, 4) * sign
        yield name, Control(), (torch.linspace(0, 1, 4), x, torch.tensor(2)), (None, {0: rows}, None), False


def arrays(program, inputs, names):
    """The inputs and the outputs of one run of a program, by the names that a compiled model has for them.

    What the run changes, of what the program holds or is given, is an input as it was, and an output as it is then.
    """
    held = program.graph_signature.inputs_to_buffers | program.graph_signature.inputs_to_lifted_tensor_constants
    first = {name: {**program.state_dict, **program.constants}[name].clone() for name in held.values()}
    module, run = program.module(), [value.clone() for value in inputs]
    results = module(*run)
    outputs = dict(zip(names, results if isinstance(results, tuple) else (results,), strict=True))
    given = dict(zip(program.graph_signature.user_inputs, inputs, strict=True))
    outputs |= {
        f"{name}.next": new for (name, old), new in zip(given.items(), run, strict=True) if not torch.equal(old, new)
    }
    changed = {name: new for name, new in module.named_buffers() if name in first and not torch.equal(first[name], new)}
    given |= {name: first[name] for name in changed}
    outputs |= {f"{name}.next": new for name, new in changed.items()}
    return tuple({name: np.asarray(value.detach()) for name, value in some.items()} for some in (given, outputs))


def decoder():
    """A small decoder with a static cache: the program of one word, and the logits after each word of a text.

    The cache and the count of words are what the program keeps. The logits are those of the model without a cache.
    """
    import transformers
    from transformers.integrations.executorch import TorchExportableModuleWithStaticCache

    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=23,
        hidden_size=8,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        intermediate_size=12,
        max_position_embeddings=32,
    )
    model = transformers.LlamaForCausalLM(config).eval()
    model.generation_config = transformers.GenerationConfig(
        use_cache=True,
        cache_implementation="static",
        max_length=32,
        cache_config={"batch_size": 1, "max_cache_len": 32, "device": "cpu"},
    )
    text, logits = list(PROMPT), []
    with torch.no_grad():
        while len(text) < len(PROMPT) + WORDS:
            logits = model(torch.tensor([text]), use_cache=False).logits[0]
            text.append(int(logits[-1].argmax()))
        given = {"input_ids": torch.tensor([text[:1]]), "cache_position": torch.tensor([0])}
        program = torch.export.export(TorchExportableModuleWithStaticCache(model), (), given, strict=False)
    steps = {"input_ids": np.array(text[:-1])[:, None, None], "cache_position": np.arange(len(text) - 1)[:, None]}
    return program, steps, {program.graph_signature.user_outputs[0]: logits.numpy()[:, None, None]}
