#include "models/core/block_tree.hpp"

#include <utility>

namespace reconverge {

BlockTree::BlockTree(const BlockDescription& root, std::span<const ChildDescription> parts) {
  auto blocks = std::make_shared<Blocks>();
  root_ = complete(root, parts, *blocks);
  blocks_ = std::move(blocks);
}

const BlockDescription* BlockTree::complete(const BlockDescription& block, std::span<const ChildDescription> parts,
                                            Blocks& blocks) {
  std::vector<ChildDescription> children(block.children.begin(), block.children.end());
  bool changed = block.open_parts();
  for (ChildDescription& child : children) {
    const BlockDescription* const completed = complete(*child.block, parts, blocks);
    changed |= completed != child.block;
    child.block = completed;
  }
  if (!changed) return &block;
  Block& copy = blocks.emplace_back();
  copy.description = block;
  copy.children = std::move(children);
  copy.parameters.assign(block.parameters.begin(), block.parameters.end());
  if (block.open_parts()) {
    copy.children.insert(copy.children.end(), parts.begin(), parts.end());
    for (const ChildDescription& part : parts) copy.words.push_back(part.name);
    for (ParameterDescription& parameter : copy.parameters) {
      if (parameter.type == ParameterType::names) parameter.choices = copy.words;
    }
  }
  copy.description.children = copy.children;
  copy.description.parameters = copy.parameters;
  return &copy.description;
}

}  // namespace reconverge
