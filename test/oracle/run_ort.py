"""Runs an ONNX model with ONNX Runtime on the CPU; prints its latency in ms as JSON."""

import argparse
import json
import time

import numpy as np
import onnxruntime


def session(model, threads):
    """A session with all optimizations for a file, or the bytes of one."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(
        model if isinstance(model, bytes) else str(model),
        options,
        providers=["CPUExecutionProvider"],
    )


def latencies(run, repeat):
    """The times of `repeat` calls in ms, sorted."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter_ns()
        run()
        times.append((time.perf_counter_ns() - start) / 1e6)
    return sorted(times)


def summary(times):
    """Median, least and 95th percentile of some times in ms."""
    return {
        "median_ms": float(np.median(times)),
        "min_ms": float(np.min(times)),
        "p95_ms": float(np.percentile(times, 95)),
        "runs": len(times),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="the model (.onnx)")
    parser.add_argument("inputs", help="the inputs, by name (.npz)")
    parser.add_argument("outputs", help="where to write the outputs (.npz)")
    parser.add_argument("--threads", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--repeat", type=int, default=10, help="runs to time; default: %(default)s")
    parser.add_argument("--warmup", type=int, default=2, help="runs before; default: %(default)s")
    options = parser.parse_args()

    model = session(options.model, options.threads)
    with np.load(options.inputs) as arrays:
        inputs = dict(arrays)
    names = [value.name for value in model.get_outputs()]
    results = model.run(names, inputs)
    np.savez(options.outputs, **dict(zip(names, results)))
    for _ in range(options.warmup):
        model.run(names, inputs)
    if options.repeat > 0:
        figures = summary(latencies(lambda: model.run(names, inputs), options.repeat))
        figures |= {"threads": options.threads, "onnxruntime": onnxruntime.__version__}
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
