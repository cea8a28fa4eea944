// Inputs whose values are given at compile time, against ONNX Runtime, which gets them at run time.
// RUN: %python %S/Inputs/values.py %t | FileCheck %s
// CHECK: ['agrees', 'agrees']

// They are constants of the module, which does not take them.
// RUN: relayc compile %t.onnx --value "shape=[2,-1]" --value rate=8000 --value flag=false --value "table=[[1], [2], [3]]" --shape x=3,4 -o %t.so
// RUN: relayc inspect %t.so | FileCheck %s --check-prefix=INPUTS
// INPUTS-NOT: rate

// What is no value of the input's type, or is said twice.
// RUN: not relayc compile %t.onnx --value rate=1.5 -o %t.so 2>&1 | FileCheck %s --check-prefix=NO-INTEGER
// NO-INTEGER: value '1.5' of input 'rate' (int64[]): it holds a float in the place of i64
// RUN: not relayc compile %t.onnx --value "shape=[1,2,3]" -o %t.so 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: value '[1,2,3]' of input 'shape' (int64[2]): its shape is [3], that of the input [2]
// RUN: not relayc compile %t.onnx --value "shape=[1,2" -o %t.so 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: '[1,2' is no value: a list ends with ']'
// RUN: not relayc compile %t.onnx --value "table=[[1], [2], [3]]" --shape table=3,1 -o %t.so 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: a shape and a value are given for input 'table'; leave --shape out: the value has a shape
// RUN: not relayc compile %S/../../examples/tour/layer.mlir --value x=1 -o %t.so 2>&1 | FileCheck %s --check-prefix=OURS
// OURS: its function takes all of its inputs; --value is for files of other frameworks
