// SPDX-License-Identifier: Apache-2.0
#pragma once
// Helpers of all programs here: checks a CUDA call, reads the size from the command line, prints the verdict.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// Ends the program at a call that fails: later errors would only hide the cause.
#define CHECK(call) check_call((call), #call, __FILE__, __LINE__)

inline void check_call(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
  std::exit(1);
}

// The first argument as a number from 1 to 2^26, or the default if there is no argument.
inline unsigned size_argument(int argument_count, char** arguments, unsigned default_size) {
  if (argument_count < 2) return default_size;
  char* end = nullptr;
  const unsigned long size = std::strtoul(arguments[1], &end, 10);
  if (*end == '\0' && size >= 1 && size <= 1ul << 26) return static_cast<unsigned>(size);
  std::fprintf(stderr, "%s: the size '%s' is not a number from 1 to %lu\n", arguments[0], arguments[1], 1ul << 26);
  std::exit(1);
}

// The exit code of the program.
inline int verdict(bool right) {
  std::puts(right ? "PASSED" : "FAILED");
  return right ? 0 : 1;
}
