// RUN: %roundtrip | FileCheck %s
// RUN: relay-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func @shape_of(
func.func @shape_of(%x: tensor<2x?xf32>, %y: tensor<f32>) -> (tensor<2xi64>, tensor<0xi32>) {
  // CHECK: relay.shape_of {{.*}} {dtype = i64} : (tensor<2x?xf32>) -> tensor<2xi64>
  %0 = relay.shape_of %x {dtype = i64} : (tensor<2x?xf32>) -> tensor<2xi64>
  // CHECK: relay.shape_of {{[^{]*}} : (tensor<f32>) -> tensor<0xi32>
  %1 = relay.shape_of %y : (tensor<f32>) -> tensor<0xi32>
  return %0, %1 : tensor<2xi64>, tensor<0xi32>
}

// CHECK-LABEL: func.func @reshape(
func.func @reshape(%x: tensor<2x?xf32>, %s: tensor<3xi8>) -> (tensor<?x?x?xf32>) {
  // CHECK: relay.dyn.reshape {{.*}} {allowzero = true} : (tensor<2x?xf32>, tensor<3xi8>) -> tensor<?x?x?xf32>
  %0 = relay.dyn.reshape %x, %s {allowzero = true} : (tensor<2x?xf32>, tensor<3xi8>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @squeeze(
func.func @squeeze(%x: tensor<2x1xi1>, %s: tensor<1xi64>, %n: tensor<0xi64>) -> (tensor<?xi1>, tensor<?x?xi1>) {
  // CHECK: relay.dyn.squeeze {{[^{]*}} : (tensor<2x1xi1>, tensor<1xi64>) -> tensor<?xi1>
  %0 = relay.dyn.squeeze %x, %s : (tensor<2x1xi1>, tensor<1xi64>) -> tensor<?xi1>
  // CHECK: relay.dyn.squeeze {{[^{]*}} : (tensor<2x1xi1>, tensor<0xi64>) -> tensor<?x?xi1>
  %1 = relay.dyn.squeeze %x, %n : (tensor<2x1xi1>, tensor<0xi64>) -> tensor<?x?xi1>
  return %0, %1 : tensor<?xi1>, tensor<?x?xi1>
}

// CHECK-LABEL: func.func @expand_dims(
func.func @expand_dims(%x: tensor<2xf32>, %s: tensor<i64>) -> (tensor<?x?xf32>, tensor<?x?x?xf32>) {
  // CHECK: relay.dyn.expand_dims {{[^{]*}} : (tensor<2xf32>, tensor<i64>) -> tensor<?x?xf32>
  %0 = relay.dyn.expand_dims %x, %s : (tensor<2xf32>, tensor<i64>) -> tensor<?x?xf32>
  // CHECK: relay.dyn.expand_dims {{.*}} {num_newaxis = 2 : i64} : (tensor<2xf32>, tensor<i64>) -> tensor<?x?x?xf32>
  %1 = relay.dyn.expand_dims %x, %s {num_newaxis = 2 : i64} : (tensor<2xf32>, tensor<i64>) -> tensor<?x?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @tile(
func.func @tile(%x: tensor<2xf32>, %s: tensor<3xi32>, %n: tensor<0xi32>) -> (tensor<?x?x?xf32>, tensor<?xf32>) {
  // CHECK: relay.dyn.tile {{[^{]*}} : (tensor<2xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  %0 = relay.dyn.tile %x, %s : (tensor<2xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  // CHECK: relay.dyn.tile {{[^{]*}} : (tensor<2xf32>, tensor<0xi32>) -> tensor<?xf32>
  %1 = relay.dyn.tile %x, %n : (tensor<2xf32>, tensor<0xi32>) -> tensor<?xf32>
  return %0, %1 : tensor<?x?x?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @broadcast_to(
func.func @broadcast_to(%x: tensor<f32>, %s: tensor<2xui8>) -> (tensor<?x?xf32>) {
  // CHECK: relay.dyn.broadcast_to {{[^{]*}} : (tensor<f32>, tensor<2xui8>) -> tensor<?x?xf32>
  %0 = relay.dyn.broadcast_to %x, %s : (tensor<f32>, tensor<2xui8>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @filled(
func.func @filled(%x: tensor<f32>, %s: tensor<2xi64>, %n: tensor<0xi64>) -> (tensor<?x?xbf16>, tensor<i1>, tensor<?x?xf32>, tensor<?x?xi8>) {
  // CHECK: relay.dyn.zeros {{.*}} {dtype = bf16} : (tensor<2xi64>) -> tensor<?x?xbf16>
  %0 = relay.dyn.zeros %s {dtype = bf16} : (tensor<2xi64>) -> tensor<?x?xbf16>
  // CHECK: relay.dyn.ones {{.*}} {dtype = i1} : (tensor<0xi64>) -> tensor<i1>
  %1 = relay.dyn.ones %n {dtype = i1} : (tensor<0xi64>) -> tensor<i1>
  // CHECK: relay.dyn.full {{[^{]*}} : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  %2 = relay.dyn.full %x, %s : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: relay.dyn.full {{.*}} {dtype = i8} : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xi8>
  %3 = relay.dyn.full %x, %s {dtype = i8} : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xi8>
  return %0, %1, %2, %3 : tensor<?x?xbf16>, tensor<i1>, tensor<?x?xf32>, tensor<?x?xi8>
}

// CHECK-LABEL: func.func @strided_slice(
func.func @strided_slice(%x: tensor<2x3x4xf32>, %s: tensor<2xi64>) -> (tensor<?x?x4xf32>, tensor<?x3x?xf32>) {
  // CHECK: relay.dyn.strided_slice {{[^{]*}} : (tensor<2x3x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?x4xf32>
  %0 = relay.dyn.strided_slice %x, %s, %s, %s : (tensor<2x3x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?x4xf32>
  // CHECK: relay.dyn.strided_slice {{.*}} {axes = array<i64: 0, -1>, slice_mode = "size"} : (tensor<2x3x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x3x?xf32>
  %1 = relay.dyn.strided_slice %x, %s, %s, %s {axes = array<i64: 0, -1>, slice_mode = "size"} : (tensor<2x3x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x3x?xf32>
  return %0, %1 : tensor<?x?x4xf32>, tensor<?x3x?xf32>
}

// CHECK-LABEL: func.func @pad(
func.func @pad(%x: tensor<2x3xf32>, %w: tensor<?x2xi32>, %v: tensor<f32>) -> (tensor<?x?xf32>) {
  // CHECK: relay.dyn.nn.pad {{.*}} {pad_mode = "reflect"} : (tensor<2x3xf32>, tensor<?x2xi32>, tensor<f32>) -> tensor<?x?xf32>
  %0 = relay.dyn.nn.pad %x, %w, %v {pad_mode = "reflect"} : (tensor<2x3xf32>, tensor<?x2xi32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @images(
func.func @images(%x: tensor<1x4x5x2xf32>, %y: tensor<1x2x4x5x6xf32>, %s: tensor<f32>, %n: tensor<2xi32>, %r: tensor<4xf32>) -> (tensor<1x?x?x2xf32>, tensor<1x2x?x?x?xf32>, tensor<1x4x?x?xf32>) {
  // CHECK: relay.dyn.nn.upsampling {{.*}} {layout = "NHWC"} : (tensor<1x4x5x2xf32>, tensor<f32>, tensor<f32>) -> tensor<1x?x?x2xf32>
  %0 = relay.dyn.nn.upsampling %x, %s, %s {layout = "NHWC"} : (tensor<1x4x5x2xf32>, tensor<f32>, tensor<f32>) -> tensor<1x?x?x2xf32>
  // CHECK: relay.dyn.nn.upsampling3d {{[^{]*}} : (tensor<1x2x4x5x6xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x?x?x?xf32>
  %1 = relay.dyn.nn.upsampling3d %y, %s, %s, %s : (tensor<1x2x4x5x6xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x?x?x?xf32>
  // CHECK: relay.dyn.image.resize2d {{[^{]*}} : (tensor<1x4x5x2xf32>, tensor<2xi32>, tensor<4xf32>) -> tensor<1x4x?x?xf32>
  %2 = relay.dyn.image.resize2d %x, %n, %r : (tensor<1x4x5x2xf32>, tensor<2xi32>, tensor<4xf32>) -> tensor<1x4x?x?xf32>
  return %0, %1, %2 : tensor<1x?x?x2xf32>, tensor<1x2x?x?x?xf32>, tensor<1x4x?x?xf32>
}

// The dimensions are a constant if all of them are known.
// FOLD-LABEL: func.func @fold(
// FOLD-DAG: relay.shape_of %arg1
// FOLD-DAG: relay.constant dense<[2, 300]> : tensor<2xi16>
// FOLD-DAG: relay.constant dense<> : tensor<0xi32>
// FOLD: return
func.func @fold(%x: tensor<2x300xf32>, %y: tensor<?x2xf32>, %z: tensor<f32>) -> (tensor<2xi16>, tensor<2xi32>, tensor<0xi32>) {
  %0 = relay.shape_of %x {dtype = i16} : (tensor<2x300xf32>) -> tensor<2xi16>
  %1 = relay.shape_of %y : (tensor<?x2xf32>) -> tensor<2xi32>
  %2 = relay.shape_of %z : (tensor<f32>) -> tensor<0xi32>
  return %0, %1, %2 : tensor<2xi16>, tensor<2xi32>, tensor<0xi32>
}

// CHECK-LABEL: func.func @counted(
func.func @counted(%i: tensor<4xi64>, %x: tensor<3x8xf32>, %f: tensor<f32>, %k: tensor<i64>, %s: tensor<2xi64>, %at: tensor<4x2xi64>, %v: tensor<4xf32>) {
  // CHECK: relay.dyn.one_hot {{.*}} -> tensor<4x?xf32>
  %0 = relay.dyn.one_hot %i, %f, %f, %k {dtype = f32} : (tensor<4xi64>, tensor<f32>, tensor<f32>, tensor<i64>) -> tensor<4x?xf32>
  // CHECK: relay.dyn.topk {{.*}} -> (tensor<3x?xf32>, tensor<3x?xi32>)
  %1:2 = relay.dyn.topk %x, %k {dtype = i32} : (tensor<3x8xf32>, tensor<i64>) -> (tensor<3x?xf32>, tensor<3x?xi32>)
  // CHECK: relay.dyn.sparse_to_dense {{.*}} -> tensor<?x?xf32>
  %2 = relay.dyn.sparse_to_dense %at, %v, %f, %s : (tensor<4x2xi64>, tensor<4xf32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// CHECK-LABEL: func.func @of_machine(
func.func @of_machine(%x: tensor<?x3xf32>, %y: tensor<2x3xf32>, %s: tensor<1xi64>) {
  // CHECK: relay.vm.shape_of %{{.*}} {dtype = i64}
  %0 = relay.vm.shape_of %x {dtype = i64} : (tensor<?x3xf32>) -> tensor<2xi64>
  // CHECK: relay.vm.reshape_tensor %{{.*}} {newshape = array<i64: 6>}
  %1 = relay.vm.reshape_tensor %y, %s {newshape = array<i64: 6>} : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<6xf32>
  return
}
