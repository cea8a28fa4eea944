/*
 * Runs a network of one input and one output whose kernels multiply tiles, on the emulator beside it, and
 * compares with what another program computed: data.h holds INPUTS numbers of `input`, OUTPUTS numbers of
 * `expected`, and TOLERANCE.
 *
 * The program takes the place of the runtime, whose functions the object calls: so it is here that the
 * question whether there are tiles is answered, by the emulator and not by the processor.
 */
#include "data.h"
#include "stand_in.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern unsigned long emulated_products;
extern const relay_model_descriptor_t relay_model_descriptor;

int32_t relay_rt_tiles(void) { return 0; }

/* In two parts, as two threads would share it. */
void relay_rt_parallel_for(void *instance, body_fn body, void *closure, int64_t extent) {
  (void)instance;
  body(closure, 0, extent / 2);
  body(closure, extent / 2, extent);
}
uint8_t *relay_rt_workspace(uint64_t level, uint64_t bytes) {
  static uint8_t *workspaces[2];
  if (!workspaces[level != 0])
    workspaces[level != 0] = aligned_alloc(64, 64 << 20);
  return bytes <= 64 << 20 ? workspaces[level != 0] : NULL;
}
int main(void) {
  static float output[OUTPUTS];
  const void *inputs[] = {input};
  void *outputs[] = {output};
  const relay_model_descriptor_t *model = &relay_model_descriptor;
  void *arena = aligned_alloc(64, (model->arena_bytes + 64) / 64 * 64);
  if (!arena || model->run_graph(inputs, outputs, arena, model->weights, NULL) != 0)
    return 1;
  int right = 0;
  double greatest = 0;
  for (int i = 0; i < OUTPUTS; i++) {
    double error = fabs((double)output[i] - (double)expected[i]);
    right += error <= TOLERANCE;
    if (!(error <= greatest))
      greatest = error;
  }
  printf("%d of %d elements are right, the greatest error is %g, %lu products of tiles\n", right,
         OUTPUTS, greatest, emulated_products);
  return right != OUTPUTS;
}
