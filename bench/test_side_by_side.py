"""Tests side_by_side.py with a library in C that has the interface of a compiled model.

Run with `python test_side_by_side.py`; needs a C compiler (cc).
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import onnx
from onnx import TensorProto, helper

HERE = pathlib.Path(__file__).parent
INCLUDE = HERE.parent / "runtime" / "include"

# y = max(x, 0) + OFFSET for 2x3 numbers, run by no more than 4 threads.
SOURCE = r"""
#include <stddef.h>
#include "relay_runtime.h"
struct relay_model { int32_t threads; };
static struct relay_model model;
static const char *problem = "";
static const int64_t shape[] = {2, 3};
static const relay_tensor_info input = {"x", "f32", 2, shape}, output = {"y", "f32", 2, shape};
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
  for (int i = 0; i < 6; ++i) y[i] = (x[i] > 0 ? x[i] : 0) + OFFSET;
  return m != &model;
}
void fake_destroy(relay_model *m) { m->threads = 0; }
const char *fake_last_error(void) { return problem; }
"""


@unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
class SideBySide(unittest.TestCase):
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

    def library(self, offset=0.0, version=1):
        """The file of a compiled fake."""
        path = self.folder / f"fake{offset}_{version}.so"
        options = [f"-DOFFSET={offset}f", f"-DVERSION={version}", f"-I{INCLUDE}"]
        command = ["cc", "-shared", "-fPIC", "-O1", "-x", "c", "-", "-o", path, *options]
        subprocess.run(command, input=SOURCE, text=True, check=True)
        return path

    def measure(self, library, *options):
        """Runs the script."""
        command = [sys.executable, HERE / "side_by_side.py", "--library", library]
        command += ["--model", self.folder / "relu.onnx", "--rounds", "3", "--runs", "4"]
        command += ["--pause", "0", "--folder", self.folder, "--results", self.folder / "results"]
        return subprocess.run([*command, *options], capture_output=True, text=True)

    def test_results_of_two_thread_counts(self):
        done = self.measure(self.library(), "--threads", "1", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        for threads in (1, 2):
            result = json.loads((self.folder / f"results/relu-{threads}t.json").read_text())
            self.assertEqual(result["ours"]["runs"], 12)
            self.assertEqual(result["onnxruntime"]["runs"], 12)
            self.assertEqual(result["max_abs_difference"], 0)
            medians = [result[engine]["median_ms"] for engine in ("onnxruntime", "ours")]
            self.assertAlmostEqual(result["ratio"], np.divide(*medians))
        page = (self.folder / "results/README.md").read_text()
        self.assertEqual(page.count("| relu |"), 2)

    def test_wrong_results_are_not_measured(self):
        done = self.measure(self.library(offset=1.0))
        self.assertEqual(done.returncode, 1)
        self.assertIn("output 'y'", done.stderr)
        self.assertFalse((self.folder / "results").exists())

    def test_the_librarys_own_error_is_shown(self):
        done = self.measure(self.library(), "--threads", "5")
        self.assertEqual(done.returncode, 1)
        self.assertIn("too many threads", done.stderr)

    def test_a_library_of_another_interface_is_refused(self):
        done = self.measure(self.library(version=2))
        self.assertEqual(done.returncode, 1)
        self.assertIn("interface version 2, expected 1", done.stderr)


if __name__ == "__main__":
    unittest.main()
