// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @dft_c1(%r: tensor<3x4xf32>, %i: tensor<3x5xf32>) {
  // expected-error@+2 {{parts tensor<3x4xf32> and tensor<3x5xf32> are not of one type of rank 1 or more (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.dft %r, %i : (tensor<3x4xf32>, tensor<3x5xf32>) -> (tensor<3x4xf32>, tensor<3x5xf32>)
  return
}

// -----

func.func @stft_c1(%x: tensor<2x50xf32>, %w: tensor<12xf32>) {
  // expected-error@+2 {{a window tensor<12xf32> of 16 elements does not fit data tensor<2x50xf32> (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.stft %x, %w {n_fft = 16 : i64, hop_length = 5 : i64, win_length = 16 : i64} : (tensor<2x50xf32>, tensor<12xf32>) -> tensor<2x9x7x2xf32>
  return
}

// -----

func.func @stft_c2(%x: tensor<2x50xf32>, %w: tensor<12xf32>) {
  // expected-error@+2 {{windows of 12 elements, each 5, for 8 bins do not fit 50 elements (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.stft %x, %w {n_fft = 8 : i64, hop_length = 5 : i64, win_length = 12 : i64} : (tensor<2x50xf32>, tensor<12xf32>) -> tensor<2x5x9x2xf32>
  return
}
