"""A Llama that decodes a token with a cache in place, beside ONNX Runtime with its caches shared.

The decoder has 4 layers, 8 heads of 64 numbers, 2 heads of keys and values, and caches of 1,024 rows. Each run computes the logits of one
word behind so many others. Both engines write the new rows of the caches where these lie. Tokens per second are 1 / the median.
"""

import json
import pathlib
import tempfile

import numpy as np
import onnx

import networks
import report
import rounds
import tables
from decoder_model import Sizes, decoder
from open_dims import compiled
from run_ort import session

SIZES = Sizes(vocabulary=8000, hidden=512, layers=4, heads=8, shared=2, size=64, inner=1408, capacity=1024)

# The words of a cache before the one that is decoded.
PASTS = [16, 256, 960]

PEER = "onnxruntime"


def inputs_of(past):
    """A word behind others, whose keys and values are random; the rows behind them are zeros."""
    random = np.random.default_rng(past)
    words = {"input_ids": np.array([[7]]), "attention_mask": np.ones((1, past + 1), np.int64)}
    caches = {name: np.zeros((1, SIZES.shared, SIZES.capacity, SIZES.size), np.float32) for name in SIZES.past()}
    for cache in caches.values():
        cache[:, :, :past] = random.standard_normal((1, SIZES.shared, past, SIZES.size), np.float32)
    return words | caches


def libraries(model, options, folder):
    """Our libraries, by precision."""
    dims = {"batch_size": 1, "sequence_length": "?", "total_sequence_length": "?", "past_sequence_length": SIZES.capacity}
    given = [option for name, size in dims.items() for option in ("--dim", f"{name}={size}")]
    for precision in ("f32", "bf16"):
        yield precision, compiled(options.relayc, model, folder / f"{precision}.so", "--precision", precision, *given)


def measure(past, threads, model, files, options, folder):
    """The medians in ms, by engine, of a word behind `past` others."""
    inputs = inputs_of(past)
    expected = session(model, threads=1)
    names = [output.name for output in expected.get_outputs()]
    results = dict(zip(names, expected.run(names, inputs)))
    np.savez(folder / "inputs.npz", **inputs)
    playing = {}
    try:
        for name, file, precision in [(PEER, model, "f32"), *((name, file, name) for name, file in files.items())]:
            playing[name] = rounds.Process(PEER if name == PEER else "ours")
            shared = {"in_place": dict(zip(SIZES.present(), SIZES.past()))} if name == PEER else {}
            playing[name].ask("prepare", model=str(file), inputs=str(folder / "inputs.npz"), threads=threads,
                              folder=str(folder), precision=precision, **shared)  # fmt: skip
            networks.check(playing[name], results, folder, precision)
        times, _ = rounds.interleave(playing, options.rounds, options.pause, options.turn)
    finally:
        for worker in playing.values():
            worker.close()
    return {name: rounds.summary(taken)["median_ms"] for name, taken in times.items()}


def page(rows):
    """The table, in Markdown."""
    lines = ["# Decoding with a cache", "", f"`./x bench decode`. {__doc__.replace(chr(10), ' ')}", ""]
    lines += [f"Machine: {report.processor_with_vectors()}, {report.cores()} processors.", ""]
    engines = list(rows[0]["medians"])
    titles = ["words before", "threads", *(f"{engine}, tokens/s" for engine in engines)]
    titles += [f"{engine} / {PEER}" for engine in engines if engine != PEER]
    cells = [[str(row["past"]), str(row["threads"]), *speeds(row["medians"])] for row in rows]
    return "\n".join(lines) + "\n" + tables.table(titles, cells)


def speeds(medians):
    """Tokens per second by engine, and the ratios to the peer."""
    yield from (tables.number(1e3 / time, "{:.0f}") for time in medians.values())
    yield from (tables.number(medians[PEER] / time) for name, time in medians.items() if name != PEER)


def bench_decode(options, say):
    """Measures all lengths; returns whether all went well."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="relay-bench-") as name:
        folder = pathlib.Path(name)
        model = folder / "decoder.onnx"
        onnx.save_model(decoder(SIZES), model)
        files = dict(libraries(model, options, folder))
        for past in PASTS[: 1 if options.quick else None]:
            for threads in options.threads:
                medians = measure(past, threads, model, files, options, folder)
                rows.append({"past": past, "threads": threads, "medians": medians})
                say(f"{past} words before, {tables.threads_of(threads)}: " + ", ".join(f"{k} {v:.3f} ms" for k, v in medians.items()))
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "decode.md").write_text(page(rows))
    (options.output / "decode.json").write_text(json.dumps(rows, indent=1) + "\n")
    print(page(rows))
    return True
