// Weights beside Relay's own text, in the bytes of TVM's relay.save_param_dict: parameters of @main become constants, whether the text says
// their types or not.
// REQUIRES: time
// RUN: split-file %s %t
// RUN: %python %S/Inputs/tvm_params.py %t
// RUN: relayc run %t/dense.relay --params %t/all.params --inputs %t/inputs.npz --outputs %t/outputs.npz
// RUN: %python %S/Inputs/tvm_params.py %t %t/outputs.npz | FileCheck %s
// CHECK: agrees

// What is not given stays an input.
// RUN: relayc inspect %t/dense.relay --params %t/some.params | FileCheck %s --check-prefix=SOME
// SOME: inputs:
// SOME-NEXT: x:
// SOME-NEXT: v:
// SOME-NEXT: n:
// SOME-NEXT: outputs:

// RUN: not relayc inspect %t/dense.relay --params %t/other.params 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: other.params: 'w': its shape is [8, 16], and in the model [16, 8]
// RUN: not relayc inspect %t/dense.relay --params %t/unknown.params 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: unknown.params: the model has no weight or input for 'u'
// RUN: not relayc inspect %t/dense.relay --params %t/cut.params 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: cut.params: {{.*}}array 'w': the file is cut short

//--- dense.relay
def @main(%x: Tensor[(2, 8), float32], %w: Tensor[(16, 8), float32], %b: Tensor[(16), float32], %v: Tensor[(4, 16), float32], %n: Tensor[(), int32]) {
  %0 = nn.dense(%x, %w, units=None);
  %1 = nn.bias_add(%0, %b);
  %2 = nn.relu(%1);
  %3 = nn.dense(%2, %v, units=None);
  multiply(%3, cast(%n, dtype="float32"))
}
