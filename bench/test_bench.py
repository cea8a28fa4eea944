"""Tests the measurement with a compiler that is none: it makes libraries from C that have the
interface of a compiled model, beside ONNX Runtime.

Run with `python test_bench.py`; needs a C compiler (cc).
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

import numpy as np
import onnx
from onnx import TensorProto, helper

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "test" / "oracle"))

import cases
import classes
import kernels
import model
import open_dims
import open_models
import report
import rounds
import tuners
from engines.library import ABI_VERSION, fits
from networks import relative_error

# y = max(x, 0) + OFFSET for 2x3 numbers, run by no more than 4 threads.
SOURCE = r"""
#include <stddef.h>
#include "relay_runtime.h"
struct relay_model { int32_t threads; };
static struct relay_model model;
static int calls;
static const char *problem = "";
static const int64_t shape[] = {2, 3};
static const relay_tensor_info input = {"x", "f32", 2, shape, NULL}, output = {"y", "f32", 2, shape, NULL};
const relay_model_descriptor_t relay_model_descriptor = {
    .abi_version = VERSION, .name = "fake", .target = "c", .n_inputs = 1, .inputs = &input,
    .n_outputs = 1, .outputs = &output};
relay_model *fake_create(int32_t threads) {
  if (threads > 4) { problem = "too many threads"; return NULL; }
  model.threads = threads;
  return &model;
}
int32_t fake_run(relay_model *m, const void *const *in, void *const *out) {
  const float *x = in[0];
  float *y = out[0];
  for (int i = 0; i < 6; ++i) y[i] = (x[i] > 0 ? x[i] : 0) + (float)OFFSET;
  return m != &model;
}
void fake_destroy(relay_model *m) { m->threads = 0; }
const char *fake_last_error(void) { return problem; }
"""

COMPILER = r"""
#!/bin/sh
case "$1" in
  compile) cc -shared -fPIC -O1 "-DOFFSET=(%(offset)s)" -DVERSION=%(version)s -I%(include)s \
    -x c %(source)s -o "$4" ;;
  inspect) echo "FLOPs: 12" ;;
  bench) echo "FMA peak: 100.0 GFLOP/s" ;;
esac
"""

# A worker that answers as it should, and keeps a thread busy all the time.
SPINNING = r"""
import json, sys, threading, time
def spin():
    while True: pass
threading.Thread(target=spin, daemon=True).start()
for line in sys.stdin:
    runs = json.loads(line).get("runs", 0)
    time.sleep(0.01 * runs)
    print(json.dumps({"times_ns": [10_000_000] * runs}), flush=True)
