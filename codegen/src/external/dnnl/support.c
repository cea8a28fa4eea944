/* What the functions below are made of: graphs of oneDNN's primitives, which are made at a function's first call and
   stay for as long as the library.

   A tensor between primitives lies as they like it best, and is reordered where two differ. Constants are reordered once.
   Calls on several threads have memory of their own. */

#include <oneapi/dnnl/dnnl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if DNNL_VERSION_MAJOR != 2
#error "this code is for oneDNN 2, as Debian 12 has it (libdnnl-dev)"
#endif

#define NONE (-1)
#define ALIGNMENT 64
#define MAX_ARGUMENTS 6

/* Where a tensor's bytes are: in a parameter, in memory of the call, or kept from the first call on. */
enum place { PARAMETER, SCRATCH, PACKED };

struct storage {
  enum place place;
  int parameter;        /* of PARAMETER: its number */
  int is_constant;      /* of PARAMETER: whether each call comes with the same elements, if not in the same place */
  void *packed;         /* of PACKED: its bytes, which are kept */
  size_t bytes, offset; /* of SCRATCH */
  int first, last;      /* the steps between which it is in use */
};

struct tensor {
  dnnl_memory_desc_t layout;
  int storage;
};

struct step {
  dnnl_primitive_t primitive;
  int count;
  int names[MAX_ARGUMENTS];   /* oneDNN's DNNL_ARG_... */
  int tensors[MAX_ARGUMENTS];
};

struct context {
  char *memory;
  dnnl_memory_t *tensors;
  dnnl_memory_t scratchpad;
  dnnl_stream_t stream;
  struct context *next;
};

struct graph {
  const char *name;
  dnnl_engine_t engine;
  void **parameters;          /* those of the first call, while the graph is made */
  struct storage *storages;
  struct tensor *tensors;
  struct step *steps;
  int storage_count, tensor_count, step_count;
  size_t scratch_bytes, scratchpad_bytes;
  pthread_mutex_t lock;
  struct context *idle;
};

static void check(dnnl_status_t status, const struct graph *g, const char *what) {
  if (status == dnnl_success) return;
  fprintf(stderr, "%s: oneDNN fails with status %d in %s\n", g->name, (int)status, what);
  abort();
}

static void *obtain(size_t bytes, const struct graph *g) {
  size_t whole = (bytes / ALIGNMENT + 1) * ALIGNMENT;
  void *memory = aligned_alloc(ALIGNMENT, whole);
  if (!memory) {
    fprintf(stderr, "%s: no memory for %zu bytes\n", g->name, whole);
    abort();
  }
  return memory;
}

/* Room for one more in a list that grows by doubling. */
static void *room(void *list, int count, size_t size, const struct graph *g) {
  if (count & (count - 1)) return list;
  void *grown = realloc(list, (size_t)(count ? 2 * count : 1) * size);
  if (!grown) obtain(SIZE_MAX / 2, g);
  return grown;
}

static dnnl_memory_desc_t plain(const struct graph *g, int rank, const dnnl_dim_t *dims) {
  dnnl_memory_desc_t layout;
  dnnl_dims_t strides;
  dnnl_dim_t stride = 1;
  for (int dim = rank - 1; dim >= 0; dim--) {
    strides[dim] = stride;
    stride *= dims[dim];
  }
  check(dnnl_memory_desc_init_by_strides(&layout, rank, dims, dnnl_f32, strides), g, "a layout");
  return layout;
}

static dnnl_memory_desc_t any(const struct graph *g, int rank, const dnnl_dim_t *dims) {
  dnnl_memory_desc_t layout;
  check(dnnl_memory_desc_init_by_tag(&layout, rank, dims, dnnl_f32, dnnl_format_tag_any), g, "a layout");
  return layout;
}

static int is_plain(const struct graph *g, int tensor) {
  const dnnl_memory_desc_t *layout = &g->tensors[tensor].layout;
  dnnl_memory_desc_t wanted = plain(g, layout->ndims, layout->dims);
  return dnnl_memory_desc_equal(layout, &wanted);
}

static int add_storage(struct graph *g, struct storage storage) {
  g->storages = room(g->storages, g->storage_count, sizeof *g->storages, g);
  storage.first = storage.last = NONE;
  g->storages[g->storage_count] = storage;
  return g->storage_count++;
}

