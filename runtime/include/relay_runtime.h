/*
 * Loading and running compiled models from C.
 *
 * A library made by `relayc compile model.onnx -o model.so` exports, with the model's name as the
 * prefix (here `model`):
 *
 *   relay_model *model_create(int32_t n_threads);
 *   int32_t model_run(relay_model *, const void *const *inputs, void *const *outputs);
 *   void model_destroy(relay_model *);
 *   const char *model_last_error(void);
 *
 * Link with the library, or load it with dlopen and look the functions up. Example:
 *
 *   #include "relay_runtime.h"
 *   RELAY_DECLARE_MODEL(model)
 *
 *   relay_model *m = model_create(0);              // 0: as many threads as the process may use
 *   const void *inputs[] = {image};                // in the order of relay_model_descriptor.inputs
 *   void *outputs[] = {scores};
 *   if (model_run(m, inputs, outputs) != 0) fprintf(stderr, "%s\n", model_last_error());
 *   model_destroy(m);
 *
 * Tensors are dense and row-major. A model runs one call at a time; make one per concurrent caller.
 */
#ifndef RELAY_RUNTIME_H
#define RELAY_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RELAY_ABI_VERSION 1

/** A model that can be run: its threads and memory. */
typedef struct relay_model relay_model;

/** An input or output. */
typedef struct {
  const char *name;
  const char *dtype; /**< "f32", "f64", "i8", "i16", "i32", "i64", or "i1": one byte per element */
  uint32_t rank;
  const int64_t *shape;
} relay_tensor_info;

/** What a library says of itself. */
typedef struct {
  uint32_t abi_version; /**< RELAY_ABI_VERSION */
  const char *name;     /**< prefix of the exported functions */
  const char *target;
  uint32_t n_inputs;
  const relay_tensor_info *inputs;
  uint32_t n_outputs;
  const relay_tensor_info *outputs;
  uint64_t arena_bytes; /**< memory that one instance works in */
  const uint8_t *weights;
  uint64_t weights_bytes;
  int32_t (*run_graph)(const void *const *inputs, void *const *outputs, void *arena,
                       const uint8_t *weights, void *instance);
  uint32_t n_nodes; /**< timed nodes; 0 unless compiled for profiling */
  const char *const *node_names;
  const char *const *node_ops;
  const uint64_t *node_flops;
} relay_model_descriptor_t;

/** Every library exports its descriptor under this name; find it with dlsym on its handle. */
#define RELAY_DESCRIPTOR_SYMBOL "relay_model_descriptor"

/** Declares the functions of the model called P. */
#define RELAY_DECLARE_MODEL(P)                                                                     \
  relay_model *P##_create(int32_t n_threads);                                                      \
  int32_t P##_run(relay_model *model, const void *const *inputs, void *const *outputs);            \
  void P##_destroy(relay_model *model);                                                            \
  const char *P##_last_error(void);                                                                \
  int32_t P##_profile(relay_model *model, int32_t node, uint64_t *calls, uint64_t *nanoseconds);

#ifdef __cplusplus
}
#endif

#endif /* RELAY_RUNTIME_H */
