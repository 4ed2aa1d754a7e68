#pragma once
/* CUDA's cooperative groups: the grid, the block, tiles of a warp, and converged threads of a warp. Written for this
   project; only the functions listed here are supported. */

#include "cuda_runtime.h"

#if defined(__clang__) && defined(__CUDA__)
#include "reconverge/group_operations.h"

namespace cooperative_groups {

namespace detail {

__device__ inline unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ inline unsigned block_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
__device__ inline unsigned grid_size() { return gridDim.x * gridDim.y * gridDim.z; }
__device__ inline unsigned lane() { return __nvvm_read_ptx_sreg_laneid(); }

/* The driver's workspace of a cooperative launch; its second word counts the blocks that have arrived. */
__device__ inline unsigned* workspace() {
  unsigned high = 0;
  unsigned low = 0;
  asm("mov.u32 %0, %%envreg1;" : "=r"(high));
  asm("mov.u32 %0, %%envreg2;" : "=r"(low));
  return reinterpret_cast<unsigned*>((static_cast<unsigned long long>(high) << 32) | low);
}

}  // namespace detail

class thread_block {
 public:
  static __device__ void sync() { __syncthreads(); }
  static __device__ unsigned thread_rank() { return detail::block_rank(); }
  static __device__ unsigned size() { return detail::block_size(); }
  static __device__ unsigned num_threads() { return detail::block_size(); }
  static __device__ dim3 group_index() { return blockIdx; }
  static __device__ dim3 thread_index() { return threadIdx; }
  static __device__ dim3 group_dim() { return blockDim; }
  static __device__ dim3 dim_threads() { return blockDim; }
};
__device__ inline thread_block this_thread_block() { return {}; }

class grid_group {
 public:
  static __device__ bool is_valid() { return detail::workspace() != nullptr; }
  static __device__ unsigned long long size() {
    return static_cast<unsigned long long>(detail::grid_size()) * detail::block_size();
  }
  static __device__ unsigned long long num_threads() { return size(); }
  static __device__ unsigned long long num_blocks() { return detail::grid_size(); }
  static __device__ unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static __device__ unsigned long long thread_rank() {
    return block_rank() * detail::block_size() + detail::block_rank();
  }
  static __device__ dim3 group_dim() { return gridDim; }
  static __device__ dim3 dim_blocks() { return gridDim; }
  static __device__ dim3 block_index() { return blockIdx; }
  /* All blocks together add 2^31: the top bit flips when the last one arrives, and the count is as before. */
  static __device__ void sync() {
    __syncthreads();
    if (detail::block_rank() == 0) {
      volatile unsigned* const word = detail::workspace() + 1;
      const unsigned share = block_rank() == 0 ? 0x80000000U - (detail::grid_size() - 1) : 1;
      __threadfence();
      const unsigned before = atomicAdd(const_cast<unsigned*>(word), share);
      while (((before ^ *word) & 0x80000000U) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
  }
};
__device__ inline grid_group this_grid() { return {}; }

/* Threads of one warp, named by a mask of lanes. */
class coalesced_group : public detail::LaneOperations<coalesced_group> {
 public:
  explicit __device__ coalesced_group(unsigned mask) : mask_(mask) {}
  __device__ unsigned mask() const { return mask_; }
  __device__ unsigned size() const { return __popc(mask_); }
  __device__ unsigned num_threads() const { return size(); }
  __device__ unsigned thread_rank() const { return __popc(mask_ & ((1U << detail::lane()) - 1)); }
  __device__ void sync() const { __syncwarp(mask_); }
  /* The lane with this rank, and the ranks of a mask of lanes. */
  __device__ unsigned lane_of(unsigned rank) const {
    unsigned rest = mask_;
    for (; rank > 0; --rank) rest &= rest - 1;
    return __ffs(static_cast<int>(rest)) - 1;
  }
  __device__ unsigned ranks_of(unsigned lanes) const {
    unsigned ranks = 0;
    unsigned rank = 0;
    for (unsigned rest = mask_; rest != 0; rest &= rest - 1, ++rank) {
      if ((lanes & rest & (0U - rest)) != 0) ranks |= 1U << rank;
    }
    return ranks;
  }

 private:
  unsigned mask_;
};
__device__ inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* `tile` consecutive threads of a block: a power of two, at most a warp. Its "meta group" is the enclosing group. */
template <unsigned tile, class Parent = void>
class thread_block_tile : public detail::LaneOperations<thread_block_tile<tile, Parent>> {
  static_assert(tile > 0 && tile <= 32 && (tile & (tile - 1)) == 0, "a tile is 1, 2, 4, 8, 16 or 32 threads");

 public:
  __device__ thread_block_tile(unsigned meta_rank, unsigned meta_size) : meta_rank_(meta_rank), meta_size_(meta_size) {}
  template <class Other>
  __device__ thread_block_tile(const thread_block_tile<tile, Other>& other)
      : thread_block_tile(other.meta_group_rank(), other.meta_group_size()) {}
  __device__ unsigned mask() const { return (0xffffffffU >> (32 - tile)) << first(); }
  static __device__ unsigned size() { return tile; }
  static __device__ unsigned num_threads() { return tile; }
  static __device__ unsigned thread_rank() { return detail::lane() & (tile - 1); }
  __device__ unsigned meta_group_rank() const { return meta_rank_; }
  __device__ unsigned meta_group_size() const { return meta_size_; }
  __device__ void sync() const { __syncwarp(mask()); }
  __device__ unsigned lane_of(unsigned rank) const { return first() + (rank & (tile - 1)); }
  __device__ unsigned ranks_of(unsigned lanes) const { return (lanes & mask()) >> first(); }

 private:
  static __device__ unsigned first() { return detail::lane() & ~(tile - 1); }

  unsigned meta_rank_;
  unsigned meta_size_;
};
template <unsigned tile, class Parent>
__device__ inline thread_block_tile<tile, Parent> tiled_partition(const Parent& parent) {
  return {parent.thread_rank() / tile, (parent.size() + tile - 1) / tile};
}

/* A block, or threads of a warp: the other groups as one type. */
class thread_group {
 public:
  __device__ thread_group(const thread_block&) {}                                 // NOLINT: implicit, as in CUDA
  __device__ thread_group(const coalesced_group& lanes) : mask_(lanes.mask()) {}  // NOLINT
  template <unsigned tile, class Parent>
  __device__ thread_group(const thread_block_tile<tile, Parent>& lanes) : mask_(lanes.mask()) {}  // NOLINT
  __device__ unsigned size() const { return is_block() ? detail::block_size() : __popc(mask_); }
  __device__ unsigned num_threads() const { return size(); }
  __device__ unsigned thread_rank() const {
    return is_block() ? detail::block_rank() : coalesced_group(mask_).thread_rank();
  }
  __device__ void sync() const {
    if (is_block()) return __syncthreads();
    __syncwarp(mask_);
  }
  static __device__ bool is_valid() { return true; }
  __device__ bool is_block() const { return mask_ == 0; }
  __device__ unsigned mask() const { return mask_; }

 private:
  unsigned mask_ = 0;
};

/* `size` consecutive ranks. */
__device__ inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  const unsigned first = parent.thread_rank() / size * size;
  unsigned mask = 0;
  for (unsigned rank = first; rank < first + size && rank < parent.size(); ++rank) mask |= 1U << parent.lane_of(rank);
  return coalesced_group(mask);
}
__device__ inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
  if (!parent.is_block()) return tiled_partition(coalesced_group(parent.mask()), size);
  const unsigned rest = parent.size() - parent.thread_rank() / 32 * 32;
  return tiled_partition(coalesced_group(rest < 32 ? (1U << rest) - 1 : 0xffffffffU), size);
}

/* The members with the same predicate, or with the same label. */
template <class Group>
__device__ coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned yes = __ballot_sync(group.mask(), predicate);
  return coalesced_group(predicate ? yes : group.mask() & ~yes);
}
template <class Group, class Label>
__device__ coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group(__match_any_sync(group.mask(), label));
}

template <class Group>
__device__ inline void sync(const Group& group) {
  group.sync();
}
template <class Group>
__device__ inline unsigned thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
__device__ inline unsigned group_size(const Group& group) {
  return group.size();
}

}  // namespace cooperative_groups
#endif
// SPDX-License-Identifier: Apache-2.0
