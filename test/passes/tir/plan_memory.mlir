// RUN: relay-opt %s --plan-memory | FileCheck %s

func.func private @kernel(%a: memref<16xf32>, %b: memref<16xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  return
}

// A kernel's own buffer becomes a parameter.
// CHECK-LABEL: func.func private @workspace
// CHECK-SAME: memref<16xf32>, %{{.+}}: memref<64xf32>)
func.func private @workspace(%a: memref<16xf32>, %b: memref<16xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  // CHECK-NOT: tir.alloc_buffer
  %c0 = arith.constant 0 : index
  %t = tir.alloc_buffer : memref<64xf32>
  %v = memref.load %a[%c0] : memref<16xf32>
  memref.store %v, %t[%c0] : memref<64xf32>
  return
}

// %0 is dead when %2 is made, so that both take the same bytes; %1 is alive beside both.
// CHECK-LABEL: func.func @main
// CHECK-SAME: , %[[ARENA:[a-z0-9]+]]: memref<128xi8>) attributes {relay.arena_bytes = 128 : i64
func.func @main(%in: memref<16xf32>, %out: memref<16xf32>) attributes {relay.num_inputs = 1 : i64} {
  // CHECK: %[[AT0:.+]] = arith.constant 0 : index
  // CHECK: %[[V0:.+]] = memref.view %[[ARENA]][%[[AT0]]][]
  // CHECK: %[[AT1:.+]] = arith.constant 64 : index
  // CHECK: %[[V1:.+]] = memref.view %[[ARENA]][%[[AT1]]][]
  // CHECK: %[[AT2:.+]] = arith.constant 0 : index
  // CHECK: %[[V2:.+]] = memref.view %[[ARENA]][%[[AT2]]][]
  // CHECK: call @kernel(%{{.+}}, %[[V0]])
  %0 = tir.alloc_buffer : memref<16xf32>
  %1 = tir.alloc_buffer : memref<16xf32>
  %2 = tir.alloc_buffer : memref<16xf32>
  call @kernel(%in, %0) : (memref<16xf32>, memref<16xf32>) -> ()
  call @kernel(%0, %1) : (memref<16xf32>, memref<16xf32>) -> ()
  call @kernel(%1, %2) : (memref<16xf32>, memref<16xf32>) -> ()
  call @kernel(%2, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @hoisted
// CHECK-SAME: attributes {relay.arena_bytes = 256 : i64
func.func @hoisted(%in: memref<16xf32>, %out: memref<16xf32>) attributes {relay.num_inputs = 1 : i64} {
  // CHECK: %[[W:.+]] = memref.view
  // CHECK: call @workspace(%{{.+}}, %{{.+}}, %[[W]])
  call @workspace(%in, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// What a loop carries is read behind it: nothing takes its bytes before.
// CHECK-LABEL: func.func @carried
// CHECK-SAME: attributes {relay.arena_bytes = 192 : i64
func.func @carried(%in: memref<16xf32>, %out: memref<16xf32>) attributes {relay.num_inputs = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0 = tir.alloc_buffer : memref<16xf32>
  %1 = tir.alloc_buffer : memref<16xf32>
  call @kernel(%in, %0) : (memref<16xf32>, memref<16xf32>) -> ()
  %last:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %0, %b = %1) -> (memref<16xf32>, memref<16xf32>) {
    func.call @kernel(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
    scf.yield %b, %a : memref<16xf32>, memref<16xf32>
  }
  %2 = tir.alloc_buffer : memref<16xf32>
  call @kernel(%in, %2) : (memref<16xf32>, memref<16xf32>) -> ()
  call @kernel(%last#0, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// Buffers of a step share bytes as those of a function do; those around the loop are alive in all steps.
// CHECK-LABEL: func.func @step
// CHECK-SAME: attributes {relay.arena_bytes = 192 : i64
func.func @step(%in: memref<16xf32>, %out: memref<16xf32>) attributes {relay.num_inputs = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0 = tir.alloc_buffer : memref<16xf32>
  call @kernel(%in, %0) : (memref<16xf32>, memref<16xf32>) -> ()
  scf.for %i = %c0 to %c8 step %c1 {
    %1 = tir.alloc_buffer : memref<16xf32>
    %2 = tir.alloc_buffer : memref<16xf32>
    %3 = tir.alloc_buffer : memref<16xf32>
    func.call @kernel(%0, %1) : (memref<16xf32>, memref<16xf32>) -> ()
    func.call @kernel(%1, %2) : (memref<16xf32>, memref<16xf32>) -> ()
    func.call @kernel(%2, %3) : (memref<16xf32>, memref<16xf32>) -> ()
    func.call @kernel(%3, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  }
  return
}

// A function that is neither a kernel nor calls any stays.
// CHECK-LABEL: func.func @other() {
func.func @other() {
  return
}

// Two channels of one image each, put together.
func.func private @join(%a: memref<1x2x16xf32>, %b: memref<1x2x16xf32>, %out: memref<1x4x16xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  tir.for %i = 0 to 4 parallel {
    %n = arith.divsi %i, %c4 : index
    %c = arith.remsi %i, %c4 : index
    %first = arith.cmpi slt, %c, %c2 : index
    %v = scf.if %first -> (vector<16xf32>) {
      %x = vector.load %a[%n, %c, %c0] : memref<1x2x16xf32>, vector<16xf32>
      scf.yield %x : vector<16xf32>
    } else {
      %rest = arith.subi %c, %c2 : index
      %y = vector.load %b[%n, %rest, %c0] : memref<1x2x16xf32>, vector<16xf32>
      scf.yield %y : vector<16xf32>
    }
    vector.store %v, %out[%n, %c, %c0] : memref<1x4x16xf32>, vector<16xf32>
  }
  return
}

// The same of two images: channels of an image are apart in the result.
func.func private @join_images(%a: memref<2x2x16xf32>, %b: memref<2x2x16xf32>, %out: memref<2x4x16xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  tir.for %i = 0 to 8 parallel {
    %n = arith.divsi %i, %c4 : index
    %c = arith.remsi %i, %c4 : index
    %first = arith.cmpi slt, %c, %c2 : index
    %v = scf.if %first -> (vector<16xf32>) {
      %x = vector.load %a[%n, %c, %c0] : memref<2x2x16xf32>, vector<16xf32>
      scf.yield %x : vector<16xf32>
    } else {
      %rest = arith.subi %c, %c2 : index
      %y = vector.load %b[%n, %rest, %c0] : memref<2x2x16xf32>, vector<16xf32>
      scf.yield %y : vector<16xf32>
    }
    vector.store %v, %out[%n, %c, %c0] : memref<2x4x16xf32>, vector<16xf32>
  }
  return
}

func.func private @make(%out: memref<1x2x16xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %out[%c0, %c0, %c0] : memref<1x2x16xf32>
  return
}

// Both parts are made where they end up.
// CHECK-LABEL: func.func @joined
// CHECK-SAME: %[[ARENA:[a-z0-9]+]]: memref<256xi8>) attributes {relay.arena_bytes = 256 : i64
func.func @joined(%out: memref<1xf32>) attributes {relay.num_inputs = 0 : i64} {
  // CHECK: %[[AT0:.+]] = arith.constant 0 : index
  // CHECK: %[[V0:.+]] = memref.view %[[ARENA]][%[[AT0]]][]
  // CHECK: %[[AT1:.+]] = arith.constant 128 : index
  // CHECK: %[[V1:.+]] = memref.view %[[ARENA]][%[[AT1]]][]
  // CHECK: call @make(%[[V0]])
  // CHECK: call @make(%[[V1]])
  // CHECK-NOT: call @join
  // CHECK: call @use
  %a = tir.alloc_buffer : memref<1x2x16xf32>
  %b = tir.alloc_buffer : memref<1x2x16xf32>
  %c = tir.alloc_buffer : memref<1x4x16xf32>
  call @make(%a) : (memref<1x2x16xf32>) -> ()
  call @make(%b) : (memref<1x2x16xf32>) -> ()
  call @join(%a, %b, %c) : (memref<1x2x16xf32>, memref<1x2x16xf32>, memref<1x4x16xf32>) -> ()
  call @use(%c, %out) : (memref<1x4x16xf32>, memref<1xf32>) -> ()
  return
}

func.func private @use(%in: memref<1x4x16xf32>, %out: memref<1xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %c0 = arith.constant 0 : index
  %v = memref.load %in[%c0, %c0, %c0] : memref<1x4x16xf32>
  memref.store %v, %out[%c0] : memref<1xf32>
  return
}

// One buffer cannot be two parts, what belongs to the caller stays where it is, and a buffer that is
// written again later is no part of anything.
// CHECK-LABEL: func.func @not_joined
func.func @not_joined(%in: memref<1x2x16xf32>, %out: memref<1xf32>) attributes {relay.num_inputs = 1 : i64} {
  // CHECK-COUNT-3: call @join
  %a = tir.alloc_buffer : memref<1x2x16xf32>
  %b = tir.alloc_buffer : memref<1x2x16xf32>
  %c = tir.alloc_buffer : memref<1x2x16xf32>
  %x = tir.alloc_buffer : memref<1x4x16xf32>
  %y = tir.alloc_buffer : memref<1x4x16xf32>
  %z = tir.alloc_buffer : memref<1x4x16xf32>
  call @make(%a) : (memref<1x2x16xf32>) -> ()
  call @join(%a, %a, %x) : (memref<1x2x16xf32>, memref<1x2x16xf32>, memref<1x4x16xf32>) -> ()
  call @join(%a, %in, %y) : (memref<1x2x16xf32>, memref<1x2x16xf32>, memref<1x4x16xf32>) -> ()
  call @make(%b) : (memref<1x2x16xf32>) -> ()
  call @make(%c) : (memref<1x2x16xf32>) -> ()
  call @join(%b, %c, %z) : (memref<1x2x16xf32>, memref<1x2x16xf32>, memref<1x4x16xf32>) -> ()
  call @make(%c) : (memref<1x2x16xf32>) -> ()
  call @use(%x, %out) : (memref<1x4x16xf32>, memref<1xf32>) -> ()
  call @use(%y, %out) : (memref<1x4x16xf32>, memref<1xf32>) -> ()
  call @use(%z, %out) : (memref<1x4x16xf32>, memref<1xf32>) -> ()
  return
}

func.func private @make_images(%out: memref<2x2x16xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %out[%c0, %c0, %c0] : memref<2x2x16xf32>
  return
}

// CHECK-LABEL: func.func @images
func.func @images(%out: memref<2x4x16xf32>) attributes {relay.num_inputs = 0 : i64} {
  // CHECK: call @join_images
  %a = tir.alloc_buffer : memref<2x2x16xf32>
  %b = tir.alloc_buffer : memref<2x2x16xf32>
  %c = tir.alloc_buffer : memref<2x4x16xf32>
  call @make_images(%a) : (memref<2x2x16xf32>) -> ()
  call @make_images(%b) : (memref<2x2x16xf32>) -> ()
  call @join_images(%a, %b, %c) : (memref<2x2x16xf32>, memref<2x2x16xf32>, memref<2x4x16xf32>) -> ()
  call @join_images(%a, %b, %out) : (memref<2x2x16xf32>, memref<2x2x16xf32>, memref<2x4x16xf32>) -> ()
  return
}

// Each element after the same element of both inputs. A call below writes %out where its %a lies, none where its %b does.
// CHECK: func.func private @add{{.*}} attributes {tir.in_place = array<i64: 0, 2>, tir.kernel = #tir.kernel<generated>}
func.func private @add(%a: memref<4x16xf32>, %b: memref<4x16xf32>, %out: memref<4x16xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  tir.for %i = 0 to 4 parallel {
    %q = arith.divsi %i, %c2 : index
    %r = arith.remsi %i, %c2 : index
    %h = arith.muli %q, %c2 : index
    %j = arith.addi %h, %r : index
    %x = vector.load %a[%j, %c0] : memref<4x16xf32>, vector<16xf32>
    %y = vector.load %b[%i, %c0] : memref<4x16xf32>, vector<16xf32>
    %z = arith.addf %x, %y : vector<16xf32>
    vector.store %z, %out[%i, %c0] : memref<4x16xf32>, vector<16xf32>
  }
  return
}

// Another row: it may have been overwritten.
// CHECK: func.func private @reverse{{.*}} attributes {tir.kernel = #tir.kernel<generated>}
func.func private @reverse(%a: memref<4x16xf32>, %out: memref<4x16xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  tir.for %i = 0 to 4 parallel {
    %j = arith.subi %c3, %i : index
    %x = vector.load %a[%j, %c0] : memref<4x16xf32>, vector<16xf32>
    vector.store %x, %out[%i, %c0] : memref<4x16xf32>, vector<16xf32>
  }
  return
}

// Each row twice: the second time it would read what it wrote the first time.
// CHECK: func.func private @twice{{.*}} attributes {tir.kernel = #tir.kernel<generated>}
func.func private @twice(%a: memref<4x16xf32>, %out: memref<4x16xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %c0 = arith.constant 0 : index
  tir.for %i = 0 to 4 parallel {
    tir.for %k = 0 to 2 {
      %x = vector.load %a[%i, %c0] : memref<4x16xf32>, vector<16xf32>
      %y = arith.addf %x, %x : vector<16xf32>
      vector.store %y, %out[%i, %c0] : memref<4x16xf32>, vector<16xf32>
    }
  }
  return
}

// Only the first call may overwrite an input: %b is read again by the second.
// CHECK-LABEL: func.func @in_place
// CHECK-SAME: relay.arena_bytes = 768 : i64
func.func @in_place(%in: memref<4x16xf32>, %out: memref<4x16xf32>) attributes {relay.num_inputs = 1 : i64} {
  %a = tir.alloc_buffer : memref<4x16xf32>
  %b = tir.alloc_buffer : memref<4x16xf32>
  %c = tir.alloc_buffer : memref<4x16xf32>
  %d = tir.alloc_buffer : memref<4x16xf32>
  %e = tir.alloc_buffer : memref<4x16xf32>
  call @reverse(%in, %a) : (memref<4x16xf32>, memref<4x16xf32>) -> ()
  call @twice(%in, %b) : (memref<4x16xf32>, memref<4x16xf32>) -> ()
  call @add(%a, %b, %c) : (memref<4x16xf32>, memref<4x16xf32>, memref<4x16xf32>) -> ()
  call @reverse(%c, %d) : (memref<4x16xf32>, memref<4x16xf32>) -> ()
  call @twice(%d, %e) : (memref<4x16xf32>, memref<4x16xf32>) -> ()
  call @add(%b, %e, %out) : (memref<4x16xf32>, memref<4x16xf32>, memref<4x16xf32>) -> ()
  return
}

// Nobody knows what an external kernel reads and writes: its operands share no bytes, though nothing reads %0 after it.
// CHECK-LABEL: func.func @external
// CHECK-SAME: attributes {relay.arena_bytes = 128 : i64
func.func private @from_outside(memref<16xf32>, memref<16xf32>) attributes {tir.kernel = #tir.kernel<external>}
func.func @external(%in: memref<16xf32>, %out: memref<16xf32>) attributes {relay.num_inputs = 1 : i64} {
  %0 = tir.alloc_buffer : memref<16xf32>
  %1 = tir.alloc_buffer : memref<16xf32>
  call @kernel(%in, %0) : (memref<16xf32>, memref<16xf32>) -> ()
  call @from_outside(%0, %1) : (memref<16xf32>, memref<16xf32>) -> ()
  call @kernel(%1, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// Buffers that need the value of a computed symbol are in arenas of their own, which there are once it is known.
// CHECK-LABEL: func.func @computed
// CHECK-SAME: relay.arena_bytes = 64 : i64, relay.later_arenas = ["64*((k + 15) / 16)", "64*((k*m + 15) / 16)"]
// CHECK: %[[K:.*]] = call @relay_rt_define_0
// CHECK-NEXT: %[[ARENA:.*]] = call @relay_rt_arena_0() : () -> memref<1xi8>
// CHECK: memref.view %[[ARENA]][%{{.*}}][%[[K]]] : memref<1xi8> to memref<?xf32>
// CHECK: %[[M:.*]] = call @relay_rt_define_1
// CHECK-NEXT: %[[NEXT:.*]] = call @relay_rt_arena_1() : () -> memref<1xi8>
// CHECK: memref.view %[[NEXT]][%{{.*}}][%[[K]], %[[M]]] : memref<1xi8> to memref<?x?xf32>
func.func private @relay_rt_define_0(i64, i64, i64) -> index
func.func private @relay_rt_define_1(i64, i64, i64) -> index
func.func private @take(memref<i64>)
func.func private @take_list(memref<?xf32>)
func.func private @take_matrix(memref<?x?xf32>)
func.func @computed(%n: i64) attributes {relay.num_inputs = 1 : i64} {
  %0 = tir.alloc_buffer : memref<i64>
  call @take(%0) : (memref<i64>) -> ()
  %k = call @relay_rt_define_0(%n, %n, %n) {relay.defines = "k"} : (i64, i64, i64) -> index
  %1 = tir.alloc_buffer {dims = ["k"]} : memref<?xf32>
  call @take_list(%1) : (memref<?xf32>) -> ()
  %m = call @relay_rt_define_1(%n, %n, %n) {relay.defines = "m"} : (i64, i64, i64) -> index
  %2 = tir.alloc_buffer {dims = ["k", "m"]} : memref<?x?xf32>
  call @take_matrix(%2) : (memref<?x?xf32>) -> ()
  return
}