"""


@unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
class Networks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])
        y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3])
        graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "relu", [x], [y])
        opset = [helper.make_opsetid("", 17)]
        model = helper.make_model(graph, opset_imports=opset, ir_version=8)
        onnx.save_model(model, self.folder / "relu.onnx")

    def compiler(self, offset=0.0, version=ABI_VERSION, folder=None):
        """The file of a compiler that makes such a library of any model."""
        folder = folder or self.folder
        source = folder / "fake.c"
        source.write_text(SOURCE)
        include = HERE.parent / "runtime" / "include"
        values = {"offset": offset, "version": version, "include": include, "source": source}
        path = folder / "relayc"
        path.write_text((COMPILER % values).lstrip())
        path.chmod(0o755)
        return path

    def measure(self, compiler, *options):
        """Runs the script; returns it and what it wrote."""
        command = [sys.executable, HERE / "bench.py", "--relayc", compiler, "--rounds", "3"]
        command += ["--turn", "0.001", "--pause", "0", "--peers", "onnxruntime"]
        command += ["--folder", self.folder / "models", "--output", self.folder / "results"]
        command += ["--models", self.folder / "relu.onnx", *options]
        done = subprocess.run(command, capture_output=True, text=True)
        return done, json.loads((self.folder / "results/networks.json").read_text())["results"]

    def test_results_of_two_thread_counts(self):
        done, results = self.measure(self.compiler(), "--threads", "1", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([result["threads"] for result in results], [1, 2])
        for result in results:
            ours, peer = (result["engines"][name] for name in ("ours", "onnxruntime"))
            self.assertEqual(ours["relative_error"], 0)
            self.assertGreaterEqual(ours["runs"], 3)
            self.assertAlmostEqual(result["ratio"], ours["median_ms"] / peer["median_ms"])
            self.assertAlmostEqual(result["gflops"], 12 / ours["median_ms"] / 1e6)
            self.assertAlmostEqual(result["share_of_peak"], result["gflops"] / 100)
            self.assertGreater(result["compile"]["compile_cold_peak_bytes"], 1 << 20)
            self.assertLess(ours["load_seconds"], 1)
            self.assertEqual(len(ours["digests"]), 1)
        page = (self.folder / "results/networks.md").read_text()
        self.assertEqual(page.count("\n| relu |"), 4)
        self.assertIn("Bit-identical over 100 runs each with 1 and 2 threads: for all models", page)

    def test_another_build_takes_turns_with_its_own_worker(self):
        old = self.folder / "old"
        (old / "target" / "debug").mkdir(parents=True)
        (old / "bench").mkdir()
        script = f"import pathlib, runpy\npathlib.Path({str(old / 'ran')!r}).touch()\n"
        script += f"runpy.run_path({str(HERE / 'worker.py')!r}, run_name='__main__')\n"
        # It finds its engines beside the script that runs.
        (old / "bench" / "worker.py").write_text(f"import sys\nsys.path[0] = {str(HERE)!r}\n{script}")
        self.compiler(folder=old / "target" / "debug")
        done, [result] = self.measure(self.compiler(), "--threads", "1", "--against", old)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((old / "ran").exists())
        new, other = (result["engines"][name]["median_ms"] for name in ("ours", "against"))
        self.assertAlmostEqual(result["against_ratio"], new / other)
        self.assertEqual(result["best_peer"], "onnxruntime")
        self.assertGreater(result["compile_against"]["compile_warm_seconds"], 0)
        page = (self.folder / "results/networks.md").read_text()
        self.assertIn("| ours / best peer | new / old |", page)
        ratio = f"{result['against_ratio']:.2f}"
        self.assertIn(f"over 1 models, from {ratio} (relu) to {ratio} (relu)", page)

    def test_wrong_results_are_not_measured(self):
        done, [result] = self.measure(self.compiler(offset=1.0), "--threads", "1")
        self.assertEqual(done.returncode, 1)
        self.assertNotIn("ours", result["engines"])
        self.assertIn("wrong results", result["failures"]["ours"])

    def test_results_that_change_are_noticed(self):
        done, [result] = self.measure(self.compiler(offset="++calls * 1e-6"), "--threads", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(result["engines"]["ours"]["digests"]), 100)
        page = (self.folder / "results/networks.md").read_text()
        self.assertIn("not for relu", page)

    def test_the_librarys_own_error_is_shown(self):
        done, [result] = self.measure(self.compiler(), "--threads", "5")
        self.assertEqual(done.returncode, 1)
        self.assertIn("too many threads", result["failures"]["ours"])

    def test_a_library_of_another_interface_is_refused(self):
        done, [result] = self.measure(self.compiler(version=1), "--threads", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"interface version 1, expected {ABI_VERSION}", result["failures"]["ours"])


class Rounds(unittest.TestCase):
    def test_starts_share_the_rounds(self):
        self.assertEqual(rounds.shares(10, 3), [4, 3, 3])
        self.assertEqual(rounds.shares(2, 3), [1, 1])

    def test_a_spinning_engine_is_seen(self):
        quiet = SPINNING.replace("threading.Thread(target=spin, daemon=True).start()", "")
        commands = {"spinning": SPINNING, "quiet": quiet}
        workers = {
            name: rounds.Process(name, [sys.executable, "-c", textwrap.dedent(text)])
            for name, text in commands.items()
        }
        try:
            times, idle = rounds.interleave(workers, rounds=2, pause=0, turn=0.05)
        finally:
            for worker in workers.values():
                worker.close()
        self.assertEqual([len(found) for found in times.values()], [10, 10])
        self.assertGreater(idle["spinning"], 0.1)
        self.assertLess(idle["quiet"], 0.05)

    def test_a_turn_waits_for_threads_that_still_spin(self):
        quiet = SPINNING.replace("threading.Thread(target=spin, daemon=True).start()", "")
        until = "global end\n    while True:\n        if time.monotonic() > end: time.sleep(0.001)"
        lingering = SPINNING.replace("while True: pass", until)
        lingering = lingering.replace("    print", "    end = time.monotonic() + 0.3\n    print")
        lingering = lingering.replace("def spin", "end = 0\ndef spin")
        workers = {
            name: rounds.Process(name, [sys.executable, "-c", textwrap.dedent(text)])
            for name, text in {"lingering": lingering, "quiet": quiet}.items()
        }
        try:
            _, idle = rounds.interleave(workers, rounds=2, pause=0, turn=0.05)
        finally:
            for worker in workers.values():
                worker.close()
        # All of a processor, were it not awaited; some of one where a busy system hides that it spins.
        self.assertLess(idle["lingering"], 0.5)

    def test_a_slow_engine_runs_once(self):
        worker = rounds.Process("slow", [sys.executable, "-c", SPINNING])
        try:
            times, _ = rounds.interleave({"slow": worker}, 5, pause=0, turn=1, limit=0.001)
        finally:
            worker.close()
        self.assertEqual(times, {"slow": [10.0]})

    def test_an_engine_that_dies_is_named(self):
        worker = rounds.Process("dying", [sys.executable, "-c", "raise SystemExit(3)"])
        with self.assertRaisesRegex(rounds.EngineError, "dying ended with status 3"):
            worker.ask("run", runs=1)
        worker.close()


class CommandLine(unittest.TestCase):
    def test_help_needs_nothing_that_is_installed(self):
        # -S: without the folder of installed packages.
        command = [sys.executable, "-S", HERE / "bench.py", "--help"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--peers", done.stdout)


class Kernels(unittest.TestCase):
    def test_each_convolution_is_listed_once(self):
        shape = {"x": [1, 8, 9, 9], "w": [12, 4, 3, 3], "y": [1, 12, 5, 5]}
        values = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in shape.items()]
        attributes = {"strides": [2, 2], "pads": [1, 1, 1, 1], "group": 2}
        nodes = [helper.make_node("Conv", ["x", "w"], [out], **attributes) for out in ("y", "z")]
        z = helper.make_tensor_value_info("z", TensorProto.FLOAT, shape["y"])
        graph = helper.make_graph(nodes, "twice", values[:2], [values[2], z])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "twice.onnx"
            onnx.save_model(helper.make_model(graph), path)
            [kernel] = kernels.convolutions(path)
        self.assertEqual(kernel.name, "conv 8x9x9 to 12, 3x3 stride 2 pad 1 groups 2")
        # 12 channels of 5x5, each the sum of 4 channels of 3x3 products.
        self.assertEqual(kernel.flops, 2 * 12 * 25 * 4 * 9)

    def test_nodes_that_change_layouts_are_not_the_kernel(self):
        text = """median 1.2 ms, min 1.1 ms, p95 1.3 ms, max 1.4 ms over 50 runs
