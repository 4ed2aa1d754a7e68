// SPDX-License-Identifier: Apache-2.0
#include "statistics.h"
#include "vector_library.h"

using namespace vector_library;

namespace {

struct SquareOfDifference {
  __device__ float operator()(float a, float b) const { return (a - b) * (a - b); }
};

}  // namespace

float squared_distance(const std::vector<float>& a, const std::vector<float>& b) {
  const Vector<float> squares = zip<float>(Vector<float>(a), Vector<float>(b), SquareOfDifference());
  return reduce(squares, 0.0f, Add<float>());
}
