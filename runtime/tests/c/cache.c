/* Updates a cache in place, and in another place. */
#include "relay_runtime.h"
#include <stdio.h>

RELAY_DECLARE_MODEL(cache)

static void show(const char *what, const float *numbers) {
  printf("%s%g %g %g %g", what, numbers[0], numbers[1], numbers[2], numbers[3]);
}

int main(void) {
  float past[] = {1, 2, 3, 4}, next[4], kept[] = {1, 2, 3, 4}, x = 9;
  int64_t at = 2, behind = 4;
  relay_model *model = cache_create(1);
  if (!model || cache_descriptor()->donated[0] != 0 || cache_descriptor()->donated[1] != RELAY_NOT_DONATED)
    return 1;
  const void *inputs[] = {past, &x, &at};
  void *outputs[] = {NULL};
  if (cache_run(model, inputs, outputs) != 0)
    return 2;
  show("one place: ", past);
  inputs[0] = kept;
  outputs[0] = next;
  if (cache_run(model, inputs, outputs) != 0)
    return 3;
  show("\ntwo places: ", next);
  show(" of ", kept);
  inputs[2] = &behind;
  outputs[0] = kept;
  if (cache_run(model, inputs, outputs) == 0)
    return 4;
  printf("\nwrong: %s\n", cache_last_error());
  show("kept: ", kept);
  printf("\n");
  cache_destroy(model);
}
