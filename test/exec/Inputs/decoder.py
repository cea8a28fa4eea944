"""Compiles a small Llama to one library with open dimensions. Prompts of several lengths and some tokens behind each give what ONNX Runtime
gives, in the library's caches, too, which stay where they are. A run writes no page of a cache but those of new rows: the others are
read-only then. Errors of positions are reported."""

import ctypes
import mmap
import pathlib
import subprocess
import sys

import numpy as np
import onnx
import relay_mlir

sys.path.append(str(pathlib.Path(__file__).parents[2] / "oracle"))
from decoder_model import SMALL, decoder  # noqa: E402
from run_ort import session  # noqa: E402

CAPACITY, SHARED, SIZE, VOCABULARY = SMALL.capacity, SMALL.shared, SMALL.size, SMALL.vocabulary
PAST, PRESENT = SMALL.past(), SMALL.present()
STEPS = 8
PAGE = mmap.PAGESIZE
RANDOM = np.random.default_rng(5)


def feeds(tokens, lengths, caches):
    """The inputs of a run: the mask has the words of each sample, those before and those of now."""
    total = max(lengths)
    mask = (np.arange(total) < np.array(lengths)[:, None]).astype(np.int64)
    return {"input_ids": tokens, "attention_mask": mask, **dict(zip(PAST, caches))}


def close(found, expected):
    return np.allclose(found, expected, 1e-4, 1e-5)


class Compared:
    """A library beside ONNX Runtime, each with caches of its own."""

    def __init__(self, model, oracle, batch, unwritten):
        self.model, self.oracle = model, oracle
        self.caches = [np.full((batch, SHARED, CAPACITY, SIZE), unwritten, np.float32) for _ in PAST]
        self.expected = [np.zeros_like(cache) for cache in self.caches]
        self.unwritten = unwritten

    def run(self, tokens, lengths, now):
        """Runs both; `now` are the numbers of words of each sample that count. Returns what is wrong."""
        names = [output.name for output in self.oracle.get_outputs()]
        logits, *self.expected = self.oracle.run(names, feeds(tokens, lengths, self.expected))
        found = self.model.run(feeds(tokens, lengths, self.caches), donate=True)
        what = f"prompts and tokens {lengths}"
        for sample, count in enumerate(now):
            if not close(found["logits"][sample, :count], logits[sample, :count]):
                yield f"{what}: the logits of sample {sample} differ"
        for name, cache, expected in zip(PRESENT, self.caches, self.expected):
            if found[name] is not cache:
                yield f"{what}: {name} has moved"
            for sample, length in enumerate(lengths):
                if not close(cache[sample, :, :length], expected[sample, :, :length]):
                    yield f"{what}: {name} of sample {sample} differs"
            behind = cache[:, :, max(lengths) :]
            if not np.array_equal(behind, np.full_like(behind, self.unwritten), equal_nan=True):
                yield f"{what}: {name} is written behind the last word"


def conversation(model, oracle, lengths, unwritten):
    """What is wrong with prompts of these lengths, and tokens behind them."""
    both = Compared(model, oracle, len(lengths), unwritten)
    prompts = RANDOM.integers(0, VOCABULARY, (len(lengths), max(lengths)))
    yield from both.run(prompts, lengths, lengths)
    for _ in range(STEPS):
        lengths = [length + 1 for length in lengths]
        tokens = RANDOM.integers(0, VOCABULARY, (len(lengths), 1))
        yield from both.run(tokens, lengths, [1] * len(lengths))


def pages(caches, row):
    """The pages of caches, and whether a row of a head is in each."""
    for cache in caches:
        start = cache.ctypes.data
        rows = {start + (head * CAPACITY + row) * SIZE * 4 for head in range(SHARED)}
        for page in range(start, start + cache.nbytes, PAGE):
            yield page, any(page <= address < page + PAGE for address in rows)


