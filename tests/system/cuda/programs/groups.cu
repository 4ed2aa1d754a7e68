// SPDX-License-Identifier: Apache-2.0
// Barriers keep memory in order, and cooperative groups, SIMD words and other small functions do what CUDA says.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

static int failures = 0;

static void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}

// After n rounds, thread t holds t + n: a compiler that keeps an element in a register over a barrier gets it wrong.
template <class Barrier>
__device__ int shifted(int* box, Barrier barrier) {
  const int thread = static_cast<int>(threadIdx.x);
  int mine = thread;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    box[thread] = mine;
    barrier();
    mine = box[thread + 1];
    barrier();
  }
  return mine;
}

__global__ void barriers(int* out) {
  __shared__ int box[33];
  box[32] = 0;
  __syncwarp();
  int sum = shifted(box, [] { __syncthreads(); });
  __syncthreads();
  sum += shifted(box, [] { __syncwarp(); });
  __syncthreads();
  sum += shifted(box, [] { __syncthreads_count(1); });
  out[threadIdx.x] = sum;
}

static __device__ volatile int flag;
static __device__ int value;
__global__ void fences(int* out) {
  if (blockIdx.x == 0) {
    value = 1;
    __threadfence();
    value += 10;
    __threadfence();
    flag = 1;
  } else {
    while (flag == 0) __threadfence();
    *out = value;
  }
}

// A group as a parameter, as in CUDA's examples.
__device__ int sum_of(const cg::thread_group& group, int* box, int mine) {
  const unsigned rank = group.thread_rank();
  for (unsigned i = group.size() / 2; i > 0; i /= 2) {
    box[rank] = mine;
    group.sync();
    if (rank < i) mine += box[rank + i];
    group.sync();
  }
  return rank == 0 ? mine : -1;
}

struct Pair {
  double first;
  short second;
};

constexpr int results = 16;

__global__ void groups(const int* given, int* out) {
  __shared__ int box[64];
  __shared__ int copied[64];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto eight = cg::tiled_partition<8>(block);
  const int thread = static_cast<int>(block.thread_rank());
  int* const mine = out + thread * results;
  mine[0] = sum_of(block, box, thread);
  const cg::thread_group part = cg::tiled_partition(block, 16);
  mine[1] = sum_of(part, box + thread / 16 * 16, thread);
  cg::memcpy_async(block, copied, given, sizeof copied);
  cg::wait(block);
  mine[2] = copied[63 - thread];
  mine[3] = cg::reduce(eight, thread, cg::plus<int>());
  mine[4] = cg::reduce(warp, thread * 7 % 32, cg::greater<int>());
  mine[5] = cg::inclusive_scan(eight, thread);
  mine[6] = cg::exclusive_scan(warp, 2);
  const auto odd = cg::binary_partition(warp, thread % 2 == 1);
  mine[7] = cg::reduce(odd, thread, cg::plus<int>());
  const auto third = cg::labeled_partition(warp, thread % 3);
  mine[8] = static_cast<int>(third.size() * 100 + third.thread_rank());
  const Pair pair = eight.shfl_xor(Pair{thread + 0.5, static_cast<short>(thread)}, 1);
  mine[9] = static_cast<int>(pair.first * 2) + pair.second;
  const unsigned a = 0x7f80ff01U + 0x01010101U * static_cast<unsigned>(thread);
  const unsigned b = 0x80017ffeU - 0x00030005U * static_cast<unsigned>(thread);
  mine[10] = static_cast<int>(__vadd4(a, b) ^ __vsub2(a, b));
  mine[11] = static_cast<int>(__vaddss2(a, b) ^ __vsubus4(a, b) ^ __vmaxs4(a, b) ^ __vminu2(a, b));
  mine[12] = static_cast<int>(__vabsdiffu4(a, b) ^ __vsadu4(a, b) ^ __vavgu4(a, b) ^ __vavgs2(a, b));
  mine[13] = static_cast<int>(__vcmpgts4(a, b) ^ __vsetleu2(a, b) ^ __vabsss4(a) ^ __vneg2(b));
  mine[14] = static_cast<int>(umin(a, b) + umax(a, 5) + static_cast<unsigned>(llmax(-thread, thread - 9)));
  const unsigned spaces =
      __isShared(box) * 1000 + __isGlobal(box) * 2000 + __isGlobal(out) * 4000 + __isShared(out) * 8000;
  mine[15] = static_cast<int>(__cvta_generic_to_shared(box + thread) - __cvta_generic_to_shared(box) + spaces);
}

// The host's answers for SIMD words: bytes or halves, one by one.
template <class Part, class Operation>
static unsigned by_part(unsigned a, unsigned b, Operation operation) {
  unsigned result = 0;
  for (unsigned bit = 0; bit < 32; bit += 8 * sizeof(Part)) {
    const int value = operation(static_cast<Part>(a >> bit), static_cast<Part>(b >> bit));
    result |= (static_cast<unsigned>(value) & ((1ULL << (8 * sizeof(Part))) - 1)) << bit;
  }
  return result;
}

