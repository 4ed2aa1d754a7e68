#pragma once
/* The functions that clang calls for <<<>>>, with the names of CUDA before and since 9.2. */

#include "runtime_types.h"

extern "C" {
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr);
/* NOLINTNEXTLINE(bugprone-reserved-identifier): CUDA's name. */
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr);
}
// SPDX-License-Identifier: Apache-2.0
