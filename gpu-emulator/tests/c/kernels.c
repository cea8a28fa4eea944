/* Kernels as the compiler makes them for an emulated GPU. */
#include <math.h>
#include <stdint.h>

int64_t relay_emulator_index(int32_t what);
void *relay_emulator_shared(int64_t offset);
void relay_emulator_barrier(void);

#define ARGUMENT(TYPE, INDEX) (*(TYPE *)arguments[INDEX])

static int64_t global(void) { return relay_emulator_index(3) * relay_emulator_index(6) + relay_emulator_index(0); }

/* to[i] = weights[0] * from[i] + weights[1] for i < n */
void scale(void *const *arguments) {
  float *to = ARGUMENT(float *, 0);
  const float *from = ARGUMENT(const float *, 1), *weights = ARGUMENT(const float *, 2);
  int64_t i = global();
  if (i < ARGUMENT(int64_t, 3))
    to[i] = weights[0] * from[i] + weights[1];
}

/* to[i] = from[i], reversed in each block, through shared memory. */
void reverse(void *const *arguments) {
  float *to = ARGUMENT(float *, 0);
  const float *from = ARGUMENT(const float *, 1);
  int64_t n = ARGUMENT(int64_t, 2), thread = relay_emulator_index(0), threads = relay_emulator_index(6);
  int64_t first = global() - thread, count = n - first < threads ? n - first : threads;
  if (thread < count)
    *(float *)relay_emulator_shared(4 * thread) = from[first + thread];
  relay_emulator_barrier();
  if (thread < count)
    to[first + thread] = *(float *)relay_emulator_shared(4 * (count - 1 - thread));
}

/* to[i] = |sin(from[i])|, by a function of the C library. */
void sine(void *const *arguments) {
  float *to = ARGUMENT(float *, 0);
  const float *from = ARGUMENT(const float *, 1);
  int64_t i = global();
  if (i < ARGUMENT(int64_t, 2))
    to[i] = fabsf(sinf(from[i]));
}

/* to[i] = the number of thread i in its warp */
void lane(void *const *arguments) { ARGUMENT(float *, 0)[global()] = (float)relay_emulator_index(12); }

/* Half of the threads wait for the others. */
void skip(void *const *arguments) {
  (void)arguments;
  if (relay_emulator_index(0) % 2)
    relay_emulator_barrier();
}