static int limited(int value, int least, int most) { return value < least ? least : value > most ? most : value; }
static int distance(int a, int b) { return a < b ? b - a : a - b; }

static void check_simd(unsigned a, unsigned b, const int* got) {
  using Byte = unsigned char;
  using Half = unsigned short;
  const unsigned sums = by_part<Byte>(a, b, [](int x, int y) { return x + y; });
  const unsigned differences = by_part<Half>(a, b, [](int x, int y) { return x - y; });
  check(static_cast<unsigned>(got[0]) == (sums ^ differences), "sums of parts");
  check(static_cast<unsigned>(got[1]) ==
            (by_part<short>(a, b, [](int x, int y) { return limited(x + y, -32768, 32767); }) ^
             by_part<Byte>(a, b, [](int x, int y) { return limited(x - y, 0, 255); }) ^
             by_part<signed char>(a, b, [](int x, int y) { return x < y ? y : x; }) ^
             by_part<Half>(a, b, [](int x, int y) { return x < y ? x : y; })),
        "saturation and extremes of parts");
  unsigned distances = 0;
  for (unsigned bit = 0; bit < 32; bit += 8)
    distances += static_cast<unsigned>(distance(static_cast<Byte>(a >> bit), static_cast<Byte>(b >> bit)));
  check(
      static_cast<unsigned>(got[2]) == (by_part<Byte>(a, b, [](int x, int y) { return distance(x, y); }) ^ distances ^
                                        by_part<Byte>(a, b, [](int x, int y) { return (x + y + 1) >> 1; }) ^
                                        by_part<short>(a, b, [](int x, int y) { return (x + y + (x + y >= 0)) >> 1; })),
      "differences and averages of parts");
  check(static_cast<unsigned>(got[3]) ==
            (by_part<signed char>(a, b, [](int x, int y) { return x > y ? -1 : 0; }) ^
             by_part<Half>(a, b, [](int x, int y) { return x <= y ? 1 : 0; }) ^
             by_part<signed char>(a, a, [](int x, int) { return limited(distance(x, 0), 0, 127); }) ^
             by_part<short>(b, b, [](int x, int) { return -x; })),
        "comparisons of parts");
}

int main() {
  int* out = nullptr;
  int* given = nullptr;
  check(cudaMallocManaged(&out, 64 * results * sizeof(int)) == cudaSuccess, "memory");
  check(cudaMallocManaged(&given, 64 * sizeof(int)) == cudaSuccess, "memory");
  barriers<<<1, 32>>>(out);
  check(cudaDeviceSynchronize() == cudaSuccess, "barriers");
  for (int i = 0; i < 32; ++i) check(out[i] == (i + 4 < 32 ? 3 * (i + 4) : 0), "order across barriers");
  fences<<<2, 1>>>(out);
  check(cudaDeviceSynchronize() == cudaSuccess && *out == 11, "order across fences");

  for (int i = 0; i < 64; ++i) given[i] = 1000 + i;
  groups<<<1, 64>>>(given, out);
  check(cudaDeviceSynchronize() == cudaSuccess, "groups");
  for (int i = 0; i < 64; ++i) {
    const int* const mine = out + i * results;
    check(mine[0] == (i == 0 ? 2016 : -1), "block as a group");
    const int first = i / 16 * 16;
    check(mine[1] == (i == first ? 16 * first + 120 : -1), "partition of a size known later");
    check(mine[2] == 1063 - i, "copy by a group");
    check(mine[3] == 8 * (i / 8 * 8) + 28, "sum of a tile");
    check(mine[4] == 31, "maximum of a tile");
    int scan = 0;
    for (int j = i / 8 * 8; j <= i; ++j) scan += j;
    check(mine[5] == scan, "inclusive scan");
    check(mine[6] == 2 * (i % 32), "exclusive scan");
    check(mine[7] == (i / 32 * 32) * 16 + (i % 2 == 1 ? 256 : 240), "binary partition");
    int size = 0;
    int rank = 0;
    for (int j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) {
      size += j % 3 == i % 3;
      rank += j % 3 == i % 3 && j < i;
    }
    check(mine[8] == size * 100 + rank, "labeled partition");
    const int other = i ^ 1;
    check(mine[9] == 2 * other + 1 + other, "shuffle of a structure");
    const unsigned a = 0x7f80ff01U + 0x01010101U * static_cast<unsigned>(i);
    const unsigned b = 0x80017ffeU - 0x00030005U * static_cast<unsigned>(i);
    check_simd(a, b, mine + 10);
    const unsigned extremes = (a < b ? a : b) + (a > 5 ? a : 5) + static_cast<unsigned>(-i > i - 9 ? -i : i - 9);
    check(static_cast<unsigned>(mine[14]) == extremes, "extremes");
    check(mine[15] == 4 * i + 5000, "addresses in their spaces");
  }
  std::printf("%s\n", failures == 0 ? "PASSED" : "FAILED");
  return failures == 0 ? 0 : 1;
}
