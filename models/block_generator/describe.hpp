// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Makes from a block file the description that the generated code will have, so that one function documents both.

#include <string_view>
#include <vector>

#include "models/block_generator/block_file.hpp"
#include "models/core/parameters.hpp"

namespace reconverge::block_generator {

/// Views into a Block, which must outlive it. The accessors are null: there is no struct yet.
class DescribedBlock {
 public:
  explicit DescribedBlock(const Block& block);
  DescribedBlock(const DescribedBlock&) = delete;
  DescribedBlock& operator=(const DescribedBlock&) = delete;

  const BlockDescription& description() const { return description_; }

 private:
  std::vector<std::vector<std::string_view>> words_;
  std::vector<ParameterDescription> parameters_;
  std::vector<BlockDescription> child_blocks_;  ///< their names only
  std::vector<ChildDescription> children_;
  std::vector<CauseDescription> causes_;
  std::vector<StatisticDescription> statistics_;
  BlockDescription description_;
};

}  // namespace reconverge::block_generator
