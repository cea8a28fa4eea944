/*
 * Reads digits on a microcontroller: no operating system, no C library, no allocator, no threads.
 *
 *   relayc compile ../digits/digits.onnx --emit bare --target "thumbv7em-none-eabihf -mcpu=cortex-m4" -o digits
 *   clang --target=thumbv7em-none-eabihf -mcpu=cortex-m4 -O2 -ffreestanding -nostdlib -fuse-ld=lld -T mps2.ld -I digits \
 *     main.c startup.c memory.c digits/digits.c digits/digits.o -o reader
 *   qemu-system-arm -M mps2-an386 -display none -semihosting -kernel reader
 */
#include "board.h"
#include "digits.h"

/* const float images[][64]; -DIMAGES names another file. */
#ifndef IMAGES
#define IMAGES "images.h"
#endif
#include IMAGES

int main(void) {
  for (uint32_t number = 0; number < sizeof images / sizeof images[0]; number++) {
    float probabilities[DIGITS_OUTPUT_0_ELEMENTS];
    if (digits_run(images[number], probabilities) != 0)
      return 1;
    int best = 0;
    for (int digit = 1; digit < DIGITS_OUTPUT_0_ELEMENTS; digit++)
      if (probabilities[digit] > probabilities[best])
        best = digit;
    char line[] = {(char)('0' + best), '\n', 0};
    say(line);
  }
  return 0;
}
