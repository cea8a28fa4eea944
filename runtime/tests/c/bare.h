/*
 * A program of one thread without a C library and without the runtime, on Linux for AArch64: it calls a
 * model's graph itself. The program defines test(), which ends in say().
 */
#ifndef BARE_H
#define BARE_H

#include "stand_in.h"

static _Alignas(64) uint8_t arena[8 << 20];
static _Alignas(64) uint8_t thread[4096];

/* What the object needs of the runtime. */

void relay_rt_parallel_for(void *instance, body_fn body, void *closure, int64_t extent,
                         int64_t threads) {
  (void)instance, (void)threads;
  body(closure, 0, extent);
}
uint8_t *relay_rt_workspace(uint64_t level, uint64_t bytes) {
  static _Alignas(64) uint8_t workspaces[2][4 << 20];
  return level < 2 && bytes <= sizeof workspaces[0] ? workspaces[level] : 0;
}
void *memset(void *to, int byte, unsigned long count) {
  for (unsigned long i = 0; i < count; i++)
    ((volatile uint8_t *)to)[i] = (uint8_t)byte;
  return to;
}
void *memcpy(void *to, const void *from, unsigned long count) {
  for (unsigned long i = 0; i < count; i++)
    ((volatile uint8_t *)to)[i] = ((const uint8_t *)from)[i];
  return to;
}

static long call(long number, long first, const void *second, long third) {
  register long x8 __asm__("x8") = number, x0 __asm__("x0") = first;
  register const void *x1 __asm__("x1") = second;
  register long x2 __asm__("x2") = third;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
}

/* Runs the model; whether that went well. */
static int run_model(const void *const *inputs, void *const *outputs) {
  const relay_model_descriptor_t *model = PASTE(MODEL, _descriptor)();
  return model->arena_bytes <= sizeof arena &&
         model->run_graph(inputs, outputs, arena, model->weights, 0, 0) == 0;
}

/* Says how many elements are right, a number of up to six digits, and ends the program. */
static void say(long right, int is_well) {
  char text[] = "000000 elements are right\n";
  for (int at = 5; at >= 0; at--, right /= 10)
    text[at] = (char)('0' + right % 10);
  call(64 /* write */, 1, text, sizeof text - 1);
  call(93 /* exit */, !is_well, 0, 0);
}

static void test(void);

/* Variables of a thread are at its register. */
void _start(void) {
  __asm__ volatile("msr tpidr_el0, %0" : : "r"(thread));
  test();
  call(93 /* exit */, 1, 0, 0);
}

#endif
