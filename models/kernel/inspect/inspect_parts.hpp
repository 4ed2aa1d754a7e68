// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Functions that the descriptions of a program share.

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "models/kernel/analysis/loops.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// `B3 LOOP`.
std::string block_name(const Program& program, std::uint32_t block);

/// `B1 B2`.
std::string block_list(std::span<const std::uint32_t> blocks);

/// Maximum number of blocks in a list of loops. A block counts once for every loop that contains it.
inline constexpr std::uint64_t most_listed_blocks = std::uint64_t{1} << 24U;

/// The loops of a program, for a list with the blocks of each. Throws InputError if that list would exceed the maximum.
LoopForest loops_to_list(const Program& program);

/// The target of control after the last block of a path: `exit`, or `return` in a function.
std::string_view end_of(const Program& program, std::uint32_t block);

/// Calls `write(function)` for each function, under a line with its name if there is more than one. `nothing` replaces
/// an empty text.
std::string by_function(const Program& program, std::string_view nothing,
                        const std::function<std::string(const FunctionRange&)>& write);

/// Whether a block belongs to a function.
inline bool is_in(const FunctionRange& function, const BasicBlock& block) {
  return block.first >= function.first && block.first < function.end;
}

}  // namespace reconverge::kernel
