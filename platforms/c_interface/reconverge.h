/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Reconverge for C, and for every language that calls C. docs/c-interface.md is the guide.
 *
 * Handles: a function that returns a handle returns NULL on failure. Every handle has a function that frees it, which
 * accepts NULL. A handle is used by one thread at a time; different handles may be used by different threads, and their
 * simulations then take turns.
 *
 * Errors: other functions that can fail return 0 on success and the kind of the error on failure. The last parameter,
 * unless it is NULL, receives an error to be freed; on success it receives NULL. No C++ exception leaves a function.
 *
 * Texts are UTF-8 and end with a zero byte. A returned text belongs to its handle, and is valid until the next call
 * with this handle. Parameters that are texts or handles are not NULL, unless a comment says so.
 *
 * Stability: functions and values keep their names and meaning as long as RECONVERGE_INTERFACE is the same; new ones
 * may be added. Another number of it is another library, libreconverge.so.<number>. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RECONVERGE_API __attribute__((visibility("default")))
#else
#define RECONVERGE_API
#endif

/* The version of this interface. */
#define RECONVERGE_INTERFACE 1

/* The same of the library, for programs that load it themselves. */
RECONVERGE_API int reconverge_interface(void);
/* The version of Reconverge, such as "0.2.0". */
RECONVERGE_API const char* reconverge_version(void);

/* --- Errors --- */

/* The values are those of the exit codes of the program reconverge. */
typedef enum {
  RECONVERGE_OK = 0,
  RECONVERGE_BAD_INPUT = 2,        /* a file, text, value or argument was refused; nothing ran */
  RECONVERGE_EXECUTION_FAILED = 3, /* the simulated kernel failed: an access outside every buffer, a deadlock ... */
  RECONVERGE_OUTPUT_FAILED = 4,    /* a file of a report could not be written */
  RECONVERGE_INTERNAL_ERROR = 5,   /* the host's memory is exhausted, or Reconverge has a fault */
  RECONVERGE_INTERRUPTED = 130     /* the progress function has stopped it */
} reconverge_status;

typedef struct reconverge_error reconverge_error;

RECONVERGE_API reconverge_status reconverge_error_status(const reconverge_error* error);
/* The whole message: `FILE:LINE:COLUMN: what is wrong; what to do`. */
RECONVERGE_API const char* reconverge_error_message(const reconverge_error* error);
/* The place that the message names: "" and 0 if it is unknown. Lines and columns count from 1. */
RECONVERGE_API const char* reconverge_error_file(const reconverge_error* error);
RECONVERGE_API unsigned reconverge_error_line(const reconverge_error* error);
RECONVERGE_API unsigned reconverge_error_column(const reconverge_error* error);
/* What to do, or "". */
RECONVERGE_API const char* reconverge_error_hint(const reconverge_error* error);
RECONVERGE_API void reconverge_error_free(reconverge_error* error);

/* --- Plugins --- */

/* Adds the divergence schemes and machines of a shared library (`--plugin` of the program): experiments, modules and
 * devices that are made afterwards can use them. The library stays loaded; a second call with the file has no effect.
 */
RECONVERGE_API reconverge_status reconverge_load_plugin(const char* file, reconverge_error** error);

/* --- Progress of runs --- */

typedef struct {
  const char* part; /* the stage or launch in progress */
  uint64_t done;    /* rays or blocks that have ended, of the whole run */
  uint64_t all;     /* all rays or blocks of the run */
  uint64_t cycles;  /* simulated so far; 0 on machines without timing */
  int rays;         /* 1: rays are counted; 0: blocks of threads */
  double share;     /* of the run's time that has passed, 0 to 1; negative: only `done` is known */
} reconverge_progress;

/* Called at the begin of a run and then at most ten times a second, on the thread of the run; 0 stops the run. Later
 * versions may add members at the end of the struct. */
typedef int (*reconverge_progress_function)(const reconverge_progress* progress, void* data);

/* --- Experiments --- */

typedef struct reconverge_experiment reconverge_experiment;
typedef struct reconverge_report reconverge_report;

