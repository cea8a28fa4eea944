// RUN: split-file %s %t
// RUN: relay-opt --collage-partition="targets=dnnl costs=%t/external.json" --remarks-filter=placement %t/in.mlir 2>&1 \
// RUN:   | FileCheck %t/in.mlir --check-prefix=EXTERNAL
// RUN: relay-opt --collage-partition="targets=dnnl costs=%t/host.json" %t/in.mlir | FileCheck %t/in.mlir --check-prefix=HOST
// RUN: relay-opt --collage-partition="targets=dnnl,c costs=%t/mixed.json report=true" %t/in.mlir 2>&1 | FileCheck %t/in.mlir --check-prefix=MIXED
// RUN: relay-opt --collage-partition="rules=%t/own.pat costs=%t/own.json" %t/in.mlir | FileCheck %t/in.mlir --check-prefix=OWN
// RUN: relay-opt --collage-partition="targets=dnnl,c costs=%t/mixed.json width=1" --remarks-filter=placement %t/in.mlir 2>&1 \
// RUN:   | FileCheck %t/in.mlir --check-prefix=NARROW

// The passes that follow make functions of what was chosen.
// RUN: relay-opt --collage-partition="targets=dnnl costs=%t/external.json" --merge-compiler-regions --partition-graph %t/in.mlir \
// RUN:   | FileCheck %t/in.mlir --check-prefix=PARTS

//--- external.json
{"dnnl": 100, "host.exp": 20, "host.multiply": 20, "host.add+nn.relu+multiply": 300, "host": 150}
//--- host.json
{"dnnl": 100, "host": 90}
//--- mixed.json
{"dnnl.dense_bias_relu": 500, "dnnl.dense_bias": 100, "dnnl": 110, "c.unary": 25, "c": 1000,
 "host.nn.relu": 20, "host.nn.relu+exp": 60, "host": 300}
//--- own.json
{"own": 1, "host.nn.dense+add": 2, "host": 10}
//--- own.pat
rule own.exp {
  match exp(nn.relu(_))
}

//--- in.mlir

// As one function all of these cost 150 here, and somebody else takes all but the last one.
// EXTERNAL: remark: {{.*}}host.exp{{.*}}placement{{.*}}relay.exp in 20 ns
// EXTERNAL: remark: {{.*}}dnnl.dense_bias_relu{{.*}}placement{{.*}}relay.nn.dense, relay.add, relay.nn.relu in 100 ns
// EXTERNAL-LABEL: func.func @chain
// EXTERNAL: call @dnnl_dense_bias_relu_0(%{{.*}}) {relay.target = "dnnl"}
// EXTERNAL-NEXT: relay.exp
// HOST-LABEL: func.func @chain
// HOST-NOT: call
// HOST: return

// The largest match is not the cheapest.
// MIXED: c: 1 functions, 25.0ns
// MIXED-NEXT: dnnl: 1 functions, 100.0ns
// MIXED-NEXT: host: 3 functions, 620.0ns
// MIXED-NEXT: together 745.0ns, and 900.0ns with this compiler alone
// MIXED-LABEL: func.func @chain
// MIXED: %[[D:.*]] = call @dnnl_dense_bias_0(%{{.*}}) {relay.target = "dnnl"}
// MIXED-NEXT: %[[R:.*]] = relay.nn.relu %[[D]]
// MIXED-NEXT: call @c_unary_0(%[[R]]) {relay.target = "c"}
// NARROW: remark: {{.*}}bounded{{.*}}more ways than the 1
// OWN-LABEL: func.func @chain
// OWN: relay.add
// OWN-NEXT: call @own_exp_0(%{{.*}}) {relay.target = "own"}

// PARTS-LABEL: func.func private @dnnl_chain_0
// PARTS-LABEL: func.func @chain
// PARTS: call @dnnl_chain_0(
// PARTS-NEXT: relay.exp
// PARTS-LABEL: module @dnnl attributes {relay.compiler = "dnnl"}
// PARTS: call @dnnl_dense_bias_relu_0(
func.func @chain(%x: tensor<8x16xf32>) -> tensor<8x4xf32> {
  %w = relay.constant dense<1.0> : tensor<4x16xf32>
  %b = relay.constant dense<1.0> : tensor<4xf32>
  %0 = relay.nn.dense %x, %w : (tensor<8x16xf32>, tensor<4x16xf32>) -> tensor<8x4xf32>
  %1 = relay.add %0, %b : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %2 = relay.nn.relu %1 : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %3 = relay.exp %2 : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}

// A branch is looked into. What is read twice is computed once; a larger match would hide it.
// EXTERNAL-LABEL: func.func @branches
// EXTERNAL: relay.if
// EXTERNAL-NEXT: %[[A:.*]] = func.call @dnnl_add_0(%{{.*}}) {relay.target = "dnnl"}
// EXTERNAL-NEXT: %[[B:.*]] = func.call @dnnl_relu_0(%[[A]]) {relay.target = "dnnl"}
// EXTERNAL-NEXT: relay.multiply %[[A]], %[[B]]
// HOST-LABEL: func.func @branches
// HOST-NOT: call
// HOST: return
func.func @branches(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    %1 = relay.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %2 = relay.nn.relu %1 : (tensor<4xf32>) -> tensor<4xf32>
    %3 = relay.multiply %1, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    relay.yield %3 : tensor<4xf32>
  } else {
    relay.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// What depends on constants only is left to fold-constant, and what has a target keeps it.
// EXTERNAL-LABEL: func.func @settled
// EXTERNAL: relay.nn.relu %{{.*}} : (
// EXTERNAL-NEXT: relay.nn.relu %{{.*}} {relay.target = "other"}
// EXTERNAL-NEXT: relay.multiply
func.func @settled(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = relay.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = relay.nn.relu %k : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.nn.relu %x {relay.target = "other"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.multiply %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
