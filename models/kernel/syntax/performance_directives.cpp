// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/syntax/performance_directives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace reconverge::kernel {

namespace {

struct DirectiveRule {
  std::string_view name;
  std::size_t most_values;
};

constexpr std::array<DirectiveRule, 5> rules = {
    {{"maxntid", 3}, {"reqntid", 3}, {"minnctapersm", 1}, {"maxnctapersm", 1}, {"maxnreg", 1}}};

const DirectiveRule* rule_of(std::string_view word) {
  const auto* found =
      std::find_if(rules.begin(), rules.end(), [&](const DirectiveRule& rule) { return rule.name == word; });
  return found == rules.end() ? nullptr : found;
}

// The extents of a block; missing ones are one.
Extent extent_of(const PerformanceDirective& directive) {
  Extent extent = {1, 1, 1};
  std::copy(directive.values.begin(), directive.values.end(), extent.begin());
  return extent;
}

}  // namespace

bool is_performance_directive(std::string_view word) { return rule_of(word) != nullptr; }

PerformanceDirective parse_performance_directive(TokenStream& tokens) {
  const Token name = tokens.take();
  const DirectiveRule& rule = *rule_of(name.text);
  PerformanceDirective directive{name.text, name.position, {}};
  do {
    if (directive.values.size() == rule.most_values) {
      tokens.refuse(tokens.peek(), fmt::format(".{} takes at most {} number{}", rule.name, rule.most_values,
                                               rule.most_values == 1 ? "" : "s"));
    }
    const std::uint64_t value = tokens.expect_integer("a number");
    if (value == 0 || value > std::numeric_limits<std::uint32_t>::max()) {
      tokens.refuse(tokens.previous(), fmt::format(".{} needs positive 32-bit numbers", rule.name));
    }
    directive.values.push_back(static_cast<std::uint32_t>(value));
  } while (tokens.accept(','));
  return directive;
}

void parse_pragma(TokenStream& tokens) {
  do {
    if (tokens.peek().kind != Token::Kind::string) {
      tokens.refuse(tokens.peek(), fmt::format("a string expected after .pragma, found {}", shown(tokens.peek())),
                    "write .pragma \"nounroll\";");
    }
    tokens.take();
  } while (tokens.accept(','));
  tokens.expect(';', "after .pragma");
}

LaunchBounds launch_bounds(const Module& module, const Function& kernel) {
  LaunchBounds bounds;
  for (const PerformanceDirective& directive : kernel.directives) {
    if (directive.name == "reqntid") {
      bounds.required_block = extent_of(directive);
    } else if (directive.name == "maxntid") {
      bounds.maximum_block = extent_of(directive);
    } else if (directive.name == "minnctapersm") {
      bounds.minimum_blocks = directive.values.front();
    } else if (directive.name == "maxnreg") {
      bounds.maximum_registers = directive.values.front();
    }
    const bool about_blocks = directive.name == "reqntid" || directive.name == "maxntid";
    if (about_blocks) bounds.line = directive.position.line;
    if (about_blocks && bounds.required_block && bounds.maximum_block) {
      throw InputError(locate(module.file, directive.position),
                       fmt::format("kernel '{}' has both .maxntid and .reqntid", kernel.name), "keep one of them");
    }
  }
  // Without a block size, the number of blocks does not limit resources: according to the manual, it is ignored.
  if (!bounds.required_block && !bounds.maximum_block) bounds.minimum_blocks = 0;
  return bounds;
}

}  // namespace reconverge::kernel
