/* Loads models one after the other, with their symbols for all, and runs each on zeros. */
#include "relay_runtime.h"
#include <dlfcn.h>
#include <stdio.h>

struct loaded {
  const relay_model_descriptor_t *about;
  relay_model_api api;
  relay_model *model;
};

static int load(const char *path, struct loaded *loaded) {
  void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    return fprintf(stderr, "%s\n", dlerror()), 1;
  loaded->about = dlsym(library, RELAY_DESCRIPTOR_SYMBOL);
  if (RELAY_LOOK_UP(loaded->api, dlsym, library, loaded->about->name) != 0)
    return fprintf(stderr, "%s: a function is missing\n", path), 1;
  loaded->model = loaded->api.create(1);
  return loaded->model ? 0 : (fprintf(stderr, "%s\n", loaded->api.last_error()), 1);
}

static int show(const struct loaded *loaded) {
  static const float x[64];
  float y[64];
  const void *inputs[] = {x};
  void *outputs[] = {y};
  if (loaded->api.run(loaded->model, inputs, outputs) != 0)
    return fprintf(stderr, "%s\n", loaded->api.last_error()), 1;
  printf("%s:", loaded->about->name);
  for (int64_t i = 0; i < loaded->about->outputs[0].shape[0]; i++)
    printf(" %g", y[i]);
  printf("\n");
  return 0;
}

int main(int argc, char **argv) {
  struct loaded models[2];
  if (argc != 3 || load(argv[1], &models[0]) || load(argv[2], &models[1]))
    return 1;
  int failed = show(&models[0]) || show(&models[1]);
  models[0].api.destroy(models[0].model);
  models[1].api.destroy(models[1].model);
  return failed;
}
