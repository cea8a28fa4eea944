"""Compares a decoder with weights of few bits with ONNX Runtime's floats: the likeliest word at each of 200 steps, for several prompts.

ONNX Runtime writes the words. The quantised model is asked at each step for the word behind those, so that a difference does not hide
others. The folder is one that `train_decoder.py` made. Usage: check_weights.py FOLDER [--weights int4] [--rounding nearest search gptq].
"""

import argparse
import pathlib
import subprocess

import numpy as np
import onnxruntime

STEPS = 200
SHOWN = 5
"""Differences that are shown: those with the largest margins."""
CAPACITY = 256
"""The rows of a cache: a prompt and all steps."""
SIZES = ["batch_size=1", "sequence_length=?", "total_sequence_length=?", f"past_sequence_length={CAPACITY}"]


class Floats:
    """The model in ONNX Runtime."""

    def __init__(self, path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.caches = {port.name: port.shape for port in self.session.get_inputs() if port.name.startswith("past")}

    def logits(self, words):
        """Those behind each word of each row."""
        caches = {name: np.zeros((len(words), shape[1], 0, shape[3]), np.float32) for name, shape in self.caches.items()}
        given = {"input_ids": words, "attention_mask": np.ones_like(words), **caches}
        return self.session.run(["logits"], given)[0]

    def continued(self, words):
        """Rows with the likeliest words behind them."""
        for _ in range(STEPS):
            words = np.concatenate([words, self.logits(words)[:, -1].argmax(-1)[:, None]], 1)
        return words


def run(*words):
    result = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if result.returncode:
        raise SystemExit(result.stderr)
    return result.stdout


def logits(relayc, library, words, caches):
    """What a library says behind each word of each row."""
    given, taken, found = library.with_suffix(".in.npz"), library.with_suffix(".out.npz"), []
    empty = {name: np.zeros((1, shape[1], CAPACITY, shape[3]), np.float32) for name, shape in caches.items()}
    for row in words:
        np.savez(given, input_ids=row[None], attention_mask=np.ones((1, len(row)), np.int64), **empty)
        run(relayc, "run", library, "--inputs", given, "--outputs", taken)
        with np.load(taken) as outputs:
            found.append(outputs["logits"][0])
    return np.stack(found)


def compare(name, exact, found):
    """Prints how often the likeliest word is the same. Where it is not: by how much its logit is above that of the other word."""
    expected, guessed = exact.argmax(-1), found.argmax(-1)
    same = expected == guessed
    error = np.linalg.norm(found - exact) / np.linalg.norm(exact - exact.mean(-1, keepdims=True))
    whole = same.all(1).sum()
    print(f"{name:>8}: {same.sum()} of {same.size} steps have the same word, all of them in {whole} of {len(same)} texts; error of logits {error:.2%}")
    places = np.nonzero(~same)
    right, wrong = expected[places], guessed[places]
    margins = exact[*places, right] - exact[*places, wrong]
    moved = margins - (found[*places, right] - found[*places, wrong])
    for number in np.argsort(-margins)[:SHOWN]:
        text, step = (place[number] for place in places)
        print(f"{'':10}text {text}, step {step}: the word's margin is {margins[number]:.3f}, and its error {moved[number]:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--weights", default="int4", help="as relayc quantize takes it; default: %(default)s")
    parser.add_argument("--rounding", nargs="+", default=["nearest", "search", "gptq"], help="default: %(default)s")
    parser.add_argument("--relayc", type=pathlib.Path, default="target/debug/relayc", help="default: %(default)s")
    given = parser.parse_args()
    model, samples = given.folder / "decoder.onnx", given.folder / "samples.npz"
    with np.load(given.folder / "prompts.npz") as prompts:
        words = prompts["input_ids"]
    floats = Floats(model)
    texts = floats.continued(words)
    behind = slice(words.shape[1] - 1, -1)
    exact = floats.logits(texts)[:, behind]
    ranked = np.sort(exact, -1)
    margins = ranked[..., -1] - ranked[..., -2]
    print(f"margin of the likeliest word: median {np.median(margins):.2f}, 5% are below {np.quantile(margins, 0.05):.2f}")
    sizes = [word for size in SIZES for word in ("--dim", size)]
    for name in ["float", *given.rounding]:
        library = given.folder / f"decoder.{name}.so"
        if name == "float":
            run(given.relayc, "compile", model, "-o", library, *sizes)
        else:
            data = ["--data", samples] if name == "gptq" else []
            run(given.relayc, "quantize", model, "--weights", given.weights, "--rounding", name, *data, "-o", library, *sizes)
        compare(name, exact, logits(given.relayc, library, texts, floats.caches)[:, behind])


if __name__ == "__main__":
    main()
