// SPDX-License-Identifier: Apache-2.0
// Statistics of random numbers on the device, checked on the host. Usage: vector_library [elements]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>

#include "statistics.h"

namespace {

std::vector<float> random_numbers(unsigned count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(random() % 1000 + 1) / 100;
  return numbers;
}

bool check_distance(const std::vector<float>& a, const std::vector<float>& b) {
  double expected = 0;
  for (std::size_t i = 0; i < a.size(); ++i) expected += (static_cast<double>(a[i]) - b[i]) * (a[i] - b[i]);
  const float distance = squared_distance(a, b);
  std::printf("squared distance %.1f, expected %.1f\n", distance, expected);
  return std::fabs(distance - expected) <= 1e-5 * expected;
}

bool check_distribution(const std::vector<float>& weights) {
  double sum = 0;
  for (const float weight : weights) sum += weight;
  const std::vector<float> shares = cumulative_distribution(weights);
  double so_far = 0;
  double largest_error = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    so_far += weights[i];
    largest_error = std::fmax(largest_error, std::fabs(shares[i] - so_far / sum));
  }
  std::printf("cumulative distribution: half of the elements have %.4f of the sum, largest error %.1e\n",
              shares[(shares.size() - 1) / 2], largest_error);
  return largest_error <= 1e-5;
}

bool run(unsigned count) {
  const std::vector<float> a = random_numbers(count, 5);
  const std::vector<float> b = random_numbers(count, 6);
  std::printf("%u elements\n", count);
  const bool right_distance = check_distance(a, b);
  return check_distribution(a) && right_distance;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const long count = argument_count > 1 ? std::strtol(arguments[1], nullptr, 10) : 12000;
  if (count < 1 || count > 1l << 24) {
    std::fprintf(stderr, "%s: the number of elements must be from 1 to %ld\n", arguments[0], 1l << 24);
    return 1;
  }
  try {
    const bool right = run(static_cast<unsigned>(count));
    std::puts(right ? "PASSED" : "FAILED");
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\nFAILED\n", error.what());
    return 1;
  }
}
