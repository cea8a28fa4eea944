/*
 * AMX for a process that may not use it: a handler of SIGILL that decodes the instructions on tiles, does what
 * Intel's manual (Software Developer's Manual, volume 2, "Operation" of each) says, and goes on behind them.
 * Anything else that is illegal, or a use of tiles that the manual says faults, ends the program.
 *
 * Where the processor has no AMX, all instructions on tiles are illegal. Where it has, those on the tiles' data
 * are until the process asks Linux for them, which this one does not; LDTILECFG and TILERELEASE run, and what they
 * configured lies in the state that the system saves for the handler (volume 1, "Extended feature disable").
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { TILES = 8, ROWS = 16, ROW_BYTES = 64, CONFIGURATION_BYTES = 64 };

/* The tiles of a thread and their configuration. */
static __thread struct {
  int configured;
  uint8_t configuration[CONFIGURATION_BYTES];
  uint16_t row_bytes[TILES];
  uint8_t rows[TILES];
  uint8_t data[TILES][ROWS][ROW_BYTES];
} state;

/* How often each instruction was emulated. */
unsigned long emulated_products, emulated_loads, emulated_stores;

/* Whether the processor has tiles, and so runs some of the instructions. */
static int has_amx;

static void fail(const char *reason, const uint8_t *at) {
  fprintf(stderr, "amx_emulator: %s, at", reason);
  for (int i = 0; i < 10; i++)
    fprintf(stderr, " %02x", at[i]);
  fprintf(stderr, "\n");
  abort();
}

/* A register by its number in instructions. */
static uint64_t general(const mcontext_t *machine, int number) {
  static const int places[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                               REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  return (uint64_t)machine->gregs[places[number]];
}

/* An operand in memory: where it begins, the stride of tile rows, and the bytes behind ModRM. */
struct memory {
  uint64_t address, stride;
  int length;
};

/* `at` is at ModRM, `behind` the first byte of the next instruction less displacement and SIB. */
static struct memory memory_operand(const mcontext_t *machine, const uint8_t *at, int index_high, int base_high) {
  struct memory found = {0, 0, 0};
  int mod = at[0] >> 6, base = at[0] & 7, is_based = 1;
  if (base == 4) {
    uint8_t sib = at[1];
    int index = ((sib >> 3) & 7) | index_high << 3;
    found.length = 1;
    base = sib & 7;
    if (index != 4)
      found.stride = general(machine, index) << (sib >> 6);
    is_based = !(base == 5 && mod == 0);
  } else if (base == 5 && mod == 0) {
    /* Relative to the next instruction; none of these has an immediate. */
    int32_t distance;
    memcpy(&distance, at + 1, sizeof distance);
    found.length = 4;
    found.address = (uint64_t)(at + 5) + (uint64_t)(int64_t)distance;
    return found;
  }
  if (is_based)
    found.address = general(machine, base | base_high << 3);
  const uint8_t *displacement = at + 1 + found.length;
  if (mod == 1) {
    found.address += (uint64_t)(int64_t)(int8_t)displacement[0];
    found.length += 1;
  } else if (mod == 2 || !is_based) {
    int32_t distance;
    memcpy(&distance, displacement, sizeof distance);
    found.address += (uint64_t)(int64_t)distance;
    found.length += 4;
  }
  return found;
}

static void configure(const uint8_t *from, const uint8_t *at) {
  memset(&state, 0, sizeof state);
  if (from[0] == 0)
    return;
  if (from[0] != 1 || from[1] != 0)
    fail("a configuration of another palette, or begun", at);
  memcpy(state.configuration, from, sizeof state.configuration);
  state.configured = 1;
  for (int tile = 0; tile < TILES; tile++) {
    memcpy(&state.row_bytes[tile], from + 16 + 2 * tile, 2);
    state.rows[tile] = from[48 + tile];
    if (state.row_bytes[tile] > ROW_BYTES || state.rows[tile] > ROWS)
      fail("a tile that is too large", at);
  }
}

/*
 * The configuration in the state that was saved for the handler, or null if tiles are not configured. The state is
 * as XSAVE writes it: a set of the components that are in use at 512, and component 17, XTILECFG, where CPUID says.
 */
static const uint8_t *configuration_of_processor(const mcontext_t *machine) {
  enum { IN_USE = 512, HAS_EXTENSION = 464, MAGIC = 0x46505853, XTILECFG = 17 };
  const uint8_t *saved = (const uint8_t *)machine->fpregs;
  uint32_t magic, eax, offset, ecx, edx;
  uint64_t in_use;
  memcpy(&magic, saved + HAS_EXTENSION, sizeof magic);
  memcpy(&in_use, saved + IN_USE, sizeof in_use);
  if (magic != MAGIC || !(in_use >> XTILECFG & 1) || !__get_cpuid_count(13, XTILECFG, &eax, &offset, &ecx, &edx))
    return 0;
  return saved + offset;
}

/* Takes over what an LDTILECFG or TILERELEASE did that the processor ran. One that configured the same as is
 * configured goes unnoticed: it would make all tiles zeros. */
static void follow_processor(const mcontext_t *machine, const uint8_t *at) {
  static const uint8_t none[CONFIGURATION_BYTES];
  if (!has_amx)
    return;
  const uint8_t *now = configuration_of_processor(machine);
  if (memcmp(now ? now : none, state.configuration, CONFIGURATION_BYTES) != 0)
    configure(now ? now : none, at);
}

static float flushed(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7f800000) == 0)
    bits &= 0x80000000;
  memcpy(&value, &bits, sizeof bits);
  return value;
}

