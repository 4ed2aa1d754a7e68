// SPDX-License-Identifier: Apache-2.0
#include "statistics.h"
#include "vector_library.h"

using namespace vector_library;

namespace {

struct DivideBy {
  float divisor;
  __device__ float operator()(float value) const { return value / divisor; }
};

}  // namespace

std::vector<float> cumulative_distribution(const std::vector<float>& weights) {
  const Vector<float> on_device(weights);
  // squared_distance.cu has the same instance of reduce, which is one function of the program.
  const float sum = reduce(on_device, 0.0f, Add<float>());
  return inclusive_scan(map<float>(on_device, DivideBy{sum}), Add<float>()).on_host();
}
