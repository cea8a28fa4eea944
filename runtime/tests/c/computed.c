/*
 * A model whose shapes depend on data as the compiler would make it, written by hand:
 *
 *   y[k] = the elements of x[n] that are not negative
 *
 * A number of elements above 8 is an error. The elements are collected in the arena that the model takes once it knows k.
 */
#include "written_by_hand.h"
#include <stddef.h>

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
    0, NULL, 0, run_graph, extents, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, 0, NULL};

EXPORT_MODEL(computed)
