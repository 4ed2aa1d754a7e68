// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Divergence schemes and machines in a shared library, for the option --plugin of the program. The library defines
///
///     extern "C" const reconverge::Plugin reconverge_plugin{reconverge::interface_version, schemes, machines};

#include <span>

#include "interface_version.hpp"
#include "models/protocols/scheme_kind.hpp"
#include "platforms/machine_kind.hpp"

namespace reconverge {

struct Plugin {
  const char* version;                                          ///< `interface_version`, as the library was compiled
  std::span<const SchemeKind* const> (*schemes)() = nullptr;    ///< null: there are none
  std::span<const MachineKind* const> (*machines)() = nullptr;  ///< likewise
};

}  // namespace reconverge
