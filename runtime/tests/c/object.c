/* Runs the model `twice`, of one input and one output of four numbers, linked in as an object. */
#include "relay_runtime.h"
#include <stdio.h>

RELAY_DECLARE_MODEL(twice)

int main(void) {
  float x[4] = {1, 2, 3, 4}, y[4] = {0};
  const void *inputs[] = {x};
  void *outputs[] = {y};
  relay_model *model = twice_create(1);
  if (!model || twice_run(model, inputs, outputs) != 0) {
    fprintf(stderr, "%s\n", twice_last_error());
    return 1;
  }
  printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
  twice_destroy(model);
  return 0;
}
