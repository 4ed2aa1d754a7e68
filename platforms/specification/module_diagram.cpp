// SPDX-License-Identifier: Apache-2.0
#include "platforms/specification/module_diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "platforms/specification/svg.hpp"

namespace reconverge::specification {

namespace {

using inspection::Module;
using inspection::ModuleTree;

struct Found {
  std::string name;
  const Module* module = nullptr;
};

/// The first module that `is_wanted`, in the highest level that has one.
template <typename Wanted>
Found find(const std::vector<Module>& modules, const Wanted& is_wanted, const std::string& prefix) {
  for (const Module& module : modules) {
    if (is_wanted(module)) return {prefix + module.name, &module};
  }
  for (const Module& module : modules) {
    Found inner = find(module.modules, is_wanted, prefix + module.name + '.');
    if (inner.module != nullptr) return inner;
  }
  return {};
}

/// The C++ class of a block's module: `L1Cache` of l1_cache.
std::string class_of(std::string_view block) {
  // A module is only a part of these blocks.
  if (block == "l2_cache") return "L2Slice";
  if (block == "dram") return "DramChannel";
  std::string name;
  bool begins = true;
  for (const char c : block) {
    if (c != '_') name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = c == '_';
  }
  return name;
}

Found find_block(const ModuleTree& tree, std::string_view block) {
  Found by_name = find(
      tree.modules, [&](const Module& module) { return module.name == block; }, "");
  if (by_name.module != nullptr) return by_name;
  return find(
      tree.modules, [kind = class_of(block)](const Module& module) { return module.kind == kind; }, "");
}

std::string_view socket_of(std::string_view full) { return full.substr(full.rfind('.') + 1); }

// Sizes in pixels.
constexpr std::size_t character = 7;
constexpr std::size_t row_height = 38;
constexpr std::size_t gap = 200;

class Drawing {
 public:
  explicit Drawing(const ModuleSurroundings& module) {
    std::vector<const Neighbour*> callers;
    std::vector<const Neighbour*> called;
    for (const Neighbour& one : module.neighbours) (one.calls ? called : callers).push_back(&one);
    const std::size_t rows = std::max({callers.size(), called.size(), (module.parts.size() + 1) / 2, std::size_t{1}});
    std::size_t inner = std::max(module.name.size(), module.kind.size());
    for (const std::string& part : module.parts) inner = std::max(inner, part.size());
    left_ = callers.empty() ? 10 : widest(callers) + gap;
    width_ = inner * character + 40;
    const std::size_t right = called.empty() ? 10 : widest(called) + gap;
    const std::size_t height = rows * row_height + 60;
    const std::size_t total = left_ + width_ + right;
    svg_.emplace(total, height, module.name + " with its sockets",
                 "text{font:11px monospace}.n{font:bold 12px monospace}.b{fill:#e8f0fe;stroke:#000}"
                 ".o{fill:#fff;stroke:#666}.a{stroke:#000;fill:none}.p{font-size:10px;fill:#555}");
    svg_->add(
        R"(<defs><marker id="arrow" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto"><path d="M0,0 L8,4 L0,8 Z"/></marker></defs>)");
    svg_->add(R"(<rect class="b" x="{}" y="10" width="{}" height="{}"/>)", left_, width_, height - 20);
    const std::size_t middle = left_ + width_ / 2;
    svg_->add(R"(<text class="n" x="{}" y="28" text-anchor="middle">{}</text>)", middle, escaped(module.name));
    svg_->add(R"(<text class="p" x="{}" y="42" text-anchor="middle">{}</text>)", middle, escaped(module.kind));
    for (std::size_t i = 0; i < module.parts.size(); ++i) {
      svg_->add(R"(<text x="{}" y="{}" text-anchor="middle">{}</text>)", middle, 64 + i * row_height / 2,
                escaped(module.parts[i]));
    }
    draw(callers, 10, left_);
    draw(called, left_ + width_ + gap, left_ + width_);
  }

  std::string text() && { return std::move(*svg_).text(); }

 private:
  static std::size_t widest(const std::vector<const Neighbour*>& neighbours) {
    std::size_t widest = 0;
    for (const Neighbour* one : neighbours) widest = std::max(widest, one->module.size());
    return widest * character + 26;
  }

  /// The other modules, whose boxes begin at `x`; `edge`: of the module in the middle.
  void draw(const std::vector<const Neighbour*>& neighbours, std::size_t x, std::size_t edge) {
    const std::size_t width = neighbours.empty() ? 0 : widest(neighbours) - 10;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const Neighbour& one = *neighbours[i];
      const std::size_t y = 66 + i * row_height;
      svg_->add(R"(<rect class="o" x="{}" y="{}" width="{}" height="24"/>)", x, y - 12, width);
      svg_->add(R"(<text x="{}" y="{}">{}</text>)", x + 6, y + 4, escaped(one.module));
      const std::size_t from = one.calls ? edge : x + width;
      const std::size_t to = one.calls ? x : edge;
      svg_->add(R"svg(<line class="a" x1="{}" x2="{}" y1="{}" y2="{}" marker-end="url(#arrow)"/>)svg", from, to, y, y);
      svg_->add(R"(<text class="p" x="{}" y="{}" text-anchor="middle">{}</text>)", (from + to) / 2, y - 4,
                escaped(one.socket));
      svg_->add(R"(<text class="p" x="{}" y="{}" text-anchor="middle">{}</text>)", (from + to) / 2, y + 12,
                escaped(one.payload));
    }
  }

  std::size_t left_ = 0;
  std::size_t width_ = 0;
  std::optional<Svg> svg_;
};

}  // namespace

std::optional<ModuleSurroundings> surroundings_of(const ModuleTree& tree, std::string_view block) {
  const Found found = find_block(tree, block);
  if (found.module == nullptr) return std::nullopt;
  ModuleSurroundings around{found.name, found.module->kind, {}, {}};
  const auto payload = [&](std::string_view socket) {
    const auto one = std::ranges::find(found.module->sockets, socket, &inspection::Socket::name);
    return one == found.module->sockets.end() ? std::string() : one->payload;
  };
  for (const inspection::Binding& binding : inspection::shown_bindings(tree)) {
    const bool calls = inspection::module_of(binding.initiator) == found.name;
    if (!calls && inspection::module_of(binding.target) != found.name) continue;
    const std::string& own = calls ? binding.initiator : binding.target;
    const std::string& other = calls ? binding.target : binding.initiator;
    around.neighbours.push_back({std::string(socket_of(own)), std::string(inspection::module_of(other)),
                                 std::string(socket_of(other)), payload(socket_of(own)), calls});
  }
  for (const inspection::ModuleGroup& group : inspection::groups_of(found.module->modules))
    around.parts.push_back(group.name());
  return around;
}

std::string module_svg(const ModuleSurroundings& module) { return Drawing(module).text(); }

}  // namespace reconverge::specification
