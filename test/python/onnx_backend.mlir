// relay_mlir.backend, an onnx.backend. test/import/onnx_cases.mlir runs onnx's own cases by it.
// REQUIRES: time
// RUN: %package
// RUN: %pytest/test_backend.py
