// A trained network in bytes, beside ONNX Runtime's floats.
// REQUIRES: time
// RUN: rm -rf %t && %python %S/Inputs/quantize.py make %examples/digits %t
// RUN: relayc quantize %examples/digits/digits.onnx --data %t/samples.npz --method kl --metric %t/accuracy.py --python %python \
// RUN:   --report %t/report.json -o %t/q.so | FileCheck %s
// RUN: %python %S/Inputs/quantize.py check %examples/digits %t | FileCheck %s --check-prefix=ACCURATE
// RUN: relayc run %t/q.so --inputs %examples/digits/image.npz | FileCheck %s --check-prefix=RESULT

// CHECK: 4 of 4 layers multiply bytes; 360 samples, kl{{$}}
// CHECK: weights of the layers: {{[0-9]+}} KiB, were {{[0-9]+}} KiB
// CHECK: accuracy.py: float 0.9{{.*}}, quantised 0.9
// CHECK: SQNR dB
// CHECK: int8 {{.*}} (conv2d)
// ACCURATE: as accurate as floats
// RESULT: probabilities

// As MLIR, and as Relay; samples of a folder.
// RUN: relayc quantize %examples/digits/digits.onnx --data %t --samples 48 --method minmax -o %t/q.mlir | FileCheck %s --check-prefix=FOLDER
// RUN: FileCheck %s --check-prefix=MLIR --input-file %t/q.mlir
// RUN: relayc compile %t/q.mlir --emit relay | FileCheck %s --check-prefix=PRODUCTS
// RUN: relayc quantize %examples/digits/digits.onnx --data %t/a.npz --method mse --power-of-two --per-channel false --symmetric -o %t/q.relay
// RUN: relayc compile %t/q.relay --emit relay | FileCheck %s --check-prefix=PRODUCTS
// FOLDER: 48 samples, minmax{{$}}
// MLIR-NOT: relay.machine
// MLIR: relay.qnn.quantize {{.*}}out_dtype = ui8
// MLIR-NOT: relay.op.annotation
// PRODUCTS-COUNT-2: relay.qnn.contrib_conv2d_NCHWc
// PRODUCTS: relay.qnn.contrib_dense_pack

// Layers that are kept, and layers that are given back: bytes that cover half of the numbers clip too much.
// RUN: relayc quantize %examples/digits/digits.onnx --data %t/a.npz --keep dense --keep-first -o %t/k.mlir | FileCheck %s --check-prefix=KEEP
// RUN: relayc quantize %examples/digits/digits.onnx --data %t/a.npz --method percentile:51 --accuracy-drop 1%% --metric error \
// RUN:   --report %t/page.html -o %t/k.mlir | FileCheck %s --check-prefix=BACK
// RUN: FileCheck %s --check-prefix=PAGE --input-file %t/page.html
// KEEP: 2 of 4 layers multiply bytes
// BACK: {{[0-3]}} of 4 layers multiply bytes
// BACK: error: float 1.0000, quantised {{1.0000|0.99.*}}, drop {{0\..*}}
// BACK: given back
// PAGE: <title>{{.*}}relayc quantize
// PAGE: ranges by
// PAGE: given back

// Biases, with a correction and without. Weights with one scale in all have coarse steps, which shift a layer's results.
// RUN: relayc quantize %examples/digits/digits.onnx --data %t/samples.npz --per-channel false --metric error --report %t/corrected.json -o %t/k.mlir \
// RUN:   | FileCheck %s --check-prefix=BIASES
// RUN: relayc quantize %examples/digits/digits.onnx --data %t/samples.npz --per-channel false --bias-correction false --metric error \
// RUN:   --report %t/shifted.json -o %t/k.mlir | FileCheck %s --check-prefix=SHIFTED
// RUN: %python %S/Inputs/quantize.py compare %t %t | FileCheck %s --check-prefix=CORRECTED
// BIASES: 360 samples, percentile:99.999, biases corrected
// SHIFTED: 360 samples, percentile:99.999{{$}}
// CORRECTED: corrected biases are closer

