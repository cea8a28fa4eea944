/*
 * A model whose first input may lie in the memory of its second output, written by hand as the compiler would make it:
 *
 *   sum = the sum of all of cache[n] with the new number, and next[n] = cache with x in the place of cache[at]
 *
 * It reads the cache from the output, as the runtime lets it. WRONG: the input has another type than the output.
 */
#include "written_by_hand.h"
#include <stddef.h>

static int32_t extents(const int64_t *symbols, int64_t *extents) {
  const int64_t all[] = {symbols[0], symbols[0], 0};
  for (int i = 0; i < 3; i++)
    extents[i] = all[i];
  return symbols[0] < 0;
}

static int32_t run_graph(const void *const *inputs, void *const *outputs, void *arena, const uint8_t *weights,
                         void *instance, const int64_t *symbols) {
  (void)arena, (void)weights, (void)instance;
  float *sum = outputs[0], *next = outputs[1];
  const float *x = inputs[1];
  next[*(const int64_t *)inputs[2]] = *x;
  *sum = 0;
  for (int64_t i = 0; i < symbols[0]; i++)
    *sum += next[i];
  return 0;
}

#ifdef WRONG
#define CACHE_TYPE "i32"
#else
#define CACHE_TYPE "f32"
#endif

static const int64_t open_shape[] = {-1}, none[] = {0};
static const char *const dims[] = {"n"};
static const relay_tensor_info inputs[] = {
    {"cache", CACHE_TYPE, 1, open_shape, dims}, {"x", "f32", 0, none, NULL}, {"at", "i64", 0, none, NULL}};
static const relay_tensor_info outputs[] = {{"sum", "f32", 0, none, NULL}, {"next", "f32", 1, open_shape, dims}};
static const relay_symbol_info symbols[] = {{"n", 0, INT64_MAX, 1, 0, 0}};
static const uint32_t donated[] = {1, RELAY_NOT_DONATED, RELAY_NOT_DONATED};

const relay_model_descriptor_t relay_model_descriptor = {
    RELAY_ABI_VERSION, "donated", "x86_64-unknown-linux-gnu", "f32", "", 3, inputs, 2, outputs, 1, symbols,
    0, NULL, 0, run_graph, extents, 0, NULL, NULL, NULL, 0, NULL, donated, NULL, NULL, 0, NULL};

EXPORT_MODEL(donated)
