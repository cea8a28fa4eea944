/*
 * Runs a network of one input and one output whose kernels multiply tiles, on the emulator beside it, and
 * compares with what another program computed: data.h holds INPUTS numbers of `input`, OUTPUTS numbers of
 * `expected`, and TOLERANCE. With the argument `native`, the processor runs all instructions itself.
 *
 * The program takes the place of the runtime, whose functions the object calls: so it is here that the
 * question whether there are tiles is answered.
 */
#define _GNU_SOURCE
#include "data.h"
#include "stand_in.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern unsigned long emulated_products;

int32_t relay_rt_amx(void) { return 0; }

/* In two parts, as two threads would share it. */
void relay_rt_parallel_for(void *instance, body_fn body, void *closure, int64_t extent,
                         int64_t threads) {
  (void)instance, (void)threads;
  body(closure, 0, extent / 2);
  body(closure, extent / 2, extent);
}
uint8_t *relay_rt_workspace(uint64_t level, uint64_t bytes) {
  static uint8_t *workspaces[2];
  if (!workspaces[level != 0])
    workspaces[level != 0] = aligned_alloc(64, 64 << 20);
  return bytes <= 64 << 20 ? workspaces[level != 0] : NULL;
}

/* Asks Linux for the data of tiles, as its asm/prctl.h calls it. */
static int ask_for_tiles(void) {
  enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };
  return syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
}

int main(int count, char **arguments) {
  const int is_native = count > 1 && strcmp(arguments[1], "native") == 0;
  if (is_native && !ask_for_tiles()) {
    /* A container may refuse what the processor can: that is not the kernels' fault. */
    perror("amx_network: not run natively: the system gives this process no tiles");
    return 0;
  }
  static float output[OUTPUTS];
  const void *inputs[] = {input};
  void *outputs[] = {output};
  const relay_model_descriptor_t *model = PASTE(MODEL, _descriptor)();
  void *arena = aligned_alloc(64, (model->arena_bytes + 64) / 64 * 64);
  if (!arena || model->run_graph(inputs, outputs, arena, model->weights, NULL, NULL) != 0)
    return 1;
  int right = 0;
  double greatest = 0;
  for (int i = 0; i < OUTPUTS; i++) {
    double error = fabs((double)output[i] - (double)expected[i]);
    right += error <= TOLERANCE;
    if (!(error <= greatest))
      greatest = error;
  }
  printf("%d of %d elements are right, the greatest error is %g, ", right, OUTPUTS, greatest);
  if (is_native)
    printf("natively\n");
  else
    printf("%lu products of tiles\n", emulated_products);
  return right != OUTPUTS || (is_native && emulated_products != 0);
}
