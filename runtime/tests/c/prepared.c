/* Prepares the model `open` for shapes and runs it: what it says of each, and how long preparing takes. */
#define _POSIX_C_SOURCE 200809L
#include "relay_runtime.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

RELAY_DECLARE_MODEL(open)
extern int64_t open_extents_calls;

enum { ROUNDS = 20, CALLS = 1000 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static int32_t prepare(relay_model *model, int64_t n, int64_t m, int64_t mask, int64_t *results) {
  const int64_t x[] = {n, m, 1};
  const int64_t *const inputs[] = {x, &mask};
  int64_t *const outputs[] = {results, results + 1};
  return open_prepare(model, inputs, outputs);
}

/* Runs at a size; the last result. */
static float last_sum(relay_model *model, int64_t n, int64_t m) {
  int64_t shapes[2];
  if (prepare(model, n, m, 2 * n + 1, shapes) != 0)
    return -1;
  float *x = malloc((size_t)(n * m) * sizeof *x), *y = malloc((size_t)shapes[0] * sizeof *y);
  int64_t *places = malloc((size_t)shapes[1] * sizeof *places);
  char *mask = calloc((size_t)shapes[1], 1);
  for (int64_t i = 0; i < n * m; i++)
    x[i] = 1;
  const void *const inputs[] = {x, mask};
  void *const outputs[] = {y, places};
  float last = open_run(model, inputs, outputs) == 0 && places[2 * n] == 2 * n ? y[n - 1] : -1;
  free(x), free(y), free(places), free(mask);
  return last;
}

/* The nanoseconds of a call, the least mean of several rounds, where each call has another size than the one before or not. */
static double cost(relay_model *model, int is_changed) {
  double best = 1e18;
  for (int round = 0; round < ROUNDS; round++) {
    double start = now();
    for (int call = 0; call < CALLS; call++) {
      int64_t n = is_changed ? 2 + 2 * (call % 32) : 8, shapes[2];
      if (prepare(model, n, 8, 2 * n + 1, shapes) != 0)
        return 1e18;
    }
    double mean = (now() - start) / CALLS;
    best = mean < best ? mean : best;
  }
  return best;
}

int main(void) {
  relay_model *model = open_create(1);
  int64_t shapes[2];
  float x[2], y[1];
  const void *const inputs[] = {x, x};
  void *const outputs[] = {y, y};
  printf("unprepared: %d %s\n", open_run(model, inputs, outputs), open_last_error());
  printf("prepared: %d", prepare(model, 4, 3, 9, shapes));
  printf(" %ld %ld\n", (long)shapes[0], (long)shapes[1]);
  printf("sums: %g %g %g\n", last_sum(model, 4, 3), last_sum(model, 60, 7), last_sum(model, 2, 1));
  printf("other mask: %d", prepare(model, 4, 3, 8, shapes));
  printf(" %s\n", open_last_error());
  printf("after: %d %s\n", open_run(model, inputs, outputs), open_last_error());
  printf("null: %d", open_prepare(model, NULL, NULL));
  printf(" %s\n", open_last_error());
  const int64_t fixed[] = {4, 3, 2}, mask[] = {9};
  const int64_t *const other[] = {fixed, mask};
  printf("known: %d", open_prepare(model, other, NULL));
  printf(" %s\n", open_last_error());
  for (int i = 0; i < 5; i++) {
    const int64_t sizes[] = {-2, 65, 66, 0, INT64_MAX - 1};
    printf("n = %ld: %d", (long)sizes[i], prepare(model, sizes[i], 1, 9, shapes));
    printf(" %s\n", open_last_error());
  }
  printf("m: %d", prepare(model, 2, INT64_MAX / 2, 5, shapes));
  printf(" %s\n", open_last_error());
  int64_t calls = open_extents_calls;
  double same = cost(model, 0);
  printf("calls: %ld\n", (long)(open_extents_calls - calls));
  double changed = cost(model, 1);
  fprintf(stderr, "the same sizes: %.0f ns, others: %.0f ns\n", same, changed);
  printf("is cheap: %d %d\n", same < 1000, changed < 50000);
  open_destroy(model);
  return 0;
}
