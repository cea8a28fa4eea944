/* An operator in C: mine.clamp01, min(max(x, 0), 1), element by element.
 *
 *   relayc runtime include
 *   cc -shared -fPIC -I include clamp.c -o libclamp.so
 *   relayc compile model.mlir --load-operators ./libclamp.so */
#include "relay_operators.h"

#include <stdio.h>
#include <string.h>

static void say(relay_write write, void *sink, const char *text) { write(sink, text, strlen(text)); }

/* The result has the type of the operand, which is of floats. */
static int relation(const relay_call *call, relay_write write, void *sink) {
  if (call->operands[0].element[0] != 'f') {
    say(write, sink, "it takes floats, not ");
    say(write, sink, call->operands[0].type);
    return 1;
  }
  say(write, sink, call->operands[0].type);
  return 0;
}

/* A te.compute in MLIR's text. Its axes have the extents of the operand. */
static int compute(const relay_call *call, relay_write write, void *sink) {
  const relay_operand *x = &call->operands[0];
  char axes[1024] = "", indices[256] = "", text[4096];
  for (uint32_t i = 0; i < x->rank; ++i) {
    char axis[64];
    snprintf(axis, sizeof axis, "%s%%i%u: %s", i ? ", " : "", i, x->extents[i]);
    strncat(axes, axis, sizeof axes - strlen(axes) - 1);
    snprintf(axis, sizeof axis, "%s%%i%u", i ? ", " : "", i);
    strncat(indices, axis, sizeof indices - strlen(indices) - 1);
  }
  int length = snprintf(text, sizeof text,
                        "func.func @clamp(%%x: %s) -> %s {\n"
                        "  %%y = te.compute \"clamp\" (%s) {\n"
                        "    %%v = tensor.extract %%x[%s] : %s\n"
                        "    %%zero = arith.constant 0.0 : %s\n"
                        "    %%one = arith.constant 1.0 : %s\n"
                        "    %%low = arith.maximumf %%v, %%zero : %s\n"
                        "    %%high = arith.minimumf %%low, %%one : %s\n"
                        "    te.yield %%high : %s\n"
                        "  } : %s\n"
                        "  return %%y : %s\n"
                        "}\n",
                        x->type, x->type, axes, indices, x->type, x->element, x->element, x->element,
                        x->element, x->element, x->type, x->type);
  if (length < 0 || (size_t)length >= sizeof text) {
    say(write, sink, "its type is too long");
    return 1;
  }
  say(write, sink, text);
  return 0;
}

static const relay_operator operators[] = {{
    .name = "mine.clamp01",
    .fusion = "elementwise",
    .operand_count = 1,
    .result_count = 1,
    .onnx_domain = "mine",
    .onnx_operator = "Clamp01",
    .relation = relation,
    .compute = compute,
}};

static const relay_operators declared = {RELAY_OPERATORS_VERSION, 1, operators};

const relay_operators *relay_get_operators(void) { return &declared; }
