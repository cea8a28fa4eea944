// RUN: relay-opt %s --lower-te --split-input-file --verify-diagnostics

func.func @unknown(%a: tensor<8x8xf32>, %b: tensor<16x8xf32>) -> tensor<8x16xf32> {
  %c = te.compute "c" (%i: 8, %j: 16) sum (%k: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<8x8xf32>
    %y = tensor.extract %b[%j, %k] : tensor<16x8xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %c : tensor<8x16xf32>
    %i, %j, %k = te.axes %s
    // expected-error@+1 {{there is no te.tensor_intrin 'dot'}}
    te.tensorize %k {intrin = @dot}
  }
  return %c : tensor<8x16xf32>
}

// -----

te.tensor_intrin @dot {
^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
  %c = te.compute "c" () sum (%k: 4) {
    %x = tensor.extract %a[%k] : tensor<4xf32>
    %y = tensor.extract %b[%k] : tensor<4xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<f32>
  te.yield %c : tensor<f32>
} implementation {
^bb0(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<f32>):
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0] : memref<4xf32>, vector<4xf32>
  %y = vector.load %b[%c0] : memref<4xf32>, vector<4xf32>
  %p = arith.mulf %x, %y : vector<4xf32>
  %s = vector.reduction <add>, %p : vector<4xf32> into f32
  %old = memref.load %c[] : memref<f32>
  %new = arith.addf %old, %s : f32
  memref.store %new, %c[] : memref<f32>
}

func.func @other_loops(%a: tensor<8x8xf32>, %b: tensor<16x8xf32>) -> tensor<8x16xf32> {
  %c = te.compute "c" (%i: 8, %j: 16) sum (%k: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<8x8xf32>
    %y = tensor.extract %b[%j, %k] : tensor<16x8xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %c : tensor<8x16xf32>
    %i, %j, %k = te.axes %s
    // expected-error@+1 {{the loops are [8 (reduce)], those of the intrinsic [4 (reduce)]}}
    te.tensorize %k {intrin = @dot}
  }
  return %c : tensor<8x16xf32>
}

// -----

te.tensor_intrin @dot {
^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
  %c = te.compute "c" () sum (%k: 4) {
    %x = tensor.extract %a[%k] : tensor<4xf32>
    %y = tensor.extract %b[%k] : tensor<4xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<f32>
  te.yield %c : tensor<f32>
} implementation {
^bb0(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<f32>):
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0] : memref<4xf32>, vector<4xf32>
  %y = vector.load %b[%c0] : memref<4xf32>, vector<4xf32>
  %p = arith.mulf %x, %y : vector<4xf32>
  %s = vector.reduction <add>, %p : vector<4xf32> into f32
  %old = memref.load %c[] : memref<f32>
  %new = arith.addf %old, %s : f32
  memref.store %new, %c[] : memref<f32>
}

func.func @other_expression(%a: tensor<8x8xf32>, %b: tensor<16x8xf32>) -> tensor<8x16xf32> {
  %c = te.compute "c" (%i: 8, %j: 16) sum (%k: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<8x8xf32>
    %y = tensor.extract %b[%j, %k] : tensor<16x8xf32>
    %p = arith.addf %x, %y : f32
    te.yield %p : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %c : tensor<8x16xf32>
    %i, %j, %k = te.axes %s
    %o, %n = te.split %k {factor = 4}
    // expected-error@+1 {{the stage's expression has arith.addf where the intrinsic's has arith.mulf}}
    te.tensorize %n {intrin = @dot}
  }
  return %c : tensor<8x16xf32>
}

// -----

te.tensor_intrin @dot {
^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
  %c = te.compute "c" () sum (%k: 4) {
    %x = tensor.extract %a[%k] : tensor<4xf32>
    %y = tensor.extract %b[%k] : tensor<4xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<f32>
  te.yield %c : tensor<f32>
} implementation {
^bb0(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<f32>):
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0] : memref<4xf32>, vector<4xf32>
  %y = vector.load %b[%c0] : memref<4xf32>, vector<4xf32>
  %p = arith.mulf %x, %y : vector<4xf32>
  %s = vector.reduction <add>, %p : vector<4xf32> into f32
  %old = memref.load %c[] : memref<f32>
  %new = arith.addf %old, %s : f32
  memref.store %new, %c[] : memref<f32>
}

func.func @strided(%a: tensor<8x8xf32>, %b: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c = te.compute "c" (%i: 8, %j: 16) sum (%k: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<8x8xf32>
    %y = tensor.extract %b[%k, %j] : tensor<8x16xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %c : tensor<8x16xf32>
    %i, %j, %k = te.axes %s
    %o, %n = te.split %k {factor = 4}
    // expected-error@+1 {{the implementation takes vectors along what is not contiguous}}
    te.tensorize %n {intrin = @dot}
  }
  return %c : tensor<8x16xf32>
}

// -----

te.tensor_intrin @dot {
^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
  %c = te.compute "c" () sum (%k: 4) {
    %x = tensor.extract %a[%k] : tensor<4xf32>
    %y = tensor.extract %b[%k] : tensor<4xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<f32>
  te.yield %c : tensor<f32>
} implementation {
^bb0(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<f32>):
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0] : memref<4xf32>, vector<4xf32>
  %y = vector.load %b[%c0] : memref<4xf32>, vector<4xf32>
  %p = arith.mulf %x, %y : vector<4xf32>
  %s = vector.reduction <add>, %p : vector<4xf32> into f32
  %old = memref.load %c[] : memref<f32>
  %new = arith.addf %old, %s : f32
  memref.store %new, %c[] : memref<f32>
}

func.func @imperfect(%a: tensor<8x8xf32>, %b: tensor<16x8xf32>) -> tensor<8x16xf32> {
  %c = te.compute "c" (%i: 8, %j: 16) sum (%k: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<8x8xf32>
    %y = tensor.extract %b[%j, %k] : tensor<16x8xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %c : tensor<8x16xf32>
    %i, %j, %k = te.axes %s
    %o, %n = te.split %i {factor = 3}
    %ko, %kn = te.split %k {factor = 4}
    te.parallel %o
    // expected-error@+1 {{an imperfect split needs a condition inside the loops}}
    te.tensorize %kn {intrin = @dot}
  }
  return %c : tensor<8x16xf32>
}

// -----

// expected-error@+1 {{the implementation takes [memref<4xf32>], expected [memref<4xf32>, memref<4xf32>]}}
te.tensor_intrin @copy {
^bb0(%a: tensor<4xf32>):
  %b = te.compute "b" (%i: 4) {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  te.yield %b : tensor<4xf32>
} implementation {
^bb0(%a: memref<4xf32>):
}