static int add_tensor(struct graph *g, dnnl_memory_desc_t layout, int storage) {
  g->tensors = room(g->tensors, g->tensor_count, sizeof *g->tensors, g);
  g->tensors[g->tensor_count] = (struct tensor){layout, storage};
  return g->tensor_count++;
}

/* A tensor in memory between calls of primitives. */
static int add_scratch(struct graph *g, const dnnl_memory_desc_t *layout) {
  struct storage storage = {.place = SCRATCH, .bytes = dnnl_memory_desc_get_size(layout)};
  return add_tensor(g, *layout, add_storage(g, storage));
}

/* A primitive. Its scratchpad is that of the call, so that calls may run side by side. */
static struct step *add_step(struct graph *g, dnnl_primitive_desc_t made) {
  g->steps = room(g->steps, g->step_count, sizeof *g->steps, g);
  struct step *step = &g->steps[g->step_count++];
  *step = (struct step){0};
  check(dnnl_primitive_create(&step->primitive, made), g, "a primitive");
  size_t bytes = dnnl_memory_desc_get_size(dnnl_primitive_desc_query_md(made, dnnl_query_scratchpad_md, 0));
  if (bytes > g->scratchpad_bytes) g->scratchpad_bytes = bytes;
  check(dnnl_primitive_desc_destroy(made), g, "a descriptor");
  return step;
}

static void pass(struct step *step, int name, int tensor) {
  step->names[step->count] = name;
  step->tensors[step->count++] = tensor;
}

static dnnl_primitive_attr_t attributes(const struct graph *g) {
  dnnl_primitive_attr_t attr;
  check(dnnl_primitive_attr_create(&attr), g, "attributes");
  check(dnnl_primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user), g, "attributes");
  return attr;
}

/* A parameter that is read. */
static int input(struct graph *g, int parameter, int is_constant, int rank, const dnnl_dim_t *dims) {
  struct storage storage = {.place = PARAMETER, .parameter = parameter, .is_constant = is_constant};
  return add_tensor(g, plain(g, rank, dims), add_storage(g, storage));
}

/* The same elements in another layout. Constants are brought into it now. */
static int reorder(struct graph *g, int tensor, const dnnl_memory_desc_t *layout) {
  struct tensor source = g->tensors[tensor];
  struct storage from = g->storages[source.storage];
  void *known = from.place == PACKED ? from.packed : from.is_constant ? g->parameters[from.parameter] : NULL;
  dnnl_primitive_desc_t made;
  dnnl_primitive_attr_t attr = attributes(g);
  check(dnnl_reorder_primitive_desc_create(&made, &source.layout, g->engine, layout, g->engine, attr), g, "a reorder");
  check(dnnl_primitive_attr_destroy(attr), g, "attributes");
  if (!known) {
    int target = add_scratch(g, layout);
    struct step *step = add_step(g, made);
    pass(step, DNNL_ARG_FROM, tensor);
    pass(step, DNNL_ARG_TO, target);
    return target;
  }
  dnnl_primitive_t primitive;
  dnnl_stream_t stream;
  dnnl_memory_t memories[3];
  const dnnl_memory_desc_t *pad = dnnl_primitive_desc_query_md(made, dnnl_query_scratchpad_md, 0);
  void *packed = obtain(dnnl_memory_desc_get_size(layout), g);
  void *scratchpad = obtain(dnnl_memory_desc_get_size(pad), g);
  check(dnnl_primitive_create(&primitive, made), g, "a primitive");
  check(dnnl_stream_create(&stream, g->engine, dnnl_stream_default_flags), g, "a stream");
  check(dnnl_memory_create(&memories[0], &source.layout, g->engine, known), g, "memory");
  check(dnnl_memory_create(&memories[1], layout, g->engine, packed), g, "memory");
  check(dnnl_memory_create(&memories[2], pad, g->engine, scratchpad), g, "memory");
  dnnl_exec_arg_t arguments[] = {
      {DNNL_ARG_FROM, memories[0]}, {DNNL_ARG_TO, memories[1]}, {DNNL_ARG_SCRATCHPAD, memories[2]}};
  check(dnnl_primitive_execute(primitive, stream, 3, arguments), g, "a reorder");
  check(dnnl_stream_wait(stream), g, "a stream");
  for (int i = 0; i < 3; i++) dnnl_memory_destroy(memories[i]);
  dnnl_stream_destroy(stream);
  dnnl_primitive_destroy(primitive);
  dnnl_primitive_desc_destroy(made);
  free(scratchpad);
  struct storage storage = {.place = PACKED, .packed = packed};
  return add_tensor(g, *layout, add_storage(g, storage));
}

