/* Code generators with something wrong, one for each number that WRONG is. */

#include "relay_codegen.h"

static int generate(const char *functions, const char *cpu, void *state, relay_codegen_put put) {
  (void)functions, (void)cpu;
#if WRONG == 5
  put(state, RELAY_CODEGEN_ERROR, "no license", 10);
#elif WRONG == 6
  put(state, RELAY_CODEGEN_C, "int f(", 6);
  return 0;
#elif WRONG == 7
  put(state, RELAY_CODEGEN_LIBRARY, "not_there", 9);
  return 0;
#elif WRONG == 8
  return 0;
#endif
  return 1;
}

#if WRONG == 3
static const char rules[] = "rule wrong.relu { match nn.gelu(_) }";
#else
static const char rules[] = "rule wrong.relu { match nn.relu(_) }";
#endif

static const struct relay_codegen description = {RELAY_CODEGEN_VERSION + (WRONG == 1), WRONG == 2 ? "a b" : "wrong", rules,
                                                 generate};

#if WRONG != 0
const struct relay_codegen *relay_codegen(void) { return &description; }
#endif
