// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @scope() {
  // expected-error@+2 {{expected ::relay_mlir::tir::Scope to be one of: global, local}}
  // expected-error@+1 {{failed to parse}}
  %0 = tir.alloc_buffer : memref<4xf32, #tir.scope<heap>>
  return
}

// -----

func.func @space() {
  // expected-error@+1 {{has the type memref<4xf32, 3 : i32>, whose memory space is no scope of tir other than global (C2)}}
  %0 = tir.alloc_buffer : memref<4xf32, 3 : i32>
  return
}

// -----

// Memory that threads share has one way to be written: none.
func.func @global() {
  // expected-error@+1 {{whose memory space is no scope of tir other than global (C2)}}
  %0 = tir.alloc_buffer : memref<4xf32, #tir.scope<global>>
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
  // expected-error@+1 {{has the type memref<?xf32, #tir.scope<local>>, whose dimensions nothing names (C1)}}
  %0 = tir.alloc_buffer : memref<?xf32, #tir.scope<local>>
  return
}

// -----

func.func @beyond_memory() {
  // expected-error@+1 {{makes memref<2147483648x2147483648x2147483648xf32>, which takes more than 2^47 bytes, which is all that a process can address (C4)}}
  %0 = tir.alloc_buffer : memref<2147483648x2147483648x2147483648xf32>
  return
}
