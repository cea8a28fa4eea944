// What is wrong is said of the line that says it, which is shown.
// RUN: split-file %s %t
// RUN: not relayc compile %t/vectorize.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=VECTORIZE --match-full-lines
// RUN: not relay-opt %t/vectorize.mlir --lower-te 2>&1 | FileCheck %s --check-prefix=OPT
// RUN: cd %t && not relayc compile named.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: not relayc compile %t/elsewhere.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// VECTORIZE: error[R0204]: pass lower-te failed:
// VECTORIZE-NEXT: {{.*}}vectorize.mlir:12:5: 'te.vectorize' op its vectors would have 4096 elements, and at most 512 can be: split the loop, and vectorize the inner part
// VECTORIZE-NEXT:{{ *}}    te.vectorize %ij
// VECTORIZE-NEXT:{{ *}}    ^
// OPT: vectorize.mlir:12:5: error: 'te.vectorize' op its vectors would have 4096 elements
// NAMED: activation(named.mlir:2:8): 'relay.nn.relu' op {{.*}}
// NAMED-NEXT: %0 = relay.nn.relu %x
// NAMED-NEXT: ^
// A place may be in anything: what is no file has no line.
// ELSEWHERE: /dev/zero:1:1: 'relay.nn.relu' op

//--- vectorize.mlir
func.func private @double(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %b = te.compute "b" (%i: 64, %j: 64) {
    %x = tensor.extract %a[%i, %j] : tensor<64x64xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<64x64xf32>

  te.schedule {
    %s = te.stage %b : tensor<64x64xf32>
    %i, %j = te.axes %s
    %ij = te.fuse %i, %j
    te.vectorize %ij
  }
  return %b : tensor<64x64xf32>
}
func.func @main(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = call @double(%a) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

//--- named.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<8xf32> loc("activation"("named.mlir":2:8))
  return %0 : tensor<8xf32>
}

//--- elsewhere.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<8xf32> loc("/dev/zero":1:1)
  return %0 : tensor<8xf32>
}
