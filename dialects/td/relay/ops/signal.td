#ifndef RELAY_SIGNAL_TD
#define RELAY_SIGNAL_TD

include "relay/RelayDialect.td"

def Relay_DftOp : Relay_Op<"dft"> {
  let summary = "the discrete Fourier transform along the last axis";
  let description = [{
    The operands are the real and the imaginary parts of numbers, and so are the results. With `inverse`, it is the inverse transform.
    ONNX: `DFT`.

    - C1: the operands are of one type, of rank 1 or more.
  }];
  let arguments = (ins Relay_Tensor:$re_data, Relay_Tensor:$im_data, DefaultValuedAttr<BoolAttr, "false">:$inverse);
  let results = (outs Relay_Tensor:$re, Relay_Tensor:$im);
}

def Relay_StftOp : Relay_Op<"stft"> {
  let summary = "the Fourier transforms of windows of a signal";
  let description = [{
    Windows of `win_length` numbers begin each `hop_length` numbers of the last axis of the data [n], or [b, n]; they are multiplied by the `window`
    [win_length]. The result [b, bins, frames, 2] has the real and imaginary parts of the first `n_fft` / 2 + 1 bins of a transform of `win_length` numbers
    (`onesided`), or of the first `n_fft` ones. There are (n - n_fft) / hop_length + 1 frames. With `normalized`, numbers are divided by the root of `n_fft`. ONNX: `STFT`.

    - C1: data are of rank 1 or 2, with a known last extent, and the window is of their element type and has `win_length` elements.
    - C2: `hop_length` and `win_length` are at least 1, `n_fft` at least `win_length`, and the data hold `n_fft` elements.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$window, I64Attr:$n_fft, I64Attr:$hop_length, I64Attr:$win_length,
                   DefaultValuedAttr<BoolAttr, "false">:$normalized, DefaultValuedAttr<BoolAttr, "true">:$onesided);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_SIGNAL_TD
