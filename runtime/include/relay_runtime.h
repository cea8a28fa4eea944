/*
 * Loading and running compiled models from C or C++.
 *
 * A library made by `relayc compile model.onnx -o model.so` exports, with the model's name as the
 * prefix (here `model`):
 *
 *   relay_model *model_create(int32_t n_threads);
 *   int32_t model_prepare(relay_model *, const int64_t *const *input_shapes, int64_t *const *output_shapes);
 *   int32_t model_run(relay_model *, const void *const *inputs, void *const *outputs);
 *   const void *model_output(relay_model *, int32_t output, int64_t *shape);
 *   void model_destroy(relay_model *);
 *   const char *model_last_error(void);
 *   int32_t model_profile(relay_model *, int32_t node, uint64_t *calls, uint64_t *nanoseconds);
 *   void model_watch(relay_model *, int32_t (*go_on)(void *data), void *data);
 *   const relay_model_descriptor_t *model_descriptor(void);
 *
 * A program that is linked with the library declares and calls them. It looks for the file's name when it starts, in the
 * folders that it was told of: its own one, if it is made by `cc main.c model.so -Wl,-rpath,'$ORIGIN'`.
 *
 *   #include "relay_runtime.h"
 *   RELAY_DECLARE_MODEL(model)
 *
 *   relay_model *m = model_create(0);              // 0: as many threads as the process may use
 *   const void *inputs[] = {image};                // in the order of model_descriptor()->inputs
 *   void *outputs[] = {scores};
 *   if (!m || model_run(m, inputs, outputs) != 0) fprintf(stderr, "%s\n", model_last_error());
 *   model_destroy(m);
 *
 * It may be linked with several models, as libraries or as objects (`relayc compile --emit object`, then
 * `cc main.c a.o b.o librelay_runtime.a -lm`): nothing that one exports is another's, if their names differ.
 *
 * A program that learns of the model only when it runs loads it, and finds all of that by name:
 *
 *   void *library = dlopen("./model.so", RTLD_NOW | RTLD_LOCAL);
 *   const relay_model_descriptor_t *about = dlsym(library, RELAY_DESCRIPTOR_SYMBOL);
 *   relay_model_api api;
 *   if (about->abi_version != RELAY_ABI_VERSION || RELAY_LOOK_UP(api, dlsym, library, about->name))
 *     ...                                          // not a model, or one of another version
 *   relay_model *m = api.create(0);
 *
 * A model whose dimensions are all known runs at once. One with open dimensions (`shape` has -1, `dims` the text of the form,
 * such as "n" or "2*n + 1") is prepared for the shapes of its inputs first, and again when they change. That
 * fills the shapes of the outputs, which the caller then allocates:
 *
 *   const int64_t image_shape[] = {batch, 3, 224, 224};
 *   int64_t scores_shape[2];
 *   const int64_t *input_shapes[] = {image_shape};
 *   int64_t *output_shapes[] = {scores_shape};
 *   if (model_prepare(m, input_shapes, output_shapes) != 0) fprintf(stderr, "%s\n", model_last_error());
 *
 * The shape of an output may depend on data: the run computes it. `prepare` fills such a dimension with -1, the pointer in the list of
 * outputs is not used, and may be NULL, and after the run the model has the elements, up to the next run or preparation:
 *
 *   int64_t boxes_shape[2];
 *   const int64_t *boxes = model_output(m, 0, boxes_shape);
 *
 * An input may be donated to an output of the same type and shape, such as a cache that each run extends: `donated` says which. The
 * caller passes one pointer for both, or NULL for the output, and the output replaces the input in its memory; where the model updates
 * it in place, only what changes is written. With two buffers the results are the same: the runtime copies the input first.
 *
 *   void *outputs[] = {logits, cache};             // inputs[1] is cache, too, and donated[1] is 1
 *
 * After a run that failed, what is in the memory of a donated input is undefined.
 *
 * The kernels of a model may run on a GPU (`device_name`). `create` opens it: the first one, or that of the number in RELAY_CUDA_DEVICE
 * or, for "rocm", in RELAY_HIP_DEVICE. A library for several chips runs the code for the one that the GPU has. Tensors
 * may lie in its memory or in the host's, each as the caller likes: a run copies those of the host there and back, and uses those of the GPU
 * where they are, if their addresses are multiples of 16 bytes. A run begins after what the caller put into the default stream of CUDA or HIP, and has
 * ended when it returns. The child of a fork cannot use the GPU of its parent.
 *
 * Tensors are dense and row-major. They need the alignment of their elements, no more; inputs are
 * read where they are, and outputs must not overlap them, but for donated ones. A pointer to a tensor without elements may be NULL, any
 * other one is an error. The calling thread is one of the model's
 * threads. A model runs one call at a time (a second one fails); make one for each concurrent
 * caller: they share the constants.
 */
