"""Trains a small Llama on the sources of Python's standard library, for `check_weights.py`: networks with random weights have no words that
they are sure of. It runs by hand, on one thread, and needs torch, tokenizers and onnx.

Usage: train_decoder.py FOLDER [--minutes 30]. The folder gets the model, decoder.onnx; texts of the training as samples for `relayc quantize`,
samples.npz; and the beginnings of files that the training did not see, prompts.npz.
"""

import argparse
import math
import pathlib
import sys
import sysconfig
import time

import numpy as np
import onnx
import tokenizers
import torch
from onnx import numpy_helper
from torch.nn import functional

sys.path.append(str(pathlib.Path(__file__).parents[1] / "test/oracle"))
import decoder_model  # noqa: E402

SIZES = decoder_model.Sizes(vocabulary=1024, hidden=256, layers=4, heads=8, shared=4, size=32, inner=704, capacity=256)
BATCH = 8
SAMPLES = (64, 128)
"""The rows of the samples, and the words of each."""
PROMPTS = (8, 32)
END_OF_TEXT = "<end>"


def sources():
    """The texts to learn from, and some to be asked about."""
    library = pathlib.Path(sysconfig.get_path("stdlib"))
    texts = [text for path in sorted(library.glob("*.py")) if len(text := path.read_text(errors="replace")) > 2000]
    asked = texts[:: len(texts) // PROMPTS[0]][: PROMPTS[0]]
    return [text for text in texts if text not in asked], asked


def vocabulary(texts):
    """Pairs of bytes that are frequent."""
    coder = tokenizers.Tokenizer(tokenizers.models.BPE())
    coder.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    coder.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=SIZES.vocabulary,
        special_tokens=[END_OF_TEXT],
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    coder.train_from_iterator(texts, trainer)
    return coder


class Decoder(torch.nn.Module):
    """The model of `decoder_model.py`: its weights have the same names, and the same values at first."""

    def __init__(self, model):
        super().__init__()
        values = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
        learnt = {name: value for name, value in values.items() if value.ndim and value.dtype == np.float32 and name not in ("cos", "sin")}
        self.weights = torch.nn.ParameterDict({self.key(name): torch.nn.Parameter(self.first(value)) for name, value in learnt.items()})
        self.names = list(learnt)
        self.cos, self.sin = (torch.tensor(values[name]) for name in ("cos", "sin"))

    @staticmethod
    def key(name):
        return name.replace(".", "_")

    @staticmethod
    def first(value):
        return torch.ones(value.shape) if value.ndim == 1 else 0.5 * torch.tensor(value) / max(1.0, math.sqrt(SIZES.layers) / 2)

    def weight(self, name):
        return self.weights[self.key(name)]

    def norm(self, x, name):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * self.weight(f"{name}.weight")

    def heads(self, x):
        return x.unflatten(-1, (-1, SIZES.size)).transpose(1, 2)

    def turned(self, x):
        """Heads with their positions."""
        cos, sin = (table[: x.shape[2]] for table in (self.cos, self.sin))
        first, second = x.chunk(2, dim=-1)
        return torch.cat([first * cos - second * sin, second * cos + first * sin], -1)

    def forward(self, words):
        x = self.weight("embedding")[words]
        for layer in range(SIZES.layers):
            name = f"layer{layer}"
            normed = self.norm(x, f"{name}.before")
            q, k, v = (self.heads(normed @ self.weight(f"{name}.w{part}")) for part in "qkv")
            q, k = self.turned(q), self.turned(k)
            q, k, v = (part.to(v.dtype) for part in (q, k, v))
            k, v = (part.repeat_interleave(SIZES.heads // SIZES.shared, dim=1) for part in (k, v))
            attended = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + attended.transpose(1, 2).flatten(2) @ self.weight(f"{name}.wo")
            normed = self.norm(x, f"{name}.behind")
            inner = functional.silu(normed @ self.weight(f"{name}.gate")) * (normed @ self.weight(f"{name}.up"))
            x = x + inner @ self.weight(f"{name}.down")
        return self.norm(x, "norm") @ self.weight("head")


def train(decoder, words, minutes):
    """Learns for this time, at rates that fall to zero with it. Yields now and then."""
    inner = [weight for name, weight in decoder.weights.items() if name.startswith("layer") and weight.ndim == 2]
    others = [weight for weight in decoder.parameters() if all(weight is not other for other in inner)]
    # Muon learns a matrix in about half of AdamW's steps.
    optimizers = [
        torch.optim.Muon(inner, weight_decay=0.1, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(others, betas=(0.9, 0.95), weight_decay=0.0),
    ]
    start, step, mean = time.monotonic(), 0, None
    while (share := (time.monotonic() - start) / (60 * minutes)) < 1:
        for group in (group for optimizer in optimizers for group in optimizer.param_groups):
            group["lr"] = 3e-3 * min(1, (step + 1) / 50) * (1 - share)
        places = torch.randint(len(words) - SIZES.capacity - 1, (BATCH,))
        rows = torch.stack([words[place : place + SIZES.capacity + 1] for place in places])
        with torch.autocast("cpu", torch.bfloat16):
            logits = decoder(rows[:, :-1])
        loss = functional.cross_entropy(logits.float().flatten(0, 1), rows[:, 1:].flatten())
        decoder.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(decoder.parameters(), 1.0)
        for optimizer in optimizers:
            optimizer.step()
        mean = loss.item() if mean is None else 0.95 * mean + 0.05 * loss.item()
        step += 1
        if step % 25 == 0:
            print(f"{100 * share:3.0f}% step {step}: loss {mean:.3f} of a word", flush=True)
            yield
    yield


def save(model, decoder, path):
    """Writes the model with what the decoder has learnt."""
    learnt = {name: decoder.weight(name).detach().numpy() for name in decoder.names}
    for tensor in model.graph.initializer:
        if tensor.name in learnt:
            tensor.CopyFrom(numpy_helper.from_array(learnt[tensor.name], tensor.name))
    onnx.save(model, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=30, help="default: %(default)s")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    torch.set_num_threads(1)

    texts, asked = sources()
    coder = vocabulary(texts)
    end = coder.token_to_id(END_OF_TEXT)
    words = torch.tensor([word for text in texts for word in (*coder.encode(text).ids, end)])
    print(f"{len(words)} words of {len(texts)} files")
    model = decoder_model.decoder(SIZES)
    decoder = Decoder(model)
    count, length = SAMPLES
    places = torch.randint(len(words) - length, (count,))
    rows = np.stack([words[place : place + length].numpy() for place in places])
    # The caches of a run are empty.
    cache = np.zeros((1, SIZES.shared, SIZES.capacity, SIZES.size), np.float32)
    caches = dict.fromkeys(SIZES.past(), cache)
    np.savez(given.folder / "samples.npz", input_ids=rows, attention_mask=np.ones_like(rows), **caches)
    prompts = np.stack([coder.encode(text).ids[: PROMPTS[1]] for text in asked])
    np.savez(given.folder / "prompts.npz", input_ids=prompts)
    coder.save(str(given.folder / "words.json"))
    for _ in train(decoder, words, given.minutes):
        save(model, decoder, given.folder / "decoder.onnx")


if __name__ == "__main__":
    main()
