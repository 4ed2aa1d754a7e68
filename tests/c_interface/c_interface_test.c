/* SPDX-License-Identifier: Apache-2.0 */
/* c_interface_test <top of the tree> <plugin smallest_scheme>: fails at the first wrong answer. */

#include <reconverge.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(int line, const char* what) {
  fprintf(stderr, "line %d: %s\n", line, what);
  exit(1);
}

#define REQUIRE(condition)                        \
  do {                                            \
    if (!(condition)) fail(__LINE__, #condition); \
  } while (0)

/* The call must succeed. */
#define REQUIRE_NO(error)                                                 \
  do {                                                                    \
    if ((error) != NULL) fail(__LINE__, reconverge_error_message(error)); \
  } while (0)

/* Frees the error, which must have this status and contain the text. */
static void expect_error(int line, reconverge_error* error, reconverge_status status, const char* text) {
  if (error == NULL) fail(line, "there is no error");
  if (reconverge_error_status(error) != status || strstr(reconverge_error_message(error), text) == NULL)
    fail(line, reconverge_error_message(error));
  reconverge_error_free(error);
}

#define EXPECT(error, status, text) expect_error(__LINE__, error, status, text)

static char* read_file(const char* top, const char* name) {
  char path[4096];
  char* text = calloc(1, 1 << 20);
  FILE* file;
  snprintf(path, sizeof path, "%s/%s", top, name);
  file = fopen(path, "rb");
  if (file == NULL) fail(__LINE__, path);
  REQUIRE(fread(text, 1, (1 << 20) - 1, file) > 0);
  fclose(file);
  return text;
}

static int count_calls(const reconverge_progress* progress, void* data) {
  REQUIRE(progress->part[0] != '\0' && progress->all > 0);
  ++*(int*)data;
  return 1;
}

static int stop(const reconverge_progress* progress, void* data) {
  (void)progress;
  (void)data;
  return 0;
}

static reconverge_launch* saxpy_launch(const reconverge_module* module, uint64_t x, uint64_t y, uint32_t count) {
  const float factor = 2;
  reconverge_error* error = NULL;
  reconverge_launch* launch = reconverge_launch_create(module, NULL, &error);
  REQUIRE_NO(error);
  reconverge_launch_set_grid(launch, 4, 1, 1);
  reconverge_launch_set_block(launch, 256, 1, 1);
  REQUIRE(reconverge_launch_add_argument(launch, &factor, sizeof factor, NULL) == RECONVERGE_OK);
  REQUIRE(reconverge_launch_add_argument(launch, &x, sizeof x, NULL) == RECONVERGE_OK);
  REQUIRE(reconverge_launch_add_argument(launch, &y, sizeof y, NULL) == RECONVERGE_OK);
  REQUIRE(reconverge_launch_add_argument(launch, &count, sizeof count, NULL) == RECONVERGE_OK);
  return launch;
}

/* The figures of saxpy on a machine; returns its cycles. */
static double run_saxpy(const reconverge_module* module, const char* machine, const char* setting) {
  enum { count = 1000 };
  static float host[count];
  double cycles = 0;
  double instructions = 0;
  int calls = 0;
  int i;
  reconverge_error* error = NULL;
  reconverge_device* device = reconverge_device_create(machine, NULL, &setting, setting == NULL ? 0 : 1, &error);
  uint64_t x;
  uint64_t y;
  reconverge_launch* launch;
  REQUIRE_NO(error);
  x = reconverge_device_allocate(device, "x", sizeof host, &error);
  y = reconverge_device_allocate(device, NULL, sizeof host, &error);
  REQUIRE_NO(error);
  for (i = 0; i < count; ++i) host[i] = (float)i;
  REQUIRE(reconverge_device_write(device, x, host, sizeof host, NULL) == RECONVERGE_OK);
  launch = saxpy_launch(module, x, y, count);
  REQUIRE(reconverge_launch_run(launch, device, count_calls, &calls, &error) == RECONVERGE_OK);
  REQUIRE_NO(error);
  REQUIRE(calls > 0);
  memset(host, 0, sizeof host);
  REQUIRE(reconverge_device_read(device, host, y, sizeof host, NULL) == RECONVERGE_OK);
  for (i = 0; i < count; ++i) REQUIRE(host[i] == 2.0F * (float)i);
  REQUIRE(reconverge_device_read(device, host, y + 4 * 999, 4, NULL) == RECONVERGE_OK);
  REQUIRE(host[0] == 1998);
  REQUIRE(reconverge_launch_figure(launch, "warp_instructions", &instructions) == 1 && instructions > 300);
  REQUIRE(reconverge_launch_figure(launch, "no_figure", &instructions) == 0);
  REQUIRE(reconverge_launch_figures(launch) >= 3 && reconverge_launch_figure_name(launch, 0) != NULL);
  REQUIRE(reconverge_launch_figure_name(launch, 1000) == NULL);
  reconverge_launch_figure(launch, "cycles", &cycles);
  REQUIRE(reconverge_device_read(device, host, y, sizeof host + 1, &error) == RECONVERGE_BAD_INPUT);
  EXPECT(error, RECONVERGE_BAD_INPUT, "4000 bytes");
  REQUIRE(reconverge_device_release(device, x, NULL) == RECONVERGE_OK);
  REQUIRE(reconverge_device_release(device, x, &error) == RECONVERGE_BAD_INPUT);
  EXPECT(error, RECONVERGE_BAD_INPUT, "no buffer begins");
  reconverge_launch_free(launch);
  reconverge_device_free(device);
  return cycles;
}

/* An access beyond a buffer: the error has the line of the PTX, and the device takes no further launch. */
static void test_failed_kernel(const reconverge_module* module, const char* ptx) {
  unsigned line = 1;
  const char* at;
  reconverge_error* error = NULL;
  reconverge_device* device = reconverge_device_create("timed", "gtx780", NULL, 0, NULL);
  const uint64_t x = reconverge_device_allocate(device, "x", 64, NULL);
  reconverge_launch* launch = saxpy_launch(module, x, x, 1000);
  for (at = ptx; at != strstr(ptx, "ld.global.f32"); ++at) line += *at == '\n';
  REQUIRE(reconverge_launch_run(launch, device, NULL, NULL, &error) == RECONVERGE_EXECUTION_FAILED);
  REQUIRE(strcmp(reconverge_error_file(error), "saxpy.ptx") == 0 && reconverge_error_line(error) == line);
  EXPECT(error, RECONVERGE_EXECUTION_FAILED, "saxpy.ptx:");
  REQUIRE(reconverge_launch_run(launch, device, NULL, NULL, &error) == RECONVERGE_BAD_INPUT);
  EXPECT(error, RECONVERGE_BAD_INPUT, "make a new device");
  reconverge_launch_free(launch);
  reconverge_device_free(device);
}

static void test_kernels(const char* top) {
  char* ptx = read_file(top, "platforms/kernels/saxpy.ptx");
  reconverge_error* error = NULL;
  reconverge_module* module = reconverge_module_from_ptx(ptx, "saxpy.ptx", &error);
  reconverge_launch* launch;
  const float value = 1;
  double one;
  double eight;
  REQUIRE_NO(error);
  REQUIRE(reconverge_module_kernels(module) == 1 && strcmp(reconverge_module_kernel(module, 0), "saxpy") == 0);
  REQUIRE(reconverge_module_kernel(module, 1) == NULL && strcmp(reconverge_module_ptx(module), ptx) == 0);
  REQUIRE(run_saxpy(module, NULL, NULL) == 0);
  one = run_saxpy(module, "timed", "gpu.sms=1");
  eight = run_saxpy(module, "timed", "gpu.sms=8");
  REQUIRE(eight > 0 && eight < one);
  test_failed_kernel(module, ptx);

  launch = reconverge_launch_create(module, "saxpi", &error);
  REQUIRE(launch == NULL);
  EXPECT(error, RECONVERGE_BAD_INPUT, "saxpy");
  launch = reconverge_launch_create(module, "saxpy", NULL);
  REQUIRE(reconverge_launch_add_argument(launch, &value, 2, &error) == RECONVERGE_BAD_INPUT);
  EXPECT(error, RECONVERGE_BAD_INPUT, "argument 1 of kernel 'saxpy' is saxpy_param_0 (.f32, 4 bytes), and 2 bytes");
  {
    reconverge_device* device = reconverge_device_create(NULL, NULL, NULL, 0, NULL);
    REQUIRE(reconverge_launch_run(launch, device, NULL, NULL, &error) == RECONVERGE_BAD_INPUT);
    EXPECT(error, RECONVERGE_BAD_INPUT, "takes 4 arguments, 0 given");
    reconverge_launch_free(launch);
    launch = saxpy_launch(module, 0, 0, 0);
    reconverge_module_free(module); /* the launch stays valid */
    REQUIRE(reconverge_launch_run(launch, device, stop, NULL, &error) == RECONVERGE_INTERRUPTED);
    EXPECT(error, RECONVERGE_INTERRUPTED, "saxpy");
    reconverge_device_free(device);
  }
  reconverge_launch_free(launch);
  REQUIRE(reconverge_module_from_ptx("no ptx", NULL, &error) == NULL);
  REQUIRE(strcmp(reconverge_error_file(error), "kernel.ptx") == 0 && reconverge_error_line(error) == 1);
  EXPECT(error, RECONVERGE_BAD_INPUT, "kernel.ptx:1");
  REQUIRE(reconverge_device_create("timd", NULL, NULL, 0, &error) == NULL);
  EXPECT(error, RECONVERGE_BAD_INPUT, "timed");
  free(ptx);
}

static void test_cuda(void) {
  const char* text = "__device__ int sum = 5;\nextern \"C\" __global__ void add(int x) { atomicAdd(&sum, x); }\n";
  const int seven = 7;
  int sum = 0;
  uint64_t bytes = 0;
  uint64_t address;
  reconverge_error* error = NULL;
  reconverge_module* module = reconverge_module_from_cuda(text, NULL, &error);
  reconverge_device* device;
  reconverge_launch* launch;
  if (module == NULL && strstr(reconverge_error_message(error), "there is no compiler") != NULL) {
    reconverge_error_free(error);
    puts("neither clang nor nvcc: CUDA C++ is not tested");
    return;
  }
  REQUIRE_NO(error);
  device = reconverge_device_create(NULL, NULL, NULL, 0, NULL);
  launch = reconverge_launch_create(module, "add", &error);
  REQUIRE_NO(error);
  reconverge_launch_set_block(launch, 3, 1, 1);
  REQUIRE(reconverge_launch_add_argument(launch, &seven, sizeof seven, NULL) == RECONVERGE_OK);
  REQUIRE(reconverge_launch_run(launch, device, NULL, NULL, NULL) == RECONVERGE_OK);
  address = reconverge_device_variable(device, module, "sum", &bytes, &error);
  REQUIRE_NO(error);
  REQUIRE(bytes == sizeof sum);
  REQUIRE(reconverge_device_read(device, &sum, address, sizeof sum, NULL) == RECONVERGE_OK);
  REQUIRE(sum == 5 + 3 * 7);
  reconverge_launch_free(launch);
  reconverge_device_free(device);
  reconverge_module_free(module);
  REQUIRE(reconverge_module_from_cuda("__global__ void f() {\n  q();\n}\n", "wrong.cu", &error) == NULL);
  REQUIRE(strcmp(reconverge_error_file(error), "wrong.cu") == 0);
  REQUIRE(reconverge_error_line(error) == 2 && reconverge_error_column(error) == 3);
  REQUIRE(strstr(reconverge_error_hint(error), "wrong.cu:2:3: error") != NULL);
  EXPECT(error, RECONVERGE_BAD_INPUT, "undeclared identifier");
}

static void test_experiments(const char* top) {
  char file[4096];
  int calls = 0;
  size_t size = 0;
  reconverge_error* error = NULL;
  reconverge_experiment* experiment;
  reconverge_report* report;
  snprintf(file, sizeof file, "%s/yaml/experiments/saxpy.yaml", top);
  experiment = reconverge_experiment_load(file, &error);
  REQUIRE_NO(error);
  REQUIRE(reconverge_experiment_set(experiment, "gpu.sms", "3", NULL) == RECONVERGE_OK);
  REQUIRE(strcmp(reconverge_experiment_get(experiment, "gpu.sms", NULL), "3") == 0);
  REQUIRE(reconverge_experiment_set(experiment, "gpu.smss", "3", &error) == RECONVERGE_BAD_INPUT);
  EXPECT(error, RECONVERGE_BAD_INPUT, "gpu.sms");
  REQUIRE(reconverge_experiment_set(experiment, "gpu.sms", "many", NULL) == RECONVERGE_BAD_INPUT);
  REQUIRE(strstr(reconverge_experiment_validate(experiment, &error), "\"launches\": 1") != NULL);
  report = reconverge_experiment_run(experiment, NULL, count_calls, &calls, &error);
  REQUIRE_NO(error);
  REQUIRE(calls > 0 && reconverge_report_passed(report) && !reconverge_report_partial(report));
  REQUIRE(strstr(reconverge_report_json(report), "\"sms\":3") != NULL);
  REQUIRE(strstr(reconverge_report_table(report), "saxpy") != NULL);
  REQUIRE(reconverge_report_outputs(report) == 1);
  REQUIRE(strcmp(reconverge_report_output_name(report, 0), "y.npy") == 0);
  REQUIRE(memcmp(reconverge_report_output(report, 0, &size), "\x93NUMPY", 6) == 0 && size == 128 + 4 * 4096);
  REQUIRE(reconverge_report_output(report, 1, &size) == NULL && size == 0);
  reconverge_report_free(report);
  report = reconverge_experiment_run(experiment, NULL, stop, NULL, NULL);
  REQUIRE(report != NULL && reconverge_report_partial(report));
  reconverge_report_free(report);
  reconverge_experiment_free(experiment);

  REQUIRE(reconverge_experiment_load("nothing.yaml", &error) == NULL);
  EXPECT(error, RECONVERGE_BAD_INPUT, "nothing.yaml");
  REQUIRE(reconverge_experiment_parse("gpu:\n  smss: 3\n", "own.yaml", &error) == NULL);
  REQUIRE(strcmp(reconverge_error_file(error), "own.yaml") == 0);
  REQUIRE(reconverge_error_line(error) == 2 && reconverge_error_column(error) == 3);
  EXPECT(error, RECONVERGE_BAD_INPUT, "own.yaml:2:3");
}

static void test_plugins(const char* top, const char* plugin) {
  char file[4096];
  const char* setting = "gpu.sm.scheme=smallest_scheme";
  reconverge_error* error = NULL;
  reconverge_experiment* experiment;
  reconverge_report* report;
  snprintf(file, sizeof file, "%s/yaml/experiments/saxpy.yaml", top);
  REQUIRE(reconverge_device_create("timed", NULL, &setting, 1, &error) == NULL);
  EXPECT(error, RECONVERGE_BAD_INPUT, "smallest_scheme");
  REQUIRE(reconverge_load_plugin("no_such_plugin.so", &error) == RECONVERGE_BAD_INPUT);
  EXPECT(error, RECONVERGE_BAD_INPUT, "no_such_plugin.so: there is no such file");
  REQUIRE(reconverge_load_plugin(file, &error) == RECONVERGE_BAD_INPUT);
  EXPECT(error, RECONVERGE_BAD_INPUT, "the plugin cannot be loaded");
  REQUIRE(reconverge_load_plugin(plugin, &error) == RECONVERGE_OK);
  REQUIRE_NO(error);
  REQUIRE(reconverge_load_plugin(plugin, NULL) == RECONVERGE_OK);
  experiment = reconverge_experiment_load(file, NULL);
  REQUIRE(reconverge_experiment_set(experiment, "gpu.sm.scheme", "smallest_scheme", NULL) == RECONVERGE_OK);
  report = reconverge_experiment_run(experiment, NULL, NULL, NULL, &error);
  REQUIRE_NO(error);
  REQUIRE(strstr(reconverge_report_json(report), "\"scheme\":\"smallest_scheme\"") != NULL);
  reconverge_report_free(report);
  reconverge_experiment_free(experiment);
}

/* A launch on a device whose scheme is the plugin's takes as long as one with the same scheme that is built in. */
static void test_device_of_plugin(const char* top) {
  char* ptx = read_file(top, "platforms/kernels/saxpy.ptx");
  reconverge_module* module = reconverge_module_from_ptx(ptx, NULL, NULL);
  const double own = run_saxpy(module, "timed", NULL);
  REQUIRE(own > 0 && run_saxpy(module, "timed", "gpu.sm.scheme=smallest_scheme") == own);
  reconverge_module_free(module);
  free(ptx);
}

int main(int argc, char** argv) {
  REQUIRE(argc == 3);
  REQUIRE(reconverge_interface() == RECONVERGE_INTERFACE);
  REQUIRE(reconverge_version()[0] >= '0' && reconverge_version()[0] <= '9');
  test_kernels(argv[1]);
  test_cuda();
  test_experiments(argv[1]);
  test_plugins(argv[1], argv[2]);
  test_device_of_plugin(argv[1]);
  reconverge_error_free(NULL);
  reconverge_device_free(NULL);
  return 0;
}
