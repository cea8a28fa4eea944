/* What models that are written by hand in the place of the compiler have in common: the runtime's functions, and the interface. */
#ifndef WRITTEN_BY_HAND_H
#define WRITTEN_BY_HAND_H

#include "relay_runtime.h"

relay_model *relay_rt_create(const relay_model_descriptor_t *descriptor, int32_t n_threads);
int32_t relay_rt_prepare(relay_model *, const int64_t *const *input_shapes, int64_t *const *output_shapes);
int32_t relay_rt_run(relay_model *, const void *const *inputs, void *const *outputs);
const void *relay_rt_output(relay_model *, int32_t output, int64_t *shape);
void relay_rt_destroy(relay_model *);
const char *relay_rt_last_error(void);
int32_t relay_rt_profile(relay_model *, int32_t node, uint64_t *calls, uint64_t *nanoseconds);

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

/* The functions of the interface of a model of this name, whose descriptor is `relay_model_descriptor`. */
#define EXPORT_MODEL(P)                                                                                                \
  const relay_model_descriptor_t *PASTE(P, _descriptor)(void) { return &relay_model_descriptor; }                      \
  relay_model *PASTE(P, _create)(int32_t n_threads) { return relay_rt_create(&relay_model_descriptor, n_threads); }    \
  int32_t PASTE(P, _prepare)(relay_model *model, const int64_t *const *in, int64_t *const *out) {                      \
    return relay_rt_prepare(model, in, out);                                                                           \
  }                                                                                                                    \
  int32_t PASTE(P, _run)(relay_model *model, const void *const *in, void *const *out) {                                \
    return relay_rt_run(model, in, out);                                                                               \
  }                                                                                                                    \
  const void *PASTE(P, _output)(relay_model *model, int32_t output, int64_t *shape) {                                  \
    return relay_rt_output(model, output, shape);                                                                      \
  }                                                                                                                    \
  void PASTE(P, _destroy)(relay_model *model) { relay_rt_destroy(model); }                                             \
  const char *PASTE(P, _last_error)(void) { return relay_rt_last_error(); }                                            \
  int32_t PASTE(P, _profile)(relay_model *model, int32_t node, uint64_t *calls, uint64_t *ns) {                        \
    return relay_rt_profile(model, node, calls, ns);                                                                   \
  }

#endif
