// How products read their second operands.
// RUN: relay-opt %s --alter-op-layout --split-input-file | FileCheck %s

// A matrix that is an input is read as it lies where few rows share it.
// CHECK-LABEL: func.func @vector
// CHECK-NEXT: relay.nn.matmul %arg0, %arg1 {{.*}}(tensor<1x512xf32>, tensor<512x1024xf32>)
// CHECK-NEXT: return
func.func @vector(%x: tensor<1x512xf32>, %y: tensor<512x1024xf32>) -> tensor<1x1024xf32> {
  %0 = relay.transpose %y {axes = array<i64: 1, 0>} : (tensor<512x1024xf32>) -> tensor<1024x512xf32>
  %1 = relay.nn.dense %x, %0 : (tensor<1x512xf32>, tensor<1024x512xf32>) -> tensor<1x1024xf32>
  return %1 : tensor<1x1024xf32>
}

// -----

// Many rows that do not fit the cache would copy it several times: it is put into blocks, out of the
// transpose's operand.
// CHECK-LABEL: func.func @many_rows
// CHECK-NEXT: %[[W:.*]] = relay.layout_transform %arg1 {dst_layout = "NC16n", src_layout = "CN"}
// CHECK-NEXT: relay.nn.contrib_dense_pack %arg0, %[[W]]
func.func @many_rows(%x: tensor<4096x1024xf32>, %y: tensor<1024x1024xf32>) -> tensor<4096x1024xf32> {
  %0 = relay.transpose %y {axes = array<i64: 1, 0>} : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %1 = relay.nn.dense %x, %0 : (tensor<4096x1024xf32>, tensor<1024x1024xf32>) -> tensor<4096x1024xf32>
  return %1 : tensor<4096x1024xf32>
}

// -----

// So is one of few columns, which fill vectors only with zeros beside them.
// CHECK-LABEL: func.func @few_columns
// CHECK: %[[P:.*]] = relay.nn.pad %arg1, %{{.*}}pad_width = array<i64: 0, 0, 0, 11>
// CHECK: relay.layout_transform %[[P]] {dst_layout = "NC16n", src_layout = "CN"}
func.func @few_columns(%x: tensor<300x300xf32>, %y: tensor<300x5xf32>) -> tensor<300x5xf32> {
  %0 = relay.transpose %y {axes = array<i64: 1, 0>} : (tensor<300x5xf32>) -> tensor<5x300xf32>
  %1 = relay.nn.dense %x, %0 : (tensor<300x300xf32>, tensor<5x300xf32>) -> tensor<300x5xf32>
  return %1 : tensor<300x5xf32>
}

// -----

// A column: dot products. One row of the weight as it lies is read so, too.
// CHECK-LABEL: func.func @column
// CHECK-NEXT: relay.nn.dense %arg0, %arg1
// CHECK-NEXT: relay.nn.dense %arg1, %arg0
func.func @column(%x: tensor<1000x1000xf32>, %y: tensor<1x1000xf32>) -> (tensor<1000x1xf32>, tensor<1x1000xf32>) {
  %0 = relay.nn.dense %x, %y : (tensor<1000x1000xf32>, tensor<1x1000xf32>) -> tensor<1000x1xf32>
  %1 = relay.nn.dense %y, %x : (tensor<1x1000xf32>, tensor<1000x1000xf32>) -> tensor<1x1000xf32>
  return %0, %1 : tensor<1000x1xf32>, tensor<1x1000xf32>
}

// -----

// A column and a row: what lies together is a row.
// CHECK-LABEL: func.func @outer
// CHECK-NEXT: %[[R:.*]] = relay.reshape %arg1 {newshape = array<i64: 1, 1000>}
// CHECK-NEXT: relay.nn.matmul %arg0, %[[R]]
func.func @outer(%x: tensor<1000x1xf32>, %y: tensor<1000x1xf32>) -> tensor<1000x1000xf32> {
  %0 = relay.nn.dense %x, %y : (tensor<1000x1xf32>, tensor<1000x1xf32>) -> tensor<1000x1000xf32>
  return %0 : tensor<1000x1000xf32>
}

// -----

