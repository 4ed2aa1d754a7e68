// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>
#include <map>
#include <set>

#include "platforms/inspection/module_tree.hpp"

namespace reconverge::inspection {

namespace {

/// For the path of each module and socket, the path with the first members of all groups.
class FirstMembers {
 public:
  explicit FirstMembers(const std::vector<Module>& modules) { add(modules, "", ""); }

  const std::string& of(const std::string& path) const { return first_.at(path); }

 private:
  void add(const std::vector<Module>& modules, const std::string& prefix, const std::string& shown_prefix) {
    for (const ModuleGroup& group : groups_of(modules)) {
      const std::string shown = shown_prefix + group.first().name + '.';
      const std::vector<SocketGroup> first = groups_of(group.first().sockets);
      for (const Module* module : group.members) {
        const std::string path = prefix + module->name + '.';
        // Alike modules have the same groups of sockets.
        const std::vector<SocketGroup> own = groups_of(module->sockets);
        for (std::size_t i = 0; i < own.size(); ++i) {
          for (const Socket* socket : own[i].members)
            first_.emplace(path + socket->name, shown + first[i].first().name);
        }
        add(module->modules, path, shown);
      }
    }
  }

  std::map<std::string, std::string> first_;
};

class Graph {
 public:
  explicit Graph(const ModuleTree& tree) {
    write(tree.modules, "", 1);
    for (const Binding& binding : shown_bindings(tree)) {
      fmt::format_to(std::back_inserter(text), "  \"{}\" -> \"{}\" [label=\"{}\"];\n", module_of(binding.initiator),
                     module_of(binding.target), payload_[binding.initiator]);
    }
    text += "}\n";
  }

  std::string text =
      "digraph modules {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n"
      "  edge [fontname=\"sans-serif\", fontsize=8];\n  graph [fontname=\"sans-serif\", fontsize=10];\n";

 private:
  /// A module with modules is a cluster; its own sockets belong to a node in the cluster.
  void write(const std::vector<Module>& modules, const std::string& prefix, std::size_t depth) {
    const std::string indent(2 * depth, ' ');
    for (const ModuleGroup& group : groups_of(modules)) {
      const Module& module = group.first();
      const std::string path = prefix + module.name;
      for (const Socket& socket : module.sockets) payload_.emplace(path + '.' + socket.name, socket.payload);
      if (module.modules.empty()) {
        text += fmt::format("{}\"{}\" [label=\"{}\"];\n", indent, path, group.name());
        continue;
      }
      text += fmt::format("{}subgraph \"cluster_{}\" {{\n{}  label=\"{}\";\n", indent, path, indent, group.name());
      if (!module.sockets.empty())
        text += fmt::format("{}  \"{}\" [label=\"{}\", style=rounded];\n", indent, path, module.name);
      write(module.modules, path + '.', depth + 1);
      text += indent + "}\n";
    }
  }

  std::map<std::string, std::string> payload_;
};

}  // namespace

std::vector<Binding> shown_bindings(const ModuleTree& tree) {
  const FirstMembers first(tree.modules);
  std::vector<Binding> bindings;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Binding& binding : tree.bindings) {
    const auto& [initiator, target] = *seen.emplace(first.of(binding.initiator), first.of(binding.target)).first;
    if (seen.size() > bindings.size()) bindings.push_back({initiator, target});
  }
  return bindings;
}

std::string module_dot(const ModuleTree& tree) { return Graph(tree).text; }

}  // namespace reconverge::inspection