#ifndef RELAY_RUNTIME_H
#define RELAY_RUNTIME_H

#include <stdint.h>
#if __STDC_HOSTED__ /* Without a C library, there is no looking up. */
#include <stdio.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define RELAY_ABI_VERSION 7

/** A model that can be run: its threads and memory. */
typedef struct relay_model relay_model;

/** An input or output. */
typedef struct {
  const char *name;
  const char *dtype; /**< "i8" to "i64", unsigned "ui8" to "ui64", "f16", "bf16", "f32", "f64"; "i1": a byte each; "f8E4M3FN",
                          "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ", "f4E2M1FN", "i4", "ui4", "i2", "ui2": the low bits of a byte each,
                          whose other bits are 0 */
  uint32_t rank;
  const int64_t *shape;    /**< -1: the dimension is open */
  const char *const *dims; /**< for each dimension its form if it is open, or NULL; NULL if none is open */
} relay_tensor_info;

/** In `input` of a symbol: the run computes its value. */
#define RELAY_COMPUTED UINT32_MAX

/** In `donated`: the input lies in memory of its own. */
#define RELAY_NOT_DONATED UINT32_MAX

/** A number that is known when the model is prepared, because a dimension of an input says its value, or that a run computes. Those of
    the second kind come last. */
typedef struct {
  const char *name;
  int64_t least;      /**< the least value that the model takes, */
  int64_t most;       /**< the greatest (INT64_MAX: no bound), */
  int64_t multiple;   /**< and what it is a multiple of */
  uint32_t input;     /**< the number of the input, or RELAY_COMPUTED, */
  uint32_t dimension; /**< and its dimension */
} relay_symbol_info;

/** Two forms of symbols that must be equal when the model is prepared, and the node of the model that needs it. The symbols
    are dimensions of inputs: no run computes one of them. */
typedef struct {
  const char *lhs;
  const char *rhs;
  const char *node;
} relay_condition_info;

/** What a device loads: machine code, or text that its driver compiles. */
typedef struct {
  const void *data;
  uint64_t bytes;
} relay_device_image_t;

/** The kernels for one chip. */
typedef struct {
  const char *chip; /**< LLVM's name, "sm_90" or "gfx942" */
  uint32_t n_images;
  const relay_device_image_t *const *images; /**< NULL for kernels that have nothing there */
} relay_device_code_t;

/** What a library says of itself. */
typedef struct {
  uint32_t abi_version; /**< RELAY_ABI_VERSION */
  const char *name;     /**< prefix of the exported functions */
  const char *target;
  const char *precision; /**< "f32", or "bf16" where products read that in the place of f32 */
  const char *features; /**< of the processor, which the code needs: LLVM's names with commas between them */
  uint32_t n_inputs;
  const relay_tensor_info *inputs;
  uint32_t n_outputs;
  const relay_tensor_info *outputs;
  uint32_t n_symbols; /**< 0: all dimensions are known */
  const relay_symbol_info *symbols;
  uint64_t arena_bytes; /**< memory that one instance works in; 0 if `extents` says it */
  const uint8_t *weights;
  uint64_t weights_bytes;
  int32_t (*run_graph)(const void *const *inputs, void *const *outputs, void *arena,
                       const uint8_t *weights, void *instance, const int64_t *symbols);
  /** From the values of symbols: the open dimensions of inputs, then of outputs, then the bytes of the arena, then those of
      an arena for each computed symbol, then both sides of each condition; 0 if each fits 64 bits and none is negative but
      sides of conditions. A computed symbol is -1 before it is known, and so is what depends on it; conditions depend on
      none. NULL if there are no symbols. */
  int32_t (*extents)(const int64_t *symbols, int64_t *extents);
  uint32_t n_nodes; /**< timed nodes; 0 unless compiled for profiling */
  const char *const *node_names;
  const char *const *node_ops;
  const uint64_t *node_flops; /**< operations of one call; 0 where not counted */
  uint32_t n_conditions;
  const relay_condition_info *conditions;
  const uint32_t *donated; /**< for each input the output that may lie in its memory, or RELAY_NOT_DONATED; NULL if there is none */
  void (*device)(const void *descriptor, void *opened); /**< the runtime's function that opens the device that the kernels run on; NULL if
                                                             that is the processor */
  const char *device_name; /**< its kind, "cuda" or "rocm"; NULL if there is none */
  uint32_t n_codes;
  const relay_device_code_t *codes; /**< what the device loads, for each chip that the library is for */
} relay_model_descriptor_t;

/**
 * Every library exports its descriptor under this name, too; find it with dlsym on its handle. (A program
 * that refers to it gets that of the first library: it calls P_descriptor of the model called P.)
 */
#define RELAY_DESCRIPTOR_SYMBOL "relay_model_descriptor"

