/* Templates, function objects and lambdas with captures: a pipeline over a thread's words. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
template <typename T, int capacity>
class List {
 public:
  __device__ void push(T value) {
    if (count_ < capacity) values_[count_++] = value;
  }
  __device__ int count() const { return count_; }
  __device__ T operator[](int i) const { return values_[i]; }

  template <typename Keep>
  __device__ List filtered(Keep keep) const {
    List result;
    for (int i = 0; i < count_; ++i) {
      if (keep(values_[i])) result.push(values_[i]);
    }
    return result;
  }
  template <typename Result, typename Combine>
  __device__ Result reduced(Result start, Combine combine) const {
    for (int i = 0; i < count_; ++i) start = combine(start, values_[i]);
    return start;
  }

 private:
  T values_[capacity];
  int count_ = 0;
};

struct Above {
  unsigned limit;
  __device__ bool operator()(unsigned value) const { return value > limit; }
};
}  // namespace

extern "C" __global__ void functors(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  List<unsigned, 10> list;
  for (unsigned i = 0; i < 12; ++i) list.push(input[n + i] % 1000);
  const auto large = list.filtered(Above{input[n] % 700});
  const unsigned factor = n + 1;
  const auto odd = list.filtered([factor](unsigned value) { return value * factor % 3 != 0; });
  output[4 * n] = static_cast<unsigned>(large.count() * 16 + odd.count());
  output[4 * n + 1] = large.reduced(0U, [](unsigned a, unsigned b) { return a + b; });
  output[4 * n + 2] = bits_of(odd.reduced(1.0F, [](float a, unsigned b) { return a * 0.5F + static_cast<float>(b); }));
  output[4 * n + 3] = odd.count() > 2 ? odd[2] : 0;
  atomic_add(&sums[static_cast<unsigned>(large.count())], 1);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
