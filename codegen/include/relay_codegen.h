/* A code generator for relayc, as a shared library: relayc compile model.onnx --codegen=./libmine.so

   The library exports one function, relay_codegen, which describes the generator. docs/guide/bring_your_own_codegen.md
   shows one. */

#ifndef RELAY_CODEGEN_H
#define RELAY_CODEGEN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. */
#define RELAY_CODEGEN_VERSION 1u

/* What a generator hands over. */
enum relay_codegen_kind {
  RELAY_CODEGEN_C = 0,       /* a source in C, compiled by the system's compiler */
  RELAY_CODEGEN_OBJECT = 1,  /* a relocatable object */
  RELAY_CODEGEN_LIBRARY = 2, /* a shared library that the code needs: "dnnl" for libdnnl.so */
  RELAY_CODEGEN_ERROR = 3    /* why the code cannot be written; generate returns something other than 0 then */
};

/* Takes `count` bytes, which are copied. */
typedef void (*relay_codegen_put)(void *state, enum relay_codegen_kind kind, const char *bytes, size_t count);

struct relay_codegen {
  uint32_t version; /* RELAY_CODEGEN_VERSION */
  const char *name; /* the generator's name: a letter, then letters, digits and _ */
  const char *rules; /* what it takes, in the language of rule files; each rule's name begins with NAME and a dot */
  /* Writes the code of functions, which are JSON (the guide has its form). Returns 0 if it is done. It may be called
     on several threads at once. */
  int (*generate)(const char *functions, const char *target_cpu, void *state, relay_codegen_put put);
};

/* What a library exports. */
const struct relay_codegen *relay_codegen(void);

#ifdef __cplusplus
}
#endif

#endif
