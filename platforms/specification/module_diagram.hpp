// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The block diagram of a module: its sockets, the modules that are bound to them, and the modules within it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/inspection/module_tree.hpp"

namespace reconverge::specification {

/// A binding of a module's socket.
struct Neighbour {
  std::string socket;  ///< of the module
  std::string module;  ///< full name of the other module
  std::string other;   ///< its socket
  std::string payload;
  bool calls = false;  ///< the module is the initiator
};

struct ModuleSurroundings {
  std::string name;  ///< full
  std::string kind;
  std::vector<Neighbour> neighbours;  ///< each socket of a group of alike modules once
  std::vector<std::string> parts;     ///< the modules within it, groups by `sm_0 to sm_14`
};

/// The first module with the block's name or class; nothing if the simulation has none.
std::optional<ModuleSurroundings> surroundings_of(const inspection::ModuleTree& tree, std::string_view block);

std::string module_svg(const ModuleSurroundings& module);

}  // namespace reconverge::specification
