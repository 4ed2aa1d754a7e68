/* The microbenchmark of Damani et al. (Subwarp Interleaving, Fig. 11): a warp diverges into 32 / subwarp_size
   subwarps, each of which calls a separate function that repeatedly waits for memory. The figure does not show the
   function; according to the text, it reduces a slice of the data with compulsory misses. Here it adds elements that
   are a cache line apart, and each addition waits for its load. It is written out for each subwarp and for 16 loads,
   because with 32 subwarps the paper's instruction caches matter: 32 copies of about 40 instructions of 16 bytes exceed
   its L0. The figure's __syncwarp has no effect before sm_70, where lanes reconverge after the switch anyway.
   In clang's output, the switch is a tree of comparisons, loads and additions alternate, and the stores of all paths
   become one store after the switch. */

#include "platforms/kernels/kernels.h"

namespace reconverge::kernels {

namespace {

constexpr unsigned line_elements = 32; /* of 4 bytes: a line of 128 */
constexpr unsigned loads_a_round = 16;

/* sum + the first elements of `lines` lines. */
template <unsigned lines>
__device__ inline int add_lines(const int* at, int sum) {
  if constexpr (lines == 0) {
    return sum;
  } else {
    return add_lines<lines - 1>(at + line_elements, sum + *at);
  }
}

template <int subwarp>
__device__ inline int load_to_use_stalls(const int* data, unsigned offset, unsigned rounds) {
  int sum = subwarp;
  const int* at = data + static_cast<unsigned long long>(offset) * line_elements;
  for (unsigned round = 0; round < rounds; ++round) {
    sum = add_lines<loads_a_round>(at, sum);
    at += loads_a_round * line_elements;
  }
  return sum;
}

}  // namespace

extern "C" __global__ void subwarps(const int* data, int* result, unsigned subwarp_size, unsigned rounds,
                                    unsigned iterations, unsigned advance) {
  const unsigned tid = global_thread();
  const unsigned subwarp = tid % 32 / subwarp_size;
  unsigned subwarp_offset = subwarp * rounds * loads_a_round;
  for (unsigned it = 0; it < iterations; ++it) {
    switch (subwarp) {
      case 0:
        result[tid] = load_to_use_stalls<0>(data, subwarp_offset, rounds);
        break;
      case 1:
        result[tid] = load_to_use_stalls<1>(data, subwarp_offset, rounds);
        break;
      case 2:
        result[tid] = load_to_use_stalls<2>(data, subwarp_offset, rounds);
        break;
      case 3:
        result[tid] = load_to_use_stalls<3>(data, subwarp_offset, rounds);
        break;
      case 4:
        result[tid] = load_to_use_stalls<4>(data, subwarp_offset, rounds);
        break;
      case 5:
        result[tid] = load_to_use_stalls<5>(data, subwarp_offset, rounds);
        break;
      case 6:
        result[tid] = load_to_use_stalls<6>(data, subwarp_offset, rounds);
        break;
      case 7:
        result[tid] = load_to_use_stalls<7>(data, subwarp_offset, rounds);
        break;
      case 8:
        result[tid] = load_to_use_stalls<8>(data, subwarp_offset, rounds);
        break;
      case 9:
        result[tid] = load_to_use_stalls<9>(data, subwarp_offset, rounds);
        break;
      case 10:
        result[tid] = load_to_use_stalls<10>(data, subwarp_offset, rounds);
        break;
      case 11:
        result[tid] = load_to_use_stalls<11>(data, subwarp_offset, rounds);
        break;
      case 12:
        result[tid] = load_to_use_stalls<12>(data, subwarp_offset, rounds);
        break;
      case 13:
        result[tid] = load_to_use_stalls<13>(data, subwarp_offset, rounds);
        break;
      case 14:
        result[tid] = load_to_use_stalls<14>(data, subwarp_offset, rounds);
        break;
      case 15:
        result[tid] = load_to_use_stalls<15>(data, subwarp_offset, rounds);
        break;
      case 16:
        result[tid] = load_to_use_stalls<16>(data, subwarp_offset, rounds);
        break;
      case 17:
        result[tid] = load_to_use_stalls<17>(data, subwarp_offset, rounds);
        break;
      case 18:
        result[tid] = load_to_use_stalls<18>(data, subwarp_offset, rounds);
        break;
      case 19:
        result[tid] = load_to_use_stalls<19>(data, subwarp_offset, rounds);
        break;
      case 20:
        result[tid] = load_to_use_stalls<20>(data, subwarp_offset, rounds);
        break;
      case 21:
        result[tid] = load_to_use_stalls<21>(data, subwarp_offset, rounds);
        break;
      case 22:
        result[tid] = load_to_use_stalls<22>(data, subwarp_offset, rounds);
        break;
      case 23:
        result[tid] = load_to_use_stalls<23>(data, subwarp_offset, rounds);
        break;
      case 24:
        result[tid] = load_to_use_stalls<24>(data, subwarp_offset, rounds);
        break;
      case 25:
        result[tid] = load_to_use_stalls<25>(data, subwarp_offset, rounds);
        break;
      case 26:
        result[tid] = load_to_use_stalls<26>(data, subwarp_offset, rounds);
        break;
      case 27:
        result[tid] = load_to_use_stalls<27>(data, subwarp_offset, rounds);
        break;
      case 28:
        result[tid] = load_to_use_stalls<28>(data, subwarp_offset, rounds);
        break;
      case 29:
        result[tid] = load_to_use_stalls<29>(data, subwarp_offset, rounds);
        break;
      case 30:
        result[tid] = load_to_use_stalls<30>(data, subwarp_offset, rounds);
        break;
      default:
        result[tid] = load_to_use_stalls<31>(data, subwarp_offset, rounds);
        break;
    }
    subwarp_offset += advance;
  }
}

/* Lanes below `lanes` wait for memory like a subwarp of the kernel above; the others wait for them. There is no second
   subwarp to run in the meantime (section V-B). */
extern "C" __global__ void subwarps_if_then(const int* data, int* result, unsigned lanes, unsigned rounds,
                                            unsigned iterations, unsigned advance) {
  const unsigned tid = global_thread();
  unsigned offset = 0;
  int sum = 0;
  for (unsigned it = 0; it < iterations; ++it) {
    if (tid % 32 < lanes) sum = load_to_use_stalls<0>(data, offset, rounds);
    offset += advance;
  }
  result[tid] = sum;
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
