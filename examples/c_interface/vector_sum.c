/* SPDX-License-Identifier: Apache-2.0 */
/* Adds two vectors on the simulated GTX 780, from C99. */
#include <reconverge.h>
#include <stdio.h>
#include <stdlib.h>

static const char* const source =
    "extern \"C\" __global__ void add(const float* a, const float* b, float* sum, int count) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < count) sum[i] = a[i] + b[i];\n"
    "}\n";

/* Ends the program if there is an error. */
static void check(reconverge_error* error) {
  if (error == NULL) return;
  fprintf(stderr, "vector_sum: %s\n", reconverge_error_message(error));
  exit(reconverge_error_status(error));
}

int main(void) {
  enum { count = 10000 };
  static float values[count];
  const int threads = count;
  uint64_t buffer[3];
  double cycles = 0;
  double efficiency = 0;
  reconverge_error* error = NULL;
  int i;

  reconverge_module* module = reconverge_module_from_cuda(source, "vector_sum.cu", &error);
  check(error);
  reconverge_device* device = reconverge_device_create("timed", "gtx780", NULL, 0, &error);
  check(error);
  reconverge_launch* launch = reconverge_launch_create(module, "add", &error);
  check(error);
  reconverge_launch_set_grid(launch, (count + 255) / 256, 1, 1);
  reconverge_launch_set_block(launch, 256, 1, 1);

  for (i = 0; i < count; ++i) values[i] = (float)i;
  for (i = 0; i < 3; ++i) {
    buffer[i] = reconverge_device_allocate(device, NULL, sizeof values, &error);
    check(error);
    reconverge_device_write(device, buffer[i], values, sizeof values, &error);
    check(error);
    reconverge_launch_add_argument(launch, &buffer[i], sizeof buffer[i], &error);
    check(error);
  }
  reconverge_launch_add_argument(launch, &threads, sizeof threads, &error);
  check(error);

  reconverge_launch_run(launch, device, NULL, NULL, &error);
  check(error);
  reconverge_device_read(device, values, buffer[2], sizeof values, &error);
  check(error);
  reconverge_launch_figure(launch, "cycles", &cycles);
  reconverge_launch_figure(launch, "simd_efficiency", &efficiency);
  printf("sum[%d] is %g after %.0f cycles, SIMD efficiency %.1f %%\n", count - 1, values[count - 1], cycles,
         100 * efficiency);

  reconverge_launch_free(launch);
  reconverge_device_free(device);
  reconverge_module_free(module);
  return 0;
}
