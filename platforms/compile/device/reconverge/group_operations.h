#pragma once
/* Shuffles and votes in a group of a warp's lanes. Group has mask(), size(), thread_rank(), lane_of(rank) and
   ranks_of(lanes). */

namespace cooperative_groups {
namespace detail {

template <class Group>
class LaneOperations {
 public:
  template <class T>
  __device__ T shfl(T value, int rank) const {
    return from_lane(value, rank >= 0 && static_cast<unsigned>(rank) < group().size() ? rank : 0);
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned delta) const {
    const unsigned rank = group().thread_rank();
    return from_lane(value, rank < delta ? rank : rank - delta);
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned delta) const {
    const unsigned rank = group().thread_rank();
    return from_lane(value, rank + delta < group().size() ? rank + delta : rank);
  }
  template <class T>
  __device__ T shfl_xor(T value, unsigned mask) const {
    const unsigned rank = group().thread_rank() ^ mask;
    return from_lane(value, rank < group().size() ? rank : group().thread_rank());
  }
  __device__ int any(int predicate) const { return __any_sync(group().mask(), predicate); }
  __device__ int all(int predicate) const { return __all_sync(group().mask(), predicate); }
  __device__ unsigned ballot(int predicate) const { return group().ranks_of(__ballot_sync(group().mask(), predicate)); }
  template <class T>
  __device__ unsigned match_any(T value) const {
    return group().ranks_of(__match_any_sync(group().mask(), value));
  }
  template <class T>
  __device__ unsigned match_all(T value, int& predicate) const {
    return group().ranks_of(__match_all_sync(group().mask(), value, &predicate));
  }

 private:
  __device__ const Group& group() const { return static_cast<const Group&>(*this); }
  /* Of any type that can be copied, word by word. */
  template <class T>
  __device__ T from_lane(T value, unsigned rank) const {
    constexpr unsigned words = (sizeof(T) + 3) / 4;
    union Words {
      __device__ explicit Words(T of) : value(of) {}
      T value;
      unsigned each[words];
    } all(value);
    const int lane = static_cast<int>(group().lane_of(rank));
    for (unsigned i = 0; i < words; ++i) all.each[i] = __shfl_sync(group().mask(), all.each[i], lane);
    return all.value;
  }
};

}  // namespace detail
}  // namespace cooperative_groups
// SPDX-License-Identifier: Apache-2.0
