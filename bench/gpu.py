"""Prepares a check of kernels on a GPU, for a machine that has one and no compiler; and runs it there.

  gpu.py bundle FOLDER --relayc RELAYC --target nvidia/h100 [--models resnet18 ...] [--products 4096 ...] [--element f16]
      compiles models, and writes them with inputs, ONNX Runtime's outputs and this program; and chains of products of square matrices
  gpu.py run FOLDER
      on the machine with the GPU: runs each library, compares, and prints errors and times as a table

The second machine needs a driver, Python and numpy. If PyTorch is there, products are timed beside its.

Schedules travel in a folder of their own: "relayc tune MODEL --target nvidia/h100 --export-candidates FOLDER" writes it, and "relay-runner FOLDER" times
them there (docs/guide/tuning_elsewhere.md). With their results in the records, "gpu.py bundle" compiles the models with the schedules that won.
"""

import argparse
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent

# Beyond this error, relative to the range of the output, results are wrong.
TOLERANCE = 1e-3

ROUNDS = 20

# Chains of so many products: a product takes the difference of their times over the difference of their lengths.
CHAINS = (1, 9)

# A matrix of numbers without a pattern, and a chain of products with it, whose numbers keep their range.
CHAIN = """
func.func @main(%u: tensor<{size}x1xf32> {{relay.name = "u"}}, %v: tensor<1x{size}xf32> {{relay.name = "v"}})
    -> (tensor<{size}xf32> {{relay.name = "means"}}) {{
  %angles = relay.multiply %u, %v : (tensor<{size}x1xf32>, tensor<1x{size}xf32>) -> tensor<{size}x{size}xf32>
  %sines = relay.sin %angles : (tensor<{size}x{size}xf32>) -> tensor<{size}x{size}xf32>
  %scale = relay.constant dense<{scale}> : tensor<f32>
  %wide = relay.multiply %sines, %scale : (tensor<{size}x{size}xf32>, tensor<f32>) -> tensor<{size}x{size}xf32>
  %w = relay.cast %wide {{dtype = {element}}} : (tensor<{size}x{size}xf32>) -> tensor<{size}x{size}x{element}>
  %y0 = relay.cast %sines {{dtype = {element}}} : (tensor<{size}x{size}xf32>) -> tensor<{size}x{size}x{element}>
{products}
  %last = relay.cast %y{count} {{dtype = f32}} : (tensor<{size}x{size}x{element}>) -> tensor<{size}x{size}xf32>
  %means = relay.mean %last {{axis = array<i64: 1>}} : (tensor<{size}x{size}xf32>) -> tensor<{size}xf32>
  return %means : tensor<{size}xf32>
}}
"""
PRODUCT = "  %y{next} = relay.nn.dense %y{at}, %w : (tensor<{size}x{size}x{element}>, tensor<{size}x{size}x{element}>) -> tensor<{size}x{size}x{element}>"


def bundle(options):
    """Writes the folder that travels."""
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, str(HERE / "models.py"), str(folder), "--models", *options.models], check=True)
    for model in options.models:
        compile_library(folder / f"{model}.onnx", options)
    for size in options.products:
        for count in CHAINS:
            write_chain(folder, size, count, options.element)
            compile_library(folder / f"{chain(size, count)}.mlir", options)
    (folder / "engines").mkdir(exist_ok=True)
    shutil.copy(HERE / "engines" / "library.py", folder / "engines")
    shutil.copy(HERE / "gpu.py", folder)


def compile_library(source, options):
    """Compiles a model to a library in its folder, and removes it."""
    library = source.with_suffix(".so")
    subprocess.run([options.relayc, "compile", source, "--target", options.target, "--output", library], check=True)
    source.unlink()


def chain(size, count):
    """The name of a chain of products."""
    return f"product-{size}-times-{count}"


