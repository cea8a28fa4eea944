// Reads digits in WebAssembly, here under node: each line of the input is an image, 64 numbers from 0 to 1, and each line of
// the output the digit that it is read as.
//
//   relayc compile ../digits/digits.onnx --emit bare --target "wasm32-unknown-unknown -mattr=+simd128" -o digits
//   clang --target=wasm32 -msimd128 -O2 -ffreestanding -nostdlib -I digits -Wl,--no-entry -Wl,--export=digits_run
//     -Wl,--export=__heap_base digits/digits.c digits/digits.o ../bare_metal/memory.c -o digits.wasm
//   node reader.mjs digits.wasm < IMAGES
import { readFileSync } from "node:fs";

const [path] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(path));
const { digits_run, memory, __heap_base } = instance.exports;

// Tensors lie behind what the model needs itself.
const image = new Float32Array(memory.buffer, __heap_base.value, 64);
const probabilities = new Float32Array(memory.buffer, __heap_base.value + image.byteLength, 10);
for (const line of readFileSync(0, "utf8").trimEnd().split("\n")) {
  image.set(line.split(" ").map(Number));
  if (digits_run(image.byteOffset, probabilities.byteOffset) !== 0) throw new Error("the model failed");
  console.log(probabilities.indexOf(Math.max(...probabilities)));
}
