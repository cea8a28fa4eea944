// What a kernel's tensors may not hold.
// RUN: relay-opt %s --lower-te --split-input-file --verify-diagnostics

func.func @made(%a: tensor<4xi3>) -> tensor<4xi3> {
  // expected-error@+1 {{makes tensor<4xi3>: i3 is no element type; these are: i1, i8, i16}}
  %b = te.compute "b" (%i: 4) {
    %x = tensor.extract %a[%i] : tensor<4xi3>
    te.yield %x : i3
  } : tensor<4xi3>
  return %b : tensor<4xi3>
}

// -----

// expected-error@+1 {{has a tensor of type tensor<4xcomplex<f32>>: complex<f32> is no element type}}
func.func @read(%a: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %b = te.compute "b" (%i: 4) {
    %x = tensor.extract %a[%i] : tensor<4xcomplex<f32>>
    %y = complex.re %x : complex<f32>
    te.yield %y : f32
  } : tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

func.func @buffer() {
  // expected-error@+1 {{makes memref<4xf8E3M4>: f8E3M4 is no element type}}
  %b = tir.alloc_buffer : memref<4xf8E3M4>
  return
}
