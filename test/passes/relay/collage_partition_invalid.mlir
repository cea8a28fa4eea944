// RUN: split-file %s %t
// RUN: not relay-opt --collage-partition %t/in.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not relay-opt --collage-partition=targets=fpga %t/in.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not relay-opt --collage-partition="targets=c width=0" %t/in.mlir 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not relay-opt --collage-partition="targets=c margin=-1" %t/in.mlir 2>&1 | FileCheck %s --check-prefix=MARGIN
// RUN: not relay-opt --collage-partition="targets=c costs=%t/no.json" %t/in.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not relay-opt --collage-partition="targets=c costs=%t/list.json" %t/in.mlir 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not relay-opt --collage-partition="targets=c costs=%t/negative.json" %t/in.mlir 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not relay-opt --collage-partition="rules=%t/with.pat" %t/in.mlir 2>&1 | FileCheck %s --check-prefix=WITH
// RUN: not relay-opt --collage-partition="rules=%t/test.pat" %t/in.mlir 2>&1 | FileCheck %s --check-prefix=NOBODY

// NONE: error: {{.*}}needs code generators to choose from: targets=, of which there are c and dnnl, or rules=
// UNKNOWN: error: {{.*}}knows no rules of 'fpga'
// WIDTH: error: {{.*}}is given a width below 1
// MARGIN: error: {{.*}}is given a margin below 0
// MISSING: no.json{{.*}}error: cannot read costs
// LIST: list.json{{.*}}error: is no table of costs: {{.*}}; write {"dnnl.conv_relu": 1500, "host": 2000}, in nanoseconds
// NEGATIVE: negative.json{{.*}}error: says that 'host' costs -1, which is less than nothing
// WITH: with.pat:1:6: error: this rule says 'with' what to replace its match
// NOBODY: in.mlir:3:8: error: {{.*}}cannot be measured as 'test.relu': {{.*}}--codegen=test; costs=FILE may say what it costs

//--- list.json
[1, 2]
//--- negative.json
{"host": -1}
//--- with.pat
rule test.relu {
  match nn.relu(%x)
  with %x
}
//--- test.pat
rule test.relu {
  match nn.relu(_)
}
//--- in.mlir

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
