// Schedules of products whose second operand is read as it lies.
// RUN: relay-opt %s --relay-to-te | FileCheck %s

// Rows shorter than a vector take narrower ones.
// CHECK-LABEL: func.func private @narrow
// CHECK: te.compute "matmul" ({{.*}}) sum (%k: 64)
// CHECK: te.schedule
// CHECK: %{{.*}}, %[[WIDE:.*]] = te.split %{{.*}} {factor = 8 : i64, shift_inwards}
// CHECK-NEXT: %{{.*}}, %[[LANE:.*]] = te.split %[[WIDE]] {factor = 8 : i64}
// CHECK: te.vectorize %[[LANE]]
func.func private @narrow(%x: tensor<300x4x64xf32>, %y: tensor<300x64x12xf32>) -> tensor<300x4x12xf32> attributes {relay.primitive} {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<300x4x64xf32>, tensor<300x64x12xf32>) -> tensor<300x4x12xf32>
  return %0 : tensor<300x4x12xf32>
}

// Shorter ones than four elements are not vectors.
// CHECK-LABEL: func.func private @short
// CHECK-NOT: te.vectorize
// CHECK: return
func.func private @short(%x: tensor<300x4x64xf32>, %y: tensor<300x64x3xf32>) -> tensor<300x4x3xf32> attributes {relay.primitive} {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<300x4x64xf32>, tensor<300x64x3xf32>) -> tensor<300x4x3xf32>
  return %0 : tensor<300x4x3xf32>
}

// Many rows read a tile of columns together, out of a copy.
// CHECK-LABEL: func.func private @copied
// CHECK: %[[RESULT:.*]] = te.stage
// CHECK: %[[TILE:.*]] = te.cache_write %[[RESULT]]
// CHECK: %[[COPY:.*]] = te.cache_read %arg1 for %[[TILE]] in local
// CHECK-NEXT: te.compute_at %[[COPY]], %[[RESULT]],
func.func private @copied(%x: tensor<256x256xf32>, %y: tensor<256x512xf32>) -> tensor<256x512xf32> attributes {relay.primitive} {
  %0 = relay.nn.matmul %x, %y : (tensor<256x256xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
  return %0 : tensor<256x512xf32>
}

// Few rows do not, nor what the first cache holds.
// CHECK-LABEL: func.func private @few_rows
// CHECK-NOT: te.cache_read
// CHECK-LABEL: func.func private @small
// CHECK-NOT: te.cache_read
// CHECK: return
func.func private @few_rows(%x: tensor<8x256xf32>, %y: tensor<256x512xf32>) -> tensor<8x512xf32> attributes {relay.primitive} {
  %0 = relay.nn.matmul %x, %y : (tensor<8x256xf32>, tensor<256x512xf32>) -> tensor<8x512xf32>
  return %0 : tensor<8x512xf32>
}
func.func private @small(%x: tensor<256x64xf32>, %y: tensor<64x64xf32>) -> tensor<256x64xf32> attributes {relay.primitive} {
  %0 = relay.nn.matmul %x, %y : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
  return %0 : tensor<256x64xf32>
}

// A matrix that no cache holds meets few rows some of its own rows at a time, in long runs; one that a cache
// holds does so a tile of columns at a time.
// CHECK-LABEL: func.func private @runs
// CHECK: %[[COLUMNS:.+]], %{{.+}} = te.split %{{.+}} {factor = 512 : i64}
// CHECK: %[[K:.+]], %[[DEPTH:.+]] = te.split %{{.+}} {factor = 8 : i64}
// CHECK-NEXT: te.reorder %[[K]], %{{.+}}, %[[DEPTH]],
// CHECK-LABEL: func.func private @held
// CHECK-NOT: te.split %{{.+}} {factor = 8 : i64}
// CHECK: return
func.func private @runs(%x: tensor<1x2048xf32>, %y: tensor<2048x2048xf32>) -> tensor<1x2048xf32> attributes {relay.primitive} {
  %0 = relay.nn.matmul %x, %y : (tensor<1x2048xf32>, tensor<2048x2048xf32>) -> tensor<1x2048xf32>
  return %0 : tensor<1x2048xf32>
}
func.func private @held(%x: tensor<1x256xf32>, %y: tensor<256x512xf32>) -> tensor<1x512xf32> attributes {relay.primitive} {
  %0 = relay.nn.matmul %x, %y : (tensor<1x256xf32>, tensor<256x512xf32>) -> tensor<1x512xf32>
  return %0 : tensor<1x512xf32>
}

// Few rows of the result read each unit of a matrix together.
// CHECK-LABEL: func.func private @units
// CHECK: te.reorder %[[COLUMN:j[_0-9]*]], %[[ROW:i[_0-9]*]]{{$}}
// CHECK-NEXT: te.fuse %[[COLUMN]], %[[ROW]]
func.func private @units(%x: tensor<4x512xf32>, %y: tensor<700x512xf32>) -> tensor<4x700xf32> attributes {relay.primitive} {
  %0 = relay.nn.dense %x, %y : (tensor<4x512xf32>, tensor<700x512xf32>) -> tensor<4x700xf32>
  return %0 : tensor<4x700xf32>
}

// A result far larger than the operands is written in rows of a panel, whose columns are copied together.
// CHECK-LABEL: func.func private @scores
// CHECK-SAME: te.knobs = "product rows={{.+}} vectors={{.+}} part={{.+}} panel=[[PANEL:[0-9]+]]"
// CHECK: %[[PANELS:.+]], %[[INSIDE:.+]] = te.split %j {factor = [[PANEL]] : i64, shift_inwards}
// CHECK: te.split %[[INSIDE]]
// CHECK: %[[SHARED:.+]] = te.fuse %{{.+}}, %{{.+}}, %[[PANELS]]
// CHECK: %[[COPY:.+]] = te.cache_read %arg1
// CHECK-NEXT: te.compute_at %[[COPY]], %{{.+}}, %[[SHARED]]
func.func private @scores(%x: tensor<2x4096x40xf32>, %y: tensor<2x40x4096xf32>) -> tensor<2x4096x4096xf32> attributes {relay.primitive} {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<2x4096x40xf32>, tensor<2x40x4096xf32>) -> tensor<2x4096x4096xf32>
  return %0 : tensor<2x4096x4096xf32>
}

