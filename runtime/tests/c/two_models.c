/* Runs the models `plus` and `times`, linked in, in turns; both live at once. */
#include "relay_runtime.h"
#include <stdio.h>

RELAY_DECLARE_MODEL(plus)
RELAY_DECLARE_MODEL(times)

#define MODEL(NAME) {NAME##_descriptor, NAME##_create, NAME##_run, NAME##_destroy, NAME##_last_error}

static const struct model {
  const relay_model_descriptor_t *(*descriptor)(void);
  relay_model *(*create)(int32_t);
  int32_t (*run)(relay_model *, const void *const *, void *const *);
  void (*destroy)(relay_model *);
  const char *(*last_error)(void);
} plus = MODEL(plus), times = MODEL(times);

static int show(const struct model *functions, relay_model *model) {
  const float x[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  float y[8];
  const void *inputs[] = {x};
  void *outputs[] = {y};
  if (!model || functions->run(model, inputs, outputs) != 0)
    return fprintf(stderr, "%s\n", functions->last_error()), 1;
  const relay_model_descriptor_t *about = functions->descriptor();
  const relay_tensor_info *input = &about->inputs[0];
  printf("%s takes %s[%d] %s:", about->name, input->name, (int)input->shape[0], input->dtype);
  for (int64_t i = 0; i < input->shape[0]; i++)
    printf(" %g", y[i]);
  printf("\n");
  return 0;
}

int main(void) {
  relay_model *first = plus.create(2), *second = times.create(1);
  int failed = show(&plus, first) || show(&times, second) || show(&plus, first);
  plus.destroy(first);
  times.destroy(second);
  return failed;
}