def protect(caches, row, readable_only):
    """Makes the pages of caches without new rows readable only, or writable again."""
    protection = mmap.PROT_READ | (0 if readable_only else mmap.PROT_WRITE)
    change = ctypes.CDLL(None, use_errno=True).mprotect
    change.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for page, is_written in pages(caches, row):
        if not is_written and change(page, PAGE, protection) != 0:
            raise OSError(ctypes.get_errno(), "mprotect")


def step_in_read_only_pages(model, oracle):
    """What is wrong with a step whose caches may be written in the pages of the new rows only. The process ends if it writes elsewhere."""
    both = Compared(model, oracle, 1, np.nan)
    shape = (1, SHARED, CAPACITY, SIZE)
    memory = [mmap.mmap(-1, int(np.prod(shape)) * 4) for _ in PAST]
    both.caches = [np.frombuffer(buffer, np.float32).reshape(shape) for buffer in memory]
    for cache in both.caches:
        cache[...] = np.nan
    row = 100
    yield from both.run(RANDOM.integers(0, VOCABULARY, (1, row)), [row], [row])
    protect(both.caches, row, True)
    yield from both.run(RANDOM.integers(0, VOCABULARY, (1, 1)), [row + 1], [1])
    protect(both.caches, row, False)


def apart(model):
    """What is wrong with caches that are given back in other arrays: the given ones stay as they are."""
    caches = [RANDOM.standard_normal((1, SHARED, CAPACITY, SIZE)).astype(np.float32) for _ in PAST]
    before = [cache.copy() for cache in caches]
    tokens, lengths = np.array([[7]]), [5]
    results = model.run(feeds(tokens, lengths, caches))
    donated = model.run(feeds(tokens, lengths, [cache.copy() for cache in caches]), donate=True)
    for name, cache, old in zip(PRESENT, caches, before):
        if not np.array_equal(cache, old):
            yield f"{name} is written, though it was not donated"
        if not np.array_equal(results[name], donated[name]):
            yield f"{name} depends on whether it is donated"


def errors(model):
    """What is wrong with the errors of positions that a cache does not have."""
    caches = [np.zeros((1, SHARED, CAPACITY, SIZE), np.float32) for _ in PAST]
    token = np.array([[1]])
    wrong = feeds(token, [CAPACITY + 1], caches)
    short = feeds(token, [4], caches) | {"attention_mask": np.zeros((1, 4), np.int64)}
    cases = {"more words than rows": (wrong, "layer0.attention"), "a sample without words": (short, "layer0.attention")}
    for what, (inputs, node) in cases.items():
        try:
            model.run(inputs, donate=True)
            yield f"{what}: no error"
        except Exception as error:  # noqa: BLE001
            print(f"{what}: {error}")
            if node not in str(error):
                yield f"{what}: the error does not name {node}: {error}"
        if any(cache.any() for cache in caches):
            yield f"{what}: the caches are written"


def main():
    folder, relayc = pathlib.Path(sys.argv[1]), sys.argv[2]
    folder.mkdir(exist_ok=True)
    path, library = folder / "decoder.onnx", folder / "decoder.so"
    model = decoder()
    onnx.save(model, path)
    dims = {"batch_size": "?", "sequence_length": "?", "total_sequence_length": "?", "past_sequence_length": CAPACITY}
    options = [option for dim, size in dims.items() for option in ("--dim", f"{dim}={size}")]
    subprocess.run([relayc, "compile", path, "-o", library, *options], check=True, timeout=300)
    loaded = relay_mlir.Model(library)
    oracle = session(model.SerializeToString(), 1)
    wrong = [line for length in (1, 2, 7, 33) for line in conversation(loaded, oracle, [length], np.nan)]
    wrong += conversation(loaded, oracle, [4, 9, 1], 777.0)
    wrong += step_in_read_only_pages(loaded, oracle)
    wrong += apart(loaded)
    wrong += errors(loaded)
    for line in wrong:
        print(line)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
