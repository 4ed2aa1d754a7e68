#pragma once
/* CUDA sources include it by this name. */

#include "cuda_runtime.h"
// SPDX-License-Identifier: Apache-2.0