static int in_layout(struct graph *g, int tensor, const dnnl_memory_desc_t *layout) {
  return dnnl_memory_desc_equal(&g->tensors[tensor].layout, layout) ? tensor : reorder(g, tensor, layout);
}

static int in_plain(struct graph *g, int tensor) {
  dnnl_memory_desc_t layout = g->tensors[tensor].layout;
  layout = plain(g, layout.ndims, layout.dims);
  return in_layout(g, tensor, &layout);
}

/* The same bytes under another shape. */
static int view(struct graph *g, int tensor, int rank, const dnnl_dim_t *dims) {
  tensor = in_plain(g, tensor);
  return add_tensor(g, plain(g, rank, dims), g->tensors[tensor].storage);
}

/* What follows a product or convolution within its primitive. */
struct behind {
  int bias;      /* a tensor, or NONE */
  int sum;       /* a tensor that is added, or NONE */
  int in_place;  /* whether nobody else reads that one any more */
  float scale;   /* what the result is multiplied by */
  dnnl_alg_kind_t activation; /* or dnnl_alg_kind_undef */
};

static dnnl_primitive_attr_t attributes_of(const struct graph *g, const struct behind *behind) {
  dnnl_primitive_attr_t attr = attributes(g);
  dnnl_post_ops_t ops;
  check(dnnl_post_ops_create(&ops), g, "post-ops");
  if (behind->sum != NONE) check(dnnl_post_ops_append_sum(ops, 1.0f), g, "a sum");
  if (behind->scale != 1.0f)
    check(dnnl_post_ops_append_eltwise(ops, 1.0f, dnnl_eltwise_linear, behind->scale, 0.0f), g, "a scale");
  if (behind->activation != dnnl_alg_kind_undef)
    check(dnnl_post_ops_append_eltwise(ops, 1.0f, behind->activation, 0.0f, 0.0f), g, "an activation");
  check(dnnl_primitive_attr_set_post_ops(attr, ops), g, "post-ops");
  check(dnnl_post_ops_destroy(ops), g, "post-ops");
  return attr;
}

/* The primitive of a product or convolution on tensors in the layouts that it asks for. */
static int product(struct graph *g, const_dnnl_op_desc_t wanted, int source, int weights, const struct behind *behind) {
  dnnl_primitive_desc_t made;
  dnnl_primitive_attr_t attr = attributes_of(g, behind);
  check(dnnl_primitive_desc_create(&made, wanted, attr, g->engine, NULL), g, "a product");
  check(dnnl_primitive_attr_destroy(attr), g, "attributes");
  source = in_layout(g, source, dnnl_primitive_desc_query_md(made, dnnl_query_src_md, 0));
  weights = in_layout(g, weights, dnnl_primitive_desc_query_md(made, dnnl_query_weights_md, 0));
  dnnl_memory_desc_t layout = *dnnl_primitive_desc_query_md(made, dnnl_query_dst_md, 0);
  int target;
  if (behind->sum == NONE) {
    target = add_scratch(g, &layout);
  } else {
    /* A sum is added to what lies where the result goes. */
    const struct tensor *sum = &g->tensors[behind->sum];
    int is_free = behind->in_place && g->storages[sum->storage].place == SCRATCH;
    int fits = is_free && dnnl_memory_desc_equal(&sum->layout, &layout);
    target = fits ? behind->sum : reorder(g, behind->sum, &layout);
    if (g->storages[g->tensors[target].storage].place == PACKED) {
      /* A constant stays as it is. */
      int copy = add_scratch(g, &layout);
      dnnl_primitive_desc_t copied;
      dnnl_primitive_attr_t plain_attr = attributes(g);
      check(dnnl_reorder_primitive_desc_create(&copied, &layout, g->engine, &layout, g->engine, plain_attr), g, "a copy");
      check(dnnl_primitive_attr_destroy(plain_attr), g, "attributes");
      struct step *step = add_step(g, copied);
      pass(step, DNNL_ARG_FROM, target);
      pass(step, DNNL_ARG_TO, copy);
      target = copy;
    }
  }
  struct step *step = add_step(g, made);
  pass(step, DNNL_ARG_SRC, source);
  pass(step, DNNL_ARG_WEIGHTS, weights);
  if (behind->bias != NONE) pass(step, DNNL_ARG_BIAS, behind->bias);
  pass(step, DNNL_ARG_DST, target);
  return target;
}