/* Loads an experiment's YAML file and checks its values. */
RECONVERGE_API reconverge_experiment* reconverge_experiment_load(const char* file, reconverge_error** error);
/* The same from YAML. `name` is its file's name in messages; paths in the YAML are relative to the folder of `name`. */
RECONVERGE_API reconverge_experiment* reconverge_experiment_parse(const char* yaml, const char* name,
                                                                  reconverge_error** error);
RECONVERGE_API void reconverge_experiment_free(reconverge_experiment* experiment);
/* Gives a parameter another value: "gpu.sms", "4". An error leaves the experiment as it was. */
RECONVERGE_API reconverge_status reconverge_experiment_set(reconverge_experiment* experiment, const char* path,
                                                           const char* value, reconverge_error** error);
/* The value of a parameter as text: "48 KiB"; NULL on failure. */
RECONVERGE_API const char* reconverge_experiment_get(reconverge_experiment* experiment, const char* path,
                                                     reconverge_error** error);
/* Checks everything except the run itself: programs, buffers, whether the platform can be built and holds each kernel.
 * Returns a summary as a JSON object, or NULL on failure. */
RECONVERGE_API const char* reconverge_experiment_validate(reconverge_experiment* experiment, reconverge_error** error);
/* Runs the experiment. `folder` gets the files of the report, unless it is NULL. A run that `progress` stops has a
 * report, too, which is partial. NULL on failure. */
RECONVERGE_API reconverge_report* reconverge_experiment_run(reconverge_experiment* experiment, const char* folder,
                                                            reconverge_progress_function progress, void* data,
                                                            reconverge_error** error);

/* The text of report.json (docs/report.md). */
RECONVERGE_API const char* reconverge_report_json(const reconverge_report* report);
/* The table that the program prints. */
RECONVERGE_API const char* reconverge_report_table(const reconverge_report* report);
/* What kernels have printed. */
RECONVERGE_API const char* reconverge_report_printed(const reconverge_report* report);
/* 1: the run was stopped before its end. */
RECONVERGE_API int reconverge_report_partial(const reconverge_report* report);
/* 1: all checks of the report passed. */
RECONVERGE_API int reconverge_report_passed(const reconverge_report* report);
/* Files of results, such as the outputs of launches: their number, and name, bytes and size of one; NULL if there is no
 * such output. `size` may be NULL. */
RECONVERGE_API size_t reconverge_report_outputs(const reconverge_report* report);
RECONVERGE_API const char* reconverge_report_output_name(const reconverge_report* report, size_t output);
RECONVERGE_API const void* reconverge_report_output(const reconverge_report* report, size_t output, size_t* size);
RECONVERGE_API void reconverge_report_free(reconverge_report* report);

/* --- Kernels --- */

typedef struct reconverge_module reconverge_module;

/* A module of PTX. `name` is the text's name in messages; NULL: kernel.ptx. */
RECONVERGE_API reconverge_module* reconverge_module_from_ptx(const char* text, const char* name,
                                                             reconverge_error** error);
/* A module of CUDA C++, compiled by the clang or nvcc of this machine. An error has the place and the text of the
 * compiler's first error, and its hint has all messages. `name`: NULL: kernel.cu. */
RECONVERGE_API reconverge_module* reconverge_module_from_cuda(const char* text, const char* name,
                                                              reconverge_error** error);
/* The number of its kernels, and the name of one; NULL if there is no such kernel. */
RECONVERGE_API size_t reconverge_module_kernels(const reconverge_module* module);
RECONVERGE_API const char* reconverge_module_kernel(const reconverge_module* module, size_t kernel);
/* Its PTX. */
RECONVERGE_API const char* reconverge_module_ptx(const reconverge_module* module);
/* Launches of the module stay valid. */
RECONVERGE_API void reconverge_module_free(reconverge_module* module);

/* --- Devices --- */

typedef struct reconverge_device reconverge_device;

