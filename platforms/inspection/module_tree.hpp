// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The modules, TLM-2.0 sockets and bindings of an elaborated simulation, read from SystemC's own object tree. A socket
/// of MemoryTargets, which is in a module only because SystemC asks for one, is shown at the block that it belongs to.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reconverge::inspection {

struct Socket {
  std::string name;
  bool initiator = false;  ///< otherwise a target
  std::string payload;     ///< type of the payload; `tlm_generic_payload` in the base protocol
};

struct Module {
  std::string name;  ///< without the names of the modules around it
  std::string kind;  ///< its C++ class
  std::vector<Socket> sockets;
  std::vector<Module> modules;
};

/// Full names of two sockets, with dots between the names of modules.
struct Binding {
  std::string initiator;
  std::string target;
};

struct ModuleTree {
  std::vector<Module> modules;    ///< at the top
  std::vector<Binding> bindings;  ///< in the order of the initiators in the tree
};

/// The current simulation, after elaboration.
ModuleTree module_tree();

/// Modules with the same class, sockets and modules, whose names differ only in numbers.
struct ModuleGroup {
  std::vector<const Module*> members;

  const Module& first() const { return *members.front(); }
  /// `sm_0`, or `sm_0 to sm_14`.
  std::string name() const;
};
/// In the order of the first members; a module without another one like it is a group.
std::vector<ModuleGroup> groups_of(const std::vector<Module>& modules);

/// Sockets with the same direction and payload whose names differ only in numbers.
struct SocketGroup {
  std::vector<const Socket*> members;

  const Socket& first() const { return *members.front(); }
  std::string name() const;
};
std::vector<SocketGroup> groups_of(const std::vector<Socket>& sockets);

/// The module of a socket's full name.
std::string_view module_of(std::string_view socket);

/// One line for each group of modules and of sockets, with the bindings of first members.
std::string module_text(const ModuleTree& tree);

/// The same for Graphviz: modules as boxes, bindings as edges with the names of their payloads.
std::string module_dot(const ModuleTree& tree);

/// The bindings with every name replaced by that of the first member of its group, each once.
std::vector<Binding> shown_bindings(const ModuleTree& tree);

}  // namespace reconverge::inspection