FMA peak: 101.5 GFLOP/s
        ms       %       MFLOP         KiB   GFLOP/s     GB/s  % roof  node (kernel): schedule
    0.3000   20.00       0.000        12.0      0.00     7.50    72.1  in (fused_layout_transform)
    0.1000    6.00       0.000        12.0      0.00     7.50    72.1  in (fused_reshape_layout_transform_1)
    0.5000   50.00      12.500        12.0     25.00     0.50    71.0  conv (fused_conv2d): vector 16
    0.2500   30.00       0.000        12.0      0.00     0.50    71.0  conv (fused_strided_slice)
"""
        self.assertEqual(kernels.kernel_ms(text), 0.75)
        self.assertEqual(kernels.fma_peak(text), 101.5)

    def test_a_share_is_of_the_peak_beside_it(self):
        result = {"flops": 10**9}
        kernels.add_profiles(result, [(10.0, 125.0), (12.5, 100.0), (20.0, 250.0)])
        self.assertEqual(result["kernel_ms"], 12.5)
        # 100 of 125, 80 of 100, 50 of 250.
        self.assertAlmostEqual(result["share_of_peak"], 0.8)
        # The best rate is 100 of the best peak, 250.
        self.assertAlmostEqual(result["best_share_of_peak"], 0.4)


class Classes(unittest.TestCase):
    def test_cases_are_valid_and_named_once(self):
        names = [case.name for members in cases.CLASSES.values() for case in members]
        self.assertEqual(len(names), len(set(names)))
        for members in cases.CLASSES.values():
            # One of each class is enough to see that its builder works.
            model = members[-1].model()
            onnx.checker.check_model(model, full_check=True)
            self.assertEqual([value.name for value in model.graph.output], ["y"])
            self.assertGreater(len(model.graph.output[0].type.tensor_type.shape.dim), 0)

    def test_padding_keeps_the_extent(self):
        model = cases.dilated(4, 8, 16, 12).model()
        dims = model.graph.output[0].type.tensor_type.shape.dim
        self.assertEqual([dim.dim_value for dim in dims], [1, 8, 16, 16])

    def test_a_text_chooses_a_class_or_cases(self):
        def found(text):
            return classes.chosen(argparse.Namespace(only=text))

        self.assertEqual(found("gelu"), {"gelu": cases.CLASSES["gelu"]})
        self.assertEqual(found(None), cases.CLASSES)
        # "2 x 1-D 3 dilation 8" is of another class.
        self.assertEqual(list(found("dilation ")), ["dilation", "1-D"])
        self.assertEqual(found("no such thing"), {})


class OpenDimensions(unittest.TestCase):
    def test_networks_have_different_sizes(self):
        for network in open_models.NETWORKS:
            texts = [open_dims.text_of(sizes) for sizes in network.sizes]
            self.assertEqual(len(set(texts)), 5, network.name)

    def test_ratios_need_both_times(self):
        times = {"open": 3.0, "known": 2.0, "onnxruntime": 6.0, "openvino": 4.0}
        figure = open_dims.Figure("n", {"batch": 2}, 1, times, {})
        self.assertEqual((figure.ratio(), figure.against_peers()), (1.5, 0.75))
        alone = open_dims.Figure("n", {"batch": 2}, 1, {"open": 3.0}, {})
        self.assertEqual((alone.ratio(), alone.against_peers()), (None, None))
        self.assertIn("open / known 1.50, at most 1.50", next(open_dims.means([figure, alone])))

    def test_an_open_extent_fits_any(self):
        self.assertTrue(fits((2, 7), (2, -1)))
        self.assertFalse(fits((3, 7), (2, -1)))
        self.assertFalse(fits((2, 7, 1), (2, -1)))


class Figures(unittest.TestCase):
    def test_errors_are_relative_to_the_range(self):
        expected = {"y": np.array([-1.0, 3.0])}
        self.assertAlmostEqual(relative_error({"y": np.array([-1.0, 2.0])}, expected), 0.25)
        self.assertEqual(relative_error({"y": np.array([np.nan, 3.0])}, expected), float("inf"))

    def test_the_greatest_peak_of_a_run_counts(self):
        results = [
            {"threads": threads, "measured_peak_gflops": peak, "gflops": gflops}
            for threads, peak, gflops in [(1, 80.0, 50.0), (1, 100.0, 20.0), (2, 160.0, 80.0)]
        ]
        report.set_shares(results)
        self.assertEqual([result["share_of_peak"] for result in results], [0.5, 0.2, 0.5])

    def test_means_are_geometric(self):
        results = [
            {"model": name, "threads": 1, "ratio": ratio}
            for name, ratio in [("a", 0.5), ("b", 2.0), ("c", 1.0)]
        ]
        mean = report.means(results)["1"]
        self.assertAlmostEqual(mean["geometric_mean"], 1.0)
        self.assertEqual(mean["worst_model"], "b")


def measured(default_ns, best_ns, cycles, name="k"):
    """A kernel as `relayc candidates` records it, with a clock of 2 GHz: two schedules, and the second
    is the best."""
    times = [(0, "product rows=1", cycles, default_ns), (7, "product rows=2", 2 * cycles, best_ns)]
    keys = ["rank", "knobs", "cycles", "nanoseconds"]
    return {
        "id": name, "name": name, "model": "m", "space": 9, "cycles_per_nanosecond": 2.0, "failures": [],
        "candidates": [dict(zip(keys, values)) for values in times],
        "finals": [
            {"rank": rank, "nanoseconds": time, "of_default": time / default_ns}
            for rank, _, _, time in times
        ],
    }  # fmt: skip


class Tuners(unittest.TestCase):
    FOUND = {
        "processor": report.processor_with_vectors(),
        "default": {"median_ms": 2.0},
        **{name: {"median_ms": 1.0, "seconds": 5.0, "failed": 0} for name in tuners.OURS},
    }

    def test_figures_of_another_processor_are_measured_again(self):
        methods = ["default", *tuners.OURS]
        bench = lambda methods, searches: argparse.Namespace(methods=methods, searches=[None] * searches)
        self.assertTrue(tuners.is_measured(self.FOUND, bench(methods, 1)))
        self.assertFalse(tuners.is_measured(self.FOUND, bench(tuners.METHODS, 1)))
        self.assertFalse(tuners.is_measured(self.FOUND, bench(methods, 3)))
        self.assertTrue(tuners.is_measured(self.FOUND | {"searches": 3}, bench(methods, 3)))
        self.assertFalse(tuners.is_measured(self.FOUND | {"processor": "abacus"}, bench(methods, 1)))

    def test_of_several_searches_the_median_counts(self):
        facts = [{"median_ms": time, "seconds": 10 * time, "tried": 64, "failed": 1} for time in (3.0, 1.0, 2.0)]
        self.assertEqual(tuners.together(facts), {"median_ms": 2.0, "seconds": 20.0, "tried": 192, "failed": 3})

    def test_a_row_names_its_processor(self):
        rows = {"fast": {"64": self.FOUND}, "slow": {"64": self.FOUND | {"processor": "abacus"}}}
        page = tuners.page(argparse.Namespace(threads=[1, 2], busy=0.0), rows)
        self.assertIn("| slow | abacus | 1 | 2.000 |", page)
        self.assertIn("sketches / default 0.50, 2 of 2 faster", page)

    def test_the_first_trials_come_with_what_was_chosen_after_them(self):
        kinds = ["kernel", "trial", "lead", "trial", "choice", "trial", "choice"]
        with tempfile.TemporaryDirectory() as folder:
            ours = tuners.Ours.__new__(tuners.Ours)
            ours.folder = pathlib.Path(folder)
            (ours.folder / "sketches.jsonl").write_text("".join(json.dumps({"kind": kind}) + "\n" for kind in kinds))
            for trials, lines in [(1, 3), (2, 5), (3, 7), (9, 7)]:
                self.assertEqual(len(ours.first("sketches", trials).read_text().splitlines()), lines)

    def test_a_clock_goes_on_where_an_earlier_run_stopped(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "seconds.json").write_text('{"sketches": {"64": 100.0}}')
            clock = tuners.Clock(pathlib.Path(folder))
            self.assertEqual(clock.add("sketches", 64, lambda: "found"), ("found", 100.0))
            _, seconds = clock.add("sketches", 256, lambda: None)
            self.assertTrue(100.0 < seconds < 110.0)
            self.assertEqual(tuners.Clock(pathlib.Path(folder)).add("sketches", 256, lambda: None)[1], seconds)

    def test_a_long_search_writes_its_seconds_part_by_part(self):
        with tempfile.TemporaryDirectory() as folder:
            clock = tuners.Clock(pathlib.Path(folder))
            for method in ("AutoTVM", "Ansor"):
                clock.add(method, 130, lambda: None)
            self.assertEqual(list(clock.parts("AutoTVM", 320)), [192, 256])
            self.assertEqual(list(clock.parts("AutoTVM", 130)), [])
            self.assertEqual(list(clock.parts("Ansor", 320)), [])


class CostModel(unittest.TestCase):
    def test_rank_correlations_share_ranks_of_equal_values(self):
        self.assertEqual(model.ranks([3.0, 1.0, 3.0, 2.0]), [2.5, 0.0, 2.5, 1.0])
        self.assertAlmostEqual(model.spearman([1, 2, 3], [1, 4, 9]), 1.0)
        self.assertAlmostEqual(model.spearman([1, 2, 3], [9, 4, 1]), -1.0)
        # By hand: ranks 0 1 2 3 and 1 0 2 3, of which the squared differences add up to 2.
        self.assertAlmostEqual(model.spearman([1, 2, 3, 4], [6, 5, 7, 8]), 1 - 6 * 2 / (4 * 15))
        self.assertIsNone(model.spearman([1, 1], [1, 2]))

    def test_a_kernel_is_as_far_from_the_best_as_its_times(self):
        found = model.summarize(measured(30_000, 20_000, 30_000))
        self.assertAlmostEqual(found["of_best"], 1.5)
        self.assertEqual((found["best"], found["best_rank"]), ("product rows=2", 7))
        self.assertAlmostEqual(found["predicted_ns"], 15_000)
        self.assertAlmostEqual(model.error(found), 0.5)
        # The schedule that was expected to take longer takes less.
        self.assertAlmostEqual(found["spearman"], -1.0)

    def test_short_kernels_are_in_no_figure(self):
        kernels = [measured(30_000, 20_000, 1), measured(10_000, 9_500, 1), measured(4_000, 1_000, 1)]
        long, short = model.parts([model.summarize(kernel) for kernel in kernels])
        self.assertEqual((len(long), len(short)), (2, 1))
        self.assertEqual(model.figures(long)["near"], 0.5)
        self.assertIsNone(model.figures([]))


if __name__ == "__main__":
    unittest.main()
