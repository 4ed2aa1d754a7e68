#pragma once
/// What the texts about a program share.

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

/// Blocks that a list of loops names at most, each once for every loop around it.
inline constexpr std::uint64_t most_listed_blocks = std::uint64_t{1} << 24U;

/// The loops of a program, for a list with the blocks of each. Throws InputError where that would name more blocks.
LoopForest loops_to_list(const Program& program);

/// Where control goes after the last block of a path: `exit`, or `return` in a function.
std::string_view end_of(const Program& program, std::uint32_t block);

/// `write(function)` for each function; under a line with its name when there is more than one. `nothing` stands for an
/// empty text.
std::string by_function(const Program& program, std::string_view nothing,
                        const std::function<std::string(const FunctionRange&)>& write);

/// Whether a block belongs to a function.
inline bool is_in(const FunctionRange& function, const BasicBlock& block) {
  return block.first >= function.first && block.first < function.end;
}

}  // namespace reconverge::kernel
