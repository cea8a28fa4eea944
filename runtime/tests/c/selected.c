/* Runs the model `computed`, which it is linked with. */
#include "relay_runtime.h"
#include <stdio.h>

RELAY_DECLARE_MODEL(computed)

static void select_from(relay_model *model, const float *x, int64_t count) {
  const int64_t *input_shapes[] = {&count};
  int64_t shape = 7, *output_shapes[] = {&shape};
  if (computed_prepare(model, input_shapes, output_shapes) != 0) {
    printf("%s\n", computed_last_error());
    return;
  }
  printf("prepared: %ld\n", (long)shape);
  const void *inputs[] = {x};
  void *outputs[] = {NULL};
  if (computed_run(model, inputs, outputs) != 0)
    printf("%s\n", computed_last_error());
  const float *y = computed_output(model, 0, &shape);
  if (!y) {
    printf("%s\n", computed_last_error());
    return;
  }
  printf("%ld:", (long)shape);
  for (int64_t i = 0; i < shape; i++)
    printf(" %g", y[i]);
  printf("\n");
}

int main(void) {
  relay_model *model = computed_create(1);
  const float some[] = {1, -1, 2, -2, 3}, none[] = {-1, -2}, many[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  if (!computed_output(model, 0, NULL))
    printf("%s\n", computed_last_error());
  select_from(model, some, 5);
  select_from(model, none, 2);
  select_from(model, many, 9);
  select_from(model, many, 8);
  select_from(model, some, 5);
  select_from(model, some, 5);
  int64_t shape;
  if (!computed_output(model, 1, &shape))
    printf("%s\n", computed_last_error());
  computed_destroy(model);
}
