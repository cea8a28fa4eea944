/* A code generator for relayc in a shared library: it takes products x * x * x of f32, which relayc then does not see.

   relayc runtime include
   cc -shared -fPIC -I include cube.c -o libcube.so
   relayc compile model.onnx --codegen=./libcube.so */

#include "relay_codegen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What it takes, in the language of rule files. */
static const char rules[] =
    "rule cube.cube {\n"
    "  match %o = %x * %x * %x\n"
    "  where element(%o) == f32 and static(%o)\n"
    "}\n";

static int fail(void *state, relay_codegen_put put, const char *reason) {
  put(state, RELAY_CODEGEN_ERROR, reason, strlen(reason));
  return 1;
}

/* The functions are a list in JSON. The rule makes functions of one input, and this reads the two things that it needs of
   each: the symbol, and the shape of the first tensor. A generator for more has a reader of JSON. */
static int generate(const char *functions, const char *cpu, void *state, relay_codegen_put put) {
  (void)cpu;
  char source[4096];
  const char *at = functions;
  while ((at = strstr(at, "\"symbol\":\""))) {
    char symbol[256];
    at += strlen("\"symbol\":\"");
    const char *shape = strstr(at, "\"shape\":[");
    if (!shape || sscanf(at, "%255[^\"]", symbol) != 1) return fail(state, put, "the functions are not as expected");
    long count = 1;
    for (shape += strlen("\"shape\":["); *shape && *shape != ']'; shape += *shape == ',') {
      char *end;
      count *= strtol(shape, &end, 10);
      if (end == shape) return fail(state, put, "a shape is not as expected");
      shape = end;
    }
    int length = snprintf(source, sizeof source,
                          "void %s(const float *x, float *y) {\n"
                          "  for (long i = 0; i < %ld; i++) y[i] = x[i] * x[i] * x[i];\n"
                          "}\n",
                          symbol, count);
    put(state, RELAY_CODEGEN_C, source, (size_t)length);
  }
  return 0;
}

static const struct relay_codegen description = {RELAY_CODEGEN_VERSION, "cube", rules, generate};

const struct relay_codegen *relay_codegen(void) { return &description; }