static float wide(const uint8_t *at) {
  uint16_t half;
  memcpy(&half, at, sizeof half);
  uint32_t bits = (uint32_t)half << 16;
  float value;
  memcpy(&value, &bits, sizeof bits);
  return flushed(value);
}

/* Three tiles multiply if they are different registers of fitting sizes. */
static void check_product(int to, int data, int weight, const uint8_t *at) {
  if (to == data || to == weight || data == weight || state.rows[to] != state.rows[data] ||
      state.row_bytes[to] != state.row_bytes[weight] || state.rows[weight] != state.row_bytes[data] / 4 ||
      state.row_bytes[data] % 4 || state.row_bytes[to] % 4)
    fail("tiles that do not multiply", at);
}

/* TDPBUSD: unsigned bytes of the data by signed ones of the weight, four products to a sum, which wraps around. */
static void multiply_bytes(int to, int data, int weight, const uint8_t *at) {
  int words = state.row_bytes[data] / 4, columns = state.row_bytes[to] / 4;
  check_product(to, data, weight, at);
  for (int row = 0; row < state.rows[to]; row++)
    for (int column = 0; column < columns; column++) {
      uint32_t sum;
      memcpy(&sum, &state.data[to][row][4 * column], sizeof sum);
      for (int word = 0; word < words; word++)
        for (int byte = 0; byte < 4; byte++) {
          int x = state.data[data][row][4 * word + byte];
          int y = (int8_t)state.data[weight][word][4 * column + byte];
          sum += (uint32_t)(x * y);
        }
      memcpy(&state.data[to][row][4 * column], &sum, sizeof sum);
    }
  emulated_products++;
}

/* TDPBF16PS: even and odd inputs are summed apart, then added, then added to what is there. */
static void multiply(int to, int data, int weight, const uint8_t *at) {
  int pairs = state.row_bytes[data] / 4, columns = state.row_bytes[to] / 4;
  check_product(to, data, weight, at);
  for (int row = 0; row < state.rows[to]; row++) {
    float sums[2 * ROW_BYTES / 4] = {0};
    for (int pair = 0; pair < pairs; pair++)
      for (int lane = 0; lane < 2 * columns; lane++) {
        float x = wide(&state.data[data][row][4 * pair + 2 * (lane % 2)]);
        float y = wide(&state.data[weight][pair][2 * lane]);
        /* Rounded once, to the nearest, ties to even. */
        sums[lane] = flushed(__builtin_fmaf(x, y, sums[lane]));
      }
    for (int column = 0; column < columns; column++) {
      float old, sum = flushed(sums[2 * column] + sums[2 * column + 1]);
      memcpy(&old, &state.data[to][row][4 * column], sizeof old);
      old = flushed(flushed(old) + sum);
      memcpy(&state.data[to][row][4 * column], &old, sizeof old);
    }
  }
  emulated_products++;
}

static void access_rows(int tile, struct memory memory, int is_store) {
  for (int row = 0; row < state.rows[tile]; row++) {
    uint8_t *at = (uint8_t *)(memory.address + (uint64_t)row * memory.stride);
    if (is_store)
      memcpy(at, state.data[tile][row], state.row_bytes[tile]);
    else
      memcpy(state.data[tile][row], at, state.row_bytes[tile]);
  }
  *(is_store ? &emulated_stores : &emulated_loads) += 1;
}

static void on_illegal(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
  const uint8_t *at = (const uint8_t *)machine->gregs[REG_RIP];
  follow_processor(machine, at);
  /* All have a three-byte VEX prefix, of 128 bits, W0, in the map 0F38. */
  if (at[0] != 0xc4 || (at[1] & 0x1f) != 2 || (at[2] & 0x84) != 0)
    fail("an illegal instruction that is none on tiles", at);
  int prefix = at[2] & 3, other = (~at[2] >> 3) & 15, opcode = at[3], modrm = at[4];
  int index_high = !(at[1] & 0x40), base_high = !(at[1] & 0x20);
  int is_memory = modrm >> 6 != 3, reg = (modrm >> 3) & 7, rm = modrm & 7, length = 5;
  enum { NONE, P66, F3, F2 };
  struct memory memory = {0, 0, 0};
  if (is_memory) {
    memory = memory_operand(machine, at + 4, index_high, base_high);
    length += memory.length;
  }
  if (opcode == 0x49 && prefix == NONE && is_memory && reg == 0) {
    configure((const uint8_t *)memory.address, at);
  } else if (opcode == 0x49 && prefix == NONE && modrm == 0xc0) {
    memset(&state, 0, sizeof state);
  } else if (!state.configured) {
    fail("tiles are not configured", at);
  } else if (opcode == 0x49 && prefix == F2 && !is_memory && rm == 0) {
    memset(state.data[reg], 0, sizeof state.data[reg]);
  } else if (opcode == 0x4b && is_memory && rm == 4 && prefix != NONE) {
    if (prefix != F3)
      memset(state.data[reg], 0, sizeof state.data[reg]);
    access_rows(reg, memory, prefix == F3);
  } else if (opcode == 0x5c && prefix == F3 && !is_memory) {
    multiply(reg, rm, other, at);
  } else if (opcode == 0x5e && prefix == P66 && !is_memory) {
    multiply_bytes(reg, rm, other, at);
  } else {
    fail("an instruction on tiles that is not emulated", at);
  }
  machine->gregs[REG_RIP] += length;
}

__attribute__((constructor)) static void emulate(void) {
  enum { AMX_TILE = 1 << 24 };
  uint32_t eax, ebx, ecx, edx;
  has_amx = __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (edx & AMX_TILE);
  struct sigaction action = {.sa_sigaction = on_illegal, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  sigaction(SIGILL, &action, NULL);
}
