/*
 * A model with open dimensions as the compiler would make it, written by hand:
 *
 *   y[i] = the sum of row i of x[n, m], and places[i] = i for as many numbers as mask[2*n + 1] has
 *
 * The arena holds n numbers, in which the sums are made. `n` is from 1 to 64 and a multiple of 2 if BOUNDED; the model counts
 * the calls of its function of extents in `extents_calls`.
 */
#include "written_by_hand.h"
#include <stddef.h>

int64_t open_extents_calls;

static int32_t extents(const int64_t *symbols, int64_t *extents) {
  int64_t m = symbols[0], n = symbols[1], twice, bytes;
  open_extents_calls++;
  int wrong = __builtin_mul_overflow(n, 2, &twice) || __builtin_mul_overflow(n, sizeof(float), &bytes);
  if (wrong || n < 0 || m < 0)
    return 1;
  const int64_t all[] = {n, m, twice + 1, n, twice + 1, bytes};
  for (int i = 0; i < 6; i++)
    extents[i] = all[i];
  return 0;
}

static int32_t run_graph(const void *const *inputs, void *const *outputs, void *arena, const uint8_t *weights,
                         void *instance, const int64_t *symbols) {
  (void)weights, (void)instance;
  int64_t m = symbols[0], n = symbols[1];
  const float *x = inputs[0];
  float *sums = arena, *y = outputs[0];
  int64_t *places = outputs[1];
  for (int64_t i = 0; i < n; i++) {
    sums[i] = 0;
    for (int64_t j = 0; j < m; j++)
      sums[i] += x[i * m + j];
  }
  for (int64_t i = 0; i < n; i++)
    y[i] = sums[i];
  for (int64_t i = 0; i < 2 * n + 1; i++)
    places[i] = i;
  return 0;
}

static const int64_t x_shape[] = {-1, -1, 1}, mask_shape[] = {-1}, y_shape[] = {-1};
static const char *const x_dims[] = {"n", "m", NULL}, *const mask_dims[] = {"2*n + 1"}, *const y_dims[] = {"n"};
static const relay_tensor_info inputs[] = {{"x", "f32", 3, x_shape, x_dims}, {"mask", "i1", 1, mask_shape, mask_dims}};
static const relay_tensor_info outputs[] = {{"y", "f32", 1, y_shape, y_dims}, {"places", "i64", 1, mask_shape, mask_dims}};
#ifdef BOUNDED
static const relay_symbol_info symbols[] = {{"m", 0, INT64_MAX, 1, 0, 1}, {"n", 2, 64, 2, 0, 0}};
#else
static const relay_symbol_info symbols[] = {{"m", 0, INT64_MAX, 1, 0, 1}, {"n", 0, INT64_MAX, 1, 0, 0}};
#endif

const relay_model_descriptor_t relay_model_descriptor = {
    RELAY_ABI_VERSION, "open", "x86_64-unknown-linux-gnu", "f32", "", 2, inputs, 2, outputs, 2, symbols,
    0, NULL, 0, run_graph, extents, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, 0, NULL};

EXPORT_MODEL(open)