// A search goes on by its journal: the second one measures nothing, and says the same.
// RUN: relayc quantize %examples/digits/digits.onnx --data %t/a.npz --method percentile:51 --accuracy-drop 1%% --metric error --journal %t/search.jsonl \
// RUN:   --json -o %t/k.mlir > %t/first.json
// RUN: cp %t/search.jsonl %t/before.jsonl
// RUN: relayc quantize %examples/digits/digits.onnx --data %t/a.npz --method percentile:51 --accuracy-drop 1%% --metric error --journal %t/search.jsonl \
// RUN:   --json -o %t/k.mlir > %t/second.json
// RUN: diff %t/first.json %t/second.json
// RUN: diff %t/before.jsonl %t/search.jsonl
// RUN: FileCheck %s --check-prefix=JOURNAL --input-file %t/search.jsonl
// JOURNAL-COUNT-4: {"alone":[
// JOURNAL: {"float":[
// One evaluation finds that all layers in bytes are too coarse, and no other choice was measured.
// RUN: relayc quantize %examples/digits/digits.onnx --data %t/a.npz --method percentile:51 --accuracy-drop 1%% --metric error --evaluations 1 -o %t/k.mlir \
// RUN:   | FileCheck %s --check-prefix=ONE
// ONE: 0 of 4 layers multiply bytes

// Weights alone: the second one is too small to be worth it.
// RUN: relayc quantize %t/perceptron.onnx --weights int4 -o %t/w.so | FileCheck %s --check-prefix=WEIGHTS
// RUN: relayc quantize %t/perceptron.onnx --weights int8:64 --data %t/rows.npz --report %t/w.html -o %t/w.so | FileCheck %s --check-prefix=MEASURED
// RUN: not relayc quantize %t/perceptron.onnx -o %t/w.so 2>&1 | FileCheck %s --check-prefix=NEITHER
// RUN: not relayc quantize %t/perceptron.onnx --weights int5 -o %t/w.so 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not relayc quantize %t/perceptron.onnx --weights int4 --keep first -o %t/w.so 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: relayc quantize %t/perceptron.onnx --weights int4 --rounding gptq --data %t/rows.npz -o %t/w.so | FileCheck %s --check-prefix=GPTQ
// RUN: not relayc quantize %t/perceptron.onnx --weights int4 --rounding gptq -o %t/w.so 2>&1 | FileCheck %s --check-prefix=DATA
// GPTQ: 1 of 2 matrix products have weights of 4 bits; int4:32, gptq
// GPTQ: argmax: float 1.0000, quantised {{1.0000|0.9.*}}, drop
// DATA: gptq rounds weights by samples of the inputs: name some with --data
// WEIGHTS: 1 of 2 matrix products have weights of 4 bits; int4:32
// RUN: FileCheck %s --check-prefix=WPAGE --input-file %t/w.html
// WPAGE: <p>weights int8:64, search, {{[0-9]+}} samples of
// WPAGE: layers quantised
// MEASURED: 1 of 2 matrix products have weights of 8 bits; int8:64
// MEASURED: argmax: float 1.0000, quantised {{1.0000|0.9.*}}, drop
// NEITHER: --data
// TYPE: 'int5' is no type of weights
// LEFT: error[R0203]: {{.*}}no weight can be rounded

// RUN: not relayc quantize %examples/digits/digits.onnx --data %t/a.npz --keep '*' -o %t/k.mlir 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: not relayc quantize %s --data %t/a.npz -o %t/k.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not relayc quantize %examples/digits/digits.onnx --data %S/Inputs -o %t/k.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not relayc quantize %examples/digits/digits.onnx --data %t/a.npz --metric %t/silent.py --python %python -o %t/k.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SILENT
// RUN: not relayc quantize %examples/digits/digits.onnx --data %t/a.npz --metric %t/failing.py --python %python -o %t/k.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FAILING
// RUN: not relayc quantize %examples/digits/digits.onnx --data %t/a.npz --accuracy-drop 200%% -o %t/k.mlir 2>&1 | FileCheck %s --check-prefix=SHARE
// ALL: error[R0203]: {{.*}}all 4 layers are kept float
// NONE: error[R0203]: {{.*}}no layer can multiply bytes
// EMPTY: error[R0207]: {{.*}}holds no .npz files
// SILENT: error[R0206]: {{.*}}silent.py: printed 'nothing' at the end, and no number
// FAILING: error[R0206]: {{.*}}failing.py: failed: KeyError: 'labels'
// SHARE: is no share: a percentage such as 1%
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