// Where the first cache holds the operand as it lies, the result is written in whole rows of tiles.
// CHECK-LABEL: func.func private @near_scores
// CHECK: %[[ROWS:.+]], %{{.+}} = te.split %i {factor = {{.+}} : i64, shift_inwards}
// CHECK-NEXT: te.split %[[ROWS]] {factor = 1 : i64, shift_inwards}
// CHECK-NOT: te.cache_read
// CHECK: return
func.func private @near_scores(%x: tensor<4096x16xf32>, %y: tensor<16x512xf32>) -> tensor<4096x512xf32> attributes {relay.primitive} {
  %0 = relay.nn.matmul %x, %y : (tensor<4096x16xf32>, tensor<16x512xf32>) -> tensor<4096x512xf32>
  return %0 : tensor<4096x512xf32>
}

// A number of tiles of rows that no part of a fitting length divides: the last part lies over the one before.
// CHECK-LABEL: func.func private @prime_tiles
// CHECK-SAME: te.knobs = "product rows={{.+}} part={{[0-9][0-9]}} {{.*}}copied=true"
func.func private @prime_tiles(%x: tensor<1500x768xf32>, %y: tensor<768x3072xf32>) -> tensor<1500x3072xf32> attributes {relay.primitive} {
  %0 = relay.nn.matmul %x, %y : (tensor<1500x768xf32>, tensor<768x3072xf32>) -> tensor<1500x3072xf32>
  return %0 : tensor<1500x3072xf32>
}

// The second cache holds few whole rows of the first operand: strips of the second one, each of which all rows meet, while the sums wait in memory.
// CHECK-LABEL: func.func private @deep
// CHECK-SAME: te.knobs = "product rows={{.+}} vectors={{.+}} part={{.+}} depth=[[DEPTH:[0-9]+]]"
// CHECK: te.parallel %[[SHARED:.+]]
// CHECK-NEXT: te.compute_at %{{.+}}, %{{.+}}, %[[SHARED]]
// CHECK: %[[STRIP:.+]], %[[K:.+]] = te.split %k {factor = [[DEPTH]] : i64}
// CHECK-NEXT: te.reorder %[[STRIP]], %{{.+}}, %[[K]],
func.func private @deep(%x: tensor<128x11008xf32>, %y: tensor<256x11008x16xf32>) -> tensor<128x4096xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_dense_pack %x, %y {weight_layout = "NC16n"} : (tensor<128x11008xf32>, tensor<256x11008x16xf32>) -> tensor<128x4096xf32>
  return %0 : tensor<128x4096xf32>
}

// No strip divides a prime number.
// CHECK-LABEL: func.func private @prime_depth
// CHECK-SAME: te.knobs = "product rows={{.+}} taken=
func.func private @prime_depth(%x: tensor<128x11003xf32>, %y: tensor<256x11003x16xf32>) -> tensor<128x4096xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_dense_pack %x, %y {weight_layout = "NC16n"} : (tensor<128x11003xf32>, tensor<256x11003x16xf32>) -> tensor<128x4096xf32>
  return %0 : tensor<128x4096xf32>
}

// The cache holds what all rows of the first operand read: no strips.
// CHECK-LABEL: func.func private @shallow
// CHECK-SAME: te.knobs = "product rows={{.+}} taken=
func.func private @shallow(%x: tensor<128x768xf32>, %y: tensor<256x768x16xf32>) -> tensor<128x4096xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_dense_pack %x, %y {weight_layout = "NC16n"} : (tensor<128x768xf32>, tensor<256x768x16xf32>) -> tensor<128x4096xf32>
  return %0 : tensor<128x4096xf32>
}
