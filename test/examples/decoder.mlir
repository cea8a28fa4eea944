// The example that generates tokens, and the guide to caches. The likeliest tokens are ONNX Runtime's; sampled ones depend on the seed alone.
// REQUIRES: time
// RUN: %package
// RUN: rm -rf %t && mkdir %t && %python %S/../oracle/decoder_model.py %t/decoder.onnx
// RUN: relayc compile %t/decoder.onnx -o %t/decoder.so --dim batch_size=1 --dim sequence_length=? --dim total_sequence_length=? --dim past_sequence_length=256
// RUN: %python %examples/decoder/generate.py %t/decoder.so --prompt 17 4 9 --count 24 --temperature 0 > %t/likeliest
// RUN: %python %S/Inputs/likeliest.py %t/decoder.onnx 24 17 4 9 | cmp - %t/likeliest
// RUN: %python %examples/decoder/generate.py %t/decoder.so --prompt 17 4 9 --temperature 0.8 --seed 3 > %t/sampled
// RUN: %python %examples/decoder/generate.py %t/decoder.so --prompt 17 4 9 --temperature 0.8 --seed 3 | cmp - %t/sampled
// RUN: %python %examples/decoder/generate.py %t/decoder.so --prompt 17 4 9 --temperature 0.8 --seed 4 | not cmp - %t/sampled
// RUN: cd %t && %doctest %examples/../docs/guide/caches.md
