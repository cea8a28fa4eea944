// The schedules of templates for a GPU: grids of blocks and threads.
// RUN: relay-opt %s --attach-target='target="nvidia/h100"' --relay-to-te | FileCheck %s

// CHECK: #[[$TURNED:.+]] = affine_map<(d0, d1) -> (d1, d0)>

// One thread computes an element.
// CHECK-LABEL: func.func private @elements
// CHECK-SAME: te.knobs = "gpu/elementwise threads=
// CHECK: te.schedule
// CHECK: %[[ALL:.+]] = te.fuse
// CHECK: %[[BLOCK:.+]], %[[THREAD:.+]] = te.split %[[ALL]]
// CHECK: te.bind %[[BLOCK]] blockIdx.x
// CHECK: te.bind %[[THREAD]] threadIdx.x
func.func private @elements(%x: tensor<3x1000xf32>) -> tensor<3x1000xf32> attributes {relay.primitive} {
  %0 = relay.nn.relu %x : (tensor<3x1000xf32>) -> tensor<3x1000xf32>
  return %0 : tensor<3x1000xf32>
}

// Each thread computes 16 bytes of neighbours.
// CHECK-LABEL: func.func private @vectors
// CHECK-SAME: te.knobs = "gpu/elementwise threads={{[0-9]+}} vector=4"
// CHECK: %[[LAST:.+]], %[[LANE:.+]] = te.split %{{.+}} {factor = 4 : i64}
// CHECK-NEXT: te.vectorize %[[LANE]]
// CHECK-NEXT: te.fuse %{{.+}}, %[[LAST]]
func.func private @vectors(%x: tensor<4096x1024xf32>, %y: tensor<4096x1xf32>) -> tensor<4096x1024xf32> attributes {relay.primitive} {
  %0 = relay.add %x, %y : (tensor<4096x1024xf32>, tensor<4096x1xf32>) -> tensor<4096x1024xf32>
  return %0 : tensor<4096x1024xf32>
}

// Vectors would end in the next row.
// CHECK-LABEL: func.func private @odd
// CHECK-SAME: te.knobs = "gpu/elementwise threads={{[0-9]+}} vector=1"
func.func private @odd(%x: tensor<4096x1023xf32>) -> tensor<4096x1023xf32> attributes {relay.primitive} {
  %0 = relay.nn.relu %x : (tensor<4096x1023xf32>) -> tensor<4096x1023xf32>
  return %0 : tensor<4096x1023xf32>
}

// A block copies a tile along the rows of what it reads. The rows of the copy have an odd number of words.
// CHECK-LABEL: func.func private @transpose
// CHECK-SAME: te.knobs = "gpu/transpose lines=
// CHECK: te.bind %[[BLOCK:.+]] blockIdx.x
// CHECK: %[[COPY:.+]] = te.cache_read %arg0 for %{{.+}} in shared
// CHECK-NEXT: te.compute_at %[[COPY]], %{{.+}}, %[[BLOCK]]
// CHECK: te.storage_align %[[COPY]], %{{.+}} {factor = 2 : i64, offset = 1 : i64}
func.func private @transpose(%x: tensor<8x64x56x56xf32>) -> tensor<8x56x56x64xf32> attributes {relay.primitive} {
  %0 = relay.transpose %x {axes = array<i64: 0, 2, 3, 1>} : (tensor<8x64x56x56xf32>) -> tensor<8x56x56x64xf32>
  return %0 : tensor<8x56x56x64xf32>
}

// Heads that change places with tokens stay rows of vectors.
// CHECK-LABEL: func.func private @heads
// CHECK-SAME: te.knobs = "gpu/elementwise threads={{[0-9]+}} vector={{4|8}}"
func.func private @heads(%x: tensor<8x512x12x64xf16>) -> tensor<8x12x512x64xf16> attributes {relay.primitive} {
  %0 = relay.transpose %x {axes = array<i64: 0, 2, 1, 3>} : (tensor<8x512x12x64xf16>) -> tensor<8x12x512x64xf16>
  return %0 : tensor<8x12x512x64xf16>
}

