"""Generates tokens with a compiled decoder, such as a language model that was exported for ONNX Runtime, and samples each from what the
model takes to be likely. The caches of keys and values stay in place: a run writes the rows of new words only.

relayc compile decoder.onnx -o decoder.so --dim batch_size=1 --dim sequence_length=? --dim total_sequence_length=? \
    --dim past_sequence_length=256
python generate.py decoder.so --prompt 17 4 9 --count 20 --temperature 0.8
"""

import argparse

import numpy as np
import relay_mlir


def sample(logits, temperature, random):
    """A token; with temperature 0 the likeliest one."""
    if temperature == 0:
        return int(logits.argmax())
    weights = np.exp((logits - logits.max()) / temperature)
    return int(random.choice(len(weights), p=weights / weights.sum()))


def generate(model, prompt, count, temperature=1.0, seed=0):
    """Yields so many tokens behind a prompt."""
    random = np.random.default_rng(seed)
    # What may lie in the memory of an output is a cache. It is as long as the model was compiled for.
    caches = {port.name: np.zeros([1, *port.shape[1:]], port.dtype) for port in model.inputs if port.donated}
    now, length = list(prompt), 0
    for _ in range(count):
        length += len(now)
        words = {"input_ids": np.array([now]), "attention_mask": np.ones((1, length), np.int64)}
        logits = model.run({**words, **caches}, donate=True)["logits"]
        now = [sample(logits[0, -1].astype(np.float64), temperature, random)]
        yield now[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", help="the compiled decoder")
    parser.add_argument("--prompt", type=int, nargs="+", required=True, help="the tokens to begin with")
    parser.add_argument("--count", type=int, default=20, help="how many tokens to generate; default: %(default)s")
    parser.add_argument("--temperature", type=float, default=1.0, help="0: always the likeliest token; default: %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="of the random numbers; default: %(default)s")
    given = parser.parse_args()
    model = relay_mlir.load(given.library)
    print(*generate(model, given.prompt, given.count, given.temperature, given.seed))


if __name__ == "__main__":
    main()
