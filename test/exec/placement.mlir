// Models of which the cheapest of several external code generators and this compiler write the code, against ONNX Runtime.
// REQUIRES: time
// REQUIRES: dnnl
// RUN: split-file %s %t
// RUN: %python %S/Inputs/external.py write %t.onnx %t.in.npz %t.expected.npz

// A table decides the same on every machine: large matches, small ones, and a bit of each.
// RUN: relayc run %t.onnx --codegen=dnnl,c --placement=%t/large.json --inputs %t.in.npz --outputs %t.large.npz -q
// RUN: relayc run %t.onnx --codegen=dnnl,c --placement=%t/small.json --inputs %t.in.npz --outputs %t.small.npz -q
// RUN: relayc run %t.onnx --codegen=dnnl,c --placement=%t/mixed.json --inputs %t.in.npz --outputs %t.mixed.npz -q
// RUN: %python %S/Inputs/external.py check %t.expected.npz %t.large.npz %t.small.npz %t.mixed.npz

// What is dearer stays, and a large match is left where small ones are cheaper.
// RUN: relayc compile %t.onnx --codegen=dnnl --placement=%t/host.json --emit relay -o %t.mlir -q
// RUN: FileCheck %s --check-prefix=HOST --input-file %t.mlir
// HOST-NOT: relay.compiler
// RUN: relayc compile %t.onnx --codegen=dnnl,c --placement=%t/small.json --emit relay -o %t.mlir -q
// RUN: FileCheck %s --check-prefix=SMALL --input-file %t.mlir
// SMALL-DAG: Composite = "dnnl.conv"
// SMALL-DAG: Composite = "c.binary"
// SMALL-NOT: Composite = "dnnl.conv_bias"

// RUN: not relayc compile %t.onnx --placement=measured -o %t.so 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not relayc compile %t.onnx --codegen=c --placement=fast -o %t.so 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not relayc compile %t.onnx --codegen=c --placement=measured --target x86-64-v3 -o %t.so 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// NOBODY: error[R0208]: a placement chooses between external code generators; name one: --codegen=dnnl
// WRONG: the placement is 'fast'; there are first, measured, and files of costs
// ELSEWHERE: error[R0208]: a measured placement is for this machine, and the target is x86-64-v3

//--- large.json
{"dnnl": 1, "c": 2, "host": 100}
//--- small.json
{"dnnl.conv": 1, "dnnl.dense": 1, "dnnl": 100, "c": 1, "host": 60}
//--- mixed.json
{"dnnl.conv_bias_relu": 9, "dnnl.conv_bias": 3, "dnnl": 6, "c.unary": 3, "c": 7, "host": 5}
//--- host.json
{"dnnl": 2, "host": 1}