// A thread computes some rows of a column, whose windows share what it reads from shared memory.
// CHECK-LABEL: func.func private @depthwise
// CHECK-SAME: te.knobs = "gpu/window tile={{[0-9]+x[0-9]+x[0-9]+}} rows={{[2-8]}}"
// CHECK: te.cache_read %pad for %[[SUMS:.+]] in shared
// CHECK: te.cache_read %arg1 for %[[SUMS]] in shared
func.func private @depthwise(%x: tensor<1x96x112x112xf32>, %w: tensor<96x1x3x3xf32>) -> tensor<1x96x112x112xf32> attributes {relay.primitive} {
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>, groups = 96 : i64} : (tensor<1x96x112x112xf32>, tensor<96x1x3x3xf32>) -> tensor<1x96x112x112xf32>
  return %0 : tensor<1x96x112x112xf32>
}

// Windows that do not overlap share nothing.
// CHECK-LABEL: func.func private @apart
// CHECK-SAME: te.knobs = "gpu/reduce
func.func private @apart(%x: tensor<1x64x56x56xf32>) -> tensor<1x64x28x28xf32> attributes {relay.primitive} {
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x64x56x56xf32>) -> tensor<1x64x28x28xf32>
  return %0 : tensor<1x64x28x28xf32>
}

// The threads of a block share the sum of a row.
// CHECK-LABEL: func.func private @rows
// CHECK-SAME: te.knobs = "gpu/reduce rows=
// CHECK: %[[PARTIAL:.+]] = te.rfactor
// CHECK: te.bind %[[BLOCK:.+]] blockIdx.x
// CHECK: te.set_scope %[[PARTIAL]] shared
// CHECK-NEXT: te.compute_at %[[PARTIAL]], %{{.+}}, %[[BLOCK]]
func.func private @rows(%x: tensor<500x1700xf32>) -> tensor<500xf32> attributes {relay.primitive} {
  %0 = relay.sum %x {axis = array<i64: 1>, keepdims = false, exclude = false} : (tensor<500x1700xf32>) -> tensor<500xf32>
  return %0 : tensor<500xf32>
}

// Neighbouring threads sum neighbouring columns.
// CHECK-LABEL: func.func private @columns
// CHECK-SAME: te.knobs = "gpu/reduce threads=
func.func private @columns(%x: tensor<30x100000xf32>) -> tensor<100000xf32> attributes {relay.primitive} {
  %0 = relay.sum %x {axis = array<i64: 0>, keepdims = false, exclude = false} : (tensor<30x100000xf32>) -> tensor<100000xf32>
  return %0 : tensor<100000xf32>
}