/* A device with its memory. `machine`: "functional" (NULL: the same) or "timed", as in experiments. `platform`: a YAML
 * file with `gpu:` or the name of a shipped platform; NULL: "gtx780". `settings`: `count` texts such as "gpu.sms=4". */
RECONVERGE_API reconverge_device* reconverge_device_create(const char* machine, const char* platform,
                                                           const char* const* settings, size_t count,
                                                           reconverge_error** error);
RECONVERGE_API void reconverge_device_free(reconverge_device* device);

/* The address of a buffer of zeros; 0 on failure. `name` is its name in messages; NULL: buffer. */
RECONVERGE_API uint64_t reconverge_device_allocate(reconverge_device* device, const char* name, uint64_t bytes,
                                                   reconverge_error** error);
/* Frees the buffer that begins at the address. */
RECONVERGE_API reconverge_status reconverge_device_release(reconverge_device* device, uint64_t address,
                                                           reconverge_error** error);
/* The address and the size in bytes of a __device__ or __constant__ variable of the module on the device; `bytes` may
 * be NULL. 0 on failure. */
RECONVERGE_API uint64_t reconverge_device_variable(reconverge_device* device, const reconverge_module* module,
                                                   const char* name, uint64_t* bytes, reconverge_error** error);
/* Copies between the host and a buffer, from an address within it. */
RECONVERGE_API reconverge_status reconverge_device_write(reconverge_device* device, uint64_t address, const void* from,
                                                         size_t bytes, reconverge_error** error);
RECONVERGE_API reconverge_status reconverge_device_read(reconverge_device* device, void* to, uint64_t address,
                                                        size_t bytes, reconverge_error** error);

/* --- Launches --- */

typedef struct reconverge_launch reconverge_launch;

/* A launch of a kernel; `kernel` may be NULL if the module has only one. One block of one thread, without arguments. */
RECONVERGE_API reconverge_launch* reconverge_launch_create(const reconverge_module* module, const char* kernel,
                                                           reconverge_error** error);
RECONVERGE_API void reconverge_launch_free(reconverge_launch* launch);
RECONVERGE_API void reconverge_launch_set_grid(reconverge_launch* launch, uint32_t x, uint32_t y, uint32_t z);
RECONVERGE_API void reconverge_launch_set_block(reconverge_launch* launch, uint32_t x, uint32_t y, uint32_t z);
/* Bytes of dynamic shared memory of each block. */
RECONVERGE_API void reconverge_launch_set_dynamic_shared(reconverge_launch* launch, uint32_t bytes);
/* 1: all blocks are resident together and may wait for each other. */
RECONVERGE_API void reconverge_launch_set_cooperative(reconverge_launch* launch, int cooperative);
/* Adds the next argument: a copy of `bytes` bytes, the size of the kernel's parameter. An address has 8. */
RECONVERGE_API reconverge_status reconverge_launch_add_argument(reconverge_launch* launch, const void* value,
                                                                size_t bytes, reconverge_error** error);
RECONVERGE_API void reconverge_launch_clear_arguments(reconverge_launch* launch);
/* Runs it on the device to its end. After an error of a run, or a stop by `progress`, the device's memory can be read,
 * and no further launch is possible on it. */
RECONVERGE_API reconverge_status reconverge_launch_run(reconverge_launch* launch, reconverge_device* device,
                                                       reconverge_progress_function progress, void* data,
                                                       reconverge_error** error);

/* Of the last run. The figures have the names and units of reports: cycles, time, thread_ipc, simd_efficiency,
 * warp_instructions, thread_instructions ...; machines without timing have the last three. */
RECONVERGE_API size_t reconverge_launch_figures(const reconverge_launch* launch);
RECONVERGE_API const char* reconverge_launch_figure_name(const reconverge_launch* launch, size_t figure);
/* 1: `value` has the figure; 0: there is none of that name. */
RECONVERGE_API int reconverge_launch_figure(const reconverge_launch* launch, const char* name, double* value);
/* What the kernel has printed. */
RECONVERGE_API const char* reconverge_launch_printed(const reconverge_launch* launch);

#ifdef __cplusplus
}
#endif
