/*
 * The start of a program on a Cortex-M with floating point: its vectors, and memory as C expects it. Text goes out
 * by semihosting, through the debugger or the emulator.
 */
#include "board.h"

extern uint32_t data_in_rom[], data_begin[], data_end[], bss_begin[], bss_end[], stack_top[];
int main(void);

static int32_t semihosting(int32_t operation, const void *argument) {
  register int32_t r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

void say(const char *text) { semihosting(4 /* SYS_WRITE0 */, text); }

static void stop(int is_well) {
  /* ADP_Stopped_ApplicationExit, or ADP_Stopped_RunTimeErrorUnknown. */
  semihosting(0x18 /* SYS_EXIT */, (const void *)(is_well ? 0x20026 : 0x20023));
  for (;;)
    ;
}

static void fault(void) {
  say("a fault\n");
  stop(0);
}

static void reset(void) {
  *(volatile uint32_t *)0xe000ed88 |= 0xf << 20; /* CPACR: floating point for everybody */
  __asm__ volatile("dsb\n\tisb");
  const uint32_t *from = data_in_rom;
  for (uint32_t *to = data_begin; to < data_end;)
    *to++ = *from++;
  for (uint32_t *to = bss_begin; to < bss_end;)
    *to++ = 0;
  stop(main() == 0);
}

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
    stack_top, (void *)reset, (void *)fault, (void *)fault, (void *)fault, (void *)fault, (void *)fault,
};
