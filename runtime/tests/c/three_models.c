/*
 * Runs three models in turns, all of which live at once. With LINKED they are `plus`, `times` and `minus`, linked in;
 * else those whose paths are given, loaded with their symbols for all, or as "local:PATH" for nobody.
 */
#define _GNU_SOURCE
#include "relay_runtime.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MODELS = 3 };

struct model {
  const relay_model_descriptor_t *about;
  relay_model_api api;
  relay_model *model;
};

#ifdef LINKED
RELAY_DECLARE_MODEL(plus)
RELAY_DECLARE_MODEL(times)
RELAY_DECLARE_MODEL(minus)

#define MODEL(P) {P##_descriptor(), {P##_create, P##_prepare, P##_run, P##_output, P##_destroy, P##_last_error, P##_profile}, NULL}

static int find(struct model *models, char **paths) {
  (void)paths;
  const struct model linked[MODELS] = {MODEL(plus), MODEL(times), MODEL(minus)};
  memcpy(models, linked, sizeof linked);
  return 0;
}
#else
static int find(struct model *models, char **paths) {
  for (int i = 0; i < MODELS; i++) {
    int is_local = paths[i] && strncmp(paths[i], "local:", 6) == 0;
    const char *path = paths[i] && is_local ? paths[i] + 6 : paths[i];
    void *library = path ? dlopen(path, RTLD_NOW | (is_local ? RTLD_LOCAL : RTLD_GLOBAL)) : NULL;
    if (!library)
      return fprintf(stderr, "%s\n", path ? dlerror() : "three paths are needed"), 1;
    models[i].about = dlsym(library, RELAY_DESCRIPTOR_SYMBOL);
    if (RELAY_LOOK_UP(models[i].api, dlsym, library, models[i].about->name) != 0)
      return fprintf(stderr, "%s: a function is missing\n", path), 1;
  }
  return 0;
}
#endif

/* Room for so many floats before a page that nobody may touch: a model that reads or writes further ends the program. */
static float *floats(int64_t count) {
  long page = sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE) != 0)
    return NULL;
  return (float *)(pages + page) - count;
}

static int show(const struct model *of) {
  int64_t count = of->about->inputs[0].shape[0];
  float *x = floats(count), *y = floats(count);
  const void *inputs[] = {x};
  void *outputs[] = {y};
  for (int64_t i = 0; x && i < count; i++)
    x[i] = (float)i;
  if (!x || !y || of->api.run(of->model, inputs, outputs) != 0)
    return fprintf(stderr, "%s: %s\n", of->about->name, of->api.last_error()), 1;
  printf("%s", of->about->name);
  for (int64_t i = 0; i < count; i++)
    printf(" %g", y[i]);
  printf("\n");
  return 0;
}

int main(int argc, char **argv) {
  (void)argc;
  struct model models[MODELS];
  if (find(models, argv + 1) != 0)
    return 1;
  for (int i = 0; i < MODELS; i++) {
    models[i].model = models[i].api.create(1 + i);
    if (!models[i].model)
      return fprintf(stderr, "%s\n", models[i].api.last_error()), 1;
  }
  int failed = 0;
  for (int turn = 0; turn < 2 * MODELS; turn++)
    failed |= show(&models[turn % MODELS]);
  for (int i = 0; i < MODELS; i++)
    models[i].api.destroy(models[i].model);
  return failed;
}
