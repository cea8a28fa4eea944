/* Operators from outside of relay-mlir: what a shared library exports that declares some.
 *
 * Build: cc -shared -fPIC -I DIR mylib.c -o libmylib.so     (relayc runtime DIR writes this file)
 * Use:   relayc compile model.onnx --load-operators libmylib.so
 *
 * Types and attributes are texts of MLIR, such as `tensor<?x4xf32, ["n"]>` and `1.5 : f64`. */
#ifndef RELAY_OPERATORS_H
#define RELAY_OPERATORS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RELAY_OPERATORS_VERSION 1

/* Appends text to an answer. */
typedef void (*relay_write)(void *sink, const char *text, size_t length);

/* A tensor's type. */
typedef struct {
  const char *type;           /* the whole type */
  const char *element;        /* f32 */
  uint32_t rank;
  const char *const *extents; /* `4`, the form of an open dimension (`n`), or `?` */
} relay_operand;

/* An attribute of a call. */
typedef struct {
  const char *name;
  const char *value; /* 1.5 : f64 */
} relay_value;

/* A call of an operator. */
typedef struct {
  void *context; /* MLIR's context (MlirContext.ptr), for libraries that use MLIR's C interface */
  uint32_t operand_count;
  const relay_operand *operands;
  uint32_t result_count; /* 0 for a type relation */
  const relay_operand *results;
  uint32_t attribute_count; /* all declared attributes, in their order */
  const relay_value *attributes;
} relay_call;

/* An attribute's declaration. */
typedef struct {
  const char *name;
  const char *holds;         /* int, float, bool, str, ints, floats or dtype */
  const char *default_value; /* NULL if it must be given */
} relay_attribute;

/* Answers a question about a call. Returns 0; or another number if what it wrote is the reason why there is no answer.
 * It may be called by several threads at once. */
typedef int (*relay_answer)(const relay_call *call, relay_write write, void *sink);

/* An operator. */
typedef struct {
  const char *name;   /* mylib.swish */
  const char *fusion; /* elementwise, broadcast, injective, reduction, complex or opaque */
  uint32_t operand_count;
  uint32_t takes_more; /* 1: there may be more operands than that */
  uint32_t result_count;
  uint32_t attribute_count;
  const relay_attribute *attributes;
  const char *onnx_domain; /* the ONNX operator that becomes this one, or NULL */
  const char *onnx_operator;
  const char *torch_operator; /* the PyTorch operator that becomes this one, mylib::swish, or NULL */
  relay_answer relation;      /* writes the types of the results, with commas between them */
  relay_answer compute;       /* writes a module of one function of te.compute, from operands to results */
} relay_operator;

/* What the library declares. */
typedef struct {
  uint32_t version; /* RELAY_OPERATORS_VERSION */
  uint32_t count;
  const relay_operator *operators;
} relay_operators;

/* The library exports this function. What it returns lives as long as the process. */
const relay_operators *relay_get_operators(void);

#ifdef __cplusplus
}
#endif

#endif /* RELAY_OPERATORS_H */
