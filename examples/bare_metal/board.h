#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

/* Writes a text to whoever watches the board. */
void say(const char *text);

#endif
