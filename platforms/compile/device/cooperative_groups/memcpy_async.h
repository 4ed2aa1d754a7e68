#pragma once
/* CUDA's copies by all threads of a group. They are complete when the group's wait returns. The threads copy
   synchronously, so the wait is only the group's barrier. */

#include "../cooperative_groups.h"

#if defined(__clang__) && defined(__CUDA__)
namespace cooperative_groups {

template <class Group, class Bytes>
__device__ void memcpy_async(const Group& group, void* to, const void* from, Bytes bytes) {
  const auto count = static_cast<size_t>(bytes);
  const auto places = reinterpret_cast<unsigned long long>(to) | reinterpret_cast<unsigned long long>(from) | count;
  const auto copy = [&](auto unit) {
    using Unit = decltype(unit);
    for (size_t i = group.thread_rank(); i < count / sizeof(Unit); i += group.size())
      static_cast<Unit*>(to)[i] = static_cast<const Unit*>(from)[i];
  };
  if (places % sizeof(uint4) == 0) return copy(uint4());
  if (places % sizeof(unsigned) == 0) return copy(0U);
  copy(static_cast<unsigned char>(0));
}
template <class Group, class T>
__device__ void memcpy_async(const Group& group, T* to, size_t, const T* from, size_t count) {
  memcpy_async(group, to, from, count * sizeof(T));
}

template <class Group>
__device__ void wait(const Group& group) {
  group.sync();
}
/* Copies complete in order, and a wait for the earlier ones waits for all of them. */
template <unsigned, class Group>
__device__ void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups
#endif
// SPDX-License-Identifier: Apache-2.0
