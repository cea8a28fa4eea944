/* Loads any model with dlopen and runs it on zeros: knows of it only what its descriptor says. */
#include "relay_runtime.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bytes(const relay_tensor_info *info) {
  uint64_t size = strcmp(info->dtype, "f64") == 0 || strcmp(info->dtype, "i64") == 0 ? 8 : 4;
  for (uint32_t dim = 0; dim < info->rank; dim++)
    size *= (uint64_t)info->shape[dim];
  return size;
}

int main(int argc, char **argv) {
  void *library = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fprintf(stderr, "%s\n", dlerror()), 1;
  const relay_model_descriptor_t *about = dlsym(library, RELAY_DESCRIPTOR_SYMBOL);
  if (!about || about->abi_version != RELAY_ABI_VERSION)
    return fprintf(stderr, "not a model for this version\n"), 1;
  relay_model_api api;
  if (RELAY_LOOK_UP(api, dlsym, library, about->name) != 0)
    return fprintf(stderr, "a function is missing\n"), 1;
  const void *inputs[8];
  void *outputs[8];
  for (uint32_t i = 0; i < about->n_inputs; i++)
    inputs[i] = calloc(1, bytes(&about->inputs[i]));
  for (uint32_t i = 0; i < about->n_outputs; i++)
    outputs[i] = calloc(1, bytes(&about->outputs[i]));
  relay_model *model = api.create(2);
  if (!model || api.run(model, inputs, outputs) != 0)
    return fprintf(stderr, "%s\n", api.last_error()), 1;
  printf("%s ran, %s[0] = %ld\n", about->name, about->outputs[1].name, *(long *)outputs[1]);
  api.destroy(model);
  return dlclose(library);
}
