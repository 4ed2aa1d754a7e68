// SPDX-License-Identifier: Apache-2.0
// A plugin with the fault that the environment variable PLUGIN_FAULT names.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/plugin.hpp"

namespace {

using namespace reconverge;
using Schemes = std::span<const SchemeKind* const>;
using Machines = std::span<const MachineKind* const>;

std::string_view fault() {
  const char* const name = std::getenv("PLUGIN_FAULT");
  return name == nullptr ? "" : name;
}

/// An address at which no program has mapped memory.
template <typename Pointer>
Pointer nowhere() {
  return reinterpret_cast<Pointer>(std::uintptr_t{16});
}

const BlockDescription& some_block() {
  static const BlockDescription block = [] {
    BlockDescription made;
    made.name = "some_block";
    return made;
  }();
  return block;
}

Schemes schemes() {
  static const SchemeKind empty{};
  static const SchemeKind as_cache{
      .part = {"l1", &some_block(), [](void* parameters) { return parameters; }},
      .make = [](const char*, const SchemePlace&) -> std::unique_ptr<Scheme> { return nullptr; }};
  static const SchemeKind* const null_scheme[] = {nullptr};
  static const SchemeKind* const empty_scheme[] = {&empty};
  static const SchemeKind* const scheme_as_cache[] = {&as_cache};
  if (fault() == "throws_number") throw 7;
  if (fault() == "throws_exception") throw std::runtime_error("out of luck");
  if (fault() == "null_scheme") return null_scheme;
  if (fault() == "empty_scheme") return empty_scheme;
  if (fault() == "scheme_as_cache") return scheme_as_cache;
  return {};
}

/// Complete, without time.
MachineKind machine_called(std::string_view name) {
  return {.name = name,
          .traits = {.timed = false},
          .make = [](const Platform&, SchemeList) -> std::unique_ptr<Machine> { return nullptr; },
          .describe = [](const Platform&) { return std::string("some machine"); },
          .facts = [](const Platform&) { return std::vector<MachineFact>(); }};
}

Machines machines() {
  static MachineKind kind;
  static const MachineKind* const null_machine[] = {nullptr};
  static const MachineKind* const one[] = {&kind};
  if (fault() == "machines_throw") throw std::runtime_error("out of luck");
  if (fault() == "null_machine") return null_machine;
  if (fault() == "empty_machine") return one;
  kind = machine_called("some_machine");
  if (fault() == "machine_without_facts") kind.facts = nullptr;
  if (fault() == "machine_without_rate") kind.traits.timed = true;
  if (fault() == "machine_without_member") kind.part = {"some_block", &some_block(), nullptr};
  if (fault() == "known_machine") kind.name = "functional";
  if (fault() == "machine_of_two_words") kind.name = "some machine";
  for (const std::string_view key : {"gpu", "machine", "stream_processor", "launches", "extends"}) {
    const std::string_view as_key = "machine_as_";
    if (fault().starts_with(as_key) && fault().substr(as_key.size()) == key) {
      kind.part = {key, &some_block(), [](void* parameters) { return parameters; }};
    }
  }
  return one;
}

Plugin made() {
  if (fault() == "throws_when_loaded") throw 7;
  if (fault() == "exits_when_loaded") std::exit(0);
  Plugin plugin{interface_version, schemes, machines};
  if (fault() == "no_version") plugin.version = nullptr;
  if (fault() == "wrong_version_pointer") plugin.version = nowhere<const char*>();
  if (fault() == "no_function") plugin = {interface_version};
  if (fault() == "wrong_function_pointer") plugin.schemes = nowhere<Schemes (*)()>();
  return plugin;
}

}  // namespace

extern "C" const reconverge::Plugin reconverge_plugin;
const reconverge::Plugin reconverge_plugin = made();
