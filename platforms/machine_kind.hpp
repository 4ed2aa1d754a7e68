// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The registration of a machine: one value, which its folder or a plugin defines (platforms/machines/machines.cpp,
/// platforms/plugin.hpp).

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/core/figure.hpp"
#include "models/core/parameters.hpp"
#include "models/core/statistics_tree.hpp"
#include "models/kernel/program.hpp"
#include "models/protocols/scheme_list.hpp"
#include "platforms/figures/measurement.hpp"
#include "platforms/machine.hpp"
#include "platforms/platform.hpp"

namespace reconverge {

/// The machine whose block has these parameters, as a part of an experiment with the name of the block.
template <typename Parameters>
ChildDescription machine_part() {
  return part_of<&ExperimentParameters::machines, Parameters>(Parameters::description().name);
}

/// Properties of a machine for the rest of a run.
struct MachineTraits {
  bool timed = true;           ///< it counts cycles
  bool warps = false;          ///< its instructions issue for warps, where they can be profiled and logged
  bool sms = false;            ///< it has SMs, with issue slots and divergence schemes
  bool any_launch = false;     ///< it holds launches of any size, unless they are cooperative
  bool keeps_threads = false;  ///< it keeps the registers of all threads of a launch
};

/// A value that describes a machine in reports.
struct MachineFact {
  std::string_view key;
  std::variant<std::string, std::uint64_t> value;
};

/// A machine's clock frequency and issue rate.
struct MachineRate {
  std::uint64_t clock_hz = 0;
  std::uint64_t slots_per_cycle = 0;  ///< issue slots of the whole device, or lanes of a machine without warps
};

/// Shares of loads, texture fetches and reads that hit in their caches.
struct HitRates {
  double l1 = 0;
  double texture = 0;
  double l2 = 0;
};

struct MachineKind {
  std::string_view name;  ///< the value of `machine` in an experiment
  MachineTraits traits{};
  ChildDescription part{};  ///< its block, whose parameters Platform::machines holds; without block: it has none there
  /// Needs a SimulationContext. `schemes`: what the GPU may name. Throws InputError.
  std::unique_ptr<Machine> (*make)(const Platform& platform, SchemeList schemes) = nullptr;
  /// In a few words: `15 SMs at 980 MHz, mimd`.
  std::string (*describe)(const Platform& platform) = nullptr;
  std::vector<MachineFact> (*facts)(const Platform& platform) = nullptr;
  /// Host memory that it needs in addition to a launch's; null: little.
  std::uint64_t (*host_bytes)(const Platform& platform) = nullptr;
  /// Warnings, with file and line, about a program that may behave differently from its author's intention; null: none.
  /// Throws InputError for unknown schemes.
  std::vector<std::string> (*warnings)(const kernel::Program& program, const Platform& platform,
                                       SchemeList schemes) = nullptr;

  // Only for machines with timing, which need all of these members unless null is allowed.

  /// Zeros for all its blocks.
  Statistics (*zeros)(SchemeList schemes) = nullptr;
  MachineRate (*rate)(const Platform& platform) = nullptr;
  std::uint64_t (*cycles)(const Statistics& totals) = nullptr;
  Executed (*executed)(const Measurement& measurement) = nullptr;
  /// Its figures in addition to the rates that all machines have.
  void (*add_figures)(const Measurement& measurement, std::vector<Figure>& figures) = nullptr;
  /// Text below a report's table: the causes of cycles or issue slots. `subject`: the measured part.
  std::string (*details)(std::string_view subject, const Measurement& measurement) = nullptr;
  /// Null: it has no caches.
  HitRates (*hit_rates)(const Statistics& totals) = nullptr;
  /// The difference between its issue slots and the slots with an outcome, which is an error of the model unless it is
  /// 0; null: it has no issue slots.
  std::int64_t (*unaccounted_slots)(const Measurement& measurement) = nullptr;
};

}  // namespace reconverge
