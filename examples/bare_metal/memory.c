/* What compilers ask for where there is no C library. */
#include <stddef.h>
#include <stdint.h>

void *memset(void *to, int byte, size_t count) {
  for (volatile uint8_t *at = to; count > 0; count--)
    *at++ = (uint8_t)byte;
  return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
  volatile uint8_t *at = to;
  for (const uint8_t *byte = from; count > 0; count--)
    *at++ = *byte++;
  return to;
}

void *memmove(void *to, const void *from, size_t count) {
  volatile uint8_t *at = to;
  const uint8_t *byte = from;
  if ((uintptr_t)to <= (uintptr_t)from)
    return memcpy(to, from, count);
  while (count-- > 0)
    at[count] = byte[count];
  return to;
}
