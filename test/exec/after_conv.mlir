// A convolution, whose channels are packed in blocks, and behind it what networks have there: operators
// of one operand and of two, with scalars, slopes, images and channels on either side; norms, and gates that
// pool the image. Against ONNX Runtime.
// REQUIRES: time
// RUN: %python %S/Inputs/after_conv.py make %t.onnx %t.in.npz
// RUN: relayc run %t.onnx --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/after_conv.py check %t.onnx %t.in.npz %t.out.npz