/**
 * The functions of a model.
 *
 * create:     an instance with so many threads, the caller's included; 0 for as many as the process
 *             may use. NULL on failure, and where the processor lacks instructions of the model's.
 * prepare:    sets the sizes of runs by the shapes of inputs, and fills the shapes of outputs; 0 if all went well. Each list,
 *             and each entry, may be NULL: such an input must have no open dimension, and such an output's
 *             shape is not asked for. The same shapes again cost nothing. After an error, a model with open
 *             dimensions has no sizes.
 * run:        0 if all went well. The lists are in the descriptor's order. An output that an input is donated to may be NULL, or the
 *             pointer of the input, which is written to then.
 * output:     the elements of an output whose shape the last run computed, and the shape, unless that is NULL. They stay as they are
 *             until the next run or preparation. NULL if the run failed, or the output is no such one.
 * destroy:    ends the instance's threads and frees it; NULL is ignored.
 * last_error: what went wrong last on the calling thread; lives until the next failure on it.
 * profile:    the calls of a node since `create`, and the time they took; 0 if there is such a node.
 *
 * P_watch, which a program that is linked with the model P can call, too, is for models that are programs, which may have
 * no end: while one runs, it calls `go_on(data)` some times in a second, and the run fails if that gives 0.
 */
typedef struct {
  relay_model *(*create)(int32_t n_threads);
  int32_t (*prepare)(relay_model *model, const int64_t *const *input_shapes, int64_t *const *output_shapes);
  int32_t (*run)(relay_model *model, const void *const *inputs, void *const *outputs);
  const void *(*output)(relay_model *model, int32_t output, int64_t *shape);
  void (*destroy)(relay_model *model);
  const char *(*last_error)(void);
  int32_t (*profile)(relay_model *model, int32_t node, uint64_t *calls, uint64_t *nanoseconds);
} relay_model_api;

#ifdef __cplusplus
#define RELAY_C extern "C"
#else
#define RELAY_C extern
#endif

/** Declares the functions of the model called P. */
#define RELAY_DECLARE_MODEL(P)                                                                     \
  RELAY_C relay_model *P##_create(int32_t n_threads);                                              \
  RELAY_C int32_t P##_prepare(relay_model *model, const int64_t *const *input_shapes,              \
                              int64_t *const *output_shapes);                                      \
  RELAY_C int32_t P##_run(relay_model *model, const void *const *inputs, void *const *outputs);    \
  RELAY_C const void *P##_output(relay_model *model, int32_t output, int64_t *shape);              \
  RELAY_C void P##_destroy(relay_model *model);                                                    \
  RELAY_C const char *P##_last_error(void);                                                        \
  RELAY_C void P##_watch(relay_model *model, int32_t (*go_on)(void *data), void *data);            \
  RELAY_C int32_t P##_profile(relay_model *model, int32_t node, uint64_t *calls,                   \
                              uint64_t *nanoseconds);                                              \
  RELAY_C const relay_model_descriptor_t *P##_descriptor(void);

#if __STDC_HOSTED__
/** How functions are found in a loaded library: dlsym has this type. */
typedef void *(*relay_find_symbol)(void *library, const char *symbol);

/** Finds one function of the model called `name`; 0 if it is there. */
static inline int32_t relay_look_up_one(relay_find_symbol find, void *library, const char *name,
                                        const char *function, void *slot) {
  char symbol[512];
  int length = snprintf(symbol, sizeof symbol, "%s_%s", name, function);
  void *found = length > 0 && length < (int)sizeof symbol ? find(library, symbol) : NULL;
  /* C has no cast from object to function pointers; POSIX gives them the same representation. */
  *(void **)slot = found;
  return found ? 0 : 1;
}

/** Fills `api` with the functions of the model called NAME in LIBRARY; 0 if all are there. */
#define RELAY_LOOK_UP(API, DLSYM, LIBRARY, NAME)                                                   \
  (relay_look_up_one((DLSYM), (LIBRARY), (NAME), "create", &(API).create) ||                       \
   relay_look_up_one((DLSYM), (LIBRARY), (NAME), "prepare", &(API).prepare) ||                     \
   relay_look_up_one((DLSYM), (LIBRARY), (NAME), "run", &(API).run) ||                             \
   relay_look_up_one((DLSYM), (LIBRARY), (NAME), "output", &(API).output) ||                       \
   relay_look_up_one((DLSYM), (LIBRARY), (NAME), "destroy", &(API).destroy) ||                     \
   relay_look_up_one((DLSYM), (LIBRARY), (NAME), "last_error", &(API).last_error) ||               \
   relay_look_up_one((DLSYM), (LIBRARY), (NAME), "profile", &(API).profile))
#endif

#ifdef __cplusplus
}
#endif

#endif /* RELAY_RUNTIME_H */
