/*
 * A model as the compiler would make it, written by hand: its name is NAME, its version ABI, and
 * its counting loop has EXTENT iterations; it holds WEIGHTS bytes of constants.
 *
 *   scaled = SCALE * data + bias        counts[i] = how often iteration i ran
 *                                       workers[i] = the thread that ran it
 */
#define _GNU_SOURCE
#include "written_by_hand.h"
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

typedef void (*body_fn)(void *closure, int64_t begin, int64_t end);
void relay_rt_parallel_for(void *instance, body_fn body, void *closure, int64_t extent,
                         int64_t threads);
void relay_rt_node_begin(void *instance, int32_t node);
void relay_rt_node_end(void *instance, int32_t node);

struct counting {
  void *instance;
  int64_t *inner; /* in the arena: raised by a loop in the loop */
  int64_t *counts, *workers;
};

static void count_inner(void *closure, int64_t begin, int64_t end) {
  int64_t *sum = closure;
  *sum += end - begin;
}

static void count(void *closure, int64_t begin, int64_t end) {
  struct counting *c = closure;
  for (int64_t i = begin; i < end; i++) {
    c->inner[i] = 0;
    relay_rt_parallel_for(c->instance, count_inner, &c->inner[i], 3, 0);
    c->counts[i] += c->inner[i] == 3;
    c->workers[i] = syscall(SYS_gettid);
  }
}

struct scaling {
  const float *data;
  float scale, bias;
  float *scaled;
};

static void scale(void *closure, int64_t begin, int64_t end) {
  struct scaling *s = closure;
  for (int64_t i = begin; i < end; i++)
    s->scaled[i] = s->scale * s->data[i] + s->bias;
}

static int32_t run_graph(const void *const *inputs, void *const *outputs, void *arena,
                         const uint8_t *weights, void *instance, const int64_t *symbols) {
  if (symbols)
    return 8;
  int64_t bias = *(const int64_t *)inputs[1];
  if (bias == -1 || (uintptr_t)arena % 64 != 0)
    return 7;
  float factor;
  memcpy(&factor, weights, sizeof factor);
  struct scaling scaling = {inputs[0], factor, (float)bias, outputs[0]};
  relay_rt_node_begin(instance, 0);
  relay_rt_parallel_for(instance, scale, &scaling, 6, 0);
  relay_rt_node_end(instance, 0);
  struct counting counting = {instance, arena, outputs[1], outputs[2]};
  memset(outputs[1], 0, EXTENT * sizeof(int64_t));
  relay_rt_node_begin(instance, 1);
  relay_rt_parallel_for(instance, count, &counting, EXTENT, 0);
  if (bias == 1000)
    usleep(5000);
  /* As long as the caller leaves it so. */
  while (*(const volatile int64_t *)inputs[1] == 2000)
    usleep(100);
  relay_rt_node_end(instance, 1);
  return 0;
}

static const int64_t data_shape[] = {2, 3}, bias_shape[] = {1}, count_shape[] = {EXTENT};
static const relay_tensor_info inputs[] = {{"data", "f32", 2, data_shape, NULL},
                                           {"bias", "i64", 1, bias_shape, NULL}};
static const relay_tensor_info outputs[] = {{"scaled", "f32", 2, data_shape, NULL},
                                            {"counts", "i64", 1, count_shape, NULL},
                                            {"workers", "i64", 1, count_shape, NULL}};
static const float weights[WEIGHTS / sizeof(float)] = {SCALE};
static const char *const node_names[] = {"scale_1", "count_2"}, *const node_ops[] = {"scale", "count"};
static const uint64_t node_flops[] = {12, 0};

const relay_model_descriptor_t relay_model_descriptor = {
    ABI,  TEXT(NAME),      "x86_64-unknown-linux-gnu", "f32", FEATURES, 2, inputs, 3, outputs,
    0,    NULL,            EXTENT * sizeof(int64_t), (const uint8_t *)weights, sizeof weights, run_graph, NULL,
    2,    node_names,      node_ops, node_flops, 0, NULL, NULL, NULL, NULL, 0, NULL};

EXPORT_MODEL(NAME)
