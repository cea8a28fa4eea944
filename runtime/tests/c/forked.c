/* Runs the model `alpha`, forks, and uses the instance in the child: the threads are the parent's. */
#define _GNU_SOURCE
#include "relay_runtime.h"
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
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

static float data[6] = {1, 2, 3, 4, 5, 6}, scaled[6];
static int64_t bias = 10, counts[EXTENT], workers[EXTENT];

/* The number of iterations that ran once. */
static int run(relay_model *model) {
  const void *inputs[] = {data, &bias};
  void *outputs[] = {scaled, counts, workers};
  if (alpha_run(model, inputs, outputs) != 0)
    return printf("error: %s\n", alpha_last_error()), -1;
  int once = 0;
  for (int i = 0; i < EXTENT; i++)
    once += counts[i] == 1;
  return once;
}

/* The model waits as long as it is this. */
static volatile int64_t long_bias = 2000;

static void *run_until_told(void *model) {
  static int64_t other_counts[EXTENT], other_workers[EXTENT];
  static float other_scaled[6];
  const void *inputs[] = {data, (const void *)&long_bias};
  void *outputs[] = {other_scaled, other_counts, other_workers};
  alpha_run(model, inputs, outputs);
  return NULL;
}

/* What a child made of it, in a line. */
static void in_child(const char *what, relay_model *model, int runs) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    printf("%s:", what);
    for (int i = 0; i < runs; i++)
      printf(" %d", run(model));
    printf(" threads %d", threads());
    alpha_destroy(model);
    printf(" left %d\n", threads());
    fflush(stdout);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    printf("%s: the child ended with status %d\n", what, status);
}

int main(void) {
  relay_model *model = alpha_create(3);
  printf("parent: %d threads %d\n", run(model), threads());
  in_child("dropped", model, 0);
  in_child("run", model, 2);
  /* Another thread is in the middle of a run. */
  pthread_t other;
  pthread_create(&other, NULL, run_until_told, model);
  usleep(20000);
  in_child("forked in a run", model, 1);
  long_bias = 0;
  pthread_join(other, NULL);
  printf("parent: %d threads %d\n", run(model), threads());
  alpha_destroy(model);
  printf("left %d\n", threads());
  return 0;
}
