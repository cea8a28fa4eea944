/*
 * Runs the layer of examples/tour/layer.mlir on small whole numbers, whose sums are exact in any
 * order, and compares with three loops.
 */
#include "bare.h"

enum { ROWS = 4, COLUMNS = 32, DEPTH = 64 };

static float x[ROWS][DEPTH], w[COLUMNS][DEPTH], b[COLUMNS], y[ROWS][COLUMNS];

static int right(void) {
  int count = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      float sum = b[j];
      for (int k = 0; k < DEPTH; k++)
        sum += x[i][k] * w[j][k];
      count += y[i][j] == (sum > 0 ? sum : 0);
    }
  return count;
}

static void test(void) {
  for (int k = 0; k < DEPTH; k++) {
    for (int i = 0; i < ROWS; i++)
      x[i][k] = (float)((i * 7 + k * 5) % 11 - 5);
    for (int j = 0; j < COLUMNS; j++)
      w[j][k] = (float)((j * 3 + k * 4) % 13 - 6);
  }
  for (int j = 0; j < COLUMNS; j++)
    b[j] = (float)(j - 16);
  const void *inputs[] = {x, w, b};
  void *outputs[] = {y};
  int count = run_model(inputs, outputs) ? right() : 0;
  say(count, count == ROWS * COLUMNS);
}