def write_chain(folder, size, count, element):
    """Writes a chain of products with inputs and, of the shortest one, what numpy computes in f32."""
    facts = {"size": size, "element": element}
    products = [PRODUCT.format(at=at, next=at + 1, **facts) for at in range(count)]
    scale = np.float32(np.sqrt(2.0 / size))
    text = CHAIN.format(count=count, scale=f"{scale:.8e}", products="\n".join(products), **facts)
    (folder / f"{chain(size, count)}.mlir").write_text(text)
    rng = np.random.default_rng(0)
    u, v = (rng.uniform(0, 50, shape).astype(np.float32) for shape in ((size, 1), (1, size)))
    np.savez(folder / f"{chain(size, count)}.inputs.npz", u=u, v=v)
    if count == min(CHAINS):
        # The means of a product with w are the product with the means of w.
        sines = np.sin(u * v)
        means = sines @ (sines * scale).mean(axis=0, dtype=np.float64)
        np.savez(folder / f"{chain(size, count)}.outputs.npz", means=means.astype(np.float32))


def check(folder, name):
    """A row of the table: a model, its error relative to the range of the reference, and a run's median milliseconds."""
    from engines.library import Instance, Library

    instance = Instance(Library(folder / f"{name}.so"), 0, np.load(folder / f"{name}.inputs.npz"))
    instance.run()
    found = instance.outputs()
    references = folder / f"{name}.outputs.npz"
    expected = np.load(references) if references.exists() else {}
    errors = [
        float(np.abs(found[output] - expected[output]).max() / np.abs(expected[output]).max()) for output in expected
    ]
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        instance.run()
        times.append(time.perf_counter() - start)
    instance.close()
    return name, max(errors, default=0.0), 1e3 * statistics.median(times)


def run(options):
    """Runs what was bundled."""
    sys.path.insert(0, str(options.folder.resolve()))
    names = sorted(path.stem for path in options.folder.glob("*.so"))
    rows = [check(options.folder.resolve(), name) for name in names]
    print("| model | error / range | ms, with copies of inputs and outputs |")
    print("|---|---|---|")
    for name, error, milliseconds in rows:
        print(f"| {name} | {error:.1e} | {milliseconds:.2f} |")
    times = {name: milliseconds for name, _, milliseconds in rows}
    compare_products({int(name.split("-")[1]) for name in names if name.startswith("product-")}, times)
    raise SystemExit(any(error > TOLERANCE for _, error, _ in rows) or not rows)


def compare_products(sizes, times):
    """Prints the speed of products, beside that of PyTorch's if it is there."""
    short, long = CHAINS
    for size in sorted(sizes):
        milliseconds = (times[chain(size, long)] - times[chain(size, short)]) / (long - short)
        rates = [f"{2e-9 * size**3 / milliseconds:.1f} TFLOP/s"]
        peer = time_of_torch(size)
        if peer is not None:
            rates.append(f"PyTorch {2e-9 * size**3 / peer:.1f} TFLOP/s, ratio of times {milliseconds / peer:.2f}")
        print(f"product of {size}: {milliseconds:.3f} ms, {', '.join(rates)}")


def time_of_torch(size):
    """The median milliseconds of PyTorch's product of f16 on the GPU; none without PyTorch or a GPU."""
    try:
        import torch
    except ImportError:
        return None
    if not torch.cuda.is_available():
        return None
    x, w = (torch.randn(size, size, dtype=torch.float16, device="cuda") for _ in range(2))
    times = []
    for _ in range(ROUNDS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        torch.nn.functional.linear(x, w)
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["bundle", "run"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--relayc", default="relayc")
    parser.add_argument("--target", default="nvidia/h100")
    parser.add_argument("--models", nargs="+", default=["squeezenet", "shufflenet"])
    parser.add_argument("--products", nargs="*", type=int, default=[4096], help="sizes of square matrices")
    parser.add_argument("--element", choices=["f16", "bf16"], default="f16", help="the elements of products")
    options = parser.parse_args()
    {"bundle": bundle, "run": run}[options.command](options)


if __name__ == "__main__":
    main()