/* The bias as one dimension. What is returned holds until the next tensor is added. */
static const dnnl_memory_desc_t *bias_layout(struct graph *g, struct behind *behind, dnnl_dim_t channels) {
  if (behind->bias == NONE) return NULL;
  behind->bias = view(g, behind->bias, 1, &channels);
  return &g->tensors[behind->bias].layout;
}

/* A convolution of `rank` dimensions, of which those of the weights are one more with groups. */
static int convolution(struct graph *g, int source, int weights, int rank, const dnnl_dim_t *dims, int weights_rank,
                       const dnnl_dim_t *weights_dims, const dnnl_dim_t *strides, const dnnl_dim_t *dilation,
                       const dnnl_dim_t *before, const dnnl_dim_t *behind_it, struct behind behind) {
  dnnl_memory_desc_t from = any(g, rank, g->tensors[source].layout.dims), to = any(g, rank, dims);
  dnnl_memory_desc_t by = any(g, weights_rank, weights_dims);
  weights = view(g, weights, weights_rank, weights_dims);
  const dnnl_memory_desc_t *bias = bias_layout(g, &behind, dims[1]);
  dnnl_convolution_desc_t wanted;
  check(dnnl_dilated_convolution_forward_desc_init(&wanted, dnnl_forward_inference, dnnl_convolution_direct, &from, &by,
                                                   bias, &to, strides, dilation, before, behind_it),
        g, "a convolution");
  return product(g, &wanted, source, weights, &behind);
}

/* A product of rows with a matrix of rows: x W'. */
static int dense(struct graph *g, int source, int weights, dnnl_dim_t rows, dnnl_dim_t columns, dnnl_dim_t depth,
                 struct behind behind) {
  dnnl_dim_t from_dims[] = {rows, depth}, by_dims[] = {columns, depth}, to_dims[] = {rows, columns};
  source = view(g, source, 2, from_dims);
  weights = view(g, weights, 2, by_dims);
  if (behind.sum != NONE) behind.sum = view(g, behind.sum, 2, to_dims);
  const dnnl_memory_desc_t *bias = bias_layout(g, &behind, columns);
  dnnl_memory_desc_t to = plain(g, 2, to_dims), by = any(g, 2, by_dims);
  dnnl_inner_product_desc_t wanted;
  check(dnnl_inner_product_forward_desc_init(&wanted, dnnl_forward_inference, &g->tensors[source].layout, &by, bias, &to),
        g, "a product");
  return product(g, &wanted, source, weights, &behind);
}

/* The last two dimensions of a batch of matrices, one for the other. */
static dnnl_memory_desc_t transposed(const struct graph *g, int tensor) {
  dnnl_memory_desc_t layout;
  const int axes[] = {0, 2, 1};
  check(dnnl_memory_desc_permute_axes(&layout, &g->tensors[tensor].layout, axes), g, "a transposition");
  return layout;
}

/* Products of batches of matrices. */
static int batch_matmul(struct graph *g, int a, int b, int transpose_a, int transpose_b, const dnnl_dim_t *dims) {
  a = in_plain(g, a);
  b = in_plain(g, b);
  if (transpose_a) a = add_tensor(g, transposed(g, a), g->tensors[a].storage);
  if (transpose_b) b = add_tensor(g, transposed(g, b), g->tensors[b].storage);
  dnnl_memory_desc_t to = plain(g, 3, dims);
  dnnl_matmul_desc_t wanted;
  check(dnnl_matmul_desc_init(&wanted, &g->tensors[a].layout, &g->tensors[b].layout, NULL, &to), g, "a product");
  struct behind behind = {NONE, NONE, 0, 1.0f, dnnl_alg_kind_undef};
  return product(g, &wanted, a, b, &behind);
}

