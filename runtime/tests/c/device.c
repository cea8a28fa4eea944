/*
 * A model for a GPU as the compiler would make it, written by hand: y[4] = x[4], copied within the device. UNNAMED: the descriptor does not say the
 * kind of the device. ROCM: it is AMD's. IMAGE: the bytes of what the device loads; there are 4.
 * CODES: the number of chips that there is code for.
 */
#include "written_by_hand.h"
#include <stddef.h>

void relay_rt_cuda(const void *descriptor, void *opened);
void relay_rt_rocm(const void *descriptor, void *opened);
void relay_rt_device_copy(const void *instance, void *to, const void *from, int64_t bytes);

static int32_t run_graph(const void *const *inputs, void *const *outputs, void *arena, const uint8_t *weights,
                         void *instance, const int64_t *symbols) {
  (void)arena, (void)weights, (void)symbols;
  relay_rt_device_copy(instance, outputs[0], inputs[0], 16);
  return 0;
}

#ifdef ROCM
#define OPEN relay_rt_rocm
#else
#define OPEN relay_rt_cuda
#endif

#if defined UNNAMED
#define KIND NULL
#elif defined ROCM
#define KIND "rocm"
#else
#define KIND "cuda"
#endif

#ifndef IMAGE
#define IMAGE 4
#endif

#ifndef CODES
#define CODES 2
#endif

static const relay_device_image_t image = {"PTX", IMAGE};
static const relay_device_image_t *const images[] = {NULL, &image};
static const relay_device_code_t codes[] = {{"sm_90", 2, images}, {"sm_80", 1, images}};

static const int64_t shape[] = {4};
static const relay_tensor_info inputs[] = {{"x", "f32", 1, shape, NULL}}, outputs[] = {{"y", "f32", 1, shape, NULL}};

const relay_model_descriptor_t relay_model_descriptor = {
    RELAY_ABI_VERSION, "device", "x86_64-unknown-linux-gnu", "f32", "", 1, inputs, 1, outputs, 0, NULL,
    0, NULL, 0, run_graph, NULL, 0, NULL, NULL, NULL, 0, NULL, NULL, OPEN, KIND, CODES, codes};

EXPORT_MODEL(device)
