// Models compiled from Python, reports on them, and sessions with the calls of ONNX Runtime.
// REQUIRES: time
// RUN: %package
// RUN: cd %examples/../python/tests && %pytest/test_compiler.py test_report.py test_session.py test_quantize.py
