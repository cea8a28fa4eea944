/* Uses the model `alpha` as a program that is linked with it does. */
#define _GNU_SOURCE
#include "relay_runtime.h"
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

RELAY_DECLARE_MODEL(alpha)

#define EXTENT 1001

static int threads(void) {
  DIR *tasks = opendir("/proc/self/task");
  int count = 0;
  for (struct dirent *entry; (entry = readdir(tasks));)
    count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

struct call {
  relay_model *model;
  const void **inputs;
  void **outputs;
};

static void *run_slowly(void *argument) {
  struct call *call = argument;
  while (alpha_run(call->model, call->inputs, call->outputs) != 0)
    usleep(10);
  return NULL;
}

/* What a second caller gets while another thread runs the model. */
static const char *second_call(struct call *call) {
  float scaled[6];
  int64_t bias = 0, counts[EXTENT], workers[EXTENT];
  const void *inputs[] = {call->inputs[0], &bias};
  void *outputs[] = {scaled, counts, workers};
  pthread_t other;
  pthread_create(&other, NULL, run_slowly, call);
  while (alpha_run(call->model, inputs, outputs) == 0)
    usleep(200);
  *(volatile int64_t *)call->inputs[1] = 0;
  pthread_join(other, NULL);
  return alpha_last_error();
}

/* Usage: linked <threads> [<processor to stay on>] */
int main(int argc, char **argv) {
  if (argc > 2) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(atoi(argv[2]), &only);
    if (sched_setaffinity(0, sizeof only, &only) != 0)
      return perror("sched_setaffinity"), 1;
  }
  relay_model *model = alpha_create(atoi(argv[1]));
  if (!model)
    return printf("error: %s\n", alpha_last_error()), 1;
  /* Inputs need no alignment beyond their elements'. */
  float data[7] = {0, 1, 2, 3, 4, 5, 6}, scaled[6];
  int64_t bias = 10, counts[EXTENT], workers[EXTENT];
  const void *inputs[] = {data + 1, &bias};
  void *outputs[] = {scaled, counts, workers};
  if (alpha_run(model, inputs, outputs) != 0)
    return printf("error: %s\n", alpha_last_error()), 1;
  for (int i = 0; i < 6; i++)
    printf("%g ", scaled[i]);
  int64_t once = 0;
  for (int i = 0; i < EXTENT; i++)
    once += counts[i] == 1;
  printf("\nonce %ld\nthreads %d\n", (long)once, threads());
  usleep(20000);
  double before = cpu_seconds();
  usleep(300000);
  printf("idle_ms %d\n", (int)((cpu_seconds() - before) * 1000));
  uint64_t calls, nanoseconds;
  int status = alpha_profile(model, 1, &calls, &nanoseconds);
  printf("profile %d %lu %d\n", status, (unsigned long)calls, nanoseconds > 0);
  bias = 2000; /* a run lasts until this changes */
  struct call call = {model, inputs, outputs};
  printf("second %s\n", second_call(&call));
  bias = -1;
  printf("failing %d %s\n", alpha_run(model, inputs, outputs), alpha_last_error());
  printf("null %d %s\n", alpha_run(NULL, inputs, outputs), alpha_last_error());
  inputs[1] = NULL;
  printf("input %d %s\n", alpha_run(model, inputs, outputs), alpha_last_error());
  inputs[1] = &bias, outputs[2] = NULL;
  printf("output %d %s\n", alpha_run(model, inputs, outputs), alpha_last_error());
  alpha_destroy(model);
  alpha_destroy(NULL);
  printf("left %d\n", threads());
  return 0;
}
