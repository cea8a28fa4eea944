// RUN: relay-opt %s --aot-lower-main --split-input-file --verify-diagnostics

// expected-error@+1 {{has a parameter or result of type tensor<?xf32>; lowering needs tensors whose extents are numbers or named}}
func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}

// -----

func.func @unfused(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{is not lowered here: run fuse-ops first}}
  %0 = relay.nn.relu %a : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @copied(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{is not lowered here: run erase-devices first}}
  %0 = relay.device_copy %a {src_virtual_device = "cpu:0", dst_virtual_device = "cpu:1"} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// expected-error@+1 {{is no kernel yet: run relay-to-te and lower-te before aot-lower-main}}
func.func private @fused(%a: tensor<2xf32>) -> tensor<2xf32> attributes {relay.primitive} {
  %0 = relay.nn.relu %a : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @missing(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{calls 'nothing', which is not in the module}}
  %0 = relay.call_lowered @nothing(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// expected-error@+1 {{writes parameter 0 and only reads parameter 1: the outputs follow the inputs}}
func.func @main(%y: memref<4xf32>, %x: memref<4xf32>) {
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}

// -----

// The symbol of a branch has no value behind it.
func.func @behind_branch(%c: tensor<i1>, %n: tensor<i64>) -> tensor<i64> {
  %0 = relay.if %c : (tensor<i1>) -> tensor<i64> {
    relay.dim_of %n {symbol = "k"} : (tensor<i64>) -> ()
    relay.yield %n : tensor<i64>
  } else {
    relay.yield %n : tensor<i64>
  }
  // expected-error@+1 {{needs the value of 'k', which no input of the graph has as an extent, and nothing before computes}}
  %1 = relay.call_lowered @filled(%0) : (tensor<i64>) -> tensor<?xi64, ["k"]>
  return %0 : tensor<i64>
}
func.func private @filled(%x: memref<i64>, %y: memref<?xi64> {relay.dims = ["k"]}, %k: index)
    attributes {tir.kernel = #tir.kernel<generated>, tir.symbols = ["k"]} {
  return
}

// -----

func.func @twice(%x: tensor<?xf32, ["k"]>, %n: tensor<i64>) -> tensor<i64> {
  // expected-error@+1 {{'k' has a value already: give it another name}}
  relay.dim_of %n {symbol = "k"} : (tensor<i64>) -> ()
  return %n : tensor<i64>
}

// -----

func.func @bound(%n: tensor<i64>) -> tensor<i64> {
  // expected-error@+1 {{has a bound of symbols without values}}
  relay.dim_of %n {symbol = "k", most = "m"} : (tensor<i64>) -> ()
  return %n : tensor<i64>
}

// -----

func.func private @kernel(%x: memref<?xf32> {relay.dims = ["k"]}, %k: index)
    attributes {tir.kernel = #tir.kernel<generated>, tir.symbols = ["k"]} {
  return
}
func.func @early(%n: tensor<i64>) -> tensor<?xf32, ["k"]> {
  // expected-error@+1 {{needs the value of 'k', which no input of the graph has as an extent, and nothing before computes}}
  %0 = relay.call_lowered @kernel() : () -> tensor<?xf32, ["k"]>
  relay.dim_of %n {symbol = "k"} : (tensor<i64>) -> ()
  return %0 : tensor<?xf32, ["k"]>
}

// -----

// expected-error@+1 {{has an input whose relay.donated is no number of an output}}
func.func @no_output(%a: tensor<2xf32> {relay.donated = 1 : i64}) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}

// -----

// expected-error@+1 {{has an input of type tensor<2xf32> donated to output 0 of type tensor<3xf32>}}
func.func @other_type(%a: tensor<2xf32> {relay.donated = 0 : i64}, %b: tensor<3xf32>) -> tensor<3xf32> {
  return %b : tensor<3xf32>
}

// -----

// expected-error@+1 {{has two inputs donated to output 0}}
func.func @twice(%a: tensor<2xf32> {relay.donated = 0 : i64}, %b: tensor<2xf32> {relay.donated = 0 : i64}) -> tensor<2xf32> {
  return %b : tensor<2xf32>
}
