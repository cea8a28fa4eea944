// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @scope() {
  // expected-error@+1 {{expected string or keyword containing one of the following enum values for attribute 'scope' [global, local]}}
  %0 = tir.alloc_buffer heap : memref<4xf32>
  return
}

// -----

func.func @constant() {
  // expected-error@+1 {{the value is not of the buffer's shape and element type, memref<3xf32>}}
  %0 = tir.allocate_const {value = dense<1.0> : tensor<2xf32>} : memref<3xf32>
  return
}

// -----

func.func @dynamic(%n: index) {
  // expected-error@+1 {{has the dynamic type memref<?xf32>}}
  %0 = tir.alloc_buffer local : memref<?xf32>
  return
}
