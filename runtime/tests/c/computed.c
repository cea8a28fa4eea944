/*
 * A model whose shapes depend on data as the compiler would make it, written by hand:
 *
 *   y[k] = the elements of x[n] from 0 on
 *
 * A number of elements above 8 is an error. The elements are collected in the arena that the model takes once it knows k.
 */
#include "relay_runtime.h"
#include <stddef.h>

relay_model *relay_rt_create(const relay_model_descriptor_t *descriptor, int32_t n_threads);
int32_t relay_rt_prepare(relay_model *, const int64_t *const *input_shapes, int64_t *const *output_shapes);
int32_t relay_rt_run(relay_model *, const void *const *inputs, void *const *outputs);
const void *relay_rt_output(relay_model *, int32_t output, int64_t *shape);
void relay_rt_destroy(relay_model *);
const char *relay_rt_last_error(void);
int32_t relay_rt_profile(relay_model *, int32_t node, uint64_t *calls, uint64_t *nanoseconds);
int64_t relay_rt_define(void *instance, int32_t symbol, int64_t value, int64_t least, int64_t most, const char *nodes);
void *relay_rt_arena(void *instance, int32_t number);
void *relay_rt_output_memory(void *instance, int32_t output);

static int32_t extents(const int64_t *symbols, int64_t *extents) {
  int64_t n = symbols[0], k = symbols[1];
  const int64_t all[] = {n, k, 64, k < 0 ? -1 : k * (int64_t)sizeof(float)};
  for (int i = 0; i < 4; i++)
    extents[i] = all[i];
  return n < 0;
}

static int32_t run_graph(const void *const *inputs, void *const *outputs, void *arena, const uint8_t *weights,
                         void *instance, const int64_t *symbols) {
  (void)weights, (void)outputs, (void)arena;
  int64_t n = symbols[0], count = 0;
  const float *x = inputs[0];
  for (int64_t i = 0; i < n; i++)
    count += x[i] >= 0;
  int64_t k = relay_rt_define(instance, 1, count, 0, n, "find");
  if (k < 0)
    return 0;
  float *found = relay_rt_arena(instance, 0), *y = relay_rt_output_memory(instance, 0);
  int64_t next = 0;
  for (int64_t i = 0; i < n; i++)
    if (x[i] >= 0)
      found[next++] = x[i];
  for (int64_t i = 0; i < k; i++)
    y[i] = found[i];
  return 0;
}

static const int64_t open_shape[] = {-1};
static const char *const x_dims[] = {"n"}, *const y_dims[] = {"k"};
static const relay_tensor_info inputs[] = {{"x", "f32", 1, open_shape, x_dims}};
static const relay_tensor_info outputs[] = {{"y", "f32", 1, open_shape, y_dims}};
static const relay_symbol_info symbols[] = {{"n", 0, INT64_MAX, 1, 0, 0}, {"k", 0, 8, 1, RELAY_COMPUTED, 0}};

const relay_model_descriptor_t relay_model_descriptor = {
    RELAY_ABI_VERSION, "computed", "x86_64-unknown-linux-gnu", "f32", "", 1, inputs, 1, outputs, 2, symbols,
    0, NULL, 0, run_graph, extents, 0, NULL, NULL, NULL, 0, NULL, NULL};

const relay_model_descriptor_t *computed_descriptor(void) { return &relay_model_descriptor; }
relay_model *computed_create(int32_t n_threads) { return relay_rt_create(&relay_model_descriptor, n_threads); }
int32_t computed_prepare(relay_model *model, const int64_t *const *in, int64_t *const *out) {
  return relay_rt_prepare(model, in, out);
}
int32_t computed_run(relay_model *model, const void *const *in, void *const *out) { return relay_rt_run(model, in, out); }
const void *computed_output(relay_model *model, int32_t output, int64_t *shape) {
  return relay_rt_output(model, output, shape);
}
void computed_destroy(relay_model *model) { relay_rt_destroy(model); }
const char *computed_last_error(void) { return relay_rt_last_error(); }
int32_t computed_profile(relay_model *model, int32_t node, uint64_t *calls, uint64_t *ns) {
  return relay_rt_profile(model, node, calls, ns);
}
