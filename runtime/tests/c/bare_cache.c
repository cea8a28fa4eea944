/* Updates a cache of the bare model `small` in place, and in another place, and where there is no row. */
#include "small.h"
#include <stdio.h>

static void show(const char *what, const float *numbers) {
  printf("%s%g %g %g %g", what, numbers[0], numbers[1], numbers[2], numbers[3]);
}

int main(void) {
  float past[] = {1, 2, 3, 4}, next[4], kept[] = {1, 2, 3, 4}, x = 9;
  int64_t at = 2, behind = 4;
  if (small_run(past, &x, &at, past) != 0)
    return 1;
  show("one place: ", past);
  if (small_run(kept, &x, &at, next) != 0)
    return 2;
  show("\ntwo places: ", next);
  show(" of ", kept);
  if (small_run(kept, &x, &behind, kept) != 0)
    return 3;
  show("\nleft out: ", kept);
  printf("\n");
}
