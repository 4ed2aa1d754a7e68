// SPDX-License-Identifier: Apache-2.0
// A plugin with the fault that the environment variable PLUGIN_FAULT names.

#include <cstdint>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string_view>

#include "platforms/plugin.hpp"

namespace {

using namespace reconverge;
using Schemes = std::span<const SchemeKind* const>;

std::string_view fault() {
  const char* const name = std::getenv("PLUGIN_FAULT");
  return name == nullptr ? "" : name;
}

/// Where no program has mapped memory.
template <typename Pointer>
Pointer nowhere() {
  return reinterpret_cast<Pointer>(std::uintptr_t{16});
}

Schemes schemes() {
  static const SchemeKind empty{};
  static const SchemeKind* const null_scheme[] = {nullptr};
  static const SchemeKind* const empty_scheme[] = {&empty};
  if (fault() == "throws_number") throw 7;
  if (fault() == "throws_exception") throw std::runtime_error("out of luck");
  if (fault() == "null_scheme") return null_scheme;
  if (fault() == "empty_scheme") return empty_scheme;
  return {};
}

Plugin made() {
  if (fault() == "throws_when_loaded") throw 7;
  if (fault() == "exits_when_loaded") std::exit(0);
  Plugin plugin{interface_version, schemes};
  if (fault() == "no_version") plugin.version = nullptr;
  if (fault() == "wrong_version_pointer") plugin.version = nowhere<const char*>();
  if (fault() == "no_function") plugin.schemes = nullptr;
  if (fault() == "wrong_function_pointer") plugin.schemes = nowhere<Schemes (*)()>();
  return plugin;
}

}  // namespace

extern "C" const reconverge::Plugin reconverge_plugin;
const reconverge::Plugin reconverge_plugin = made();