// All blocks share one sum.
// CHECK-LABEL: func.func private @everything
// CHECK-SAME: te.knobs = "gpu/reduce parts=
// CHECK: te.rfactor
// CHECK: te.rfactor
func.func private @everything(%x: tensor<1000x1000xf32>) -> tensor<f32> attributes {relay.primitive} {
  %0 = relay.sum %x {axis = array<i64: 0, 1>, keepdims = false, exclude = false} : (tensor<1000x1000xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// The threads of a block copy the operands of a step. What they sum last is next to each other: the weight is turned.
// CHECK-LABEL: func.func private @dense
// CHECK-SAME: te.knobs = "gpu/product threads=
// CHECK: te.set_scope %[[SUMS:.+]] local
// CHECK: te.compute_at %[[SUMS]], %{{.+}}, %{{.+}}
// CHECK: %[[DATA:.+]] = te.cache_read %arg0 for %[[SUMS]] in shared
// CHECK-NEXT: te.compute_at %[[DATA]], %[[SUMS]], %[[STEP:.+]]
// CHECK: te.bind %{{.+}} threadIdx.x
// CHECK: %[[WEIGHT:.+]] = te.cache_read %arg1 for %[[SUMS]] in shared
// CHECK-NEXT: te.compute_at %[[WEIGHT]], %[[SUMS]], %[[STEP]]
// CHECK-NEXT: te.transform_layout %[[WEIGHT]] {map = #[[$TURNED]]}
// CHECK: te.bind %{{.+}} threadIdx.x
func.func private @dense(%x: tensor<128x768xf32>, %w: tensor<3072x768xf32>, %c: tensor<3072xf32>) -> tensor<128x3072xf32> attributes {relay.primitive} {
  %0 = relay.nn.dense %x, %w : (tensor<128x768xf32>, tensor<3072x768xf32>) -> tensor<128x3072xf32>
  %1 = relay.nn.bias_add %0, %c {axis = 1 : i64} : (tensor<128x3072xf32>, tensor<3072xf32>) -> tensor<128x3072xf32>
  return %1 : tensor<128x3072xf32>
}

// A step of a convolution has all taps of some channels.
// CHECK-LABEL: func.func private @conv
// CHECK-SAME: te.knobs = "gpu/product threads={{[0-9]+x[0-9]+x[0-9]+}} results={{[0-9]+x[0-9]+x[0-9]+}} depth={{[0-9]+}} taps=together"
// CHECK: te.cache_read %pad for %{{.+}} in shared
// CHECK: te.cache_read %arg1 for %{{.+}} in shared
func.func private @conv(%d: tensor<1x64x56x56xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32> attributes {relay.primitive} {
  %0 = relay.nn.conv2d %d, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64, channels = 64 : i64, kernel_size = array<i64: 3, 3>, data_layout = "NCHW", kernel_layout = "OIHW"} : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}

// A block computes all stages of a row. Each thread combines the sums of some threads for itself.
// CHECK-LABEL: func.func private @softmax
// CHECK-SAME: te.knobs = "gpu/rows threads=
// CHECK: te.compute_inline
// CHECK: te.bind %[[ROW:.+]] blockIdx.x
// CHECK: te.compute_at %{{.+}}, %softmax.stage, %[[ROW]]
func.func private @softmax(%x: tensor<12x128x300xf32>) -> tensor<12x128x300xf32> attributes {relay.primitive} {
  %0 = relay.nn.softmax %x {axis = -1 : i64} : (tensor<12x128x300xf32>) -> tensor<12x128x300xf32>
  return %0 : tensor<12x128x300xf32>
}

// An attention meets the keys in blocks of 32. One reduction combines the maximum, the sum and the result of each block.
// CHECK-LABEL: func.func private @attention(
// CHECK-SAME: te.knobs = "gpu/attention threads=
// CHECK: %[[SCORES:.+]] = te.compute "matmul" {{.+}} as matmul
// CHECK: %[[BLOCKS:.+]] = te.compute "blocks" (%b: 12, %i: 64, %block: 4, %k: 32)
// CHECK: %[[MAX:.+]] = te.compute "max" {{.+}} max (%{{.+}}: 32)
// CHECK: %[[ONLINE:.+]]:3 = te.compute "online" {{.+}} custom (%{{.+}}: 4) identity [0xFF800000 : f32, 0.000000e+00 : f32, 0.000000e+00 : f32]
// CHECK: te.compute "attention"
// CHECK-NOT: te.compute
// CHECK: te.schedule
// CHECK: %[[COMBINED:.+]] = te.stage %[[ONLINE]]#0
// CHECK-NEXT: te.set_scope %[[COMBINED]] local
// CHECK: te.compute_at %{{.+}}, %[[COMBINED]], %[[STEP:.+]]
func.func private @attention(%q: tensor<12x64x32xf32>, %k: tensor<12x32x128xf32>, %v: tensor<12x128x32xf32>) -> tensor<12x64x32xf32> attributes {relay.primitive} {
  %0 = relay.nn.batch_matmul %q, %k : (tensor<12x64x32xf32>, tensor<12x32x128xf32>) -> tensor<12x64x128xf32>
  %1 = relay.nn.softmax %0 {axis = -1 : i64} : (tensor<12x64x128xf32>) -> tensor<12x64x128xf32>
  %2 = relay.nn.batch_matmul %1, %v : (tensor<12x64x128xf32>, tensor<12x128x32xf32>) -> tensor<12x64x32xf32>
  return %2 : tensor<12x64x32xf32>
}

// Of 16-bit floats, warps multiply the matrices of both products. A last block of keys has a condition.
// CHECK-LABEL: func.func private @attention_f16(
// CHECK-SAME: te.knobs = "gpu/attention warps=
// CHECK: te.compute "blocks" (%b: 12, %i: 64, %block: 4, %k: 32)
// CHECK: scf.if
// CHECK: te.tensorize %{{.+}} {intrin = @mma_f16}
// CHECK: te.tensorize %{{.+}} {intrin = @mma_f16}
func.func private @attention_f16(%q: tensor<12x64x32xf16>, %k: tensor<12x32x120xf16>, %v: tensor<12x120x32xf16>) -> tensor<12x64x32xf16> attributes {relay.primitive} {
  %0 = relay.nn.batch_matmul %q, %k : (tensor<12x64x32xf16>, tensor<12x32x120xf16>) -> tensor<12x64x120xf16>
  %1 = relay.nn.softmax %0 {axis = -1 : i64} : (tensor<12x64x120xf16>) -> tensor<12x64x120xf16>
  %2 = relay.nn.batch_matmul %1, %v : (tensor<12x64x120xf16>, tensor<12x120x32xf16>) -> tensor<12x64x32xf16>
  return %2 : tensor<12x64x32xf16>
}

// A single query shares no keys with others: the stages of the operators have more threads.
// CHECK-LABEL: func.func private @attention_of_one(
// CHECK-NOT: te.compute "online"
// CHECK: return
func.func private @attention_of_one(%q: tensor<12x1x32xf32>, %k: tensor<12x32x128xf32>, %v: tensor<12x128x32xf32>) -> tensor<12x1x32xf32> attributes {relay.primitive} {
  %0 = relay.nn.batch_matmul %q, %k : (tensor<12x1x32xf32>, tensor<12x32x128xf32>) -> tensor<12x1x128xf32>
  %1 = relay.nn.softmax %0 {axis = -1 : i64} : (tensor<12x1x128xf32>) -> tensor<12x1x128xf32>
  %2 = relay.nn.batch_matmul %1, %v : (tensor<12x1x128xf32>, tensor<12x128x32xf32>) -> tensor<12x1x32xf32>
  return %2 : tensor<12x1x32xf32>
}

// Shared memory does not hold a block of such long keys.
// CHECK-LABEL: func.func private @attention_of_long_keys(
// CHECK-NOT: te.compute "online"
// CHECK: return
func.func private @attention_of_long_keys(%q: tensor<2x64x512xf32>, %k: tensor<2x512x64xf32>, %v: tensor<2x64x512xf32>) -> tensor<2x64x512xf32> attributes {relay.primitive} {
  %0 = relay.nn.batch_matmul %q, %k : (tensor<2x64x512xf32>, tensor<2x512x64xf32>) -> tensor<2x64x64xf32>
  %1 = relay.nn.softmax %0 {axis = -1 : i64} : (tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %2 = relay.nn.batch_matmul %1, %v : (tensor<2x64x64xf32>, tensor<2x64x512xf32>) -> tensor<2x64x512xf32>
  return %2 : tensor<2x64x512xf32>
}

// Of an open number of queries and of keys, too: blocks of keys have a known size. Keys and values are read where they lie in a cache,
// and threads copy them in the order of the cache.
// CHECK-LABEL: func.func private @attention_of_open(
// CHECK-SAME: te.knobs = "gpu/attention threads=
// CHECK: te.compute "blocks" (%b: 4, %i: "n", %block: "(m + 31) / 32", %k: 32)
// CHECK: te.compute "part" (%b: 4, %block: "(m + 31) / 32", %k: 32, %j: 32)
// CHECK: te.compute "online" {{.+}} custom (%{{.+}}: "(m + 31) / 32")
// CHECK: %[[KEYS:.+]] = te.cache_read %transpose for %{{.+}} in shared
// CHECK: %[[HEAD:.+]], %[[ELEMENT:.+]], %[[KEY:.+]] = te.axes %[[KEYS]]
// CHECK-NEXT: te.reorder %[[KEY]], %[[HEAD]], %[[ELEMENT]]
func.func private @attention_of_open(%q: tensor<4x?x32xf32, ["n"]>, %k: tensor<?x4x32xf32, ["m"]>, %v: tensor<?x4x32xf32, ["m"]>) -> tensor<4x?x32xf32, ["n"]> attributes {relay.primitive} {
  %0 = relay.transpose %k {axes = array<i64: 1, 2, 0>} : (tensor<?x4x32xf32, ["m"]>) -> tensor<4x32x?xf32, ["m"]>
  %1 = relay.transpose %v {axes = array<i64: 1, 0, 2>} : (tensor<?x4x32xf32, ["m"]>) -> tensor<4x?x32xf32, ["m"]>
  %2 = relay.nn.batch_matmul %q, %0 : (tensor<4x?x32xf32, ["n"]>, tensor<4x32x?xf32, ["m"]>) -> tensor<4x?x?xf32, ["n", "m"]>
  %3 = relay.nn.softmax %2 {axis = -1 : i64} : (tensor<4x?x?xf32, ["n", "m"]>) -> tensor<4x?x?xf32, ["n", "m"]>
  %4 = relay.nn.batch_matmul %3, %1 : (tensor<4x?x?xf32, ["n", "m"]>, tensor<4x?x32xf32, ["m"]>) -> tensor<4x?x32xf32, ["n"]>
  return %4 : tensor<4x?x32xf32, ["n"]>
}
