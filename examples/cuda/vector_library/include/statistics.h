// SPDX-License-Identifier: Apache-2.0
#pragma once
// The functions that main calls: plain C++, so that main's compiler does not have to support CUDA.

#include <vector>

// The sum of (a[i] - b[i])^2.
float squared_distance(const std::vector<float>& a, const std::vector<float>& b);

// For each weight, the share of the sum up to and including it in the sum of all weights.
std::vector<float> cumulative_distribution(const std::vector<float>& weights);
