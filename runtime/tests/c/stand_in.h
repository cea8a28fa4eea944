/* What an object needs of the runtime and a program that calls its graph itself does not: for those that take
 * the runtime's place. */
#ifndef STAND_IN_H
#define STAND_IN_H

#include "relay_runtime.h"

/* The model that is linked in: its name. */
#ifndef MODEL
#define MODEL network
#endif
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

const relay_model_descriptor_t *PASTE(MODEL, _descriptor)(void);

typedef void (*body_fn)(void *closure, int64_t begin, int64_t end);

relay_model *relay_rt_create(const relay_model_descriptor_t *descriptor, int32_t threads) {
  (void)descriptor, (void)threads;
  return 0;
}
int32_t relay_rt_prepare(relay_model *model, const int64_t *const *in, int64_t *const *out) {
  (void)model, (void)in, (void)out;
  return 1;
}
int32_t relay_rt_run(relay_model *model, const void *const *in, void *const *out) {
  (void)model, (void)in, (void)out;
  return 1;
}
const void *relay_rt_output(relay_model *model, int32_t output, int64_t *shape) {
  (void)model, (void)output, (void)shape;
  return 0;
}
void relay_rt_destroy(relay_model *model) { (void)model; }
const char *relay_rt_last_error(void) { return ""; }
void relay_rt_watch(relay_model *model, int32_t (*go_on)(void *data), void *data) {
  (void)model, (void)go_on, (void)data;
}
int32_t relay_rt_profile(relay_model *model, int32_t node, uint64_t *calls, uint64_t *ns) {
  (void)model, (void)node, (void)calls, (void)ns;
  return 1;
}

#endif