/* A primitive of one tensor, or of two in one layout. */
static int simple(struct graph *g, const_dnnl_op_desc_t wanted, int source, int other, const char *what) {
  dnnl_primitive_desc_t made;
  dnnl_primitive_attr_t attr = attributes(g);
  check(dnnl_primitive_desc_create(&made, wanted, attr, g->engine, NULL), g, what);
  check(dnnl_primitive_attr_destroy(attr), g, "attributes");
  int target = add_scratch(g, dnnl_primitive_desc_query_md(made, dnnl_query_dst_md, 0));
  struct step *step = add_step(g, made);
  pass(step, DNNL_ARG_SRC_0, source);
  if (other != NONE) pass(step, DNNL_ARG_SRC_1, other);
  pass(step, DNNL_ARG_DST, target);
  return target;
}

static int pool(struct graph *g, dnnl_alg_kind_t kind, int source, int rank, const dnnl_dim_t *dims,
                const dnnl_dim_t *kernel, const dnnl_dim_t *strides, const dnnl_dim_t *dilation, const dnnl_dim_t *before,
                const dnnl_dim_t *behind) {
  dnnl_memory_desc_t to = any(g, rank, dims);
  dnnl_pooling_v2_desc_t wanted;
  check(dnnl_pooling_v2_forward_desc_init(&wanted, dnnl_forward_inference, kind, &g->tensors[source].layout, &to, strides,
                                          kernel, dilation, before, behind),
        g, "a pool");
  return simple(g, &wanted, source, NONE, "a pool");
}

static int softmax(struct graph *g, int source, int axis) {
  dnnl_softmax_v2_desc_t wanted;
  const dnnl_memory_desc_t *layout = &g->tensors[source].layout;
  check(dnnl_softmax_v2_forward_desc_init(&wanted, dnnl_forward_inference, dnnl_softmax_accurate, layout, layout, axis), g,
        "a softmax");
  return simple(g, &wanted, source, NONE, "a softmax");
}

static int relu(struct graph *g, int source) {
  dnnl_eltwise_desc_t wanted;
  check(dnnl_eltwise_forward_desc_init(&wanted, dnnl_forward_inference, dnnl_eltwise_relu, &g->tensors[source].layout, 0.0f,
                                       0.0f),
        g, "a relu");
  return simple(g, &wanted, source, NONE, "a relu");
}

static int sum_of(struct graph *g, int one, int other) {
  dnnl_memory_desc_t layout = g->tensors[one].layout;
  other = in_layout(g, other, &layout);
  dnnl_binary_desc_t wanted;
  check(dnnl_binary_desc_init(&wanted, dnnl_binary_add, &layout, &layout, &layout), g, "a sum");
  return simple(g, &wanted, one, other, "a sum");
}

/* Has a tensor written to a parameter: what nobody adds to or gives out already is computed there. */
static void output(struct graph *g, int tensor, int parameter, int is_last) {
  struct storage *storage = &g->storages[g->tensors[tensor].storage];
  if (is_last && storage->place == SCRATCH && is_plain(g, tensor)) {
    storage->place = PARAMETER;
    storage->parameter = parameter;
    return;
  }
  dnnl_memory_desc_t layout = g->tensors[tensor].layout;
  layout = plain(g, layout.ndims, layout.dims);
  int source = tensor;
  int target = add_tensor(g, layout, add_storage(g, (struct storage){.place = PARAMETER, .parameter = parameter}));
  dnnl_primitive_desc_t made;
  dnnl_primitive_attr_t attr = attributes(g);
  check(dnnl_reorder_primitive_desc_create(&made, &g->tensors[source].layout, g->engine, &layout, g->engine, attr), g,
        "a reorder");
  check(dnnl_primitive_attr_destroy(attr), g, "attributes");
  struct step *step = add_step(g, made);
  pass(step, DNNL_ARG_FROM, source);
  pass(step, DNNL_ARG_TO, target);
}

