#pragma once
/* CUDA's reductions and scans in a group of a warp's lanes. */

#include "../cooperative_groups.h"

#if defined(__clang__) && defined(__CUDA__)
namespace cooperative_groups {

#define RECONVERGE_OPERATOR(name, expression)                      \
  template <class T>                                               \
  struct name {                                                    \
    __device__ T operator()(T a, T b) const { return expression; } \
  };
RECONVERGE_OPERATOR(plus, a + b)
RECONVERGE_OPERATOR(less, b < a ? b : a)
RECONVERGE_OPERATOR(greater, a < b ? b : a)
RECONVERGE_OPERATOR(bit_and, a& b)
RECONVERGE_OPERATOR(bit_or, a | b)
RECONVERGE_OPERATOR(bit_xor, a ^ b)
#undef RECONVERGE_OPERATOR

/* All members get the result. Groups of any size: each step combines a rank with the one that far above it. */
template <class Group, class T, class Operation>
__device__ T reduce(const Group& group, T value, Operation operation) {
  const unsigned rank = group.thread_rank();
  for (unsigned distance = 1; distance < group.size(); distance *= 2) {
    const T other = group.shfl_down(value, distance);
    if (rank + distance < group.size()) value = operation(value, other);
  }
  return group.shfl(value, 0);
}

template <class Group, class T, class Operation>
__device__ T inclusive_scan(const Group& group, T value, Operation operation) {
  for (unsigned distance = 1; distance < group.size(); distance *= 2) {
    const T other = group.shfl_up(value, distance);
    if (group.thread_rank() >= distance) value = operation(other, value);
  }
  return value;
}
template <class Group, class T>
__device__ T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

/* The first rank gets a zero. */
template <class Group, class T, class Operation>
__device__ T exclusive_scan(const Group& group, T value, Operation operation) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
__device__ T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
#endif
// SPDX-License-Identifier: Apache-2.0
