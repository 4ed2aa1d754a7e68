// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The definition of functions of CUDA's libraries. Executables refer to `cudaMalloc` of a version of libcudart.so, and
/// three versions have the same function. The definition therefore has a separate name, and symbols.cmake makes an
/// alias for each version from the lines that use these macros.

#include "platforms/cuda/process.hpp"

/// A function of all versions: cudaError_t RECONVERGE_CUDA(cudaFree)(void* address) { ... }
#define RECONVERGE_CUDA(name) reconverge_##name
/// A function that has another form from this version on.
#define RECONVERGE_CUDA_FROM_13(name) reconverge_13_##name