/* Gives each tensor in scratch memory a place: the first one that is free while it is in use. */
static void plan(struct graph *g) {
  for (int s = 0; s < g->step_count; s++)
    for (int i = 0; i < g->steps[s].count; i++) {
      struct storage *storage = &g->storages[g->tensors[g->steps[s].tensors[i]].storage];
      if (storage->first == NONE) storage->first = s;
      storage->last = s;
    }
  for (int i = 0; i < g->storage_count; i++) {
    struct storage *own = &g->storages[i];
    if (own->place != SCRATCH || own->first == NONE) continue;
    own->bytes = (own->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    own->offset = 0;
    for (int j = 0; j < i; j++) {
      const struct storage *other = &g->storages[j];
      int meets = other->place == SCRATCH && other->first != NONE && other->first <= own->last && own->first <= other->last;
      if (meets && other->offset < own->offset + own->bytes && own->offset < other->offset + other->bytes) {
        own->offset = other->offset + other->bytes;
        j = -1;
      }
    }
    if (own->offset + own->bytes > g->scratch_bytes) g->scratch_bytes = own->offset + own->bytes;
  }
}

static struct graph *begin(const char *name, void **parameters) {
  struct graph *g = calloc(1, sizeof *g);
  if (!g) abort();
  g->name = name;
  g->parameters = parameters;
  pthread_mutex_init(&g->lock, NULL);
  check(dnnl_engine_create(&g->engine, dnnl_cpu, 0), g, "an engine");
  return g;
}

static struct context *new_context(struct graph *g) {
  struct context *context = obtain(sizeof *context, g);
  context->memory = obtain(g->scratch_bytes + g->scratchpad_bytes + 1, g);
  context->tensors = obtain((size_t)g->tensor_count * sizeof *context->tensors, g);
  for (int i = 0; i < g->tensor_count; i++) {
    const struct storage *storage = &g->storages[g->tensors[i].storage];
    void *bytes = storage->place == PACKED ? storage->packed : context->memory + storage->offset;
    check(dnnl_memory_create(&context->tensors[i], &g->tensors[i].layout, g->engine, bytes), g, "memory");
  }
  dnnl_dims_t bytes = {(dnnl_dim_t)g->scratchpad_bytes + 1};
  dnnl_memory_desc_t pad;
  check(dnnl_memory_desc_init_by_tag(&pad, 1, bytes, dnnl_u8, dnnl_a), g, "a layout");
  check(dnnl_memory_create(&context->scratchpad, &pad, g->engine, context->memory + g->scratch_bytes), g, "memory");
  check(dnnl_stream_create(&context->stream, g->engine, dnnl_stream_default_flags), g, "a stream");
  return context;
}

/* Runs a graph in a context that no other call is in. */
static void run(struct graph *g, void **parameters) {
  pthread_mutex_lock(&g->lock);
  struct context *context = g->idle;
  if (context) g->idle = context->next;
  pthread_mutex_unlock(&g->lock);
  if (!context) context = new_context(g);
  for (int i = 0; i < g->tensor_count; i++) {
    const struct storage *storage = &g->storages[g->tensors[i].storage];
    if (storage->place == PARAMETER)
      check(dnnl_memory_set_data_handle(context->tensors[i], parameters[storage->parameter]), g, "memory");
  }
  for (int s = 0; s < g->step_count; s++) {
    const struct step *step = &g->steps[s];
    dnnl_exec_arg_t arguments[MAX_ARGUMENTS + 1];
    for (int i = 0; i < step->count; i++)
      arguments[i] = (dnnl_exec_arg_t){step->names[i], context->tensors[step->tensors[i]]};
    arguments[step->count] = (dnnl_exec_arg_t){DNNL_ARG_SCRATCHPAD, context->scratchpad};
    check(dnnl_primitive_execute(step->primitive, context->stream, step->count + 1, arguments), g, "a primitive");
  }
  check(dnnl_stream_wait(context->stream), g, "a stream");
  pthread_mutex_lock(&g->lock);
  context->next = g->idle;
  g->idle = context;
  pthread_mutex_unlock(&g->lock);
}

/* A function's graph, and the lock for the first call. */
struct once {
  struct graph *graph;
  pthread_mutex_t lock;
};

static void call(struct once *once, struct graph *(*make)(void **), void **parameters) {
  struct graph *g = __atomic_load_n(&once->graph, __ATOMIC_ACQUIRE);
  if (!g) {
    pthread_mutex_lock(&once->lock);
    g = once->graph;
    if (!g) {
      g = make(parameters);
      plan(g);
      g->parameters = NULL;
      __atomic_store_n(&once->graph, g, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&once->lock);
  }
  run(g, parameters);
}
