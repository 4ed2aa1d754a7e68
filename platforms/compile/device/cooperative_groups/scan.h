#pragma once
/* CUDA sources include it by this name. */

#include "reduce.h"
// SPDX-License-Identifier: Apache-2.0