// A weight that is known is put into blocks, but where cutting off what fills up the last one costs more.
// CHECK-LABEL: func.func @known
// CHECK: relay.nn.contrib_dense_pack %arg0
// CHECK: relay.nn.contrib_dense_pack %arg0
// CHECK: relay.nn.matmul %arg1
func.func @known(%x: tensor<1x64xf32>, %y: tensor<1000x64xf32>)
    -> (tensor<1x1024xf32>, tensor<1x1001xf32>, tensor<1000x1001xf32>) {
  %w = relay.constant dense<1.0> : tensor<1024x64xf32>
  %v = relay.constant dense<1.0> : tensor<1001x64xf32>
  %0 = relay.nn.dense %x, %w : (tensor<1x64xf32>, tensor<1024x64xf32>) -> tensor<1x1024xf32>
  %1 = relay.nn.dense %x, %v : (tensor<1x64xf32>, tensor<1001x64xf32>) -> tensor<1x1001xf32>
  %2 = relay.nn.dense %y, %v : (tensor<1000x64xf32>, tensor<1001x64xf32>) -> tensor<1000x1001xf32>
  return %0, %1, %2 : tensor<1x1024xf32>, tensor<1x1001xf32>, tensor<1000x1001xf32>
}

// -----

// One row meets the transpose of rows: dot products with these, whatever numbers them. Many rows share
// the transpose.
// CHECK-LABEL: func.func @decoder
// CHECK-NEXT: %[[R:.*]] = relay.reshape %arg1 {newshape = array<i64: 12, 1000, 64>}
// CHECK-NEXT: relay.nn.batch_matmul %arg0, %[[R]] {transpose_b = true}
// CHECK-NEXT: %[[T:.*]] = relay.transpose %arg1
// CHECK-NEXT: %[[S:.*]] = relay.reshape %[[T]]
// CHECK-NEXT: relay.nn.batch_matmul %arg2, %[[S]] : 
func.func @decoder(%q: tensor<12x1x64xf32>, %k: tensor<1x12x1000x64xf32>, %p: tensor<12x100x64xf32>)
    -> (tensor<12x1x1000xf32>, tensor<12x100x1000xf32>) {
  %0 = relay.transpose %k {axes = array<i64: 0, 1, 3, 2>} : (tensor<1x12x1000x64xf32>) -> tensor<1x12x64x1000xf32>
  %1 = relay.reshape %0 {newshape = array<i64: 12, 64, 1000>} : (tensor<1x12x64x1000xf32>) -> tensor<12x64x1000xf32>
  %2 = relay.nn.batch_matmul %q, %1 {transpose_a = false, transpose_b = false} : (tensor<12x1x64xf32>, tensor<12x64x1000xf32>) -> tensor<12x1x1000xf32>
  %3 = relay.transpose %k {axes = array<i64: 0, 1, 3, 2>} : (tensor<1x12x1000x64xf32>) -> tensor<1x12x64x1000xf32>
  %4 = relay.reshape %3 {newshape = array<i64: 12, 64, 1000>} : (tensor<1x12x64x1000xf32>) -> tensor<12x64x1000xf32>
  %5 = relay.nn.batch_matmul %p, %4 {transpose_a = false, transpose_b = false} : (tensor<12x100x64xf32>, tensor<12x64x1000xf32>) -> tensor<12x100x1000xf32>
  return %2, %5 : tensor<12x1x1000xf32>, tensor<12x100x1000xf32>
}

// -----

// A transpose that moves other dimensions than the last two stays.
// CHECK-LABEL: func.func @moved
// CHECK-NEXT: relay.transpose %arg1 {axes = array<i64: 2, 1, 0>}
// CHECK-NEXT: relay.nn.batch_matmul
func.func @moved(%q: tensor<64x1x12xf32>, %k: tensor<1000x12x64xf32>) -> tensor<64x1x1000xf32> {
  %0 = relay.transpose %k {axes = array<i64: 2, 1, 0>} : (tensor<1000x12x64xf32>) -> tensor<64x12x1000xf32>
  %1 = relay.nn.batch_matmul %q, %0 {transpose_a = false, transpose_b = false} : (tensor<64x1x12xf32>, tensor<64x12x1000xf32>) -> tensor<64x1x1000xf32>
  return %1 : tensor<64x1x1000xf32>
}
