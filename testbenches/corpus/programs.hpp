// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The corpus: small programs of the kind that people write for GPUs, each with its launch and its native twin.
///
/// All have the parameters of corpus/device.h, so that one harness runs them all.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "platforms/kernels/device.h"

namespace reconverge::corpus {

inline constexpr std::uint64_t input_words = 1024;
inline constexpr std::uint64_t output_words = 4096;
inline constexpr std::uint64_t sum_words = 256;

/// One thread of a program; its position is `kernels::place`.
using CorpusThread = void(const unsigned* input, unsigned* output, unsigned* sums);

struct CorpusProgram {
  std::string_view name;  ///< of the entry, and of the source file before .cu or .cl
  CorpusThread* thread = nullptr;
  kernels::Index3 grid{2, 1, 1};
  kernels::Index3 block{64, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  bool by_clang = true;  ///< clang 14 also compiles it
};

/// In CUDA C++, by name.
std::span<const CorpusProgram> cuda_programs();
/// In OpenCL C, by name.
std::span<const CorpusProgram> opencl_programs();

/// The result of the native twin: output, then sums. Variables of the source keep their values after a run, so run a
/// program only once.
std::vector<unsigned> run_native(const CorpusProgram& program, std::span<const unsigned> input);

}  // namespace reconverge::corpus
