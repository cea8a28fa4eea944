// Prints the nanoseconds that a call of the model `add` takes from C: the least mean of several rounds.
#include "relay_runtime.h"
#include <stdio.h>
#include <time.h>

RELAY_DECLARE_MODEL(add)

enum { ROUNDS = 20, CALLS = 20000 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

int main(void) {
  float x[6] = {1}, y[6] = {2}, s[6];
  const void *inputs[] = {x, y};
  void *outputs[] = {s};
  relay_model *model = add_create(1);
  double best = 1e18;
  for (int round = 0; round < ROUNDS; ++round) {
    double start = now();
    for (int call = 0; call < CALLS; ++call)
      if (add_run(model, inputs, outputs) != 0)
        return 1;
    double mean = (now() - start) / CALLS;
    best = mean < best ? mean : best;
  }
  add_destroy(model);
  printf("%.1f\n", best);
  return 0;
}
