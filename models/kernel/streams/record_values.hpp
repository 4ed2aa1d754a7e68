// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The live values of a thread at the top of each block, and the values among them that all threads share.

#include <span>

#include "models/kernel/analysis/liveness.hpp"
#include "models/kernel/streams/streaming_graph.hpp"
#include "models/kernel/streams/uniform_values.hpp"

namespace reconverge::kernel {

class RecordValues {
 public:
  explicit RecordValues(const Program& program);

  /// `without_shared`: without the values that all threads share.
  RecordFields fields_at(std::uint32_t block, bool without_shared);
  std::vector<UniformRow> uniforms_at(std::uint32_t block);
  const UniformValues& uniforms() const { return uniforms_; }

 private:
  const Program& program_;
  Liveness liveness_;
  UniformValues uniforms_;
};

/// Special registers that an instruction needs and that identify the thread, including the location of its local
/// memory.
std::vector<SpecialRow> thread_rows(const Program& program, const Instruction& instruction);

/// The union of the fields of `each`.
RecordFields united(std::span<const RecordFields> each);

}  // namespace reconverge::kernel
