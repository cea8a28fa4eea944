/*
 * A model whose first input may lie in the memory of its second output, written by hand as the compiler would make it:
 *
 *   sum = the sum of all of cache[n] with the new number, and next[n] = cache with x in the place of cache[at]
 *
 * It reads the cache from the output, as the runtime lets it. WRONG: the input has another type than the output.
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
    0, NULL, 0, run_graph, extents, 0, NULL, NULL, NULL, 0, NULL, donated};

const relay_model_descriptor_t *donated_descriptor(void) { return &relay_model_descriptor; }
relay_model *donated_create(int32_t n_threads) { return relay_rt_create(&relay_model_descriptor, n_threads); }
int32_t donated_prepare(relay_model *model, const int64_t *const *in, int64_t *const *out) {
  return relay_rt_prepare(model, in, out);
}
int32_t donated_run(relay_model *model, const void *const *in, void *const *out) { return relay_rt_run(model, in, out); }
const void *donated_output(relay_model *model, int32_t output, int64_t *shape) {
  return relay_rt_output(model, output, shape);
}
void donated_destroy(relay_model *model) { relay_rt_destroy(model); }
const char *donated_last_error(void) { return relay_rt_last_error(); }
int32_t donated_profile(relay_model *model, int32_t node, uint64_t *calls, uint64_t *ns) {
  return relay_rt_profile(model, node, calls, ns);
}
