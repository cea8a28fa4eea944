// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @transforms(
func.func @transforms(%r: tensor<3x20xf32>, %i: tensor<3x20xf32>, %x: tensor<2x50xf32>, %w: tensor<12xf32>) {
  // CHECK: relay.dft {{.*}}inverse = true
  %0:2 = relay.dft %r, %i {inverse = true} : (tensor<3x20xf32>, tensor<3x20xf32>) -> (tensor<3x20xf32>, tensor<3x20xf32>)
  // CHECK: relay.stft {{.*}} -> tensor<2x7x8x2xf32>
  %1 = relay.stft %x, %w {n_fft = 12 : i64, hop_length = 5 : i64, win_length = 12 : i64} : (tensor<2x50xf32>, tensor<12xf32>) -> tensor<2x7x8x2xf32>
  return
}
