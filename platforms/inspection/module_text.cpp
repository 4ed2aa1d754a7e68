// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>
#include <map>

#include "platforms/inspection/module_tree.hpp"

namespace reconverge::inspection {

namespace {

class Text {
 public:
  explicit Text(const ModuleTree& tree) {
    for (const Binding& binding : tree.bindings) target_.emplace(binding.initiator, binding.target);
    write(tree.modules, "", 0);
  }

  std::string text;

 private:
  void write(const std::vector<Module>& modules, const std::string& prefix, std::size_t depth) {
    for (const ModuleGroup& group : groups_of(modules)) {
      const Module& module = group.first();
      const std::string path = prefix + module.name;
      line(depth, group.name(), module.kind);
      for (const SocketGroup& sockets : groups_of(module.sockets)) {
        const Socket& socket = sockets.first();
        const auto target = target_.find(path + '.' + socket.name);
        const std::string to = target == target_.end() ? "" : " -> " + target->second;
        line(depth + 1, (socket.initiator ? "> " : "< ") + sockets.name(), socket.payload + to);
      }
      write(module.modules, path + '.', depth + 1);
    }
  }

  void line(std::size_t depth, const std::string& left, const std::string& right) {
    constexpr std::size_t column = 44;
    fmt::format_to(std::back_inserter(text), "{:<{}}  {}\n", std::string(2 * depth, ' ') + left, column, right);
  }

  std::map<std::string, std::string> target_;
};

}  // namespace

std::string module_text(const ModuleTree& tree) {
  return "modules with their classes; sockets: > initiator, < target, with their payloads\n" + Text(tree).text;
}

}  // namespace reconverge::inspection
