"""A Llama that decodes a token with a cache in place, beside ONNX Runtime with its caches shared.

The decoder of 15 million parameters has 4 layers, 8 heads of 64 numbers, 2 heads of keys and values, and caches of 1,024 rows; that of 120
million has 12 layers and 12 heads, 4 of keys and values. Each run computes the logits of one word behind so many others. Both engines write the
new rows of the caches where these lie. In 4 bits, all matrix products with weights are MatMulNBits with blocks of 32, in both engines. Tokens per
second are 1 / the median.
"""

import dataclasses
import json
import pathlib
import tempfile

import numpy as np
import onnx

import networks
import report
import tables
from decoder_model import Sizes, decoder
from open_dims import compiled
from run_ort import session
from weights import in_few_bits

SMALL = Sizes(vocabulary=8000, hidden=512, layers=4, heads=8, shared=2, size=64, inner=1408, capacity=1024)
LARGE = Sizes(vocabulary=32000, hidden=768, layers=12, heads=12, shared=4, size=64, inner=2048, capacity=1024)

# The words of a cache before the one that is decoded.
PASTS = [16, 256, 960]

PEER = "onnxruntime"
FEW_BITS = "4 bits"


@dataclasses.dataclass(frozen=True)
class Engine:
    """Who runs which model."""

    name: str
    program: str
    """Its name as a worker."""
    model: str
    """That of FLOATS or FEW_BITS."""
    precision: str = "f32"

    def peer(self):
        """The name of the engine that it is compared with."""
        return f"{PEER}, {FEW_BITS}" if self.model == FEW_BITS else PEER


FLOATS = "floats"
IN_FEW_BITS = [Engine(f"{PEER}, {FEW_BITS}", PEER, FEW_BITS), Engine(FEW_BITS, "ours", FEW_BITS)]
IN_FLOATS = [Engine(PEER, PEER, FLOATS), Engine("f32", "ours", FLOATS), Engine("bf16", "ours", FLOATS, "bf16")]

# Of each decoder, its sizes and the engines.
DECODERS = {"15 M": (SMALL, IN_FLOATS + IN_FEW_BITS), "120 M": (LARGE, IN_FEW_BITS)}


def inputs_of(sizes, past):
    """A word behind others, whose keys and values are random; the rows behind them are zeros."""
    random = np.random.default_rng(past)
    words = {"input_ids": np.array([[7]]), "attention_mask": np.ones((1, past + 1), np.int64)}
    caches = {name: np.zeros((1, sizes.shared, sizes.capacity, sizes.size), np.float32) for name in sizes.past()}
    for cache in caches.values():
        cache[:, :, :past] = random.standard_normal((1, sizes.shared, past, sizes.size), np.float32)
    return words | caches


def libraries(sizes, engines, models, options, folder):
    """Our libraries, by the engine's name."""
    dims = {"batch_size": 1, "sequence_length": "?", "total_sequence_length": "?", "past_sequence_length": sizes.capacity}
    given = [option for name, size in dims.items() for option in ("--dim", f"{name}={size}")]
    for engine in engines:
        if engine.program == "ours":
            library = folder / f"{engine.model}-{engine.precision}.so".replace(" ", "")
            yield engine.name, compiled(options.relayc, models[engine.model], library, "--precision", engine.precision, *given)


def measure(past, threads, decoder, options, folder):
    """The medians in ms, by engine, of a word behind `past` others."""
    sizes, engines, models, files = decoder
    inputs = inputs_of(sizes, past)
    np.savez(folder / "inputs.npz", **inputs)
    results = {}
    for kind, model in models.items():
        expected = session(model, threads=1)
        names = [output.name for output in expected.get_outputs()]
        results[kind] = dict(zip(names, expected.run(names, inputs)))
    asked = {"inputs": str(folder / "inputs.npz"), "threads": threads}
    playing = {}
    for engine in engines:
        is_peer = engine.program == PEER
        file = models[engine.model] if is_peer else files[engine.name]
        request = {"model": str(file), "precision": engine.precision, **asked}
        if is_peer:
            request["in_place"] = dict(zip(sizes.present(), sizes.past()))
        playing[engine.name] = engine.program, request, results[engine.model]
    return networks.medians(playing, options, folder)


def page(rows):
    """The table, in Markdown."""
    lines = ["# Decoding with a cache", "", f"`./x bench decode`. {__doc__.replace(chr(10), ' ')}", ""]
    lines += [f"Machine: {report.processor_with_vectors()}, {report.cores()} processors.", ""]
    engines = IN_FLOATS + IN_FEW_BITS
    titles = ["parameters", "words before", "threads", *(f"{engine.name}, tokens/s" for engine in engines)]
    titles += [f"{engine.name} / {engine.peer()}" for engine in engines if engine.program == "ours"]
    cells = [[row["parameters"], str(row["past"]), str(row["threads"]), *speeds(row["medians"], engines)] for row in rows]
    return "\n".join(lines) + "\n" + tables.table(titles, cells)


def speeds(medians, engines):
    """Tokens per second by engine, and the ratios to the peers."""
    for engine in engines:
        time = medians.get(engine.name)
        yield tables.number(1e3 / time, "{:.0f}") if time else "-"
    for engine in engines:
        if engine.program == "ours":
            both = engine.name in medians and engine.peer() in medians
            yield tables.number(medians[engine.peer()] / medians[engine.name]) if both else "-"


def bench_decode(options, say):
    """Measures all lengths; returns whether all went well."""
    rows = []
    for parameters, (sizes, engines) in DECODERS.items():
        with tempfile.TemporaryDirectory(prefix="relay-bench-") as name:
            folder = pathlib.Path(name)
            floats = decoder(sizes)
            models = {FEW_BITS: folder / "few_bits.onnx", FLOATS: folder / "floats.onnx"}
            onnx.save_model(floats, models[FLOATS])
            onnx.save_model(in_few_bits(floats), models[FEW_BITS])
            models = {kind: file for kind, file in models.items() if any(engine.model == kind for engine in engines)}
            files = dict(libraries(sizes, engines, models, options, folder))
            for past in PASTS[: 1 if options.quick else None]:
                for threads in options.threads:
                    medians = measure(past, threads, (sizes, engines, models, files), options, folder)
                    rows.append({"parameters": parameters, "past": past, "threads": threads, "medians": medians})
                    times = ", ".join(f"{k} {v:.3f} ms" for k, v in medians.items())
                    say(f"{parameters}, {past} words before, {tables.threads_of(threads)}: {times}")
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "decode.md").write_text(page(rows))
    (options.output / "decode.json").write_text(json.dumps(rows, indent=1) + "\n")
    print(page(rows))
    return True
