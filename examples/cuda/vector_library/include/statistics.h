// SPDX-License-Identifier: Apache-2.0
#pragma once
// What main calls: plain C++, so that its compiler needs to know nothing of CUDA.

#include <vector>

// The sum of (a[i] - b[i])^2.
float squared_distance(const std::vector<float>& a, const std::vector<float>& b);

// The share that the weights up to each one have in all of them.
std::vector<float> cumulative_distribution(const std::vector<float>& weights);
