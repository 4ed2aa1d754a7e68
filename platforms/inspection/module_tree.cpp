// SPDX-License-Identifier: Apache-2.0
#include "platforms/inspection/module_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/core/demangle.hpp>
#include <map>
#include <optional>
#include <systemc>
#include <tlm>
#include <typeindex>
#include <typeinfo>
#include <utility>

namespace reconverge::inspection {

namespace {

/// `reconverge::L1Cache` as `L1Cache`.
std::string without_namespace(std::string name) {
  for (const std::string_view space : {"(anonymous namespace)::", "reconverge::", "tlm::"}) {
    for (std::size_t at = name.find(space); at != std::string::npos; at = name.find(space))
      name.erase(at, space.size());
  }
  return name;
}

/// The type between the angle brackets of a protocol; the base protocol has none.
std::string payload_of(const tlm::tlm_base_socket_if& socket) {
  const std::string protocol = without_namespace(boost::core::demangle(socket.get_protocol_types().name()));
  const std::size_t begin = protocol.find('<');
  if (begin == std::string::npos) return "tlm_generic_payload";
  return protocol.substr(begin + 1, protocol.rfind('>') - begin - 1);
}

bool is_initiator(const tlm::tlm_base_socket_if& socket) {
  return (socket.get_socket_category() & tlm::TLM_INITIATOR_SOCKET) != 0;
}

/// The name of a socket's block and its own name, from the name of its MemoryTargets module: `crossbar_requests_0`.
std::optional<std::pair<std::string, std::string>> block_socket(const Module& module) {
  if (!module.kind.starts_with("MemoryTargets<")) return std::nullopt;
  const std::size_t at = module.name.rfind("_requests_");
  if (at == std::string::npos) return std::nullopt;
  return std::pair(module.name.substr(0, at), module.name.substr(at + 1));
}

class Reader {
 public:
  ModuleTree read() {
    ModuleTree tree;
    tree.modules = modules(sc_core::sc_get_top_level_objects(), "");
    for (const auto& [name, called] : initiators_) {
      const auto target = targets_.find(called);
      if (target != targets_.end()) tree.bindings.push_back({name, target->second});
    }
    return tree;
  }

 private:
  /// What an initiator calls: an object, and one of the protocols that it implements.
  using Called = std::pair<const sc_core::sc_interface*, std::type_index>;

  std::vector<Module> modules(const std::vector<sc_core::sc_object*>& objects, const std::string& prefix) {
    std::vector<Module> found;
    for (sc_core::sc_object* object : objects) {
      if (dynamic_cast<sc_core::sc_module*>(object) == nullptr) continue;
      const auto& inner = object->get_child_objects();
      Module module{object->basename(), without_namespace(boost::core::demangle(typeid(*object).name())), {}, {}};
      const std::string path = prefix + module.name + '.';
      for (sc_core::sc_object* child : inner) {
        if (auto* socket = dynamic_cast<tlm::tlm_base_socket_if*>(child)) {
          module.sockets.push_back(read(path + child->basename(), child->basename(), *socket));
        }
      }
      module.modules = modules(inner, path);
      found.push_back(std::move(module));
    }
    return with_their_sockets(std::move(found), prefix);
  }

  Socket read(const std::string& path, const std::string& name, tlm::tlm_base_socket_if& socket) {
    const bool initiator = is_initiator(socket);
    const std::type_index protocol(socket.get_protocol_types());
    if (initiator) {
      if (const auto* called = socket.get_base_port().get_interface())
        initiators_.emplace_back(path, Called(called, protocol));
    } else if (const auto* called = socket.get_base_export().get_interface()) {
      targets_.emplace(Called(called, protocol), path);
    }
    return {name, initiator, payload_of(socket)};
  }

  /// Moves the sockets of MemoryTargets to their blocks.
  std::vector<Module> with_their_sockets(std::vector<Module> modules, const std::string& prefix) {
    std::vector<Module> rest;
    for (Module& module : modules) {
      if (!block_socket(module)) rest.push_back(std::move(module));
    }
    for (const Module& module : modules) {
      const auto socket = block_socket(module);
      if (!socket) continue;
      const auto block = std::ranges::find(rest, socket->first, &Module::name);
      if (block == rest.end()) {
        rest.push_back(module);
        continue;
      }
      Socket moved = module.sockets.front();
      const std::string old = prefix + module.name + '.' + moved.name;
      moved.name = socket->second;
      block->sockets.push_back(std::move(moved));
      for (auto& [called, path] : targets_) {
        if (path == old) path = prefix + socket->first + '.' + socket->second;
      }
    }
    return rest;
  }

  std::vector<std::pair<std::string, Called>> initiators_;
  std::map<Called, std::string> targets_;
};

/// A name with `#` for each number: `channel_#`.
std::string stem(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c < '0' || c > '9') {
      result += c;
    } else if (!result.ends_with('#')) {
      result += '#';
    }
  }
  return result;
}

/// Text that is the same for alike sockets, and for alike modules.
std::string shape(const Socket& socket) {
  return fmt::format("{}{}:{}", socket.initiator ? '>' : '<', stem(socket.name), socket.payload);
}
std::string shape(const Module& module) {
  std::string text = stem(module.name) + ' ' + module.kind + '(';
  for (const Socket& socket : module.sockets) text += shape(socket) + ',';
  for (const Module& inner : module.modules) text += shape(inner) + ';';
  return text + ')';
}

template <typename Group, typename Member>
std::vector<Group> grouped(const std::vector<Member>& members) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> known;
  for (const Member& member : members) {
    const auto [at, added] = known.emplace(shape(member), groups.size());
    if (added) groups.emplace_back();
    groups[at->second].members.push_back(&member);
  }
  return groups;
}

template <typename Member>
std::string name_of(const std::vector<const Member*>& members) {
  if (members.size() == 1) return members.front()->name;
  return fmt::format("{} to {}", members.front()->name, members.back()->name);
}

}  // namespace

std::string ModuleGroup::name() const { return name_of(members); }
std::string SocketGroup::name() const { return name_of(members); }
std::vector<ModuleGroup> groups_of(const std::vector<Module>& modules) { return grouped<ModuleGroup>(modules); }
std::vector<SocketGroup> groups_of(const std::vector<Socket>& sockets) { return grouped<SocketGroup>(sockets); }

ModuleTree module_tree() { return Reader().read(); }

std::string_view module_of(std::string_view socket) { return socket.substr(0, socket.rfind('.')); }

}  // namespace reconverge::inspection
