/*
 * Runs a network of one input and one output, and compares with what another program computed: data.h
 * holds INPUTS numbers of `input`, OUTPUTS numbers of `expected`, and TOLERANCE.
 */
#include "bare.h"
#include "data.h"

static float output[OUTPUTS];

static void test(void) {
  const void *inputs[] = {input};
  void *outputs[] = {output};
  int is_run = run_model(inputs, outputs);
  long right = 0;
  for (int i = 0; is_run && i < OUTPUTS; i++) {
    float error = output[i] - expected[i];
    right += -TOLERANCE <= error && error <= TOLERANCE;
  }
  say(right, right == OUTPUTS);
}
