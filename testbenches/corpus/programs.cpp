// SPDX-License-Identifier: Apache-2.0
#include "testbenches/corpus/programs.hpp"

#include <array>

#include "platforms/kernels/block_fibres.hpp"
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

extern "C" {
CorpusThread aes, approximations, bitonic_sort, bit_tricks, breadth_first, bytecode, checksum, cholesky, complaints,
    dynamic_shared_memory, edit_distance, function_table, functors, half_precision, histogram, jumps, local_arrays,
    locks, mandelbrot, matrix_multiply, module_variables, n_body, newton, number_transform, prefix_sum, queens,
    quicksort, radix_sort, recursion, sha256, small_integers, stencil, string_search, struct_calls, transpose,
    tree_walk, virtual_shapes, warp_reduce, warp_votes, wide_arithmetic, wide_division;
CorpusThread cl_blur, cl_histogram, cl_life, cl_merge, cl_normalise, cl_reduce, cl_scale_add, cl_walk;
}

namespace {

/// The slots of the running warp, and the memory of the running block. A twin's blocks run one after the other.
thread_local std::array<unsigned, 1024> slots;
thread_local std::vector<std::uint64_t> dynamic_words;

constexpr auto cuda = std::to_array<CorpusProgram>({
    {"aes", aes},
    {"approximations", approximations},
    {"bit_tricks", bit_tricks},
    {"bitonic_sort", bitonic_sort},
    {"breadth_first", breadth_first},
    {"bytecode", bytecode},
    {"checksum", checksum},
    {"cholesky", cholesky},
    {"complaints", complaints},
    {"dynamic_shared_memory", dynamic_shared_memory, {2, 1, 1}, {64, 1, 1}, 64 * 12},
    {"edit_distance", edit_distance},
    {"function_table", function_table},
    {"functors", functors},
    {"half_precision", half_precision},
    {"histogram", histogram},
    {"jumps", jumps},
    {"local_arrays", local_arrays},
    {"locks", locks},
    {"mandelbrot", mandelbrot, {3, 2, 1}, {8, 8, 1}},
    {"matrix_multiply", matrix_multiply, {3, 3, 1}, {8, 8, 1}},
    {"module_variables", module_variables},
    {"n_body", n_body, {3, 1, 1}, {32, 1, 1}},
    {"newton", newton},
    {"number_transform", number_transform},
    {"prefix_sum", prefix_sum},
    {"queens", queens},
    {"quicksort", quicksort},
    {"radix_sort", radix_sort},
    {"recursion", recursion},
    {"sha256", sha256},
    {"small_integers", small_integers},
    {"stencil", stencil, {1, 1, 1}, {16, 16, 1}},
    {"string_search", string_search},
    {"struct_calls", struct_calls},
    {"transpose", transpose, {1, 1, 1}, {32, 8, 1}},
    {"tree_walk", tree_walk},
    {"virtual_shapes", virtual_shapes},
    {"warp_reduce", warp_reduce, {2, 1, 1}, {128, 1, 1}},
    {"warp_votes", warp_votes},
    {"wide_arithmetic", wide_arithmetic},
    {.name = "wide_division", .thread = wide_division, .grid = {3, 1, 1}, .block = {32, 1, 1}, .by_clang = false},
});

constexpr auto opencl = std::to_array<CorpusProgram>({
    {"cl_blur", cl_blur, {2, 4, 1}, {16, 4, 1}},
    {"cl_histogram", cl_histogram},
    {"cl_life", cl_life, {2, 1, 1}, {8, 8, 1}},
    {"cl_merge", cl_merge},
    {"cl_normalise", cl_normalise},
    {"cl_reduce", cl_reduce},
    {"cl_scale_add", cl_scale_add},
    {"cl_walk", cl_walk},
});

std::uint64_t volume(const kernels::Index3& size) { return std::uint64_t{size.x} * size.y * size.z; }

kernels::Index3 place_in(const kernels::Index3& size, unsigned number) {
  return {number % size.x, number / size.x % size.y, number / size.x / size.y};
}

}  // namespace

unsigned* warp_slots() { return slots.data() + kernels::running_thread() / 32 * 32; }
unsigned lane_of_thread() { return kernels::running_thread() % 32; }
void* dynamic_memory() { return dynamic_words.data(); }

std::span<const CorpusProgram> cuda_programs() { return cuda; }
std::span<const CorpusProgram> opencl_programs() { return opencl; }

std::vector<unsigned> run_native(const CorpusProgram& program, std::span<const unsigned> input) {
  std::vector<unsigned> result(output_words + sum_words);
  dynamic_words.assign((program.dynamic_shared_bytes + 7) / 8, 0);
  kernels::BlockFibres fibres(static_cast<unsigned>(volume(program.block)));
  for (unsigned block = 0; block < volume(program.grid); ++block) {
    fibres.run([&](unsigned thread) {
      kernels::place = {place_in(program.block, thread), place_in(program.grid, block), program.block, program.grid};
      program.thread(input.data(), result.data(), result.data() + output_words);
    });
  }
  return result;
}

}  // namespace reconverge::corpus
