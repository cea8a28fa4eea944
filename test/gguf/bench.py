"""Times a decoder of 100 million parameters beside llama.cpp: reading a prompt, and writing word by word.

    ./x gguf bench                 # Q4_0, Q8_0 and F16
    ./x gguf bench Q4_0 --rounds 9

Both take turns, and medians are compared: of the rounds, and of the words in them. llama.cpp rounds the data of products to 8 bits where
weights have blocks.
"""

import argparse
import statistics
import subprocess
import time
from pathlib import Path

import llama_cpp
import numpy as np
import relay_mlir
from export import Type, quantized, row, tensors, write

FOLDER = Path("target/gguf-bench")
PROMPT, WORDS, CONTEXT = 64, 32, 128
SHAPE = {"layers": 12, "width": 768, "heads": 12, "shared": 4, "size": 64, "hidden": 2048, "words": 16000}


def model_of(name):
    """The file of a model, and its library."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path, library = FOLDER / f"{name}.gguf", FOLDER / f"{name}.so"
    if not path.exists():
        model = row("llama", **SHAPE)
        stored = {}
        for tensor, floats in tensors(model, np.random.default_rng(1)).items():
            kind = Type.F32 if "norm" in tensor else Type[name]
            stored[tensor] = (floats, kind) if kind == Type.F32 else (quantized(floats, kind), kind)
        write(path, model, stored)
    start = time.perf_counter()
    subprocess.run(["relayc", "compile", str(path), "-o", str(library)], check=True)
    print(f"{name}: {path.stat().st_size >> 20} MiB, library {library.stat().st_size >> 20} MiB, compiled in "
          f"{time.perf_counter() - start:.0f} s", flush=True)  # fmt: skip
    return path, library


class Relay:
    def __init__(self, library, threads):
        self.model = relay_mlir.load(str(library), threads=threads)

    def begin(self):
        self.read = 0
        self.caches = {
            port.name: np.zeros((1, SHAPE["shared"], CONTEXT, SHAPE["size"]), "f4")
            for port in self.model.inputs
            if port.donated
        }

    def run(self, words):
        inputs = {"input_ids": np.array([words]), "position": np.array(self.read), "logits_at": np.array([-1])}
        logits = self.model.run({**inputs, **self.caches}, donate=True)["logits"][0]
        self.read += len(words)
        return logits


class Llama:
    def __init__(self, path, threads):
        settings = {
            "n_ctx": CONTEXT,
            "n_threads": threads,
            "n_threads_batch": threads,
            "verbose": False,
            "n_gpu_layers": 0,
        }
        self.model = llama_cpp.Llama(str(path), **settings)

    def begin(self):
        self.model.reset()

    def run(self, words):
        self.model.eval(words)
        return np.ctypeslib.as_array(llama_cpp.llama_get_logits_ith(self.model.ctx, -1), (SHAPE["words"],))


def timed(engine):
    """The time of a prompt, and the times of words."""
    words = np.random.default_rng(2).integers(3, SHAPE["words"], PROMPT).tolist()
    engine.begin()
    times = []
    for number in range(WORDS + 1):
        start = time.perf_counter()
        logits = engine.run(words)
        times.append(time.perf_counter() - start)
        words = [int(logits.argmax())] if number else [7]
    return times[0], times[1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("types", nargs="*", default=["Q4_0", "Q8_0", "F16"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    given = parser.parse_args()
    print(
        "| weights | threads | prompt, tokens/s | llama.cpp | words, tokens/s | llama.cpp |\n|---|---|---|---|---|---|",
        flush=True,
    )
    for name in given.types:
        path, library = model_of(name)
        for threads in given.threads:
            engines = [Relay(library, threads), Llama(path, threads)]
            found = [([], []) for _ in engines]
            for _ in range(given.rounds):
                for engine, (prompts, words) in zip(engines, found):
                    prompt, each = timed(engine)
                    prompts.append(prompt)
                    words.extend(each)
            cells = [(PROMPT / statistics.median(prompts), 1 / statistics.median(words)) for prompts, words in found]
            (prompt, word), (other_prompt, other_word) = cells
            print(
                f"| {name} | {threads} | {prompt:.0f} | {other_prompt:.0f} | {word:.1f} | {other_word:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
