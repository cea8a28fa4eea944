/*
 * Reads digits with a network that the program is linked with: each line of the input is an image, 64 numbers from 0
 * to 1, and each line of the output the digit that it is read as.
 *
 *   relayc compile ../digits/digits.onnx --emit object -o digits.o
 *   cc reader.c digits.o $(pkg-config --cflags --libs relay-mlir) -o reader
 *
 * or, with a library, which the program looks for in its own folder when it starts:
 *
 *   relayc compile ../digits/digits.onnx -o digits.so
 *   cc reader.c digits.so -I FOLDER -Wl,-rpath,'$ORIGIN' -o reader
 *
 * FOLDER is where `relayc runtime FOLDER` wrote the header.
 */
#include "relay_runtime.h"
#include <stdio.h>

RELAY_DECLARE_MODEL(digits)

enum { DOTS = 64, DIGITS = 10 };

static int read_image(float *image) {
  for (int dot = 0; dot < DOTS; dot++)
    if (scanf("%f", &image[dot]) != 1)
      return 0;
  return 1;
}

int main(void) {
  relay_model *model = digits_create(1);
  if (!model)
    return fprintf(stderr, "%s\n", digits_last_error()), 1;
  float image[DOTS], probabilities[DIGITS];
  const void *inputs[] = {image};
  void *outputs[] = {probabilities};
  while (read_image(image)) {
    if (digits_run(model, inputs, outputs) != 0)
      return fprintf(stderr, "%s\n", digits_last_error()), 1;
    int best = 0;
    for (int digit = 1; digit < DIGITS; digit++)
      if (probabilities[digit] > probabilities[best])
        best = digit;
    printf("%d\n", best);
  }
  digits_destroy(model);
  return 0;
}
